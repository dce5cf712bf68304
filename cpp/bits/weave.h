#pragma once

#include "bits/simd128.h"

namespace layout {

/// Elements of a vector.
template <int kBits>
constexpr int kLanes = 128 / kBits;

// a0 a1 a2 a3, b0 b1 b2 b3 -> a0 b0 a1 b1 (low), a2 b2 a3 b3 (high). The only two-source shuffles that V8 maps to one
// instruction.
template <int kBits>
inline v128_t low(v128_t a, v128_t b) {
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
inline v128_t high(v128_t a, v128_t b) {
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
inline void weave(v128_t (&v)[kRows]) {
  LAYOUT_UNROLL for (int done = 1; done < kRows; done *= 2) {
    v128_t woven[kRows];
    LAYOUT_UNROLL for (int i = 0; i < kRows / 2; ++i) {
      woven[2 * i] = low<kBits>(v[i], v[i + kRows / 2]);
      woven[2 * i + 1] = high<kBits>(v[i], v[i + kRows / 2]);
    }
    LAYOUT_UNROLL for (int i = 0; i < kRows; ++i) v[i] = woven[i];
  }
}

}  // namespace layout
