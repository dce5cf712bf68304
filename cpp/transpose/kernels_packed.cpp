// transpose/kernels.h says what these functions do.

#include <algorithm>
#include <cstring>

#include "bits/packed.h"
#include "transpose/kernels.h"
#include "transpose/tiles.h"

// Elements of 4 and 2 bits in two steps. Delta swaps between as many rows as a byte has elements turn each byte into
// one column of those rows. Then one transpose of bytes moves the first column of every byte, another the second
// column, and so on.
//   row 0: a1a0 .. -> b0a0 ..  (columns 0)
//   row 1: b1b0 .. -> b1a1 ..  (columns 1)

namespace layout {
namespace {

// Bytes of a block along the rows of the destination.
constexpr int kTall = 64;

/// Exchanges the bits of `a` under ~keep with the bits of `b` under keep, which lie kShift bits lower.
///   a: a1 a0, b: b1 b0 (keep: low) -> a: b0 a0, b: b1 a1
template <int kShift>
void delta_swap(v128_t& a, v128_t& b, v128_t keep) {
  const v128_t difference = wasm_v128_and(wasm_v128_xor(wasm_u16x8_shr(a, kShift), b), keep);
  b = wasm_v128_xor(b, difference);
  a = wasm_v128_xor(a, wasm_i16x8_shl(difference, kShift));
}

/// Takes one vector of each of 8 / kBits rows. Byte i of rows[k] becomes column k of these rows' bytes i, as the
/// picture above shows: a transpose of 2 x 2 nibbles, or of 4 x 4 pairs in two rounds.
template <int kBits>
void swap_rows(v128_t* rows) {
  if constexpr (kBits == 4) {
    delta_swap<4>(rows[0], rows[1], splat8(0x0f));
  } else {
    delta_swap<2>(rows[0], rows[1], splat8(0x33));  // the low pair of each nibble
    delta_swap<2>(rows[2], rows[3], splat8(0x33));
    delta_swap<4>(rows[0], rows[2], splat8(0x0f));
    delta_swap<4>(rows[1], rows[3], splat8(0x0f));
  }
}

/// Loads `bytes` bytes, or 16 where there are more; zeros after them.
v128_t load_up_to(Bytes src, int bytes) {
  if (bytes >= 16) return load(src);
  std::uint8_t copy[16] = {};
  std::memcpy(copy, src, static_cast<std::size_t>(bytes));
  return load(copy);
}

/// Elements in a byte, and rows in a group: as many as a byte has elements.
template <int kBits>
inline constexpr int kPerByte = 8 / kBits;

/// The most bytes of a block along the rows of the source: a swapped block takes 16 kB, half of a first-level cache.
/// Blocks of 64 bytes take 1.1 times as long for elements of 4 bits.
template <int kBits>
inline constexpr int kWide = kBits == 4 ? 128 : 64;

/// A block after its rows are swapped: bytes[k][i][at] has column k of byte `at` of all rows of group i.
template <int kBits>
struct SwappedBlock {
  alignas(16) std::uint8_t bytes[kPerByte<kBits>][kTall][kWide<kBits>];
};

/// Swaps the rows of group `group` of a block, from `src` on, a vector of each row at a time. `offsets` are those of
/// its rows, and `width` is how many bytes of each belong to the block.
template <int kBits>
[[gnu::always_inline]] inline void swap_group(Bytes src, Offsets offsets, int width, int group,
                                              SwappedBlock<kBits>& swapped) {
  constexpr int kRows = kPerByte<kBits>;
  Bytes from[kRows];
  LAYOUT_UNROLL for (int k = 0; k < kRows; ++k) from[k] = src + offsets[k];
  const auto swap = [&](int at, int bytes) {
    v128_t v[kRows];
    LAYOUT_UNROLL for (int k = 0; k < kRows; ++k) v[k] = load_up_to(from[k] + at, bytes);
    swap_rows<kBits>(v);
    LAYOUT_UNROLL for (int k = 0; k < kRows; ++k) store(&swapped.bytes[k][group][at], v[k]);
  };
  int at = 0;
  for (; at + 32 <= width; at += 32) {  // two vectors a round
    swap(at, 16);
    swap(at + 16, 16);
  }
  for (; at < width; at += 16) swap(at, width - at);
}

/// Transposes elements of 4 or 2 bits, block by block: swaps the rows of each group of the block, then transposes each
/// swapped.bytes[k], a matrix of bytes, to the destination's rows k, k + kPerByte and so on.
template <int kBits>
void transpose_packed(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kEach = kPerByte<kBits>;  // elements of a byte, and rows of a group
  constexpr int kWidth = kWide<kBits>;
  const bool is_regular = is_even(columns, dst_rows);
  SwappedBlock<kBits> swapped;
  std::ptrdiff_t block_src_rows[kTall];
  std::ptrdiff_t block_dst_rows[kEach][kWidth];  // for each swapped.bytes[k], its rows of the destination
  for (int i = 0; i < kTall; ++i) block_src_rows[i] = i * kWidth;

  // Blocks of `width` bytes of each source row, from `byte` on, and of `height` groups of rows, from `group` on. A
  // group fills one byte of each destination row.
  for (int byte = 0; byte < columns / kEach; byte += kWidth) {
    const int width = std::min(kWidth, columns / kEach - byte);
    for (int i = 0; i < width * kEach; ++i) block_dst_rows[i % kEach][i / kEach] = dst_rows[byte * kEach + i];
    for (int group = 0; group < rows / kEach; group += kTall) {
      const int height = std::min(kTall, rows / kEach - group);
      for (int i = 0; i < height; ++i) swap_group<kBits>(src + byte, src_rows + (group + i) * kEach, width, i, swapped);
      // In tiles of 16 x 8 bytes where these divide the width and the destination's rows are at one stride. The kernel
      // for bytes takes the groups that are left.
      const int tiled = is_regular && width % 8 == 0 ? height / 16 * 16 : 0;
      std::uint8_t* to = dst + group;
      for (int k = 0; k < kEach; ++k) {
        for (int i = 0; i < tiled; i += 16) {
          tiles<8, 16, 8>(width, PitchRows<kWidth>{swapped.bytes[k][i]}, EvenRows(to + i, block_dst_rows[k]));
        }
        if (tiled == height) continue;
        transpose_x8_simd128(height - tiled, width, swapped.bytes[k][tiled], block_src_rows, to + tiled,
                             block_dst_rows[k]);
      }
    }
  }
}

/// Transposes 16 x 16 elements of 6 bits as bytes. All rows begin on bytes.
void tile_of_sextets(Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  v128_t v[16];
  for (int r = 0; r < 16; ++r) v[r] = unpack_sextets(load_part<12>(src + src_rows[r]));
  interleave<8, 16>(v);
  for (int c = 0; c < 16; ++c) store_part<12>(dst + dst_rows[c], pack_sextets(v[c]));
}

}  // namespace

void transpose_x6_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  if (rows < 16 || columns < 16) return transpose_x6_scalar(rows, columns, src, src_rows, dst, dst_rows);
  // The last tiles begin in elements that are done already. Both extents are multiples of 4, and 4 elements fill 3
  // bytes, so all tiles begin on bytes.
  for (int c = 0; c < columns; c += 16) {
    const int column = std::min(c, columns - 16), column_byte = column / 4 * 3;
    for (int r = 0; r < rows; r += 16) {
      const int row = std::min(r, rows - 16), row_byte = row / 4 * 3;
      tile_of_sextets(src + column_byte, src_rows + row, dst + row_byte, dst_rows + column);
    }
  }
}

void transpose_x4_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  transpose_packed<4>(rows, columns, src, src_rows, dst, dst_rows);
}

void transpose_x2_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  transpose_packed<2>(rows, columns, src, src_rows, dst, dst_rows);
}

}  // namespace layout
