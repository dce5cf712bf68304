#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Cells of a picture whose means make a smaller one: Image.reduce of Pillow (src/libImaging/Reduce.c).
struct Cells {
  /// Pixels of a cell. The last cell of a row, and those of the last row, may have fewer.
  std::int32_t width, height;
  /// Pixels of a row of the source, and numbers of a pixel: bytes, or one float32 where `is_float`.
  std::int32_t row_pixels;
  std::int32_t channels;
  bool is_float;
  /// Whether bytes are rounded as OpenCV's INTER_AREA does, whose cells are whole. It sums in 32 bits with a sign.
  bool is_opencv = false;
};

/// Adds `rows` rows of the source, all of them in the same row of cells, to `sums`, an address that is a multiple of 8.
/// Bytes have a sum of 32 bits for each number of a row; float32 have a double for each cell, in memory of 8 bytes for
/// each number of a row. All are 0 at first. `height` is how many rows these cells have. Calls for one row of cells
/// take even numbers of rows, but for the last call, since float32 are summed two by two.
void add_rows(const Cells& cells, int height, const std::uint8_t* src, std::ptrdiff_t stride, int rows,
              std::uint8_t* sums);

/// Makes one row of means of cells of `height` rows from their `sums`: a pixel of `dst` for each cell. Sets `sums` to 0
/// for the next row of cells.
void finish_cells(const Cells& cells, int height, std::uint8_t* sums, std::uint8_t* dst);

}  // namespace layout
