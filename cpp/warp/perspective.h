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

/// Writes a picture of `width` * `height` pixels to `to`: each is a cubic sample of `from` at the place that `matrix`,
/// a perspective of 3 x 3 numbers, gives for it. Beyond the edges of `from`, its outermost pixels repeat. The bytes are
/// those of OpenCV's warpPerspective. `upright` turns the result by 90 degrees counterclockwise: it
/// then has `width` rows of `height` pixels.
void warp_picture(const PixelPicture& from, const float* matrix, int height, int width, bool upright, std::uint8_t* to);

}  // namespace layout
