// pick/indices.h says what these functions do.

#include "pick/indices.h"

#include <algorithm>
#include <cmath>

namespace layout {
namespace {

// An index that no axis has.
constexpr std::int64_t kNone = INT64_MIN;

/// An index as int64. A float is cut to a whole number; from 2^53 on, and NaN, it is kNone. True is 0, false kNone.
std::int64_t to_int64(std::int32_t index) { return index; }
std::int64_t to_int64(std::int64_t index) { return index; }
std::int64_t to_int64(double index) { return std::fabs(index) < 0x1p53 ? static_cast<std::int64_t>(index) : kNone; }
std::int64_t to_int64(std::uint8_t is_chosen) { return is_chosen != 0 ? 0 : kNone; }

/// An axis of IndexTuples. On outer axes, `at` is the coordinate of the current tuple.
struct IndexAxis {
  std::int64_t extent, stride, at;
};

/// Goes on to the next line: a line is the tuples along the last outer axis, `axis`. Counts the coordinates of the
/// outer axes before it, from `first` on, up by one, the last one fastest. `line` is the sum of these coordinates times
/// their strides; returns that of the next line.
std::int64_t next_line(std::int64_t line, IndexAxis* first, IndexAxis* axis) {
  while (axis-- > first) {
    line += axis->stride;
    if (++axis->at < axis->extent) break;
    line -= axis->at * axis->stride;
    axis->at = 0;
  }
  return line;
}

/// Reads the axes of `tuples`: those that a tuple names, then the outer ones. Sets the coordinates of the first tuple
/// on the outer axes: its number, divided by one extent after the other. Returns the first tuple's line: the sum of
/// these coordinates times their strides, without the last axis.
std::int64_t read_axes(const IndexTuples& tuples, IndexAxis* axes) {
  const std::uint32_t all = tuples.length + tuples.rank;
  std::int64_t line = 0, left = static_cast<std::int64_t>(tuples.axes[0]);
  for (std::uint32_t i = all; i-- > 0;) {
    const double* axis = tuples.axes + 1 + 2 * i;
    axes[i] = {static_cast<std::int64_t>(axis[0]), static_cast<std::int64_t>(axis[1]), 0};
    const bool is_outer = i >= tuples.length, is_last = i == all - 1;
    if (!is_outer || left == 0) continue;  // from here on all coordinates are 0
    axes[i].at = left % axes[i].extent;
    left /= axes[i].extent;
    if (!is_last) line += axes[i].at * axes[i].stride;
  }
  return line;
}

/// Does name_rows for one type of indices. Goes along the last outer axis in a loop of its own; next_line counts the
/// other outer axes.
template <typename Index>
std::int32_t name_rows_of(const IndexTuples tuples) {  // a copy, which no row that is written can change
  const std::uint32_t length = tuples.length;
  IndexAxis axes[kMostIndexAxes];
  std::int64_t line = read_axes(tuples, axes);
  IndexAxis& last = axes[length + tuples.rank - 1];
  const auto* indices = reinterpret_cast<const Index*>(tuples.indices);
  auto* rows = static_cast<std::int32_t*>(tuples.rows);
  auto* wide = static_cast<double*>(tuples.rows);
  const std::int64_t allowed_sign = tuples.is_signed ? -1 : 0;
  const IndexAxis front = axes[0];  // copies, which stay in registers
  const std::int64_t step = last.stride;
  // Reads the next index and adds it, times the axis' stride, to `row`. Returns whether it is within the extent: as an
  // unsigned number, a negative one is not.
  const auto read = [&](const IndexAxis& axis, std::uint64_t& row) {
    const std::int64_t signed_index = to_int64(*indices++);
    const std::int64_t sign_bits = signed_index >> 63;  // all ones below 0, where an index counts from the back
    const std::int64_t index = signed_index + (sign_bits & allowed_sign & axis.extent);
    row += static_cast<std::uint64_t>(index) * static_cast<std::uint64_t>(axis.stride);
    return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(axis.extent);
  };
  // Reads the tuple before `indices` again, up to its first wrong index. Returns the place of that one.
  const auto find_wrong_index = [&] {
    indices -= length;
    const Index* wrong = indices;
    std::uint64_t row = 0;
    for (std::uint32_t i = 0; read(axes[i], row); ++i) ++wrong;
    return wrong - reinterpret_cast<const Index*>(tuples.indices);
  };
  const auto write = [&](std::uint32_t at, std::int64_t row) {
    if (tuples.is_wide) {
      wide[at] = static_cast<double>(row);
    } else {
      rows[at] = static_cast<std::int32_t>(row);
    }
  };
  std::uint32_t row_count = 0;
  std::uint32_t tuple = 0;
  while (tuple < tuples.count) {
    const std::int64_t line_end = std::min<std::int64_t>(tuples.count, tuple + last.extent - last.at);
    std::int64_t outer_row = line + last.at * last.stride;  // what the tuple's place on the outer axes adds to its row
    for (; tuple < line_end; ++tuple, outer_row += step) {
      auto row = static_cast<std::uint64_t>(outer_row);  // a wrong index may take it beyond 2^63
      bool is_within = read(front, row);
      for (std::uint32_t i = 1; i < length; ++i) is_within &= read(axes[i], row);
      if (!is_within && !tuples.skips) return -1 - static_cast<std::int32_t>(find_wrong_index());
      write(row_count, static_cast<std::int64_t>(row));
      row_count += is_within;  // a skipped row is overwritten: a branch would often be predicted wrongly
    }
    last.at = 0;
    line = next_line(line, axes + length, &last);
  }
  return static_cast<std::int32_t>(row_count);
}

}  // namespace

std::int32_t name_rows(const IndexTuples& tuples) {
  if (tuples.format == Format::kInt32) return name_rows_of<std::int32_t>(tuples);
  if (tuples.format == Format::kInt64) return name_rows_of<std::int64_t>(tuples);
  if (tuples.format == Format::kBool) return name_rows_of<std::uint8_t>(tuples);
  return name_rows_of<double>(tuples);  // kFloat64
}

}  // namespace layout
