// resize/areas.h says what these functions do.

#include "resize/areas.h"

#include <algorithm>
#include <cassert>

#include "resize/axis_rule.h"
#include "resize/dispatch.h"

namespace layout {
namespace {

/// Bytes of rows that are staged at once, and of rows of the result. Twice and a quarter of it are a seventh slower.
constexpr std::int64_t kAreaBytes = 256 << 10;
/// Bytes that are staged at once where the pass down comes first: most rows come whole. 256 KiB take 1.5 times as long.
constexpr std::int64_t kBandBytes = 1 << 20;
/// Rows that the pass across takes at once, and the most bytes that they may have before fewer are staged.
constexpr int kGroupRows = 16;
constexpr std::int64_t kMaxGroupBytes = 2 << 20;
/// Bytes after an area that a kernel may read.
constexpr std::int64_t kSlack = 64;
/// How far apart, modulo 512, two areas begin of which one is read while the other is written: a load waits for an
/// earlier store whose address ends in nearly the same 12 bits. Rows of 1024 pixels took twice as long.
constexpr std::int64_t kApart = 288;

/// Chooses how many rows of `row_bytes` bytes an area holds: whole groups of kGroupRows, in kAreaBytes where one fits;
/// less than a group where that would take more than kMaxGroupBytes.
int rows_for(std::int64_t row_bytes) {
  const bool fits_group = kGroupRows * row_bytes <= kMaxGroupBytes;
  if (!fits_group) return static_cast<int>(std::max<std::int64_t>(1, kMaxGroupBytes / row_bytes));
  const std::int64_t groups = kAreaBytes / (kGroupRows * row_bytes);
  return static_cast<int>(kGroupRows * std::max<std::int64_t>(1, groups));
}

/// Chooses how many rows of the result a table of coefficients has: all of them, or so few that it fits in kAreaBytes.
int table_rows_for(const ResizeRequest& request) {
  const AxisRule rows = AxisRule::of_rows(request);
  int count = request.rows.count;
  while (count > 1 && rows.coefficient_bytes(count) > kAreaBytes) count = (count + 1) / 2;
  return count;
}

/// Chooses how many rows of the result the pass down makes at once where it comes first: at most kGroupRows, so that
/// they need at most 2^14 rows of the source. 16 columns of these, of 4 bytes, fit in kBandBytes.
int band_rows_for(const ResizeRequest& request) {
  const AxisRule rows = AxisRule::of_rows(request);
  int count = kGroupRows;
  while (count > 1 && rows.span(count) > 1 << 14) count /= 2;
  return count;
}

/// Gives areas their places in the memory, one after the other.
class Places {
 public:
  /// Takes an area of `bytes` bytes and kSlack after it, which begins `offset` bytes past a multiple of 512. Returns
  /// the place of its first byte.
  std::ptrdiff_t take(std::int64_t bytes, std::int64_t offset = 0) {
    const std::int64_t place = end_ + offset;
    end_ += (offset + bytes + kSlack + 511) / 512 * 512;
    return static_cast<std::ptrdiff_t>(place);
  }
  /// Where the next area may begin: after all that are taken.
  std::int64_t end() const { return end_; }

 private:
  std::int64_t end_ = 0;
};

/// Bytes of a row in each area of a plan that makes `block` columns of the result at once: as it is staged, between the
/// passes, of the result, and of the picture where cells are made of it, otherwise 0.
struct RowBytes {
  std::int64_t staged, middle, out, raw;

  RowBytes(const ResizeRequest& request, int block)
      : staged(AxisRule::of_columns(request).span(block) * request.channels),
        middle(middle_bytes(request, block)),
        out(std::int64_t{block} * result_bytes(request)),
        raw(has_cells(request) ? staged * request.factor_x : 0) {}
};

/// Chooses how many rows and columns each area of such a plan holds. The areas have no places yet.
Areas choose_sizes(const ResizeRequest& request, Order order, int block, const RowBytes& row_bytes) {
  const AxisRule columns = AxisRule::of_columns(request), rows = AxisRule::of_rows(request);
  const std::int64_t width = columns.span(block);
  const int support = rows.support();
  // The pass down first: as many columns as fit in kBandBytes, at least 4, which do with 2^16 rows, too.
  const int band_rows = band_rows_for(request);
  const auto piece_columns = std::clamp<std::int64_t>(kBandBytes / (rows.span(band_rows) * request.channels), 4,
                                                      std::max<std::int64_t>(4, width));
  // Staged rows: a group, and of kSparse at least all rows of one row of the result, which are staged together.
  // OpenCV's sums of four bytes make the rows in the middle, of which as many are kept, the longer ones.
  const int group =
      rows_for(request.sums == Sums::kOpencv ? std::max(row_bytes.staged, row_bytes.middle) : row_bytes.staged);
  const int stage_rows = order == Order::kSparse ? std::max(group, support) : group;
  // Rows in the middle: at least those of one row of the result, and as many again, so that when the window moves on,
  // no more rows are copied to the front than come in.
  const std::int64_t least_middle_rows = support + std::max(support, stage_rows);
  const std::int64_t middle_rows = std::max<std::int64_t>(2 * kAreaBytes / row_bytes.middle, least_middle_rows);
  // Rows of the picture for cells: add_rows takes even numbers. Without cells they have 0 bytes, hence the + 1.
  const std::int64_t raw_pairs = std::max<std::int64_t>(1, kAreaBytes / (2 * row_bytes.raw + 1));
  const std::size_t tile = tile_bytes(request, static_cast<int>(width), columns.support());
  return {
      .block = block,
      .piece_columns = static_cast<std::int32_t>(piece_columns),
      .band_rows = band_rows,
      .table_rows = table_rows_for(request),
      .raw_rows = 2 * static_cast<std::int32_t>(raw_pairs),
      .stage_rows = stage_rows,
      .middle_rows = static_cast<std::int32_t>(middle_rows),
      .out_rows = rows_for(row_bytes.out),
      .middle_stride = static_cast<std::ptrdiff_t>(row_bytes.middle),
      .tile_bytes = static_cast<std::ptrdiff_t>(tile),
  };
}

/// Lays out the areas of a plan that makes `block` columns of the result at once, after the plan's own `head` bytes.
/// Their end may lie past the memory: lay_out looks.
Areas lay_out_block(const ResizeRequest& request, Order order, std::size_t head, int block) {
  const AxisRule columns = AxisRule::of_columns(request), rows = AxisRule::of_rows(request);
  const RowBytes row_bytes(request, block);
  Areas areas = choose_sizes(request, order, block, row_bytes);
  // `stage` holds staged rows or the band of the pass down, `middle` rows in the middle or the band's result: one order
  // has only one of each.
  const std::int64_t band = rows.span(areas.band_rows) * areas.piece_columns * request.channels;
  const std::int64_t stage = std::max(areas.stage_rows * row_bytes.staged, band);
  const std::int64_t middle = std::max(areas.middle_rows * row_bytes.middle, areas.band_rows * row_bytes.staged);
  Places places;
  places.take(static_cast<std::int64_t>(head));
  areas.column_table = places.take(columns.coefficient_bytes(block));
  areas.row_table = places.take(rows.coefficient_bytes(areas.table_rows));
  areas.tile = places.take(areas.tile_bytes);
  // Sums of cells have 4 bytes for a byte, and 8 for the 4 of a float32.
  areas.sums = places.take((request.sums == Sums::kDouble ? 2 : 4) * row_bytes.raw);
  areas.raw = places.take(areas.raw_rows * row_bytes.raw);
  areas.stage = places.take(stage);
  areas.middle = places.take(middle, kApart);
  areas.out = places.take(areas.out_rows * row_bytes.out, 2 * kApart);
  areas.end = places.end();
  return areas;
}

}  // namespace

Order order_of(const ResizeRequest& request) {
  const AxisRule rows = AxisRule::of_rows(request);
  if (request.is_nearest || rows.keeps_pixels()) return Order::kAlong;
  // Without a filter of the columns the pass down is the only one, and it comes first.
  if (request.is_down_first || request.columns.filter == kNone) return Order::kDownFirst;
  const int support = rows.support();
  const bool shares_no_row = rows.scale() >= support;          // rows of the result lie at least their taps apart
  const bool needs_all_rows = support >= request.rows.extent;  // for one row of the result: too many to stage at once
  // Rows of cells are summed in order, so none of them is left out.
  const bool is_sparse = shares_no_row && !needs_all_rows && !has_cells(request);
  return is_sparse ? Order::kSparse : Order::kAcrossFirst;
}

/// Halves the block of columns until the areas fit into the memory.
Areas lay_out(const ResizeRequest& request, Order order, std::size_t head, std::size_t bytes) {
  const auto limit = static_cast<std::int64_t>(bytes);
  for (int block = request.columns.count;; block = (block + 1) / 2) {
    const Areas areas = lay_out_block(request, order, head, block);
    if (areas.end > limit && block > 1) continue;
    assert(areas.end <= limit);
    return areas;
  }
}

}  // namespace layout
