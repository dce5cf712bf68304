#include "resize/float_taps.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "resize/curves.h"
#include "resize/taps.h"

// The rules of torch 2.15.0 (aten/src/ATen/native/cpu/UpSampleKernel.cpp) and of torchvision 0.29.2 for float32. torch
// computes positions and weights in float32: those of 500 pixels are 3e-5 off.

namespace layout {
namespace {

float rounded(double x) { return static_cast<float>(x); }

/// The pixel that stands at a place where an axis is mirrored at its outermost pixels.
int mirrored(int at, int extent) {
  const int period = std::max(1, 2 * (extent - 1)), place = std::abs(at) % period;
  return std::min(place, period - place);
}

struct Kind {
  int support;
  double a;
  bool is_point, has_corners;
  double curve(double x) const { return support == 1 ? bilinear(x) : support == 2 ? torch_cubic(x, a) : lanczos(x); }
};

constexpr Kind kKinds[] = {
#define FLOAT_FILTER(name, code, ...) {__VA_ARGS__},
#include "resize/float_filters.def"
#undef FLOAT_FILTER
};

const Kind& kind_of(const FloatAxis& axis) { return kKinds[static_cast<int>(axis.filter)]; }

int reach_of(const FloatAxis& axis) { return static_cast<int>(std::ceil(3.0 * axis.sigma)); }

/// Some pixels that lie side by side. `weights` of up to four.
struct Few {
  int first, end;
  double weights[4];
};

class Sampler {
 public:
  /// `work` has the Gaussian's weights, and behind them those of one pixel.
  Sampler(const FloatAxis& axis, double* work)
      : axis_(axis),
        kind_(kind_of(axis)),
        support_(kind_.support),
        reach_(reach_of(axis)),
        step_(static_cast<double>(axis.wide) / axis.size),
        scale_(rounded(step_)),
        shares_(work),
        blurred_(work + 2 * reach_ + 1) {
    if (kind_.has_corners) scale_ = axis.size == 1 ? 0.0f : rounded((axis.wide - 1.0) / (axis.size - 1.0));
    double sum = 0.0;
    for (int k = -reach_; k <= reach_ && reach_ > 0; ++k)
      sum += shares_[k + reach_] = std::exp(-(static_cast<double>(k) * k) / (2.0 * axis.sigma * axis.sigma));
    for (int k = 0; k <= 2 * reach_ && reach_ > 0; ++k) shares_[k] /= sum;
  }

  /// The pixels of the source that pixel `i` is made of.
  Taps taps(int i) const {
    int first, end;
    if (is_smooth()) {
      first = std::max(static_cast<int>(rounded(center(i) - reach()) + 0.5), 0);
      end = std::min(static_cast<int>(rounded(center(i) + reach()) + 0.5), axis_.wide);
    } else {
      const Few few = few_of(i);
      first = std::max(0, few.first - reach_);
      end = std::min(axis_.wide, few.end + reach_);
      if (axis_.border > 0) {
        first = axis_.extent;
        end = 0;
        for (int at = few.first; at < few.end; ++at) {
          const int pixel = mirrored(at - axis_.border, axis_.extent);
          first = std::min(first, pixel);
          end = std::max(end, pixel + 1);
        }
      }
    }
    first = std::min(first, axis_.extent);
    return {first, std::max(first, std::min(end, axis_.extent)) - first, 0, 0};
  }

  /// Adds the weights of pixel `i` to those of the source's pixels from `taps.first` on, which are 0.
  void add(int i, const Taps& taps, double* weights) const {
    if (is_smooth()) {
      add_smooth(i, taps.first, weights);
      return;
    }
    const Few few = few_of(i);
    for (int at = few.first; at < few.end; ++at) {
      const double weight = few.weights[at - few.first];
      if (reach_ == 0) {
        const int pixel = axis_.border > 0 ? mirrored(at - axis_.border, axis_.extent) : at;
        if (pixel < axis_.extent) weights[pixel - taps.first] += weight;
        continue;
      }
      // Mirrored pixels lie no farther away than the others.
      const int first = std::max(0, at - reach_), end = std::min(axis_.wide, at + reach_ + 1);
      std::fill(blurred_, blurred_ + (end - first), 0.0);
      for (int k = -reach_; k <= reach_; ++k) blurred_[mirrored(at + k, axis_.wide) - first] += shares_[k + reach_];
      for (int pixel = first; pixel < std::min(end, axis_.extent); ++pixel)
        weights[pixel - taps.first] += blurred_[pixel - first] * weight;
    }
  }

 private:
  bool is_kept() const { return axis_.wide == axis_.size && !kind_.has_corners; }
  bool is_smooth() const { return axis_.filter != FloatFilter::kNearest && !kind_.is_point && !is_kept(); }
  float center(int i) const { return rounded(static_cast<double>(scale_) * (i + 0.5)); }
  float reach() const { return rounded(support_ * static_cast<double>(std::max(scale_, 1.0f))); }

  /// The pixels of the axis around a point, before blur and border. Those beyond an edge count for the edge's pixel.
  Few few_of(int i) const {
    if (is_kept()) return {i, i + 1, {1.0}};
    if (!kind_.is_point) {
      const int pixel = std::min(static_cast<int>((i + 0.5) * step_), axis_.wide - 1);
      return {pixel, pixel + 1, {1.0}};
    }
    const double scale = scale_;
    double position = kind_.has_corners ? rounded(scale * i) : rounded(scale * (i + 0.5) - 0.5);
    if (support_ == 1) position = std::max(position, 0.0);
    const int first = static_cast<int>(std::floor(position)) + 1 - support_, last = axis_.wide - 1;
    const auto within = [&](int at) { return std::clamp(at, 0, last); };
    Few few = {within(first), within(first + 2 * support_ - 1) + 1, {}};
    for (int at = first; at < first + 2 * support_; ++at)
      few.weights[within(at) - few.first] += kind_.curve(position - at);
    return few;
  }

  /// The filter over as many pixels as the picture shrinks by.
  void add_smooth(int i, int first, double* weights) const {
    const Taps window = taps(i);
    double* own = weights + (window.first - first);
    const double inverse = rounded(1.0 / std::max(scale_, 1.0f));
    float sum = 0.0f;
    for (int k = 0; k < window.count; ++k) {
      const double distance = rounded(window.first + k - static_cast<double>(center(i))) + 0.5;
      const float weight = rounded(kind_.curve(rounded(distance * inverse)));
      own[k] = weight;
      sum += weight;
    }
    for (int k = 0; k < window.count; ++k) own[k] = rounded(own[k] / sum);
  }

  const FloatAxis& axis_;
  const Kind& kind_;
  int support_, reach_;
  double step_;
  float scale_;
  double *shares_, *blurred_;
};

}  // namespace

int most_float_taps(const FloatAxis& axis) {
  const double support = kind_of(axis).support, scale = static_cast<double>(axis.wide) / axis.size;
  const double most = kind_of(axis).is_point ? 2 * support + 2 * reach_of(axis) + axis.border + 2
                                             : 2 * std::ceil(support * std::max(scale, 1.0)) + 3;
  return static_cast<int>(std::min<double>(axis.extent, most));
}

std::size_t float_table_bytes(const FloatAxis& axis, int count) {
  const auto pixels = static_cast<std::size_t>(count), taps = static_cast<std::size_t>(most_float_taps(axis));
  const auto blur = static_cast<std::size_t>(2 * reach_of(axis) + 1);
  return sizeof(TapTable) + pixels * sizeof(Taps) +
         (pixels * taps + blur + std::min(blur, static_cast<std::size_t>(axis.wide))) * sizeof(double);
}

void make_float_taps(const FloatAxis& axis, int first, int count, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, Sums::kDouble, false, 0};
  auto* taps = reinterpret_cast<Taps*>(table + 1);
  auto* weights = reinterpret_cast<double*>(taps + count);
  const Sampler sampler(axis,
                        weights + static_cast<std::size_t>(count) * static_cast<std::size_t>(most_float_taps(axis)));
  // Windows do not go back: those at a mirrored border are as wide as that needs, with weights of 0.
  for (int i = 0, end = 0; i < count; ++i) {
    taps[i] = sampler.taps(first + i);
    end = std::max(end, taps[i].first + taps[i].count);
    taps[i].count = end;
  }
  for (int i = count - 1, least = axis.extent; i >= 0; --i) {
    least = std::min(least, taps[i].first);
    taps[i] = {least, taps[i].count - least, 0, 0};
  }
  std::int32_t next = 0;
  for (int i = 0; i < count; ++i) {
    std::fill_n(weights + next, taps[i].count, 0.0);
    sampler.add(first + i, taps[i], weights + next);
    taps[i].weights = next;
    next += taps[i].count;
  }
}

}  // namespace layout
