// Blocks of weights: scales of columns, and codes.

#include "quantize/columns.h"

#include <algorithm>

#include "bits/vectors.h"
#include "convert/steps.h"

namespace layout {
namespace {

v128_t splat(float x) { return wasm_f32x4_splat(x); }

/// The lowest and the highest number so far of each of four columns. Of zeros with different signs, the first one
/// stays.
struct Range {
  v128_t lowest, highest;

  /// Takes one more number of each column.
  void widen(v128_t x) {
    lowest = wasm_f32x4_pmin(lowest, x);
    highest = wasm_f32x4_pmax(highest, x);
  }
};

/// 1.5 * 2^23. Its sum with an integer below 2^22 has that integer in the low bits; a conversion would be seven
/// instructions in V8.
constexpr float kLowBits = 0x1.8p23f;

/// Rounds to the nearest integer, halves away from zero, for which V8 has no instruction: adds the float32 just below a
/// half, with the number's sign, and cuts. With a half itself, 0.49999997 would reach 1.
v128_t rounded(v128_t x) {
  const v128_t sign = wasm_v128_and(x, splat(-0.0f));
  const v128_t below_half = wasm_v128_or(splat(0x1.fffffep-2f), sign);
  return wasm_f32x4_trunc(wasm_f32x4_add(x, below_half));
}

/// The scale and the zero point of four columns.
struct Scale {
  v128_t scale, zero;
};

/// The scale that brings the number of the greatest magnitude to the lowest code, which lies 2^(bits - 1) below the
/// zero point: the scale is negative where that number is positive. `zero` is the rule's zero point.
Scale symmetric_scale(const Range& range, int bits, int zero) {
  const v128_t is_highest = wasm_f32x4_gt(wasm_f32x4_abs(range.highest), wasm_f32x4_abs(range.lowest));
  const v128_t greatest = wasm_v128_bitselect(range.highest, range.lowest, is_highest);
  const float middle = static_cast<float>(1 << (bits - 1));
  return {wasm_f32x4_div(wasm_f32x4_neg(greatest), splat(middle)), splat(static_cast<float>(zero))};
}

/// The scale that brings the range, widened to hold 0, to the codes 0 to 2^bits - 1; the zero point is the code of 0.
Scale range_scale(Range range, int bits) {
  range.widen(splat(0));
  const v128_t highest_code = splat(static_cast<float>((1 << bits) - 1));
  const v128_t scale = wasm_f32x4_div(wasm_f32x4_sub(range.highest, range.lowest), highest_code);
  // A scale of 0 gives NaN here, or infinity; the mask below then makes the zero point 0.
  const v128_t exact = wasm_f32x4_sub(splat(0), wasm_f32x4_div(range.lowest, scale));
  const v128_t inside = wasm_f32x4_pmin(wasm_f32x4_pmax(splat(0), exact), highest_code);
  const v128_t has_scale = wasm_f32x4_ne(scale, splat(0));
  return {scale, wasm_v128_and(rounded(inside), has_scale)};
}

/// The low bytes of the 32-bit lanes of four vectors, in one vector. The mask keeps them from saturating.
v128_t low_bytes(const v128_t (&x)[4]) {
  v128_t bytes[4];
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) bytes[i] = wasm_v128_and(x[i], splat32(0xff));
  return saturate_uint8(bytes[0], bytes[1], bytes[2], bytes[3]);
}

/// Sixteen columns of a block, whose float32 numbers fill a line of the cache in each row.
struct Group {
  const std::uint8_t* src;
  std::uint32_t rows;
  std::size_t stride;  // in bytes
};

/// Makes the scales and zero points of a group's sixteen columns, four a Scale. Returns whether all numbers are finite.
bool make_scales(const ColumnRule& rule, const Group& group, Scale (&scales)[4]) {
  Range ranges[4];
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) ranges[i] = {load(group.src, i), load(group.src, i)};
  // 0 times a number is 0 if it is finite, and otherwise NaN, which stays NaN in sums.
  v128_t products[4] = {splat(0), splat(0), splat(0), splat(0)};
  const std::uint8_t* at = group.src;
  for (std::uint32_t row = 0; row < group.rows; ++row, at += group.stride) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      const v128_t x = load(at, i);
      ranges[i].widen(x);
      products[i] = wasm_f32x4_add(products[i], wasm_f32x4_mul(x, splat(0)));
    }
  }
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
    scales[i] = rule.symmetric ? symmetric_scale(ranges[i], rule.bits, rule.zero) : range_scale(ranges[i], rule.bits);
  }
  const v128_t sum = wasm_f32x4_add(wasm_f32x4_add(products[0], products[1]), wasm_f32x4_add(products[2], products[3]));
  const bool has_nan = wasm_v128_any_true(wasm_f32x4_ne(sum, sum));
  return !has_nan;
}

/// Rounds the scales of sixteen columns to a float format of 16 bits, and takes them back to float32.
void round_scales(Format format, Scale (&scales)[4]) {
  std::uint8_t numbers[16 * 4], codes[16 * 2];  // float32; of the format
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(numbers, i, scales[i].scale);
  float32_to_float(format)(numbers, codes, 16, {});
  float_to_float32(format)(codes, numbers, 16, {});
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) scales[i].scale = load(numbers, i);
}

/// The squares of four float32 errors, as float64, of which each lane sums two.
v128_t squares_of(v128_t errors) {
  const v128_t low = wasm_f64x2_promote_low_f32x4(errors), high = wasm_f64x2_promote_low_f32x4(high_half(errors));
  return wasm_f64x2_add(wasm_f64x2_mul(low, low), wasm_f64x2_mul(high, high));
}

/// How many codes, of rows one below the other, share a byte.
std::uint32_t codes_in_byte(const ColumnRule& rule) {
  return rule.joined ? 8 / static_cast<std::uint32_t>(rule.bits) : 1;
}

/// Writes the codes of a group's sixteen columns: sixteen bytes for each row, or for each 8 / bits rows where codes
/// share bytes, `dst_stride` bytes apart. Returns the sum of the squared errors, or 0 if not kMeasured.
template <bool kMeasured>
double put_codes(const ColumnRule& rule, const Group& group, const Scale (&scales)[4], std::uint8_t* dst,
                 std::size_t dst_stride) {
  // A scale of 0 has the reciprocal 0. The zero point is added before rounding or after it; the other sum adds 0.
  v128_t reciprocals[4], zeros_before[4], zeros_after[4];
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
    const auto [scale, zero] = scales[i];
    reciprocals[i] = wasm_v128_and(wasm_f32x4_div(splat(1), scale), wasm_f32x4_ne(scale, splat(0)));
    zeros_before[i] = rule.after ? zero : splat(0);
    zeros_after[i] = rule.after ? splat(0) : zero;
  }
  const v128_t lowest = splat(static_cast<float>(rule.lowest));
  const v128_t highest = splat(static_cast<float>(rule.lowest + (1 << rule.bits) - 1));
  const std::uint32_t joined = codes_in_byte(rule);
  v128_t squares = wasm_f64x2_splat(0);
  const std::uint8_t* at = group.src;
  for (std::uint32_t row = 0; row < group.rows; row += joined, dst += dst_stride) {
    // Bytes are sums of codes times powers of 2^bits, so joined codes need no shift. kLowBits brings them to the low
    // bits.
    v128_t bytes[4] = {splat(kLowBits), splat(kLowBits), splat(kLowBits), splat(kLowBits)};
    v128_t weight = splat(1);
    for (std::uint32_t left = std::min(joined, group.rows - row); left > 0; --left, at += group.stride) {
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
        const v128_t x = load(at, i);
        v128_t product = wasm_f32x4_mul(x, reciprocals[i]);
        product = wasm_v128_and(product, wasm_f32x4_eq(product, product));  // NaN counts as 0
        const v128_t sum = wasm_f32x4_add(rounded(wasm_f32x4_add(product, zeros_before[i])), zeros_after[i]);
        const v128_t code = wasm_f32x4_pmin(wasm_f32x4_pmax(sum, lowest), highest);
        bytes[i] = wasm_f32x4_add(bytes[i], wasm_f32x4_mul(code, weight));
        if constexpr (kMeasured) {
          const v128_t number = wasm_f32x4_mul(wasm_f32x4_sub(code, scales[i].zero), scales[i].scale);
          squares = wasm_f64x2_add(squares, squares_of(wasm_f32x4_sub(number, x)));
        }
      }
      weight = wasm_f32x4_mul(weight, splat(static_cast<float>(1 << rule.bits)));
    }
    store(dst, low_bytes(bytes));
  }
  return wasm_f64x2_extract_lane(squares, 0) + wasm_f64x2_extract_lane(squares, 1);
}

}  // namespace

/// Quantizes blocks of rows, sixteen columns at a time.
double quantize_columns(const QuantizedColumns& request) {
  auto [rule, matrix, scales, zeros, codes] = request;
  const auto put = rule.measured ? put_codes<true> : put_codes<false>;
  const std::uint32_t joined = codes_in_byte(rule);
  const std::size_t stride = 4 * static_cast<std::size_t>(matrix.stride);
  const std::uint8_t* src = matrix.src;
  double squares = 0;
  for (std::uint32_t row = 0; row < matrix.rows; row += matrix.block) {
    const std::uint32_t height = std::min(matrix.block, matrix.rows - row);
    // Of each sixteen columns of the block: scales, then codes, then scales and zero points to their rows.
    for (std::uint32_t column = 0; column < matrix.columns; column += 16) {
      const Group group{src + 4 * column, height, stride};
      Scale group_scales[4];
      if (!make_scales(rule, group, group_scales)) return -1;
      if (rule.rounded != Format::kFloat32) round_scales(rule.rounded, group_scales);
      squares += put(rule, group, group_scales, codes + column, matrix.columns);
      v128_t zero_bytes[4];
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
        store(scales + column, i, group_scales[i].scale);
        zero_bytes[i] = wasm_f32x4_add(group_scales[i].zero, splat(kLowBits));  // the integer in the low byte
      }
      store(zeros + column, low_bytes(zero_bytes));
    }
    // To the next block; only the last one's height may be no multiple of `joined`.
    src += stride * height;
    codes += static_cast<std::size_t>(matrix.columns) * (height / joined);
    scales += matrix.columns;
    zeros += matrix.columns;
  }
  return squares;
}

}  // namespace layout
