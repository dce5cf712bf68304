// processors/zoom.h says what these functions do.

#include "processors/zoom.h"

#include <cmath>
#include <cstring>
#include <initializer_list>

#include "bits/arena.h"
#include "bits/vectors.h"
#include "processors/filter_rows.h"
#include "processors/gaussian.h"

namespace layout {

namespace {

/// A filter makes this many numbers at once. Each row has as many spare ones after its end.
constexpr int kBlock = 8;

/// The weights of an axis, from the middle outwards.
struct Filter {
  int reach;
  double* weights;
};

/// Two elements of an axis, and the share of the second.
struct Place {
  int first, second;
  double share;
};

/// A row that is filtered along both axes, and its number; -1 for none.
struct Filtered {
  int row;
  float* numbers;
};

/// The state between two steps. Bytes become float32, which holds them exactly, so that one code serves both.
struct ZoomWork {
  FilterRows rows;
  Zoom zoom;
  Filter down, across;
  Place* columns;
  float *before, *behind;  // two rows of the same weight
  double* sums;            // down the columns
  float* line;             // a row between its mirrored ends
  Filtered filtered[2];
  int y;          // the row of the result
  int slot, row;  // the filtered row in the making
  int tap;        // of the row at `source`: 0 in the middle, then two of each weight; -1 for none

  /// Whether the row of `tap` lies above the middle one.
  bool is_above() const { return tap % 2 != 0; }
  /// How many rows it lies from the middle one.
  int distance() const { return tap == 0 ? 0 : down.reach - (tap - 1) / 2; }
  bool has_bytes() const { return zoom.element == 1; }
  /// All bits where numbers are bytes.
  v128_t bytes_mask() const { return splat32(has_bytes() ? ~0u : 0); }
};

/// scipy's deviation of a blur from `from` to `to` elements.
double deviation_of(std::int32_t from, std::int32_t to) { return (static_cast<double>(from) / to - 1) / 2; }

/// How many elements the blur of an axis reaches to each side; 0 without one.
int reach_of(const Zoom& zoom, std::int32_t from, std::int32_t to) {
  return zoom.blurs != 0 && from > to ? scipy_reach(deviation_of(from, to)) : 0;
}

/// Writes the weights of an axis: a Gaussian, or 1 alone.
void write_weights(const Filter& filter, std::int32_t from, std::int32_t to) {
  filter.weights[0] = 1;
  if (filter.reach > 0) scipy_gaussian(deviation_of(from, to), filter.weights);
}

/// Finds the place in the source of element `i` of the result: the elements on both sides of it, and how near it is to
/// the second. An axis has `from` elements in the source and `to` in the result.
Place place_of(int i, std::int32_t from, std::int32_t to) {
  // Element 0 is the axis of the mirror, so a place before it, -x, has the numbers of place x.
  const double exact = std::fabs((i + 0.5) * (static_cast<double>(from) / to) - 0.5);
  const int first = static_cast<int>(exact);
  return {mirrored(first, from), mirrored(first + 1, from), exact - first};
}

/// Four numbers as float64.
struct Four {
  v128_t low, high;

  /// Makes four float32 numbers float64.
  static Four of(const float* at) {
    const v128_t numbers = load(at);
    return {wasm_f64x2_promote_low_f32x4(numbers), wasm_f64x2_promote_low_f32x4(high_half(numbers))};
  }
  Four operator+(const Four& b) const { return {wasm_f64x2_add(low, b.low), wasm_f64x2_add(high, b.high)}; }
  Four operator*(v128_t b) const { return {wasm_f64x2_mul(low, b), wasm_f64x2_mul(high, b)}; }
  /// Cuts numbers to whole ones, toward 0, where the mask has all bits; leaves the others.
  Four cut(v128_t mask) const {
    return {wasm_v128_bitselect(wasm_f64x2_trunc(low), low, mask),
            wasm_v128_bitselect(wasm_f64x2_trunc(high), high, mask)};
  }
  /// Rounds to float32.
  v128_t rounded() const { return zip_low<64>(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high)); }
};

/// Takes the row of the picture at `work.rows.source`, which `work.tap` names: tap 0 is the middle row; then come the
/// rows above it (odd) and below it (even), from the farthest to the nearest, two of each weight. A row above waits in
/// `work.before` for the row below of the same weight. The middle row begins `work.sums`, each pair is added to them.
void add_row(const ZoomWork& work) {
  const int numbers = 3 * work.zoom.width;
  const auto* source = static_cast<const std::uint8_t*>(work.rows.source);
  float* to = work.is_above() ? work.before : work.behind;
  if (work.has_bytes()) {
    for (int k = 0; k < numbers; ++k) to[k] = source[k];
  } else {
    std::memcpy(to, source, static_cast<std::size_t>(numbers) * sizeof(float));
  }
  if (work.is_above()) return;
  const v128_t weight = wasm_f64x2_splat(work.down.weights[work.distance()]);
  for (int k = 0; k < numbers; k += 4) {
    double* sums = work.sums + k;
    Four sum = Four::of(work.behind + k);
    if (work.tap == 0) {
      sum = sum * weight;
    } else {
      sum = Four{load(sums), load(sums, 1)} + (Four::of(work.before + k) + sum) * weight;
    }
    store(sums, 0, sum.low);
    store(sums, 1, sum.high);
  }
}

/// Rounds `work.sums`, a row that is filtered down the columns, filters it along the row, and writes it to `to`. Works
/// in `work.line`.
void filter_across(const ZoomWork& work, float* to) {
  const int numbers = 3 * work.zoom.width, reach = work.across.reach;
  const double* weights = work.across.weights;
  const v128_t mask = work.bytes_mask();
  float* from = work.line + 3 * reach;
  for (int k = 0; k < numbers; k += 4) {
    const double* sums = work.sums + k;
    store(from + k, Four{load(sums), load(sums, 1)}.cut(mask).rounded());
  }
  mirror_ends(work.line, work.zoom.width, reach);
  for (int k = 0; k < numbers; k += kBlock) {
    const v128_t middle = wasm_f64x2_splat(weights[0]);
    Four first = Four::of(from + k) * middle, second = Four::of(from + k + 4) * middle;
    for (int i = reach; i > 0; --i) {
      const float *left = from + k - 3 * i, *right = from + k + 3 * i;
      const v128_t weight = wasm_f64x2_splat(weights[i]);
      first = first + (Four::of(left) + Four::of(right)) * weight;
      second = second + (Four::of(left + 4) + Four::of(right + 4)) * weight;
    }
    store(to + k, 0, first.cut(mask).rounded());
    store(to + k, 1, second.cut(mask).rounded());
  }
}

/// Writes the next row of the result from the filtered rows above and below it, of which `below` has the weight
/// `share`: each pixel is the weighted mean of four pixels. Bytes are made as float32 first, in the same memory.
void mix_rows(const ZoomWork& work, const float* above, const float* below, double share) {
  const v128_t up = wasm_f64x2_splat(1 - share), down = wasm_f64x2_splat(share), mask = work.bytes_mask();
  // Bytes are rounded to the nearest by adding 0.5, and then cut. Float32 is not rounded: adding -0 changes no number.
  const v128_t half = wasm_v128_bitselect(wasm_f64x2_splat(0.5), wasm_f64x2_splat(-0.0), mask);
  const v128_t lowest = wasm_f64x2_splat(work.zoom.lowest), highest = wasm_f64x2_splat(work.zoom.highest);
  auto* to = static_cast<float*>(work.rows.result);
  for (int x = 0; x < work.zoom.count; ++x) {
    const auto [first, second, across] = work.columns[x];
    const v128_t left = wasm_f64x2_splat(1 - across), right = wasm_f64x2_splat(across);
    const Four sum = Four::of(above + 3 * first) * up * left + Four::of(above + 3 * second) * up * right +
                     Four::of(below + 3 * first) * down * left + Four::of(below + 3 * second) * down * right;
    const Four whole = (sum + Four{half, half}).cut(mask);
    const auto clamped = [&](v128_t a) { return wasm_f64x2_min(wasm_f64x2_max(a, lowest), highest); };
    store_part<12>(to + 3 * x, Four{clamped(whole.low), clamped(whole.high)}.rounded());
  }
  if (!work.has_bytes()) return;
  auto* bytes = static_cast<std::uint8_t*>(work.rows.result);
  for (int k = 0; k < 3 * work.zoom.count; ++k) bytes[k] = static_cast<std::uint8_t>(to[k]);
}

/// The number of the picture's row that `work.tap` needs.
std::int32_t row_of_tap(const ZoomWork& work) {
  const int row = work.is_above() ? work.row - work.distance() : work.row + work.distance();
  return mirrored(row, work.zoom.height);
}

}  // namespace

/// Takes the memory of the steps array by array and computes the weights; without memory only counts its bytes.
std::uint64_t plan_zoom(const Zoom& zoom, std::uint8_t* memory) {
  const auto numbers = static_cast<std::uint64_t>(3 * zoom.width), count = static_cast<std::uint64_t>(zoom.count);
  const std::uint64_t row_numbers = numbers + kBlock;
  Filter down{reach_of(zoom, zoom.height, zoom.to_height), nullptr};
  Filter across{reach_of(zoom, zoom.width, zoom.to_width), nullptr};
  const auto reach_x = static_cast<std::uint64_t>(across.reach), reach_y = static_cast<std::uint64_t>(down.reach);
  Arena arena(memory);
  auto* work = arena.take<ZoomWork>(1);
  const FilterRows rows{arena.take<float>(numbers), arena.take<float>(3 * count)};
  down.weights = arena.take<double>(reach_y + 1);
  across.weights = arena.take<double>(reach_x + 1);
  auto* columns = arena.take<Place>(count);
  auto *before = arena.take<float>(row_numbers), *behind = arena.take<float>(row_numbers);
  auto* sums = arena.take<double>(row_numbers);
  auto* line = arena.take<float>(row_numbers + 2 * 3 * reach_x);  // mirrored pixels at both ends
  const Filtered first{-1, arena.take<float>(row_numbers)}, second{-1, arena.take<float>(row_numbers)};
  if (!arena.counts()) {
    *work = {.rows = rows,
             .zoom = zoom,
             .down = down,
             .across = across,
             .columns = columns,
             .before = before,
             .behind = behind,
             .sums = sums,
             .line = line,
             .filtered = {first, second},
             .y = 0,
             .slot = 0,
             .row = 0,
             .tap = -1};
    write_weights(down, zoom.height, zoom.to_height);
    write_weights(across, zoom.width, zoom.to_width);
    for (int i = 0; i < zoom.count; ++i) columns[i] = place_of(zoom.first + i, zoom.width, zoom.to_width);
  }
  return arena.used();
}

/// Uses the row that the last step asked for, and asks for the next.
std::int32_t zoom_step(std::uint8_t* memory) {
  auto& work = *reinterpret_cast<ZoomWork*>(memory);
  Filtered* slots = work.filtered;
  const bool has_row = work.tap >= 0;
  if (has_row) {
    add_row(work);
    if (++work.tap <= 2 * work.down.reach) return row_of_tap(work);
    filter_across(work, slots[work.slot].numbers);
    slots[work.slot].row = work.row;
    work.tap = -1;
  }
  // The result's next row needs two filtered rows.
  const auto [above, below, share] = place_of(work.y, work.zoom.height, work.zoom.to_height);
  const bool is_slot_0_needed = slots[0].row == above || slots[0].row == below;
  for (const int row : {above, below}) {
    const bool is_filtered = slots[0].row == row || slots[1].row == row;
    if (is_filtered) continue;
    work.slot = is_slot_0_needed ? 1 : 0;
    work.row = row;
    work.tap = 0;
    return row_of_tap(work);
  }
  const auto numbers_of = [&](int row) { return slots[slots[0].row == row ? 0 : 1].numbers; };
  mix_rows(work, numbers_of(above), numbers_of(below), share);
  ++work.y;
  return -1;
}

}  // namespace layout
