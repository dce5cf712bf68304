#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/opencv_taps.h"
#include "resize/passes.h"

namespace layout {

/// Makes rows of sums. A pixel has 1, 3 or 4 bytes, a sum has four: a whole number, or float32 of kCubic and kArea. The
/// table is made with `is_across`, and not for kNearest.
///
/// Reads up to 32 bytes behind each row of `src`. Writes sums of 16 bytes where pixels have three: four bytes behind
/// each row of `dst`. The tile has opencv_tile_bytes.
void opencv_across(Rule rule, const AcrossPass& pass);

/// The work memory of opencv_across.
std::size_t opencv_tile_bytes(int extent, int channels);

/// The numbers of a row that kCubic rounds in another way: from `begin` on, without `grouped_begin` to `grouped_end`.
struct RowRest {
  std::size_t begin, grouped_begin, grouped_end;
};

/// Makes rows of bytes of rows of sums. A row has `row_bytes` sums. Reads up to 60 bytes behind each row of `src`.
void opencv_down(Rule rule, const DownPass& pass, const RowRest& rest);

}  // namespace layout
