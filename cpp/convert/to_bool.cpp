// Bool, integers of 8 to 64 bits, float32 and float64 to bool.

#include "bits/vectors.h"
#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

/// Makes 1 of each of 16 numbers but zero, 0 of zero. A float is zero if all its bits but the sign are: a shift to the
/// left drops the sign.
template <int kBits, bool kFloat>
struct NonZero : StatelessKernel<16, 2 * kBits, 16> {
  static_assert(kBits == 8 || kBits == 16 || kBits == 32 || kBits == 64);

  /// Of four numbers of 32 or 64 bits, from number 4 * index on: all-ones in the 32-bit lanes of zeros.
  static v128_t zeros32(const std::uint8_t* src, int index) {
    if constexpr (kBits == 32) {
      const v128_t x = load(src, index);
      return wasm_i32x4_eq(kFloat ? wasm_i32x4_shl(x, 1) : x, splat32(0));
    } else {
      const v128_t a = load(src, 2 * index), b = load(src, 2 * index + 1);
      const v128_t high = odd32(a, b);  // the upper halves of the four numbers
      return wasm_i32x4_eq(wasm_v128_or(even32(a, b), kFloat ? wasm_i32x4_shl(high, 1) : high), splat32(0));
    }
  }

  /// Of eight numbers of 16 bits or more, from number 8 * index on: all-ones in the 16-bit lanes of zeros.
  static v128_t zeros16(const std::uint8_t* src, int index) {
    if constexpr (kBits == 16)
      return wasm_i16x8_eq(load(src, index), splat16(0));
    else
      return wasm_i16x8_narrow_i32x4(zeros32(src, 2 * index), zeros32(src, 2 * index + 1));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t zeros;
    if constexpr (kBits == 8)
      zeros = wasm_i8x16_eq(load(src, 0), splat8(0));
    else
      zeros = wasm_i8x16_narrow_i16x8(zeros16(src, 0), zeros16(src, 1));
    store(dst, 0, wasm_v128_andnot(splat8(1), zeros));
  }
};

}  // namespace

Step number_to_bool(Format from) {
  return pick_for(from, [](auto format) -> Step {
    constexpr FormatRow kRow = row_of(format);
    if constexpr (kRow.bits < (is_float(kRow) ? 32 : 8)) {
      return nullptr;
    } else {
      return run<NonZero<kRow.bits, is_float(kRow)>>;
    }
  });
}

}  // namespace layout
