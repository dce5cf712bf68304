#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// The number formats, by TensorProto's codes. The table is formats.def.
enum class Format : std::uint8_t {
#define FORMAT(name, code, ...) name = code,
#include "convert/formats.def"
#undef FORMAT
};

/// How float8e8m0 rounds a number that is no power of two. `kNearest` takes ties up.
enum class ScaleRounding : std::uint8_t { kUp, kDown, kNearest };

struct ConvertOptions {
  /// Overflow gives the largest number instead of infinity or NaN. Only the five 8-bit floats read it: float16 and
  /// bfloat16 always overflow to infinity, floats of fewer than 8 bits always saturate.
  bool saturate = true;
  /// Only float8e8m0 reads it.
  ScaleRounding scale_rounding = ScaleRounding::kUp;
  /// A float of fewer than 8 bits stands for its codes, which are unsigned integers. Only for conversions from such a
  /// float to an integer of 8 bits, and back.
  bool codes = false;
};

/// The options as one number, `flags`, for callers outside C++: kSaturateFlag or 0, plus kCodesFlag or 0, plus
/// kScaleRoundingFlag times a ScaleRounding.
inline constexpr int kSaturateFlag = 1;
inline constexpr int kCodesFlag = 2;
inline constexpr int kScaleRoundingFlag = 4;
constexpr ConvertOptions options_of(int flags) {
  return {(flags & kSaturateFlag) != 0, static_cast<ScaleRounding>(flags / kScaleRoundingFlag),
          (flags & kCodesFlag) != 0};
}

/// Converts `count` elements from one format to another.
///
/// Elements of 6, 4 and 2 bits lie packed, the first in the low bits of the first byte. Reads and writes exactly
/// ceil(count * bits / 8) bytes. Ignores the bits after the last element in `src`, and makes them zero in `dst`.
/// Neither side needs alignment. The two memories must not overlap. Cannot fail.
///
/// - To a float: rounds once, to nearest even, with gradual underflow. NaN becomes the target's quiet NaN without
///   payload, and keeps its sign where both formats have signed NaNs. Float6 and float4 have no NaN and take -0.
/// - To float8e8m0: NaN stays NaN. Numbers in [2^-127, 2^127] are rounded as asked. Below that range
///   (zeros and negative numbers too), `saturate` gives the smallest code; above it, the largest. Without
///   `saturate`, both give NaN.
/// - To an integer: truncates toward zero, then takes the result modulo 2^bits. NaN and infinities give 0.
/// - To bool: 1 for all but zeros. A bool that is neither 0 nor 1 counts as 1.
/// - A format to itself: the same bits.
void convert(Format from, Format to, const std::uint8_t* src, std::uint8_t* dst, std::size_t count,
             ConvertOptions options);

/// How many numbers `fit_float16` changed.
struct Fitted {
  std::uint32_t clipped;
  std::uint32_t raised;
};

/// Brings float32 numbers into the range of float16, in place, with their signs: finite ones beyond 65504 become 65504,
/// and nonzero ones below 5.96e-8 become 2^-24. So none becomes infinite or zero when it is rounded. The address needs
/// no alignment.
Fitted fit_float16(std::uint32_t count, std::uint8_t* numbers);

}  // namespace layout
