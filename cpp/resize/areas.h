#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "resize/float_taps.h"
#include "resize/opencv.h"
#include "resize/passes.h"
#include "resize/plan.h"

// How a plan cuts a picture into pieces, and where they lie.

namespace layout {

/// Bytes of rows that are staged at once, and of rows of the result. Twice and a quarter of it are a seventh slower.
inline constexpr std::int64_t kAreaBytes = 256 << 10;
/// Bytes that are staged at once where the pass down comes first: most rows come whole. 256 KiB take 1.5 times as long.
inline constexpr std::int64_t kBandBytes = 1 << 20;
/// Rows that the pass across takes at once, and the most bytes that they may have before fewer are staged.
inline constexpr int kGroupRows = 16;
inline constexpr std::int64_t kMaxGroupBytes = 2 << 20;
/// Bytes behind an area that a kernel may read.
inline constexpr std::int64_t kSlack = 64;
/// How far apart, modulo 512, two areas begin of which one is read while the other is written: a load waits for an
/// earlier store whose address ends in nearly the same 12 bits. Rows of 1024 pixels took twice as long.
inline constexpr std::int64_t kApart = 288;

/// Whole groups of rows, but for very long rows.
inline int rows_for(std::int64_t row_bytes) {
  if (kGroupRows * row_bytes > kMaxGroupBytes)
    return static_cast<int>(std::max<std::int64_t>(1, kMaxGroupBytes / row_bytes));
  return static_cast<int>(kGroupRows * std::max<std::int64_t>(1, kAreaBytes / row_bytes / kGroupRows));
}

/// The order of the passes.
enum class Order {
  /// Rows are copied.
  kAlong,
  kAcrossFirst,
  /// The same where no row of the source belongs to two of the result: 1080 rows to 224 by two each need 448.
  kSparse,
  kDownFirst,
};

inline ResizeAxis resize_axis(const PlanAxis& axis) {
  return {static_cast<Filter>(axis.filter), axis.extent, axis.from, axis.to, axis.size};
}

inline OpenCvAxis opencv_axis(const PlanAxis& axis) {
  return {static_cast<Rule>(axis.filter), axis.extent, axis.size, axis.factor};
}

inline FloatAxis float_axis(const PlanAxis& axis, bool is_small) {
  const auto wide = static_cast<std::int32_t>(axis.to - axis.from), border = static_cast<std::int32_t>(-axis.from);
  return {static_cast<FloatFilter>(axis.filter), axis.extent, axis.size, wide, border, axis.factor, is_small};
}

/// The areas of a plan, which follow from its request and from how many columns of the result are made at once, and the
/// tables of the block that is made now.
struct Areas {
  ResizeStep step;
  ResizeRequest request;
  Order order;
  // Where areas lie: both tables, the tile of the pass across, sums of cells and the rows that they are made of, staged
  // rows, rows in the middle, rows of the result.
  std::ptrdiff_t column_table, row_table, tile, tile_bytes, sums, raw, stage, middle, middle_stride, out;
  std::int64_t end;
  // How many rows fit into them.
  std::int32_t table_rows, raw_rows, stage_rows, middle_rows, out_rows;
  // Where the pass down comes first: columns that are staged at once, and rows of the result that are made of them.
  std::int32_t piece_columns, band_rows;
  // Columns of the result that are made at once.
  std::int32_t block;
  // Bits of the weights behind the point, once they are known.
  std::int32_t column_precision, row_precision;
  // The block's columns, the source's columns that they need, and the rows in the table.
  std::int32_t column, columns, base, span, table_first, table_end;

  bool is_opencv() const { return request.sums == Sums::kOpencv; }
  bool is_rescaled() const { return request.sums == Sums::kRescaled; }
  bool has_cells() const { return request.factor_x != kNone; }
  std::uint8_t* at(std::ptrdiff_t place) { return reinterpret_cast<std::uint8_t*>(this) + place; }
  TapTable& table(std::ptrdiff_t place) { return *reinterpret_cast<TapTable*>(at(place)); }
  /// Bytes of a pixel of the result.
  int made_bytes() const { return is_rescaled() ? 12 : request.channels; }
  bool is_small() const { return request.columns.size + request.rows.size <= kSmallSides; }
  /// Whether the pass across leaves pairs of numbers, which the pass down sums.
  bool has_pairs() const {
    const PlanAxis& axis = request.columns;
    return is_rescaled() && is_small() && is_two_pixels(static_cast<FloatFilter>(axis.filter)) &&
           request.rows.filter == axis.filter && axis.factor == 0.0 && request.rows.factor == 0.0;
  }

  int taps_of(const PlanAxis& axis) const {
    if (axis.filter == kNone) return 1;
    if (is_rescaled()) return most_float_taps(float_axis(axis, is_small()));
    return is_opencv() ? most_opencv_taps(opencv_axis(axis)) : most_taps(resize_axis(axis));
  }

  /// Pixels of the source for one of the result.
  double scale_of(const PlanAxis& axis) const {
    return is_opencv() ? 1.0 / axis.factor : (axis.to - axis.from) / axis.size;
  }

  /// The most pixels of the source that some pixels of the result need.
  std::int64_t span_of(const PlanAxis& axis, int pixels) const {
    if (axis.filter == kNone) return pixels;
    const auto reached = static_cast<std::int64_t>(std::ceil(pixels * scale_of(axis))) + taps_of(axis) + 1;
    return std::min<std::int64_t>(axis.extent, reached);
  }

  std::int64_t table_bytes_of(const PlanAxis& axis, int pixels) const {
    if (axis.filter == kNone) return 0;
    if (is_rescaled()) return static_cast<std::int64_t>(float_table_bytes(float_axis(axis, is_small()), pixels));
    return static_cast<std::int64_t>(is_opencv() ? opencv_table_bytes(opencv_axis(axis), pixels)
                                                 : table_bytes(resize_axis(axis), pixels));
  }

  /// Gives each area its place behind a head of so many bytes.
  void lay_out(std::size_t head_bytes) {
    const PlanAxis& rows = request.rows;
    const std::int64_t channels = request.channels, width = span_of(request.columns, block);
    const std::int64_t staged_bytes = width * channels, result_bytes = std::int64_t{block} * made_bytes();
    const int down_taps = taps_of(rows);
    // OpenCV's sums have four bytes, and rows of three channels end four bytes later.
    middle_stride = static_cast<std::ptrdiff_t>(is_opencv()   ? 4 * result_bytes + 16
                                                : has_pairs() ? 2 * result_bytes
                                                              : result_bytes);
    band_rows = kGroupRows;
    while (band_rows > 1 && span_of(rows, band_rows) > 1 << 14) band_rows /= 2;
    const std::int64_t band = span_of(rows, band_rows);
    stage_rows = rows_for(is_opencv() ? std::max<std::int64_t>(staged_bytes, middle_stride) : staged_bytes);
    if (order == Order::kSparse) stage_rows = std::max(stage_rows, down_taps);
    piece_columns =
        static_cast<int>(std::clamp<std::int64_t>(kBandBytes / (band * channels), 4, std::max<std::int64_t>(4, width)));
    // Twice a window, so that rows that stay are copied as often as others come in.
    middle_rows = static_cast<int>(
        std::max<std::int64_t>(2 * kAreaBytes / middle_stride, down_taps + std::max(down_taps, stage_rows)));
    table_rows = rows.count;
    while (table_rows > 1 && table_bytes_of(rows, table_rows) > kAreaBytes) table_rows = (table_rows + 1) / 2;
    out_rows = rows_for(result_bytes);
    const std::int64_t raw_bytes = has_cells() ? staged_bytes * request.factor_x : 0;
    raw_rows = 2 * static_cast<int>(std::max<std::int64_t>(1, kAreaBytes / (2 * raw_bytes + 1)));
    tile_bytes =
        static_cast<std::ptrdiff_t>(is_rescaled() ? static_cast<std::size_t>(4 * width)
                                    : is_opencv() ? opencv_tile_bytes(static_cast<int>(width), request.channels)
                                                  : across_tile_bytes(taps_of(request.columns), request.channels));
    end = 0;
    const auto take = [&](std::int64_t bytes, std::int64_t offset = 0) {
      const auto place = static_cast<std::ptrdiff_t>(end + offset);
      end += (bytes + offset + kSlack + 511) / 512 * 512;
      return place;
    };
    take(static_cast<std::int64_t>(head_bytes));
    column_table = take(table_bytes_of(request.columns, block));
    row_table = take(table_bytes_of(rows, table_rows));
    tile = take(tile_bytes);
    sums = take((request.sums == Sums::kDouble ? 2 : 4) * raw_bytes);
    raw = take(raw_rows * raw_bytes);
    stage = take(std::max(stage_rows * staged_bytes, band * piece_columns * channels));
    middle = take(std::max(std::int64_t{middle_rows} * middle_stride, band_rows * staged_bytes), kApart);
    out = take(out_rows * result_bytes, 2 * kApart);
  }

  Taps& row_taps(int i) { return const_cast<Taps&>(table(row_table).taps()[i - table_first]); }
  std::ptrdiff_t row_bytes() const { return std::ptrdiff_t{span} * request.channels; }
  std::ptrdiff_t out_bytes() const { return std::ptrdiff_t{columns} * made_bytes(); }
  int row_begin(int i) {
    return request.rows.filter == kNone ? static_cast<int>(request.rows.from) + request.rows.first + i
                                        : row_taps(i).first;
  }
  int row_end(int i) { return row_begin(i) + (request.rows.filter == kNone ? 1 : row_taps(i).count); }

  /// Makes the table of pixels `first` to `first + count` of those that are asked for.
  void make_table(const PlanAxis& axis, int first, int count) {
    if (axis.filter == kNone) return;
    const bool is_across = &axis == &request.columns;
    std::uint8_t* to = at(is_across ? column_table : row_table);
    if (is_rescaled()) {
      make_float_taps(float_axis(axis, is_small()), axis.first + first, count, to);
    } else if (is_opencv()) {
      make_opencv_taps(opencv_axis(axis), is_across, axis.first + first, count, to);
    } else {
      std::int32_t& precision = is_across ? column_precision : row_precision;
      precision = make_taps(resize_axis(axis), request.sums, axis.first + first, count, precision, to);
    }
  }

  Order order_of() const {
    if (request.is_nearest || request.rows.filter == kNone) return Order::kAlong;
    if (request.is_down_first || request.columns.filter == kNone) return Order::kDownFirst;
    const int taps = taps_of(request.rows);
    const bool is_sparse = !has_cells() && taps < request.rows.extent && scale_of(request.rows) >= taps;
    return is_sparse ? Order::kSparse : Order::kAcrossFirst;
  }
};

}  // namespace layout
