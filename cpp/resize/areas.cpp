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

/// Chooses how many rows each area of a plan holds that makes `block` columns of the result at once, and places the
/// areas after the plan's own `head` bytes. Their end may lie past the memory: lay_out looks.
Areas lay_out_block(const ResizeRequest& request, Order order, std::size_t head, int block) {
  const AxisRule columns = AxisRule::of_columns(request), rows = AxisRule::of_rows(request);
  const int support = rows.support();
  // Bytes of a row in each of the areas.
  const std::int64_t width = columns.span(block), staged_bytes = width * request.channels;
  const std::int64_t out_bytes = std::int64_t{block} * result_bytes(request);
  const std::int64_t middle_stride = middle_bytes(request, block);
  const std::int64_t raw_bytes = has_cells(request) ? staged_bytes * request.factor_x : 0;

  const int table_rows = table_rows_for(request);
  // The pass down first: as many columns as fit in kBandBytes, at least 4, which do with 2^16 rows, too.
  const int band_rows = band_rows_for(request);
  const std::int64_t band = rows.span(band_rows);  // rows of the source
  const auto piece_columns = static_cast<int>(
      std::clamp<std::int64_t>(kBandBytes / (band * request.channels), 4, std::max<std::int64_t>(4, width)));
  // Staged rows: a group, and of kSparse at least all rows of one row of the result, which are staged together.
  // OpenCV's sums of four bytes make the rows in the middle, of which as many are kept, the longer ones.
  const int group = rows_for(request.sums == Sums::kOpencv ? std::max(staged_bytes, middle_stride) : staged_bytes);
  const int stage_rows = order == Order::kSparse ? std::max(group, support) : group;
  // Rows in the middle: at least those of one row of the result, and as many again, so that when the window moves on,
  // no more rows are copied to the front than come in.
  const std::int64_t least_middle_rows = support + std::max(support, stage_rows);
  const auto middle_rows = static_cast<int>(std::max<std::int64_t>(2 * kAreaBytes / middle_stride, least_middle_rows));
  const int out_rows = rows_for(out_bytes);
  // Rows of the picture for cells: add_rows takes even numbers. Without cells raw_bytes is 0, hence the + 1.
  const std::int64_t raw_pairs = std::max<std::int64_t>(1, kAreaBytes / (2 * raw_bytes + 1));
  const int raw_rows = 2 * static_cast<int>(raw_pairs);
  const auto tile = static_cast<std::ptrdiff_t>(tile_bytes(request, static_cast<int>(width), columns.support()));

  // Places, after the plan itself. Sums of cells have 4 bytes for a byte, and 8 for the 4 of a float32.
  Places places;
  places.take(static_cast<std::int64_t>(head));
  return {
      .block = block,
      .piece_columns = piece_columns,
      .band_rows = band_rows,
      .table_rows = table_rows,
      .raw_rows = raw_rows,
      .stage_rows = stage_rows,
      .middle_rows = middle_rows,
      .out_rows = out_rows,
      .middle_stride = static_cast<std::ptrdiff_t>(middle_stride),
      .tile_bytes = tile,
      .column_table = places.take(columns.coefficient_bytes(block)),
      .row_table = places.take(rows.coefficient_bytes(table_rows)),
      .tile = places.take(tile),
      .sums = places.take((request.sums == Sums::kDouble ? 2 : 4) * raw_bytes),
      .raw = places.take(raw_rows * raw_bytes),
      .stage = places.take(std::max(stage_rows * staged_bytes, band * piece_columns * request.channels)),
      .middle = places.take(std::max(middle_rows * middle_stride, band_rows * staged_bytes), kApart),
      .out = places.take(out_rows * out_bytes, 2 * kApart),
      .end = places.end(),
  };
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
