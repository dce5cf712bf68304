#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/plan.h"

// How a plan cuts a picture into pieces, and where they lie.

namespace layout {

/// The order of the passes.
enum class Order {
  /// Rows are copied.
  kAlong,
  kAcrossFirst,
  /// The same where no row of the source belongs to two of the result: 1080 rows to 224 by two each need 448.
  kSparse,
  kDownFirst,
};

/// Chooses the order of the passes.
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
  /// Where all areas end: of too many columns at once behind 2^31.
  std::int64_t end;
};

/// Places the areas behind the `head` bytes of the plan itself. Takes all columns at once, or halves their number until
/// the areas end within `bytes`.
Areas lay_out(const ResizeRequest& request, Order order, std::size_t head, std::size_t bytes);

}  // namespace layout
