#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// The changes of pixels whose last byte is alpha.
enum class Alpha {
  /// Colors times alpha, rounded, as Pillow does before it resizes.
  kPremultiply = 0,
  /// Colors divided by alpha, rounded down and at most 255, as Pillow does after it resized. Alpha 0 changes nothing.
  kUnpremultiply = 1,
  /// The picture over a white background, as transformers' convert_rgb makes it. Alpha becomes 255.
  kOnWhite = 2,
};

/// Changes `count` pixels of 2 or 4 bytes in place.
void change_alpha(Alpha change, int channels, std::uint8_t* pixels, std::size_t count);

}  // namespace layout
