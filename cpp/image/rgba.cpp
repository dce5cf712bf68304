// image/pixels.h says what these functions do.

#include <algorithm>
#include <cstring>

#include "bits/vectors.h"
#include "image/pixels.h"

namespace layout {
namespace {

/// Loads one number of each of `count` pixels, at most four, which lie `step` numbers apart; zeros for pixels that are
/// missing.
v128_t load_numbers(const float* numbers, std::size_t step, std::size_t count) {
  if (count == 4) {
    if (step == 1) return load(numbers);
    return wasm_f32x4_make(numbers[0], numbers[step], numbers[2 * step], numbers[3 * step]);
  }
  float lanes[4] = {};
  for (std::size_t i = 0; i < count; ++i) lanes[i] = numbers[i * step];
  return load(lanes);
}

}  // namespace

/// Four pixels at a time: a vector for each of their four bytes, which a shuffle joins to pixels.
void write_rgba(const RgbaPixels& pixels) {
  const auto [dst, count, step, bytes] = pixels;
  for (std::size_t at = 0; at < count; at += 4) {
    const std::size_t quad_pixels = std::min<std::size_t>(4, count - at);
    // The four bytes of each pixel, in lanes of 32 bits; neighbors of the same numbers are computed once.
    v128_t v[4];
    LAYOUT_UNROLL for (std::size_t i = 0; i < 4; ++i) {
      const auto [numbers, scale, mean, std] = bytes[i];
      if (!numbers) {
        v[i] = splat32(255);
      } else if (i > 0 && numbers == bytes[i - 1].numbers) {
        v[i] = v[i - 1];
      } else {
        const v128_t normalized = load_numbers(numbers + at * step, step, quad_pixels);
        const v128_t product = wasm_f32x4_mul(normalized, wasm_f32x4_splat(std));
        const v128_t sum = wasm_f32x4_add(product, wasm_f32x4_splat(mean));
        const v128_t quotient = wasm_f32x4_div(sum, wasm_f32x4_splat(scale));
        v[i] = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(quotient));
      }
    }
    const v128_t planes = saturate_uint8(v[0], v[1], v[2], v[3]);
    // r0 r1 r2 r3 g0 g1 g2 g3 ... -> r0 g0 b0 a0 r1 g1 b1 a1 ...
    const v128_t quad = wasm_i8x16_shuffle(planes, planes, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    if (quad_pixels == 4)
      store(dst + 4 * at, quad);
    else
      std::memcpy(dst + 4 * at, &quad, 4 * quad_pixels);
  }
}

}  // namespace layout
