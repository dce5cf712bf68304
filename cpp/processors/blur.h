/// Weighted sums of numbers and their neighbors, as the blurs of OWLv2's processors take them.
#pragma once

#include <cstdint>

namespace layout {

/// Numbers of float32 or bytes, filtered in place by symmetric weights. With from = numbers + reach * stride, number k
/// becomes from[k] * weights[0], then for i from `reach` down to 1 plus (from[k - i * stride] + from[k + i * stride]) *
/// weights[i], in double, rounded to float32 or cut to a whole byte. `count` is rounded up to a multiple of 8.
struct Neighbors {
  std::int32_t element;  // bytes of a number
  std::int32_t count, stride, reach;
  void* numbers;
  const double* weights;
};

void sum_neighbors(const Neighbors& call);

constexpr int kBlurBlock = 1 << 20;

/// The memory of a line. Behind it lie the line's numbers as double, and 16 more.
struct BlurMemory {
  std::uint8_t line[kBlurBlock];
  float weights[kBlurBlock / sizeof(float)];
  float sums[kBlurBlock / sizeof(float)];  // as many as `count`, rounded up to a multiple of 16
  std::uint8_t bytes[kBlurBlock];
  double* numbers() { return reinterpret_cast<double*>(this + 1); }
};

/// A line of a picture, of pixels of three bytes, that is blurred across and added to a row of the result, as all of
/// `lines` in turn. To sum k come line[k + 3 * j] * (weights[j] * share) for each tap j in turn: the weight is float32,
/// its product and sum are of double, rounded to float32. The last line writes bytes, rounded half to even.
struct BlurredLine {
  std::int32_t count, taps, line, lines;
  BlurMemory* memory;
  float share;
};

void blur_line(const BlurredLine& call);

}  // namespace layout
