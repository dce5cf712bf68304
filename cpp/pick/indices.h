#pragma once

#include <cstdint>

#include "convert/convert.h"

namespace layout {

/// The most axes of one call. A tuple names some of a tensor's 64 axes, and tuples lie on one or two others; or it
/// names one, and tuples lie on all.
inline constexpr std::uint32_t kMostIndexAxes = 66;

/// Tuples of indices, each of which names a row of a tensor.
///
/// `axes` holds the number of the first tuple, counted along all outer axes with the last one fastest; then an extent
/// and a stride for each axis that a tuple names, `length` of them; then an extent and a stride for each of the `rank`
/// outer axes on which the tuples lie. There is at least one of both kinds. Strides count rows. The row of a tuple is
/// the sum of its indices and of its coordinates on the outer axes, each times its axis' stride. With `is_signed`, an
/// index below 0 counts from the back.
///
/// The indices are kInt32, kInt64, kFloat64, which is cut to a whole number, or kBool, where true is index 0.
struct IndexTuples {
  alignas(4) Format format;
  alignas(4) bool is_signed;
  alignas(4) bool skips;
  alignas(4) bool is_wide;
  std::uint32_t length, rank, count;
  const std::uint8_t* indices;
  const double* axes;
  void* rows;  // int32, or float64 if is_wide
};

/// Writes the number of each tuple's row to `rows`, and returns how many there are. Where an index is not within its
/// extent, the tuple is left out with `skips`; without it, nothing more is written, and the result is -1 - k for the
/// wrong index k of `indices`.
std::int32_t name_rows(const IndexTuples& tuples);

}  // namespace layout
