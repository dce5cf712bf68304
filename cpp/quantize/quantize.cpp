// Float32 to integers of at most 16 bits, and quotients.

#include "quantize/quantize.h"

#include "bits/vectors.h"
#include "convert/steps.h"
#include "quantize/runs.h"

namespace layout {
namespace {

/// 1.5 * 2^23. Added to a float32 below 2^22, it leaves the nearest integer, ties to even, in the low bits.
constexpr float kNearest = 0x1.8p23f;

/// The numbers that an integer format of at most 16 bits holds; 0 for floats, which have no limits.
struct Limits {
  float lowest, highest;
};

constexpr Limits limits_of(const FormatRow& row) {
  if (row.bits > 16) return {0, 0};
  const float lowest = row.kind == Kind::kSigned ? static_cast<float>(-(1 << (row.bits - 1))) : 0;
  return {lowest, lowest + static_cast<float>((1 << row.bits) - 1)};
}

struct Quotient {
  static constexpr std::uint32_t kIn = 4, kOut = 4;

  explicit Quotient(const Limits&) {}

  template <class Scales>
  void operator()(const std::uint8_t* src, const Scales& scales, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      store(dst, i, wasm_f32x4_add(wasm_f32x4_div(load(src, i), scales.scale(i)), scales.zero(i)));
    }
  }
};

/// Integers of one or two bytes. The limits hold before the zero point is added, so they move by it. All sums are
/// integers below 2^18, and exact.
template <int kBits, bool kSigned>
struct Integer {
  static constexpr std::uint32_t kIn = 4, kOut = kBits / 8;
  v128_t lowest, highest;

  explicit Integer(const Limits& limits)
      : lowest(wasm_f32x4_splat(limits.lowest)), highest(wasm_f32x4_splat(limits.highest)) {}

  v128_t code(v128_t x, v128_t scale, v128_t zero) const {
    // NaN is not above the lowest number.
    const v128_t quotient = wasm_f32x4_pmin(wasm_f32x4_pmax(wasm_f32x4_sub(lowest, zero), wasm_f32x4_div(x, scale)),
                                            wasm_f32x4_sub(highest, zero));
    const v128_t nearest = wasm_f32x4_splat(kNearest);
    return wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_add(quotient, nearest), zero), nearest);
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
      const v128_t low = wasm_i16x8_narrow_i32x4(codes[0], codes[1]),
                   high = wasm_i16x8_narrow_i32x4(codes[2], codes[3]);
      store(dst, kSigned ? wasm_i8x16_narrow_i16x8(low, high) : wasm_u8x16_narrow_i16x8(low, high));
    }
  }
};

using Quantize = void (*)(std::uint32_t, Runs&, const Limits&, const std::uint8_t*, std::uint8_t*);

template <class Kernel>
void quantize_runs(std::uint32_t count, Runs& runs, const Limits& limits, const std::uint8_t* src, std::uint8_t* dst) {
  run_all(Kernel(limits), count, runs, src, dst);
}

Quantize kernel_of(const FormatRow& row) {
  if (is_float(row)) return quantize_runs<Quotient>;
  const bool is_signed = row.kind == Kind::kSigned;
  if (row.bits == 16) return is_signed ? quantize_runs<Integer<16, true>> : quantize_runs<Integer<16, false>>;
  return is_signed ? quantize_runs<Integer<8, true>> : quantize_runs<Integer<8, false>>;
}

}  // namespace

void quantize(Format to, std::uint32_t count, const Grid& grid, const std::uint8_t* src, const float* scales,
              const float* zeros, std::uint8_t* dst) {
  Runs runs(grid, scales, zeros);
  const FormatRow& row = row_of(to);
  const Limits limits = limits_of(row);
  const Quantize kernel = kernel_of(row);
  if (row.bits >= 8) return kernel(count, runs, limits, src, dst);
  const Step pack_codes = pack(row.bits);
  std::uint8_t codes[kQuantizeBlock];
  for (std::uint32_t done = 0; done < count; done += kQuantizeBlock) {
    const std::uint32_t size = std::min(kQuantizeBlock, count - done);
    kernel(size, runs, limits, src + 4 * done, codes);
    pack_codes(codes, dst + done / 8 * static_cast<std::uint32_t>(row.bits), size, {});
  }
}

void widen_range(std::uint32_t count, const std::uint8_t* src, float* range) {
  v128_t lowest[4], highest[4];
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
    lowest[i] = wasm_f32x4_splat(range[0]);
    highest[i] = wasm_f32x4_splat(range[1]);
  }
  // NaN is neither below nor above.
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
  float ends[2][16];
  LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
    store(ends[0], i, lowest[i]);
    store(ends[1], i, highest[i]);
  }
  range[0] = *std::min_element(ends[0], ends[0] + 16);
  range[1] = *std::max_element(ends[1], ends[1] + 16);
}

}  // namespace layout
