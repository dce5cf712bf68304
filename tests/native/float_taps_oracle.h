#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "check.h"
#include "resize/float_taps.h"
#include "resize/taps.h"

// torch's resize of float32 with torchvision's Gaussian blur and mirrored borders: the pixels of each sum in order, one
// step after the other, each with a list of its own.

constexpr layout::FloatFilter kFloatFilters[] = {
#define FLOAT_FILTER(name, code, ...) layout::FloatFilter::k##name,
#include "resize/float_filters.def"
#undef FLOAT_FILTER
};

/// A pixel and its weight.
struct FloatTap {
  int pixel;
  float weight;
};

/// A sum in torch's order: after the first product, those before number `apart` are rounded on their own.
struct FloatRule {
  std::vector<FloatTap> taps;
  int apart = 1;

  template <typename Number>
  float sum(const Number& number) const {
    float total = 0;
    for (std::size_t k = 0; k < taps.size(); ++k) {
      const float value = number(taps[k].pixel);
      volatile float product = value * taps[k].weight;
      if (k == 0)
        total = product;
      else
        total = static_cast<int>(k) < apart ? total + product : std::fma(value, taps[k].weight, total);
    }
    return total;
  }
};

/// torch's cubic curve, in steps of float32. `is_exact`: whether its last step is fused.
inline float torch_curve_rule(float x, float a, bool is_exact) {
  if (x < 1) {
    volatile float p = std::fma(a + 2, x, -(a + 3)) * x;
    volatile float q = p * x;
    return is_exact ? std::fma(p, x, 1.0f) : q + 1;
  }
  volatile float p = std::fma(std::fma(a, x, -5 * a), x, 8 * a);
  volatile float q = p * x;
  return is_exact ? std::fma(p, x, -4 * a) : q - 4 * a;
}

inline int mirror_rule(int at, int extent) {
  while (extent > 1 && (at < 0 || at >= extent)) at = at < 0 ? -at : 2 * (extent - 1) - at;
  return extent == 1 ? 0 : at;
}

inline FloatRule smooth_rule(layout::FloatFilter filter, int extent, int size, int i) {
  using layout::FloatFilter;
  const float scale = static_cast<float>(extent) / static_cast<float>(size), wide = std::max(scale, 1.0f);
  const float inverse = 1.0f / wide;
  const int support = filter == FloatFilter::kBilinear ? 1 : filter == FloatFilter::kBicubic ? 2 : 3;
  const auto reach = static_cast<float>(support * double{wide}), center = static_cast<float>(double{scale} * (i + 0.5));
  const int first = std::max(static_cast<int>(double{center - reach} + 0.5), 0);
  const int end = std::min(static_cast<int>(double{center + reach} + 0.5), extent);
  FloatRule rule;
  float sum = 0;
  for (int pixel = first; pixel < end; ++pixel) {
    const float off = static_cast<float>(pixel) - center;
    const auto x = std::fabs(static_cast<float>((double{off} + 0.5) * double{inverse}));
    float weight = std::max(0.0f, 1 - x);
    if (support == 2) weight = x < 2 ? torch_curve_rule(x, -0.5f, true) : 0;
    if (support == 3) {
      const auto sinc = [](double y) {
        return y == 0 ? 1 : std::sin(y * 3.14159265358979323846) / (y * 3.14159265358979323846);
      };
      weight = x < 3 || static_cast<float>((double{off} + 0.5) * double{inverse}) == -3
                   ? static_cast<float>(sinc(double{x}) * sinc(double{x} / 3))
                   : 0;
    }
    rule.taps.push_back({pixel, weight});
    sum += weight;
  }
  for (FloatTap& tap : rule.taps) tap.weight /= sum;
  rule.apart = 1 + (static_cast<int>(rule.taps.size()) - 1) / 4 * 4;
  return rule;
}

/// The sum of an axis of `extent` pixels, all of which are there.
inline FloatRule whole_axis_rule(layout::FloatFilter filter, int extent, int size, int i, bool is_small) {
  using layout::FloatFilter;
  const bool is_corner = filter == FloatFilter::kBilinearCorners || filter == FloatFilter::kBicubicCorners;
  const bool is_point = filter == FloatFilter::kBilinearPoint || filter == FloatFilter::kBicubicPoint;
  if (extent == size && !is_corner && !is_point) return {{{i, 1}}, 1};
  if (filter == FloatFilter::kNearest) {
    const float scale = static_cast<float>(extent) / static_cast<float>(size), middle = static_cast<float>(i) + 0.5f;
    volatile float product = scale * middle, moved = std::fma(scale, middle, -0.5f);
    const float place = is_small ? product : moved + 0.5f;
    return {{{std::min(static_cast<int>(std::floor(place)), extent - 1), 1}}, 1};
  }
  if (!is_corner && !is_point) return smooth_rule(filter, extent, size, i);
  const bool is_cubic = filter == FloatFilter::kBicubicPoint || filter == FloatFilter::kBicubicCorners;
  const float scale = static_cast<float>(extent) / static_cast<float>(size), middle = static_cast<float>(i) + 0.5f;
  float at;
  if (is_corner) {
    at = size == 1 ? 0 : static_cast<float>(extent - 1) / static_cast<float>(size - 1) * static_cast<float>(i);
  } else {
    volatile float product = scale * middle;
    at = is_cubic || is_small ? std::fma(scale, middle, -0.5f) : product - 0.5f;
    if (!is_cubic) at = std::max(at, 0.0f);
  }
  const int first = std::min(static_cast<int>(std::floor(at)), extent - 1);
  const float t = std::min(std::max(at - static_cast<float>(first), 0.0f), 1.0f);
  const auto tap = [&](int k, float weight) { return FloatTap{std::min(std::max(first + k, 0), extent - 1), weight}; };
  if (!is_cubic) return {{tap(1, t), tap(0, 1 - t)}, 1};
  const auto curve = [](float x) { return torch_curve_rule(x, -0.75f, false); };
  // A distance of 1 belongs to the outer half where it is the outer pixel's.
  const auto outer = [](float x) {
    volatile float p = std::fma(std::fma(-0.75f, x, 3.75f), x, -6.0f);
    volatile float q = p * x;
    return q + 3;
  };
  const auto inner = [&](float x) { return x == 1 ? 0.0f : curve(x); };
  const float u = 1 - t;
  return {{tap(0, inner(t)), tap(-1, outer(t + 1)), tap(1, inner(u)), tap(2, outer(u + 1))}, 1};
}

/// torchvision's weights of a Gaussian.
inline std::vector<double> gaussian_rule(double sigma) {
  const int reach = static_cast<int>(std::ceil(static_cast<float>(3 * sigma))), count = 2 * reach + 1;
  const double limit = (count - 1) / (2 * std::sqrt(2));
  const auto end = static_cast<float>(limit), pace = static_cast<float>(2 * limit) / static_cast<float>(count - 1);
  std::vector<double> shares;
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    const float place = k < count / 2 ? std::fma(pace, static_cast<float>(k), -end)
                                      : -std::fma(pace, static_cast<float>(count - 1 - k), -end);
    const float share = place / static_cast<float>(sigma), square = share * share;
    shares.push_back(double{static_cast<float>(std::exp(-double{square}))});
    sum += shares.back();
  }
  for (double& share : shares) share = double{static_cast<float>(share / sum)};
  return shares;
}

/// The sum of pixel `i` of a result, without pixels that are 0.
inline FloatRule float_axis_rule(const layout::FloatAxis& axis, int i) {
  const FloatRule whole = whole_axis_rule(axis.filter, axis.padded_extent, axis.size, i, axis.is_small);
  FloatRule rule;
  rule.apart = whole.apart;
  if (axis.sigma > 0) {
    const std::vector<double> shares = gaussian_rule(axis.sigma);
    const int reach = static_cast<int>(shares.size()) / 2;
    std::map<int, double> weights;
    for (const auto& [at, weight] : whole.taps) {
      std::map<int, double> before;
      for (int k = -reach; k <= reach; ++k)
        before[mirror_rule(at + k, axis.padded_extent)] += shares[static_cast<std::size_t>(k + reach)];
      for (const auto& [pixel, share] : before) weights[pixel] += share * double{weight};
    }
    for (const auto& [pixel, weight] : weights)
      if (pixel < axis.extent) rule.taps.push_back({pixel, static_cast<float>(weight)});
    return rule;
  }
  for (const auto& [at, weight] : whole.taps) {
    const int pixel = axis.border > 0 ? mirror_rule(at - axis.border, axis.extent) : at;
    if (pixel < axis.extent) rule.taps.push_back({pixel, weight});
  }
  return rule;
}

/// Compares a table of the pixels `first` to `first + count` with the rules.
inline void check_float_taps(const layout::FloatAxis& axis, int first, int count, Random& random) {
  const Memory memory(static_cast<std::int64_t>(layout::float_table_bytes(axis, count)), random);
  layout::make_float_taps(axis, first, count, memory.data.get());
  const auto& table = *reinterpret_cast<const layout::TapTable*>(memory.data.get());
  const auto* terms = reinterpret_cast<const layout::Term*>(table.weights());
  check(table.count == count && table.sums == layout::Sums::kRescaled && table.is_nearest == 0, "head");
  for (int i = 0; i < count; ++i) {
    const layout::Taps& taps = table.taps()[i];
    const FloatRule expected = float_axis_rule(axis, first + i);
    bool is_same =
        taps.first >= 0 && taps.first + taps.count <= axis.extent && taps.count <= layout::max_float_taps(axis);
    is_same = is_same && (taps.term_count() == 0 || taps.unfused_count() == expected.apart);
    std::vector<FloatTap> rule, made;
    for (const FloatTap& tap : expected.taps)
      if (tap.weight != 0) rule.push_back(tap);
    for (int k = 0; k < taps.term_count(); ++k) {
      const auto& [at, weight] = terms[taps.weights + k];
      is_same = is_same && at >= 0 && at < taps.count;
      if (weight != 0) made.push_back({taps.first + at, weight});
    }
    is_same = is_same && rule.size() == made.size();
    for (std::size_t k = 0; k < rule.size() && is_same; ++k)
      is_same = rule[k].pixel == made[k].pixel && rule[k].weight == made[k].weight;
    if (i > 0) {
      const layout::Taps& before = table.taps()[i - 1];
      is_same = is_same && taps.first >= before.first && taps.first + taps.count >= before.first + before.count;
    }
    check(is_same, "filter %d, %d of %d pixels to %d, border %d, sigma %.9g, from %d: pixel %d",
          static_cast<int>(axis.filter), axis.extent, axis.padded_extent, axis.size, axis.border, axis.sigma, first,
          first + i);
  }
}
