#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/taps.h"

namespace layout {

/// Rows of pixels. `stride` is in bytes.
struct Rows {
  const std::uint8_t* data;
  std::ptrdiff_t stride;
};

/// Makes rows `first` to `first + count` of the table, each of some rows of `src`. The table has weights. Row 0 of
/// `src` is the source's row `base`. Rows have `row_bytes`, of float32 a multiple of 4. Rows of bytes are read two at a
/// time, so an odd number of taps reads one row more; and each row is read to its end, or 16 bytes of a shorter one.
/// None of what is read beyond matters.
void resize_down(const TapTable& table, int first, int count, int base, Rows src, std::size_t row_bytes,
                 std::uint8_t* dst, std::ptrdiff_t dst_stride);

/// Makes each pixel of `rows` rows of `dst` of some pixels of the same row of `src`, which has `extent` pixels from the
/// source's pixel `base` on. A pixel has `channels` bytes, or is one float32 of 4. Up to 15 bytes behind each row of
/// `src` are read where bytes are summed; none of them matters. `tile` has `tile_bytes`, which are across_tile_bytes or
/// more.
void resize_across(const TapTable& table, int base, int extent, int channels, Rows src, int rows, std::uint8_t* dst,
                   std::ptrdiff_t dst_stride, std::uint8_t* tile, std::size_t tile_bytes);

/// The least work memory of resize_across, where no entry of the table has more than `taps` taps.
std::size_t across_tile_bytes(int taps, int channels);

}  // namespace layout
