// quantize/bnb4.h says what these functions do.

#include "quantize/bnb4.h"

#include <algorithm>
#include <cstring>

#include "bits/vectors.h"

namespace layout {
namespace {

/// The largest product of each code but the last, found by search in onnxruntime. Four cuts lie one float32 away from
/// the middle of their neighbors.
constexpr float kNf4Cuts[] = {
    -0.8480964303016663f,  -0.6106328964233398f,   -0.4599952697753906f, -0.33967941999435425f, -0.23460738050997925f,
    -0.13791173696517944f, -0.045525018125772476f, 0.03979014977812767f, 0.1202552542090416f,   0.2035212516784668f,
    0.2920137643814087f,   0.3893125355243683f,    0.5016633868217468f,  0.6427869200706482f,   0.8614783883094788f};
constexpr float kFp4Cuts[] = {0.00260417f, 0.0859375f, 0.20833333f, 0.29166667f, 0.4166667f, 0.583333f, 0.8333333f};

/// Makes the NF4 codes of four products, in the low bytes of the lanes: how many cuts lie below each. A true lane is
/// -1, so subtracting counts it.
struct Nf4 {
  static constexpr int kZero = 7;

  v128_t operator()(v128_t x) const {
    v128_t below = splat32(0);
    for (const float cut : kNf4Cuts) below = wasm_i32x4_sub(below, wasm_f32x4_gt(x, wasm_f32x4_splat(cut)));
    return below;
  }
};

/// Makes the FP4 codes of four products, in the low bytes of the lanes.
struct Fp4 {
  static constexpr int kZero = 0;

  /// A magnitude with 0, 1, 2 .. 7 cuts below it has the code 0, 1, 6, 7, 4, 5, 2 or 3, as in bitsandbytes' FP4.
  /// `below` counts these cuts.
  v128_t operator()(v128_t x) const {
    const v128_t size = wasm_f32x4_abs(x);
    v128_t below = splat32(0);
    for (const float cut : kFp4Cuts) below = wasm_i32x4_sub(below, wasm_f32x4_gt(size, wasm_f32x4_splat(cut)));
    // The low bit of a code is that of `below`. The two bits above it go 0, 3, 2, 1 where those of `below` go 0, 1, 2,
    // 3.
    const v128_t low_bit = wasm_v128_and(below, splat32(1)), upper_bits = wasm_i32x4_shr(below, 1);
    const v128_t backward = wasm_v128_and(wasm_i32x4_sub(splat32(4), upper_bits), splat32(3));
    const v128_t code = wasm_v128_or(wasm_i32x4_shl(backward, 1), low_bit);
    const v128_t sign = wasm_v128_and(wasm_f32x4_lt(x, wasm_f32x4_splat(0)), splat32(8));
    return wasm_v128_or(code, sign);
  }
};

/// Encodes sixteen float32 numbers times `inverse` (in each lane) in eight bytes, the first code of a byte in its high
/// bits.
template <class Codes>
void encode_group(const std::uint8_t* src, v128_t inverse, std::uint8_t* dst) {
  v128_t codes[4];
  for (int i = 0; i < 4; ++i) codes[i] = Codes()(wasm_f32x4_mul(load(src, i), inverse));
  const v128_t bytes = saturate_uint8(codes[0], codes[1], codes[2], codes[3]);
  // Each 16-bit lane holds two codes, the first in its low byte.
  const v128_t joined = wasm_v128_or(wasm_i16x8_shl(bytes, 4), wasm_u16x8_shr(bytes, 8));
  const v128_t low = wasm_v128_and(joined, splat16(0xff));
  store_part<8>(dst, wasm_u8x16_narrow_i16x8(low, low));
}

/// Does encode_bnb4 for one kind of codes, block by block: whole groups of sixteen, then the rest in a padded copy.
template <class Codes>
void encode(const Bnb4& request) {
  const auto [count, block, is_fp4, src, largest, dst] = request;
  for (std::uint32_t done = 0; done < count;) {
    const float largest_of_block = largest[done / block];  // `done` is where a block begins
    const v128_t inverse = wasm_f32x4_splat(largest_of_block == 0 ? 0 : 1 / largest_of_block);
    const std::uint32_t end = std::min(count, done + block);
    for (; done + 16 <= end; done += 16) encode_group<Codes>(src + 4 * std::size_t{done}, inverse, dst + done / 2);
    if (done == end) continue;
    const std::uint32_t left = end - done;  // numbers, fewer than a group
    std::uint8_t rest[16 * 4] = {}, codes[16 / 2];
    std::memcpy(rest, src + 4 * std::size_t{done}, 4 * left);
    encode_group<Codes>(rest, inverse, codes);
    std::memcpy(dst + done / 2, codes, (left + 1) / 2);
    done = end;
    // Times infinity, the reciprocal of a tiny magnitude, the 0 after the last number would be NaN.
    if (end % 2 != 0) dst[end / 2] = static_cast<std::uint8_t>((dst[end / 2] & 0xf0) | Codes::kZero);
  }
}

}  // namespace

void encode_bnb4(const Bnb4& request) { return request.is_fp4 ? encode<Fp4>(request) : encode<Nf4>(request); }

}  // namespace layout
