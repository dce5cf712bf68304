#pragma once

#include <type_traits>

#include "bits/vectors.h"

// Elements of six bits (sextets), of four bits (nibbles) and of two bits (pairs): packed into bytes, the first in the
// low bits, or one to a byte. Unpacked elements lie in the low bits of their bytes. A sextet may begin in one byte and
// end in the next: four of them fill three bytes.

namespace layout {

/// Returns pick(std::integral_constant<int, bits>()) for a width of packed elements, 2, 4 or 6: a width known at run
/// time chooses code compiled for it. Traps on any other width.
template <typename Pick>
auto pick_for_packed(int bits, const Pick& pick) {
  switch (bits) {
    case 2:
      return pick(std::integral_constant<int, 2>());
    case 4:
      return pick(std::integral_constant<int, 4>());
    case 6:
      return pick(std::integral_constant<int, 6>());
    default:
      __builtin_trap();
  }
}

/// Whether pick_for_packed knows a width.
constexpr bool is_packed_width(int bits) { return bits == 2 || bits == 4 || bits == 6; }

/// The fewest packed elements that fill whole bytes: 4, 2 and 4 of 2, 4 and 6 bits.
template <int kBits>
constexpr int kPackedGroup = kBits == 4 ? 2 : 4;

/// 32 nibbles in order, one to a byte, the high bits zero.
struct Nibbles {
  v128_t low;   // of the first 8 bytes
  v128_t high;  // of the last 8 bytes
};

/// Unpacks 16 bytes of two nibbles each. The nibbles are a, b, c.. in order; a byte is written with its high bits
/// first:
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
  const v128_t nibbles = wasm_v128_and(x, splat8(0x0f));
  return wasm_u16x8_shr(wasm_i16x8_mul(nibbles, splat16(1u << 8 | 1u << 4)), 8);
}

/// Packs the low nibbles of the bytes of two vectors. Ignores the high bits.
inline v128_t pack_nibbles(v128_t a, v128_t b) { return wasm_u8x16_narrow_i16x8(join_nibbles(a), join_nibbles(b)); }

/// Joins the low two bits of four bytes, a to d, in the second byte of each 32-bit lane. The weights bring a to bit 8
/// of the sum, b to bit 10, c to 12, d to 14; no other product reaches that byte. The other bytes of a lane hold
/// anything.
///   d c b a  ->  . . dcba .
inline v128_t join_pairs(v128_t x) {
  // Of the bytes of a 16-bit lane, the low one has its pair at bit 0, the high one at bit 8.
  constexpr std::uint32_t kOfBa = 1u << 8 | 1u << (10 - 8), kOfDc = 1u << 12 | 1u << (14 - 8);
  return wasm_i32x4_dot_i16x8(wasm_v128_and(x, splat8(3)), splat32(kOfDc << 16 | kOfBa));
}

/// Returns a new order of the bytes of a vector: byte i of the result is byte order(i), or zero where that is negative.
/// Order is the type of a lambda without captures, so that the order is a constant.
template <typename Order>
v128_t pick_bytes(v128_t x, Order) {
  constexpr Order order{};
  return wasm_i8x16_swizzle(
      x, wasm_i8x16_const(order(0), order(1), order(2), order(3), order(4), order(5), order(6), order(7), order(8),
                          order(9), order(10), order(11), order(12), order(13), order(14), order(15)));
}

/// The second byte of each of the four 32-bit lanes, side by side in 32-bit lane kLane; zero elsewhere.
template <int kLane>
v128_t second_bytes(v128_t x) {
  return pick_bytes(x, [](int byte) {
    const int second_byte = 4 * (byte % 4) + 1;  // of the lane that goes to this byte of lane kLane
    return static_cast<std::int8_t>(byte / 4 == kLane ? second_byte : -1);
  });
}

/// Packs the low two bits of the bytes of four vectors. Ignores the high bits.
inline v128_t pack_pairs(v128_t a, v128_t b, v128_t c, v128_t d) {
  return wasm_v128_or(wasm_v128_or(second_bytes<0>(join_pairs(a)), second_bytes<1>(join_pairs(b))),
                      wasm_v128_or(second_bytes<2>(join_pairs(c)), second_bytes<3>(join_pairs(d))));
}

/// Unpacks the first 12 bytes to 16 sextets in order, one to a byte, the high bits zero. The middle byte of each three
/// goes to both 16-bit lanes of their 32-bit lane, and a product brings the first lane's sextets to where the second
/// lane has its own.
///   ddddddcc ccccbbbb bbaaaaaa             (3 bytes, the first at the right)
///   ddddddcc cccc.... ....bbbb bbaaaaaa    (16-bit lanes)
///   ddddddcc cccc.... bbbbbbaa aaaa....    (the first lane * 16)
///   00dddddd 00cccccc 00bbbbbb 00aaaaaa    (shifted by 2 and by 4, masked)
inline v128_t unpack_sextets(v128_t x) {
  const v128_t halves = pick_bytes(x, [](int byte) {
    const int first_byte = byte / 4 * 3, place = (byte % 4 + 1) / 2;  // 0 1 1 2: the middle byte twice
    return static_cast<std::int8_t>(first_byte + place);
  });
  const v128_t even = wasm_i16x8_mul(halves, splat32(1u << 16 | 1u << 4));
  return wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(even, 4), splat16(0x003f)),
                      wasm_v128_and(wasm_u16x8_shr(even, 2), splat16(0x3f00)));
}

/// Packs the low six bits of 16 bytes into the first 12 bytes of a vector, and makes the others zero. Ignores the high
/// bits. The product takes the upper 16-bit lane times 2^12 and adds the lower one.
///   ..dddddd ..cccccc ..bbbbbb ..aaaaaa    (a 32-bit lane)
///   0000dddd ddcccccc 0000bbbb bbaaaaaa    (joined in 16-bit lanes)
///   00000000 ddddddcc ccccbbbb bbaaaaaa    (joined by a product, then moved together)
inline v128_t pack_sextets(v128_t x) {
  const v128_t low = wasm_v128_and(x, splat16(0x003f)), high = wasm_v128_and(x, splat16(0x3f00));
  const v128_t halves = wasm_v128_or(low, wasm_u16x8_shr(high, 2));
  const v128_t joined = wasm_i32x4_dot_i16x8(halves, splat32(1u << (12 + 16) | 1u));
  // The low three bytes of each lane of four, side by side.
  return pick_bytes(joined,
                    [](int byte) { return static_cast<std::int8_t>(byte < 12 ? byte / 3 * 4 + byte % 3 : -1); });
}

}  // namespace layout
