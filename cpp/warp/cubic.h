/// Places, bytes and cubic samples, as OpenCV computes them.
#pragma once

#include <cmath>
#include <cstdint>

namespace layout {

constexpr int kMostTaps = 4;

struct Place {
  float x;
  float y;
};

/// a * b + c, rounded once but for sums that round to a tie in float64.
inline float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

/// The nearest byte. Conditions take half the code of std::min and std::clamp, which compare in memory.
inline std::uint8_t byte_of(float x) {
  const float whole = std::nearbyint(x);
  return static_cast<std::uint8_t>(x > 0 ? whole < 255 ? whole : 255 : 0);
}

inline int clamp_place(int i, int extent) { return i < 0 ? 0 : i < extent ? i : extent - 1; }

/// Clamps a cubic place to [-extent, 2 * extent], with an extent of at least 16.
inline float within_pictures(float place, int extent) {
  const auto most = static_cast<float>(extent < 16 ? 16 : extent);
  return place > -most ? place < 2 * most ? place : 2 * most : -most;
}

/// Writes the weights of four pixels for a place `t`, from 0 to 1 behind the second one: cubic convolution with a =
/// -0.75, step by step as OpenCV. weights[2] is what the other three leave of 1, so it comes last.
inline void cubic_weights(float t, float* weights) {
  const float back = 1 - t;
  weights[0] = -0.75F * (t * (back * back));
  weights[1] = fused(fused(1.25F, t, -2.25F), t * t, 1);
  weights[3] = -0.75F * (t * t * back);
  weights[2] = 1 - weights[0] - weights[1] - weights[3];
}

/// Writes one pixel of the result: the cubic sum of 16 pixels, four rows of four. `part`: how far the place lies behind
/// the second row and column.
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
