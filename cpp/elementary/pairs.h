#pragma once

#include <cstdint>

#include "bits/simd128.h"

namespace layout {

/// Two float64 numbers: two frames, one a lane.
using Pair = double __attribute__((vector_size(16)));
/// The result of a comparison of pairs: all bits of a lane or none.
using PairBits = std::int64_t __attribute__((vector_size(16)));

inline Pair splat(double x) { return Pair{x, x}; }

/// Takes `a` where the mask has its bits, else `b`.
inline Pair select(PairBits mask, Pair a, Pair b) {
  const PairBits chosen = (mask & reinterpret_cast<PairBits>(a)) | (~mask & reinterpret_cast<PairBits>(b));
  return reinterpret_cast<Pair>(chosen);
}

/// The larger number, or NaN where one is NaN, as np.maximum.
inline Pair maximum(Pair a, Pair b) {
#ifdef __wasm_simd128__
  return reinterpret_cast<Pair>(wasm_f64x2_max(reinterpret_cast<v128_t>(a), reinterpret_cast<v128_t>(b)));
#else
  return select(a > b, a, select(b >= a, b, a + b));  // neither is true of NaN, and a + b is NaN
#endif
}

/// The square root.
inline Pair root(Pair a) {
#ifdef __wasm_simd128__
  return reinterpret_cast<Pair>(wasm_f64x2_sqrt(reinterpret_cast<v128_t>(a)));
#else
  return Pair{__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
#endif
}

/// The absolute value of both numbers: clears their sign bits.
inline Pair absolute(Pair a) {
  return reinterpret_cast<Pair>(reinterpret_cast<PairBits>(a) & PairBits{INT64_MAX, INT64_MAX});
}

/// Rounded to float32, as float64 again.
inline Pair to_float32(Pair a) {
#ifdef __wasm_simd128__
  const v128_t narrow = wasm_f32x4_demote_f64x2_zero(reinterpret_cast<v128_t>(a));
  return reinterpret_cast<Pair>(wasm_f64x2_promote_low_f32x4(narrow));
#else
  return Pair{static_cast<double>(static_cast<float>(a[0])), static_cast<double>(static_cast<float>(a[1]))};
#endif
}

}  // namespace layout
