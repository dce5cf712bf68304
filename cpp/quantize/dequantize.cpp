// Integers of at most 16 bits, and float32, times scales.

#include "bits/vectors.h"
#include "convert/steps.h"
#include "quantize/quantize.h"
#include "quantize/runs.h"

namespace layout {
namespace {

/// (x - zero) * scale, of four numbers.
void put(std::uint8_t* dst, int vector, v128_t x, const ScaleStep& scales) {
  store(dst, vector, wasm_f32x4_mul(wasm_f32x4_sub(x, scales.zero(vector)), scales.scale(vector)));
}

struct Float32 {
  static constexpr std::uint32_t kIn = 4, kOut = 4;

  void operator()(const std::uint8_t* src, const ScaleStep& scales, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) put(dst, i, load(src, i), scales);
  }
};

/// Integers of one or two bytes.
template <int kBits, bool kSigned>
struct Integer {
  static constexpr std::uint32_t kIn = kBits / 8, kOut = 4;

  static void put16(std::uint8_t* dst, int vector, v128_t x, const ScaleStep& scales) {
    const v128_t low = kSigned ? wasm_i32x4_extend_low_i16x8(x) : wasm_u32x4_extend_low_u16x8(x);
    const v128_t high = kSigned ? wasm_i32x4_extend_high_i16x8(x) : wasm_u32x4_extend_high_u16x8(x);
    put(dst, vector, wasm_f32x4_convert_i32x4(low), scales);
    put(dst, vector + 1, wasm_f32x4_convert_i32x4(high), scales);
  }

  void operator()(const std::uint8_t* src, const ScaleStep& scales, std::uint8_t* dst) const {
    v128_t low = load(src), high;
    if constexpr (kBits == 16) {
      high = load(src, 1);
    } else {
      high = kSigned ? wasm_i16x8_extend_high_i8x16(low) : wasm_u16x8_extend_high_u8x16(low);
      low = kSigned ? wasm_i16x8_extend_low_i8x16(low) : wasm_u16x8_extend_low_u8x16(low);
    }
    put16(dst, 0, low, scales);
    put16(dst, 2, high, scales);
  }
};

using Dequantize = void (*)(std::uint32_t, Runs&, const std::uint8_t*, std::uint8_t*);

template <class Kernel>
void dequantize_runs(std::uint32_t count, Runs& runs, const std::uint8_t* src, std::uint8_t* dst) {
  run_all(Kernel(), count, runs, src, dst);
}

Dequantize kernel_of(const FormatRow& row) {
  if (is_float(row)) return dequantize_runs<Float32>;
  const bool is_signed = row.kind == Kind::kSigned;
  if (row.bits == 16) return is_signed ? dequantize_runs<Integer<16, true>> : dequantize_runs<Integer<16, false>>;
  return is_signed ? dequantize_runs<Integer<8, true>> : dequantize_runs<Integer<8, false>>;
}

}  // namespace

void dequantize(Format from, Format to, std::uint32_t count, const Grid& grid, const std::uint8_t* src,
                const float* scales, const float* zeros, std::uint8_t* dst) {
  Runs runs(grid, scales, zeros);
  const FormatRow &source = row_of(from), &target = row_of(to);
  const Dequantize kernel = kernel_of(source);
  const Step unpack = source.bits < 8 ? extend_packed(source.bits, source.kind == Kind::kSigned) : nullptr;
  const Step round = to == Format::kFloat32 ? nullptr : float32_to_float(to);
  std::uint8_t codes[kQuantizeBlock];
  alignas(16) std::uint8_t numbers[4 * kQuantizeBlock];
  for (std::uint32_t done = 0; done < count; done += kQuantizeBlock) {
    const std::uint32_t size = std::min(kQuantizeBlock, count - done);
    const std::uint8_t* first = src + done / 8 * static_cast<std::uint32_t>(source.bits);
    std::uint8_t* last = dst + done / 8 * static_cast<std::uint32_t>(target.bits);
    if (unpack != nullptr) {
      unpack(first, codes, size, {});
      first = codes;
    }
    kernel(size, runs, first, round != nullptr ? numbers : last);
    if (round != nullptr) round(numbers, last, size, {});
  }
}

}  // namespace layout
