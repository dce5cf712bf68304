/// Pixels between pixels, in float32 and in the order of torch's grid_sample with aligned corners: bilinear from four
/// pixels, or cubic along rows, then down columns. Pixels beyond the edges weigh 0.
#pragma once

#include <cstdint>

namespace layout {

/// A tile of the result: three planes of float32, each of them (sample * scale - mean) / std, each step rounded. No
/// memory overlaps another.
struct Samples {
  std::int32_t is_cubic;  // four pixels in each direction; otherwise the two beside a place
  std::int32_t channels;  // of the picture; a missing one is the last
  std::int32_t left;      // the first pixel of the part of the picture in memory
  std::int32_t top;
  std::int32_t part_width;
  std::int32_t part_height;
  std::int32_t columns;  // of the tile
  std::int32_t rows;
  const std::uint8_t* part;
  double* numbers;  // scale, three means, three deviations; places of columns, then of rows; memory for sample_bytes
  float* to;
};

constexpr int kSampleNumbers = 7;

/// The bytes that `numbers` of a tile need, at most: for scale, means and deviations; for the place, four weights and
/// four pixels of each column and row; for four rows of six numbers a column.
constexpr int sample_bytes(int columns, int rows) { return 8 * kSampleNumbers + 40 * (columns + rows) + 96 * columns; }

/// Writes a tile.
void sample(const Samples& call);

}  // namespace layout
