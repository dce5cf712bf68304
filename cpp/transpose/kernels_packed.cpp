#include <algorithm>
#include <cstring>

#include "transpose/kernels.h"
#include "transpose/tiles.h"

// Packed elements in two steps: delta swaps between as many rows as a byte has elements turn each byte into one column
// of those rows; what is left is one transpose of bytes for the first column of every byte, one for the second, and so
// on.

namespace layout {
namespace {

// Bytes of a block along the destination's rows.
constexpr int kTall = 64;

v128_t mask(int byte) { return wasm_i8x16_splat(static_cast<std::int8_t>(byte)); }

/// Exchanges the bits of `a` under ~keep with the bits of `b` under keep, which lie `kShift` lower.
///   a: a1 a0, b: b1 b0 (keep: low) -> a: b0 a0, b: b1 a1
template <int kShift>
void delta_swap(v128_t& a, v128_t& b, v128_t keep) {
  const v128_t difference = wasm_v128_and(wasm_v128_xor(wasm_u16x8_shr(a, kShift), b), keep);
  b = wasm_v128_xor(b, difference);
  a = wasm_v128_xor(a, wasm_i16x8_shl(difference, kShift));
}

template <int kBits>
void swap_rows(v128_t* rows) {
  if constexpr (kBits == 4) {
    delta_swap<4>(rows[0], rows[1], mask(0x0f));
  } else {
    delta_swap<2>(rows[0], rows[1], mask(0x33));
    delta_swap<2>(rows[2], rows[3], mask(0x33));
    delta_swap<4>(rows[0], rows[2], mask(0x0f));
    delta_swap<4>(rows[1], rows[3], mask(0x0f));
  }
}

v128_t load_up_to(Bytes src, int bytes) {
  if (bytes >= 16) return wasm_v128_load(src);
  std::uint8_t copy[16] = {};
  std::memcpy(copy, src, static_cast<std::size_t>(bytes));
  return wasm_v128_load(copy);
}

template <int kBits>
void transpose_packed(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kPerByte = 8 / kBits;
  // Along the source's rows: swapped, a block takes 16 kB, half of a first-level cache. 64 bytes at a time, of 4 bits,
  // take 1.1 times as long.
  constexpr int kWide = kBits == 4 ? 128 : 64;
  const bool is_regular = is_even(columns, dst_rows);
  alignas(16) std::uint8_t swapped[kPerByte][kTall][kWide];
  std::ptrdiff_t block_src_rows[kTall];
  std::ptrdiff_t block_dst_rows[kPerByte][kWide];
  for (int i = 0; i < kTall; ++i) block_src_rows[i] = i * kWide;

  for (int c = 0; c < columns / kPerByte; c += kWide) {
    const int width = std::min(kWide, columns / kPerByte - c);
    for (int i = 0; i < width * kPerByte; ++i) block_dst_rows[i % kPerByte][i / kPerByte] = dst_rows[c * kPerByte + i];
    for (int r = 0; r < rows / kPerByte; r += kTall) {
      const int height = std::min(kTall, rows / kPerByte - r);
      for (int i = 0; i < height; ++i) {
        Bytes from[kPerByte];
        LAYOUT_UNROLL for (int k = 0; k < kPerByte; ++k) from[k] = src + src_rows[(r + i) * kPerByte + k] + c;
        const auto swap = [&](int at, int bytes) {
          v128_t v[kPerByte];
          LAYOUT_UNROLL for (int k = 0; k < kPerByte; ++k) v[k] = load_up_to(from[k] + at, bytes);
          swap_rows<kBits>(v);
          LAYOUT_UNROLL for (int k = 0; k < kPerByte; ++k) wasm_v128_store(&swapped[k][i][at], v[k]);
        };
        int at = 0;
        for (; at + 32 <= width; at += 32) {
          swap(at, 16);
          swap(at + 16, 16);
        }
        for (; at < width; at += 16) swap(at, width - at);
      }
      const int whole = is_regular && width % 8 == 0 ? height / 16 * 16 : 0;
      for (int k = 0; k < kPerByte; ++k) {
        for (int i = 0; i < whole; i += 16) {
          tiles<8, 16, 8>(width, PitchRows<kWide>{swapped[k][i]}, EvenRows(dst + r + i, block_dst_rows[k]));
        }
        if (whole == height) continue;
        transpose_x8_simd128(height - whole, width, swapped[k][whole], block_src_rows, dst + r + whole,
                             block_dst_rows[k]);
      }
    }
  }
}

}  // namespace

void transpose_x4_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  transpose_packed<4>(rows, columns, src, src_rows, dst, dst_rows);
}

void transpose_x2_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  transpose_packed<2>(rows, columns, src, src_rows, dst, dst_rows);
}

}  // namespace layout
