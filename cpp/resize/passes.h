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

/// Makes rows `first` to `first + count` of the table, each of some rows of `src`. Row 0 of `src` is the source's row
/// `base`. Rows have `row_bytes`. Up to 15 bytes behind a row of `src` may be read, and one row behind its last; none
/// of them matters.
void resize_down(const TapTable& table, int first, int count, int base, Rows src, std::size_t row_bytes,
                 std::uint8_t* dst, std::ptrdiff_t dst_stride);

/// Makes each pixel of `rows` rows of `dst` of some pixels of the same row of `src`. The first pixel of `src` is the
/// source's pixel `base`, its last one `extent` pixels later. A pixel has `channels` bytes, or is one float32.
/// Up to 15 bytes behind a row of `src` may be read. `tile` has across_tile_bytes, aligned to 16.
void resize_across(const TapTable& table, int base, int extent, int channels, Rows src, int rows, std::uint8_t* dst,
                   std::ptrdiff_t dst_stride, std::uint8_t* tile, std::size_t tile_bytes);

/// What resize_across needs at least, for taps of up to `taps` pixels.
std::size_t across_tile_bytes(int taps, int channels);

}  // namespace layout
