#pragma once

#include <cstdint>

#include "convert/convert.h"

namespace layout {

// Blocks of weights as onnxruntime's weight-only quantizer rounds them. A block is some rows of float32 numbers, one
// below the other; each column has a scale of its own.

/// How blocks are rounded.
struct ColumnRule {
  std::int32_t bits;          // of a code: 8, 4 or 2
  alignas(4) bool symmetric;  // otherwise the range of a block, with 0 in it, becomes all codes
  alignas(4) bool after;      // whether the sum with the zero point is rounded; otherwise the product alone is
  alignas(4) bool joined;     // codes of the next rows share a byte, the first in the low bits; otherwise one a byte
  alignas(4) bool measured;   // whether errors are summed
  std::int32_t lowest;        // code; 0 where codes are joined
  std::int32_t zero;          // the zero point of symmetric codes
  alignas(4) Format rounded;  // what scales are rounded to before they are used: float32 or float16
};

/// Numbers in rows, `stride` numbers apart. `block` rows make a block; the last one may be short.
struct Matrix {
  const std::uint8_t* src;
  std::uint32_t rows;
  std::uint32_t columns;  // a multiple of sixteen
  std::uint32_t stride;
  std::uint32_t block;
};

/// Blocks to quantize, and where their scales, zero points and codes go.
struct QuantizedColumns {
  ColumnRule rule;
  Matrix matrix;
  float* scales;
  std::uint8_t* zeros;
  std::uint8_t* codes;
};

/// Makes the codes of blocks, and the scale and the zero point of each column of each block, all in rows side by side.
/// Returns the sum of the squared errors where they are measured, or -1 if a number is NaN or infinite. No address
/// needs alignment.
/// - Symmetric: the number of the greatest magnitude becomes the lowest code, so the scale is negative where that
///   number is positive. Of two such numbers the lowest counts.
/// - A code is the product with the reciprocal of the scale, rounded half away from zero, plus the zero point, within
///   the codes; or the sum of the product and the zero point is rounded. A product that is NaN counts as 0.
double quantize_columns(const QuantizedColumns& request);

}  // namespace layout
