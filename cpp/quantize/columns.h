#pragma once

#include <cstdint>

namespace layout {

// Blocks of weights as onnxruntime's weight-only quantizer rounds them. A block is some rows of float32 numbers, one
// below the other; each column has a scale of its own. Addresses need no alignment. Arrays of a number for each column
// are read and written up to the next multiple of sixteen columns, and so are the numbers of the last row.

/// Makes the scale and the zero point of each column: `top` is the highest code, `middle` the one of 0 where the scales
/// are symmetric. Returns whether all numbers are finite.
/// - Symmetric: the number of the greatest magnitude becomes 0, so the scale is negative where that number is positive.
///   Of two such numbers the lowest counts.
/// - Otherwise: the range, with 0 in it, becomes 0 to `top`.
bool column_scales(bool symmetric, int top, std::uint32_t rows, std::uint32_t columns, const std::uint8_t* src,
                   float* scales, float* zeros);

/// Makes codes of one byte: the product with the reciprocal of the scale, rounded half away from zero, plus the zero
/// point, within [lowest, highest]. `after`: the zero point is added before the sum is rounded. A product that is NaN
/// counts as 0.
void column_codes(bool after, float lowest, float highest, std::uint32_t rows, std::uint32_t columns,
                  const std::uint8_t* src, const float* reciprocals, const float* zeros, std::uint8_t* dst);

}  // namespace layout
