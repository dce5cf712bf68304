#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// The number formats. The values are stable: callers outside C++ pass them as numbers.
enum class Format : std::uint8_t {
  kFloat32 = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kBool = 9,
  kFloat16 = 10,
  kFloat64 = 11,
  kUint32 = 12,
  kUint64 = 13,
  kBfloat16 = 16,
  kFloat8E4m3fn = 17,
  kFloat8E4m3fnuz = 18,
  kFloat8E5m2 = 19,
  kFloat8E5m2fnuz = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2m1 = 23,
  kFloat8E8m0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};

/// How float8e8m0 rounds what is not a power of two. `kNearest` takes ties up.
enum class ScaleRounding : std::uint8_t { kUp, kDown, kNearest };

struct ConvertOptions {
  /// Overflow gives the largest number instead of infinity or NaN. Counts for the five 8-bit floats alone: float16 and
  /// bfloat16 always overflow to infinity, float4e2m1 always saturates.
  bool saturate = true;
  /// Counts for float8e8m0 alone.
  ScaleRounding scale_rounding = ScaleRounding::kUp;
};

/// Converts `count` elements from one format to another.
///
/// Elements of 4 and 2 bits lie packed, the first in the low bits of the first byte. Exactly ceil(count * bits / 8)
/// bytes are read and written; bits beyond the last element are ignored in `src` and zero in `dst`. Neither side needs
/// alignment; the two must not overlap. Nothing fails.
///
/// - To a float: rounded once, to nearest even, with gradual underflow. NaN becomes the target's quiet NaN without
/// payload,
///   with its sign where both formats have signed NaNs; float4e2m1, which has none, takes -0.
/// - To float8e8m0: NaN stays; what lies in [2^-127, 2^127] is rounded as asked; below (zeros and negative numbers too)
/// the
///   smallest and above the largest code with `saturate`, NaN without.
/// - To an integer: toward zero, then modulo 2^bits; NaN and infinities give 0.
/// - To bool: 1 for all but zeros. A bool that is neither 0 nor 1 counts as 1.
/// - A format to itself: the same bits.
void convert(Format from, Format to, const std::uint8_t* src, std::uint8_t* dst, std::size_t count,
             ConvertOptions options);

}  // namespace layout
