#pragma once

#include <cmath>

#include "check.h"
#include "resize/alpha.h"

/// A color after a change. The rule divides, where the code multiplies and shifts.
inline int color_rule(layout::Alpha change, int color, int alpha) {
  switch (change) {
    case layout::Alpha::kPremultiply:
      return static_cast<int>(std::floor(color * alpha / 255.0 + 0.5));
    case layout::Alpha::kUnpremultiply:
      return alpha == 0 ? color : std::min(255 * color / alpha, 255);
    case layout::Alpha::kOnWhite:
      return static_cast<int>(std::floor((color * alpha + 255 * (255 - alpha)) / 255.0 + 0.5));
  }
  return -1;
}

/// Changes pixels of 2 or 4 bytes in memory of exactly this size.
inline Moved check_alpha(layout::Alpha change, int channels, const Memory& pixels) {
  const Memory expected(pixels), actual(pixels);
  const int bytes = static_cast<int>(pixels.size);
  for (int i = 0; i < bytes; ++i) {
    const int alpha = pixels.data[static_cast<std::size_t>(i / channels * channels + channels - 1)];
    std::uint8_t& number = expected.data[static_cast<std::size_t>(i)];
    if (i % channels < channels - 1)
      number = static_cast<std::uint8_t>(color_rule(change, number, alpha));
    else if (change == layout::Alpha::kOnWhite)
      number = 255;
  }
  layout::change_alpha(change, channels, actual.data.get(), pixels.size / static_cast<std::size_t>(channels));
  const auto at = first_difference(expected, actual);
  check(at < 0, "change %d, %d channels, %d bytes: byte %d", static_cast<int>(change), channels, bytes,
        static_cast<int>(at));
  return {expected, pixels, actual};
}
