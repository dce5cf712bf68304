#pragma once

#include <cstdint>

#include "convert/convert.h"
#include "quantize/grid.h"

namespace layout {

// ONNX's QuantizeLinear and DequantizeLinear, and the range of DynamicQuantizeLinear. No address needs alignment,
// sources and destinations do not overlap. Packed elements are read and written as convert has them: the bits after
// the last element become zero.

/// `count` numbers that change their format. Scales and zero points are float32, and lie as `grid` says.
struct Quantization {
  alignas(4) Format from;
  alignas(4) Format to;
  std::uint32_t count;
  Grid grid;
  const std::uint8_t* src;
  const float* scales;
  const float* zeros;
  std::uint8_t* dst;
};

/// Divides float32 numbers by their scales; a true division, because a product with the reciprocal rounds otherwise.
/// - To an integer of at most 16 bits: rounded to the nearest, ties to even; plus the zero point; saturated. NaN gives
///   the lowest number.
/// - To float32: the quotient plus the zero point, each rounded; a zero point of -0 changes nothing.
void quantize(const Quantization& request);

/// Subtracts zero points, and multiplies by scales, in float32. The numbers are integers of at most 16 bits, or
/// float32; the results float32, float16 or bfloat16, rounded once more.
void dequantize(const Quantization& request);

/// `count` float64 numbers, in place, each with a scale and a zero point of its own. Without zero points (`has_zeros`
/// is false), `zeros` holds zeros, which integers read too. All are aligned.
struct ExactQuantization {
  alignas(4) Format to;
  alignas(4) bool has_zeros;
  std::uint32_t count;
  double* numbers;
  const double* scales;
  const double* zeros;
};

/// Divides 32-bit integers by their scales: no quotient rounds to a half.
/// - To an integer: rounded to nearest even; saturated, together with the zero point, which is added. NaN gives the
///   lowest number.
/// - To a float: the quotient, or its sum with the zero point, cut to an integer.
void quantize_exactly(const ExactQuantization& request);

/// Float32 of the differences of 32-bit integers and their zero points, exact before they are rounded.
void subtract_exactly(std::uint32_t count, const std::int32_t* src, const double* zeros, float* dst);

/// The lowest and the highest number.
struct Range {
  float low, high;
};

/// Widens a range by float32 numbers. Ignores NaN.
void widen_range(std::uint32_t count, const std::uint8_t* src, Range& range);

/// `count` float32 numbers in blocks, which lie as `grid` says; its width is 1.
struct BlockRanges {
  std::uint32_t count;
  Grid grid;
  const std::uint8_t* src;
  Range* ranges;
};

/// Writes the range of each block, and returns how many blocks there are, or -1 if a number is
/// NaN or infinite. Where a 0 is either of both, its sign is that of any of them.
double block_ranges(const BlockRanges& request);

}  // namespace layout
