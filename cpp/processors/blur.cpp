// processors/blur.h says what these functions do.

#include "processors/blur.h"

#include <algorithm>
#include <cmath>

#include "bits/simd128.h"

namespace layout {

namespace {

template <class T>
void sum(const Neighbors& call) {
  constexpr int kBlock = 8;
  T* to = static_cast<T*>(call.numbers);
  const T* from = to + call.reach * call.stride;
  for (std::int32_t k = 0; k < call.count; k += kBlock) {
    double sums[kBlock];
    for (int b = 0; b < kBlock; ++b) sums[b] = static_cast<double>(from[k + b]) * call.weights[0];
    for (std::int32_t i = call.reach; i > 0; --i) {
      const T *before = from + k - i * call.stride, *behind = from + k + i * call.stride;
      for (int b = 0; b < kBlock; ++b)
        sums[b] += (static_cast<double>(before[b]) + static_cast<double>(behind[b])) * call.weights[i];
    }
    for (int b = 0; b < kBlock; ++b) to[k + b] = static_cast<T>(sums[b]);
  }
}

}  // namespace

void sum_neighbors(const Neighbors& call) { call.element == 1 ? sum<std::uint8_t>(call) : sum<float>(call); }

// The sums stay pairs of float32 between the taps: of a demotion and a promotion in a row Clang makes scalar code.
void blur_line(const BlurredLine& call) {
  constexpr int kPairs = 8;
  BlurMemory& memory = *call.memory;
  const float* weights = memory.weights;
  float* row = memory.sums;
  double* numbers = memory.numbers();
  std::copy_n(memory.line, call.count + 3 * (call.taps - 1), numbers);
  if (call.line == 0) std::fill_n(row, call.count, 0.0f);
  for (std::int32_t k = 0; k < call.count; k += 2 * kPairs) {
    v128_t sums[kPairs];
    LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) sums[p] = wasm_v128_load64_zero(row + k + 2 * p);
    for (std::int32_t j = 0; j < call.taps; ++j) {
      const v128_t weight = wasm_f64x2_splat(weights[j] * call.share);
      LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) {
        const v128_t product = wasm_f64x2_mul(wasm_v128_load(numbers + k + 3 * j + 2 * p), weight);
        sums[p] = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_add(product, wasm_f64x2_promote_low_f32x4(sums[p])));
      }
    }
    LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) wasm_v128_store64_lane(row + k + 2 * p, sums[p], 0);
  }
  if (call.line < call.lines - 1) return;
  for (std::int32_t k = 0; k < call.count; ++k) memory.bytes[k] = static_cast<std::uint8_t>(std::nearbyint(row[k]));
}

}  // namespace layout
