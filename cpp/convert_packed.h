#pragma once

#include "convert_steps.h"

// Vectors of codes, one in the low bits of each byte, to packed ones.

namespace layout {

/// Two codes of four bits into the low byte of each 16-bit lane.
inline v128_t joined_nibbles(v128_t x) {
  const v128_t low = wasm_v128_and(x, splat16(0x0f));
  return wasm_v128_or(low, wasm_u16x8_shr(wasm_v128_and(x, splat16(0x0f00)), 4));
}

/// Of two vectors.
inline v128_t packed_nibbles(const v128_t* x) { return wasm_u8x16_narrow_i16x8(joined_nibbles(x[0]), joined_nibbles(x[1])); }

/// Four codes of two bits into the low byte of each 32-bit lane.
inline v128_t joined_pairs(v128_t x) {
  const v128_t codes = wasm_v128_and(x, splat8(3));
  const v128_t pairs = wasm_v128_or(codes, wasm_u32x4_shr(codes, 6));
  return wasm_v128_and(wasm_v128_or(pairs, wasm_u32x4_shr(pairs, 12)), splat32(0xff));
}

/// Of four vectors.
inline v128_t packed_pairs(const v128_t* x) {
  return wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(joined_pairs(x[0]), joined_pairs(x[1])),
                                 wasm_i16x8_narrow_i32x4(joined_pairs(x[2]), joined_pairs(x[3])));
}

}  // namespace layout
