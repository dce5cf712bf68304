// warp/perspective.h says what these functions do.

#include "warp/perspective.h"

#include <cmath>

#include "warp/cubic.h"

namespace layout {

/// The matrix gives a pixel's place on the source, around which a cubic sample takes 16 pixels.
void warp_picture(const PixelPicture& from, const float* matrix, int height, int width, bool upright,
                  std::uint8_t* to) {
  const auto [data, from_height, from_width, channels] = from;
  for (int i = 0; i < height * width; ++i) {
    const int row = i / width;
    const int column = i % width;
    // A row of the matrix times (column, row, 1): in float64, but for the two terms that a line of pixels shares.
    const auto multiply_row = [&](const float* terms) {
      const float start = static_cast<float>(row) * terms[1] + terms[2];
      return static_cast<double>(column) * static_cast<double>(terms[0]) + static_cast<double>(start);
    };
    const double depth = multiply_row(matrix + 6);
    const float x = within_pictures(static_cast<float>(multiply_row(matrix) / depth), from_width);
    const float y = within_pictures(static_cast<float>(multiply_row(matrix + 3) / depth), from_height);
    // The 16 pixels around the place: from one before it, to two after it.
    const auto left = static_cast<int>(std::floor(x));
    const auto top = static_cast<int>(std::floor(y));
    const std::uint8_t* pixels[kMostTaps * kMostTaps];
    for (int k = 0; k < kMostTaps * kMostTaps; ++k) {
      const int from_row = clamp_place(top - 1 + k / kMostTaps, from_height);
      const int from_column = clamp_place(left - 1 + k % kMostTaps, from_width);
      pixels[k] = data + (from_row * from_width + from_column) * channels;
    }
    const Place part{x - static_cast<float>(left), y - static_cast<float>(top)};
    // Turned counterclockwise, the last column is the first row.
    const int at = upright ? (width - 1 - column) * height + row : i;
    cubic_sample(part, pixels, channels, to + at * channels);
  }
}

}  // namespace layout
