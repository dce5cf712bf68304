#pragma once

#include "bits/vectors.h"

namespace layout {

/// Transposes kRows rows of one vector each, in place: v then holds the columns, of kRows elements each, one after the
/// other. kRows is a power of two. Each of log2(kRows) rounds zips a row of the first half with one of the second half.
///   a0 a1 a2 a3      a0 c0 a1 c1      a0 b0 c0 d0
///   b0 b1 b2 b3  ->  a2 c2 a3 c3  ->  a1 b1 c1 d1
///   c0 c1 c2 c3      b0 d0 b1 d1      a2 b2 c2 d2
///   d0 d1 d2 d3      b2 d2 b3 d3      a3 b3 c3 d3
template <int kBits, int kRows>
inline void interleave(v128_t (&v)[kRows]) {
  LAYOUT_UNROLL for (int done = 1; done < kRows; done *= 2) {
    v128_t zipped[kRows];
    LAYOUT_UNROLL for (int i = 0; i < kRows / 2; ++i) {
      zipped[2 * i] = zip_low<kBits>(v[i], v[i + kRows / 2]);
      zipped[2 * i + 1] = zip_high<kBits>(v[i], v[i + kRows / 2]);
    }
    LAYOUT_UNROLL for (int i = 0; i < kRows; ++i) v[i] = zipped[i];
  }
}

}  // namespace layout
