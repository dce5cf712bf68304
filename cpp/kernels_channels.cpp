#include <algorithm>
#include <type_traits>

#include "kernels.h"
#include "weave.h"

// Two, three or four channels: interleaved pixels to planes (nxC) and back (Cxn). One vector holds a group of whole pixels, 12 of its
// bytes for three channels; vectors a whole step apart overlap by the other four.

namespace layout {
namespace {

using Bytes = const std::uint8_t*;
using Offsets = const std::ptrdiff_t*;

/// Byte i of the result is byte at[i] of the vector. V8 has one instruction for a constant order.
struct Order {
  std::uint8_t at[16] = {};

  v128_t operator()(v128_t v) const { return wasm_i8x16_swizzle(v, wasm_v128_load(at)); }
};

template <int kBits, int kChannels>
struct Layout {
  static constexpr int kBytes = kBits / 8;
  static constexpr int kVectors = kChannels == 2 ? 2 : 4;
  static constexpr int kGroupBytes = 16 / kVectors;         // of one channel in one vector
  static constexpr int kStep = kGroupBytes * kChannels;     // bytes of whole pixels in one vector
  static constexpr int kLanes = 16 / kBytes;                // pixels in kVectors vectors

  // r0 g0 b0 r1 g1 b1 r2 g2 b2 r3 g3 b3 .. -> r0 r1 r2 r3 g0 g1 g2 g3 b0 b1 b2 b3 .., beginning kSkip bytes into the vector.
  template <int kSkip>
  static constexpr Order kByChannel = [] {
    Order order;
    for (int i = 0; i < kStep; ++i) {
      const int channel = i / kGroupBytes;
      const int byte = i % kGroupBytes;
      order.at[i] = static_cast<std::uint8_t>(kSkip + (byte / kBytes * kChannels + channel) * kBytes + byte % kBytes);
    }
    return order;
  }();

  // The way back.
  static constexpr Order kByPixel = [] {
    Order order;
    for (int i = 0; i < kStep; ++i) {
      const int channel = i / kBytes % kChannels;
      order.at[i] = static_cast<std::uint8_t>(channel * kGroupBytes + i / (kBytes * kChannels) * kBytes + i % kBytes);
    }
    return order;
  }();
};

/// Calls step(at, is_last) for all of `count` pixels, `lanes` at a time, the last ones again where they do not divide. Steps that
/// are not the last may reach four bytes, less than two pixels, beyond their own.
template <typename Step>
void for_each_step(int count, int lanes, const Step& step) {
  int at = 0;
  for (; at + lanes + 2 <= count; at += lanes) step(at, std::false_type());
  for (; at < count; at += lanes) step(std::min(at, count - lanes), std::true_type());
}

template <int kBits, int kChannels>
void to_planes(int rows, Bytes src, std::uint8_t* dst, Offsets dst_rows) {
  using L = Layout<kBits, kChannels>;
  constexpr int kVectors = L::kVectors;
  for_each_step(rows, L::kLanes, [=](int row, auto is_last) {
    Bytes pixels = src + row * kChannels * L::kBytes;
    constexpr int kBack = is_last.value ? 16 - L::kStep : 0;
    v128_t v[kVectors];
    LAYOUT_UNROLL for (int i = 0; i < kVectors - 1; ++i) {
      v[i] = L::template kByChannel<0>(wasm_v128_load(pixels + i * L::kStep));
    }
    v[kVectors - 1] = L::template kByChannel<kBack>(wasm_v128_load(pixels + (kVectors - 1) * L::kStep - kBack));
    weave<128 / kVectors>(v);
    LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) wasm_v128_store(dst + dst_rows[c] + row * L::kBytes, v[c]);
  });
}

template <int kBits, int kChannels>
void to_pixels(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst) {
  using L = Layout<kBits, kChannels>;
  for_each_step(columns, L::kLanes, [=](int column, auto is_last) {
    std::uint8_t* pixels = dst + column * kChannels * L::kBytes;
    v128_t v[L::kVectors];
    LAYOUT_UNROLL for (int c = 0; c < kChannels; ++c) v[c] = wasm_v128_load(src + src_rows[c] + column * L::kBytes);
    if constexpr (kChannels != 3) {
      weave<kBits>(v);
      LAYOUT_UNROLL for (int i = 0; i < kChannels; ++i) wasm_v128_store(pixels + i * 16, v[i]);
    } else {
      v[3] = v[2];
      weave<32>(v);
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) v[i] = L::kByPixel(v[i]);
      LAYOUT_UNROLL for (int i = 0; i < 3; ++i) wasm_v128_store(pixels + i * L::kStep, v[i]);
      if constexpr (is_last.value) {
        wasm_v128_store64_lane(pixels + 3 * L::kStep, v[3], 0);
        wasm_v128_store32_lane(pixels + 3 * L::kStep + 8, v[3], 2);
      } else {
        wasm_v128_store(pixels + 3 * L::kStep, v[3]);
      }
    }
  });
}

/// Five to seven rows of bytes: as eight, whose columns overwrite what the ones before them wrote too much.
template <int kRows>
void to_columns(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst) {
  for_each_step(columns, 16, [=](int column, auto is_last) {
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
  });
}

}  // namespace

// Fewer pixels than one step are left to the definition.
#define DEFINE_FEW_COLUMNS(bits, few)                                                                                      \
  void transpose_nx##few##_x##bits##_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst,        \
                                             Offsets dst_rows) {                                                           \
    if (rows < 128 / bits) {                                                                                               \
      std::ptrdiff_t dense[128 / bits];                                                                                    \
      for (int r = 0; r < rows; ++r) dense[r] = src_rows[0] + r * columns * (bits / 8);                                    \
      return transpose_x##bits##_scalar(rows, columns, src, dense, dst, dst_rows);                                         \
    }                                                                                                                      \
    to_planes<bits, few>(rows, src + src_rows[0], dst, dst_rows);                                                          \
  }
#define DEFINE_FEW_ROWS(bits, few, body)                                                                                   \
  void transpose_##few##xn_x##bits##_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst,        \
                                             Offsets dst_rows) {                                                           \
    if (columns < 128 / bits) {                                                                                            \
      std::ptrdiff_t dense[128 / bits];                                                                                    \
      for (int c = 0; c < columns; ++c) dense[c] = dst_rows[0] + c * rows * (bits / 8);                                    \
      return transpose_x##bits##_scalar(rows, columns, src, src_rows, dst, dense);                                         \
    }                                                                                                                      \
    body(columns, src, src_rows, dst + dst_rows[0]);                                                                       \
  }
#define DEFINE(bits, few)            \
  DEFINE_FEW_COLUMNS(bits, few)      \
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
