// resize/float_passes.h says what these functions do.

#include "resize/float_passes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bits/vectors.h"
#include "resize/float_taps.h"

namespace layout {
namespace {

/// Finds the terms of an entry of a table for float32, whose `weights` is the index of its first Term.
const Term* terms_of(const TapTable& table, const Taps& taps) {
  return reinterpret_cast<const Term*>(table.weights()) + taps.weights;
}

/// Finds the row of `pass.src` that a term of an entry names: its `at` counts from the entry's first row.
const float* row_of(const DownPass& pass, const Taps& taps, const Term& term) {
  return reinterpret_cast<const float*>(pass.src.data + (taps.first - pass.base + term.at) * pass.src.stride);
}

/// Sums an entry's products in torch's order of float32 steps; 0 without terms. `src` is the number of the entry's
/// first pixel, and the next pixel's lies `stride` numbers on. Products before number `taps.unfused_count()` are
/// rounded before they are added, later ones are not.
float sum_terms(const Taps& taps, const Term* terms, const float* src, std::ptrdiff_t stride) {
  if (taps.term_count() == 0) return 0.0f;
  float sum = src[terms[0].at * stride] * terms[0].weight;
  for (int k = 1; k < taps.term_count(); ++k) {
    const float number = src[terms[k].at * stride], weight = terms[k].weight;
    if (k < taps.unfused_count()) {
      // A product and a sum apart, so that no compiler fuses them.
      const float product = number * weight;
      sum = static_cast<float>(static_cast<double>(sum) + static_cast<double>(product));
    } else {
      sum = fused(number, weight, sum);
    }
  }
  return sum;
}

/// a * b + c of the low two lanes, rounded once.
v128_t fused_two(v128_t a, v128_t b, v128_t c) {
  return wasm_f32x4_demote_f64x2_zero(
      wasm_f64x2_add(wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b)),
                     wasm_f64x2_promote_low_f32x4(c)));
}

/// a * b + c of four lanes, rounded once; b has the same number in each.
v128_t fused_four(v128_t a, v128_t b, v128_t c) {
  return zip_low<64>(fused_two(a, b, c), fused_two(high_half(a), b, high_half(c)));
}

/// Does sum_terms down the rows of `pass.src`, for their four numbers from `x` on.
v128_t sum_four(const DownPass& pass, const Taps& taps, const Term* terms, std::size_t x) {
  v128_t sum = wasm_f32x4_splat(0.0f);
  for (int k = 0; k < taps.term_count(); ++k) {
    const v128_t numbers = load(reinterpret_cast<const std::uint8_t*>(row_of(pass, taps, terms[k]) + x));
    const v128_t weight = wasm_f32x4_splat(terms[k].weight), product = wasm_f32x4_mul(numbers, weight);
    if (k == 0) {
      sum = product;
    } else if (k < taps.unfused_count()) {
      sum = wasm_f32x4_add(sum, product);
    } else {
      sum = fused_four(numbers, weight, sum);
    }
  }
  return sum;
}

}  // namespace

/// Makes one row of float32 pixels from a row of the source.
void float_across(const TapTable& table, int base, const float* src, float* dst) {
  for (int i = 0; i < table.count; ++i) {
    const Taps& taps = table.taps()[i];
    dst[i] = sum_terms(taps, terms_of(table, taps), src + (taps.first - base), 1);
  }
}

/// Copies the two source pixels of each result pixel, for float_pairs_down to sum.
void float_pairs_across(const TapTable& table, int base, const float* src, float* dst) {
  for (int i = 0; i < table.count; ++i) {
    const Taps& taps = table.taps()[i];
    const Term* terms = terms_of(table, taps);
    for (int k = 0; k < 2; ++k) *dst++ = taps.term_count() == 0 ? 0.0f : src[taps.first - base + terms[k].at];
  }
}

/// Sums the rows of the source that each row of the result is made of, four numbers at a time.
void float_down(const DownPass& pass) {
  const std::size_t numbers = pass.row_bytes / 4;
  for (int i = 0; i < pass.count; ++i) {
    const Taps& taps = pass.table.taps()[pass.first + i];
    const Term* terms = terms_of(pass.table, taps);
    std::uint8_t* to = pass.dst.data + i * pass.dst.stride;
    std::size_t x = 0;
    for (; x + 4 <= numbers; x += 4) store(to + 4 * x, sum_four(pass, taps, terms, x));
    const auto* src = reinterpret_cast<const float*>(pass.src.data + (taps.first - pass.base) * pass.src.stride);
    for (; x < numbers; ++x) {
      const float sum = sum_terms(taps, terms, src + x, pass.src.stride / 4);
      std::memcpy(to + 4 * x, &sum, 4);
    }
  }
}

/// Sums the four pixels around each place in one chain of fused steps.
void float_pairs_down(const DownPass& pass, const TapTable& columns) {
  for (int i = 0; i < pass.count; ++i) {
    const Taps& row_taps = pass.table.taps()[pass.first + i];
    const Term* row_terms = terms_of(pass.table, row_taps);
    auto* to = reinterpret_cast<float*>(pass.dst.data + i * pass.dst.stride);
    for (int plane = 0, x = 0; plane < 3; ++plane) {
      for (int column = 0; column < columns.count; ++column, ++x) {
        const Taps& column_taps = columns.taps()[column];
        if (row_taps.term_count() == 0 || column_taps.term_count() == 0) {
          to[x] = 0.0f;
          continue;
        }
        // A bilinear entry has the term of the later pixel first: the lower row, and the right pixel of a pair.
        const float* lower_pair = row_of(pass, row_taps, row_terms[0]) + 2 * x;
        const float* upper_pair = row_of(pass, row_taps, row_terms[1]) + 2 * x;
        const float lower = row_terms[0].weight, upper = row_terms[1].weight;
        const Term* column_terms = terms_of(columns, column_taps);
        const float right = column_terms[0].weight, left = column_terms[1].weight;
        float sum = upper_pair[0] * (upper * right);
        sum = fused(upper_pair[1], upper * left, sum);
        sum = fused(lower_pair[1], lower * left, sum);
        sum = fused(lower_pair[0], lower * right, sum);
        to[x] = sum;
      }
    }
  }
}

void finish_floats(const FloatNumbers& steps, float* rows, int count, int columns) {
  float* number = rows;
  for (int row = 0; row < count; ++row) {
    const int plane = row % 3;
    for (int x = 0; x < columns; ++x, ++number) {
      const float rounded = steps.is_rounded ? std::nearbyint(*number) : *number;
      const float clamped = std::clamp(rounded, steps.low, steps.high);
      const float scaled = clamped * steps.scale / steps.divisor;
      *number = (scaled - steps.mean[plane]) / steps.std[plane];
    }
  }
}

}  // namespace layout
