#pragma once

#include <algorithm>
#include <cstdint>

#include "resize/axis_rule.h"
#include "resize/plan.h"

// How far a plan has come: the parts of its state, each with the steps that it takes.

namespace layout {

/// The pixels of the result along one axis that the plan's table of coefficients has: `count` from `first` on, of those
/// that the request asks for. Without a filter there is no table. `precision`: the fraction bits of the axis' weights;
/// kNone before its first table, and where weights have no such bits.
struct Coefficients {
  std::int32_t first = 0, count = 0, precision = kNone;

  int end() const { return first + count; }
  /// Writes the table of `pixels` pixels from `from` on to `table`. The first table of an axis finds the `precision`,
  /// which later tables take over.
  void make(const AxisRule& rule, int from, int pixels, std::uint8_t* table) {
    first = from;
    count = pixels;
    precision = rule.make_coefficients(from, pixels, precision, table);
  }
};

/// Rows of the result that are made together.
struct Batch {
  std::int32_t first = 0, end = 0;

  int count() const { return end - first; }
};

/// Rows `first` to `end` of the source, which a batch, or some batches, need. Those before `ready` are there.
struct RowWindow {
  std::int32_t first = 0, ready = 0, end = 0;

  /// Moves on to rows `from` to `to`, which begin no earlier. Returns how many of these are there already; the caller
  /// moves their bytes to the front.
  int move(int from, int to) {
    const int shared = std::max(ready - from, 0);
    *this = {from, from + shared, to};
    return shared;
  }
};

/// The rows and columns of the source that the caller was asked for.
struct Demand {
  bool is_open = false;
  std::int32_t rows = 0, columns = 0;

  /// Whether there is nothing to stage: where the part of the source that is resized has no width or height, the
  /// result's pixels may have no taps.
  bool is_empty() const { return rows <= 0 || columns <= 0; }
};

/// The progress of the rows of cells that the caller was asked for: the rows that are done, and the rows of the picture
/// that the sums of the next one already hold.
struct CellRows {
  std::int32_t done = 0, added = 0;

  /// How many rows of the picture row `row` of cells has: `factor_y`, but fewer where the part that cells cover ends.
  static int height(const ResizeRequest& request, int row) {
    return std::min(request.bottom - request.top - row * request.factor_y, request.factor_y);
  }
};

}  // namespace layout
