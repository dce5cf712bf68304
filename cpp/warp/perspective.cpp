// warp/perspective.h says what these functions do.

#include "warp/perspective.h"

#include <cmath>

#include "warp/cubic.h"

namespace layout {

void warp_picture(const PixelPicture& from, const float* m, int height, int width, bool upright, std::uint8_t* to) {
  const auto [data, from_height, from_width, channels] = from;
  for (int i = 0; i < height * width; ++i) {
    const int row = i / width;
    const int column = i % width;
    // Row `at` / 3 of the matrix times (column, row, 1): in float64, but for the sum of the row's own terms.
    const auto place = [&](int at) {
      const float start = static_cast<float>(row) * m[at + 1] + m[at + 2];
      return static_cast<double>(column) * static_cast<double>(m[at]) + static_cast<double>(start);
    };
    const double depth = place(6);
    const float x = within_pictures(static_cast<float>(place(0) / depth), from_width);
    const float y = within_pictures(static_cast<float>(place(3) / depth), from_height);
    // The 16 pixels around the place: from one before it, to two after it.
    const auto left = static_cast<int>(std::floor(x));
    const auto top = static_cast<int>(std::floor(y));
    const std::uint8_t* pixels[kMostTaps * kMostTaps];
    for (int k = 0; k < kMostTaps * kMostTaps; ++k) {
      const int line = clamp_place(top - 1 + k / kMostTaps, from_height);
      pixels[k] = data + (line * from_width + clamp_place(left - 1 + k % kMostTaps, from_width)) * channels;
    }
    // The pixel of the result: turned, its row counts from the last column on.
    const int at = upright ? (width - 1 - column) * height + row : i;
    cubic_sample({x - static_cast<float>(left), y - static_cast<float>(top)}, pixels, channels, to + at * channels);
  }
}

}  // namespace layout
