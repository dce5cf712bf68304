#pragma once

#include <cstdint>

namespace layout {

/// Finds the nearest of `colors` colors, the first of equals, for `count` pixels in three planes of float32. A color is
/// four doubles: red, green, blue and the sum of their squares. Its distance from a pixel is the pixel's sum of squares
/// - 2 * (the sum of products of both) + its own sum of squares, all in double. Reads and writes up to three pixels
/// more.
struct NearestColors {
  std::int32_t count, colors;
  const float* pixels;
  const double* color;
  std::int64_t* to;
};

/// Writes the index of each pixel's nearest color.
void nearest_colors(const NearestColors& call);

}  // namespace layout
