#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/plan.h"

// How a plan cuts a picture into pieces, and where they lie.

namespace layout {

/// The order of the passes.
enum class Order {
  /// The pass across alone: rows of the result are rows of the source, or the nearest ones.
  kAlong,
  /// The pass across the rows, then the pass down the columns.
  kAcrossFirst,
  /// As kAcrossFirst, where no two rows of the result share a row of the source: only the rows that one of them needs
  /// are staged. 1080 rows to 224 with two taps each need 448.
  kSparse,
  /// The pass down the columns, then the pass across the rows.
  kDownFirst,
};

/// Chooses the order of the passes. The request asks for kDownFirst, or the axes' filters and sizes decide.
Order order_of(const ResizeRequest& request);

inline bool has_cells(const ResizeRequest& request) { return request.factor_x != kNone; }

/// The areas of the memory of a plan. Places count from its start, in bytes.
struct Areas {
  /// Columns of the result that are made at once.
  std::int32_t block;
  /// Where the pass down comes first: columns that are staged at once, and rows of the result that are made of them.
  std::int32_t piece_columns, band_rows;
  /// How many rows fit into their areas.
  std::int32_t table_rows, raw_rows, stage_rows, middle_rows, out_rows;
  std::ptrdiff_t middle_stride, tile_bytes;
  /// The tables of both axes, and the tile of the pass across.
  std::ptrdiff_t column_table, row_table, tile;
  /// Sums of cells, and the rows of the picture that they are made of.
  std::ptrdiff_t sums, raw;
  /// Staged rows, rows in the middle, and rows of the result.
  std::ptrdiff_t stage, middle, out;
  /// Where all areas end. 64 bits, since with too many columns at once they would end past 2^31.
  std::int64_t end;
};

/// Places the areas after the `head` bytes of the plan itself, in memory of `bytes` bytes. The plan makes all columns
/// of the result at once, or so small a half, quarter and so on of them that the areas fit.
Areas lay_out(const ResizeRequest& request, Order order, std::size_t head, std::size_t bytes);

}  // namespace layout
