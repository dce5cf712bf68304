// resize/opencv.h says what these functions do.

#include <algorithm>
#include <cstring>

#include "bits/packed.h"
#include "resize/opencv.h"

// OpenCV sums down the columns last: rows of sums of 32 bits become rows of bytes. An entry of the table (Taps) names
// the rows that one row of the result is the sum of, its taps, and their weights.

namespace layout {
namespace {

/// The rows of sums that make a row of the result, and their weights. A rule has 2, 4 or 8 taps.
struct Window {
  const std::uint8_t* rows[8];
  std::int16_t weights[8];

  /// Finds the rows of a rule's `count` taps in `src`, whose row 0 is row `base` of the source. OpenCV repeats the row
  /// at an edge: a tap beyond the entry's rows has the nearest of them.
  [[gnu::noinline]] Window(int count, const TapTable& table, const Taps& taps, int base, Rows src) {
    for (int tap = 0; tap < count; ++tap) {
      const int row = taps.first + std::clamp(taps.weight_origin() + tap, 0, taps.count - 1);
      rows[tap] = src.data + (row - base) * src.stride;
    }
    std::memcpy(weights, table.weights() + 4 * taps.weights, 2 * static_cast<std::size_t>(count));
  }
};

/// Rounds float32 to nearest, ties to even, and makes them int32: adding 1.5 * 2^23 leaves whole numbers in the low
/// bits.
inline v128_t rounded(v128_t x) {
  constexpr float kLowBits = 0x1.8p23f;
  constexpr std::uint32_t kLowBitsCode = 0x4b400000;  // the same number's bits
  return wasm_i32x4_sub(wasm_f32x4_add(x, wasm_f32x4_splat(kLowBits)), splat32(kLowBitsCode));
}

/// Fraction bits of OpenCV's whole weights along both axes: 11 along each.
constexpr int kFractionBits = 11 + 11;

// Each of four structs makes four numbers of the result, in lanes of 32 bits, from the sums at byte `x` of its rows.

/// kLinear and kAreaLinear, in OpenCV's steps: the high 16 bits of each product, their sum rounded to drop 2 bits more.
struct DownLinear {
  const Window& window;
  const std::uint8_t *upper = window.rows[0], *lower = window.rows[1];
  v128_t first = wasm_i32x4_splat(window.weights[0]), second = wasm_i32x4_splat(window.weights[1]);

  /// Returns four numbers of the result, from the sums at byte `x` of each row.
  v128_t operator()(std::size_t x) const {
    // Both numbers have 15 bits, so the high halves of their lanes are 0.
    const v128_t a = wasm_i32x4_shr(wasm_i32x4_dot_i16x8(load(upper + x), first), 16);
    const v128_t b = wasm_i32x4_shr(wasm_i32x4_dot_i16x8(load(lower + x), second), 16);
    return wasm_i32x4_shr(wasm_i32x4_add(wasm_i32x4_add(a, b), splat32(2)), 2);
  }
};

/// kCubic: float32, the last row first. Weights are divided by 2^kFractionBits, since the sums of the pass across have
/// their fraction bits, too.
struct DownCubic {
  const std::uint8_t* rows[4];
  v128_t weights[4];

  /// Takes the window's four rows, and divides its weights.
  explicit DownCubic(const Window& window) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      rows[i] = window.rows[i];
      weights[i] = wasm_f32x4_splat(static_cast<float>(window.weights[i]) * (1.0f / (1 << kFractionBits)));
    }
  }

  /// Returns four numbers of the result, from the sums at byte `x` of each row.
  v128_t operator()(std::size_t x) const {
    v128_t sum = wasm_f32x4_mul(load(rows[3] + x), weights[3]);
    LAYOUT_UNROLL for (int i = 2; i >= 0; --i) sum = wasm_f32x4_add(wasm_f32x4_mul(load(rows[i] + x), weights[i]), sum);
    return rounded(sum);
  }
};

/// kLanczos4, kLinearOnce and kLinearExact: whole numbers with kFractionBits, of which the sum is rounded once.
/// kLinearExact has 8 bits along each axis, so `factor` adds the other 6.
struct DownWhole {
  const Window& window;
  int taps;
  int factor;

  /// Returns four numbers of the result, from the sums at byte `x` of each row.
  [[gnu::noinline]] v128_t operator()(std::size_t x) const {
    v128_t sum = splat32(1 << (kFractionBits - 1));  // a half, so that the shift rounds
    for (int i = 0; i < taps; ++i)
      sum = wasm_i32x4_add(sum, wasm_i32x4_mul(load(window.rows[i] + x), wasm_i32x4_splat(window.weights[i] * factor)));
    return wasm_i32x4_shr(sum, kFractionBits);
  }
};

/// kArea: sums `count` rows `stride` bytes apart times float32 weights, from the first on, each product and sum
/// rounded.
struct DownCells {
  const std::uint8_t* src;
  std::ptrdiff_t stride;
  const std::uint8_t* weights;
  int count;

  /// Returns four numbers of the result, from the sums at byte `x` of each row.
  v128_t operator()(std::size_t x) const {
    v128_t sum = splat32(0);
    const std::uint8_t* at = src + x;
    for (int i = 0; i < count; ++i, at += stride)
      sum = wasm_f32x4_add(sum, wasm_f32x4_mul(load(at), wasm_v128_load32_splat(weights + 4 * i)));
    return rounded(sum);
  }
};

/// Makes a row of `numbers` bytes: `sum`, one of the structs above, makes four numbers at a time, which are then
/// limited to 0..255.
template <class Sum>
[[gnu::noinline]] void make_row(const Sum sum, std::size_t numbers, std::uint8_t* dst) {
  for (std::size_t x = 0; x < numbers; x += 16) {
    const v128_t bytes = saturate_uint8(sum(4 * x), sum(4 * x + 16), sum(4 * x + 32), sum(4 * x + 48));
    if (x + 16 <= numbers) {
      store(dst + x, bytes);
    } else {
      std::uint8_t last[16];
      store(last, bytes);
      std::memcpy(dst + x, last, numbers - x);
    }
  }
}

/// Makes the numbers of a row of kCubic that OpenCV's vectors leave over: those from rest.begin on, but for a group
/// among them that vectors took. OpenCV sums these in whole numbers, halves rounded up, not in float32. The sums of the
/// pass across are whole numbers in float32.
void round_rest(const Window& window, const RowRest& rest, std::size_t numbers, std::uint8_t* dst) {
  for (std::size_t x = rest.begin; x < numbers; ++x) {
    const bool is_grouped = rest.grouped_begin <= x && x < rest.grouped_end;
    if (is_grouped) continue;
    std::int32_t sum = 1 << (kFractionBits - 1);  // a half, so that the shift rounds
    for (int tap = 0; tap < 4; ++tap) {
      float across;
      std::memcpy(&across, window.rows[tap] + 4 * x, 4);
      sum += window.weights[tap] * static_cast<std::int32_t>(across);
    }
    dst[x] = static_cast<std::uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
  }
}

}  // namespace

void opencv_down(Rule rule, const DownPass& pass, const RowRest& rest) {
  const auto& [table, first, count, src, base, numbers, to] = pass;
  std::uint8_t* dst = to.data;
  for (int i = first; i < first + count; ++i, dst += to.stride) {
    const Taps& taps = table.taps()[i];
    if (rule == Rule::kArea) {
      const std::uint8_t* from = src.data + (taps.first - base) * src.stride;
      make_row(DownCells{from, src.stride, table.weights() + 4 * taps.weights, taps.count}, numbers, dst);
      continue;
    }
    const Window window(taps_of(rule), table, taps, base, src);
    if (rule == Rule::kCubic) {
      // From rest.begin on, round_rest makes all numbers but those from grouped_begin to grouped_end.
      make_row(DownCubic(window), std::max(rest.begin, rest.grouped_end), dst);
      round_rest(window, rest, numbers, dst);
    } else if (rule == Rule::kLanczos4 || rule == Rule::kLinearExact || rule == Rule::kLinearOnce) {
      const int factor = rule == Rule::kLinearExact ? 1 << 6 : 1;
      make_row(DownWhole{window, taps_of(rule), factor}, numbers, dst);
    } else {
      make_row(DownLinear{window}, numbers, dst);
    }
  }
}

}  // namespace layout
