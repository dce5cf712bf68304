#pragma once

#include <cstdint>

#include "bits/vectors.h"

// Four pixels, a quad, lie in one vector whatever their channels. One swizzle of a quad chooses the channels, lays them
// out and widens bytes to 32 bits, so each vector of the result needs one load and one swizzle. A fetch is a function
// object that does so: it takes the 16 bytes from a quad's first one on, and gives four bytes as 32-bit integers.
//   r0 g0 b0 r1 g1 b1 r2 g2 b2 r3 g3 b3 ....  ->  g0 0 0 0  g1 0 0 0  g2 0 0 0  g3 0 0 0

namespace layout {

/// An index for which swizzle gives zero.
inline constexpr std::uint8_t kNone = 0x80;

/// Fetches byte kSource of each pixel of a quad, in pixels of kStep bytes. V8 compiles a swizzle by a constant to one
/// instruction, by any other vector to three (measured: float32 planes without a division are 1.4 times faster by it).
template <int kStep, int kSource>
struct Pick {
  v128_t operator()(v128_t quad) const {
    struct Order {
      std::uint8_t at[16];
    };
    static constexpr Order kOrder = [] {
      Order order{};
      for (int i = 0; i < 16; ++i) {
        order.at[i] = i % 4 == 0 ? static_cast<std::uint8_t>(kSource + i / 4 * kStep) : kNone;
      }
      return order;
    }();
    return wasm_i8x16_swizzle(quad, load(kOrder.at));
  }
};

/// Fetches any bytes of a quad, by `order`, or 255 in the lanes (of a channel that the source does not have) where
/// `opaque_lanes` has it. Picture::to_bytes takes 16 bytes at once with it.
struct Select {
  v128_t order;
  v128_t opaque_lanes;

  v128_t operator()(v128_t quad) const { return wasm_v128_or(wasm_i8x16_swizzle(quad, order), opaque_lanes); }
};

/// Computes the gray of each pixel, as kLuma and kOpenCvLuma (pixels.h) describe it. One order brings red and green to
/// the 16-bit halves of each lane, the other green and blue. The weight of green does not fit in 16 bits with a sign,
/// so half of it counts twice.
struct Luma {
  v128_t red_green;
  v128_t green_blue;
  /// By how much red weighs more and blue less than in Pillow: 0, or 1 in OpenCV.
  unsigned extra_red;

  v128_t operator()(v128_t quad) const {
    constexpr unsigned kRed = 19595, kHalfGreen = 38470 / 2, kBlue = 7471, kHalf = 0x8000;
    const auto halves = [](unsigned low, unsigned high) { return splat32(high << 16 | low); };
    const v128_t red_green_sum =
        wasm_i32x4_dot_i16x8(wasm_i8x16_swizzle(quad, red_green), halves(kRed + extra_red, kHalfGreen));
    const v128_t green_blue_sum =
        wasm_i32x4_dot_i16x8(wasm_i8x16_swizzle(quad, green_blue), halves(kHalfGreen, kBlue - extra_red));
    const v128_t sum = wasm_i32x4_add(red_green_sum, green_blue_sum);
    return wasm_u32x4_shr(wasm_i32x4_add(sum, splat32(kHalf)), 16);
  }
};

/// Computes the gray of each pixel, as kTorchLuma (pixels.h) describes it, with the two orders of Luma: red and green,
/// and green and blue, in the 16-bit halves of each lane.
struct TorchLuma {
  v128_t red_green;
  v128_t green_blue;

  v128_t operator()(v128_t quad) const {
    const v128_t first = wasm_i8x16_swizzle(quad, red_green), second = wasm_i8x16_swizzle(quad, green_blue);
    const auto product = [](v128_t x, float weight) {
      return wasm_f32x4_mul(wasm_f32x4_convert_i32x4(x), wasm_f32x4_splat(weight));
    };
    const v128_t red = product(wasm_v128_and(first, splat32(255)), 0.2989f);
    const v128_t green = product(wasm_u32x4_shr(first, 16), 0.587f);
    const v128_t blue = product(wasm_u32x4_shr(second, 16), 0.114f);
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_add(wasm_f32x4_add(red, green), blue));
  }
};

}  // namespace layout
