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

/// `a * b + c`. `is_fused`: torch's kernel with antialiasing rounds the product and the sum as one step, the one
/// without rounds both.
float last_step(float a, float b, float c, bool is_fused) { return is_fused ? fused(a, b, c) : plus(product(a, b), c); }

/// The cubic curve at `x`, from 0 to 1: ((a + 2) x - (a + 3)) x x + 1.
float inner_cubic(float x, float a, bool is_fused) {
  const float linear = fused(a + 2.0f, x, -(a + 3.0f));
  return last_step(product(linear, x), x, 1.0f, is_fused);
}

/// The cubic curve at `x`, from 1 to 2: ((a x - 5a) x + 8a) x - 4a.
float outer_cubic(float x, float a, bool is_fused) {
  const float linear = fused(a, x, -5.0f * a);
  const float square = fused(linear, x, 8.0f * a);
  return last_step(square, x, -4.0f * a, is_fused);
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

/// How many pixels torchvision's Gaussian reaches on each side of a pixel: three deviations; 0 without a blur.
int blur_reach_of(const FloatAxis& axis) { return static_cast<int>(std::ceil(rounded(3.0 * axis.sigma))); }

/// Up to four pixels of the padded axis and their weights, in the order in which torch sums them.
struct WeightedPixels {
  int count, pixel[4];
  float weight[4];
};

/// Pixels of the source that lie side by side.
struct Window {
  int first, count;
};

/// Finds which pixels of the source each pixel of the result is made of, and with which weights.
class Sampler {
 public:
  /// Makes the weights of the blur's Gaussian, if there is a blur. `work` is memory for three lists, one after the
  /// other: `gaussian_`, `blurred_` and `sums_`.
  Sampler(const FloatAxis& axis, double* work) : axis_(axis), gaussian_(work) {
    // Where the first and the last pixel stay, the intervals between pixels are scaled.
    if (kind_.has_corners) scale_ = axis.size == 1 ? 0.0f : rounded((axis.padded_extent - 1.0) / (axis.size - 1.0));
    if (blur_reach_ > 0) make_gaussian();
  }

  /// Finds the pixels of the source that pixel `i` of the result is made of: none where all of them lie past the
  /// source.
  Window window(int i) const {
    int first = axis_.extent, end = 0;  // no pixel so far
    if (is_antialiased()) {
      const float begin_place = rounded(center(i) - filter_reach()), end_place = rounded(center(i) + filter_reach());
      first = std::max(static_cast<int>(begin_place + 0.5), 0);
      end = std::min(static_cast<int>(end_place + 0.5), axis_.padded_extent);
    } else {
      // From the first pixel to the last one, and the pixels around both that a blur takes.
      const WeightedPixels pixels = weighted_pixels(i);
      for (int k = 0; k < pixels.count; ++k) {
        const int pixel = source_pixel(pixels.pixel[k]);
        first = std::min(first, std::max(0, pixel - blur_reach_));
        end = std::max(end, std::min(axis_.padded_extent, pixel + 1 + blur_reach_));
      }
    }
    // Pixels of the padded axis past the source are 0 and need no place in the window.
    first = std::min(first, axis_.extent);
    end = std::max(first, std::min(end, axis_.extent));
    return {first, end - first};
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
      const int pixel = source_pixel(pixels.pixel[k]);
      // Pixels past the source are 0: a term of weight 0 has the same product.
      *to++ = pixel < axis_.extent ? Term{pixel - taps.first, pixels.weight[k]} : Term{0, 0.0f};
    }
    taps.set_terms(pixels.count, kUnfused);
  }

 private:
  /// Writes the weights of the Gaussian to `gaussian_`, in torchvision's float32 steps: exp(-(x / sigma)^2) at
  /// 2 * reach + 1 places x from -limit to limit, divided by their sum. A pixel at the distance d lies at d / sqrt(2).
  void make_gaussian() const {
    const int last = 2 * blur_reach_;
    const double limit = last / (2.0 * std::sqrt(2.0));
    const float step = rounded(static_cast<double>(rounded(2.0 * limit)) / last);
    double sum = 0.0;
    for (int k = 0; k <= last; ++k) {
      // torch.linspace counts from the nearer end, where x is -limit, or limit: the square has no sign.
      const auto from_end = static_cast<float>(std::min(k, last - k));
      const float x = fused(step, from_end, -rounded(limit));
      const float deviations = rounded(static_cast<double>(x) / static_cast<double>(rounded(axis_.sigma)));
      gaussian_[k] = rounded(std::exp(-static_cast<double>(product(deviations, deviations))));
      sum += gaussian_[k];
    }
    for (int k = 0; k <= last; ++k) gaussian_[k] = rounded(gaussian_[k] / sum);
  }

  /// How many pixels the Gaussian has: one, and those that it reaches on both sides.
  int blur_width() const { return 2 * blur_reach_ + 1; }
  /// Whether the filter is as wide as the picture shrinks. Where the size stays, torch only copies pixels.
  bool is_antialiased() const {
    return axis_.filter != FloatFilter::kNearest && !kind_.is_point && axis_.padded_extent != axis_.size;
  }
  /// The place on the source of the middle of pixel `i`.
  float center(int i) const { return rounded(static_cast<double>(scale_) * (i + 0.5)); }
  /// How many pixels of the source a filter with antialiasing reaches to each side.
  float filter_reach() const { return rounded(support_ * static_cast<double>(std::max(scale_, 1.0f))); }
  /// The pixel of the source that a pixel of the padded axis shows: those of the border mirror the source.
  int source_pixel(int pixel) const { return axis_.border > 0 ? mirrored(pixel - axis_.border, axis_.extent) : pixel; }

  /// The place at which a filter without antialiasing interpolates for pixel `i` of the result, in pixels of the padded
  /// axis: 2.25 lies a quarter of the way from pixel 2 to pixel 3. Each kernel of torch has its own float32 steps.
  float position(int i) const {
    if (kind_.has_corners) return product(scale_, static_cast<float>(i));  // the last pixel is at the last one
    // The middle of pixel i, at scale * (i + 1/2), less the half pixel to the middle of pixel 0.
    const float middle = static_cast<float>(i) + 0.5f;
    if (support_ == 1) {
      // Bilinear: places before pixel 0 are moved to it. The kernel of small results rounds once.
      const float place = axis_.is_small ? fused(scale_, middle, -0.5f) : plus(product(scale_, middle), -0.5f);
      return std::max(place, 0.0f);
    }
    return fused(scale_, middle, -0.5f);
  }

  /// Finds the pixel of the padded axis that pixel `i` of the result copies: by torch's nearest-exact, or the same one
  /// where the size stays. torch's kernel of larger results takes a linear filter's place, half a pixel less, and adds
  /// the half again.
  int nearest_pixel(int i) const {
    if (axis_.padded_extent == axis_.size) return i;
    const float middle = static_cast<float>(i) + 0.5f;
    const float place = axis_.is_small ? product(scale_, middle) : plus(fused(scale_, middle, -0.5f), 0.5f);
    return std::min(static_cast<int>(place), axis_.padded_extent - 1);
  }

  /// Finds the pixels of the padded axis that pixel `i` of the result is made of without antialiasing: 1, 2 or 4, with
  /// those beyond an edge moved to it. The order is that of torch's sums. With a blur, each is a blurred pixel.
  WeightedPixels weighted_pixels(int i) const {
    if (!kind_.is_point) return {1, {nearest_pixel(i)}, {1.0f}};
    const float at = position(i);
    const int last = axis_.padded_extent - 1, before = std::min(static_cast<int>(std::floor(at)), last);
    // The distances of the place from the pixel before it and from the one after it.
    const float from_before = std::clamp(plus(at, -static_cast<float>(before)), 0.0f, 1.0f);
    const float from_after = 1.0f - from_before;
    const auto clamp_pixel = [&](int pixel) { return std::clamp(pixel, 0, last); };
    if (support_ == 1) return {2, {clamp_pixel(before + 1), before}, {from_before, from_after}};
    const auto inner = [](float distance) { return inner_cubic(distance, -0.75f, false); };
    const auto outer = [](float distance) { return outer_cubic(distance, -0.75f, false); };
    return {4,
            {clamp_pixel(before), clamp_pixel(before - 1), clamp_pixel(before + 1), clamp_pixel(before + 2)},
            {inner(from_before), outer(from_before + 1.0f), inner(from_after), outer(from_after + 1.0f)}};
  }

  /// Does write_terms for a filter with antialiasing: its curve at each pixel of the window, divided by their sum.
  void write_antialiased(int i, Taps& taps, Term* to) const {
    const auto [first, count] = window(i);  // that of `taps` may be wider
    const double inverse_stretch = rounded(1.0 / std::max(scale_, 1.0f));
    float sum = 0.0f;
    for (int k = 0; k < count; ++k) {
      const double distance = rounded(first + k - static_cast<double>(center(i))) + 0.5;
      const float weight = curve(rounded(distance * inverse_stretch));
      to[k] = {first + k - taps.first, weight};
      sum = plus(sum, weight);
    }
    for (int k = 0; k < count; ++k) to[k].weight /= sum;
    // torch adds the products after the first in groups of four, whose products it rounds; it fuses those left over.
    const int grouped = (count - 1) / 4 * 4;
    taps.set_terms(count, 1 + grouped);
  }

  /// The curve of a filter with antialiasing at the distance `x`.
  float curve(float x) const {
    if (support_ == 3) return rounded(lanczos(x));
    x = std::fabs(x);
    if (support_ == 1) return x < 1.0f ? 1.0f - x : 0.0f;
    if (x < 1.0f) return inner_cubic(x, -0.5f, true);
    return x < 2.0f ? outer_cubic(x, -0.5f, true) : 0.0f;
  }

  /// Does write_terms for a pixel that is interpolated after a Gaussian blur: each of `pixels` spreads its weight over
  /// the pixels around it, mirrored at the axis' ends, and those beyond the source drop out. The sums are of double.
  /// Works in `blurred_` and `sums_`.
  void write_blurred(const WeightedPixels& pixels, const Taps& taps, Term* to) const {
    std::fill_n(sums_, taps.count, 0.0);
    for (int tap = 0; tap < pixels.count; ++tap) {
      const int center = pixels.pixel[tap];
      // All pixels that the blur of `center` reaches; mirrored ones lie no farther away than the others.
      const int first = std::max(0, center - blur_reach_);
      const int end = std::min(axis_.padded_extent, center + blur_reach_ + 1);
      std::fill(blurred_, blurred_ + (end - first), 0.0);
      for (int distance = -blur_reach_; distance <= blur_reach_; ++distance)
        blurred_[mirrored(center + distance, axis_.padded_extent) - first] += gaussian_[distance + blur_reach_];
      for (int pixel = first; pixel < std::min(end, axis_.extent); ++pixel)
        sums_[pixel - taps.first] += blurred_[pixel - first] * static_cast<double>(pixels.weight[tap]);
    }
    for (int k = 0; k < taps.count; ++k) to[k] = {k, rounded(sums_[k])};
  }

  const FloatAxis& axis_;
  const Kind& kind_ = kind_of(axis_);
  int support_ = kind_.support, blur_reach_ = blur_reach_of(axis_);
  float scale_ = rounded(static_cast<double>(axis_.padded_extent) / axis_.size);
  double* gaussian_;                            // the weights of the blur, by the distance plus blur_reach_
  double* blurred_ = gaussian_ + blur_width();  // the weights of one blurred pixel's pixels
  double* sums_ = blurred_ + std::min(blur_width(), axis_.padded_extent);  // the weights of an entry's pixels
};

/// The most terms of a pixel. Without a blur, interpolation has 2 or 4, though windows at a mirrored border are wider.
int max_terms(const FloatAxis& axis) {
  return kind_of(axis).is_point && axis.sigma == 0.0 ? 2 * kind_of(axis).support : max_float_taps(axis);
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
    const int window_end = taps[i].first + taps[i].count;
    first = std::min(first, taps[i].first);
    taps[i] = {first, window_end - first, 0, 0};
  }
}

}  // namespace

int max_float_taps(const FloatAxis& axis) {
  const double support = kind_of(axis).support;
  double max_width = 0.0;  // of a window
  if (kind_of(axis).is_point) {
    // The pixels that the filter and the blur reach, on both sides. A window at a mirrored border may be as much wider
    // as the border, since widen_windows does not let windows go back. Two more for rounding.
    max_width = 2 * (support + blur_reach_of(axis)) + axis.border + 2;
  } else {
    // The filter is as wide as the picture shrinks. Three more for rounding.
    const double scale = static_cast<double>(axis.padded_extent) / axis.size;
    max_width = 2 * std::ceil(support * std::max(scale, 1.0)) + 3;
  }
  return static_cast<int>(std::min<double>(axis.extent, max_width));
}

std::size_t float_table_bytes(const FloatAxis& axis, int count) {
  const auto pixels = static_cast<std::size_t>(count), terms = static_cast<std::size_t>(max_terms(axis));
  // The three lists of Sampler's work memory.
  const auto gaussian = static_cast<std::size_t>(2 * blur_reach_of(axis) + 1);
  const auto blurred = std::min(gaussian, static_cast<std::size_t>(axis.padded_extent));
  const auto sums = static_cast<std::size_t>(max_float_taps(axis));
  const std::size_t work = gaussian + blurred + sums;
  return sizeof(TapTable) + pixels * (sizeof(Taps) + terms * sizeof(Term)) + work * sizeof(double);
}

void make_float_taps(const FloatAxis& axis, int first, int count, std::uint8_t* at) {
  // In this order: the table's head, its entries, memory for the most terms that these may have, Sampler's memory.
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, Sums::kRescaled, false, 0};
  auto* taps = reinterpret_cast<Taps*>(table + 1);
  auto* terms = reinterpret_cast<Term*>(taps + count);
  const auto term_room = static_cast<std::size_t>(count) * static_cast<std::size_t>(max_terms(axis));
  const Sampler sampler(axis, reinterpret_cast<double*>(terms + term_room));
  for (int i = 0; i < count; ++i) {
    const Window window = sampler.window(first + i);
    taps[i] = {window.first, window.count, 0, 0};
  }
  widen_windows(taps, count);
  std::int32_t next_term = 0;
  for (int i = 0; i < count; ++i) {
    taps[i].weights = next_term;
    sampler.write_terms(first + i, taps[i], terms + next_term);
    next_term += taps[i].term_count();
  }
}

}  // namespace layout
