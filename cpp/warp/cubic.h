/// Places, bytes and cubic samples, as OpenCV computes them.
#pragma once

#include <cmath>
#include <cstdint>

namespace layout {

constexpr int kMostTaps = 4;  // pixels in each direction that a cubic sample takes

/// A place on a picture, in pixels: the middle of the upper left pixel is 0, 0.
struct Place {
  float x;
  float y;
};

/// a * b + c rounded to float32 once, as a fused multiply-add: the product is exact in float64. The sum is rounded to
/// float64 first, which changes the result only if it becomes a tie there.
inline float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

/// The nearest byte, ties to even, from 0 to 255; 0 for NaN. Conditions take half the code of std::min and std::clamp,
/// which compare in memory.
inline std::uint8_t byte_of(float x) {
  const float whole = std::nearbyint(x);
  return static_cast<std::uint8_t>(x > 0 ? whole < 255 ? whole : 255 : 0);
}

/// The index of a pixel along an axis of `extent` pixels, or of the nearest one for `i` beyond its ends.
inline int clamp_place(int i, int extent) { return i < 0 ? 0 : i < extent ? i : extent - 1; }

/// Clamps a place along an axis of `extent` pixels to one extent before the picture and two from its beginning on, as
/// OpenCV does for cubic samples: [-extent, 2 * extent], where an extent below 16 counts as 16. NaN gives -extent.
inline float within_pictures(float place, int extent) {
  const auto most = static_cast<float>(extent < 16 ? 16 : extent);
  return place > -most ? place < 2 * most ? place : 2 * most : -most;
}

/// Writes the weights of four pixels in a row for a place `t`, 0 to 1, after the second one: cubic convolution with a
/// = -0.75, in OpenCV's formulas and order of operations. weights[2] is what the other three leave of 1, so it comes
/// last.
inline void cubic_weights(float t, float* weights) {
  const float back = 1 - t;
  weights[0] = -0.75F * (t * (back * back));
  weights[1] = fused(fused(1.25F, t, -2.25F), t * t, 1);
  weights[3] = -0.75F * (t * t * back);
  weights[2] = 1 - weights[0] - weights[1] - weights[3];
}

/// Writes one pixel of the result, `channels` bytes: the cubic sum of the 16 pixels at the addresses `pixels`, four
/// rows of four. `part` is how far, 0 to 1, the place lies after the second column (x) and the second row (y).
inline void cubic_sample(const Place& part, const std::uint8_t* const* pixels, int channels, std::uint8_t* to) {
  float across[kMostTaps];
  float down[kMostTaps];
  cubic_weights(part.x, across);
  cubic_weights(part.y, down);
  for (int c = 0; c < channels; ++c) {
    float sum = 0;
    for (int i = 0; i < kMostTaps; ++i) {
      const std::uint8_t* const* line = pixels + kMostTaps * i;
      float row = 0;
      for (int j = 0; j < kMostTaps; ++j) row = fused(line[j][c], across[j], row);
      sum = fused(row, down[i], sum);
    }
    to[c] = byte_of(sum);
  }
}

}  // namespace layout
