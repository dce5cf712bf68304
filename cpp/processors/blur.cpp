// processors/blur.h says what these functions do.

#include "processors/blur.h"

#include <algorithm>
#include <cmath>

#include "bits/arena.h"
#include "bits/vectors.h"
#include "processors/filter_rows.h"
#include "processors/gaussian.h"

namespace layout {

namespace {

/// How many pairs of numbers, in the two lanes of f64x2, are summed at once. Lines have as many spare pairs at their
/// end.
constexpr int kPairs = 8;

struct BlurWork {
  FilterRows rows;
  Blur blur;
  int reach_x, reach_y;
  float *across, *down;  // weights
  double* line;          // a row between its mirrored ends
  float* sums;
  int y, tap;  // the row of the result, and the tap whose row lies at `source`; -1 for none
};

/// Adds `work.line`, blurred along the row and times `share`, the weight of its row, to `work.sums`: for each number
/// its taps in turn. A vector of sums holds two float32 numbers between the taps, since Clang makes scalar code of a
/// demotion that a promotion follows.
void add_line(const BlurWork& work, float share) {
  const int taps = 2 * work.reach_x + 1;
  for (int k = 0; k < 3 * work.blur.width; k += 2 * kPairs) {
    v128_t sums[kPairs];
    LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) sums[p] = load_part<8>(work.sums + k + 2 * p);
    for (int j = 0; j < taps; ++j) {
      const v128_t weight = wasm_f64x2_splat(work.across[j] * share);
      LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) {
        const v128_t product = wasm_f64x2_mul(load(work.line + k + 3 * j + 2 * p), weight);
        sums[p] = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_add(product, wasm_f64x2_promote_low_f32x4(sums[p])));
      }
    }
    LAYOUT_UNROLL for (int p = 0; p < kPairs; ++p) store_part<8>(work.sums + k + 2 * p, sums[p]);
  }
}

/// Adds the row of the picture at `work.rows.source` to `work.sums`, which begin at 0 with the first tap. Copies it to
/// `work.line` on the way.
void add_row(const BlurWork& work) {
  const int numbers = 3 * work.blur.width;
  const auto* source = static_cast<const std::uint8_t*>(work.rows.source);
  std::copy_n(source, numbers, work.line + 3 * work.reach_x);
  mirror_ends(work.line, work.blur.width, work.reach_x);
  if (work.tap == 0) std::fill_n(work.sums, numbers, 0.0f);
  add_line(work, work.down[work.tap]);
}

}  // namespace

/// Takes the memory of the steps array by array and computes the weights; without memory only counts its bytes.
std::uint64_t plan_blur(const Blur& blur, std::uint8_t* memory) {
  const int reach_x = torch_reach(blur.sigma_x), reach_y = torch_reach(blur.sigma_y);
  const auto numbers = static_cast<std::uint64_t>(3 * blur.width);
  const auto spare = static_cast<std::uint64_t>(2 * kPairs);
  const auto taps_x = static_cast<std::uint64_t>(2 * reach_x + 1), taps_y = static_cast<std::uint64_t>(2 * reach_y + 1);
  Arena arena(memory);
  auto* work = arena.take<BlurWork>(1);
  const FilterRows rows{arena.take<std::uint8_t>(numbers), arena.take<std::uint8_t>(numbers)};
  auto *across = arena.take<float>(taps_x), *down = arena.take<float>(taps_y);
  auto* line = arena.take<double>(numbers + 3 * (taps_x - 1) + spare);  // mirrored pixels at both ends
  auto* sums = arena.take<float>(numbers + spare);
  if (!arena.counts()) {
    *work = {.rows = rows,
             .blur = blur,
             .reach_x = reach_x,
             .reach_y = reach_y,
             .across = across,
             .down = down,
             .line = line,
             .sums = sums,
             .y = 0,
             .tap = -1};
    torch_gaussian(blur.sigma_x, across);
    torch_gaussian(blur.sigma_y, down);
  }
  return arena.used();
}

/// Uses the row that the last step asked for, and asks for the next.
std::int32_t blur_step(std::uint8_t* memory) {
  auto& work = *reinterpret_cast<BlurWork*>(memory);
  // A row of the result has a tap for each row of the picture from reach_y above it to reach_y below it.
  const bool has_row = work.tap >= 0;
  if (has_row) add_row(work);
  ++work.tap;
  const int picture_row = work.y - work.reach_y + work.tap;
  if (work.tap <= 2 * work.reach_y) return mirrored(picture_row, work.blur.height);
  auto* result = static_cast<std::uint8_t*>(work.rows.result);
  for (int k = 0; k < 3 * work.blur.width; ++k) result[k] = static_cast<std::uint8_t>(std::nearbyint(work.sums[k]));
  ++work.y;
  work.tap = -1;
  return -1;
}

}  // namespace layout
