#pragma once

#include <algorithm>
#include <cstring>

#include "bits/interleave.h"
#include "resize/passes.h"

// Sums of 16 bytes that lie side by side, which both passes make. To a pass across the rows, columns of 16 bytes are
// the rows. An entry of a table (Taps) names the rows that one row of the result is the sum of, its taps, and their
// weights.

namespace layout {

/// The bytes of two taps, side by side in lanes of 16 bits: one dot product takes both weights.
struct Pairs {
  v128_t lanes[4];
  Pairs() = default;
  /// Loads 16 bytes of a tap and of the next one.
  Pairs(const std::uint8_t* src, std::ptrdiff_t stride) {
    const v128_t a = load(src), b = load(src + stride);
    const v128_t front = zip_low<8>(a, b), back = zip_high<8>(a, b);
    lanes[0] = wasm_u16x8_extend_low_u8x16(front);
    lanes[1] = wasm_u16x8_extend_high_u8x16(front);
    lanes[2] = wasm_u16x8_extend_low_u8x16(back);
    lanes[3] = wasm_u16x8_extend_high_u8x16(back);
  }
};

/// Keeps a variable shift inside of its loop. LLVM moves its splat out, and then shifts lane by lane: 1.2 to 2 times as
/// long.
inline void keep_in_loop([[maybe_unused]] std::uint32_t& shift) {
#ifdef __EMSCRIPTEN__
  if (!__builtin_constant_p(shift)) __asm__ volatile("" : "+r"(shift));
#endif
}

/// 16 sums, one for each byte of a vector, in lanes of 32 bits.
struct Sum {
  v128_t lanes[4];
  explicit Sum(v128_t start) : lanes{start, start, start, start} {}
  /// Adds the bytes of two taps, each times its weight. `weights` has a word with both weights in each lane.
  void add(const Pairs& pairs, v128_t weights) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] =
        wasm_i32x4_add(lanes[i], wasm_i32x4_dot_i16x8(pairs.lanes[i], weights));
  }
  /// Multiplies the sums by 2^bits: those of high parts of weights then count as much as the weights themselves.
  void shift_left(std::uint32_t bits) {
    keep_in_loop(bits);
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] = wasm_i32x4_shl(lanes[i], bits);
  }
  /// Adds other sums, each to its own.
  void add(const Sum& other) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] = wasm_i32x4_add(lanes[i], other.lanes[i]);
  }
  /// Makes bytes of the sums: drops `precision` fraction bits, and limits to 0..255. The sums began with half a
  /// unit, so this rounds.
  v128_t bytes(std::uint32_t precision) const {
    keep_in_loop(precision);
    v128_t whole[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) whole[i] = wasm_i32x4_shr(lanes[i], precision);
    return saturate_uint8(whole[0], whole[1], whole[2], whole[3]);
  }
};

/// The weights of one entry of a table: its words, how many pairs of taps it has, and `half`, with which its sum
/// begins.
struct Weights {
  const std::int32_t* words;
  int pairs;
  const std::int32_t* half;
  /// Finds the words of an entry of the table.
  Weights(const TapTable& table, const Taps& taps)
      : words(reinterpret_cast<const std::int32_t*>(table.weights()) + taps.weights),
        pairs((taps.count + 1) / 2),
        half(&taps.half) {}
};

/// Sums 16 bytes of each tap, which lie `stride` bytes apart, times the first word of every kWords words: of two words
/// a pair (Pillow's) only the high parts.
template <int kWords>
inline Sum sum_pairs(const std::uint8_t* src, std::ptrdiff_t stride, Weights weights) {
  Sum sum(wasm_v128_load32_splat(weights.half));
  const auto step = [&] {
    sum.add({src, stride}, wasm_v128_load32_splat(weights.words));
    weights.words += kWords;
    src += 2 * stride;
  };
  int pairs = weights.pairs;
  // Two steps a round take 0.95 of the time.
  for (; pairs > 1; pairs -= 2) {
    step();
    step();
  }
  for (; pairs > 0; --pairs) step();
  return sum;
}

/// Sums 16 bytes of each tap, which lie `stride` bytes apart, times both parts of Pillow's weights, which are split at
/// bit `shift`. Returns the 16 bytes of the result. Exact.
inline v128_t sum_parts(const std::uint8_t* src, std::ptrdiff_t stride, Weights weights, int shift) {
  Sum low(splat32(1u << kPillowPrecision >> 1)), high(splat32(0));
  for (; weights.pairs > 0; --weights.pairs, src += 2 * stride) {
    const Pairs bytes(src, stride);
    high.add(bytes, wasm_v128_load32_splat(weights.words++));
    low.add(bytes, wasm_v128_load32_splat(weights.words++));
  }
  high.shift_left(static_cast<std::uint32_t>(shift));
  low.add(high);
  return low.bytes(kPillowPrecision);
}

/// Tells whether the low parts of Pillow's weights, which `taps` bounds by `half` and `doubt`, could change a byte that
/// was made by sums of the high parts. Such sums have `precision` fraction bits, and their fraction decides.
struct RefineCheck {
  std::uint32_t precision;
  v128_t fraction_bits;    // a mask
  v128_t largest_certain;  // a larger fraction may carry into the next whole number, with `doubt` more
  explicit RefineCheck(const Taps& taps)
      : precision(static_cast<std::uint32_t>(kPillowPrecision - taps.shift)),
        fraction_bits(splat32((1u << precision) - 1)),
        largest_certain(splat32((1u << precision) - 1 - static_cast<std::uint32_t>(taps.doubt))) {}
  /// Whether any of 16 sums is in doubt.
  bool operator()(const Sum& sum) const {
    v128_t fractions[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) fractions[i] = wasm_v128_and(sum.lanes[i], fraction_bits);
    const v128_t largest =
        wasm_i32x4_max(wasm_i32x4_max(fractions[0], fractions[1]), wasm_i32x4_max(fractions[2], fractions[3]));
    return wasm_v128_any_true(wasm_i32x4_gt(largest, largest_certain));
  }
};

/// Fraction bits of torch's sums of few taps. Their bytes are multiplied so that all sums have as many: V8
/// shifts by a constant in one instruction, by a variable in four.
inline constexpr std::uint32_t kFewPrecision = 21;
/// Below it, a byte times what is lacking leaves 16 bits.
inline constexpr std::uint32_t kLeastFewPrecision = kFewPrecision - 7;

/// Makes the `count` rows of the result from entry `first` on, which all read the same kPairs pairs of rows of `src`:
/// unpacks these once for all of them. Enlarging four and a half times takes 0.6 of the time of row after row. Pillow's
/// weights are split at kPlainShift; torch's sums get kFewPrecision fraction bits.
template <bool kIsPillow, int kPairs>
[[gnu::noinline]] void sum_few(Rows src, const TapTable& table, int first, int count, ResultRows dst,
                               std::size_t row_bytes) {
  // torch: bytes are multiplied by 2^raise, so that all sums have kFewPrecision bits.
  const std::uint32_t raise = kIsPillow ? 0 : kFewPrecision - table.precision;
  const v128_t factor = splat16(1u << raise);
  constexpr int kWords = kIsPillow ? 2 : 1;  // of a pair: Pillow's high parts, then its low parts
  constexpr std::uint32_t kPrecision = kIsPillow ? kPillowPrecision : kFewPrecision;
  // Begin with half a unit of the result. Pillow's high parts are shifted left after they are summed.
  constexpr std::uint32_t kHalfUnit = 1u << (kIsPillow ? kPrecision - kPlainShift : kPrecision) >> 1;
  for (std::size_t x = 0; x < row_bytes; x += 16) {
    const std::size_t at = std::min(x, row_bytes - 16);  // the last vector may make some bytes a second time
    Pairs bytes[kPairs];
    LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) {
      bytes[i] = {src.data + at + 2 * i * src.stride, src.stride};
      if (!kIsPillow) LAYOUT_UNROLL for (auto& lanes : bytes[i].lanes) lanes = wasm_i16x8_mul(lanes, factor);
    }
    std::uint8_t* to = dst.data + at;
    for (int row = first; row < first + count; ++row, to += dst.stride) {
      const Taps& taps = table.taps()[row];
      const std::int32_t* words = Weights(table, taps).words;
      Sum sum(splat32(kHalfUnit));
      LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) sum.add(bytes[i], wasm_v128_load32_splat(words + kWords * i));
      if (kIsPillow) {
        sum.shift_left(kPlainShift);
        LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i)
            sum.add(bytes[i], wasm_v128_load32_splat(words + kWords * i + 1));
      }
      store(to, sum.bytes(kPrecision));
    }
  }
}

/// Counts the entries from `taps` on, before `end`, that sum_few can make together: those that begin at the first one's
/// pixel and have as many pairs of taps. 0 if the first has no taps or more than four, or weights that sum_few does not
/// take: Pillow's that are not split at kPlainShift, or torch's with too few or too many bits.
inline int few_alike(const TapTable& table, const Taps* taps, const Taps* end) {
  const auto pairs_of = [](const Taps* entry) { return (entry->count + 1) / 2; };
  const int pairs = pairs_of(taps);
  if (taps->doubt >= 0 || pairs < 1 || pairs > 2) return 0;
  // torch has 14 to 17 bits here, whatever the filter.
  const bool fits_few = kLeastFewPrecision <= table.precision && table.precision <= kFewPrecision;
  if (table.sums == Sums::kTorch && !fits_few) return 0;
  const Taps* next = taps + 1;
  while (next < end && next->first == taps->first && pairs_of(next) == pairs) ++next;
  return static_cast<int>(next - taps);
}

/// Makes the `count` rows of the result that few_alike has counted, from entry `first` on.
template <bool kIsPillow>
void sum_alike(Rows src, const TapTable& table, int first, int count, ResultRows dst, std::size_t row_bytes) {
  const auto sums = table.taps()[first].count <= 2 ? sum_few<kIsPillow, 1> : sum_few<kIsPillow, 2>;
  sums(src, table, first, count, dst, row_bytes);
}

/// Makes one float32 number of Sums::kDouble: sums the float32 numbers of the taps, `stride` bytes apart from `src` on,
/// times their weights, in double and in order. The result goes to the 4 bytes at `dst`.
inline void sum_floats(const std::uint8_t* src, std::ptrdiff_t stride, const Taps& taps, const std::uint8_t* weights,
                       std::uint8_t* dst) {
  double sum = 0.0;
  for (int tap = 0; tap < taps.count; ++tap) {
    float number;
    double weight;
    std::memcpy(&number, src + tap * stride, 4);
    std::memcpy(&weight, weights + 8 * (taps.weights + tap), 8);
    sum += static_cast<double>(number) * weight;
  }
  const auto rounded = static_cast<float>(sum);
  std::memcpy(dst, &rounded, 4);
}

}  // namespace layout
