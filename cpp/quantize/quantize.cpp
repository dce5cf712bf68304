// Float32 to integers of at most 16 bits, and quotients.

#include "quantize/quantize.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bits/vectors.h"
#include "convert/steps.h"
#include "quantize/runs.h"

namespace layout {
namespace {

/// 1.5 * 2^23. Added to a float32 below 2^22, it leaves the nearest integer, ties to even, in the low bits.
constexpr float kNearestInLowBits = 0x1.8p23f;

/// A quotient of this magnitude is out of the range of 16 bits, whatever the zero point is. Its sum with a zero point
/// stays below 2^22.
constexpr float kBeyond = 0x1p20f;

/// The kernel (runs.h) of float32 results: number / scale + zero.
struct Quotient {
  static constexpr std::uint32_t kIn = 4, kOut = 4;

  template <class Scales>
  void operator()(const std::uint8_t* src, const Scales& scales, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      store(dst, i, wasm_f32x4_add(wasm_f32x4_div(load(src, i), scales.scale(i)), scales.zero(i)));
    }
  }
};

/// The kernel of float32 numbers to integers of one or two bytes. Quotients plus zero points are integers below 2^22,
/// and exact; narrowing saturates them.
template <int kBits, bool kSigned>
struct Integer {
  static constexpr std::uint32_t kIn = 4, kOut = kBits / 8;

  /// The integers nearest to x / scale, plus zero, not yet saturated to kBits.
  static v128_t code(v128_t x, v128_t scale, v128_t zero) {
    // pmax takes the quotient only if it is greater, so NaN becomes the lowest number.
    v128_t quotient = wasm_f32x4_pmax(wasm_f32x4_splat(-kBeyond), wasm_f32x4_div(x, scale));
    quotient = wasm_f32x4_pmin(quotient, wasm_f32x4_splat(kBeyond));
    // The first sum is rounded to a whole number; the difference of the bits is that number.
    const v128_t low_bits = wasm_f32x4_splat(kNearestInLowBits);
    const v128_t sum = wasm_f32x4_add(wasm_f32x4_add(quotient, low_bits), zero);
    return wasm_i32x4_sub(sum, low_bits);
  }

  template <class Scales>
  void operator()(const std::uint8_t* src, const Scales& scales, std::uint8_t* dst) const {
    v128_t codes[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) codes[i] = code(load(src, i), scales.scale(i), scales.zero(i));
    if constexpr (kBits == 16) {
      LAYOUT_UNROLL for (int i = 0; i < 2; ++i) {
        store(dst, i,
              kSigned ? wasm_i16x8_narrow_i32x4(codes[2 * i], codes[2 * i + 1])
                      : wasm_u16x8_narrow_i32x4(codes[2 * i], codes[2 * i + 1]));
      }
    } else {
      store(dst, kSigned ? saturate_int8(codes[0], codes[1], codes[2], codes[3])
                         : saturate_uint8(codes[0], codes[1], codes[2], codes[3]));
    }
  }
};

/// Clamps kQuantizeBlock codes, integers of 8 bits, to the range of a format of fewer bits, in place.
void clamp_codes(const FormatRow& row, std::uint8_t* codes) {
  const bool is_signed = row.kind == Kind::kSigned;
  const int magnitude_bits = row.bits - (is_signed ? 1 : 0);
  const v128_t highest = splat8((1u << magnitude_bits) - 1), lowest = splat8(0xffu << magnitude_bits);
  for (int i = 0; i < static_cast<int>(kQuantizeBlock / 16); ++i) {
    const v128_t x = load(codes, i);
    store(codes, i, is_signed ? wasm_i8x16_min(wasm_i8x16_max(x, lowest), highest) : wasm_u8x16_min(x, highest));
  }
}

}  // namespace

/// Divides by scales, rounds and adds zero points, in pieces that stay in the cache.
void quantize(const Quantization& request) {
  const auto [from, to, count, grid, src, scales, zeros, dst] = request;
  Runs runs(grid, scales, zeros);
  const FormatRow& row = row_of(to);
  const GroupKernel& kernel = kernel_of<Quotient, Integer>(row);
  if (!is_packed(row)) return run_all(kernel, count, runs, src, dst);
  // Packed formats: a block at a time as codes of 8 bits, then clamped and packed. Each block begins at a byte of
  // `dst`.
  const Step pack_codes = pack(row.bits);
  std::uint8_t codes[kQuantizeBlock];
  for (std::uint32_t done = 0; done < count; done += kQuantizeBlock) {
    const std::uint32_t size = std::min(kQuantizeBlock, count - done);
    run_all(kernel, size, runs, src + 4 * done, codes);
    clamp_codes(row, codes);
    pack_codes(codes, dst + done / 8 * static_cast<std::uint32_t>(row.bits), size, {});
  }
}

/// Quantizes numbers whose sum with the zero point must be exact.
void quantize_exactly(const ExactQuantization& request) {
  const auto [to, has_zeros, count, numbers, scales, zeros] = request;
  const FormatRow& row = row_of(to);
  const bool is_signed = row.kind == Kind::kSigned;
  const double lowest = is_signed ? -std::ldexp(1.0, row.bits - 1) : 0.0;
  const double highest = lowest + std::ldexp(1.0, row.bits) - 1.0;
  // Divisions take the time: vectors of two are 0.3 kB and no faster.
#pragma clang loop vectorize(disable)
  for (std::uint32_t i = 0; i < count; ++i) {
    const double quotient = numbers[i] / scales[i], zero = zeros[i];
    if (is_float(row)) {
      // Adding 0 makes -0 a 0.
      numbers[i] = has_zeros ? std::trunc(quotient + zero) + 0.0 : quotient;
    } else {
      // Saturated before it is rounded: NaN is not above the lowest number.
      const double low = lowest - zero, high = highest - zero;
      const double inside = quotient > low ? std::min(quotient, high) : low;
      numbers[i] = std::nearbyint(inside) + zero;
    }
  }
}

/// Subtracts zero points in double, where 32-bit differences are exact.
void subtract_exactly(std::uint32_t count, const std::int32_t* src, const double* zeros, float* dst) {
  for (std::uint32_t i = 0; i < count; ++i) dst[i] = static_cast<float>(src[i] - zeros[i]);
}

/// Widens a range by numbers, sixteen at a time.
[[gnu::noinline]] void widen_range(std::uint32_t count, const std::uint8_t* src, Range& range) {
  v128_t lowest[4], highest[4];
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
    lowest[i] = wasm_f32x4_splat(range.low);
    highest[i] = wasm_f32x4_splat(range.high);
  }
  // pmin and pmax take x only if it is less, or greater, so NaN changes neither.
  std::uint32_t at = 0;
  for (; at + 16 <= count; at += 16) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      const v128_t x = load(src + 4 * at, i);
      lowest[i] = wasm_f32x4_pmin(lowest[i], x);
      highest[i] = wasm_f32x4_pmax(highest[i], x);
    }
  }
  for (; at < count; ++at) {
    const v128_t x = wasm_v128_load32_splat(src + 4 * at);
    lowest[0] = wasm_f32x4_pmin(lowest[0], x);
    highest[0] = wasm_f32x4_pmax(highest[0], x);
  }
  float lows[16], highs[16];  // of each lane
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
    store(lows, i, lowest[i]);
    store(highs, i, highest[i]);
  }
  range.low = *std::min_element(lows, lows + 16);
  range.high = *std::max_element(highs, highs + 16);
}

double block_ranges(const BlockRanges& request) {
  const auto [count, grid, src, ranges] = request;
  Runs runs(grid, &ranges->low, &ranges->low);  // there are no scales, and the addresses are not read
  // 0 times a number is 0 if it is finite, and otherwise NaN, which stays NaN in sums.
  v128_t sum = splat32(0);
  const auto add_times_zero = [&](v128_t x) { sum = wasm_f32x4_add(sum, wasm_f32x4_mul(x, splat32(0))); };
  std::uint32_t blocks = 0;
  for (std::uint32_t done = 0; done < count; ++blocks) {
    const std::uint32_t end = done + runs.next(count - done).count;
    // Both ends begin as the block's first number.
    Range& range = ranges[blocks];
    std::memcpy(&range.low, src + 4 * done, 4);
    range.high = range.low;
    widen_range(end - done, src + 4 * done, range);
    for (; done + 4 <= end; done += 4) add_times_zero(load(src + 4 * done));
    for (; done < end; ++done) add_times_zero(wasm_v128_load32_splat(src + 4 * done));
  }
  const bool has_nan = wasm_v128_any_true(wasm_f32x4_ne(sum, sum));
  return has_nan ? -1.0 : blocks;
}

}  // namespace layout
