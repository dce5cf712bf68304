#pragma once

#include <cstdint>

#include "convert/convert.h"

namespace layout {

/// The most axes of one call: of a tensor's 64, those that a tuple names, and one or two on which the tuples lie; or
/// one and all.
inline constexpr std::uint32_t kMostIndexAxes = 66;

/// Tuples of indices, each of which names a row of a tensor.
///
/// `axes` holds the number of the first tuple, which counts along all outer axes, then an extent and a stride for each
/// axis that a tuple names, `length` of them, then the same for each of the `rank` outer axes on which the tuples lie.
/// Strides count rows. The row of a tuple is the sum of its indices and of its own place, each times its stride. Below
/// 0, an index of `is_signed` counts from the back.
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

/// Writes the rows, and returns how many there are. Where an index is not within its extent, the tuple is left out with
/// `skips`; without it, the result is -1 - its place among the indices.
std::int32_t name_rows(const IndexTuples& tuples);

}  // namespace layout
