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

/// A pass down the columns: makes the rows of the result of entries `first` to `first + count` of `table`, each a
/// weighted sum of some rows of `src`. Row 0 of `src` is row `base` of the source, which entries count from. A row of
/// the result has `row_bytes` bytes.
struct DownPass {
  const TapTable& table;
  int first, count;
  Rows src;
  int base;
  std::size_t row_bytes;
  ResultRows dst;
};

/// A pass across the rows: makes `rows` rows of `dst`, each with a pixel for every entry of `table`, which is a
/// weighted sum of some pixels in the same row of `src`. A row of `src` has `extent` pixels, from the source's pixel
/// `base` on, which entries count from. A pixel has `channels` bytes. `tile` is work memory of `tile_bytes` bytes.
struct AcrossPass {
  const TapTable& table;
  Rows src;
  int base, extent, channels, rows;
  ResultRows dst;
  std::uint8_t* tile;
  std::size_t tile_bytes;
};

/// Makes the rows of a pass down the columns, with a table of Sums::kPillow or kTorch, whose rows are bytes, or of
/// kDouble, whose rows are float32. A table of the nearest filter has no weights and is not for it.
///
/// Rows of bytes are read two at a time, so an odd number of taps reads one row more; and at least 16 bytes of each row
/// are read. The bytes read beyond the rows have no effect on the result.
void resize_down(const DownPass& pass);

/// Makes the pixels of a pass across the rows, with a table of Sums::kPillow or kTorch, whose pixels are bytes; of
/// kDouble, whose pixels are one float32 each; or of a nearest filter, which copies pixels of 1 to 4 bytes.
///
/// Where bytes are summed, up to 15 bytes past each row of `src` are read, which have no effect. The tile has
/// across_tile_bytes or more.
void resize_across(const AcrossPass& pass);

/// The bytes of work memory that resize_across needs, where no entry of the table has more than `taps` taps.
std::size_t across_tile_bytes(int taps, int channels);

}  // namespace layout
