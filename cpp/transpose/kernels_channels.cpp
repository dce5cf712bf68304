#include <algorithm>
#include <type_traits>

#include "bits/weave.h"
#include "transpose/kernels.h"

// Two, three or four channels: interleaved pixels to planes (nxC) and back (Cxn). A step takes as many vectors as there
// are channels.

namespace layout {
namespace {

/// Byte i of the result is byte at[i] of the vector. V8 has one instruction for a constant order.
struct Order {
  std::uint8_t at[16] = {};

  v128_t operator()(v128_t v) const { return wasm_i8x16_swizzle(v, wasm_v128_load(at)); }
};

/// Lane i of the result is lane place(i) of the vector.
template <int kBits, typename Place>
constexpr Order order_of(Place place) {
  constexpr int kBytes = kBits / 8;
  Order order;
  for (int i = 0; i < 16; ++i) order.at[i] = static_cast<std::uint8_t>(place(i / kBytes) * kBytes + i % kBytes);
  return order;
}

/// r0 g0 r1 g1 .. -> r0 r1 .. g0 g1 .. within one vector, for two or four channels.
template <int kBits, int kChannels>
constexpr Order kByChannel = order_of<kBits>([](int lane) {
  constexpr int kPixels = kLanes<kBits> / kChannels;
  return lane % kPixels * kChannels + lane / kPixels;
});

// Three channels of 16 or 32 bits: in the three vectors of a step, a channel has each lane once, because no number of
// lanes is a multiple of three. Blends bring these into one vector, a swizzle into the pixels' order.

template <int kBits, int kChannel>
constexpr Order kInOrder = order_of<kBits>([](int pixel) { return (3 * pixel + kChannel) % kLanes<kBits>; });
/// The way back: 3 times 3 is 1 modulo 4 and 8.
template <int kBits, int kChannel>
constexpr Order kInPlace = order_of<kBits>([](int lane) {
  return 3 * (lane + kLanes<kBits> - kChannel) % kLanes<kBits>;
});

/// Which of three interleaved vectors has a channel at a lane; the other way, which channel a vector has there.
template <int kBits, bool kToPlanes>
constexpr int origin(int result, int lane) {
  constexpr int kTurn = kLanes<kBits> % 3;
  return kToPlanes ? kTurn * (result + 2 * lane) % 3 : (kTurn * result + lane) % 3;
}

/// Lanes whose origin is kFrom come from `next`, the others stay: one instruction in V8.
template <int kBits, bool kToPlanes, int kResult, int kFrom>
v128_t blend(v128_t v, v128_t next) {
  constexpr auto at = [](int i) { return origin<kBits, kToPlanes>(kResult, i * 16 / kBits) == kFrom ? i + 8 : i; };
  return wasm_i16x8_shuffle(v, next, at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
}

/// Result i takes each lane from where origin(i, lane) says.
template <int kBits, bool kToPlanes>
void exchange(v128_t (&v)[3]) {
  const v128_t a = v[0];
  const v128_t b = v[1];
  const v128_t c = v[2];
  v[0] = blend<kBits, kToPlanes, 0, 2>(blend<kBits, kToPlanes, 0, 1>(a, b), c);
  v[1] = blend<kBits, kToPlanes, 1, 2>(blend<kBits, kToPlanes, 1, 1>(a, b), c);
  v[2] = blend<kBits, kToPlanes, 2, 2>(blend<kBits, kToPlanes, 2, 1>(a, b), c);
}

template <int kBits>
void load_channels(Bytes pixels, v128_t (&v)[3]) {
  LAYOUT_UNROLL for (int i = 0; i < 3; ++i) v[i] = wasm_v128_load(pixels + i * 16);
  exchange<kBits, true>(v);
  v[0] = kInOrder<kBits, 0>(v[0]);
  v[1] = kInOrder<kBits, 1>(v[1]);
  v[2] = kInOrder<kBits, 2>(v[2]);
}

template <int kBits>
void store_channels(std::uint8_t* pixels, v128_t (&v)[3]) {
  v[0] = kInPlace<kBits, 0>(v[0]);
  v[1] = kInPlace<kBits, 1>(v[1]);
  v[2] = kInPlace<kBits, 2>(v[2]);
  exchange<kBits, false>(v);
  LAYOUT_UNROLL for (int i = 0; i < 3; ++i) wasm_v128_store(pixels + i * 16, v[i]);
}

// Three channels of bytes: a blend of bytes is three instructions in V8, one of 32 bits is one. Four pixels are three
// such lanes, one a channel.

/// Twelve bytes of a vector, from byte `first` on: four pixels to a lane for each channel.
constexpr Order four_pixels(int first) {
  return order_of<8>([=](int i) { return i < 12 ? first + i % 4 * 3 + i / 4 : 0; });
}

template <>
void load_channels<8>(Bytes pixels, v128_t (&v)[3]) {
  static constexpr Order kFirst = four_pixels(0);
  static constexpr Order kLast = four_pixels(4);
  const v128_t a = kFirst(wasm_v128_load(pixels));
  const v128_t b = kFirst(wasm_v128_load(pixels + 12));
  const v128_t c = kFirst(wasm_v128_load(pixels + 24));
  const v128_t d = kLast(wasm_v128_load(pixels + 32));  // at 36, a vector would end beyond the pixels
  const v128_t ab = low<32>(a, b);
  const v128_t cd = low<32>(c, d);
  v[0] = low<64>(ab, cd);
  v[1] = high<64>(ab, cd);
  v[2] = low<64>(high<32>(a, b), high<32>(c, d));
}

/// The way back: from the lanes where four pixels' channels are, to the three lanes from `lane` on, the first again
/// after the last.
constexpr Order four_pixels_from(int red, int green, int blue, int lane) {
  const int place[] = {red, green, blue};
  Order order;
  for (int i = 0; i < 12; ++i) order.at[(lane * 4 + i) % 16] = static_cast<std::uint8_t>(place[i % 3] * 4 + i / 3);
  return order;
}

template <>
void store_channels<8>(std::uint8_t* pixels, v128_t (&v)[3]) {
  static constexpr Order kA = four_pixels_from(0, 1, 2, 0);
  static constexpr Order kB = four_pixels_from(2, 3, 1, 3);
  static constexpr Order kC = four_pixels_from(0, 1, 2, 2);
  static constexpr Order kD = four_pixels_from(0, 1, 3, 1);
  const v128_t first = low<32>(v[0], v[1]);  // red and green of the first eight pixels
  const v128_t last = high<32>(v[0], v[1]);
  const v128_t a = kA(low<64>(first, v[2]));
  const v128_t b = kB(wasm_i32x4_shuffle(first, v[2], 4, 5, 2, 3));
  const v128_t c = kC(wasm_i32x4_shuffle(last, v[2], 0, 1, 6, 7));
  const v128_t d = kD(high<64>(last, v[2]));
  wasm_v128_store(pixels, wasm_i32x4_shuffle(a, b, 0, 1, 2, 7));
  wasm_v128_store(pixels + 16, wasm_i32x4_shuffle(b, c, 0, 1, 6, 7));
  wasm_v128_store(pixels + 32, wasm_i32x4_shuffle(d, c, 4, 1, 2, 3));
}

/// Calls step(at, groups) for all of `count` pixels: two groups of `lanes` at a time, which share what a step costs
/// beside its vectors (a fifth of the speed), then one; the last pixels again where they do not divide.
template <typename Step>
void for_each_step(int count, int lanes, const Step& step) {
  int at = 0;
  for (; at + 2 * lanes <= count; at += 2 * lanes) step(at, std::integral_constant<int, 2>());
  for (; at < count; at += lanes) step(std::min(at, count - lanes), std::integral_constant<int, 1>());
}

template <int kBits, int kChannels>
void to_planes(int rows, Bytes src, std::uint8_t* dst, Offsets dst_rows) {
  std::uint8_t* planes[kChannels];
  LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) planes[c] = dst + dst_rows[c];
  for_each_step(rows, kLanes<kBits>, [=](int row, auto groups) {
    Bytes pixels = src + row * kChannels * (kBits / 8);
    std::uint8_t* to[kChannels];
    LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) to[c] = planes[c] + row * (kBits / 8);
    LAYOUT_UNROLL for (int group = 0; group < groups; ++group) {
      v128_t v[kChannels];
      if constexpr (kChannels == 3) {
        load_channels<kBits>(pixels + group * 48, v);
      } else {
        LAYOUT_UNROLL for (int i = 0; i < kChannels; ++i) {
          v[i] = kByChannel<kBits, kChannels>(wasm_v128_load(pixels + (group * kChannels + i) * 16));
        }
        weave<128 / kChannels>(v);
      }
      LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) wasm_v128_store(to[c] + group * 16, v[c]);
    }
  });
}

template <int kBits, int kChannels>
void to_pixels(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst) {
  Bytes planes[kChannels];
  LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) planes[c] = src + src_rows[c];
  for_each_step(columns, kLanes<kBits>, [=](int column, auto groups) {
    std::uint8_t* pixels = dst + column * kChannels * (kBits / 8);
    Bytes from[kChannels];
    LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) from[c] = planes[c] + column * (kBits / 8);
    LAYOUT_UNROLL for (int group = 0; group < groups; ++group) {
      v128_t v[kChannels];
      LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) v[c] = wasm_v128_load(from[c] + group * 16);
      if constexpr (kChannels == 3) {
        store_channels<kBits>(pixels + group * 48, v);
      } else {
        weave<kBits>(v);
        LAYOUT_UNROLL for (int i = 0; i < kChannels; ++i) wasm_v128_store(pixels + (group * kChannels + i) * 16, v[i]);
      }
    }
  });
}

/// Five to seven rows of bytes: as eight, whose columns overwrite what the ones before them wrote too much.
template <int kRows>
void to_columns(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst) {
  const auto step = [=](int column, auto is_last) {
    v128_t v[8];
    LAYOUT_UNROLL for (int r = 0; r < 8; ++r) v[r] = r < kRows ? wasm_v128_load(src + src_rows[r] + column) : v[r - 1];
    weave<8>(v);
    std::uint8_t* to = dst + column * kRows;
    LAYOUT_UNROLL for (int i = 0; i < 8; ++i) {
      wasm_v128_store64_lane(to + 2 * i * kRows, v[i], 0);
      if (i < 7 || !is_last.value) wasm_v128_store64_lane(to + (2 * i + 1) * kRows, v[i], 1);
    }
    if constexpr (is_last.value) {
      wasm_v128_store32_lane(to + 15 * kRows, v[7], 2);
      wasm_v128_store32_lane(to + 16 * kRows - 4, wasm_u64x2_shr(v[7], 8 * (kRows - 4)), 2);
    }
  };
  for (int column = 0; column + 16 < columns; column += 16) step(column, std::false_type());
  step(columns - 16, std::true_type());
}

}  // namespace

// Fewer pixels than one step are left to the definition.
#define DEFINE_FEW_COLUMNS(bits, few)                                                                               \
  void transpose_nx##few##_x##bits##_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, \
                                             Offsets dst_rows) {                                                    \
    if (rows < 128 / bits) {                                                                                        \
      std::ptrdiff_t dense[128 / bits];                                                                             \
      for (int r = 0; r < rows; ++r) dense[r] = src_rows[0] + r * columns * (bits / 8);                             \
      return transpose_x##bits##_scalar(rows, columns, src, dense, dst, dst_rows);                                  \
    }                                                                                                               \
    to_planes<bits, few>(rows, src + src_rows[0], dst, dst_rows);                                                   \
  }
#define DEFINE_FEW_ROWS(bits, few, body)                                                                            \
  void transpose_##few##xn_x##bits##_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, \
                                             Offsets dst_rows) {                                                    \
    if (columns < 128 / bits) {                                                                                     \
      std::ptrdiff_t dense[128 / bits];                                                                             \
      for (int c = 0; c < columns; ++c) dense[c] = dst_rows[0] + c * rows * (bits / 8);                             \
      return transpose_x##bits##_scalar(rows, columns, src, src_rows, dst, dense);                                  \
    }                                                                                                               \
    body(columns, src, src_rows, dst + dst_rows[0]);                                                                \
  }
#define DEFINE(bits, few)       \
  DEFINE_FEW_COLUMNS(bits, few) \
  DEFINE_FEW_ROWS(bits, few, (to_pixels<bits, few>))
DEFINE(8, 2)
DEFINE(8, 3)
DEFINE(8, 4)
DEFINE(16, 2)
DEFINE(16, 3)
DEFINE(16, 4)
DEFINE(32, 2)
DEFINE(32, 3)
DEFINE_FEW_ROWS(8, 5, to_columns<5>)
DEFINE_FEW_ROWS(8, 6, to_columns<6>)
DEFINE_FEW_ROWS(8, 7, to_columns<7>)
#undef DEFINE
#undef DEFINE_FEW_ROWS
#undef DEFINE_FEW_COLUMNS

}  // namespace layout
