#include "resize/plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>

#include "resize/float_taps.h"
#include "resize/opencv.h"
#include "resize/passes.h"
#include "resize/reduce.h"

namespace layout {
namespace {

/// Bytes of rows that are staged at once, and of rows of the result. Twice and a quarter of it are a seventh slower.
constexpr std::int64_t kAreaBytes = 256 << 10;
/// Bytes that are staged at once where the pass down comes first: most rows come whole. 256 KiB take 1.5 times as long.
constexpr std::int64_t kBandBytes = 1 << 20;
/// Rows that the pass across takes at once, and the most bytes that they may have before fewer are staged.
constexpr int kGroupRows = 16;
constexpr std::int64_t kMaxGroupBytes = 2 << 20;
/// Bytes behind an area that a kernel may read.
constexpr std::int64_t kSlack = 64;
/// How far apart, modulo 512, two areas begin of which one is read while the other is written: a load waits for an
/// earlier store whose address ends in nearly the same 12 bits. Rows of 1024 pixels took twice as long.
constexpr std::int64_t kApart = 288;
/// Tables of which a caller may keep a copy: larger ones take less of the time.
constexpr std::int64_t kMaxKeptBytes = 256 << 10;

/// Reads a request, number by number.
ResizeRequest request_of(const double* next) {
  const auto whole = [&] { return static_cast<std::int32_t>(*next++); };
  const auto axis = [&]() -> PlanAxis {
    return {whole(), whole(), *next++, *next++, whole(), whole(), whole(), *next++};
  };
  ResizeRequest r = {};
  r.sums = static_cast<Sums>(whole());
  r.channels = whole();
  r.is_nearest = whole() != 0;
  r.is_down_first = whole() != 0;
  for (std::int32_t* to : {&r.alpha, &r.counted}) *to = whole();
  for (PlanAxis* to : {&r.columns, &r.rows}) *to = axis();
  for (std::int32_t* to : {&r.factor_x, &r.factor_y, &r.left, &r.top, &r.right, &r.bottom}) *to = whole();
  if (r.sums != Sums::kRescaled) return r;
  for (float& to : r.mean) to = static_cast<float>(*next++);
  for (float& to : r.std) to = static_cast<float>(*next++);
  for (float& to : r.numbers) to = static_cast<float>(*next++);
  return r;
}

/// Whole groups of rows, but for very long rows.
int rows_for(std::int64_t row_bytes) {
  if (kGroupRows * row_bytes > kMaxGroupBytes)
    return static_cast<int>(std::max<std::int64_t>(1, kMaxGroupBytes / row_bytes));
  return static_cast<int>(kGroupRows * std::max<std::int64_t>(1, kAreaBytes / row_bytes / kGroupRows));
}

enum class Order {
  /// Rows are copied.
  kAlong,
  kAcrossFirst,
  /// The same where no row of the source belongs to two of the result: 1080 rows to 224 by two each need 448.
  kSparse,
  kDownFirst,
};

ResizeAxis resize_axis(const PlanAxis& axis) {
  return {static_cast<Filter>(axis.filter), axis.extent, axis.from, axis.to, axis.size};
}

OpenCvAxis opencv_axis(const PlanAxis& axis) {
  return {static_cast<Rule>(axis.filter), axis.extent, axis.size, axis.factor};
}

FloatAxis float_axis(const PlanAxis& axis) {
  const auto wide = static_cast<std::int32_t>(axis.to - axis.from), border = static_cast<std::int32_t>(-axis.from);
  return {static_cast<FloatFilter>(axis.filter), axis.extent, axis.size, wide, border, axis.factor};
}

/// A plan, at the start of its memory.
struct Plan {
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
  // Columns of the result that are made at once, and bits of the weights behind the point, once they are known.
  std::int32_t block, column_precision, row_precision;
  // The block's columns, the source's columns that they need, and the rows in the table.
  std::int32_t column, columns, base, span, table_first, table_end;
  // Rows `row` to `next` of the result are made of rows `begin` to `until` of the source, which have come up to
  // `ready`; where the pass down comes first, up to column `piece`.
  std::int32_t row, next, begin, ready, until, piece;
  // The rows and columns that are asked for. Of cells: how many rows of them are there, and rows of the next one.
  bool is_asked;
  std::int32_t asked_rows, asked_columns, cells, cell_rows;

  bool is_opencv() const { return request.sums == Sums::kOpenCv; }
  bool is_rescaled() const { return request.sums == Sums::kRescaled; }
  bool has_cells() const { return request.factor_x != kNone; }
  /// A box without a width may need no pixel.
  bool asks_for_cells() const { return has_cells() && asked_rows > 0 && asked_columns > 0; }
  bool picks() const { return request.is_nearest || order == Order::kSparse; }
  std::uint8_t* at(std::ptrdiff_t place) { return reinterpret_cast<std::uint8_t*>(this) + place; }
  TapTable& table(std::ptrdiff_t place) { return *reinterpret_cast<TapTable*>(at(place)); }
  Taps& row_taps(int i) { return const_cast<Taps&>(table(row_table).taps()[i - table_first]); }
  std::ptrdiff_t row_bytes() const { return std::ptrdiff_t{span} * request.channels; }
  /// Bytes of a pixel of the result.
  int made_bytes() const { return is_rescaled() ? 12 : request.channels; }
  std::ptrdiff_t out_bytes() const { return std::ptrdiff_t{columns} * made_bytes(); }
  int row_begin(int i) {
    return request.rows.filter == kNone ? static_cast<int>(request.rows.from) + request.rows.first + i
                                        : row_taps(i).first;
  }
  int row_end(int i) { return row_begin(i) + (request.rows.filter == kNone ? 1 : row_taps(i).count); }

  int taps_of(const PlanAxis& axis) const {
    if (axis.filter == kNone) return 1;
    if (is_rescaled()) return most_float_taps(float_axis(axis));
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
    if (is_rescaled()) return static_cast<std::int64_t>(float_table_bytes(float_axis(axis), pixels));
    return static_cast<std::int64_t>(is_opencv() ? opencv_table_bytes(opencv_axis(axis), pixels)
                                                 : table_bytes(resize_axis(axis), pixels));
  }

  void lay_out() {
    const PlanAxis& rows = request.rows;
    const std::int64_t channels = request.channels, width = span_of(request.columns, block);
    const std::int64_t staged_bytes = width * channels, result_bytes = std::int64_t{block} * made_bytes();
    const int down_taps = taps_of(rows);
    // OpenCV's sums have four bytes, and rows of three channels end four bytes later.
    middle_stride = static_cast<std::ptrdiff_t>(is_opencv() ? 4 * result_bytes + 16 : result_bytes);
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
    take(sizeof(Plan));
    column_table = take(table_bytes_of(request.columns, block));
    row_table = take(table_bytes_of(rows, table_rows));
    tile = take(tile_bytes);
    sums = take((request.sums == Sums::kDouble ? 2 : 4) * raw_bytes);
    raw = take(raw_rows * raw_bytes);
    stage = take(std::max(stage_rows * staged_bytes, band * piece_columns * channels));
    middle = take(std::max(std::int64_t{middle_rows} * middle_stride, band_rows * staged_bytes), kApart);
    out = take(out_rows * result_bytes, 2 * kApart);
  }

  /// Makes the table of pixels `first` to `first + count` of those that are asked for.
  void make_table(const PlanAxis& axis, int first, int count) {
    if (axis.filter == kNone) return;
    const bool is_across = &axis == &request.columns;
    std::uint8_t* to = at(is_across ? column_table : row_table);
    if (is_rescaled()) {
      make_float_taps(float_axis(axis), axis.first + first, count, to);
    } else if (is_opencv()) {
      make_opencv_taps(opencv_axis(axis), is_across, axis.first + first, count, to);
    } else {
      std::int32_t& precision = is_across ? column_precision : row_precision;
      precision = make_taps(resize_axis(axis), request.sums, axis.first + first, count, precision, to);
    }
  }

  void begin_block(int first) {
    const PlanAxis& axis = request.columns;
    column = first;
    columns = std::min(block, axis.count - first);
    make_table(axis, first, columns);
    if (axis.filter == kNone) {
      base = static_cast<int>(axis.from) + axis.first + first;
      span = columns;
    } else {
      const Taps *taps = table(column_table).taps(), &last = taps[columns - 1];
      base = taps->first;
      span = last.first + last.count - base;
    }
    begin_table(0);
  }

  void begin_table(int first) {
    const int count = std::min(table_rows, request.rows.count - first);
    make_table(request.rows, first, count);
    table_first = row = next = first;
    table_end = first + count;
    begin = ready = until = 0;
  }

  /// Chooses the rows of the result that are made next. Returns whether there are any.
  bool begin_batch() {
    if (row == table_end) {
      if (table_end < request.rows.count)
        begin_table(table_end);
      else if (column + columns < request.columns.count)
        begin_block(column + columns);
      else
        return false;
    }
    piece = 0;
    if (row == 0 && has_cells()) std::memset(at(sums), 0, static_cast<std::size_t>(raw - sums));
    if (picks()) {
      pick_rows();
      return true;
    }
    const int first = row_begin(row);
    if (order == Order::kAcrossFirst) {
      if (row_end(row) > ready) {
        const int kept = std::max(ready - first, 0);
        std::memmove(at(middle), at(middle + (first - begin) * middle_stride),
                     static_cast<std::size_t>(kept * middle_stride));
        begin = first;
        ready = first + kept;
        until = std::min(row_end(table_end - 1), first + middle_rows);
      }
      for (next = row + 1; next < table_end && next - row < out_rows && row_end(next) <= until;) ++next;
      return true;
    }
    next = std::min(row + (order == Order::kDownFirst ? band_rows : std::min(stage_rows, out_rows)), table_end);
    begin = ready = first;
    until = row_end(next - 1);
    return true;
  }

  /// Asks for the rows of each row of the result on their own. The table then counts rows that are there.
  void pick_rows() {
    begin = ready = until = 0;
    for (; next < table_end && next - row < std::min<int>(out_rows, ResizeStep::kMaxRuns); ++next) {
      Taps& taps = row_taps(next);
      // A row of nearest may have no tap.
      const int rows = request.is_nearest ? 1 : taps.count;
      if (until + rows > stage_rows) break;
      if (taps.count > 0)
        step.run[step.runs++] = {static_cast<std::int32_t>(stage + until * row_bytes()), taps.first, taps.count};
      taps.first = until;
      until += rows;
    }
  }

  /// Asks for what the batch still lacks. Returns whether it lacks anything.
  bool ask() {
    const bool is_down_first = order == Order::kDownFirst;
    if (is_down_first ? piece == span : ready >= until) return false;
    asked_columns = is_down_first ? std::min(piece_columns, span - piece) : span;
    asked_rows = is_down_first || picks() ? until - begin : std::min(stage_rows, until - ready);
    step.staged_column = base + piece;
    step.staged_columns = asked_columns;
    is_asked = true;
    cells = cell_rows = 0;
    if (asks_for_cells()) {
      ask_for_cells();
    } else if (!picks()) {
      step.runs = 1;
      step.run[0] = {static_cast<std::int32_t>(stage), ready, asked_rows};
    }
    return true;
  }

  /// Asks for the next rows of a row of cells.
  void ask_for_cells() {
    const int first = request.top + (ready + cells) * request.factor_y;
    const int left = request.left + (base + piece) * request.factor_x;
    step.staged_column = left;
    step.staged_columns = std::min(request.right - left, asked_columns * request.factor_x);
    step.runs = 1;
    step.run[0] = {static_cast<std::int32_t>(raw), first + cell_rows,
                   std::min(raw_rows, std::min(request.bottom - first, request.factor_y) - cell_rows)};
  }

  /// Adds the staged rows to a row of cells. Returns whether all rows of cells are there; otherwise asks for more.
  bool add_cells() {
    const bool is_float = request.sums == Sums::kDouble;
    const int height = std::min(request.bottom - request.top - (ready + cells) * request.factor_y, request.factor_y);
    const Cells shape = {request.factor_x, request.factor_y, step.staged_columns, is_float ? 1 : request.channels,
                         is_float,         is_opencv()};
    const std::ptrdiff_t stride = std::ptrdiff_t{step.staged_columns} * request.channels;
    add_rows(shape, height, at(raw), stride, step.run[0].rows, at(sums));
    cell_rows += step.run[0].rows;
    if (cell_rows == height) {
      finish_cells(shape, height, at(sums), at(stage + std::ptrdiff_t{cells} * asked_columns * request.channels));
      ++cells;
      cell_rows = 0;
    }
    if (cells == asked_rows) return true;
    ask_for_cells();
    return false;
  }

  /// The first pass.
  void use() {
    if (request.is_nearest) {
      for (int i = row; i < next; ++i)
        if (row_taps(i).count == 0)
          std::memset(at(stage + (i - row) * row_bytes()), 0, static_cast<std::size_t>(row_bytes()));
    }
    if (order == Order::kDownFirst) {
      const std::ptrdiff_t bytes = std::ptrdiff_t{asked_columns} * request.channels;
      resize_down(table(row_table), row - table_first, next - row, begin, {at(stage), bytes},
                  static_cast<std::size_t>(bytes), at(middle + std::ptrdiff_t{piece} * request.channels), row_bytes());
      piece += asked_columns;
      return;
    }
    if (order == Order::kAlong)
      pass_across(stage, asked_rows, out, out_bytes());
    else
      pass_across(stage, asked_rows, middle + (ready - begin) * middle_stride, middle_stride);
    ready += asked_rows;
  }

  void pass_across(std::ptrdiff_t from, int rows, std::ptrdiff_t to, std::ptrdiff_t stride) {
    const int filter = request.columns.filter;
    if (filter == kNone) return;
    const Rows source = {at(from), row_bytes()};
    if (is_rescaled())
      rescale_across(source, rows, at(to), stride);
    else if (is_opencv() && !request.is_nearest)
      opencv_across(static_cast<Rule>(filter), table(column_table), base, span, request.channels, source, rows, at(to),
                    stride, at(tile));
    else
      resize_across(table(column_table), base, span, request.channels, source, rows, at(to), stride, at(tile),
                    static_cast<std::size_t>(tile_bytes));
  }

  /// Makes planes of float32 of each row, and resizes them.
  void rescale_across(Rows source, int rows, std::uint8_t* dst, std::ptrdiff_t stride) {
    auto* plane = reinterpret_cast<float*>(at(tile));
    for (int y = 0; y < rows; ++y, dst += stride) {
      for (int c = 0; c < 3; ++c) {
        const std::uint8_t* src = source.data + y * source.stride + (request.channels < 3 ? 0 : c);
        for (int x = 0; x < span; ++x, src += request.channels) plane[x] = request.numbers[*src];
        resize_across(table(column_table), base, span, 4, {at(tile), 0}, 1, dst + c * 4 * columns, 0, nullptr, 0);
      }
    }
  }

  /// Normalizes each plane's rows of the result.
  void normalize(std::ptrdiff_t place) {
    auto* number = reinterpret_cast<float*>(at(place));
    for (int i = 0; i < 3 * (next - row); ++i)
      for (int x = 0; x < columns; ++x, ++number) *number = (*number - request.mean[i % 3]) / request.std[i % 3];
  }

  void pass_down() {
    const TapTable& taps = table(row_table);
    const Rows source = {at(middle), middle_stride};
    const auto bytes = static_cast<std::size_t>(out_bytes());
    if (!is_opencv()) {
      resize_down(taps, row - table_first, next - row, begin, source, bytes, at(out), out_bytes());
      return;
    }
    // OpenCV takes eight numbers of a whole row at a time, and rounds those that are left in another way.
    const int counted = request.counted, grouped = request.columns.size * counted / 8 * 8;
    const std::ptrdiff_t pixels = grouped / counted - request.columns.first - column;
    const std::ptrdiff_t whole =
        std::clamp<std::ptrdiff_t>(pixels * request.channels + grouped % counted, 0, out_bytes());
    opencv_down(static_cast<Rule>(request.rows.filter), taps, row - table_first, next - row, begin, source, bytes,
                static_cast<std::size_t>(whole), at(out), out_bytes());
  }

  /// The second pass. The rows are then the step's.
  void finish_batch() {
    const bool keeps_columns = request.columns.filter == kNone;
    std::ptrdiff_t place = out;
    if (order == Order::kAlong) {
      if (keeps_columns) place = stage;
    } else if (order == Order::kDownFirst) {
      pass_across(middle, next - row, out, out_bytes());
      if (keeps_columns) place = middle;
    } else {
      pass_down();
    }
    if (is_rescaled()) normalize(place);
    if (request.alpha == static_cast<int>(Alpha::kPremultiply))
      change_alpha(Alpha::kUnpremultiply, request.channels, at(place),
                   static_cast<std::size_t>((next - row) * columns));
    static_cast<ResizeRows&>(step) = {static_cast<std::int32_t>(place), row, next - row, column, columns};
    row = next;
  }

  Order order_of() const {
    if (request.is_nearest || request.rows.filter == kNone) return Order::kAlong;
    if (request.is_down_first || request.columns.filter == kNone) return Order::kDownFirst;
    const int taps = taps_of(request.rows);
    const bool is_sparse = !has_cells() && taps < request.rows.extent && scale_of(request.rows) >= taps;
    return is_sparse ? Order::kSparse : Order::kAcrossFirst;
  }

  /// Makes the plan in the memory that it stands in.
  std::size_t make(const ResizeRequest& asked, [[maybe_unused]] std::int64_t bytes) {
    request = asked;
    order = order_of();
    column_precision = row_precision = kNone;
    block = request.columns.count;
    for (lay_out(); end > bytes && block > 1; lay_out()) block = (block + 1) / 2;
    assert(end <= bytes);
    begin_block(0);
    const bool is_whole = block == request.columns.count && table_rows == request.rows.count;
    return is_whole && tile <= kMaxKeptBytes ? static_cast<std::size_t>(tile) : 0;
  }

  bool make_step() {
    step.rows = 0;
    if (is_asked) {
      for (int i = 0; i < step.runs && request.alpha != kNone; ++i)
        change_alpha(static_cast<Alpha>(request.alpha), request.channels, at(step.run[i].at),
                     static_cast<std::size_t>(step.run[i].rows) * static_cast<std::size_t>(step.staged_columns));
      if (asks_for_cells() && !add_cells()) return true;
      use();
      is_asked = false;
    }
    step.runs = 0;
    for (;;) {
      if (row == next && !begin_batch()) return step.rows > 0;
      // Rows of the result are taken before their place is used again.
      if (ask() || step.rows > 0) return true;
      finish_batch();
    }
  }
};

}  // namespace

std::size_t plan_resize(std::uint8_t* memory, std::size_t bytes) {
  const ResizeRequest request = request_of(reinterpret_cast<const double*>(memory));
  return (new (memory) Plan{})->make(request, static_cast<std::int64_t>(bytes));
}

bool resize_step(std::uint8_t* memory) { return reinterpret_cast<Plan*>(memory)->make_step(); }

}  // namespace layout
