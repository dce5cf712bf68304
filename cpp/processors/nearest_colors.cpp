// processors/nearest_colors.h says what these functions do.

#include "processors/nearest_colors.h"

#include <limits>

#include "bits/vectors.h"

namespace layout {

/// Two pairs of pixels at a time: a vector has two doubles.
void nearest_colors(const NearestColors& call) {
  constexpr int kPairs = 2;
  const auto dot = [](const v128_t* a, const v128_t* b) {
    return wasm_f64x2_add(wasm_f64x2_add(wasm_f64x2_mul(a[0], b[0]), wasm_f64x2_mul(a[1], b[1])),
                          wasm_f64x2_mul(a[2], b[2]));
  };
  for (std::int32_t k = 0; k < call.count; k += 2 * kPairs) {
    v128_t pixels[kPairs][3], squares[kPairs], least[kPairs], best[kPairs];
    LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) {
      LAYOUT_UNROLL for (int c = 0; c < 3; ++c) pixels[p][c] =
          wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(call.pixels + c * call.count + k + 2 * p));
      squares[p] = dot(pixels[p], pixels[p]);
      least[p] = wasm_f64x2_splat(std::numeric_limits<double>::infinity());
      best[p] = wasm_i64x2_splat(0);
    }
    const double* color = call.color;
    for (std::int32_t i = 0; i < call.colors; ++i, color += 4) {
      const v128_t rgb[] = {wasm_f64x2_splat(color[0]), wasm_f64x2_splat(color[1]), wasm_f64x2_splat(color[2])};
      LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) {
        const v128_t product = dot(pixels[p], rgb);
        const v128_t twice = wasm_f64x2_add(product, product);
        const v128_t distance = wasm_f64x2_add(wasm_f64x2_sub(squares[p], twice), wasm_f64x2_splat(color[3]));
        const v128_t nearer = wasm_f64x2_lt(distance, least[p]);
        least[p] = wasm_f64x2_pmin(least[p], distance);
        best[p] = wasm_v128_bitselect(wasm_i64x2_splat(i), best[p], nearer);
      }
    }
    LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) store(call.to + k + 2 * p, best[p]);
  }
}

}  // namespace layout
