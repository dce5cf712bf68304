// resize/float_passes.h says what these functions do.

#include "resize/float_passes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bits/vectors.h"
#include "resize/float_taps.h"

namespace layout {
namespace {

/// Finds the `taps.term_count()` terms of an entry. Of tables for float32, `taps.weights` counts Terms.
const Term* terms_of(const TapTable& table, const Taps& taps) {
  return reinterpret_cast<const Term*>(table.weights()) + taps.weights;
}

/// Finds the row of `pass.src` that a term of an entry names.
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
  const auto high = [](v128_t v) { return wasm_i64x2_shuffle(v, v, 1, 1); };
  return wasm_i64x2_shuffle(fused_two(a, b, c), fused_two(high(a), b, high(c)), 0, 2);
}

/// Does sum_terms down the rows of `pass.src`, for their four numbers from `x` on.
v128_t sum_four(const DownPass& pass, const Taps& taps, const Term* terms, std::size_t x) {
  v128_t sum = wasm_f32x4_splat(0.0f);
  for (int k = 0; k < taps.term_count(); ++k) {
    const v128_t numbers = load(reinterpret_cast<const std::uint8_t*>(row_of(pass, taps, terms[k]) + x));
    const v128_t weight = wasm_f32x4_splat(terms[k].weight), product = wasm_f32x4_mul(numbers, weight);
    sum = k == 0 ? product : k < taps.unfused_count() ? wasm_f32x4_add(sum, product) : fused_four(numbers, weight, sum);
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
    const Taps& taps = pass.table.taps()[pass.first + i];
    const Term* rows = terms_of(pass.table, taps);
    auto* to = reinterpret_cast<float*>(pass.dst.data + i * pass.dst.stride);
    for (int plane = 0, x = 0; plane < 3; ++plane) {
      for (int column = 0; column < columns.count; ++column, ++x) {
        const Taps& own = columns.taps()[column];
        if (taps.term_count() == 0 || own.term_count() == 0) {
          to[x] = 0.0f;
          continue;
        }
        const Term* across = terms_of(columns, own);
        const float *lower = row_of(pass, taps, rows[0]) + 2 * x, *upper = row_of(pass, taps, rows[1]) + 2 * x;
        // A bilinear entry has the term of the later pixel first: the lower row, and the right pixel of a pair.
        const float below = rows[0].weight, above = rows[1].weight;
        const float right = across[0].weight, left = across[1].weight;
        const float first = upper[0] * (above * right);
        to[x] = fused(lower[0], below * right, fused(lower[1], below * left, fused(upper[1], above * left, first)));
      }
    }
  }
}

/// Rounds, clamps, scales and normalizes the rows of three planes, which come in turn.
void finish_floats(const FloatNumbers& numbers, float* rows, int count, int columns) {
  for (int i = 0; i < count; ++i) {
    for (int x = 0; x < columns; ++x, ++rows) {
      const float whole = numbers.is_rounded ? std::nearbyint(*rows) : *rows;
      const float scaled = std::clamp(whole, numbers.low, numbers.high) * numbers.scale / numbers.divisor;
      *rows = (scaled - numbers.mean[i % 3]) / numbers.std[i % 3];
    }
  }
}

}  // namespace layout
