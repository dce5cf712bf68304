// Integers of 8 to 64 bits, float32 and float64 to float32 and float64. Each struct is a kernel (steps.h): its
// operator() converts some vectors of numbers.

#include "bits/vectors.h"
#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

/// Makes each NaN the quiet NaN without payload, of the same sign.
v128_t plain_nan32(v128_t x) {
  const v128_t nan = wasm_v128_or(wasm_v128_and(x, splat32(0x80000000)), splat32(kFloat32Nan));
  return wasm_v128_bitselect(nan, x, wasm_f32x4_ne(x, x));
}

/// The intrinsics for int32 or uint32: four numbers to float32, or the first two to float64.
template <bool kSigned>
struct Integer32 {
  static v128_t to_float32(v128_t x) { return kSigned ? wasm_f32x4_convert_i32x4(x) : wasm_f32x4_convert_u32x4(x); }
  static v128_t low_to_float64(v128_t x) {
    return kSigned ? wasm_f64x2_convert_low_i32x4(x) : wasm_f64x2_convert_low_u32x4(x);
  }
};

/// Converts integers of 8 or 16 bits to float32. The integer becomes the low half of a float32 between 2^23 and 2^24,
/// and a subtraction takes off what that added. Flipping the sign bit makes a signed integer an unsigned one, larger by
/// 2^(kBits - 1), which is subtracted as well. (LLVM 14 splits a conversion of widened lanes into scalars:
/// measured 5x slower.)
template <int kBits, bool kSigned>
struct WidenToFloat32 : StatelessKernel<128 / kBits, 16, 512 / kBits> {
  static_assert(kBits == 8 || kBits == 16);
  static constexpr float kOffset = 0x1p23f + (kSigned ? 1 << (kBits - 1) : 0);

  /// Converts eight unsigned integers of 16 bits to the vectors `index` and `index + 1` of `dst`. Their upper halves
  /// become 0x4b00, which is that of 2^23.
  static void put16(std::uint8_t* dst, int index, v128_t x) {
    const v128_t high = splat16(0x4b00), offset = wasm_f32x4_splat(kOffset);
    store(dst, index, wasm_f32x4_sub(zip_low<16>(x, high), offset));
    store(dst, index + 1, wasm_f32x4_sub(zip_high<16>(x, high), offset));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t x = load(src, 0);
    if constexpr (kSigned) x = wasm_v128_xor(x, kBits == 8 ? splat8(0x80) : splat16(0x8000));
    if constexpr (kBits == 16) {
      put16(dst, 0, x);
    } else {
      put16(dst, 0, zip_low<8>(x, splat8(0)));
      put16(dst, 2, zip_high<8>(x, splat8(0)));
    }
  }
};

/// Converts int32 or uint32 to the nearest float32.
template <bool kSigned>
struct Integer32ToFloat32 : StatelessKernel<4, 16, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    store(dst, 0, Integer32<kSigned>::to_float32(load(src, 0)));
  }
};

/// Converts int32 or uint32 to a sticky float32: from a magnitude of 2^24 on, cuts off the low 8 bits, and sets the
/// last bit that stays if they were not all zero. The rest converts exactly and has at least 16 true bits above the
/// sticky one; float16, the widest small format, needs 11 + 1.
template <bool kSigned>
struct Integer32ToStickyFloat32 : StatelessKernel<4, 16, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x = load(src, 0);
    // One unsigned comparison for both ends: -2^24 <= x < 2^24.
    const v128_t small = kSigned ? wasm_u32x4_lt(wasm_i32x4_add(x, splat32(1u << 24)), splat32(1u << 25))
                                 : wasm_u32x4_lt(x, splat32(1u << 24));
    const v128_t cut = wasm_v128_and(x, splat32(0xff));
    const v128_t sticky = wasm_v128_and(wasm_i32x4_gt(opaque(cut), splat32(0)), splat32(0x100));
    const v128_t rounded = wasm_v128_or(wasm_v128_xor(x, cut), sticky);
    store(dst, 0, Integer32<kSigned>::to_float32(wasm_v128_bitselect(x, rounded, small)));
  }
};

/// Converts int32 or uint32 to float64, exactly.
template <bool kSigned>
struct Integer32ToFloat64 : StatelessKernel<4, 16, 32> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x = load(src, 0);
    store(dst, 0, Integer32<kSigned>::low_to_float64(x));
    store(dst, 1, Integer32<kSigned>::low_to_float64(high_half(x)));
  }
};

/// Converts float32 to float64, exactly, with plain NaNs.
struct Float32ToFloat64 : StatelessKernel<4, 16, 32> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x = plain_nan32(load(src, 0));
    store(dst, 0, wasm_f64x2_promote_low_f32x4(x));
    store(dst, 1, wasm_f64x2_promote_low_f32x4(high_half(x)));
  }
};

/// The nearest float32 of the four numbers of two vectors of float64.
v128_t demote(v128_t a, v128_t b) {
  return zip_low<64>(wasm_f32x4_demote_f64x2_zero(a), wasm_f32x4_demote_f64x2_zero(b));
}

/// Converts float64 to the nearest float32, with plain NaNs.
struct Float64ToFloat32 : StatelessKernel<4, 32, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    store(dst, 0, plain_nan32(demote(load(src, 0), load(src, 1))));
  }
};

/// Converts float64 to a sticky float32: rounds to the nearest, takes that back by one code where its magnitude lies
/// beyond the number's, and sets the last bit where the result differs from the number. So an overflow to infinity
/// becomes the largest number. NaN stays a NaN.
struct Float64ToStickyFloat32 : StatelessKernel<4, 32, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t a = load(src, 0), b = load(src, 1);
    const v128_t nearest = demote(a, b);
    const v128_t back_a = wasm_f64x2_promote_low_f32x4(nearest),
                 back_b = wasm_f64x2_promote_low_f32x4(high_half(nearest));
    const v128_t beyond_a = wasm_f64x2_gt(wasm_f64x2_abs(back_a), wasm_f64x2_abs(a));
    const v128_t beyond_b = wasm_f64x2_gt(wasm_f64x2_abs(back_b), wasm_f64x2_abs(b));
    const v128_t differs = even32(wasm_f64x2_ne(back_a, a), wasm_f64x2_ne(back_b, b));
    const v128_t cut = wasm_i32x4_add(nearest, even32(beyond_a, beyond_b));  // a true lane is -1
    store(dst, 0, wasm_v128_or(cut, wasm_v128_and(differs, splat32(1))));
  }
};

/// Converts int64 or uint64 to float64: makes the upper half the low bits of a float64 at 2^84, where they count
/// multiples of 2^32, and the lower half those of one at 2^52. Subtracting what that added is exact, and the sum of
/// both rounds once. With kSticky, the result is sticky: from 2^53 on, cuts off the low 11 bits as
/// Integer32ToStickyFloat32 does, so that the conversion is exact.
template <bool kSigned, bool kSticky>
struct Integer64ToFloat64 : StatelessKernel<2, 16, 16> {
  static constexpr double kOffset = 0x1p84 + 0x1p52 + (kSigned ? 0x1p63 : 0);
  // The bits of the float64 numbers 2^84 and 2^52, and the sign bit of the upper half, which flipping makes unsigned.
  static constexpr std::int64_t kPower84Bits = 0x4530000000000000, kPower52Bits = 0x4330000000000000;
  static constexpr std::int64_t kFlip = kSigned ? 0x80000000 : 0;

  /// Clears the low 11 bits of integers whose magnitude is 2^53 or more, and sets bit 11 where they were not all zero.
  static v128_t cut(v128_t x) {
    // Not 0 where the magnitude is 2^53 or more: x + 2^53 is below 2^54, without a sign, for -2^53 <= x < 2^53.
    const v128_t large =
        kSigned ? wasm_u64x2_shr(wasm_i64x2_add(x, wasm_i64x2_splat(1ll << 53)), 54) : wasm_u64x2_shr(x, 53);
    const v128_t low = wasm_i64x2_splat(0x7ff);
    // Adding 0x7ff carries into bit 11 unless the low bits are zero.
    const v128_t sticky = wasm_v128_and(wasm_i64x2_add(wasm_v128_and(x, low), low), wasm_i64x2_splat(0x800));
    return wasm_v128_bitselect(wasm_v128_or(wasm_v128_andnot(x, low), sticky), x,
                               wasm_i64x2_ne(large, wasm_i64x2_splat(0)));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t x = load(src, 0);
    if constexpr (kSticky) x = cut(x);
    const v128_t upper = wasm_v128_xor(wasm_u64x2_shr(x, 32), wasm_i64x2_splat(kPower84Bits | kFlip));
    const v128_t lower = wasm_v128_or(wasm_v128_and(x, wasm_i64x2_splat(0xffffffff)), wasm_i64x2_splat(kPower52Bits));
    const v128_t upper_number = wasm_f64x2_sub(upper, wasm_f64x2_splat(kOffset));
    store(dst, 0, wasm_f64x2_add(upper_number, lower));
  }
};

/// The step to float32 from an integer of 8 to 32 bits or from float64; nullptr for other formats. `From32` and
/// `FromFloat64` are the kernels for 32-bit integers and float64, which float32 does not hold exactly.
template <template <bool> class From32, class FromFloat64>
Step to_float32(Format from) {
  return pick_for(from, [](auto format) -> Step {
    constexpr FormatRow kRow = row_of(format);
    if constexpr (format == Format::kFloat64) {
      return run<FromFloat64>;
    } else if constexpr (!is_integer(kRow) || is_packed(kRow) || kRow.bits == 64) {
      return nullptr;
    } else if constexpr (kRow.bits == 32) {
      return run<From32<kRow.kind == Kind::kSigned>>;
    } else {
      return run<WidenToFloat32<kRow.bits, kRow.kind == Kind::kSigned>>;
    }
  });
}

}  // namespace

Step number_to_float32(Format from) { return to_float32<Integer32ToFloat32, Float64ToFloat32>(from); }
Step number_to_sticky_float32(Format from) {
  return to_float32<Integer32ToStickyFloat32, Float64ToStickyFloat32>(from);
}

Step number_to_float64(Format from) {
  return pick_for(from, [](auto format) -> Step {
    constexpr FormatRow kRow = row_of(format);
    if constexpr (format == Format::kFloat32) {
      return run<Float32ToFloat64>;
    } else if constexpr (is_integer(kRow) && kRow.bits == 32) {
      return run<Integer32ToFloat64<kRow.kind == Kind::kSigned>>;
    } else if constexpr (is_integer(kRow) && kRow.bits == 64) {
      return run<Integer64ToFloat64<kRow.kind == Kind::kSigned, false>>;
    } else {
      return nullptr;
    }
  });
}

Step integer_to_sticky_float64(Format from) {
  return from == Format::kInt64 ? run<Integer64ToFloat64<true, true>> : run<Integer64ToFloat64<false, true>>;
}

}  // namespace layout
