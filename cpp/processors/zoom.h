/// Pictures resized as transformers resizes OWLv2's with scipy.
#pragma once

#include <cstdint>

namespace layout {

/// scipy's gaussian_filter along the axes that shrink, down the columns first, and its zoom of order 1. The picture has
/// pixels of three numbers, float32 or bytes, at most 2^16 a side, and is mirrored at its edges. Sums are of float64,
/// and rounded to float32 or cut to whole bytes after each filter. The results are held between the picture's
/// extremes, and bytes rounded half up before.
struct Zoom {
  std::int32_t element;  // bytes of a number
  std::int32_t width, height, to_width, to_height;
  std::int32_t blurs;  // 0 or 1
  /// The pixels of the result's rows that are made, at most 2^16.
  std::int32_t first, count;
  float lowest, highest;
};

/// Prepares the steps in memory that begins with FilterRows and is aligned to 16. Returns how many bytes it takes;
/// without memory nothing is written.
std::uint64_t plan_zoom(const Zoom& zoom, std::uint8_t* memory);

/// Takes one step in memory that plan_zoom has prepared, as FilterRows says: returns the number of the row of the
/// picture that it needs next, or -1 where a row of the result is ready. Only rows that the result is made of are
/// filtered.
std::int32_t zoom_step(std::uint8_t* memory);

}  // namespace layout
