#include <algorithm>
#include <type_traits>

#include "bits/interleave.h"
#include "bits/packed.h"
#include "transpose/kernels.h"

// Few rows or few columns. Two, three or four channels: interleaved pixels to planes (nx2 to nx4) and back (2xn to
// 4xn); a step takes as many vectors as there are channels. Five to seven rows of bytes (5xn to 7xn). Nibbles pass
// through registers as bytes.

namespace layout {
namespace {

/// The pixels that a step takes of a plane, and their bytes there.
template <int kBits>
constexpr int kPixels = kBits == 4 ? 16 : kLanes<kBits>;
template <int kBits>
constexpr int kPixelBytes = kPixels<kBits>* kBits / 8;

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
constexpr Order kByChannel = order_of<kBits>([](int lane) {
  constexpr int kCount = kLanes<kBits> / kChannels;
  return lane % kCount * kChannels + lane / kCount;
});

// Three channels of 16 or 32 bits. Over the three vectors of a step, each channel stands at each lane once, because the
// number of lanes is no multiple of three. So blends collect a channel in one vector, and a swizzle sorts its pixels.
//   r0 g0 b0 r1      r0 r3 r2 r1      r0 r1 r2 r3
//   g1 b1 r2 g2  ->  g1 g0 g3 g2  ->  g0 g1 g2 g3
//   b2 r3 g3 b3      b2 b1 b0 b3      b0 b1 b2 b3

template <int kBits, int kChannel>
constexpr Order kInOrder = order_of<kBits>([](int pixel) { return (3 * pixel + kChannel) % kLanes<kBits>; });
/// The inverse of kInOrder: 3 times 3 is 1 modulo 4 and modulo 8.
template <int kBits, int kChannel>
constexpr Order kInPlace = order_of<kBits>([](int lane) {
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

template <int kBits>
void load_channels(Bytes pixels, v128_t (&v)[3]) {
  LAYOUT_UNROLL for (int i = 0; i < 3; ++i) v[i] = load(pixels, i);
  exchange<kBits, true>(v);
  v[0] = kInOrder<kBits, 0>(v[0]);
  v[1] = kInOrder<kBits, 1>(v[1]);
  v[2] = kInOrder<kBits, 2>(v[2]);
}

/// Makes pixels of three channels.
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
void load_channels<8>(Bytes pixels, v128_t (&v)[3]) {
  load_short_channels<8>(pixels, v);
}
template <>
void load_channels<4>(Bytes pixels, v128_t (&v)[3]) {
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

template <>
void join_channels<8>(v128_t (&v)[3]) {
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

/// Calls step(at, groups) for all of `count` pixels: two groups of `lanes` pixels at a time while there are as many,
/// which is a fifth faster, then one. The last group moves back over pixels that are done where groups do not divide
/// `count`.
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
  for_each_step(rows, kPixels<kBits>, [=](int row, auto groups) {
    Bytes pixels = src + row * kChannels * kBits / 8;
    std::uint8_t* to[kChannels];
    LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) to[c] = planes[c] + row * kBits / 8;
    LAYOUT_UNROLL for (int group = 0; group < groups; ++group) {
      v128_t v[kChannels];
      if constexpr (kChannels == 3) {
        load_channels<kBits>(pixels + group * 3 * kPixelBytes<kBits>, v);
      } else {
        LAYOUT_UNROLL for (int i = 0; i < kChannels; ++i) {
          v[i] = kByChannel<kBits, kChannels>(load(pixels, group * kChannels + i));
        }
        interleave<128 / kChannels>(v);
      }
      LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) {
        if constexpr (kBits == 4) {
          store_part<8>(to[c] + 8 * group, pack_nibbles(v[c], v[c]));
        } else {
          store(to[c], group, v[c]);
        }
      }
    }
  });
}

template <int kBits, int kChannels>
void to_pixels(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst) {
  Bytes planes[kChannels];
  LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) planes[c] = src + src_rows[c];
  for_each_step(columns, kPixels<kBits>, [=](int column, auto groups) {
    std::uint8_t* pixels = dst + column * kChannels * kBits / 8;
    Bytes from[kChannels];
    LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) from[c] = planes[c] + column * kBits / 8;
    LAYOUT_UNROLL for (int group = 0; group < groups; ++group) {
      v128_t v[kChannels];
      LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) {
        v[c] = load_elements<kBits>(from[c] + group * kPixelBytes<kBits>);
      }
      if constexpr (kChannels == 3) {
        join_channels<(kBits == 4 ? 8 : kBits)>(v);
        store_elements<kBits>(pixels + group * 3 * kPixelBytes<kBits>, v);
      } else {
        interleave<kBits>(v);
        LAYOUT_UNROLL for (int i = 0; i < kChannels; ++i) store(pixels, group * kChannels + i, v[i]);
      }
    }
  });
}

/// Transposes five to seven rows of bytes as eight rows. Each column of eight bytes is written over the surplus of the
/// column before it.
template <int kRows>
void to_columns(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst) {
  const auto step = [=](int column, auto is_last) {
    v128_t v[8];
    LAYOUT_UNROLL for (int r = 0; r < 8; ++r) v[r] = r < kRows ? load(src + src_rows[r] + column) : v[r - 1];
    interleave<8>(v);
    std::uint8_t* to = dst + column * kRows;
    LAYOUT_UNROLL for (int i = 0; i < 8; ++i) {
      store_part<8, 0>(to + 2 * i * kRows, v[i]);
      if (i < 7 || !is_last.value) store_part<8, 1>(to + (2 * i + 1) * kRows, v[i]);
    }
    if constexpr (is_last.value) {
      store_part<4, 2>(to + 15 * kRows, v[7]);
      store_part<4, 2>(to + 16 * kRows - 4, wasm_u64x2_shr(v[7], 8 * (kRows - 4)));
    }
  };
  for (int column = 0; column + 16 < columns; column += 16) step(column, std::false_type());
  step(columns - 16, std::true_type());
}

// Three channels: what patches of pictures have. A function each, because code that is inlined twice is too long.

template <int kBits>
[[gnu::noinline]] void runs_to_pixels(int runs, int pixels, Bytes src, std::uint8_t* dst, Offsets planes,
                                      std::ptrdiff_t apart) {
  for (; runs > 0; --runs, src += apart, dst += 3 * pixels * kBits / 8) to_pixels<kBits, 3>(pixels, src, planes, dst);
}

template <int kBits>
[[gnu::noinline]] void runs_to_planes(int runs, int pixels, Bytes src, std::uint8_t* dst, Offsets planes,
                                      std::ptrdiff_t apart) {
  for (; runs > 0; --runs, src += 3 * pixels * kBits / 8, dst += apart) to_planes<kBits, 3>(pixels, src, dst, planes);
}

template <int kBits>
void pixels_of_three(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst) {
  runs_to_pixels<kBits>(1, columns, src, dst, src_rows, 0);
}

template <int kBits>
void planes_of_three(int rows, Bytes src, std::uint8_t* dst, Offsets dst_rows) {
  runs_to_planes<kBits>(1, rows, src, dst, dst_rows, 0);
}

}  // namespace

RunsKernel* find_runs_kernel(std::int64_t element_bits, std::int64_t rows, std::int64_t columns) {
  if (rows == 3) {
    if (element_bits == 4) return runs_to_pixels<4>;
    if (element_bits == 8) return runs_to_pixels<8>;
    if (element_bits == 16) return runs_to_pixels<16>;
    if (element_bits == 32) return runs_to_pixels<32>;
  } else if (columns == 3) {
    if (element_bits == 4) return runs_to_planes<4>;
    if (element_bits == 8) return runs_to_planes<8>;
    if (element_bits == 16) return runs_to_planes<16>;
    if (element_bits == 32) return runs_to_planes<32>;
  }
  return nullptr;
}

// The scalar kernels take fewer pixels than one step.
#define DEFINE_FEW_COLUMNS(bits, few, body)                                                                         \
  void transpose_nx##few##_x##bits##_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, \
                                             Offsets dst_rows) {                                                    \
    if (rows < 128 / bits) {                                                                                        \
      std::ptrdiff_t dense[128 / bits];                                                                             \
      for (int r = 0; r < rows; ++r) dense[r] = src_rows[0] + r * columns * (bits / 8);                             \
      return transpose_x##bits##_scalar(rows, columns, src, dense, dst, dst_rows);                                  \
    }                                                                                                               \
    body(rows, src + src_rows[0], dst, dst_rows);                                                                   \
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
#define DEFINE(bits, few)                               \
  DEFINE_FEW_COLUMNS(bits, few, (to_planes<bits, few>)) \
  DEFINE_FEW_ROWS(bits, few, (to_pixels<bits, few>))
#define DEFINE_THREE(bits)                           \
  DEFINE_FEW_COLUMNS(bits, 3, planes_of_three<bits>) \
  DEFINE_FEW_ROWS(bits, 3, pixels_of_three<bits>)
DEFINE(8, 2)
DEFINE(8, 4)
DEFINE(16, 2)
DEFINE(16, 4)
DEFINE(32, 2)
DEFINE_THREE(8)
DEFINE_THREE(16)
DEFINE_THREE(32)
DEFINE_FEW_ROWS(8, 5, to_columns<5>)
DEFINE_FEW_ROWS(8, 6, to_columns<6>)
DEFINE_FEW_ROWS(8, 7, to_columns<7>)
#undef DEFINE_THREE
#undef DEFINE
#undef DEFINE_FEW_ROWS
#undef DEFINE_FEW_COLUMNS

}  // namespace layout
