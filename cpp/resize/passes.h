#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/taps.h"

namespace layout {

/// Rows of pixels, and rows of a result. `stride` is in bytes.
struct Rows {
  const std::uint8_t* data;
  std::ptrdiff_t stride;
};
struct ResultRows {
  std::uint8_t* data;
  std::ptrdiff_t stride;
};

/// Makes rows `first` to `first + count` of the table, each of some rows of `src`, whose row 0 is the source's row
/// `base`. Rows of the result have `row_bytes`.
struct DownPass {
  const TapTable& table;
  int first, count;
  Rows src;
  int base;
  std::size_t row_bytes;
  ResultRows dst;
};

/// Makes each pixel of `rows` rows of `dst` of some pixels of the same row of `src`, which has `extent` pixels from the
/// source's pixel `base` on. A pixel has `channels` bytes. `tile` is memory to work in.
struct AcrossPass {
  const TapTable& table;
  Rows src;
  int base, extent, channels, rows;
  ResultRows dst;
  std::uint8_t* tile;
  std::size_t tile_bytes;
};

/// The table has weights. Rows of float32 have a multiple of 4 bytes. Rows of bytes are read two at a time, so an odd
/// number of taps reads one row more; and each row is read to its end, or 16 bytes of a shorter one. None of what is
/// read beyond matters.
void resize_down(const DownPass& pass);

/// A pixel may be one float32 of 4 bytes. Up to 15 bytes behind each row of `src` are read where bytes are summed; none
/// of them matters. The tile has across_tile_bytes or more.
void resize_across(const AcrossPass& pass);

/// The least work memory of resize_across, where no entry of the table has more than `taps` taps.
std::size_t across_tile_bytes(int taps, int channels);

}  // namespace layout
