#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/opencv_taps.h"
#include "resize/passes.h"

namespace layout {

/// Runs OpenCV's pass across the rows, which comes first: for each channel of each pixel of the result it writes the
/// sum of bytes times weights, not yet rounded. A pixel has 1, 3 or 4 bytes. A sum has four: a whole number, or float32
/// of kCubic and kArea. The table is made with `is_across`, and not for kNearest.
///
/// Reads up to 32 bytes past each row of `src`. Writes sums of 16 bytes where pixels have three: four bytes after
/// each row of `dst`. The tile has opencv_tile_bytes.
void opencv_across(Rule rule, const AcrossPass& pass);

/// The bytes of work memory that opencv_across needs for rows of `extent` pixels.
std::size_t opencv_tile_bytes(int extent, int channels);

/// The numbers of a row that kCubic rounds in another way: from `begin` on, without `grouped_begin` to `grouped_end`.
struct RowRest {
  std::size_t begin, grouped_begin, grouped_end;
};

/// Runs OpenCV's pass down the columns: makes rows of `row_bytes` bytes from rows of as many sums, which opencv_across
/// wrote. Reads up to 60 bytes past each row of `src`.
void opencv_down(Rule rule, const DownPass& pass, const RowRest& rest);

}  // namespace layout
