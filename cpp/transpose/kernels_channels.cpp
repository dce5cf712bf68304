// transpose/kernels.h says what these functions do.

#include <algorithm>
#include <type_traits>

#include "transpose/channels.h"

// Few rows or few columns. Two, three or four channels: interleaved pixels to planes (nx2 to nx4) and back (2xn to
// 4xn). A plane is one channel of all pixels, side by side; a group is the pixels that fill one vector of each plane.
// Five to seven rows of bytes (5xn to 7xn).

namespace layout {
namespace {

/// Calls step(at, groups) for all of `count` pixels, at least `lanes`: `at` is the first pixel of one or two groups of
/// `lanes` pixels. Two groups at a time are a fifth faster. Where groups do not divide `count`, the last one begins
/// earlier, over pixels that are done already.
template <typename Step>
void for_each_step(int count, int lanes, const Step& step) {
  int at = 0;
  for (; at + 2 * lanes <= count; at += 2 * lanes) step(at, std::integral_constant<int, 2>());
  for (; at < count; at += lanes) step(std::min(at, count - lanes), std::integral_constant<int, 1>());
}

/// Moves `rows` interleaved pixels, at least a group, from `src` to planes: plane c begins dst_rows[c] bytes after
/// `dst`.
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
        // Each vector's pixels, sorted by channel, are kChannels parts. Interleaving the parts of all vectors collects
        // each channel in one vector.
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

/// Moves `columns` pixels, at least a group, from planes to `dst`, interleaved. Plane c begins src_rows[c] bytes after
/// `src`.
template <int kBits, int kChannels>
void to_pixels(int columns, Bytes src, std::uint8_t* dst, Offsets src_rows) {
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
        join_channels<(kBits == 4 ? 8 : kBits)>(v);  // nibbles are bytes in registers
        store_elements<kBits>(pixels + group * 3 * kPixelBytes<kBits>, v);
      } else {
        interleave<kBits>(v);
        LAYOUT_UNROLL for (int i = 0; i < kChannels; ++i) store(pixels, group * kChannels + i, v[i]);
      }
    }
  });
}

/// Transposes kRows (five to seven) rows of at least 16 bytes, 16 columns at a time, as if there were eight rows: the
/// last one stands in for those that are missing. Columns are written in order, eight bytes each; the next column
/// overwrites the surplus bytes.
template <int kRows>
void to_columns(int columns, Bytes src, std::uint8_t* dst, Offsets src_rows) {
  const auto step = [=](int column, auto is_last) {
    v128_t v[8];  // after interleave, v[i] has columns 2i and 2i + 1
    LAYOUT_UNROLL for (int r = 0; r < 8; ++r) v[r] = r < kRows ? load(src + src_rows[r] + column) : v[r - 1];
    interleave<8>(v);
    std::uint8_t* to = dst + column * kRows;
    LAYOUT_UNROLL for (int i = 0; i < 8; ++i) {
      store_part<8, 0>(to + 2 * i * kRows, v[i]);
      if (i < 7 || !is_last.value) store_part<8, 1>(to + (2 * i + 1) * kRows, v[i]);
    }
    // The destination ends with the last column, so eight bytes are too many: write its first four bytes and its last
    // four, which overlap.
    if constexpr (is_last.value) {
      store_part<4, 2>(to + 15 * kRows, v[7]);
      store_part<4, 2>(to + 16 * kRows - 4, wasm_u64x2_shr(v[7], 8 * (kRows - 4)));
    }
  };
  // The last 16 columns, always on their own, may begin in columns that are done already.
  for (int column = 0; column + 16 < columns; column += 16) step(column, std::false_type());
  step(columns - 16, std::true_type());
}

// Three channels, as patches of pictures have. Both functions serve the table of kernels, for one run, and as
// RunsKernel. They are not inlined, because their code is long and would be there twice.

/// The RunsKernel from three planes in `src` to interleaved pixels in `dst`.
template <int kBits>
[[gnu::noinline]] void runs_to_pixels(int pixels, Bytes src, std::uint8_t* dst, Offsets planes, int runs = 1,
                                      std::ptrdiff_t apart = 0) {
  for (; runs > 0; --runs, src += apart, dst += 3 * pixels * kBits / 8) to_pixels<kBits, 3>(pixels, src, dst, planes);
}

/// The RunsKernel from interleaved pixels of three channels in `src` to planes in `dst`.
template <int kBits>
[[gnu::noinline]] void runs_to_planes(int pixels, Bytes src, std::uint8_t* dst, Offsets planes, int runs = 1,
                                      std::ptrdiff_t apart = 0) {
  for (; runs > 0; --runs, src += 3 * pixels * kBits / 8, dst += apart) to_planes<kBits, 3>(pixels, src, dst, planes);
}

}  // namespace

RunsKernel* find_runs_kernel(std::int64_t element_bits, std::int64_t rows, std::int64_t columns) {
  if (rows != 3 && columns != 3) return nullptr;
  if (element_bits == 4) return rows == 3 ? runs_to_pixels<4> : runs_to_planes<4>;
  if (element_bits == 8) return rows == 3 ? runs_to_pixels<8> : runs_to_planes<8>;
  if (element_bits == 16) return rows == 3 ? runs_to_pixels<16> : runs_to_planes<16>;
  if (element_bits == 32) return rows == 3 ? runs_to_pixels<32> : runs_to_planes<32>;
  return nullptr;
}

// Fewer pixels than one group go to a scalar kernel, which needs an offset for each row of the dense side too.
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
    body(columns, src, dst + dst_rows[0], src_rows);                                                                \
  }
#define DEFINE(bits, few)                               \
  DEFINE_FEW_COLUMNS(bits, few, (to_planes<bits, few>)) \
  DEFINE_FEW_ROWS(bits, few, (to_pixels<bits, few>))
#define DEFINE_THREE(bits)                          \
  DEFINE_FEW_COLUMNS(bits, 3, runs_to_planes<bits>) \
  DEFINE_FEW_ROWS(bits, 3, runs_to_pixels<bits>)
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
