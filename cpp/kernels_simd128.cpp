#include <utility>

#include "kernels.h"
#include "simd128.h"

namespace layout {
namespace {

using Bytes = const std::uint8_t*;
using Offsets = const std::ptrdiff_t*;

#define UNROLL _Pragma("clang loop unroll(full)")

// a0 a1 a2 a3, b0 b1 b2 b3 -> a0 b0 a1 b1 (low), a2 b2 a3 b3 (high). The only two-source shuffles that V8 maps to one instruction.
template <int kBits>
v128_t low(v128_t a, v128_t b) {
  if constexpr (kBits == 8) {
    return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  } else if constexpr (kBits == 16) {
    return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  } else if constexpr (kBits == 32) {
    return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
  } else {
    return wasm_i64x2_shuffle(a, b, 0, 2);
  }
}

template <int kBits>
v128_t high(v128_t a, v128_t b) {
  if constexpr (kBits == 8) {
    return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  } else if constexpr (kBits == 16) {
    return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  } else if constexpr (kBits == 32) {
    return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  } else {
    return wasm_i64x2_shuffle(a, b, 1, 3);
  }
}

/// kRows rows of one vector become their columns, one after the other: a perfect shuffle, log2(kRows) times.
///   a0 a1 a2 a3      a0 c0 a1 c1      a0 b0 c0 d0
///   b0 b1 b2 b3  ->  a2 c2 a3 c3  ->  a1 b1 c1 d1
///   c0 c1 c2 c3      b0 d0 b1 d1      a2 b2 c2 d2
///   d0 d1 d2 d3      b2 d2 b3 d3      a3 b3 c3 d3
template <int kBits, int kRows>
void weave(v128_t (&v)[kRows]) {
  UNROLL for (int done = 1; done < kRows; done *= 2) {
    v128_t woven[kRows];
    UNROLL for (int i = 0; i < kRows / 2; ++i) {
      woven[2 * i] = low<kBits>(v[i], v[i + kRows / 2]);
      woven[2 * i + 1] = high<kBits>(v[i], v[i + kRows / 2]);
    }
    UNROLL for (int i = 0; i < kRows; ++i) v[i] = woven[i];
  }
}

template <int kBytes>
v128_t load(Bytes src) {
  if constexpr (kBytes == 16) return wasm_v128_load(src);
  if constexpr (kBytes == 8) return wasm_v128_load64_zero(src);
  if constexpr (kBytes == 4) return wasm_v128_load32_zero(src);
  if constexpr (kBytes == 2) return wasm_v128_load16_splat(src);
}

template <int kBytes, int kLane>
void store(std::uint8_t* dst, v128_t v) {
  if constexpr (kBytes == 16) wasm_v128_store(dst, v);
  if constexpr (kBytes == 8) wasm_v128_store64_lane(dst, v, kLane);
  if constexpr (kBytes == 4) wasm_v128_store32_lane(dst, v, kLane);
  if constexpr (kBytes == 2) wasm_v128_store16_lane(dst, v, kLane);
}

/// kRows x kColumns elements. Both are powers of two, from 2 to the lanes of a vector.
template <int kBits, int kRows, int kColumns>
void tile(Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kPerVector = 128 / kBits / kRows;
  v128_t v[kRows];
  UNROLL for (int r = 0; r < kRows; ++r) v[r] = load<kColumns * kBits / 8>(src + src_rows[r]);
  weave<kBits, kRows>(v);
  [&]<int... c>(std::integer_sequence<int, c...>) {
    (store<kRows * kBits / 8, c % kPerVector>(dst + dst_rows[c], v[c / kPerVector]), ...);
  }(std::make_integer_sequence<int, kColumns>());
}

/// The last columns of a strip, fewer than a whole tile: the narrowest tile that holds them, moved back over columns that are done
/// already; two of half its width where the strip is narrower than that.
template <int kBits, int kRows, int kColumns>
void last_columns(int columns, int done, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kBytes = kBits / 8;
  if constexpr (kColumns > 2) {
    if (columns - done <= kColumns / 2) return last_columns<kBits, kRows, kColumns / 2>(columns, done, src, src_rows, dst, dst_rows);
    if (columns < kColumns) {
      tile<kBits, kRows, kColumns / 2>(src, src_rows, dst, dst_rows);
      const int at = columns - kColumns / 2;
      return tile<kBits, kRows, kColumns / 2>(src + at * kBytes, src_rows, dst, dst_rows + at);
    }
  }
  const int at = columns - kColumns;
  tile<kBits, kRows, kColumns>(src + at * kBytes, src_rows, dst, dst_rows + at);
}

/// kRows rows of any length.
template <int kBits, int kRows>
void strip(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kLanes = 128 / kBits;
  int c = 0;
  for (; c + kLanes <= columns; c += kLanes) tile<kBits, kRows, kLanes>(src + c * (kBits / 8), src_rows, dst, dst_rows + c);
  if (c < columns) last_columns<kBits, kRows, kLanes>(columns, c, src, src_rows, dst, dst_rows);
}

/// As last_columns, for the rows below the last whole strip.
template <int kBits, int kRows>
void last_rows(int rows, int done, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kBytes = kBits / 8;
  if constexpr (kRows > 2) {
    if (rows - done <= kRows / 2) return last_rows<kBits, kRows / 2>(rows, done, columns, src, src_rows, dst, dst_rows);
    if (rows < kRows) {
      strip<kBits, kRows / 2>(columns, src, src_rows, dst, dst_rows);
      const int at = rows - kRows / 2;
      return strip<kBits, kRows / 2>(columns, src, src_rows + at, dst + at * kBytes, dst_rows);
    }
  }
  const int at = rows - kRows;
  strip<kBits, kRows>(columns, src, src_rows + at, dst + at * kBytes, dst_rows);
}

template <int kBits>
void transpose(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows, Kernel* scalar) {
  constexpr int kLanes = 128 / kBits;
  if (rows == 1 || columns == 1) return scalar(rows, columns, src, src_rows, dst, dst_rows);
  int r = 0;
  for (; r + kLanes <= rows; r += kLanes) strip<kBits, kLanes>(columns, src, src_rows + r, dst + r * (kBits / 8), dst_rows);
  if (r < rows) last_rows<kBits, kLanes>(rows, r, columns, src, src_rows, dst, dst_rows);
}

}  // namespace

#define DEFINE(bits)                                                                                                        \
  void transpose_x##bits##_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) { \
    transpose<bits>(rows, columns, src, src_rows, dst, dst_rows, transpose_x##bits##_scalar);                               \
  }
DEFINE(8)
DEFINE(16)
DEFINE(32)
DEFINE(64)
#undef DEFINE

}  // namespace layout
