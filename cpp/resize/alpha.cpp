// resize/alpha.h says what these functions do.

#include "resize/alpha.h"

#include <algorithm>

#include "bits/vectors.h"

namespace layout {
namespace {

/// Divides by 255, rounded to nearest: right for all products of two bytes.
inline v128_t divide_by_255(v128_t x) {
  const v128_t t = wasm_i16x8_add(x, splat16(128));
  return wasm_u16x8_shr(wasm_i16x8_add(t, wasm_u16x8_shr(t, 8)), 8);
}

/// For each byte of a vector, which byte of the vector is its alpha; and all bits where the byte is alpha itself.
struct Places {
  std::uint8_t alpha[16];
  std::uint8_t is_alpha[16];
};

/// The places for pixels of 2 or 4 channels.
Places places_of(int channels) {
  Places places;
  for (int i = 0; i < 16; ++i) {
    const int alpha = i / channels * channels + channels - 1;
    places.alpha[i] = static_cast<std::uint8_t>(alpha);
    places.is_alpha[i] = i == alpha ? 255 : 0;
  }
  return places;
}

/// Replaces each color x by x * alpha / 255; with `kOnWhite`, 255 * (255 - alpha) / 255 more. Alpha counts as a color
/// whose alpha is 255.
template <bool kOnWhite>
void multiply(const Places& places, std::uint8_t* at, std::size_t vectors) {
  const v128_t order = load(places.alpha), is_alpha = load(places.is_alpha), white = splat8(255);
  for (; vectors > 0; --vectors, at += 16) {
    const v128_t x = kOnWhite ? wasm_v128_or(load(at), is_alpha) : load(at);
    const v128_t alpha = wasm_v128_or(wasm_i8x16_swizzle(load(at), order), is_alpha);
    v128_t low = wasm_u16x8_extmul_low_u8x16(x, alpha), high = wasm_u16x8_extmul_high_u8x16(x, alpha);
    if (kOnWhite) {
      const v128_t rest = wasm_v128_not(alpha);
      low = wasm_i16x8_add(low, wasm_u16x8_extmul_low_u8x16(rest, white));
      high = wasm_i16x8_add(high, wasm_u16x8_extmul_high_u8x16(rest, white));
    }
    store(at, wasm_u8x16_narrow_i16x8(divide_by_255(low), divide_by_255(high)));
  }
}

/// 2^16 * 255 / alpha, rounded up. The product with a byte, shifted right by 16, is that byte times 255 / alpha rounded
/// down: true for all pairs. Alpha 0 stands for 255.
struct Inverses {
  std::uint32_t of[256];
  Inverses() {
    of[0] = 1 << 16;
    for (std::uint32_t alpha = 1; alpha < 256; ++alpha) of[alpha] = ((255u << 16) + alpha - 1) / alpha;
  }
};

/// Divides gray by alpha, for `count` pixels of two bytes.
void divide_pairs(const Inverses& inverses, std::uint8_t* at, std::size_t count) {
  for (; count > 0; --count, at += 2)
    at[0] = static_cast<std::uint8_t>(std::min(255u, (at[0] * inverses.of[at[1]]) >> 16));
}

/// Divides colors by alpha, for `vectors` times four pixels of four bytes; alpha itself is multiplied by 1.
void divide_quads(const Inverses& inverses, std::uint8_t* at, std::size_t vectors) {
  const v128_t most = splat32(255);
  for (; vectors > 0; --vectors, at += 16) {
    const v128_t bytes = load(at);
    const v128_t low = wasm_u16x8_extend_low_u8x16(bytes), high = wasm_u16x8_extend_high_u8x16(bytes);
    const v128_t pixels[4] = {wasm_u32x4_extend_low_u16x8(low), wasm_u32x4_extend_high_u16x8(low),
                              wasm_u32x4_extend_low_u16x8(high), wasm_u32x4_extend_high_u16x8(high)};
    v128_t divided[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      const v128_t inverse = wasm_i32x4_replace_lane(splat32(inverses.of[at[4 * i + 3]]), 3, 1 << 16);
      divided[i] = wasm_u32x4_min(wasm_u32x4_shr(wasm_i32x4_mul(pixels[i], inverse), 16), most);
    }
    store(at, wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(divided[0], divided[1]),
                                      wasm_i16x8_narrow_i32x4(divided[2], divided[3])));
  }
}

}  // namespace

void change_alpha(Alpha change, int channels, std::uint8_t* pixels, std::size_t count) {
  // Whole vectors in place, the rest in a copy.
  const std::size_t bytes = count * static_cast<std::size_t>(channels), vectors = bytes / 16;
  std::uint8_t* rest = pixels + 16 * vectors;
  std::uint8_t last[16] = {};
  std::copy(rest, pixels + bytes, last);
  if (change == Alpha::kUnpremultiply) {
    const Inverses inverses;
    if (channels == 2) {
      divide_pairs(inverses, pixels, count);
      return;
    }
    divide_quads(inverses, pixels, vectors);
    divide_quads(inverses, last, 1);
  } else {
    const Places places = places_of(channels);
    const auto change_by = change == Alpha::kOnWhite ? multiply<true> : multiply<false>;
    change_by(places, pixels, vectors);
    change_by(places, last, 1);
  }
  std::copy(last, last + bytes % 16, rest);
}

}  // namespace layout
