// Integers of at most 16 bits, and float32, times scales.

#include "bits/vectors.h"
#include "convert/steps.h"
#include "quantize/quantize.h"
#include "quantize/runs.h"

namespace layout {
namespace {

/// The kernel (runs.h) of float32 numbers: (number - zero) * scale.
struct Float32 {
  static constexpr std::uint32_t kIn = 4, kOut = 4;

  template <class Scales>
  void operator()(const std::uint8_t* src, const Scales& scales, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      store(dst, i, wasm_f32x4_mul(wasm_f32x4_sub(load(src, i), scales.zero(i)), scales.scale(i)));
    }
  }
};

/// The kernel of integers of one or two bytes: (integer - zero) * scale. The integer becomes the low half of a float32
/// between 2^23 and 2^24, and one exact subtraction takes off what that added and the zero point. (LLVM 14 splits a
/// conversion of widened lanes into scalars: measured 4x slower.)
template <int kBits, bool kSigned>
struct Integer {
  static constexpr std::uint32_t kIn = kBits / 8, kOut = 4;
  static constexpr float kOffset = 0x1p23f + (kSigned ? 1 << (kBits - 1) : 0);

  /// Writes vector `vector` of the results. Lanes of `x` are 2^23 + integer, and 2^(kBits - 1) more if it is signed,
  /// because its sign bit is flipped. Both are in kOffset.
  template <class Scales>
  static void put_scaled(std::uint8_t* dst, int vector, v128_t x, const Scales& scales) {
    const v128_t offset = wasm_f32x4_add(scales.zero(vector), wasm_f32x4_splat(kOffset));
    store(dst, vector, wasm_f32x4_mul(wasm_f32x4_sub(x, offset), scales.scale(vector)));
  }

  /// Writes vectors `vector` and `vector + 1` of the results, of eight integers of 16 bits with the sign bits flipped.
  template <class Scales>
  static void put16(std::uint8_t* dst, int vector, v128_t x, const Scales& scales) {
    const v128_t high = splat16(0x4b00);  // the high half of 2^23
    put_scaled(dst, vector, zip_low<16>(x, high), scales);
    put_scaled(dst, vector + 1, zip_high<16>(x, high), scales);
  }

  template <class Scales>
  void operator()(const std::uint8_t* src, const Scales& scales, std::uint8_t* dst) const {
    const v128_t sign_bits = kBits == 8 ? splat8(0x80) : splat16(0x8000);
    const v128_t flip = kSigned ? sign_bits : splat8(0);
    const v128_t x = wasm_v128_xor(load(src), flip);
    if constexpr (kBits == 16) {
      put16(dst, 0, x, scales);
      put16(dst, 2, wasm_v128_xor(load(src, 1), flip), scales);
    } else {
      put16(dst, 0, zip_low<8>(x, splat8(0)), scales);
      put16(dst, 2, zip_high<8>(x, splat8(0)), scales);
    }
  }
};

}  // namespace

/// Converts elements to float32, subtracts zero points and multiplies by scales, in pieces that stay in the cache.
void dequantize(const Quantization& request) {
  const auto [from, to, count, grid, src, scales, zeros, dst] = request;
  Runs runs(grid, scales, zeros);
  const FormatRow &source = row_of(from), &target = row_of(to);
  const GroupKernel& kernel = kernel_of<Float32, Integer>(source);
  // Integers of fewer than 8 bits are unpacked first; results other than float32 are rounded last. Blocks of 512
  // elements begin at a byte in any format.
  const Step unpack = is_packed(source) ? extend_packed(source.bits, source.kind == Kind::kSigned) : nullptr;
  const Step round = to == Format::kFloat32 ? nullptr : float32_to_float(to);
  std::uint8_t codes[kQuantizeBlock];
  alignas(16) std::uint8_t numbers[4 * kQuantizeBlock];
  for (std::uint32_t done = 0; done < count; done += kQuantizeBlock) {
    const std::uint32_t size = std::min(kQuantizeBlock, count - done);
    // `done` is a multiple of 8, so `done` elements fill whole bytes.
    const std::uint8_t* block_src = src + done / 8 * static_cast<std::uint32_t>(source.bits);
    std::uint8_t* block_dst = dst + done / 8 * static_cast<std::uint32_t>(target.bits);
    if (unpack != nullptr) {
      unpack(block_src, codes, size, {});
      block_src = codes;
    }
    run_all(kernel, size, runs, block_src, round != nullptr ? numbers : block_dst);
    if (round != nullptr) round(numbers, block_dst, size, {});
  }
}

}  // namespace layout
