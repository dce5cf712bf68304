/// Labels of a segmenter: a bilinear resize of all classes and the class with the greatest number at each pixel,
/// without the resized numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "postprocess/rows.h"

namespace layout {

/// [classes, height, width] numbers.
struct ClassMaps {
  const float* x;
  int classes;
  int height;
  int width;
};

/// Writes the label of each pixel: [classes, height, width] to [to_height, to_width]. A class can win inside a cell of
/// four numbers only if its largest corner reaches the best of all smallest corners, less a margin for rounding:
/// weights sum to 1 within 2 units of 2^-24 and the sum is rounded four times, 6 units a class, 12 for two: 7.2e-7 of
/// the largest magnitude. Returns false, and does nothing, where a number is not finite or where the result is so small
/// (height + width at most 128) that torch takes other weights: then all classes have to be computed.
bool label_cells(const ClassMaps& from, int to_height, int to_width, Arena& arena, std::int32_t* labels);

}  // namespace layout
