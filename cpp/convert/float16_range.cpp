// convert/convert.h says what these functions do.

#include <cstring>

#include "bits/vectors.h"
#include "convert/convert.h"

namespace layout {
namespace {

// The bits of float32 magnitudes, which have the order of the numbers when they are compared as integers.
constexpr std::uint32_t kHighest = 0x477fe000;  // 65504
constexpr std::uint32_t kInfinity = 0x7f800000;
constexpr std::uint32_t kTooSmall = 0x337ffae5;  // 5.96e-8, the limit of onnxruntime's converter
constexpr std::uint32_t kLowest = 0x33800000;    // 2^-24

/// Brings four float32 numbers at a time into the range of float16, as fit_float16 says, and returns them. Adds to
/// `clipped` and `raised`, in each lane, how many it changed.
struct Fit {
  v128_t clipped = splat32(0), raised = splat32(0);

  v128_t operator()(v128_t x) {
    const v128_t sign = wasm_v128_and(x, splat32(0x80000000));
    const v128_t size = wasm_v128_xor(x, sign);
    const v128_t is_high =
        wasm_v128_and(wasm_i32x4_gt(size, splat32(kHighest)), wasm_i32x4_lt(size, splat32(kInfinity)));
    const v128_t is_low = wasm_v128_and(wasm_i32x4_gt(size, splat32(0)), wasm_i32x4_lt(size, splat32(kTooSmall)));
    // A true lane is -1.
    clipped = wasm_i32x4_sub(clipped, is_high);
    raised = wasm_i32x4_sub(raised, is_low);
    const v128_t high = wasm_v128_bitselect(splat32(kHighest), size, is_high);
    return wasm_v128_or(wasm_v128_bitselect(splat32(kLowest), high, is_low), sign);
  }
};

/// Sums the four counts of a vector.
std::uint32_t sum_of(v128_t lanes) {
  std::uint32_t each[4];
  store(each, lanes);
  return each[0] + each[1] + each[2] + each[3];
}

}  // namespace

Fitted fit_float16(std::uint32_t count, std::uint8_t* numbers) {
  Fit fit;
  for (; count >= 4; count -= 4, numbers += 16) store(numbers, fit(load(numbers)));
  if (count > 0) {
    std::uint32_t rest[4] = {};
    std::memcpy(rest, numbers, 4 * count);
    store(rest, fit(load(rest)));
    std::memcpy(numbers, rest, 4 * count);
  }
  return {sum_of(fit.clipped), sum_of(fit.raised)};
}

}  // namespace layout
