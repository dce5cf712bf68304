#pragma once

#include "bits/vectors.h"

// Elements of four bits (nibbles) and of two bits (pairs): packed into bytes, the first in the low bits, or one to a
// byte. Unpacked elements lie in the low bits of their bytes.

namespace layout {

/// 32 nibbles in order, one to a byte, the high bits zero.
struct Nibbles {
  v128_t low;   // of the first 8 bytes
  v128_t high;  // of the last 8 bytes
};

/// Unpacks 16 bytes. Nibbles are named in order, and bytes stand with their high bits left:
///   ba dc fe ..                      (packed)
///   0a 0c 0e .., 0b 0d 0f ..         (even, odd)
///   0a 0b 0c 0d 0e 0f ..             (zipped)
inline Nibbles unpack_nibbles(v128_t x) {
  const v128_t even = wasm_v128_and(x, splat8(0x0f)), odd = shr_bytes<4>(x);
  return {zip_low<8>(even, odd), zip_high<8>(even, odd)};
}

/// Unpacks 16 bytes to 64 pairs in order, one to a byte, the high bits zero. Of each byte:
///   dcba                         (packed)
///   dcba, .dcb                   (zipped with a shift by a pair)
///   000a, 000b and 000c, 000d    (masked; shifted by two pairs and masked)
///   000a, 000b, 000c, 000d       (zipped as 16 bits)
inline void unpack_pairs(v128_t x, v128_t (&pairs)[4]) {
  const v128_t shifted = wasm_u16x8_shr(x, 2);
  const v128_t halves[] = {zip_low<8>(x, shifted), zip_high<8>(x, shifted)};
  LAYOUT_UNROLL for (int i = 0; i < 2; ++i) {
    const v128_t first = wasm_v128_and(halves[i], splat8(3));
    const v128_t second = wasm_v128_and(wasm_u16x8_shr(halves[i], 4), splat8(3));
    pairs[2 * i] = zip_low<16>(first, second);
    pairs[2 * i + 1] = zip_high<16>(first, second);
  }
}

/// Joins the low nibbles of two bytes in the low byte of each 16-bit lane.
///   0b0a (16 bits) * 0x0110 -> ba.. -> shifted: 00ba
inline v128_t join_nibbles(v128_t x) {
  return wasm_u16x8_shr(wasm_i16x8_mul(wasm_v128_and(x, splat8(0x0f)), splat16(1u << 8 | 1u << 4)), 8);
}

/// Packs the low nibbles of the bytes of two vectors. Ignores the high bits.
inline v128_t pack_nibbles(v128_t a, v128_t b) { return wasm_u8x16_narrow_i16x8(join_nibbles(a), join_nibbles(b)); }

/// Joins the low two bits of four bytes in the second byte of each 32-bit lane. The weights are such that the four
/// products meet in that byte and no other product reaches it. The other bytes of a lane hold anything.
///   d c b a  ->  . . dcba .
inline v128_t join_pairs(v128_t x) {
  return wasm_i32x4_dot_i16x8(wasm_v128_and(x, splat8(3)), splat32((1u << 12 | 1u << 6) << 16 | (1u << 8 | 1u << 2)));
}

/// The second bytes of the 32-bit lanes, in 32-bit lane kLane; zero elsewhere.
template <int kLane>
v128_t second_bytes(v128_t x) {
  const auto order = [](int byte) { return static_cast<std::int8_t>(byte / 4 == kLane ? byte % 4 * 4 + 1 : -128); };
  return wasm_i8x16_swizzle(
      x, wasm_i8x16_const(order(0), order(1), order(2), order(3), order(4), order(5), order(6), order(7), order(8),
                          order(9), order(10), order(11), order(12), order(13), order(14), order(15)));
}

/// Packs the low two bits of the bytes of four vectors. Ignores the high bits.
inline v128_t pack_pairs(v128_t a, v128_t b, v128_t c, v128_t d) {
  return wasm_v128_or(wasm_v128_or(second_bytes<0>(join_pairs(a)), second_bytes<1>(join_pairs(b))),
                      wasm_v128_or(second_bytes<2>(join_pairs(c)), second_bytes<3>(join_pairs(d))));
}

}  // namespace layout
