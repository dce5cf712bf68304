// resize/float_taps.h says what these functions do.

#include "resize/float_taps.h"

#include <algorithm>
#include <cmath>

#include "bits/mirrored.h"
#include "resize/curves.h"
#include "resize/taps.h"

// The rules of torch (aten/src/ATen/native/cpu/UpSampleKernel.cpp) and of torchvision for float32, with
// the order of their steps on AVX2 and AVX512. torch computes positions and weights in float32: those of 500 pixels are
// 3e-5 off.

namespace layout {
namespace {

/// Rounds to float32.
float rounded(double x) { return static_cast<float>(x); }

/// A product, and a sum, each rounded to float32 on its own, so that no compiler fuses them.
float product(float a, float b) { return rounded(static_cast<double>(a) * static_cast<double>(b)); }
float plus(float a, float b) { return rounded(static_cast<double>(a) + static_cast<double>(b)); }

/// The cubic curve at `x`, from 0 to 1: ((a + 2) x - (a + 3)) x^2 + 1. `is_fused`: torch's kernel with antialiasing
/// rounds the last product and sum as one step, the one without rounds both.
float inner_cubic(float x, float a, bool is_fused) {
  const float square = product(product(fused(a + 2.0f, x, -(a + 3.0f)), x), is_fused ? 1.0f : x);
  return is_fused ? fused(square, x, 1.0f) : plus(square, 1.0f);
}

/// The cubic curve at `x`, from 1 to 2: ((a x - 5a) x + 8a) x - 4a, with the last step as in inner_cubic.
float outer_cubic(float x, float a, bool is_fused) {
  const float square = fused(fused(a, x, -5.0f * a), x, 8.0f * a);
  return is_fused ? fused(square, x, -4.0f * a) : plus(product(square, x), -4.0f * a);
}

/// A row of float_filters.def.
struct Kind {
  int support;
  bool is_point, has_corners;
};

constexpr Kind kKinds[] = {
#define FLOAT_FILTER(name, code, ...) {__VA_ARGS__},
#include "resize/float_filters.def"
#undef FLOAT_FILTER
};

const Kind& kind_of(const FloatAxis& axis) { return kKinds[static_cast<int>(axis.filter)]; }

/// How many pixels torchvision's Gaussian reaches to each side: three deviations; 0 without a blur.
int blur_reach_of(const FloatAxis& axis) { return static_cast<int>(std::ceil(rounded(3.0 * axis.sigma))); }

/// Up to four pixels of the whole axis and their weights, in the order in which torch sums them.
struct WeightedPixels {
  int count, pixel[4];
  float weight[4];
};

/// Finds which pixels of the source each pixel of the result is made of, and with which weights.
class Sampler {
 public:
  /// Makes the weights of the blur's Gaussian, if there is a blur. `work` is memory for three lists, one after the
  /// other: these weights, the weights of one pixel that is blurred, and the sums of all pixels of an entry.
  Sampler(const FloatAxis& axis, double* work) : axis_(axis), gaussian_(work) {
    // Where the first and the last pixel stay, the intervals between pixels are scaled.
    if (kind_.has_corners) scale_ = axis.size == 1 ? 0.0f : rounded((axis.padded_extent - 1.0) / (axis.size - 1.0));
    // The Gaussian, in torchvision's float32 steps: exp(-(x / sigma)^2) at 2 * reach + 1 places x from -limit to limit,
    // divided by their sum. A pixel at the distance d lies at d / sqrt(2).
    double sum = 0.0;
    const double limit = 2 * blur_reach_ / (2.0 * std::sqrt(2.0));
    const float edge = rounded(limit), step = rounded(static_cast<double>(rounded(2.0 * limit)) / (2 * blur_reach_));
    for (int k = 0; k <= 2 * blur_reach_ && blur_reach_ > 0; ++k) {
      // torch.linspace counts from the nearer end, where x is -limit, or limit: the square has no sign.
      const float place = fused(step, static_cast<float>(std::min(k, 2 * blur_reach_ - k)), -edge);
      const float share = rounded(static_cast<double>(place) / static_cast<double>(rounded(axis.sigma)));
      sum += gaussian_[k] = rounded(std::exp(-static_cast<double>(product(share, share))));
    }
    for (int k = 0; k <= 2 * blur_reach_ && blur_reach_ > 0; ++k) gaussian_[k] = rounded(gaussian_[k] / sum);
  }

  /// Finds the pixels of the source that pixel `i` of the result is made of: an entry's `first` and `count`, which is 0
  /// where all of them lie past the source.
  Taps window(int i) const {
    int first = axis_.extent, end = 0;
    if (is_antialiased()) {
      first = std::max(static_cast<int>(rounded(center(i) - filter_reach()) + 0.5), 0);
      end = std::min(static_cast<int>(rounded(center(i) + filter_reach()) + 0.5), axis_.padded_extent);
    } else {
      // From the first pixel to the last one, and the pixels around both that a blur takes.
      const WeightedPixels pixels = weighted_pixels(i);
      for (int k = 0; k < pixels.count; ++k) {
        const int pixel = placed(pixels.pixel[k]);
        first = std::min(first, std::max(0, pixel - blur_reach_));
        end = std::max(end, std::min(axis_.padded_extent, pixel + 1 + blur_reach_));
      }
    }
    // Pixels of the whole axis past the source are 0 and need no place in the window.
    first = std::min(first, axis_.extent);
    return {first, std::max(first, std::min(end, axis_.extent)) - first, 0, 0};
  }

  /// Writes the terms of pixel `i` of the result to `to`. `taps` has the window that they count from; its
  /// term_count() and unfused_count() are set.
  void write_terms(int i, Taps& taps, Term* to) const {
    taps.set_terms(0, 0);
    if (taps.count == 0) return;
    if (is_antialiased()) {
      write_antialiased(i, taps, to);
      return;
    }
    constexpr int kUnfused = 1;  // all products after the first are fused
    const WeightedPixels pixels = weighted_pixels(i);
    if (blur_reach_ > 0) {
      write_blurred(pixels, taps, to);
      taps.set_terms(taps.count, kUnfused);
      return;
    }
    for (int k = 0; k < pixels.count; ++k) {
      const int pixel = placed(pixels.pixel[k]);
      // Pixels past the source are 0: a term of weight 0 has the same product.
      *to++ = pixel < axis_.extent ? Term{pixel - taps.first, pixels.weight[k]} : Term{0, 0.0f};
    }
    taps.set_terms(pixels.count, kUnfused);
  }

 private:
  /// Whether the filter is as wide as the picture shrinks. Where the size stays, torch only copies pixels.
  bool is_antialiased() const {
    return axis_.filter != FloatFilter::kNearest && !kind_.is_point && axis_.padded_extent != axis_.size;
  }
  /// The place on the source of the middle of pixel `i`.
  float center(int i) const { return rounded(static_cast<double>(scale_) * (i + 0.5)); }
  /// How many pixels of the source a filter with antialiasing reaches to each side.
  float filter_reach() const { return rounded(support_ * static_cast<double>(std::max(scale_, 1.0f))); }
  /// The pixel of the source that a pixel of the whole axis is.
  int placed(int pixel) const { return axis_.border > 0 ? mirrored(pixel - axis_.border, axis_.extent) : pixel; }

  /// The place at which a filter without antialiasing interpolates for pixel `i` of the result, in pixels of the whole
  /// axis: 2.25 lies a quarter of the way from pixel 2 to pixel 3. Each kernel of torch has its own float32 steps.
  float position(int i) const {
    const auto at = static_cast<float>(i);
    if (kind_.has_corners) return product(scale_, at);  // the first pixel is at 0, the last at the last one
    // The middle of pixel i, at scale * (i + 1/2), less the half pixel to the middle of pixel 0.
    if (support_ == 1) {
      // Bilinear: places before pixel 0 are moved to it. The kernel of small results rounds once.
      const float place = axis_.is_small ? fused(scale_, at + 0.5f, -0.5f) : plus(product(scale_, at + 0.5f), -0.5f);
      return std::max(place, 0.0f);
    }
    return fused(scale_, at + 0.5f, -0.5f);
  }

  /// Finds the pixels of the whole axis that pixel `i` of the result interpolates: 1, 2 or 4. Pixels beyond an edge are
  /// the edge's pixel. The order is that of torch's sums. With a blur, each of them is a blurred pixel.
  WeightedPixels weighted_pixels(int i) const {
    // Nearest, which is torch's nearest-exact; and filters with antialiasing where the size stays. torch's kernel of
    // larger results takes a linear filter's place, half a pixel less, and adds the half again.
    if (!kind_.is_point) {
      const float middle = static_cast<float>(i) + 0.5f;
      const float place = axis_.is_small ? product(scale_, middle) : plus(fused(scale_, middle, -0.5f), 0.5f);
      const bool is_kept = axis_.padded_extent == axis_.size;
      return {1, {is_kept ? i : std::min(static_cast<int>(place), axis_.padded_extent - 1)}, {1.0f}};
    }
    const float at = position(i);
    const int last = axis_.padded_extent - 1, first = std::min(static_cast<int>(std::floor(at)), last);
    const float t = std::clamp(plus(at, -static_cast<float>(first)), 0.0f, 1.0f), u = 1.0f - t;
    const auto clamp_pixel = [&](int pixel) { return std::clamp(pixel, 0, last); };
    if (support_ == 1) return {2, {clamp_pixel(first + 1), first}, {t, u}};
    constexpr float kA = -0.75f;
    return {4,
            {clamp_pixel(first), clamp_pixel(first - 1), clamp_pixel(first + 1), clamp_pixel(first + 2)},
            {inner_cubic(t, kA, false), outer_cubic(t + 1.0f, kA, false), inner_cubic(u, kA, false),
             outer_cubic(u + 1.0f, kA, false)}};
  }

  /// Does write_terms for a filter with antialiasing: its curve at each pixel of the window, divided by their sum.
  void write_antialiased(int i, Taps& taps, Term* to) const {
    const Taps own = window(i);  // that of `taps` may be wider
    const double inverse = rounded(1.0 / std::max(scale_, 1.0f));
    float sum = 0.0f;
    for (int k = 0; k < own.count; ++k) {
      const double distance = rounded(own.first + k - static_cast<double>(center(i))) + 0.5;
      const float weight = curve(rounded(distance * inverse));
      to[k] = {own.first + k - taps.first, weight};
      sum = plus(sum, weight);
    }
    for (int k = 0; k < own.count; ++k) to[k].weight /= sum;
    // torch adds the products after the first in groups of four, whose products it rounds; it fuses those left over.
    const int grouped = (own.count - 1) / 4 * 4;
    taps.set_terms(own.count, 1 + grouped);
  }

  /// The curve of a filter with antialiasing at the distance `x`.
  float curve(float x) const {
    if (support_ == 3) return rounded(lanczos(x));
    x = std::fabs(x);
    if (support_ == 1) return x < 1.0f ? 1.0f - x : 0.0f;
    return x < 1.0f ? inner_cubic(x, -0.5f, true) : x < 2.0f ? outer_cubic(x, -0.5f, true) : 0.0f;
  }

  /// Does write_terms for a pixel that is interpolated after a Gaussian blur: each of `pixels` spreads its weight over
  /// the pixels around it, mirrored at the axis' ends, and those beyond the source drop out. The sums are of double.
  /// Works in `blurred_` and `sums_`.
  void write_blurred(const WeightedPixels& pixels, const Taps& taps, Term* to) const {
    std::fill_n(sums_, taps.count, 0.0);
    for (int tap = 0; tap < pixels.count; ++tap) {
      const int at = pixels.pixel[tap];
      // All pixels that the blur of pixel `at` reaches; mirrored ones lie no farther away than the others.
      const int first = std::max(0, at - blur_reach_), end = std::min(axis_.padded_extent, at + blur_reach_ + 1);
      std::fill(blurred_, blurred_ + (end - first), 0.0);
      for (int k = -blur_reach_; k <= blur_reach_; ++k)
        blurred_[mirrored(at + k, axis_.padded_extent) - first] += gaussian_[k + blur_reach_];
      for (int pixel = first; pixel < std::min(end, axis_.extent); ++pixel)
        sums_[pixel - taps.first] += blurred_[pixel - first] * static_cast<double>(pixels.weight[tap]);
    }
    for (int k = 0; k < taps.count; ++k) to[k] = {k, rounded(sums_[k])};
  }

  const FloatAxis& axis_;
  const Kind& kind_ = kind_of(axis_);
  int support_ = kind_.support, blur_reach_ = blur_reach_of(axis_);
  float scale_ = rounded(static_cast<double>(axis_.padded_extent) / axis_.size);
  double *gaussian_, *blurred_ = gaussian_ + 2 * blur_reach_ + 1,
                     *sums_ = blurred_ + std::min(2 * blur_reach_ + 1, axis_.padded_extent);
};

/// The most terms of a pixel. Without a blur, interpolation has 2 or 4, though windows at a mirrored border are wider.
int most_terms(const FloatAxis& axis) {
  return kind_of(axis).is_point && axis.sigma == 0.0 ? 2 * kind_of(axis).support : most_float_taps(axis);
}

/// Widens windows so that from one entry to the next neither end goes back, as taps.h asks. Only windows at a mirrored
/// border would go back.
void widen_windows(Taps* taps, int count) {
  int end = 0;
  for (int i = 0; i < count; ++i) {
    end = std::max(end, taps[i].first + taps[i].count);
    taps[i].count = end - taps[i].first;
  }
  int first = end;  // no window begins later
  for (int i = count - 1; i >= 0; --i) {
    const int own_end = taps[i].first + taps[i].count;
    first = std::min(first, taps[i].first);
    taps[i] = {first, own_end - first, 0, 0};
  }
}

}  // namespace

int most_float_taps(const FloatAxis& axis) {
  // The pixels that the filter and the blur reach, to both sides. A window at a mirrored border may be as much wider as
  // the border, since make_float_taps does not let windows go back. The rest is for rounding.
  const double support = kind_of(axis).support, scale = static_cast<double>(axis.padded_extent) / axis.size;
  const double most = kind_of(axis).is_point ? 2 * support + 2 * blur_reach_of(axis) + axis.border + 2
                                             : 2 * std::ceil(support * std::max(scale, 1.0)) + 3;
  return static_cast<int>(std::min<double>(axis.extent, most));
}

std::size_t float_table_bytes(const FloatAxis& axis, int count) {
  const auto pixels = static_cast<std::size_t>(count), terms = static_cast<std::size_t>(most_terms(axis));
  const auto blur = static_cast<std::size_t>(2 * blur_reach_of(axis) + 1);
  // The three lists of Sampler's work memory.
  const std::size_t work = blur + std::min(blur, static_cast<std::size_t>(axis.padded_extent)) +
                           static_cast<std::size_t>(most_float_taps(axis));
  return sizeof(TapTable) + pixels * (sizeof(Taps) + terms * sizeof(Term)) + work * sizeof(double);
}

void make_float_taps(const FloatAxis& axis, int first, int count, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, Sums::kRescaled, false, 0};
  auto* taps = reinterpret_cast<Taps*>(table + 1);
  auto* terms = reinterpret_cast<Term*>(taps + count);
  const auto room = static_cast<std::size_t>(count) * static_cast<std::size_t>(most_terms(axis));
  const Sampler sampler(axis, reinterpret_cast<double*>(terms + room));
  for (int i = 0; i < count; ++i) taps[i] = sampler.window(first + i);
  widen_windows(taps, count);
  std::int32_t next = 0;
  for (int i = 0; i < count; ++i) {
    taps[i].weights = next;
    sampler.write_terms(first + i, taps[i], terms + next);
    next += taps[i].term_count();
  }
}

}  // namespace layout
