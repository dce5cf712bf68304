#pragma once

#include <cstdint>

#include "bits/interleave.h"
#include "bits/packed.h"
#include "transpose/kernels.h"

// Channels of pixels in vectors: interleaved pixels (r0 g0 b0 r1 ..) to one vector for each channel, and back. A plane
// is one channel of all pixels, side by side in memory. Nibbles pass through registers as bytes.

namespace layout {

/// The pixels that the kernels take at a time, and their bytes in one plane.
template <int kBits>
inline constexpr int kPixels = kBits == 4 ? 16 : kLanes<kBits>;
template <int kBits>
inline constexpr int kPixelBytes = kPixels<kBits>* kBits / 8;

/// Loads 16 bytes of elements from `src` on, or the 16 nibbles of 8 bytes, which are unpacked to one a byte.
template <int kBits>
v128_t load_elements(Bytes src) {
  if constexpr (kBits == 4) return unpack_nibbles(load_part<8>(src)).low;
  return load(src);
}

/// Writes the elements of three vectors side by side. Nibbles, one a byte in the vectors, are packed: 8 bytes a vector.
template <int kBits>
void store_elements(std::uint8_t* dst, const v128_t (&v)[3]) {
  if constexpr (kBits == 4) {
    store(dst, pack_nibbles(v[0], v[1]));
    store_part<8>(dst + 16, pack_nibbles(v[2], v[2]));  // the low half; the second argument does not matter
  } else {
    LAYOUT_UNROLL for (int i = 0; i < 3; ++i) store(dst, i, v[i]);
  }
}

/// A new order of a vector's bytes: byte i of the result is byte at[i] of the vector. V8 compiles it to one instruction
/// where the order is a constant.
struct Order {
  std::uint8_t at[16] = {};

  v128_t operator()(v128_t v) const { return wasm_i8x16_swizzle(v, load(at)); }
};

/// Makes the Order of bytes for lanes of kBits: lane i of its result is lane place(i) of the vector.
template <int kBits, typename Place>
constexpr Order order_of(Place place) {
  constexpr int kBytes = kBits / 8;
  Order order;
  for (int i = 0; i < 16; ++i) order.at[i] = static_cast<std::uint8_t>(place(i / kBytes) * kBytes + i % kBytes);
  return order;
}

/// Sorts the lanes of one vector by channel, for two or four channels.
///   r0 g0 r1 g1 r2 g2 r3 g3 -> r0 r1 r2 r3 g0 g1 g2 g3
template <int kBits, int kChannels>
inline constexpr Order kByChannel = order_of<kBits>([](int lane) {
  constexpr int kCount = kLanes<kBits> / kChannels;
  return lane % kCount * kChannels + lane / kCount;
});

// Three channels of 16 or 32 bits. Over the three vectors of a step, each channel stands at each lane once, because the
// number of lanes is no multiple of three. So blends collect a channel in one vector, and a swizzle sorts its pixels.
//   r0 g0 b0 r1      r0 r3 r2 r1      r0 r1 r2 r3
//   g1 b1 r2 g2  ->  g1 g0 g3 g2  ->  g0 g1 g2 g3
//   b2 r3 g3 b3      b2 b1 b0 b3      b0 b1 b2 b3

template <int kBits, int kChannel>
inline constexpr Order kInOrder = order_of<kBits>([](int pixel) { return (3 * pixel + kChannel) % kLanes<kBits>; });
/// The inverse of kInOrder: 3 times 3 is 1 modulo 4 and modulo 8.
template <int kBits, int kChannel>
inline constexpr Order kInPlace = order_of<kBits>([](int lane) {
  return 3 * (lane + kLanes<kBits> - kChannel) % kLanes<kBits>;
});

/// Where lane `lane` of result `result` comes from when three vectors of L lanes trade lanes (`exchange`). To planes,
/// it is the vector of pixels that has channel `result` at that lane; to pixels, the channel that vector `result` of
/// pixels has at that lane. Lane l of vector v is element v * L + l of the pixels, so it has channel (v * L + l) % 3.
/// The first case solves that for v: L % 3 is its own inverse modulo 3, and -l is 2 * l.
template <int kBits, bool kToPlanes>
constexpr int origin(int result, int lane) {
  constexpr int kLanesModulo3 = kLanes<kBits> % 3;
  return kToPlanes ? kLanesModulo3 * (result + 2 * lane) % 3 : (kLanesModulo3 * result + lane) % 3;
}

/// Takes the lanes of result kResult whose origin is kFrom from `next`, the others from `v`. The shuffle has 16-bit
/// lanes for 32-bit elements too: V8 compiles it to one instruction where each lane keeps its place.
template <int kBits, bool kToPlanes, int kResult, int kFrom>
v128_t blend(v128_t v, v128_t next) {
  constexpr auto at = [](int i) { return origin<kBits, kToPlanes>(kResult, i * 16 / kBits) == kFrom ? i + 8 : i; };
  return wasm_i16x8_shuffle(v, next, at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
}

/// Trades lanes between three vectors: lane l of v[i] becomes lane l of v[origin(i, l)]. Each result begins as v[0];
/// two blends put in the lanes that come from v[1] and v[2].
template <int kBits, bool kToPlanes>
void exchange(v128_t (&v)[3]) {
  const v128_t a = v[0];
  const v128_t b = v[1];
  const v128_t c = v[2];
  v[0] = blend<kBits, kToPlanes, 0, 2>(blend<kBits, kToPlanes, 0, 1>(a, b), c);
  v[1] = blend<kBits, kToPlanes, 1, 2>(blend<kBits, kToPlanes, 1, 1>(a, b), c);
  v[2] = blend<kBits, kToPlanes, 2, 2>(blend<kBits, kToPlanes, 2, 1>(a, b), c);
}

/// Loads as many pixels of three channels as a vector has lanes, which lie interleaved from `pixels` on: v[c] gets
/// channel c of all of them, in their order.
template <int kBits>
void load_channels(Bytes pixels, v128_t (&v)[3]) {
  LAYOUT_UNROLL for (int i = 0; i < 3; ++i) v[i] = load(pixels, i);
  exchange<kBits, true>(v);
  v[0] = kInOrder<kBits, 0>(v[0]);
  v[1] = kInOrder<kBits, 1>(v[1]);
  v[2] = kInOrder<kBits, 2>(v[2]);
}

/// Does the inverse of load_channels in registers: v[c] has channel c of the pixels, and becomes vector c of the
/// interleaved pixels.
template <int kBits>
void join_channels(v128_t (&v)[3]) {
  v[0] = kInPlace<kBits, 0>(v[0]);
  v[1] = kInPlace<kBits, 1>(v[1]);
  v[2] = kInPlace<kBits, 2>(v[2]);
  exchange<kBits, false>(v);
}

// Three channels of bytes or nibbles. V8 compiles a blend of bytes to three instructions, a blend of 32-bit lanes to
// one, so four pixels of a channel make a 32-bit lane here.

/// The Order that sorts twelve bytes of a vector, four pixels from byte `first` on, into one 32-bit lane for each
/// channel. The last lane is not used.
///   r0 g0 b0 r1 g1 b1 r2 g2 b2 r3 g3 b3 -> rrrr gggg bbbb ....
constexpr Order four_pixels(int first) {
  // Byte i of the result is channel i / 4 of pixel i % 4.
  return order_of<8>([=](int i) { return i < 12 ? first + i % 4 * 3 + i / 4 : 0; });
}

/// Does load_channels for 16 pixels of bytes or nibbles. Each of a to d gets four of the pixels, 12 elements, in the
/// lanes R G B: a has the first four, d the last. Zips then collect the four lanes of each channel.
template <int kBits>
void load_short_channels(Bytes pixels, v128_t (&v)[3]) {
  static constexpr Order kFirst = four_pixels(0);
  static constexpr Order kLast = four_pixels(4);
  const v128_t a = kFirst(load_elements<kBits>(pixels));
  const v128_t b = kFirst(load_elements<kBits>(pixels + 12 * kBits / 8));
  const v128_t c = kFirst(load_elements<kBits>(pixels + 24 * kBits / 8));
  // The last four pixels begin at element 36, but 16 elements from there on would end past the pixels.
  const v128_t d = kLast(load_elements<kBits>(pixels + 32 * kBits / 8));
  const v128_t ab = zip_low<32>(a, b);  // Ra Rb Ga Gb
  const v128_t cd = zip_low<32>(c, d);  // Rc Rd Gc Gd
  v[0] = zip_low<64>(ab, cd);
  v[1] = zip_high<64>(ab, cd);
  v[2] = zip_low<64>(zip_high<32>(a, b), zip_high<32>(c, d));  // the zips: Ba Bb .. ..; Bc Bd .. ..
}

template <>
inline void load_channels<8>(Bytes pixels, v128_t (&v)[3]) {
  load_short_channels<8>(pixels, v);
}
template <>
inline void load_channels<4>(Bytes pixels, v128_t (&v)[3]) {
  load_short_channels<4>(pixels, v);
}

/// The Order that interleaves four pixels again: `red`, `green` and `blue` are the 32-bit lanes that hold four bytes of
/// a channel each. The 12 bytes of pixels go to three lanes from `lane` on, lane 0 following lane 3; the other is not
/// used.
constexpr Order four_pixels_from(int red, int green, int blue, int lane) {
  const int place[] = {red, green, blue};
  Order order;
  // Byte i of the pixels is channel i % 3 of pixel i / 3.
  for (int i = 0; i < 12; ++i) order.at[(lane * 4 + i) % 16] = static_cast<std::uint8_t>(place[i % 3] * 4 + i / 3);
  return order;
}

/// Does join_channels for 16 pixels of bytes. R0 is a 32-bit lane with the red bytes of the first four pixels, R3 one
/// with those of the last four. Each of a to d has R, G and B lanes of four pixels; its order interleaves these in the
/// lanes that they have in the result, so that three shuffles of 32-bit lanes, without moving them, join the result.
template <>
inline void join_channels<8>(v128_t (&v)[3]) {
  static constexpr Order kA = four_pixels_from(0, 1, 2, 0);
  static constexpr Order kB = four_pixels_from(2, 3, 1, 3);
  static constexpr Order kC = four_pixels_from(0, 1, 2, 2);
  static constexpr Order kD = four_pixels_from(0, 1, 3, 1);
  const v128_t first = zip_low<32>(v[0], v[1]);                      // R0 G0 R1 G1
  const v128_t last = zip_high<32>(v[0], v[1]);                      // R2 G2 R3 G3
  const v128_t a = kA(zip_low<64>(first, v[2]));                     // R0 G0 B0 B1
  const v128_t b = kB(wasm_i32x4_shuffle(first, v[2], 4, 5, 2, 3));  // B0 B1 R1 G1
  const v128_t c = kC(wasm_i32x4_shuffle(last, v[2], 0, 1, 6, 7));   // R2 G2 B2 B3
  const v128_t d = kD(zip_high<64>(last, v[2]));                     // R3 G3 B2 B3
  v[0] = wasm_i32x4_shuffle(a, b, 0, 1, 2, 7);
  v[1] = wasm_i32x4_shuffle(b, c, 0, 1, 6, 7);
  v[2] = wasm_i32x4_shuffle(d, c, 4, 1, 2, 3);
}

}  // namespace layout
