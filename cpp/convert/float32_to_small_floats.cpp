// Float32 to floats of at most 16 bits. An encoder is a kernel (steps.h): its operator() reads 16 float32 numbers and
// writes their codes.

#include "bits/vectors.h"
#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

/// All-ones in the lanes of NaNs.
v128_t nan_lanes(v128_t x) { return wasm_f32x4_ne(x, x); }

/// Whether one of sixteen elements may be NaN: then their sum is NaN. Elements without NaN skip the work for it:
/// measured 1.1x (float8) to 1.4x (bfloat16) faster. Infinities of both signs have a NaN as their sum too; the extra
/// work does them no harm.
bool may_have_nan(v128_t a, v128_t b, v128_t c, v128_t d) {
  return wasm_v128_any_true(nan_lanes(wasm_f32x4_add(wasm_f32x4_add(a, b), wasm_f32x4_add(c, d))));
}

/// Rounds |x| to the numbers of a format F with M mantissa bits, inside float32. Adding 2^(23 - M) times the power of
/// two below |x| (below F's normal numbers: times F's lowest power) rounds to nearest even. The bits of the sum have
/// the significand, with its hidden bit, as an integer in their low half, and the exponent field of the sum, 7 bits up,
/// in their high half. F's code is that exponent above the mantissa, plus the significand, less a constant: an encoder
/// adds both by one weighted sum of the halves. A significand that was rounded up carries into the exponent by itself.
/// No step makes or reads a float32 denormal, unless x is one.
template <Format F>
struct Rounder {
  static constexpr FormatRow kRow = row_of(F);
  /// The float32 bits of F's lowest normal number, 2^(1 - bias).
  static constexpr std::uint32_t kMinNormal = static_cast<std::uint32_t>(128 - kRow.bias) << 23;
  static constexpr std::uint32_t kShift = 23 - kRow.mantissa;
  /// The float32 bits of what is added to F's lowest numbers: the sum for 0.
  static constexpr std::uint32_t kLowestSum = kMinNormal + (kShift << 23);
  v128_t limit;  // larger magnitudes become this one

  /// Limits magnitudes to F's largest number, or without `saturate` to the code after it: infinity or NaN.
  explicit Rounder(bool saturate)
      : limit(splat32(float32_of_magnitude(kRow, largest_code(kRow) + (saturate ? 0 : 1)))) {}

  /// The sum for four numbers. Compared as integers, NaN is beyond the limit and becomes the limit too.
  v128_t operator()(v128_t x) const { return rounded(wasm_i32x4_min(magnitude_of(x), limit)); }
  /// The sum for four numbers. NaN stays NaN: pmin takes the limit only if that is less.
  v128_t keeping_nan(v128_t x) const { return rounded(wasm_f32x4_pmin(magnitude_of(x), limit)); }

 private:
  static v128_t magnitude_of(v128_t x) { return wasm_v128_and(x, splat32(0x7fffffff)); }
  /// Adds 2^(23 - M) times the power of two below each magnitude, by adding 23 - M to the power's exponent field.
  static v128_t rounded(v128_t magnitude) {
    const v128_t power = wasm_i32x4_max(wasm_v128_and(magnitude, splat32(kFloat32Infinity)), splat32(kMinNormal));
    return wasm_f32x4_add(magnitude, wasm_i32x4_add(power, splat32(kShift << 23)));
  }
};

/// Encodes float32 in formats of one byte to a code: all float8 except float8e8m0, and float6 and float4 not yet
/// packed.
template <Format F>
struct EncodeByte {
  static constexpr std::size_t kElements = 16, kIn = 64, kOut = 16;
  static constexpr FormatRow kRow = row_of(F);
  static_assert(kRow.bits <= 8);
  using Round = Rounder<F>;
  Round round;

  /// A format without infinity and NaN (kFinite) always saturates.
  explicit EncodeByte(const StepContext& context)
      : round(kRow.special == Special::kFinite || context.options.saturate) {}

  /// The magnitude codes of eight numbers, one to a 16-bit lane. The high half of a rounded lane holds the exponent, 7
  /// bits up; the weight of the low half moves the significand up by kUp, so that both meet. Subtracting the lowest
  /// exponent and shifting down by kUp gives the code.
  v128_t codes(v128_t a, v128_t b) const {
    constexpr int kUp = 7 - kRow.mantissa;
    const v128_t weights = splat32(1u << 16 | 1u << kUp);  // of the high half, and of the low half
    const v128_t sum_a = wasm_i32x4_dot_i16x8(round(a), weights), sum_b = wasm_i32x4_dot_i16x8(round(b), weights);
    const v128_t sums = wasm_i16x8_narrow_i32x4(sum_a, sum_b);
    return wasm_u16x8_shr(wasm_i16x8_sub(sums, splat16(Round::kLowestSum >> 16)), kUp);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t a = load(src, 0), b = load(src, 1), c = load(src, 2), d = load(src, 3);
    v128_t code = wasm_u8x16_narrow_i16x8(codes(a, b), codes(c, d));
    if (may_have_nan(a, b, c, d)) {
      const v128_t nan = saturate_int8(nan_lanes(a), nan_lanes(b), nan_lanes(c), nan_lanes(d));
      code = wasm_v128_bitselect(splat8(nan_code(kRow)), code, nan);
    }
    v128_t sign = wasm_v128_and(splat8(0x80), saturate_int8(a, b, c, d));
    if constexpr (is_packed(kRow)) sign = wasm_u16x8_shr(sign, 8 - kRow.bits);  // from bit 7 to the format's top bit
    // These formats have no -0.
    if constexpr (kRow.special == Special::kFnuz) sign = wasm_v128_andnot(sign, wasm_i8x16_eq(code, splat8(0)));
    store(dst, 0, wasm_v128_or(code, sign));
  }
};

/// Encodes float32 in float16. NaN passes the limit and the addition and ends up beyond 16 bits, so narrowing saturates
/// it to 0xffff, which then becomes the code of NaN, the highest one.
struct EncodeFloat16 {
  static constexpr std::size_t kElements = 16, kIn = 64, kOut = 32;
  static constexpr FormatRow kRow = row_of(Format::kFloat16);
  using Round = Rounder<Format::kFloat16>;
  Round round;

  explicit EncodeFloat16(const StepContext&) : round(false) {}

  /// The magnitude codes of four numbers, one to a lane. The exponent, 7 bits up in the high half of a rounded lane,
  /// moves up to the 10 mantissa bits; then the lowest exponent is subtracted.
  v128_t code(v128_t x) const {
    constexpr std::uint32_t kHighWeight = 1u << (kRow.mantissa - 7), kLowWeight = 1;
    const v128_t sum = wasm_i32x4_dot_i16x8(round.keeping_nan(x), splat32(kHighWeight << 16 | kLowWeight));
    return wasm_i32x4_sub(sum, splat32(Round::kLowestSum >> Round::kShift));
  }

  /// The codes of eight numbers, with their signs: narrowing saturates, which keeps the sign bits of `a` and `b`.
  v128_t codes(v128_t a, v128_t b) const {
    const v128_t magnitude = wasm_u16x8_min(wasm_u16x8_narrow_i32x4(code(a), code(b)), splat16(nan_code(kRow)));
    return wasm_v128_or(magnitude, wasm_v128_and(wasm_i16x8_narrow_i32x4(a, b), splat16(0x8000)));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    store(dst, 0, codes(load(src, 0), load(src, 1)));
    store(dst, 1, codes(load(src, 2), load(src, 3)));
  }
};

/// Encodes float32 in bfloat16, which has the same exponents: rounding float32's high half, carries included, is the
/// whole conversion.
struct EncodeBfloat16 : StatelessKernel<16, 64, 32> {
  /// The high halves of four numbers, rounded to nearest even, in the low halves of their lanes: adds almost half a
  /// unit of the high half, and the rest of it where the high half is odd.
  static v128_t rounded_high_halves(v128_t x) {
    const v128_t odd = wasm_v128_and(wasm_u32x4_shr(x, 16), splat32(1));
    return wasm_u32x4_shr(wasm_i32x4_add(wasm_i32x4_add(x, splat32(0x7fff)), odd), 16);
  }

  static v128_t codes(v128_t a, v128_t b) {
    return wasm_u16x8_narrow_i32x4(rounded_high_halves(a), rounded_high_halves(b));
  }

  /// Overwrites the codes of NaNs, which rounding changed, with the quiet NaN of the same sign.
  static v128_t mend_nan(v128_t codes, v128_t a, v128_t b) {
    const v128_t nan = wasm_i16x8_narrow_i32x4(nan_lanes(a), nan_lanes(b));
    const v128_t sign = wasm_v128_and(wasm_i16x8_narrow_i32x4(a, b), splat16(0x8000));
    return wasm_v128_bitselect(wasm_v128_or(sign, splat16(kFloat32Nan >> 16)), codes, nan);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t a = load(src, 0), b = load(src, 1), c = load(src, 2), d = load(src, 3);
    v128_t first = codes(a, b), second = codes(c, d);
    if (may_have_nan(a, b, c, d)) {
      first = mend_nan(first, a, b);
      second = mend_nan(second, c, d);
    }
    store(dst, 0, first);
    store(dst, 1, second);
  }
};

/// Encodes float32 in float8e8m0, whose code is float32's exponent field of a power of two. Compared as signed
/// integers, the bits of positive floats have the floats' order, and negative floats lie below them.
struct EncodeScale {
  static constexpr std::size_t kElements = 16, kIn = 64, kOut = 16;
  static constexpr std::uint32_t kMantissaUnits = 1u << 23;       // from a power of two to the next one
  static constexpr std::uint32_t kSmallest = kMantissaUnits / 2;  // 2^-127, denormal
  static constexpr std::uint32_t kLargest = 0x7f000000;           // 2^127
  v128_t increment;                                               // added to the bits before the mantissa is cut off
  bool saturate;

  explicit EncodeScale(const StepContext& context) : saturate(context.options.saturate) {
    const ScaleRounding rounding = context.options.scale_rounding;
    // Up: all but powers of two carry into the exponent. Nearest: from half the mantissa on, ties too.
    increment = splat32(rounding == ScaleRounding::kUp        ? kMantissaUnits - 1
                        : rounding == ScaleRounding::kNearest ? kMantissaUnits / 2
                                                              : 0);
  }

  /// The codes of four numbers, in the low bytes of the lanes. Without `saturate`, numbers outside of 2^-127 to 2^127
  /// get the code of NaN, 0xff, as NaN always does.
  v128_t code(v128_t x) const {
    const v128_t inside = wasm_i32x4_min(wasm_i32x4_max(x, splat32(kSmallest)), splat32(kLargest));
    // Denormals have no hidden bit. This gives denormals from 2^-127 on the mantissa of an exponent field of 0.
    const v128_t below_normal = wasm_i32x4_min(wasm_i32x4_sub(inside, splat32(kMantissaUnits)), splat32(0));
    const v128_t bits = wasm_i32x4_add(inside, below_normal);
    const v128_t power = wasm_u32x4_shr(wasm_i32x4_add(bits, increment), 23);
    const v128_t is_valid = saturate ? wasm_f32x4_eq(x, x) : wasm_i32x4_eq(inside, x);
    return wasm_v128_or(power, wasm_v128_andnot(splat32(0xff), is_valid));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    store(dst, 0, saturate_uint8(code(load(src, 0)), code(load(src, 1)), code(load(src, 2)), code(load(src, 3))));
  }
};

}  // namespace

Step float32_to_float(Format to) {
  return pick_for(to, [](auto format) -> Step {
    constexpr FormatRow kRow = row_of(format);
    if constexpr (!is_float(kRow) || kRow.bits >= 32) {
      return nullptr;
    } else if constexpr (format == Format::kFloat16) {
      return run<EncodeFloat16>;
    } else if constexpr (format == Format::kBfloat16) {
      return run<EncodeBfloat16>;
    } else if constexpr (kRow.special == Special::kScale) {
      return run<EncodeScale>;
    } else {
      return run<EncodeByte<format>>;
    }
  });
}

}  // namespace layout
