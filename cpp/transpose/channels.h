#pragma once

#include <cstdint>

#include "bits/interleave.h"
#include "bits/packed.h"
#include "transpose/kernels.h"

// Channels of pixels in vectors: interleaved pixels to one vector a channel, and back. Nibbles pass through registers
// as bytes.

namespace layout {

/// The pixels that a step takes of a plane, and their bytes there.
template <int kBits>
inline constexpr int kPixels = kBits == 4 ? 16 : kLanes<kBits>;
template <int kBits>
inline constexpr int kPixelBytes = kPixels<kBits>* kBits / 8;

/// A vector of elements, from byte `src` on: nibbles are unpacked.
template <int kBits>
v128_t load_elements(Bytes src) {
  if constexpr (kBits == 4) return unpack_nibbles(load_part<8>(src)).low;
  return load(src);
}

/// Writes three vectors of elements: nibbles are packed.
template <int kBits>
void store_elements(std::uint8_t* dst, const v128_t (&v)[3]) {
  if constexpr (kBits == 4) {
    store(dst, pack_nibbles(v[0], v[1]));
    store_part<8>(dst + 16, pack_nibbles(v[2], v[2]));
  } else {
    LAYOUT_UNROLL for (int i = 0; i < 3; ++i) store(dst, i, v[i]);
  }
}

/// Byte i of the result is byte at[i] of the vector. V8 has one instruction for a constant order.
struct Order {
  std::uint8_t at[16] = {};

  v128_t operator()(v128_t v) const { return wasm_i8x16_swizzle(v, load(at)); }
};

/// Lane i of the result is lane place(i) of the vector.
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

/// Which of the three vectors has channel `result` at a lane. With kToPlanes false: which channel vector `result` has
/// at a lane.
template <int kBits, bool kToPlanes>
constexpr int origin(int result, int lane) {
  constexpr int kTurn = kLanes<kBits> % 3;
  return kToPlanes ? kTurn * (result + 2 * lane) % 3 : (kTurn * result + lane) % 3;
}

/// Takes the lanes whose origin is kFrom from `next`, the others from `v`. One instruction in V8.
template <int kBits, bool kToPlanes, int kResult, int kFrom>
v128_t blend(v128_t v, v128_t next) {
  constexpr auto at = [](int i) { return origin<kBits, kToPlanes>(kResult, i * 16 / kBits) == kFrom ? i + 8 : i; };
  return wasm_i16x8_shuffle(v, next, at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
}

/// Makes three vectors of three: lane l of vector i comes from vector origin(i, l).
template <int kBits, bool kToPlanes>
void exchange(v128_t (&v)[3]) {
  const v128_t a = v[0];
  const v128_t b = v[1];
  const v128_t c = v[2];
  v[0] = blend<kBits, kToPlanes, 0, 2>(blend<kBits, kToPlanes, 0, 1>(a, b), c);
  v[1] = blend<kBits, kToPlanes, 1, 2>(blend<kBits, kToPlanes, 1, 1>(a, b), c);
  v[2] = blend<kBits, kToPlanes, 2, 2>(blend<kBits, kToPlanes, 2, 1>(a, b), c);
}

/// Loads pixels of three channels: vector c has channel c of all of them, in their order.
template <int kBits>
void load_channels(Bytes pixels, v128_t (&v)[3]) {
  LAYOUT_UNROLL for (int i = 0; i < 3; ++i) v[i] = load(pixels, i);
  exchange<kBits, true>(v);
  v[0] = kInOrder<kBits, 0>(v[0]);
  v[1] = kInOrder<kBits, 1>(v[1]);
  v[2] = kInOrder<kBits, 2>(v[2]);
}

/// The inverse: makes three vectors of pixels of one vector a channel.
template <int kBits>
void join_channels(v128_t (&v)[3]) {
  v[0] = kInPlace<kBits, 0>(v[0]);
  v[1] = kInPlace<kBits, 1>(v[1]);
  v[2] = kInPlace<kBits, 2>(v[2]);
  exchange<kBits, false>(v);
}

// Three channels of bytes or nibbles. V8 compiles a blend of bytes to three instructions, a blend of 32-bit lanes to
// one, so four pixels of a channel make a 32-bit lane here.

/// Sorts twelve bytes of a vector, from byte `first` on, into one 32-bit lane for each channel.
///   r0 g0 b0 r1 g1 b1 r2 g2 b2 r3 g3 b3 -> rrrr gggg bbbb ....
constexpr Order four_pixels(int first) {
  return order_of<8>([=](int i) { return i < 12 ? first + i % 4 * 3 + i / 4 : 0; });
}

/// Does load_channels for bytes or nibbles: 16 pixels, four of each channel at a time.
template <int kBits>
void load_short_channels(Bytes pixels, v128_t (&v)[3]) {
  static constexpr Order kFirst = four_pixels(0);
  static constexpr Order kLast = four_pixels(4);
  const v128_t a = kFirst(load_elements<kBits>(pixels));
  const v128_t b = kFirst(load_elements<kBits>(pixels + 12 * kBits / 8));
  const v128_t c = kFirst(load_elements<kBits>(pixels + 24 * kBits / 8));
  // A vector from element 36 on would end behind the pixels.
  const v128_t d = kLast(load_elements<kBits>(pixels + 32 * kBits / 8));
  const v128_t ab = zip_low<32>(a, b);
  const v128_t cd = zip_low<32>(c, d);
  v[0] = zip_low<64>(ab, cd);
  v[1] = zip_high<64>(ab, cd);
  v[2] = zip_low<64>(zip_high<32>(a, b), zip_high<32>(c, d));
}

template <>
inline void load_channels<8>(Bytes pixels, v128_t (&v)[3]) {
  load_short_channels<8>(pixels, v);
}
template <>
inline void load_channels<4>(Bytes pixels, v128_t (&v)[3]) {
  load_short_channels<4>(pixels, v);
}

/// The inverse of four_pixels: `red`, `green` and `blue` are the lanes that hold the channels; the pixels go to three
/// lanes from `lane` on, lane 0 following lane 3.
constexpr Order four_pixels_from(int red, int green, int blue, int lane) {
  const int place[] = {red, green, blue};
  Order order;
  for (int i = 0; i < 12; ++i) order.at[(lane * 4 + i) % 16] = static_cast<std::uint8_t>(place[i % 3] * 4 + i / 3);
  return order;
}

/// Each of kA to kD sorts four pixels, from lanes of three channels to where they lie in the result.
template <>
inline void join_channels<8>(v128_t (&v)[3]) {
  static constexpr Order kA = four_pixels_from(0, 1, 2, 0);
  static constexpr Order kB = four_pixels_from(2, 3, 1, 3);
  static constexpr Order kC = four_pixels_from(0, 1, 2, 2);
  static constexpr Order kD = four_pixels_from(0, 1, 3, 1);
  const v128_t first = zip_low<32>(v[0], v[1]);  // red and green of the first eight pixels
  const v128_t last = zip_high<32>(v[0], v[1]);
  const v128_t a = kA(zip_low<64>(first, v[2]));
  const v128_t b = kB(wasm_i32x4_shuffle(first, v[2], 4, 5, 2, 3));
  const v128_t c = kC(wasm_i32x4_shuffle(last, v[2], 0, 1, 6, 7));
  const v128_t d = kD(zip_high<64>(last, v[2]));
  v[0] = wasm_i32x4_shuffle(a, b, 0, 1, 2, 7);
  v[1] = wasm_i32x4_shuffle(b, c, 0, 1, 6, 7);
  v[2] = wasm_i32x4_shuffle(d, c, 4, 1, 2, 3);
}

}  // namespace layout
