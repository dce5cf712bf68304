// resize/alpha.h says what these functions do.

#include "resize/alpha.h"

#include <algorithm>

#include "bits/vectors.h"

namespace layout {
namespace {

/// Divides lanes of 16 bits by 255, rounded to nearest, by Pillow's MULDIV255. Exact for all products of two bytes.
inline v128_t divide_by_255(v128_t x) {
  const v128_t t = wasm_i16x8_add(x, splat16(128));
  return wasm_u16x8_shr(wasm_i16x8_add(t, wasm_u16x8_shr(t, 8)), 8);
}

/// Where alpha stands in a vector of 16 bytes: for each byte, `alpha` is the index of its pixel's alpha, and `is_alpha`
/// is 255 where the byte is alpha itself, otherwise 0.
struct AlphaBytes {
  std::uint8_t alpha[16];
  std::uint8_t is_alpha[16];
};

/// Finds the alpha bytes of a vector of pixels of 2 or 4 channels, the last of which is alpha.
AlphaBytes find_alpha(int channels) {
  AlphaBytes bytes;
  for (int i = 0; i < 16; ++i) {
    const int alpha = i / channels * channels + channels - 1;
    bytes.alpha[i] = static_cast<std::uint8_t>(alpha);
    bytes.is_alpha[i] = i == alpha ? 255 : 0;
  }
  return bytes;
}

/// Multiplies colors by alpha in `vectors` vectors of 16 bytes, in place. Each color x becomes x * alpha / 255,
/// rounded; with `kOnWhite`, (x * alpha + 255 * (255 - alpha)) / 255, the color over white. Alpha itself stays, and
/// becomes 255 with `kOnWhite`: it is treated as a color whose own alpha is 255.
template <bool kOnWhite>
void multiply(const AlphaBytes& bytes, std::uint8_t* at, std::size_t vectors) {
  const v128_t order = load(bytes.alpha), is_alpha = load(bytes.is_alpha), white = splat8(255);
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

/// For each alpha, the factor that divides a color by it: 2^16 * 255 / alpha, rounded up. (color * factor) >> 16 is
/// color * 255 / alpha rounded down, for all pairs of bytes. Alpha 0 has the factor 1 * 2^16, which changes no color.
struct Inverses {
  std::uint32_t factor[256];

  Inverses() {
    factor[0] = 1 << 16;
    for (std::uint32_t alpha = 1; alpha < 256; ++alpha) {
      constexpr std::uint32_t kDividend = 255u << 16;
      factor[alpha] = (kDividend + alpha - 1) / alpha;  // rounded up
    }
  }
};

/// Divides gray by alpha in place, for `count` pixels of two bytes. A gray above its alpha becomes 255.
void divide_pairs(const Inverses& inverses, std::uint8_t* at, std::size_t count) {
  for (; count > 0; --count, at += 2) {
    const std::uint8_t gray = at[0], alpha = at[1];
    at[0] = static_cast<std::uint8_t>(std::min(255u, (gray * inverses.factor[alpha]) >> 16));
  }
}

/// Divides colors by alpha in place, for `vectors` vectors of four pixels of four bytes. Alpha stays: its factor is
/// 2^16, which is 1 after the shift.
void divide_quads(const Inverses& inverses, std::uint8_t* at, std::size_t vectors) {
  const v128_t max_byte = splat32(255);
  for (; vectors > 0; --vectors, at += 16) {
    const v128_t bytes = load(at);
    const v128_t low = wasm_u16x8_extend_low_u8x16(bytes), high = wasm_u16x8_extend_high_u8x16(bytes);
    const v128_t pixels[4] = {wasm_u32x4_extend_low_u16x8(low), wasm_u32x4_extend_high_u16x8(low),
                              wasm_u32x4_extend_low_u16x8(high), wasm_u32x4_extend_high_u16x8(high)};
    v128_t divided[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      const std::uint8_t alpha = at[4 * i + 3];
      const v128_t inverse = wasm_i32x4_replace_lane(splat32(inverses.factor[alpha]), 3, 1 << 16);
      divided[i] = wasm_u32x4_min(wasm_u32x4_shr(wasm_i32x4_mul(pixels[i], inverse), 16), max_byte);
    }
    store(at, saturate_uint8(divided[0], divided[1], divided[2], divided[3]));
  }
}

}  // namespace

/// Multiplies colors by their alpha, divides them by it, or lays them on white, in place.
void change_alpha(Alpha change, int channels, std::uint8_t* pixels, std::size_t count) {
  // Changes whole vectors in place, and the up to 15 bytes after them in a copy of a whole vector.
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
    const AlphaBytes alpha = find_alpha(channels);
    const auto change_by = change == Alpha::kOnWhite ? multiply<true> : multiply<false>;
    change_by(alpha, pixels, vectors);
    change_by(alpha, last, 1);
  }
  std::copy(last, last + bytes % 16, rest);
}

}  // namespace layout
