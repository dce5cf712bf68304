// Blocks of weights: scales of columns, and codes.

#include "quantize/columns.h"

#include <cstring>

#include "bits/vectors.h"

namespace layout {
namespace {

v128_t splat(float x) { return wasm_f32x4_splat(x); }

/// Rounds numbers below 2^22 half away from zero: V8 has no such instruction.
v128_t rounded(v128_t x) {
  const v128_t whole = wasm_f32x4_trunc(x);
  const v128_t away = wasm_f32x4_ge(wasm_f32x4_abs(wasm_f32x4_sub(x, whole)), splat(0.5f));
  const v128_t one = wasm_v128_or(splat(1), wasm_v128_and(x, splat(-0.0f)));
  return wasm_f32x4_add(whole, wasm_v128_and(away, one));
}

/// The lowest and the highest of equals are the first of them: the sign of a zero is the first one's.
struct Range {
  v128_t lowest, highest;

  void widen(v128_t x) {
    lowest = wasm_f32x4_pmin(lowest, x);
    highest = wasm_f32x4_pmax(highest, x);
  }
};

void put_symmetric(const Range& range, int top, float* scale, float* zero) {
  const float middle = static_cast<float>((top + 1) / 2);
  const v128_t is_highest = wasm_f32x4_gt(wasm_f32x4_abs(range.highest), wasm_f32x4_abs(range.lowest));
  const v128_t greatest = wasm_v128_bitselect(range.highest, range.lowest, is_highest);
  store(scale, wasm_f32x4_div(wasm_f32x4_neg(greatest), splat(middle)));
  store(zero, splat(middle));
}

void put_range(Range range, int top, float* scale, float* zero) {
  range.widen(splat(0));
  const v128_t most = splat(static_cast<float>(top));
  const v128_t scales = wasm_f32x4_div(wasm_f32x4_sub(range.highest, range.lowest), most);
  // A scale of 0 gives NaN here, or infinity: it has the zero point 0.
  const v128_t exact = wasm_f32x4_sub(splat(0), wasm_f32x4_div(range.lowest, scales));
  const v128_t inside = wasm_f32x4_pmin(wasm_f32x4_pmax(splat(0), exact), most);
  store(scale, scales);
  store(zero, wasm_v128_and(rounded(inside), wasm_f32x4_ne(scales, splat(0))));
}

}  // namespace

bool column_scales(bool symmetric, int top, std::uint32_t rows, std::uint32_t columns, const std::uint8_t* src,
                   float* scales, float* zeros) {
  // 0 times a number is 0 if it is finite, and otherwise NaN, which stays NaN in sums.
  v128_t infinite = splat(0);
  const v128_t lane = wasm_i32x4_make(0, 1, 2, 3);
  // Sixteen columns are a line of the cache: each line is read once.
  for (std::uint32_t column = 0; column < columns; column += 16) {
    const std::uint8_t* at = src + 4 * column;
    Range ranges[4];
    v128_t there[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      // What lies behind the last column is the next row, or anything behind the last row.
      there[i] = wasm_i32x4_lt(lane, wasm_i32x4_splat(static_cast<std::int32_t>(columns - column) - 4 * i));
      const v128_t x = wasm_v128_and(load(at, i), there[i]);
      ranges[i] = {x, x};
    }
    for (std::uint32_t row = 0; row < rows; ++row, at += 4 * columns) {
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
        const v128_t x = wasm_v128_and(load(at, i), there[i]);
        ranges[i].widen(x);
        infinite = wasm_f32x4_add(infinite, wasm_f32x4_mul(x, splat(0)));
      }
    }
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      if (symmetric) {
        put_symmetric(ranges[i], top, scales + column + 4 * i, zeros + column + 4 * i);
      } else {
        put_range(ranges[i], top, scales + column + 4 * i, zeros + column + 4 * i);
      }
    }
  }
  return !wasm_v128_any_true(wasm_f32x4_ne(infinite, infinite));
}

void column_codes(bool after, float lowest, float highest, std::uint32_t rows, std::uint32_t columns,
                  const std::uint8_t* src, const float* reciprocals, const float* zeros, std::uint8_t* dst) {
  const v128_t least = splat(lowest), most = splat(highest);
  // Beyond any code, and within what `rounded` takes.
  const v128_t far = splat(0x1p20f);
  const auto code = [&](std::uint32_t row, std::uint32_t column) {
    const v128_t x = load(src + 4 * (static_cast<std::size_t>(row) * columns + column));
    const v128_t zero = load(zeros + column);
    v128_t product = wasm_f32x4_mul(x, load(reciprocals + column));
    product = wasm_v128_and(product, wasm_f32x4_eq(product, product));
    product = wasm_f32x4_pmin(wasm_f32x4_pmax(product, wasm_f32x4_neg(far)), far);
    const v128_t sum = after ? rounded(wasm_f32x4_add(product, zero)) : wasm_f32x4_add(rounded(product), zero);
    // A whole number stands in the low bits of its sum with this one. V8 compiles a conversion to seven instructions.
    const v128_t magic = splat(0x1.8p23f);
    return wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_pmin(wasm_f32x4_pmax(sum, least), most), magic), magic);
  };
  const v128_t low_bytes = splat16(0xff);
  for (std::uint32_t row = 0; row < rows; ++row, dst += columns) {
    for (std::uint32_t column = 0; column < columns; column += 8) {
      const v128_t pair = wasm_v128_and(wasm_i16x8_narrow_i32x4(code(row, column), code(row, column + 4)), low_bytes);
      const v128_t codes = wasm_u8x16_narrow_i16x8(pair, pair);
      if (column + 8 <= columns) {
        store_part<8>(dst + column, codes);
      } else {
        std::uint8_t some[16];
        store(some, codes);
        std::memcpy(dst + column, some, columns - column);
      }
    }
  }
}

}  // namespace layout
