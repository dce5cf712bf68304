#pragma once

#include <cstdint>

namespace layout {

/// Finds the nearest of some colors, the first of equals, for `count` pixels of three planes of float32. A color is
/// red, green, blue and the sum of their squares, and its distance the pixel's squares - 2 * (the sum of products) +
/// its own, all in double. Reads and writes up to three pixels more.
struct NearestColors {
  std::int32_t count, colors;
  const float* pixels;
  const double* color;
  std::int64_t* to;
};

/// Writes the index of each pixel's nearest color.
void nearest_colors(const NearestColors& call);

}  // namespace layout
