// processors/scan.h says what these functions do.

#include "processors/scan.h"

#include <algorithm>
#include <cstring>

#include "bits/vectors.h"

namespace layout {

namespace {

/// Does find_extremes for numbers of type T, with `min` and `max` of two vectors of them. Copies of the first number
/// fill the last vector, so that it has no other extremes.
template <class T, class Min, class Max>
void find_extremes_of(T* numbers, std::int32_t count, Min min, Max max) {
  constexpr int kVectorNumbers = 16 / sizeof(T);
  std::fill_n(numbers + count, kVectorNumbers, numbers[0]);
  v128_t lowest = load(numbers), highest = lowest;
  for (std::int32_t k = 0; k < count; k += kVectorNumbers) {
    const v128_t next = load(numbers + k);
    lowest = min(lowest, next);
    highest = max(highest, next);
  }
  T lows[kVectorNumbers], highs[kVectorNumbers];
  store(lows, lowest);
  store(highs, highest);
  numbers[0] = *std::min_element(lows, lows + kVectorNumbers);
  numbers[1] = *std::max_element(highs, highs + kVectorNumbers);
}

}  // namespace

void find_extremes(const Extremes& call) {
  if (call.element == 1) {
    find_extremes_of(
        static_cast<std::uint8_t*>(call.numbers), call.count, [](v128_t a, v128_t b) { return wasm_u8x16_min(a, b); },
        [](v128_t a, v128_t b) { return wasm_u8x16_max(a, b); });
  } else {
    find_extremes_of(
        static_cast<float*>(call.numbers), call.count, [](v128_t a, v128_t b) { return wasm_f32x4_min(a, b); },
        [](v128_t a, v128_t b) { return wasm_f32x4_max(a, b); });
  }
}

bool is_gray(std::uint8_t* bytes, std::int32_t count) {
  constexpr int kBytes = 48;
  std::memset(bytes + count, 0, 64);  // the last 48 bytes end with equal ones
  // Each byte is compared with the next one, but the last of a pixel, which `compared` masks. 48 bytes are 16 pixels.
  std::uint8_t compared[kBytes];
  for (int b = 0; b < kBytes; ++b) compared[b] = b % 3 < 2 ? 255 : 0;
  v128_t differences = splat8(0);
  for (std::int32_t k = 0; k < count; k += kBytes) LAYOUT_UNROLL for (int v = 0; v < 3; ++v) {
      const v128_t change = wasm_v128_xor(load(bytes + k, v), load(bytes + k + 1, v));
      differences = wasm_v128_or(differences, wasm_v128_and(change, load(compared, v)));
    }
  return !wasm_v128_any_true(differences);
}

}  // namespace layout
