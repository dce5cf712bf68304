#pragma once

#include "convert/steps.h"

// Vectors of codes, one in the low bits of each byte, to packed ones.

namespace layout {

/// Two codes of four bits into the low byte of each 16-bit lane.
inline v128_t joined_nibbles(v128_t x) {
  return wasm_u16x8_shr(wasm_i16x8_mul(wasm_v128_and(x, splat8(0x0f)), splat16(1u << 8 | 1u << 4)), 8);
}

/// Of two vectors.
inline v128_t packed_nibbles(const v128_t* x) {
  return wasm_u8x16_narrow_i16x8(joined_nibbles(x[0]), joined_nibbles(x[1]));
}

/// Four codes of two bits into the second byte of each 32-bit lane: products that meet there and no others reach it.
inline v128_t joined_pairs(v128_t x) {
  return wasm_i32x4_dot_i16x8(wasm_v128_and(x, splat8(3)), splat32((1u << 12 | 1u << 6) << 16 | (1u << 8 | 1u << 2)));
}

/// The second bytes of the 32-bit lanes, in lane kLane.
template <int kLane>
v128_t second_bytes(v128_t x) {
  const auto order = [](int byte) { return static_cast<std::int8_t>(byte / 4 == kLane ? byte % 4 * 4 + 1 : -128); };
  return wasm_i8x16_swizzle(
      x, wasm_i8x16_const(order(0), order(1), order(2), order(3), order(4), order(5), order(6), order(7), order(8),
                          order(9), order(10), order(11), order(12), order(13), order(14), order(15)));
}

/// Of four vectors.
inline v128_t packed_pairs(const v128_t* x) {
  return wasm_v128_or(wasm_v128_or(second_bytes<0>(joined_pairs(x[0])), second_bytes<1>(joined_pairs(x[1]))),
                      wasm_v128_or(second_bytes<2>(joined_pairs(x[2])), second_bytes<3>(joined_pairs(x[3]))));
}

}  // namespace layout
