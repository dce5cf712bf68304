#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/opencv_taps.h"
#include "resize/passes.h"

namespace layout {

/// Makes `rows` rows of sums, each of a row of `src`, which has `extent` pixels of 1, 3 or 4 bytes from the source's
/// pixel `base` on. A sum has four bytes: a whole number, or float32 of kCubic and kArea. `table` is made with
/// `is_across`, and not for kNearest.
///
/// Reads up to 32 bytes behind each row of `src`. Writes sums of 16 bytes where pixels have three: four bytes behind
/// each row of `dst`. `tile` has opencv_tile_bytes.
void opencv_across(Rule rule, const TapTable& table, int base, int extent, int channels, Rows src, int rows,
                   std::uint8_t* dst, std::ptrdiff_t dst_stride, std::uint8_t* tile);

/// The work memory of opencv_across.
std::size_t opencv_tile_bytes(int extent, int channels);

/// Makes rows `first` to `first + count` of the table of bytes, each of some rows of sums. Row 0 of `src` is the
/// source's row `base`; rows have `numbers` sums. kCubic rounds the sums from number `whole` on in another way. Reads
/// up to 60 bytes behind each row of `src`.
void opencv_down(Rule rule, const TapTable& table, int first, int count, int base, Rows src, std::size_t numbers,
                 std::size_t whole, std::uint8_t* dst, std::ptrdiff_t dst_stride);

}  // namespace layout
