#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"
#include "resize/opencv.h"

// OpenCV's resize of bytes, number by number from its rules: whole sums in 64 bits, and sums of float32 in order. The
// memories have exactly the sizes that opencv.h allows.

constexpr layout::Rule kRules[] = {
#define RULE(name, code) layout::Rule::k##name,
#include "resize/opencv.def"
#undef RULE
};

/// Pixels of a source and their weights. An edge's pixel may stand there twice.
struct OpenCvTap {
  int pixel;
  double weight;
};

inline std::vector<float> curve_rule(layout::Rule rule, float t) {
  if (rule == layout::Rule::kCubic) {
    const auto near = [](float x) { return (1.25f * x - 2.25f) * x * x + 1.0f; };
    const float u = t + 1.0f, far = ((-0.75f * u - -3.75f) * u + -6.0f) * u - -3.0f;
    const float second = near(t), third = near(1.0f - t);
    return {far, second, third, 1.0f - far - second - third};
  }
  if (rule != layout::Rule::kLanczos4) return {1.0f - t, t};
  const double pi = 3.1415926535897932385, root = std::sqrt(0.5);
  const float at = t + 3.0f;
  const double angle = -double{at} * pi * 0.25;
  std::vector<float> weights;
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    // The angle grows by five quarters of a turn's half with each tap; these are its sine and cosine at 0.
    const double s[] = {1, -root, 0, root, -1, root, 0, -root}, c[] = {0, -root, 1, -root, 0, root, -1, root};
    const float distance = at - static_cast<float>(i);
    const double y = -double{distance} * pi * 0.25;
    const double exact = (s[i] * std::sin(angle) + c[i] * std::cos(angle)) / (y * y);
    weights.push_back(std::fabs(distance) < 1e-6f ? 1e30f : static_cast<float>(exact));
    sum += weights.back();
  }
  for (float& weight : weights) weight *= 1.0f / sum;
  return weights;
}

/// The taps of pixel `i` of a result.
inline std::vector<OpenCvTap> opencv_taps_rule(const layout::OpenCvAxis& axis, bool is_across, int i) {
  using layout::Rule;
  const double scale = 1.0 / axis.factor;
  const int last = axis.extent - 1;
  if (axis.rule == Rule::kNearest) return {{std::min(static_cast<int>(std::floor(i * scale)), last), 1}};
  if (axis.rule == Rule::kArea) {
    const double from = i * scale, to = from + scale, cell = std::min(scale, axis.extent - from);
    const int end = std::min(static_cast<int>(to), last), begin = std::min(static_cast<int>(std::ceil(from)), end);
    std::vector<OpenCvTap> taps;
    if (begin - from > 1e-3) taps.push_back({begin - 1, static_cast<float>((begin - from) / cell)});
    for (int j = begin; j < end; ++j) taps.push_back({j, static_cast<float>(1 / cell)});
    if (to - end > 1e-3) taps.push_back({end, static_cast<float>(std::min({to - end, 1.0, cell}) / cell)});
    return taps;
  }
  if (axis.rule == Rule::kLinearExact) {
    const double at = scale * (i + 0.5) - 0.5, j = std::floor(at);
    if (j < 0 || last == 0) return {{0, 256}, {std::min(1, last), 0}};
    if (j >= last) return {{last, 256}, {last, 0}};
    const double k = std::rint((at - j) * 256);
    return {{static_cast<int>(j), 256 - k}, {static_cast<int>(j) + 1, k}};
  }
  int j;
  float t;
  if (axis.rule == Rule::kLinearOnce) {
    const auto step = static_cast<float>(static_cast<double>(axis.extent) / axis.size);
    volatile float middle = (static_cast<float>(i) + 0.5f) * step;
    const float at = middle - 0.5f;
    j = static_cast<int>(std::floor(at));
    t = at - static_cast<float>(j);
    if (j < 0) return {{0, 2048}, {std::min(1, last), 0}};
    if (j >= last) return {{std::max(0, last - 1), 0}, {last, 2048}};
    const double whole = std::floor(double{t * 2048.0f + 0.5f});
    return {{j, 2048 - whole}, {j + 1, whole}};
  }
  if (axis.rule == Rule::kAreaLinear) {
    j = static_cast<int>(std::floor(i * scale));
    t = static_cast<float>((i + 1) - (j + 1) * axis.factor);
    t = t <= 0 ? 0 : t - std::floor(t);
  } else {
    const auto at = static_cast<float>((i + 0.5) * scale - 0.5);
    j = static_cast<int>(std::floor(at));
    t = at - static_cast<float>(j);
  }
  const std::size_t count = axis.rule == Rule::kCubic ? 4 : axis.rule == Rule::kLanczos4 ? 8 : 2;
  if (is_across && count == 2 && (j < 0 || j >= last)) {
    j = std::min(std::max(j, 0), last);
    t = 0;
  }
  const std::vector<float> weights = curve_rule(axis.rule, t);
  std::vector<OpenCvTap> taps;
  for (std::size_t k = 0; k < count; ++k) {
    const int pixel = j + 1 + static_cast<int>(k) - static_cast<int>(count / 2);
    taps.push_back({std::min(std::max(pixel, 0), last), std::rint(double{weights[k] * 2048.0f})});
  }
  return taps;
}

/// A number of the result: column taps and row taps, of the bytes that `at(row, pixel)` gives. `is_grouped`: of kCubic,
/// whether the number is one of eight.
template <typename At>
std::uint8_t opencv_number(layout::Rule rule, const std::vector<OpenCvTap>& columns, const std::vector<OpenCvTap>& rows,
                           bool is_grouped, const At& at) {
  using layout::Rule;
  if (rule == Rule::kArea) {
    float sum = 0;
    for (const OpenCvTap& row : rows) {
      float of_row = 0;
      for (const OpenCvTap& column : columns)
        of_row += static_cast<float>(at(row.pixel, column.pixel)) * static_cast<float>(column.weight);
      sum += of_row * static_cast<float>(row.weight);
    }
    return static_cast<std::uint8_t>(std::min(std::max(std::rint(sum), 0.0f), 255.0f));
  }
  std::vector<std::int64_t> sums;
  std::int64_t whole = 0;
  for (const OpenCvTap& row : rows) {
    std::int64_t sum = 0;
    // A row without weight need not be there.
    for (std::size_t k = 0; k < columns.size() && row.weight != 0; ++k)
      sum += std::int64_t{at(row.pixel, columns[k].pixel)} * static_cast<std::int64_t>(columns[k].weight);
    sums.push_back(sum);
    whole += sum * static_cast<std::int64_t>(row.weight);
  }
  double result;
  if (rule == Rule::kLinearExact) {
    result = std::floor(std::ldexp(static_cast<double>(whole + 32768), -16));
  } else if (rule == Rule::kLanczos4 || rule == Rule::kLinearOnce || (rule == Rule::kCubic && !is_grouped)) {
    result = std::floor(std::ldexp(static_cast<double>(whole + (1 << 21)), -22));
  } else if (rule == Rule::kCubic) {
    float sum = 0;
    for (std::size_t k = 4; k-- > 0;) {
      const float product = static_cast<float>(sums[k]) * std::ldexp(static_cast<float>(rows[k].weight), -22);
      sum = k == 3 ? product : product + sum;
    }
    result = std::rint(sum);
  } else {
    double parts = 2;
    for (std::size_t k = 0; k < 2; ++k)
      parts += std::floor(rows[k].weight * std::floor(static_cast<double>(sums[k]) / 16) / 65536);
    result = std::floor(parts / 4);
  }
  return static_cast<std::uint8_t>(std::min(std::max(result, 0.0), 255.0));
}

/// A part of a result: pixels `first` to `first + count` of each axis.
struct OpenCvCase {
  layout::Rule rule;
  int channels;
  layout::OpenCvAxis columns, rows;
  int column, column_count, row, row_count;
  /// Pixels and rows of the source in front of those that are needed, and bytes between its rows.
  int spare_columns, spare_rows, row_gap;
  /// How many numbers of a row of the result kCubic rounds in groups.
  int whole;
};

/// A table in memory of exactly its size.
struct OpenCvTable {
  Memory memory;
  OpenCvTable(const layout::OpenCvAxis& axis, bool is_across, int first, int count, Random& random)
      : memory(static_cast<std::int64_t>(layout::opencv_table_bytes(axis, count)), random) {
    layout::make_opencv_taps(axis, is_across, first, count, memory.data.get());
  }
  const layout::TapTable& table() const { return *reinterpret_cast<const layout::TapTable*>(memory.data.get()); }
  int first() const { return table().taps()[0].first; }
  int end() const {
    const layout::Taps& last = table().taps()[table().count - 1];
    return last.first + last.count;
  }
};

/// Makes both passes, and compares each number. `fill` of the source: 0 for noise, 1 for 0 and 255.
inline void check_opencv(const OpenCvCase& c, int fill, Random& random) {
  using layout::Rule;
  const OpenCvTable across(c.columns, true, c.column, c.column_count, random);
  const OpenCvTable down(c.rows, false, c.row, c.row_count, random);
  for (const OpenCvTable* made : {&across, &down}) {
    const layout::OpenCvAxis& axis = made == &across ? c.columns : c.rows;
    for (int i = 0; i < made->table().count; ++i) {
      const layout::Taps& taps = made->table().taps()[i];
      check(taps.first >= 0 && taps.first + taps.count <= axis.extent, "taps %d", i);
      check(taps.count <= layout::max_opencv_taps(axis), "taps %d", i);
      if (i == 0) continue;
      const layout::Taps& before = made->table().taps()[i - 1];
      check(taps.first >= before.first && taps.first + taps.count >= before.first + before.count, "taps %d", i);
    }
  }
  const int base = std::max(0, across.first() - c.spare_columns), top = std::max(0, down.first() - c.spare_rows);
  const int extent = across.end() - base, height = down.end() - top;
  const int row_bytes = extent * c.channels, stride = row_bytes + c.row_gap, numbers = c.column_count * c.channels;
  const Memory src((height - 1) * stride + row_bytes + 32, random);
  for (std::size_t i = 0; i < src.size && fill == 1; ++i) src.data[i] = src.data[i] < 128 ? 0 : 255;
  const Memory before(c.row_count * numbers, random);
  const Memory after(before);
  const int behind = c.channels == 3 ? 4 : 0, sum_stride = 4 * numbers + behind;
  const Memory sums((height - 1) * sum_stride + std::max(4 * numbers + behind, 4 * numbers + 60), random);
  const Memory tile(static_cast<std::int64_t>(layout::opencv_tile_bytes(extent, c.channels)), random);
  if (c.rule != Rule::kNearest) {
    // The sums' own memory, without what the pass down reads beyond.
    const Memory exact((height - 1) * sum_stride + 4 * numbers + behind, random);
    layout::opencv_across(c.rule, {across.table(),
                                   {src.data.get(), stride},
                                   base,
                                   extent,
                                   c.channels,
                                   height,
                                   {exact.data.get(), sum_stride},
                                   tile.data.get(),
                                   tile.size});
    std::copy_n(exact.data.get(), exact.size, sums.data.get());
    layout::opencv_down(c.rule,
                        {down.table(),
                         0,
                         c.row_count,
                         {sums.data.get(), sum_stride},
                         top,
                         static_cast<std::size_t>(numbers),
                         {after.data.get(), numbers}},
                        {static_cast<std::size_t>(c.whole), 0, 0});
  } else {
    const Memory picked(height * numbers, random);
    layout::resize_across({across.table(),
                           {src.data.get(), stride},
                           base,
                           extent,
                           c.channels,
                           height,
                           {picked.data.get(), numbers},
                           nullptr,
                           0});
    for (int y = 0; y < c.row_count; ++y)
      std::copy_n(picked.data.get() + (down.table().taps()[y].first - top) * numbers, numbers,
                  after.data.get() + y * numbers);
  }
  for (int y = 0; y < c.row_count; ++y) {
    const auto rows = opencv_taps_rule(c.rows, false, c.row + y);
    for (int x = 0; x < c.column_count; ++x) {
      const auto columns = opencv_taps_rule(c.columns, true, c.column + x);
      for (int channel = 0; channel < c.channels; ++channel) {
        const int number = x * c.channels + channel;
        const auto at = [&](int row, int pixel) {
          return src.data[static_cast<std::size_t>((row - top) * stride + (pixel - base) * c.channels + channel)];
        };
        const std::uint8_t expected = c.rule == Rule::kNearest
                                          ? at(rows[0].pixel, columns[0].pixel)
                                          : opencv_number(c.rule, columns, rows, number < c.whole, at);
        const std::uint8_t actual = after.data[static_cast<std::size_t>(y * numbers + number)];
        check(actual == expected, "rule %d, %d channels, %d x %d to %d x %d: row %d, number %d: %d instead of %d",
              static_cast<int>(c.rule), c.channels, c.columns.extent, c.rows.extent, c.columns.size, c.rows.size,
              c.row + y, number, actual, expected);
      }
    }
  }
}
