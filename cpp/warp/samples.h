/// Pixels between pixels, in float32 and in the order of torch's grid_sample with aligned corners: bilinear from four
/// pixels, or cubic along rows, then down columns. Pixels beyond the edges weigh 0.
#pragma once

#include <cstdint>

namespace layout {

/// A tile of the result: three planes of float32, (sum * scale - mean) / std, each step rounded. All memory lies apart.
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

/// The most bytes behind `numbers` that a tile takes.
constexpr int sample_bytes(int columns, int rows) { return 8 * kSampleNumbers + 40 * (columns + rows) + 96 * columns; }

/// Writes a tile.
void sample(const Samples& call);

}  // namespace layout
