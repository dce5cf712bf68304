/// A whole picture through a perspective.
#pragma once

#include <cstdint>

namespace layout {

/// Pixels of a picture in channels, `width` * `height` of them.
struct PixelPicture {
  const std::uint8_t* data;
  int height;
  int width;
  int channels;
};

/// Cubic samples of `width` * `height` pixels through a perspective of 9 numbers, edges repeated, with the numbers of
/// OpenCV's warpPerspective. `upright` turns the result by 90 degrees counterclockwise.
void warp_picture(const PixelPicture& from, const float* matrix, int height, int width, bool upright, std::uint8_t* to);

}  // namespace layout
