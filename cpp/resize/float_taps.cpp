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

float rounded(double x) { return static_cast<float>(x); }

/// A product and a sum that are rounded apart.
float product(float a, float b) { return rounded(static_cast<double>(a) * static_cast<double>(b)); }
float plus(float a, float b) { return rounded(static_cast<double>(a) + static_cast<double>(b)); }

/// The cubic curve at `x`, from 0 to 1. Its last step is fused in the kernel that antialiases alone.
float inner_cubic(float x, float a, bool is_fused) {
  const float square = product(product(fused(a + 2.0f, x, -(a + 3.0f)), x), is_fused ? 1.0f : x);
  return is_fused ? fused(square, x, 1.0f) : plus(square, 1.0f);
}

/// The cubic curve at `x`, from 1 to 2.
float outer_cubic(float x, float a, bool is_fused) {
  const float square = fused(fused(a, x, -5.0f * a), x, 8.0f * a);
  return is_fused ? fused(square, x, -4.0f * a) : plus(product(square, x), -4.0f * a);
}

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
int reach_of(const FloatAxis& axis) { return static_cast<int>(std::ceil(rounded(3.0 * axis.sigma))); }

/// Up to four pixels of the whole axis and their weights, in the order in which torch sums them.
struct WeightedPixels {
  int count, pixel[4];
  float weight[4];
};

class Sampler {
 public:
  /// `work` has the Gaussian's weights, behind them those of one pixel, and those of all pixels of an entry.
  Sampler(const FloatAxis& axis, double* work) : axis_(axis), gaussian_(work) {
    if (kind_.has_corners) scale_ = axis.size == 1 ? 0.0f : rounded((axis.wide - 1.0) / (axis.size - 1.0));
    // The Gaussian: exp(-x^2) at 2 * reach + 1 places, divided by their sum, in torchvision's float32 steps.
    double sum = 0.0;
    const double limit = 2 * reach_ / (2.0 * std::sqrt(2.0));
    const float edge = rounded(limit), pace = rounded(static_cast<double>(rounded(2.0 * limit)) / (2 * reach_));
    for (int k = 0; k <= 2 * reach_ && reach_ > 0; ++k) {
      // torch.linspace counts from the nearer end.
      const float place = fused(pace, static_cast<float>(std::min(k, 2 * reach_ - k)), -edge);
      const float share = rounded(static_cast<double>(place) / static_cast<double>(rounded(axis.sigma)));
      sum += gaussian_[k] = rounded(std::exp(-static_cast<double>(product(share, share))));
    }
    for (int k = 0; k <= 2 * reach_ && reach_ > 0; ++k) gaussian_[k] = rounded(gaussian_[k] / sum);
  }

  /// The pixels of the source that pixel `i` is made of.
  Taps window(int i) const {
    int first = axis_.extent, end = 0;
    if (is_smooth()) {
      first = std::max(static_cast<int>(rounded(center(i) - reach()) + 0.5), 0);
      end = std::min(static_cast<int>(rounded(center(i) + reach()) + 0.5), axis_.wide);
    } else {
      const WeightedPixels pixels = weighted_pixels(i);
      for (int k = 0; k < pixels.count; ++k) {
        const int pixel = placed(pixels.pixel[k]);
        first = std::min(first, std::max(0, pixel - reach_));
        end = std::max(end, std::min(axis_.wide, pixel + 1 + reach_));
      }
    }
    first = std::min(first, axis_.extent);
    return {first, std::max(first, std::min(end, axis_.extent)) - first, 0, 0};
  }

  /// Writes the terms of pixel `i`, whose window is that of `taps`. Gives `taps` how many there are.
  void terms(int i, Taps& taps, Term* to) const {
    taps.half = taps.shift = 0;
    if (taps.count == 0) return;
    if (is_smooth()) {
      smooth_terms(i, taps, to);
      return;
    }
    taps.shift = 1;
    const WeightedPixels pixels = weighted_pixels(i);
    if (reach_ > 0) {
      blurred_terms(pixels, taps, to);
      return;
    }
    for (int k = 0; k < pixels.count; ++k) {
      const int pixel = placed(pixels.pixel[k]);
      // Pixels behind the source are 0: a term of weight 0 has the same product.
      *to++ = pixel < axis_.extent ? Term{pixel - taps.first, pixels.weight[k]} : Term{0, 0.0f};
    }
    taps.half = pixels.count;
  }

 private:
  bool is_smooth() const {
    return axis_.filter != FloatFilter::kNearest && !kind_.is_point && axis_.wide != axis_.size;
  }
  /// The place on the source of the middle of pixel `i`.
  float center(int i) const { return rounded(static_cast<double>(scale_) * (i + 0.5)); }
  float reach() const { return rounded(support_ * static_cast<double>(std::max(scale_, 1.0f))); }
  /// The pixel of the source that a pixel of the whole axis is.
  int placed(int pixel) const { return axis_.border > 0 ? mirrored(pixel - axis_.border, axis_.extent) : pixel; }

  /// The place of pixel `i` among the source's pixels, in the order of float32 steps of torch's kernels.
  float position(int i) const {
    const auto at = static_cast<float>(i);
    if (kind_.has_corners) return product(scale_, at);
    if (support_ == 1) {
      const float place = axis_.is_small ? fused(scale_, at + 0.5f, -0.5f) : plus(product(scale_, at + 0.5f), -0.5f);
      return std::max(place, 0.0f);
    }
    return fused(scale_, at + 0.5f, -0.5f);
  }

  /// The pixels that pixel `i` of the result is made of before a blur. Those beyond an edge are the edge's pixel.
  WeightedPixels weighted_pixels(int i) const {
    // Nearest.
    if (!kind_.is_point) {
      const float middle = static_cast<float>(i) + 0.5f;
      const float place = axis_.is_small ? product(scale_, middle) : plus(fused(scale_, middle, -0.5f), 0.5f);
      const bool is_kept = axis_.wide == axis_.size;
      return {1, {is_kept ? i : std::min(static_cast<int>(place), axis_.wide - 1)}, {1.0f}};
    }
    const float at = position(i);
    const int last = axis_.wide - 1, first = std::min(static_cast<int>(std::floor(at)), last);
    const float t = std::clamp(plus(at, -static_cast<float>(first)), 0.0f, 1.0f), u = 1.0f - t;
    const auto clamp_pixel = [&](int pixel) { return std::clamp(pixel, 0, last); };
    if (support_ == 1) return {2, {clamp_pixel(first + 1), first}, {t, u}};
    constexpr float kA = -0.75f;
    return {4,
            {clamp_pixel(first), clamp_pixel(first - 1), clamp_pixel(first + 1), clamp_pixel(first + 2)},
            {inner_cubic(t, kA, false), outer_cubic(t + 1.0f, kA, false), inner_cubic(u, kA, false),
             outer_cubic(u + 1.0f, kA, false)}};
  }

  /// Writes the terms of a filter with antialiasing: its weights over the window, divided by their sum.
  void smooth_terms(int i, Taps& taps, Term* to) const {
    const Taps own = window(i);
    const double inverse = rounded(1.0 / std::max(scale_, 1.0f));
    float sum = 0.0f;
    for (int k = 0; k < own.count; ++k) {
      const double distance = rounded(own.first + k - static_cast<double>(center(i))) + 0.5;
      const float weight = smooth_curve(rounded(distance * inverse));
      to[k] = {own.first + k - taps.first, weight};
      sum = plus(sum, weight);
    }
    for (int k = 0; k < own.count; ++k) to[k].weight /= sum;
    taps.half = own.count;
    // Four products at a time are added in two steps.
    taps.shift = 1 + (own.count - 1) / 4 * 4;
  }

  /// The filter's curve at a distance.
  float smooth_curve(float x) const {
    if (support_ == 3) return rounded(lanczos(x));
    x = std::fabs(x);
    if (support_ == 1) return x < 1.0f ? 1.0f - x : 0.0f;
    return x < 1.0f ? inner_cubic(x, -0.5f, true) : x < 2.0f ? outer_cubic(x, -0.5f, true) : 0.0f;
  }

  /// Writes the terms of a pixel that is interpolated after a Gaussian blur: each of `pixels` spreads its weight over
  /// the pixels around it, mirrored at the axis' ends, and those beyond the source drop out. The sums are of double.
  void blurred_terms(const WeightedPixels& pixels, Taps& taps, Term* to) const {
    std::fill_n(sums_, taps.count, 0.0);
    for (int tap = 0; tap < pixels.count; ++tap) {
      const int at = pixels.pixel[tap];
      // Mirrored pixels lie no farther away than the others.
      const int first = std::max(0, at - reach_), end = std::min(axis_.wide, at + reach_ + 1);
      std::fill(blurred_, blurred_ + (end - first), 0.0);
      for (int k = -reach_; k <= reach_; ++k) blurred_[mirrored(at + k, axis_.wide) - first] += gaussian_[k + reach_];
      for (int pixel = first; pixel < std::min(end, axis_.extent); ++pixel)
        sums_[pixel - taps.first] += blurred_[pixel - first] * static_cast<double>(pixels.weight[tap]);
    }
    for (int k = 0; k < taps.count; ++k) to[k] = {k, rounded(sums_[k])};
    taps.half = taps.count;
  }

  const FloatAxis& axis_;
  const Kind& kind_ = kind_of(axis_);
  int support_ = kind_.support, reach_ = reach_of(axis_);
  float scale_ = rounded(static_cast<double>(axis_.wide) / axis_.size);
  double *gaussian_, *blurred_ = gaussian_ + 2 * reach_ + 1, *sums_ = blurred_ + std::min(2 * reach_ + 1, axis_.wide);
};

/// The most terms of a pixel.
int most_terms(const FloatAxis& axis) {
  return kind_of(axis).is_point && axis.sigma == 0.0 ? 2 * kind_of(axis).support : most_float_taps(axis);
}

}  // namespace

int most_float_taps(const FloatAxis& axis) {
  const double support = kind_of(axis).support, scale = static_cast<double>(axis.wide) / axis.size;
  const double most = kind_of(axis).is_point ? 2 * support + 2 * reach_of(axis) + axis.border + 2
                                             : 2 * std::ceil(support * std::max(scale, 1.0)) + 3;
  return static_cast<int>(std::min<double>(axis.extent, most));
}

std::size_t float_table_bytes(const FloatAxis& axis, int count) {
  const auto pixels = static_cast<std::size_t>(count), terms = static_cast<std::size_t>(most_terms(axis));
  const auto blur = static_cast<std::size_t>(2 * reach_of(axis) + 1);
  const std::size_t work =
      blur + std::min(blur, static_cast<std::size_t>(axis.wide)) + static_cast<std::size_t>(most_float_taps(axis));
  return sizeof(TapTable) + pixels * (sizeof(Taps) + terms * sizeof(Term)) + work * sizeof(double);
}

void make_float_taps(const FloatAxis& axis, int first, int count, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, Sums::kRescaled, false, 0};
  auto* taps = reinterpret_cast<Taps*>(table + 1);
  auto* terms = reinterpret_cast<Term*>(taps + count);
  const auto room = static_cast<std::size_t>(count) * static_cast<std::size_t>(most_terms(axis));
  const Sampler sampler(axis, reinterpret_cast<double*>(terms + room));
  // Windows do not go back: those at a mirrored border are wider than their terms.
  for (int i = 0, end = 0; i < count; ++i) {
    taps[i] = sampler.window(first + i);
    end = std::max(end, taps[i].first + taps[i].count);
    taps[i].count = end;
  }
  for (int i = count - 1, least = axis.extent; i >= 0; --i) {
    least = std::min(least, taps[i].first);
    taps[i] = {least, taps[i].count - least, 0, 0};
  }
  std::int32_t next = 0;
  for (int i = 0; i < count; ++i) {
    taps[i].weights = next;
    sampler.terms(first + i, taps[i], terms + next);
    next += taps[i].half;
  }
}

}  // namespace layout
