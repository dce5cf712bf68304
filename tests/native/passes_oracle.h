#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"
#include "resize/passes.h"
#include "taps_oracle.h"

// A pass as sums of whole numbers of 64 bits, or as sums of doubles in order; a pass of nearest pixels as copies. The
// memories have exactly the sizes that passes.h allows.

/// Kinds of pixels of a source.
enum class Fill {
  kNoise,
  /// 0 and 255.
  kExtremes,
  /// 255 where one result's weights are positive and 0 where they are negative, so that its sum is the largest.
  kLargest,
  /// The other way round, so that its sum is the smallest.
  kSmallest,
};

constexpr Fill kFills[] = {Fill::kNoise, Fill::kExtremes, Fill::kLargest, Fill::kSmallest};

/// One number of a result: taps `step` bytes apart, from `src` on.
inline void number_rule(const layout::TapTable& table, int i, const std::uint8_t* src, std::ptrdiff_t step,
                        std::uint8_t* dst) {
  const int count = table.taps()[i].count;
  if (table.sums == layout::Sums::kDouble) {
    double sum = 0;
    for (int tap = 0; tap < count; ++tap) {
      float number;
      std::memcpy(&number, src + tap * step, 4);
      sum += static_cast<double>(number) * double_weight(table, i, tap);
    }
    const auto rounded = static_cast<float>(sum);
    std::memcpy(dst, &rounded, 4);
    return;
  }
  const int precision = table.sums == layout::Sums::kPillow ? 22 : static_cast<int>(table.precision);
  std::int64_t sum = precision == 0 ? 0 : std::int64_t{1} << (precision - 1);
  for (int tap = 0; tap < count; ++tap) sum += std::int64_t{src[tap * step]} * whole_weight(table, i, tap);
  check(sum == static_cast<std::int32_t>(sum), "a sum of more than 32 bits");
  const double floor = std::floor(std::ldexp(static_cast<double>(sum), -precision));
  *dst = static_cast<std::uint8_t>(std::min(std::max(floor, 0.0), 255.0));
}

/// Whether weight `tap` of entry `i` is positive.
inline bool is_positive(const layout::TapTable& table, int i, int tap) {
  return table.sums == layout::Sums::kDouble ? double_weight(table, i, tap) > 0 : whole_weight(table, i, tap) > 0;
}

/// Fills the part of a source that entry `i` is made of. `at(pixel)` is where a pixel begins, which has `bytes`.
template <typename At>
void fill_rule(const layout::TapTable& table, int i, Fill fill, const Memory& src, std::size_t bytes, const At& at) {
  const layout::Taps& taps = table.taps()[i];
  for (int tap = 0; tap < taps.count && (fill == Fill::kLargest || fill == Fill::kSmallest); ++tap) {
    const bool is_high = table.is_nearest || is_positive(table, i, tap) == (fill == Fill::kLargest);
    std::fill_n(src.data.get() + at(taps.first + tap), bytes, static_cast<std::uint8_t>(is_high ? 255 : 0));
  }
}

/// A source of `bytes`. In mode F all numbers are finite.
inline Memory source_of(std::int64_t bytes, Fill fill, bool is_float, Random& random) {
  Memory src(bytes, random);
  for (std::size_t i = 0; i < src.size; ++i) {
    if (is_float && i % 4 == 3) src.data[i] &= 0xbf;
    if (!is_float && fill != Fill::kNoise) src.data[i] = src.data[i] < 128 ? 0 : 255;
  }
  return src;
}

/// Rows `first` to `first + count` of a table. `row_gap` bytes lie between rows of the source, `dst_gap` between rows
/// of the result, and these stay.
inline Moved check_down(const layout::TapTable& table, int first, int count, int base, int row_bytes, int row_gap,
                        int dst_gap, Fill fill, Random& random) {
  const bool is_float = table.sums == layout::Sums::kDouble;
  const int stride = row_bytes + row_gap, dst_stride = row_bytes + dst_gap;
  int end = base;
  for (int i = first; i < first + count; ++i) {
    const layout::Taps& taps = table.taps()[i];
    // Bytes are summed two rows at a time.
    if (taps.count > 0) end = std::max(end, taps.first + (is_float ? taps.count : (taps.count + 1) / 2 * 2));
  }
  const int last_bytes = is_float ? row_bytes : std::max(row_bytes, 16);
  const Memory src = source_of(end == base ? 0 : (end - base - 1) * stride + last_bytes, fill, is_float, random);
  if (!is_float) {
    fill_rule(table, first + random.below(count), fill, src, static_cast<std::size_t>(row_bytes),
              [&](int row) { return (row - base) * stride; });
  }
  const Memory before((count - 1) * dst_stride + row_bytes, random);
  const Memory expected(before), actual(before);
  for (int i = 0; i < count; ++i) {
    const std::ptrdiff_t from = (table.taps()[first + i].first - base) * stride;
    for (int x = 0; x < row_bytes; x += is_float ? 4 : 1)
      number_rule(table, first + i, src.data.get() + from + x, stride, expected.data.get() + i * dst_stride + x);
  }
  layout::resize_down({table,
                       first,
                       count,
                       {src.data.get(), stride},
                       base,
                       static_cast<std::size_t>(row_bytes),
                       {actual.data.get(), dst_stride}});
  const auto at = first_difference(expected, actual);
  check(at < 0, "down: sums %d, rows %d to %d, base %d, %d bytes, gaps %d and %d: byte %d of row %d",
        static_cast<int>(table.sums), first, first + count, base, row_bytes, row_gap, dst_gap,
        static_cast<int>(at % dst_stride), first + static_cast<int>(at / dst_stride));
  return {src, before, actual};
}

/// `rows` rows of a source of `extent` pixels from pixel `base` on. The tile is `more_tile` bytes larger than it has to
/// be.
inline Moved check_across(const layout::TapTable& table, int base, int extent, int channels, int rows, int row_gap,
                          int dst_gap, int more_tile, Fill fill, Random& random) {
  const bool is_float = table.sums == layout::Sums::kDouble;
  const int row_bytes = extent * channels, dst_bytes = table.count * channels;
  const int stride = row_bytes + row_gap, dst_stride = dst_bytes + dst_gap;
  const int behind = is_float || table.is_nearest ? 0 : 15;
  const Memory src = source_of((rows - 1) * stride + row_bytes + behind, fill, is_float, random);
  if (!is_float) {
    const int i = random.below(table.count), row = random.below(rows);
    fill_rule(table, i, fill, src, static_cast<std::size_t>(channels),
              [&](int pixel) { return row * stride + (pixel - base) * channels; });
  }
  const Memory before((rows - 1) * dst_stride + dst_bytes, random);
  const Memory expected(before), actual(before);
  int most_taps = 1;
  for (int i = 0; i < table.count; ++i) most_taps = std::max(most_taps, table.taps()[i].count);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < table.count; ++i) {
      const layout::Taps& taps = table.taps()[i];
      const std::uint8_t* from = src.data.get() + row * stride + (taps.first - base) * channels;
      std::uint8_t* to = expected.data.get() + row * dst_stride + i * channels;
      for (int c = 0; c < channels; c += is_float ? 4 : 1) {
        if (!table.is_nearest) number_rule(table, i, from + c, channels, to + c);
      }
      if (table.is_nearest)
        for (int c = 0; c < channels; ++c) to[c] = taps.count == 0 ? 0 : from[c];
    }
  }
  const Memory tile(static_cast<std::int64_t>(layout::across_tile_bytes(most_taps, channels)) + more_tile, random);
  layout::resize_across({table,
                         {src.data.get(), stride},
                         base,
                         extent,
                         channels,
                         rows,
                         {actual.data.get(), dst_stride},
                         tile.data.get(),
                         tile.size});
  const auto at = first_difference(expected, actual);
  check(at < 0,
        "across: sums %d, %d pixels of %d from %d, %d taps, %d channels, %d rows, gaps %d and %d: byte %d of row %d",
        static_cast<int>(table.sums), table.count, extent, base, most_taps, channels, rows, row_gap, dst_gap,
        static_cast<int>(at % dst_stride), static_cast<int>(at / dst_stride));
  return {src, before, actual};
}
