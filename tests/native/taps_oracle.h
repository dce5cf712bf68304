#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "check.h"
#include "resize/taps.h"

// The taps of an axis by the rules of Pillow and of torch, pixel by pixel. All arithmetic is in double
// and in the order of the rules, so that the weights are equal to the bit.

constexpr layout::Filter kFilters[] = {
#define FILTER(name, code, ...) layout::Filter::k##name,
#include "resize/filters.def"
#undef FILTER
};

/// A pixel of a result: a weight for each pixel of the source from `first` on.
struct Weighted {
  int first;
  std::vector<double> weights;
};

/// All pixels of a result along one axis, and the largest weight.
struct AxisRule {
  std::vector<Weighted> pixels;
  double peak = 0;
};

inline double sinc_rule(double x) {
  const double angle = x * 3.14159265358979323846;
  return x == 0 ? 1 : std::sin(angle) / angle;
}

inline double keys_rule(double d, double a) { return ((a + 2) * d - (a + 3)) * d * d + 1; }

inline double torch_cubic_rule(double d, double a) {
  return d < 1 ? keys_rule(d, a) : d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/// A filter's value at x, in pixels of the result where the picture shrinks.
inline double filter_rule(layout::Filter filter, double x) {
  using layout::Filter;
  const double d = std::fabs(x);
  switch (filter) {
    case Filter::kBox:
      return x > -0.5 && x <= 0.5 ? 1 : 0;
    case Filter::kBilinear:
    case Filter::kTorchBilinearPoint:
    case Filter::kTorchBilinearCorners:
      return d < 1 ? 1 - d : 0;
    case Filter::kHamming:
      if (d == 0) return 1;
      return d < 1 ? sinc_rule(d) * (double{0.54f} + double{0.46f} * std::cos(d * 3.14159265358979323846)) : 0;
    case Filter::kBicubic:
      return d < 1 ? keys_rule(d, -0.5) : d < 2 ? (((d - 5) * d + 8) * d - 4) * -0.5 : 0;
    case Filter::kTorchBicubicPoint:
    case Filter::kTorchBicubicCorners:
      return torch_cubic_rule(d, -0.75);
    case Filter::kLanczos:
      return x >= -3 && x < 3 ? sinc_rule(x) * sinc_rule(x / 3) : 0;
    case Filter::kNearest:
    case Filter::kTorchNearest:
    case Filter::kTorchNearestExact:
    case Filter::kTorchNearestExactFused:
      break;
  }
  return 0;
}

inline bool is_nearest_rule(layout::Filter filter) {
  using layout::Filter;
  return filter == Filter::kNearest || filter == Filter::kTorchNearest || filter == Filter::kTorchNearestExact ||
         filter == Filter::kTorchNearestExactFused;
}

/// Without antialiasing: taps around a point. A tap beyond an edge adds to the pixel at the edge.
inline void point_rule(const layout::ResizeAxis& axis, int taps, AxisRule& rule) {
  const double scale = static_cast<double>(axis.extent) / axis.size;
  for (int i = 0; i < axis.size; ++i) {
    double center = scale * (i + 0.5) - 0.5;
    if (axis.filter == layout::Filter::kTorchBilinearCorners || axis.filter == layout::Filter::kTorchBicubicCorners)
      center = axis.size == 1 ? 0 : (axis.extent - 1.0) / (axis.size - 1.0) * i;
    if (taps == 2) center = std::max(center, 0.0);
    const int floor = std::min(static_cast<int>(std::floor(static_cast<float>(center))), axis.extent - 1);
    const double fraction = std::min(std::max(center - floor, 0.0), 1.0);
    std::map<int, double> weights;
    for (int j = 1 - taps / 2; j <= taps / 2; ++j) {
      double& weight = weights[std::min(std::max(floor + j, 0), axis.extent - 1)];
      weight += filter_rule(axis.filter, j - fraction);
      rule.peak = std::max(rule.peak, weight);
    }
    rule.pixels.push_back({weights.begin()->first, {}});
    for (const auto& [pixel, weight] : weights) rule.pixels.back().weights.push_back(weight);
  }
}

/// The filter over each pixel's part of the source, stretched where the picture shrinks.
inline void area_rule(const layout::ResizeAxis& axis, AxisRule& rule) {
  using layout::Filter;
  const double support = axis.filter == Filter::kBox       ? 0.5
                         : axis.filter == Filter::kLanczos ? 3
                         : axis.filter == Filter::kBicubic ? 2
                                                           : 1;
  const double scale = static_cast<double>(static_cast<float>(axis.to) - static_cast<float>(axis.from)) / axis.size;
  const double stretch = scale > 1 ? scale : 1, inverse = 1 / stretch;
  for (int i = 0; i < axis.size; ++i) {
    const double center = axis.from + (i + 0.5) * scale;
    const double low = std::trunc(center - support * stretch + 0.5),
                 high = std::trunc(center + support * stretch + 0.5);
    Weighted pixel = {static_cast<int>(std::max(low, 0.0)), {}};
    double sum = 0;
    for (int x = pixel.first; x < std::min(high, static_cast<double>(axis.extent)); ++x) {
      pixel.weights.push_back(filter_rule(axis.filter, (x - center + 0.5) * inverse));
      sum += pixel.weights.back();
    }
    for (double& weight : pixel.weights) {
      if (sum == 0) break;
      weight /= sum;
      rule.peak = std::max(rule.peak, weight);
    }
    rule.pixels.push_back(pixel);
  }
}

/// Pillow adds its step again and again, and leaves out what ends behind the source. torch's are float32, and end at
/// the last pixel.
inline void nearest_rule(const layout::ResizeAxis& axis, AxisRule& rule) {
  using layout::Filter;
  const double pillow_step = static_cast<double>(static_cast<float>(axis.to - axis.from)) / axis.size;
  const float step = static_cast<float>(axis.extent) / static_cast<float>(axis.size);
  double position = axis.from + pillow_step / 2;
  for (int i = 0; i < axis.size; ++i, position += pillow_step) {
    double torch = std::floor(static_cast<float>(i) * step);
    if (axis.filter == Filter::kTorchNearestExact) torch = std::floor(static_cast<float>(double{step} * (i + 0.5)));
    if (axis.filter == Filter::kTorchNearestExactFused)
      torch = std::floor(static_cast<float>(double{step} * (i + 0.5) - 0.5) + 0.5f);
    const int last = axis.extent - 1;
    const bool is_pillow = axis.filter == Filter::kNearest;
    const int pixel = is_pillow ? static_cast<int>(std::trunc(position)) : std::min(static_cast<int>(torch), last);
    rule.pixels.push_back({pixel, std::vector<double>(pixel > last ? 0 : 1, 1.0)});
  }
}

inline AxisRule rule_of(const layout::ResizeAxis& axis) {
  AxisRule rule;
  if (is_nearest_rule(axis.filter)) {
    nearest_rule(axis, rule);
  } else if (axis.filter == layout::Filter::kTorchBilinearPoint ||
             axis.filter == layout::Filter::kTorchBilinearCorners) {
    point_rule(axis, 2, rule);
  } else if (axis.filter == layout::Filter::kTorchBicubicPoint || axis.filter == layout::Filter::kTorchBicubicCorners) {
    point_rule(axis, 4, rule);
  } else {
    area_rule(axis, rule);
  }
  return rule;
}

/// A weight times 2^precision, rounded to nearest, away from 0.
inline int whole_rule(double weight, int precision) {
  return static_cast<int>(std::trunc(std::ldexp(weight, precision) + std::copysign(0.5, weight)));
}

/// The most bits behind the point with which the largest weight stays below 2^15, and at most 22.
inline int torch_precision_rule(double peak) {
  for (int precision = 0; precision < 22; ++precision) {
    if (whole_rule(peak, precision + 1) >= 1 << 15) return precision;
  }
  return 22;
}

/// Number `part` of the words of weight `tap` of entry `i` of a table of whole weights, as taps.h says where it lies.
inline int part_of_weight(const layout::TapTable& table, int i, int tap, int part) {
  const int words = table.sums == layout::Sums::kPillow ? 2 : 1;
  std::int16_t number;
  const int at = 4 * (table.taps()[i].weights + tap / 2 * words + part) + 2 * (tap % 2);
  std::memcpy(&number, table.weights() + at, sizeof number);
  return number;
}

inline int low_part(const layout::TapTable& table, int i, int tap) { return part_of_weight(table, i, tap, 1); }

inline int whole_weight(const layout::TapTable& table, int i, int tap) {
  const int first = part_of_weight(table, i, tap, 0);
  if (table.sums != layout::Sums::kPillow) return first;
  return first * (1 << table.taps()[i].shift) + low_part(table, i, tap);
}

inline double double_weight(const layout::TapTable& table, int i, int tap) {
  double weight;
  std::memcpy(&weight, table.weights() + 8 * (table.taps()[i].weights + tap), sizeof weight);
  return weight;
}

/// The table of some pixels of an axis, in memory of exactly the size that table_bytes gives.
struct MadeTable {
  Memory memory;
  int precision;
  MadeTable(const layout::ResizeAxis& axis, layout::Sums sums, int first, int count, int known, Random& random)
      : memory(static_cast<std::int64_t>(layout::table_bytes(axis, count)), random),
        precision(layout::make_taps(axis, sums, first, count, known, memory.data.get())) {}
  const layout::TapTable& table() const { return *reinterpret_cast<const layout::TapTable*>(memory.data.get()); }
};

/// Compares a table of the pixels `first` to `first + count` with the rules. `known` is as for make_taps.
inline MadeTable check_taps(const layout::ResizeAxis& axis, const AxisRule& rule, layout::Sums sums, int first,
                            int count, int known, Random& random) {
  using layout::Sums;
  MadeTable made(axis, sums, first, count, known, random);
  const layout::TapTable& table = made.table();
  const bool is_nearest = is_nearest_rule(axis.filter);
  const int precision = is_nearest || sums == Sums::kDouble ? 0
                        : sums == Sums::kPillow             ? 22
                                                            : torch_precision_rule(rule.peak);
  const auto fail = [&](int i, const char* what) {
    check(false, "filter %d, sums %d, %d pixels from %.9g to %.9g, %d results from %d of %d: pixel %d: %s",
          static_cast<int>(axis.filter), static_cast<int>(sums), axis.extent, axis.from, axis.to, count, first,
          axis.size, i, what);
  };
  if (table.count != count || table.sums != sums || (table.is_nearest != 0) != is_nearest) fail(-1, "head");
  if (made.precision != precision || table.precision != static_cast<std::uint32_t>(precision)) fail(-1, "precision");
  for (int i = 0; i < count; ++i) {
    const Weighted& expected = rule.pixels[static_cast<std::size_t>(first + i)];
    const layout::Taps& taps = table.taps()[i];
    const int size = static_cast<int>(expected.weights.size());
    if (taps.first != expected.first) fail(i, "first");
    if (taps.count != size || size > layout::max_taps(axis)) fail(i, "count");
    if (is_nearest) continue;
    if (sums == Sums::kPillow && taps.doubt >= 0) {
      // Bytes of 255 and 0 that make the low parts' sum the least, and the largest.
      std::int64_t least = 1 << 21, most = least;
      for (int tap = 0; tap < size; ++tap) {
        const int low = 255 * low_part(table, i, tap);
        (low < 0 ? least : most) += low;
      }
      if (taps.half != least >> taps.shift) fail(i, "half");
      if (taps.doubt != (most >> taps.shift) - (least >> taps.shift)) fail(i, "doubt");
    } else {
      if (sums != Sums::kDouble && taps.half != 1 << precision >> 1) fail(i, "half");
      if (sums == Sums::kPillow && (taps.doubt != -1 || taps.shift != 8)) fail(i, "shift");
    }
    std::int64_t all = 0;
    for (int tap = 0; tap < size; ++tap) {
      const double weight = expected.weights[static_cast<std::size_t>(tap)];
      if (sums != Sums::kDouble) all += std::abs(whole_weight(table, i, tap));
      if (sums == Sums::kDouble ? double_weight(table, i, tap) != weight
                                : whole_weight(table, i, tap) != whole_rule(weight, precision))
        fail(i, "weight");
    }
    if (sums != Sums::kDouble && all >= std::int64_t{4} << precision) fail(i, "sum of sizes");
    if (sums != Sums::kDouble && size % 2 != 0 && whole_weight(table, i, size) != 0) fail(i, "odd tap");
  }
  return made;
}
