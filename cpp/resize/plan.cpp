// resize/plan.h says what these functions do.

#include "resize/plan.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "resize/areas.h"
#include "resize/axis_rule.h"
#include "resize/dispatch.h"
#include "resize/progress.h"
#include "resize/reduce.h"

namespace layout {
namespace {

/// Tables of which a caller may keep a copy: larger ones take less of the time.
constexpr std::int64_t kMaxKeptBytes = 256 << 10;

/// A plan, at the start of its memory, which a caller may copy: so its places are distances from there, not pointers.
/// It makes the result in batches of rows. A batch needs a window of the source's rows, and asks the caller for those
/// that are not there yet (a demand). The members at the end hold this state.
class Plan {
 public:
  /// Plans a request in memory of `bytes` bytes, which begins with this object: chooses the order of the passes, places
  /// the areas after the object, and makes the tables of the first block of columns and of its first rows.
  Plan(const ResizeRequest& asked, std::size_t bytes)
      : request(asked), order(order_of(asked)), areas(lay_out(asked, order, sizeof(Plan), bytes)) {
    begin_block(0);
  }

  /// Computes what plan_resize returns: the bytes of the plan and its tables, which end where the tile begins; 0 where
  /// they are too many, or a table has only some of the axis' pixels and will be replaced.
  std::size_t kept_bytes() const {
    const bool is_whole = areas.block == request.columns.count && areas.table_rows == request.rows.count;
    return is_whole && areas.tile <= kMaxKeptBytes ? static_cast<std::size_t>(areas.tile) : 0;
  }

  /// Does resize_step: runs the first pass over the rows that the last step asked for (`demand`), then goes on until
  /// `step` has rows of the result to take or rows of the picture to stage. Returns whether it has.
  bool make_step() {
    step.rows = 0;
    if (demand.is_open) {
      if (request.alpha != kNone) change_staged_alpha();
      if (asks_for_cells() && !add_cells()) return true;  // more rows of the picture to stage first
      run_first_pass();
      demand.is_open = false;
    }
    step.runs = 0;
    for (;;) {
      if (batch.count() == 0 && !begin_batch()) return step.rows > 0;  // the last batch may have made rows
      // Rows of the result are taken before their place is used again.
      if (ask_for_rows() || step.rows > 0) return true;
      finish_batch();
    }
  }

 private:
  std::uint8_t* at(std::ptrdiff_t place) { return reinterpret_cast<std::uint8_t*>(this) + place; }
  TapTable& table(std::ptrdiff_t place) { return *reinterpret_cast<TapTable*>(at(place)); }
  Taps& row_taps(int i) { return const_cast<Taps&>(table(areas.row_table).taps()[i - rows.first]); }

  std::ptrdiff_t stage_stride() const { return std::ptrdiff_t{source_columns} * request.channels; }
  std::ptrdiff_t out_stride() const { return std::ptrdiff_t{columns.count} * result_bytes(request); }

  bool picks_rows() const { return request.is_nearest || order == Order::kSparse; }
  bool asks_for_cells() const { return has_cells(request) && !demand.is_empty(); }

  // Row i of the result, of those asked for, needs rows row_begin(i) to row_end(i) of the source: one where the rows
  // have no filter.

  int row_begin(int i) {
    if (request.rows.filter != kNone) return row_taps(i).first;
    return static_cast<int>(request.rows.from) + request.rows.first + i;
  }
  int row_end(int i) { return row_begin(i) + (request.rows.filter == kNone ? 1 : row_taps(i).count); }

  /// Changes the alpha of the pixels that the caller staged, as the request asks.
  void change_staged_alpha() {
    for (int i = 0; i < step.runs; ++i) {
      const ResizeRun& run = step.run[i];
      const std::size_t pixels = static_cast<std::size_t>(run.rows) * static_cast<std::size_t>(step.staged_columns);
      change_alpha(static_cast<Alpha>(request.alpha), request.channels, at(run.at), pixels);
    }
  }

  /// Begins the block of columns from `first` on: makes its table, and sets `source_column` and `source_columns`, the
  /// columns of the source that it needs.
  void begin_block(int first) {
    const PlanAxis& axis = request.columns;
    columns.make(AxisRule::of_columns(request), first, std::min(areas.block, axis.count - first),
                 at(areas.column_table));
    if (axis.filter == kNone) {
      source_column = static_cast<int>(axis.from) + axis.first + first;
      source_columns = columns.count;
    } else {
      const Taps *taps = table(areas.column_table).taps(), &last = taps[columns.count - 1];
      source_column = taps->first;
      source_columns = last.first + last.count - source_column;
    }
    begin_rows(0);
  }

  /// Makes the table of rows of the result from `first` on, and forgets the batch and the window before it.
  void begin_rows(int first) {
    rows.make(AxisRule::of_rows(request), first, std::min(areas.table_rows, request.rows.count - first),
              at(areas.row_table));
    batch = {first, first};
    window = {};
  }

  /// Sets `batch` to the next rows of the result, in the next table or block where these end, and `window` to the rows
  /// that they need. Returns whether there are any.
  bool begin_batch() {
    if (batch.first == rows.end()) {
      if (rows.end() < request.rows.count)
        begin_rows(rows.end());
      else if (columns.end() < request.columns.count)
        begin_block(columns.end());
      else
        return false;
    }
    columns_done = 0;
    if (batch.first == 0 && has_cells(request))  // a block's first rows of cells: nothing is summed yet
      std::memset(at(areas.sums), 0, static_cast<std::size_t>(areas.raw - areas.sums));
    if (picks_rows()) {
      pick_rows();
    } else if (order == Order::kAcrossFirst) {
      move_window();
    } else {
      const int max_rows = order == Order::kDownFirst ? areas.band_rows : std::min(areas.stage_rows, areas.out_rows);
      batch.end = std::min(batch.first + max_rows, rows.end());
      const int first = row_begin(batch.first);
      window = {first, first, row_end(batch.end - 1)};
    }
    return true;
  }

  /// Moves the window on where the next row of the result needs rows that are not there, and keeps the rows in the
  /// middle that it has already. Then adds rows to the batch, as long as the window has all that they need.
  void move_window() {
    if (row_end(batch.first) > window.ready) {
      const int first = row_begin(batch.first), skipped = first - window.first;
      const int shared = window.move(first, std::min(row_end(rows.end() - 1), first + areas.middle_rows));
      std::memmove(at(areas.middle), at(areas.middle + skipped * areas.middle_stride),
                   static_cast<std::size_t>(shared * areas.middle_stride));
    }
    // The window has all rows that one row of the result needs (lay_out), so the first one is not checked.
    do ++batch.end;
    while (batch.end < rows.end() && batch.count() < areas.out_rows && row_end(batch.end) <= window.end);
  }

  /// Adds rows to the batch, each with a run of its own in `step`, until an area is full. Their runs lie one after the
  /// other, so changes `first` in their entries of the table from the source's row to the row of the window.
  void pick_rows() {
    window = {};
    const int max_rows = std::min<int>(areas.out_rows, ResizeStep::kMaxRuns);
    for (; batch.end < rows.end() && batch.count() < max_rows; ++batch.end) {
      Taps& taps = row_taps(batch.end);
      // A row of nearest without a tap still takes the place of one row, of zeros.
      const int staged_rows = request.is_nearest ? 1 : taps.count;
      if (window.end + staged_rows > areas.stage_rows) break;
      if (taps.count > 0) {
        step.run[step.runs++] = {.at = static_cast<std::int32_t>(areas.stage + window.end * stage_stride()),
                                 .row = taps.first,
                                 .rows = taps.count};
      }
      taps.first = window.end;
      window.end += staged_rows;
    }
  }

  /// Asks in `step` and `demand` for rows that the batch lacks, as many as an area holds. Returns whether it lacks any.
  bool ask_for_rows() {
    const bool is_down_first = order == Order::kDownFirst;
    const bool lacks_none = is_down_first ? columns_done == source_columns : window.ready >= window.end;
    if (lacks_none) return false;
    const int lacking = window.end - window.ready;
    const bool stages_all = is_down_first || picks_rows();  // these batches have no more rows than the area holds
    demand = {
        .is_open = true,
        .rows = stages_all ? lacking : std::min(areas.stage_rows, lacking),
        .columns = is_down_first ? std::min(areas.piece_columns, source_columns - columns_done) : source_columns,
    };
    step.staged_column = source_column + columns_done;
    step.staged_columns = demand.columns;
    cells = {};
    if (asks_for_cells()) {
      ask_for_cells();
    } else if (!picks_rows()) {
      step.runs = 1;
      step.run[0] = {static_cast<std::int32_t>(areas.stage), window.ready, demand.rows};
    }
    return true;
  }

  /// Asks in `step` for the next rows of the picture of a row of cells, as many as the area of raw rows holds.
  void ask_for_cells() {
    const int row = window.ready + cells.done;
    step.staged_column = request.left + (source_column + columns_done) * request.factor_x;
    step.staged_columns = std::min(request.right - step.staged_column, demand.columns * request.factor_x);
    step.runs = 1;
    step.run[0] = {.at = static_cast<std::int32_t>(areas.raw),
                   .row = request.top + row * request.factor_y + cells.added,
                   .rows = std::min(areas.raw_rows, CellRows::height(request, row) - cells.added)};
  }

  /// Adds the staged rows to the sums of a row of cells, and makes its means where it is complete. Returns whether all
  /// rows of cells in `demand` are there; otherwise asks for more.
  bool add_cells() {
    const bool is_float = request.sums == Sums::kDouble;
    const int height = CellRows::height(request, window.ready + cells.done), channels = request.channels;
    const Cells shape = {.width = request.factor_x,
                         .height = request.factor_y,
                         .row_pixels = step.staged_columns,
                         .channels = is_float ? 1 : channels,
                         .is_float = is_float,
                         .is_opencv = request.sums == Sums::kOpencv};
    add_rows(shape, height, at(areas.raw), std::ptrdiff_t{step.staged_columns} * channels, step.run[0].rows,
             at(areas.sums));
    cells.added += step.run[0].rows;
    if (cells.added == height) {
      const std::ptrdiff_t stride = std::ptrdiff_t{demand.columns} * channels;
      finish_cells(shape, height, at(areas.sums), at(areas.stage + cells.done * stride));
      cells = {cells.done + 1, 0};
    }
    if (cells.done == demand.rows) return true;
    ask_for_cells();
    return false;
  }

  /// Sets the staged rows of a nearest filter that have no tap to 0: they lie past the source.
  void clear_rows_without_taps() {
    const auto stride = static_cast<std::size_t>(stage_stride());
    for (int i = batch.first; i < batch.end; ++i) {
      if (row_taps(i).count == 0) std::memset(at(areas.stage + (i - batch.first) * stage_stride()), 0, stride);
    }
  }

  /// Runs the first pass over the staged rows, into the middle, or of kAlong into the result. Counts them as there.
  void run_first_pass() {
    if (request.is_nearest) clear_rows_without_taps();
    if (order == Order::kDownFirst) {
      const std::ptrdiff_t bytes = std::ptrdiff_t{demand.columns} * request.channels;
      resize_down(down_pass({at(areas.stage), bytes}, static_cast<std::size_t>(bytes),
                            {at(areas.middle + std::ptrdiff_t{columns_done} * request.channels), stage_stride()}));
      columns_done += demand.columns;
      return;
    }
    if (order == Order::kAlong) {
      run_across(areas.stage, demand.rows, {at(areas.out), out_stride()});
    } else {
      const std::ptrdiff_t rows_there = window.ready - window.first;
      std::uint8_t* to = at(areas.middle + rows_there * areas.middle_stride);
      run_across(areas.stage, demand.rows, {to, areas.middle_stride});
    }
    window.ready += demand.rows;
  }

  /// Runs the second pass for the batch, finishes its rows, and gives them to the caller in `step`. Without a filter of
  /// the columns the rows are the staged ones, or those in the middle.
  void finish_batch() {
    const bool keeps_columns = request.columns.filter == kNone;
    std::ptrdiff_t result = areas.out;
    if (order == Order::kAlong) {
      if (keeps_columns) result = areas.stage;
    } else if (order == Order::kDownFirst) {
      run_across(areas.middle, batch.count(), {at(areas.out), out_stride()});
      if (keeps_columns) result = areas.middle;
    } else {
      pass_down(request,
                down_pass({at(areas.middle), areas.middle_stride}, static_cast<std::size_t>(out_stride()),
                          {at(areas.out), out_stride()}),
                table(areas.column_table), columns.first);
    }
    finish_rows(request, at(result), batch.count(), columns.count);
    static_cast<ResizeRows&>(step) = {.at = static_cast<std::int32_t>(result),
                                      .row = batch.first,
                                      .rows = batch.count(),
                                      .column = columns.first,
                                      .columns = columns.count};
    batch.first = batch.end;
  }

  /// Describes a pass down that makes the rows of the batch from rows of `source`, which begin with the window.
  DownPass down_pass(Rows source, std::size_t bytes, ResultRows to) {
    return {.table = table(areas.row_table),
            .first = batch.first - rows.first,
            .count = batch.count(),
            .src = source,
            .base = window.first,
            .row_bytes = bytes,
            .dst = to};
  }

  /// Runs a pass across `count` rows that lie at the place `from`.
  void run_across(std::ptrdiff_t from, int count, ResultRows to) {
    const AcrossPass pass = {.table = table(areas.column_table),
                             .src = {at(from), stage_stride()},
                             .base = source_column,
                             .extent = source_columns,
                             .channels = request.channels,
                             .rows = count,
                             .dst = to,
                             .tile = at(areas.tile),
                             .tile_bytes = static_cast<std::size_t>(areas.tile_bytes)};
    pass_across(request, pass, columns.count);
  }

  ResizeStep step = {};  // first: the caller reads it at the start of the memory
  const ResizeRequest request;
  const Order order;
  const Areas areas;
  Coefficients columns, rows;
  /// The source's columns that the block needs: the first one, how many, and, where the pass down comes first, how many
  /// of them it has made.
  std::int32_t source_column = 0, source_columns = 0, columns_done = 0;
  Batch batch;
  RowWindow window;
  Demand demand;
  CellRows cells;
};

}  // namespace

/// Replaces the request at the start of the memory by its plan.
std::size_t plan_resize(std::uint8_t* memory, std::size_t bytes) {
  ResizeRequest request;
  std::memcpy(&request, memory, sizeof request);
  return (new (memory) Plan(request, bytes))->kept_bytes();
}

bool resize_step(std::uint8_t* memory) { return reinterpret_cast<Plan*>(memory)->make_step(); }

}  // namespace layout
