// Floats of 6, 8 and 16 bits to float32. A decoder is a kernel (steps.h): its operator() reads 16 codes and writes 16
// float32 numbers.

#include "bits/vectors.h"
#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

constexpr std::uint32_t kSign16 = 0x8000;

/// Whether one of sixteen magnitudes of 16 bits lies above `limit`.
bool any_above(v128_t a, v128_t b, std::uint32_t limit) {
  return wasm_v128_any_true(wasm_i16x8_gt(opaque(wasm_i16x8_max(a, b)), splat16(limit)));
}

/// Decodes bfloat16: it is the high half of float32. NaNs become the quiet one of their sign.
struct DecodeBfloat16 : StatelessKernel<16, 32, 64> {
  static constexpr std::uint32_t kInfinity = kFloat32Infinity >> 16, kNan = kFloat32Nan >> 16;

  /// Returns codes `x`, with those whose magnitudes are NaN made the quiet NaN of their sign.
  static v128_t mend_nan(v128_t x, v128_t magnitude) {
    const v128_t nan = wasm_i16x8_gt(opaque(magnitude), splat16(kInfinity));
    return wasm_v128_bitselect(wasm_v128_or(wasm_v128_and(x, splat16(kSign16)), splat16(kNan)), x, nan);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t a = load(src, 0), b = load(src, 1);
    const v128_t magnitude_a = wasm_v128_andnot(a, splat16(kSign16)),
                 magnitude_b = wasm_v128_andnot(b, splat16(kSign16));
    if (any_above(magnitude_a, magnitude_b, kInfinity)) {
      a = mend_nan(a, magnitude_a);
      b = mend_nan(b, magnitude_b);
    }
    const v128_t zero = splat16(0);  // the low halves
    store(dst, 0, zip_low<16>(zero, a));
    store(dst, 1, zip_high<16>(zero, a));
    store(dst, 2, zip_low<16>(zero, b));
    store(dst, 3, zip_high<16>(zero, b));
  }
};

/// Decodes float16. Let E be the exponent field (1 for subnormal numbers too) and M the significand with its hidden
/// bit. M as the low half of a float32 from 2^(E - 2) on counts in float16's own units. Subtracting 2^(E - 2) leaves
/// the number, exactly and without a denormal on the way. Where 16 bits are enough, eight lanes share a vector. The
/// bits of infinities and the sign are set at the end.
///   power * 2^16 + M  -  power * 2^16  =  number      (16-bit halves of a 32-bit lane: power, M)
struct DecodeFloat16 : StatelessKernel<16, 32, 64> {
  static constexpr std::uint32_t kInfinity = 0x7c00, kLargest = 0x7bff;

  /// Writes eight float32 numbers, vectors `index` and `index + 1` of `dst`, of the magnitudes of eight codes, which
  /// are at most infinity. Sets the bits of `set` in the upper half of each float32.
  static void put(std::uint8_t* dst, int index, v128_t magnitude, v128_t set) {
    const v128_t steps = wasm_u16x8_sub_sat(wasm_v128_and(magnitude, splat16(kInfinity)), splat16(1u << 10));  // E - 1
    const v128_t significand = wasm_i16x8_sub(magnitude, steps);
    // The upper half of the bits of 2^(E - 2).
    const v128_t power = wasm_i16x8_add(wasm_u16x8_shr(steps, 3), splat16((127 - 1) << 7));
    const v128_t zero = splat16(0);
    const v128_t low = wasm_f32x4_sub(zip_low<16>(significand, power), zip_low<16>(zero, power));
    const v128_t high = wasm_f32x4_sub(zip_high<16>(significand, power), zip_high<16>(zero, power));
    store(dst, index, wasm_v128_or(low, zip_low<16>(zero, set)));
    store(dst, index + 1, wasm_v128_or(high, zip_high<16>(zero, set)));
  }

  /// The bits to set in the upper halves of infinities and NaNs: their exponents, and the bit of a quiet NaN. 0 for
  /// numbers.
  static v128_t special_bits(v128_t magnitude) {
    const v128_t infinite =
        wasm_v128_and(wasm_i16x8_gt(opaque(magnitude), splat16(kLargest)), splat16(kFloat32Infinity >> 16));
    const v128_t nan = wasm_v128_and(wasm_i16x8_gt(opaque(magnitude), splat16(kInfinity)), splat16(kFloat32Nan >> 16));
    return wasm_v128_or(infinite, nan);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t a = load(src, 0), b = load(src, 1);
    v128_t set_a = wasm_v128_and(a, splat16(kSign16)), set_b = wasm_v128_and(b, splat16(kSign16));
    v128_t magnitude_a = wasm_v128_xor(a, set_a), magnitude_b = wasm_v128_xor(b, set_b);
    // Infinities and NaNs are rare. Their magnitudes become infinity, whose mantissa is 0, as `put` needs it.
    if (any_above(magnitude_a, magnitude_b, kLargest)) {
      set_a = wasm_v128_or(set_a, special_bits(magnitude_a));
      set_b = wasm_v128_or(set_b, special_bits(magnitude_b));
      magnitude_a = wasm_i16x8_min(magnitude_a, splat16(kInfinity));
      magnitude_b = wasm_i16x8_min(magnitude_b, splat16(kInfinity));
    }
    put(dst, 0, magnitude_a, set_a);
    put(dst, 2, magnitude_b, set_b);
  }
};

/// Decodes codes of one byte to float32, of which only the high 16 bits can be nonzero. Kernel::widen computes these,
/// for 16 codes, as bytes `low` and `high`.
///   low l, high h  -> zipped: hl hl ..  -> zipped with zeros: hl00 hl00 ..
template <class Kernel>
struct DecodeByte : StatelessKernel<16, 16, 64> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t low, high;
    Kernel::widen(load(src, 0), low, high);
    const v128_t zero = splat16(0), first = zip_low<8>(low, high), second = zip_high<8>(low, high);
    store(dst, 0, zip_low<16>(zero, first));
    store(dst, 1, zip_high<16>(zero, first));
    store(dst, 2, zip_low<16>(zero, second));
    store(dst, 3, zip_high<16>(zero, second));
  }
};

/// Widens float8 and float6: shifts the code and adds the difference of the biases. That is wrong for subnormal
/// numbers, infinity and NaN, which are among the lowest 16 and the highest 16 magnitudes. Two tables hold the
/// differences for these; a swizzle gives zero for all other magnitudes.
template <Format F>
struct WidenFloat {
  static constexpr FormatRow kRow = row_of(F);
  static_assert(kRow.mantissa <= 4 && (kRow.bits == 8 || kRow.special == Special::kFinite));
  // The upper half of a float32 is the magnitude code << kUp, plus the difference of the biases << 7. Bytes do not
  // carry into each other, so an odd difference adds its 1 before the shift, and half of the difference to the upper
  // byte.
  static constexpr int kUp = 7 - kRow.mantissa;
  static constexpr std::uint8_t kOdd = (127 - kRow.bias) % 2 << kRow.mantissa;
  static constexpr std::uint8_t kRebias = (127 - kRow.bias) / 2;

  struct Differences {
    alignas(16) std::uint8_t low[16] = {}, high[16] = {};
  };
  // A lambda, because a static member function could not be called before the class is complete.
  // For 16 magnitude codes from `first_code` on: what to add to each byte of the shifted, biased code, modulo 256, to
  // get the exact float32.
  static constexpr auto differences = [](std::uint32_t first_code) {
    Differences result;
    for (std::uint32_t i = 0; i < 16; ++i) {
      const std::uint32_t exact = float32_of_code(kRow, first_code + i) >> 16, biased = first_code + i + kOdd;
      result.low[i] = static_cast<std::uint8_t>(exact - (biased << kUp));
      result.high[i] = static_cast<std::uint8_t>((exact >> 8) - ((biased >> (8 - kUp)) + kRebias));
    }
    return result;
  };
  static constexpr std::uint8_t kTop = 0x70;
  static constexpr Differences kLowest = differences(0);
  static constexpr Differences kHighest = differences(kTop);

  /// Computes the two upper bytes of each float32 of 16 codes. The shift by kUp crosses bytes: `low` gets the biased
  /// code shifted left, `high` the bits that leave it at the top.
  static void widen(v128_t x, v128_t& low, v128_t& high) {
    v128_t sign = wasm_v128_and(x, splat8(1u << (kRow.bits - 1)));
    const v128_t magnitude = wasm_v128_xor(x, sign);
    if constexpr (is_packed(kRow)) sign = wasm_i16x8_shl(sign, 8 - kRow.bits);
    const v128_t biased = wasm_i8x16_add(magnitude, splat8(kOdd));
    low = wasm_i8x16_add(shl_bytes<kUp>(biased), wasm_i8x16_swizzle(load(kLowest.low), magnitude));
    high = wasm_i8x16_add(wasm_i8x16_add(shr_bytes<8 - kUp>(biased), splat8(kRebias)),
                          wasm_i8x16_swizzle(load(kLowest.high), magnitude));
    if constexpr (kRow.special == Special::kFnuz) {
      const v128_t nan = wasm_i8x16_eq(x, splat8(nan_code(kRow)));
      low = wasm_v128_or(low, wasm_v128_and(nan, splat8(kFloat32Nan >> 16 & 0xff)));
      high = wasm_v128_xor(wasm_v128_or(high, sign), nan);  // of NaN: 80 becomes 7f
    } else if constexpr (kRow.special == Special::kFinite) {
      high = wasm_v128_or(high, sign);
    } else {
      // A swizzle gives zero for an index of 16 or more, which lower magnitudes have after this wraps around.
      const v128_t from_top = wasm_i8x16_sub(magnitude, splat8(kTop));
      low = wasm_i8x16_add(low, wasm_i8x16_swizzle(load(kHighest.low), from_top));
      high = wasm_v128_or(wasm_i8x16_add(high, wasm_i8x16_swizzle(load(kHighest.high), from_top)), sign);
    }
  }
};

/// Widens float8e8m0, which is float32's exponent field, except at the ends: code 0, 2^-127, is a denormal, and the
/// all-ones code is NaN, not infinity. Both need the top bit of the mantissa, 0x40 in the low byte.
struct WidenScale {
  static void widen(v128_t x, v128_t& low, v128_t& high) {
    const v128_t end = wasm_v128_or(wasm_i8x16_eq(x, splat8(0)), wasm_i8x16_eq(x, splat8(0xff)));
    low = wasm_v128_or(shl_bytes<7>(x), wasm_v128_and(end, splat8(0x40)));
    high = shr_bytes<1>(x);
  }
};

}  // namespace

Step float_to_float32(Format from) {
  return pick_for(from, [](auto format) -> Step {
    constexpr FormatRow kRow = row_of(format);
    if constexpr (!is_float(kRow) || has_short_table(kRow) || kRow.bits >= 32) {
      return nullptr;
    } else if constexpr (format == Format::kFloat16) {
      return run<DecodeFloat16>;
    } else if constexpr (format == Format::kBfloat16) {
      return run<DecodeBfloat16>;
    } else if constexpr (kRow.special == Special::kScale) {
      return run<DecodeByte<WidenScale>>;
    } else {
      return run<DecodeByte<WidenFloat<format>>>;
    }
  });
}

}  // namespace layout
