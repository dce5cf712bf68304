#pragma once

#include <algorithm>
#include <cstring>

#include "bits/interleave.h"
#include "resize/passes.h"

// Sums of 16 bytes that lie side by side, which both passes make.

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

/// Sums of 16 bytes.
struct Sum {
  v128_t lanes[4];
  explicit Sum(v128_t start) : lanes{start, start, start, start} {}
  void add(const Pairs& pairs, v128_t weights) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] =
        wasm_i32x4_add(lanes[i], wasm_i32x4_dot_i16x8(pairs.lanes[i], weights));
  }
  /// Makes sums of whole weights of those of their high bits.
  void shift_left(std::uint32_t bits) {
    keep_in_loop(bits);
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] = wasm_i32x4_shl(lanes[i], bits);
  }
  void add(const Sum& other) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] = wasm_i32x4_add(lanes[i], other.lanes[i]);
  }
  /// The sums in whole numbers, from 0 to 255.
  v128_t bytes(std::uint32_t precision) const {
    keep_in_loop(precision);
    v128_t whole[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) whole[i] = wasm_i32x4_shr(lanes[i], precision);
    return wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(whole[0], whole[1]),
                                   wasm_i16x8_narrow_i32x4(whole[2], whole[3]));
  }
};

/// The weights of one pixel's taps, how many pairs of taps there are, and what their sum begins with.
struct Weights {
  const std::int32_t* words;
  int pairs;
  const std::int32_t* half;
  Weights(const TapTable& table, const Taps& taps)
      : words(reinterpret_cast<const std::int32_t*>(table.weights()) + taps.weights),
        pairs((taps.count + 1) / 2),
        half(&taps.half) {}
};

/// Sums 16 bytes of each tap by one word of every kWords of the weights.
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

/// Sums 16 bytes of each tap by both parts of Pillow's weights.
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

/// Whether the low parts of Pillow's weights may make a difference to a sum of the high ones.
struct RefineCheck {
  std::uint32_t precision;
  v128_t fraction, most;
  explicit RefineCheck(const Taps& taps)
      : precision(static_cast<std::uint32_t>(kPillowPrecision - taps.shift)),
        fraction(splat32((1u << precision) - 1)),
        most(splat32((1u << precision) - 1 - static_cast<std::uint32_t>(taps.doubt))) {}
  /// Adding up to `doubt` carries into the next whole number only if the fraction is above `most`.
  bool operator()(const Sum& sum) const {
    v128_t fractions[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) fractions[i] = wasm_v128_and(sum.lanes[i], fraction);
    const v128_t largest =
        wasm_i32x4_max(wasm_i32x4_max(fractions[0], fractions[1]), wasm_i32x4_max(fractions[2], fractions[3]));
    return wasm_v128_any_true(wasm_i32x4_gt(largest, most));
  }
};

/// Bits behind the point of torch's sums of few taps. Their bytes are multiplied so that all sums have as many: V8
/// shifts by a constant in one instruction, by a variable in four.
inline constexpr std::uint32_t kFewPrecision = 21;
/// Below it, a byte times what is lacking leaves 16 bits.
inline constexpr std::uint32_t kLeastFewPrecision = kFewPrecision - 7;

/// Makes rows of the result that have the same kPairs pairs of taps: unpacks the source once for all of them. Enlarging
/// four and a half times takes 0.6 of the time of row after row.
template <bool kIsPillow, int kPairs>
[[gnu::noinline]] void sum_few(Rows src, const TapTable& table, int first, int count, ResultRows dst,
                               std::size_t row_bytes) {
  const std::uint32_t raise = kIsPillow ? 0 : kFewPrecision - table.precision;
  const v128_t factor = splat16(1u << raise);
  constexpr int kWords = kIsPillow ? 2 : 1;
  for (std::size_t x = 0; x < row_bytes; x += 16) {
    const std::size_t at = std::min(x, row_bytes - 16);
    Pairs bytes[kPairs];
    LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) {
      bytes[i] = {src.data + at + 2 * i * src.stride, src.stride};
      if (!kIsPillow) LAYOUT_UNROLL for (auto& lanes : bytes[i].lanes) lanes = wasm_i16x8_mul(lanes, factor);
    }
    std::uint8_t* to = dst.data + at;
    for (int row = first; row < first + count; ++row, to += dst.stride) {
      const Taps& taps = table.taps()[row];
      const std::int32_t* words = Weights(table, taps).words;
      // Half a unit of the result; of Pillow before it is shifted left.
      Sum sum(splat32(1u << (kIsPillow ? kPillowPrecision - kPlainShift : kFewPrecision) >> 1));
      LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) sum.add(bytes[i], wasm_v128_load32_splat(words + kWords * i));
      if (kIsPillow) {
        sum.shift_left(kPlainShift);
        LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) sum.add(bytes[i], wasm_v128_load32_splat(words + 2 * i + 1));
      }
      store(to, sum.bytes(kIsPillow ? kPillowPrecision : kFewPrecision));
    }
  }
}

/// Counts the entries of the table from `taps` to `end` that have the same pixels as the first; 0 if it has more than
/// four taps, or weights that sum_few does not take.
inline int few_alike(const TapTable& table, const Taps* taps, const Taps* end) {
  const auto pairs = [](const Taps* entry) { return (entry->count + 1) / 2; };
  if (taps->doubt >= 0 || pairs(taps) < 1 || pairs(taps) > 2) return 0;
  // torch has 14 to 17 bits here, whatever the filter.
  if (table.sums == Sums::kTorch && (table.precision < kLeastFewPrecision || table.precision > kFewPrecision)) return 0;
  const Taps* next = taps + 1;
  while (next < end && next->first == taps->first && pairs(next) == pairs(taps)) ++next;
  return static_cast<int>(next - taps);
}

/// Makes the rows of the result that few_alike has found.
template <bool kIsPillow>
void sum_alike(Rows src, const TapTable& table, int first, int count, ResultRows dst, std::size_t row_bytes) {
  const auto sums = table.taps()[first].count <= 2 ? sum_few<kIsPillow, 1> : sum_few<kIsPillow, 2>;
  sums(src, table, first, count, dst, row_bytes);
}

/// Makes one float32 number of Sums::kDouble: sums in double, in order.
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
