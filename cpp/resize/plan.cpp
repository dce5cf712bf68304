// resize/plan.h says what these functions do.

#include "resize/plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>

#include "resize/areas.h"
#include "resize/float_passes.h"
#include "resize/reduce.h"

namespace layout {
namespace {

/// Tables of which a caller may keep a copy: larger ones take less of the time.
constexpr std::int64_t kMaxKeptBytes = 256 << 10;

/// A plan, at the start of its memory.
struct Plan : Areas {
  // Rows `row` to `next` of the result are made of rows `begin` to `until` of the source, which have come up to
  // `ready`; where the pass down comes first, up to column `piece`.
  std::int32_t row, next, begin, ready, until, piece;
  // The rows and columns that are asked for. Of cells: how many rows of them are there, and rows of the next one.
  bool is_asked;
  std::int32_t asked_rows, asked_columns, cells, cell_rows;

  /// A box without a width may need no pixel.
  bool asks_for_cells() const { return has_cells() && asked_rows > 0 && asked_columns > 0; }
  bool picks() const { return request.is_nearest || order == Order::kSparse; }

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
      resize_down(down_pass({at(stage), bytes}, static_cast<std::size_t>(bytes),
                            {at(middle + std::ptrdiff_t{piece} * request.channels), row_bytes()}));
      piece += asked_columns;
      return;
    }
    if (order == Order::kAlong)
      pass_across(stage, asked_rows, {at(out), out_bytes()});
    else
      pass_across(stage, asked_rows, {at(middle + (ready - begin) * middle_stride), middle_stride});
    ready += asked_rows;
  }

  DownPass down_pass(Rows source, std::size_t bytes, ResultRows to) {
    return {table(row_table), row - table_first, next - row, source, begin, bytes, to};
  }

  void pass_across(std::ptrdiff_t from, int rows, ResultRows to) {
    const int filter = request.columns.filter;
    if (filter == kNone) return;
    const AcrossPass pass = {table(column_table),
                             {at(from), row_bytes()},
                             base,
                             span,
                             request.channels,
                             rows,
                             to,
                             at(tile),
                             static_cast<std::size_t>(tile_bytes)};
    if (is_rescaled())
      rescale_across(pass);
    else if (is_opencv() && !request.is_nearest)
      opencv_across(static_cast<Rule>(filter), pass);
    else
      resize_across(pass);
  }

  /// Makes planes of float32 of each row, and resizes them.
  void rescale_across(const AcrossPass& pass) {
    auto* plane = reinterpret_cast<float*>(pass.tile);
    const int made = has_pairs() ? 2 * columns : columns;
    for (int y = 0; y < pass.rows; ++y) {
      for (int c = 0; c < 3; ++c) {
        const std::uint8_t* src =
            pass.src.data + y * pass.src.stride + (request.channels < 3 ? 0 : request.rescaling.sources[c]);
        for (int x = 0; x < span; ++x, src += request.channels) plane[x] = request.rescaling.numbers[c][*src];
        auto* to = reinterpret_cast<float*>(pass.dst.data + y * pass.dst.stride) + c * made;
        (has_pairs() ? float_pairs_across : float_across)(pass.table, base, plane, to);
      }
    }
  }

  void pass_down() {
    const DownPass pass =
        down_pass({at(middle), middle_stride}, static_cast<std::size_t>(out_bytes()), {at(out), out_bytes()});
    if (has_pairs()) return float_pairs_down(pass, table(column_table));
    if (is_rescaled()) return float_down(pass);
    if (!is_opencv()) return resize_down(pass);
    // OpenCV takes eight numbers of a whole row at a time, and rounds those that are left in another way.
    const int counted = request.counted, grouped = request.columns.size * counted / 8 * 8, shared = grouped % counted;
    const std::ptrdiff_t pixel = std::ptrdiff_t{grouped / counted - request.columns.first - column} * request.channels;
    const auto number = [&](std::ptrdiff_t at) {
      return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, out_bytes()));
    };
    // Where groups end within a pixel of blue, green and red, its last numbers belong to the group.
    const RowRest rest = request.is_bgr
                             ? RowRest{number(pixel), number(pixel + counted - shared), number(pixel + counted)}
                             : RowRest{number(pixel + shared), 0, 0};
    opencv_down(static_cast<Rule>(request.rows.filter), pass, rest);
  }

  /// The second pass. The rows are then the step's.
  void finish_batch() {
    const bool keeps_columns = request.columns.filter == kNone;
    std::ptrdiff_t place = out;
    if (order == Order::kAlong) {
      if (keeps_columns) place = stage;
    } else if (order == Order::kDownFirst) {
      pass_across(middle, next - row, {at(out), out_bytes()});
      if (keeps_columns) place = middle;
    } else {
      pass_down();
    }
    if (is_rescaled())
      finish_floats(request.rescaling.finish, reinterpret_cast<float*>(at(place)), 3 * (next - row), columns);
    if (request.alpha == static_cast<int>(Alpha::kPremultiply))
      change_alpha(Alpha::kUnpremultiply, request.channels, at(place),
                   static_cast<std::size_t>((next - row) * columns));
    static_cast<ResizeRows&>(step) = {static_cast<std::int32_t>(place), row, next - row, column, columns};
    row = next;
  }

  /// Makes the plan in the memory that it stands in.
  std::size_t make(const ResizeRequest& asked, [[maybe_unused]] std::int64_t bytes) {
    request = asked;
    order = order_of();
    column_precision = row_precision = kNone;
    block = request.columns.count;
    for (lay_out(sizeof(Plan)); end > bytes && block > 1; lay_out(sizeof(Plan))) block = (block + 1) / 2;
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
  ResizeRequest request;
  std::memcpy(&request, memory, sizeof request);
  return (new (memory) Plan{})->make(request, static_cast<std::int64_t>(bytes));
}

bool resize_step(std::uint8_t* memory) { return reinterpret_cast<Plan*>(memory)->make_step(); }

}  // namespace layout
