// Integers of 8 to 64 bits and float32 and float64 to integers. Each struct is a kernel (steps.h): its operator()
// converts some vectors of numbers.

#include "bits/vectors.h"
#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

// Added to an integer below 2^51, it leaves that integer in the low bits of the sum, in two's complement.
constexpr double kLowBits = 0x1.8p52;
constexpr std::int64_t kLowBitsCode = 0x4338000000000000;

/// Widens integers of 8 or 16 bits to int32.
template <int kBits, bool kSigned>
struct Widen : StatelessKernel<128 / kBits, 16, 512 / kBits> {
  /// Widens eight integers of 16 bits to the vectors `index` and `index + 1` of `dst`.
  static void put16(std::uint8_t* dst, int index, v128_t x) {
    store(dst, index, kSigned ? wasm_i32x4_extend_low_i16x8(x) : wasm_u32x4_extend_low_u16x8(x));
    store(dst, index + 1, kSigned ? wasm_i32x4_extend_high_i16x8(x) : wasm_u32x4_extend_high_u16x8(x));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    static_assert(kBits == 8 || kBits == 16);
    const v128_t x = load(src, 0);
    if constexpr (kBits == 16) {
      put16(dst, 0, x);
    } else {
      put16(dst, 0, kSigned ? wasm_i16x8_extend_low_i8x16(x) : wasm_u16x8_extend_low_u8x16(x));
      put16(dst, 2, kSigned ? wasm_i16x8_extend_high_i8x16(x) : wasm_u16x8_extend_high_u8x16(x));
    }
  }
};

/// Widens int32 or uint32 to int64.
template <bool kSigned>
struct Integer32ToInt64 : StatelessKernel<4, 16, 32> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x = load(src, 0);
    store(dst, 0, kSigned ? wasm_i64x2_extend_low_i32x4(x) : wasm_u64x2_extend_low_u32x4(x));
    store(dst, 1, kSigned ? wasm_i64x2_extend_high_i32x4(x) : wasm_u64x2_extend_high_u32x4(x));
  }
};

/// Takes the low 32 bits of 64-bit integers.
struct Int64ToInt32 : StatelessKernel<4, 32, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    store(dst, 0, even32(load(src, 0), load(src, 1)));
  }
};

/// Takes the low 16 bits of int32. The mask clears the other bits, so that narrowing does not saturate.
struct NarrowTo16 : StatelessKernel<8, 32, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t mask = splat32(0xffff);
    store(dst, 0, wasm_u16x8_narrow_i32x4(wasm_v128_and(load(src, 0), mask), wasm_v128_and(load(src, 1), mask)));
  }
};

/// Takes the low 8 bits of int32, in the way of NarrowTo16.
struct NarrowTo8 : StatelessKernel<16, 64, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t mask = splat32(0xff);
    v128_t x[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) x[i] = wasm_v128_and(load(src, i), mask);
    store(dst, 0, saturate_uint8(x[0], x[1], x[2], x[3]));
  }
};

/// The integer part, modulo 2^64, of the float64 with these bits; 0 for infinities and NaN.
std::uint64_t residue(std::uint64_t bits) {
  constexpr int kMantissa = 52, kBias = 1023;
  constexpr std::uint64_t kHiddenBit = 1ull << kMantissa;
  const std::uint64_t significand = (bits & (kHiddenBit - 1)) | kHiddenBit;
  const int exponent = static_cast<int>(bits >> kMantissa & 0x7ff) - kBias;
  const int shift = exponent - kMantissa;    // of the significand as an integer
  if (exponent < 0 || shift > 63) return 0;  // below 1; a multiple of 2^64, infinity or NaN
  const std::uint64_t magnitude = shift < 0 ? significand >> -shift : significand << shift;
  const bool is_negative = bits >> 63 != 0;
  return is_negative ? 0 - magnitude : magnitude;
}

/// The integer parts of two float64 numbers modulo 2^64, by `residue`.
v128_t residues(v128_t x) {
  return wasm_i64x2_make(static_cast<std::int64_t>(residue(static_cast<std::uint64_t>(wasm_i64x2_extract_lane(x, 0)))),
                         static_cast<std::int64_t>(residue(static_cast<std::uint64_t>(wasm_i64x2_extract_lane(x, 1)))));
}

/// Whether the magnitudes of four float64 numbers are all below 2^51; false if one is NaN.
bool all_below_2_51(v128_t a, v128_t b) {
  const v128_t limit = wasm_f64x2_splat(0x1p51);
  return wasm_i64x2_all_true(
      wasm_v128_and(wasm_f64x2_lt(wasm_f64x2_abs(a), limit), wasm_f64x2_lt(wasm_f64x2_abs(b), limit)));
}

/// Truncates float64 to int64 or int32, modulo 2^64 or 2^32. If all four numbers are below 2^51, adding kLowBits brings
/// each integer to the low bits; int64 then takes off the upper bits of kLowBits. Otherwise `residue` computes each.
template <bool k64>
struct Float64ToInteger : StatelessKernel<4, 32, k64 ? 32 : 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t a = load(src, 0), b = load(src, 1);
    if (all_below_2_51(a, b)) {
      const v128_t magic = wasm_f64x2_splat(kLowBits), code = wasm_i64x2_splat(k64 ? kLowBitsCode : 0);
      a = wasm_i64x2_sub(wasm_f64x2_add(wasm_f64x2_trunc(a), magic), code);
      b = wasm_i64x2_sub(wasm_f64x2_add(wasm_f64x2_trunc(b), magic), code);
    } else {
      a = residues(a);
      b = residues(b);
    }
    if constexpr (k64) {
      store(dst, 0, a);
      store(dst, 1, b);
    } else {
      store(dst, 0, even32(a, b));
    }
  }
};

// Added to an integer below 2^22 in float32, it leaves that integer in the low bits of the sum, in two's complement.
constexpr float kLowBits32 = 0x1.8p23f;

/// The integer parts of four float32 numbers modulo 2^32; 0 for infinities and NaN.
v128_t residues32(v128_t x) {
  const v128_t whole = wasm_f32x4_trunc(x);
  // rest = whole - 2^32 * nearest(whole / 2^32). Exact: a multiple of the number's last place, within [-2^31, 2^31], or
  // NaN for an infinity.
  const v128_t wraps = wasm_f32x4_nearest(wasm_f32x4_mul(whole, wasm_f32x4_splat(0x1p-32f)));
  const v128_t rest = wasm_f32x4_sub(whole, wasm_f32x4_mul(wraps, wasm_f32x4_splat(0x1p32f)));
  // 2^31 itself saturates to 2^31 - 1; the mask adds the missing 1.
  return wasm_i32x4_sub(wasm_i32x4_trunc_sat_f32x4(rest), wasm_f32x4_eq(rest, wasm_f32x4_splat(0x1p31f)));
}

/// The integer parts of four float32 numbers whose magnitudes are below 2^22. Of other numbers and NaN, an integer
/// whose magnitude is not below 2^22 either. Faster than the saturating conversion, which V8 compiles to seven
/// instructions.
v128_t small_integers(v128_t x) {
  const v128_t magic = wasm_f32x4_splat(kLowBits32);
  return wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_trunc(x), magic), magic);
}

/// Truncates float32 to int32, modulo 2^32. Sixteen numbers at a time: the largest exponent decides whether
/// small_integers, the fast way, is right for all.
struct Float32ToInt32 : StatelessKernel<16, 64, 64> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x[4] = {load(src, 0), load(src, 1), load(src, 2), load(src, 3)};
    v128_t largest = splat32(0);  // of the exponent fields, whose only bits are infinity's
    LAYOUT_UNROLL for (const v128_t lanes : x) largest =
        wasm_i32x4_max(largest, wasm_v128_and(lanes, splat32(kFloat32Infinity)));
    const bool are_small = wasm_i32x4_all_true(wasm_i32x4_lt(opaque(largest), wasm_f32x4_splat(0x1p22f)));
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(dst, i, are_small ? small_integers(x[i]) : residues32(x[i]));
  }
};

/// Truncates sixteen float32 numbers to integers of 8 bits, modulo 2^8: by narrowing where all fit in 8 bits, by taking
/// the low bytes of 16-bit integers where all fit in 16 bits, and those of 32-bit integers otherwise.
template <bool kSigned>
struct Float32ToInt8 : StatelessKernel<16, 64, 16> {
  /// The integer parts of four numbers modulo 2^8. From 2^31 on, where a float32 is a multiple of 2^8, and for NaN it
  /// is 0.
  static v128_t low_byte(v128_t x) {
    const v128_t inside = wasm_v128_and(x, wasm_f32x4_lt(wasm_f32x4_abs(x), wasm_f32x4_splat(0x1p31f)));
    return wasm_v128_and(wasm_i32x4_trunc_sat_f32x4(inside), splat32(0xff));
  }

  /// Returns lanes of 16 bits, of which the upper byte is not 0 where the integer does not fit in 8 bits.
  static v128_t outside(v128_t x) { return kSigned ? wasm_i16x8_add(x, splat16(0x80)) : x; }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t a = wasm_i16x8_narrow_i32x4(small_integers(load(src, 0)), small_integers(load(src, 1)));
    v128_t b = wasm_i16x8_narrow_i32x4(small_integers(load(src, 2)), small_integers(load(src, 3)));
    if (!wasm_v128_any_true(wasm_v128_and(wasm_v128_or(outside(a), outside(b)), splat16(0xff00)))) {
      return store(dst, 0, kSigned ? wasm_i8x16_narrow_i16x8(a, b) : wasm_u8x16_narrow_i16x8(a, b));
    }
    // Narrowing has saturated integers beyond 16 bits. The two numbers that saturation gives may also be true ones, for
    // which the slower way is right too.
    const v128_t saturated = wasm_v128_or(wasm_i16x8_eq(wasm_i16x8_max(a, b), splat16(0x7fff)),
                                          wasm_i16x8_eq(wasm_i16x8_min(a, b), splat16(0x8000)));
    if (wasm_v128_any_true(saturated)) {
      a = wasm_i16x8_narrow_i32x4(low_byte(load(src, 0)), low_byte(load(src, 1)));
      b = wasm_i16x8_narrow_i32x4(low_byte(load(src, 2)), low_byte(load(src, 3)));
    }
    store(dst, 0, wasm_u8x16_narrow_i16x8(wasm_v128_and(a, splat16(0xff)), wasm_v128_and(b, splat16(0xff))));
  }
};

/// Truncates float16 to integers of 16 or 8 bits, modulo 2^kBits. Multiplies the significand, at the top of 16 bits, by
/// a power of two: the upper 17 of the product's 32 bits are the integer part.
template <int kBits>
struct Float16ToShort : StatelessKernel<16, 32, 2 * kBits> {
  /// The integer parts of eight numbers modulo 2^16. Numbers below 1, infinities and NaN give zero: no byte of `powers`
  /// holds their powers.
  static v128_t integer_part(v128_t x) {
    constexpr int kMantissa = 10, kBias = 15;
    const v128_t exponent = wasm_u16x8_shr(wasm_v128_and(x, splat16(0x7c00)), kMantissa);
    // The power is 2^(exponent - kBias), in 16 bits. Its low byte is powers[exponent - kBias], its high byte
    // powers[exponent - kBias - 8]; a swizzle gives 0 for indices beyond the table.
    const v128_t powers = wasm_i8x16_make(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const v128_t exponents = wasm_v128_or(exponent, wasm_i16x8_shl(exponent, 8));  // in both bytes
    const v128_t indices = wasm_i8x16_sub(exponents, splat16((kBias + 8) << 8 | kBias));
    const v128_t power = wasm_i8x16_swizzle(powers, indices);
    const v128_t significand = wasm_v128_or(wasm_i16x8_shl(x, 5), splat16(0x8000));  // with its hidden bit
    const v128_t magnitude =
        wasm_u16x8_narrow_i32x4(wasm_u32x4_shr(wasm_u32x4_extmul_low_u16x8(significand, power), 15),
                                wasm_u32x4_shr(wasm_u32x4_extmul_high_u16x8(significand, power), 15));
    const v128_t sign = wasm_i16x8_shr(x, 15);  // -1 where the magnitude is to be negated
    return wasm_i16x8_sub(wasm_v128_xor(magnitude, sign), sign);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t a = integer_part(load(src, 0)), b = integer_part(load(src, 1));
    if constexpr (kBits == 16) {
      store(dst, 0, a);
      store(dst, 1, b);
    } else {
      store(dst, 0, wasm_u8x16_narrow_i16x8(wasm_v128_and(a, splat16(0xff)), wasm_v128_and(b, splat16(0xff))));
    }
  }
};

}  // namespace

Step number_to_int32(Format from) {
  return pick_for(from, [](auto format) -> Step {
    constexpr FormatRow kRow = row_of(format);
    if constexpr (format == Format::kFloat32) {
      return run<Float32ToInt32>;
    } else if constexpr (format == Format::kFloat64) {
      return run<Float64ToInteger<false>>;
    } else if constexpr (!is_integer(kRow) || is_packed(kRow) || kRow.bits == 32) {
      return nullptr;
    } else if constexpr (kRow.bits == 64) {
      return run<Int64ToInt32>;
    } else {
      return run<Widen<kRow.bits, kRow.kind == Kind::kSigned>>;
    }
  });
}

Step number_to_int64(Format from) {
  return pick_for(from, [](auto format) -> Step {
    constexpr FormatRow kRow = row_of(format);
    if constexpr (format == Format::kFloat64) {
      return run<Float64ToInteger<true>>;
    } else if constexpr (is_integer(kRow) && kRow.bits == 32) {
      return run<Integer32ToInt64<kRow.kind == Kind::kSigned>>;
    } else {
      return nullptr;
    }
  });
}

Step narrow_int32(int bits) { return bits == 16 ? run<NarrowTo16> : run<NarrowTo8>; }
Step float32_to_int8(bool is_signed) { return is_signed ? run<Float32ToInt8<true>> : run<Float32ToInt8<false>>; }
Step float16_to_short(int bits) { return bits == 16 ? run<Float16ToShort<16>> : run<Float16ToShort<8>>; }

}  // namespace layout
