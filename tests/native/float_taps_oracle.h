#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "check.h"
#include "resize/float_taps.h"
#include "resize/taps.h"

// The weights of torch's resize of float32, of torchvision's Gaussian blur and of mirrored borders, one step after the
// other, each with a list of its own.

constexpr layout::FloatFilter kFloatFilters[] = {
#define FLOAT_FILTER(name, code, ...) layout::FloatFilter::k##name,
#include "resize/float_filters.def"
#undef FLOAT_FILTER
};

/// Weights by pixel.
using FloatWeights = std::map<int, double>;

inline double float_curve_rule(layout::FloatFilter filter, double x) {
  using layout::FloatFilter;
  const double t = std::fabs(x);
  const auto cubic = [&](double a) {
    if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
    return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
  };
  if (filter == FloatFilter::kBicubic) return cubic(-0.5);
  if (filter == FloatFilter::kBicubicPoint || filter == FloatFilter::kBicubicCorners) return cubic(-0.75);
  if (filter != FloatFilter::kLanczos) return std::max(0.0, 1 - t);
  const double pi = 3.1415926535897932385;
  const auto sinc = [&](double y) { return y == 0 ? 1 : std::sin(pi * y) / (pi * y); };
  return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

inline int mirror_rule(int at, int extent) {
  while (extent > 1 && (at < 0 || at >= extent)) at = at < 0 ? -at : 2 * (extent - 1) - at;
  return extent == 1 ? 0 : at;
}

/// The weights of an axis of `extent` pixels, without what lies beyond them.
inline FloatWeights float_weights_rule(layout::FloatFilter filter, int extent, int size, int i) {
  using layout::FloatFilter;
  const auto f = [](double x) { return static_cast<float>(x); };
  const bool is_corner = filter == FloatFilter::kBilinearCorners || filter == FloatFilter::kBicubicCorners;
  const bool is_point = filter == FloatFilter::kBilinearPoint || filter == FloatFilter::kBicubicPoint;
  if (extent == size && !is_corner) return {{i, 1}};
  if (filter == FloatFilter::kNearest)
    return {{std::min(static_cast<int>(std::floor((i + 0.5) * (1.0 * extent / size))), extent - 1), 1}};
  FloatWeights weights;
  if (is_corner || is_point) {
    const bool is_cubic = filter == FloatFilter::kBicubicPoint || filter == FloatFilter::kBicubicCorners;
    double at;
    if (is_corner)
      at = f(double{size == 1 ? 0 : f((extent - 1.0) / (size - 1.0))} * i);
    else
      at = f(double{f(1.0 * extent / size)} * (i + 0.5) - 0.5);
    if (is_point && !is_cubic) at = std::max(at, 0.0);
    const int support = is_cubic ? 2 : 1;
    for (int k = 1 - support; k <= support; ++k) {
      const int pixel = static_cast<int>(std::floor(at)) + k;
      weights[std::min(std::max(pixel, 0), extent - 1)] += float_curve_rule(filter, at - pixel);
    }
    return weights;
  }
  const float scale = f(1.0 * extent / size), wide = std::max(scale, 1.0f), inverse = f(1.0 / double{wide});
  const double support = filter == FloatFilter::kBilinear ? 1 : filter == FloatFilter::kBicubic ? 2 : 3;
  const double reach = f(support * double{wide}), center = f(double{scale} * (i + 0.5));
  const int first = std::max(static_cast<int>(std::trunc(f(center - reach) + 0.5)), 0);
  const int end = std::min(static_cast<int>(std::trunc(f(center + reach) + 0.5)), extent);
  float sum = 0;
  for (int pixel = first; pixel < end; ++pixel) {
    const double x = f((double{f(pixel - center)} + 0.5) * double{inverse});
    weights[pixel] = f(float_curve_rule(filter, x));
    sum = f(double{sum} + weights[pixel]);
  }
  for (auto& [pixel, weight] : weights) weight = f(weight / double{sum});
  return weights;
}

/// The weights of pixel `i` of a result by the source's pixels.
inline FloatWeights float_axis_rule(const layout::FloatAxis& axis, int i) {
  FloatWeights weights;
  for (const auto& [at, weight] : float_weights_rule(axis.filter, axis.wide, axis.size, i)) {
    FloatWeights before;
    if (axis.sigma > 0) {
      const int reach = static_cast<int>(std::ceil(3 * axis.sigma));
      std::vector<double> shares;
      double sum = 0;
      for (int k = -reach; k <= reach; ++k) {
        shares.push_back(std::exp(-(1.0 * k * k) / (2 * axis.sigma * axis.sigma)));
        sum += shares.back();
      }
      for (int k = -reach; k <= reach; ++k)
        before[mirror_rule(at + k, axis.wide)] += shares[static_cast<std::size_t>(k + reach)] / sum;
    } else {
      before[axis.border > 0 ? mirror_rule(at - axis.border, axis.extent) : at] = 1;
    }
    for (const auto& [pixel, share] : before) {
      if (pixel < axis.extent) weights[pixel] += share * weight;
    }
  }
  return weights;
}

/// Compares a table of the pixels `first` to `first + count` with the rules.
inline void check_float_taps(const layout::FloatAxis& axis, int first, int count, Random& random) {
  const Memory memory(static_cast<std::int64_t>(layout::float_table_bytes(axis, count)), random);
  layout::make_float_taps(axis, first, count, memory.data.get());
  const auto& table = *reinterpret_cast<const layout::TapTable*>(memory.data.get());
  const auto* weights = reinterpret_cast<const double*>(table.weights());
  check(table.count == count && table.sums == layout::Sums::kDouble && table.is_nearest == 0, "head");
  for (int i = 0; i < count; ++i) {
    const layout::Taps& taps = table.taps()[i];
    const FloatWeights expected = float_axis_rule(axis, first + i);
    bool is_same =
        taps.first >= 0 && taps.first + taps.count <= axis.extent && taps.count <= layout::most_float_taps(axis);
    for (const auto& [pixel, weight] : expected)
      is_same = is_same && (weight == 0 || (pixel >= taps.first && pixel < taps.first + taps.count));
    for (int k = 0; k < taps.count && is_same; ++k) {
      const auto found = expected.find(taps.first + k);
      is_same = weights[taps.weights + k] == (found == expected.end() ? 0 : found->second);
    }
    if (i > 0) {
      const layout::Taps& before = table.taps()[i - 1];
      is_same = is_same && taps.first >= before.first && taps.first + taps.count >= before.first + before.count;
    }
    check(is_same, "filter %d, %d of %d pixels to %d, border %d, sigma %.9g, from %d: pixel %d",
          static_cast<int>(axis.filter), axis.extent, axis.wide, axis.size, axis.border, axis.sigma, first, first + i);
  }
}
