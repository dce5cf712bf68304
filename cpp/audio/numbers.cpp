// audio/numbers.h says what these functions do.

#include "audio/numbers.h"

#include <algorithm>

#include "audio/energies.h"
#include "audio/sums.h"
#include "bits/simd128.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

/// The larger number, or NaN if either is NaN.
inline float larger(float a, float b) { return a > b || a != a ? a : b; }

/// Replaces each number x by change(x).
template <typename Change>
void change_all(float* __restrict x, std::size_t count, const Change& change) {
#pragma clang loop unroll_count(2)
  for (std::size_t i = 0; i < count; ++i) x[i] = change(x[i]);
}

/// Adds at(0) to at(count - 1) to `start`, one after the other, in float32.
template <typename At>
float sum_in_order(float start, std::ptrdiff_t count, const At& at) {
  float sum = start;
  for (std::ptrdiff_t i = 0; i < count; ++i) sum += at(i);
  return sum;
}

/// Returns the largest of `start` and of `count` numbers, each after `change`, which takes a vector of four; NaN if one
/// of them is NaN. Four vectors of maxima, because in one alone each step would wait for the one before it.
template <typename Change>
float largest(const float* x, std::size_t count, float start, const Change& change) {
  v128_t most[4];
  for (v128_t& each : most) each = wasm_f32x4_splat(start);
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    for (std::size_t j = 0; j < 4; ++j) most[j] = wasm_f32x4_max(most[j], change(wasm_v128_load(x + i + 4 * j)));
  }
  for (; i < count; ++i) most[0] = wasm_f32x4_max(most[0], change(wasm_f32x4_splat(x[i])));
  const v128_t all = wasm_f32x4_max(wasm_f32x4_max(most[0], most[1]), wasm_f32x4_max(most[2], most[3]));
  float lanes[4];
  wasm_v128_store(lanes, all);
  return larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]));
}

}  // namespace

/// Each case calls a, b and c by their parts in its formula.
void map_numbers(NumberMap map, float* x, std::size_t count, double wide_a, double wide_b, double wide_c) {
  const auto a = static_cast<float>(wide_a), b = static_cast<float>(wide_b), c = static_cast<float>(wide_c);
  switch (map) {
    case NumberMap::kMultiply:
      return change_all(x, count, [factor = a](float v) { return v * factor; });
    case NumberMap::kStandardize:
      return change_all(x, count, [mean = a, deviation = b](float v) { return (v - mean) / deviation; });
    case NumberMap::kStandardizeWide:
      return change_all(x, count, [mean = wide_a, deviation = wide_b](float v) {
        return static_cast<float>((static_cast<double>(v) - mean) / deviation);
      });
    case NumberMap::kRaise:
      return change_all(x, count, [floor = a, offset = b, divisor = c](float v) {
        const float raised = larger(v, floor);
        return (raised + offset) / divisor;
      });
    case NumberMap::kRaiseAfter:
      return change_all(x, count, [floor = a, divisor = b, offset = c](float v) {
        const float raised = larger(v, floor);
        return raised / divisor + offset;
      });
    case NumberMap::kRange:
      return change_all(x, count, [least = a, range = b, width = c](float v) {
        const float share = (v - least) / range;
        return width * share - 1.0f;
      });
    case NumberMap::kLogarithm:
      return change_all(x, count, [offset = wide_a](float v) {
        return static_cast<float>(natural_log(splat(static_cast<double>(v) + offset))[0]);
      });
  }
}

double reduce_numbers(Reduction reduction, const float* x, std::size_t count, double mean, double start) {
  const auto length = static_cast<std::ptrdiff_t>(count);
  const auto narrow_mean = static_cast<float>(mean), narrow_start = static_cast<float>(start);
  const auto number = [=](std::ptrdiff_t i) { return x[i]; };
  const auto square = [=](std::ptrdiff_t i) {
    const float deviation = x[i] - narrow_mean;
    return deviation * deviation;
  };
  const auto wide_deviation = [=](std::ptrdiff_t i) { return static_cast<double>(x[i]) - mean; };
  const auto wide_square = [=](std::ptrdiff_t i) { return wide_deviation(i) * wide_deviation(i); };
  switch (reduction) {
    case Reduction::kPairwise:
      return static_cast<double>(pairwise_sum(x, length));
    case Reduction::kPairwiseSquares:
      return static_cast<double>(pairwise_sum_of<float>(square, 0, length));
    case Reduction::kInOrder:
      return static_cast<double>(sum_in_order(narrow_start, length, number));
    case Reduction::kInOrderSquares:
      return static_cast<double>(sum_in_order(narrow_start, length, square));
    case Reduction::kWide:
      return start + pairwise_sum_of<double>(wide_deviation, 0, length);
    case Reduction::kWideSquares:
      return start + pairwise_sum_of<double>(wide_square, 0, length);
    case Reduction::kMaximum:
      return static_cast<double>(largest(x, count, narrow_start, [](v128_t v) { return v; }));
    case Reduction::kLargest:
      return static_cast<double>(largest(x, count, narrow_start, [](v128_t v) { return wasm_f32x4_abs(v); }));
  }
  return start;
}

void add_numbers(float* x, const float* y, std::size_t count, float factor) {
  for (std::size_t i = 0; i < count; ++i) x[i] += factor * y[i];
}

void emphasize_numbers(float* x, std::size_t count, float c, float before) {
  // From the last number on, because each needs the old one in front of it.
  for (std::size_t i = count; i-- > 1;) x[i] -= c * x[i - 1];
  if (count > 0) x[0] -= c * before;
}

void fade_out(float* x, std::size_t count, std::size_t first, std::size_t length) {
  if (length == 1) return;  // torch.linspace(1, 0, 1) is [1]
  constexpr float kStart = 1, kEnd = 0;
  const std::size_t last = length - 1;
  const float step = (kEnd - kStart) / static_cast<float>(last);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = first + i;
    const bool is_near_start = place < length / 2;  // torch.linspace counts from the nearer end
    x[i] *= is_near_start ? kStart + step * static_cast<float>(place) : kEnd - step * static_cast<float>(last - place);
  }
}

/// The slope of the line by least squares: the sum of k x[i + k], divided by the sum of k^2.
void make_deltas(const float* x, std::size_t count, int half, float* to) {
  const auto last = static_cast<std::ptrdiff_t>(count) - 1;
  // The sum of k^2 for k from -half to half.
  const auto squares = static_cast<float>(half * (half + 1) * (2 * half + 1) / 3.0);
  for (std::ptrdiff_t i = 0; i <= last; ++i) {
    float sum = 0;
    for (int k = -half; k <= half; ++k) {
      sum += static_cast<float>(k) * x[std::clamp<std::ptrdiff_t>(i + k, 0, last)];
    }
    to[i] = sum / squares;
  }
}

namespace {

/// Transposes a square of 4 by 4 numbers, whose rows are `from` and every `columns`-th number after it. Writes the
/// first `count` of its columns as rows that begin `stride` numbers apart.
void flip_square(const float* from, int columns, int count, float* to, int stride) {
  const v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + columns);
  const v128_t c = wasm_v128_load(from + 2 * columns), d = wasm_v128_load(from + 3 * columns);
  // Lanes: a0 b0 a1 b1 and c0 d0 c1 d1, whose halves make a0 b0 c0 d0 and a1 b1 c1 d1; then the same of 2 and 3.
  const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
  wasm_v128_store(to, wasm_i64x2_shuffle(ab_low, cd_low, 0, 2));
  if (count > 1) wasm_v128_store(to + stride, wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
  const v128_t ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  if (count > 2) wasm_v128_store(to + 2 * stride, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
  if (count > 3) wasm_v128_store(to + 3 * stride, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
}

}  // namespace

void flip_numbers(const float* from, std::ptrdiff_t count, int columns, float* to, int stride) {
  constexpr int kSquare = 4;
  for (int first = 0; first < columns; first += kSquare) {
    const int column_count = std::min(kSquare, columns - first);
    float* row = to + static_cast<std::ptrdiff_t>(first) * stride;
    std::ptrdiff_t index = first;
    const int square_end = 3 * columns + 3;  // the last number that flip_square reads, from `index` on
    for (; index + square_end < count; index += kSquare * columns, row += kSquare)
      flip_square(from + index, columns, column_count, row, stride);
    // The last rows of `from`, one by one.
    for (; index < count; index += columns, ++row) {
      for (int i = 0; i < column_count && index + i < count; ++i) row[i * stride] = from[index + i];
    }
  }
}

namespace {

/// Computes a * (1 - part) + b * part in float32: the second product is rounded, then the first product and the sum as
/// one step.
float mix(float a, float b, float part) {
  const auto wide = [](float x) { return splat(static_cast<double>(x)); };
  return static_cast<float>(fused_float32(wide(a), wide(1.0f - part), wide(b * part))[0]);
}

}  // namespace

void blend_rows(const float* a, const float* b, float part, int columns, int width, float* to) {
  const float scale = static_cast<float>(static_cast<double>(columns) / width);
  for (int i = 0; i < width; ++i) {
    // The place in `a` of the middle of number i, where 0 is the middle of the first number: torch's
    // align_corners=False.
    const float center = std::max(0.0f, scale * (static_cast<float>(i) + 0.5f) - 0.5f);
    const int left = static_cast<int>(center), right = std::min(left + 1, columns - 1);
    const float right_part = center - static_cast<float>(left);
    const float from_a = mix(a[left], a[right], right_part);
    const float from_b = mix(b[left], b[right], right_part);
    to[i] = mix(from_a, from_b, part);
  }
}

void multiply_rows(const float* from, std::size_t rows, std::size_t size, const double* table, std::size_t count,
                   float* to) {
  for (std::size_t r = 0; r < rows; ++r, from += size) {
    for (std::size_t k = 0; k < count; ++k) {
      const double* weights = table + k * size;
      double sum = 0;
      for (std::size_t m = 0; m < size; ++m) sum += static_cast<double>(from[m]) * weights[m];
      *to++ = static_cast<float>(sum);
    }
  }
}

void divide_numbers(const double* x, const double* y, std::size_t count, float* to) {
  constexpr double kMostIgnored = 1e-11;
  for (std::size_t i = 0; i < count; ++i) {
    const double quotient = y[i] > kMostIgnored ? x[i] / y[i] : x[i];
    to[i] = static_cast<float>(quotient);
  }
}

namespace {

/// Writes the mean of two channels of float32 samples. Times 0.5 is the division by 2.
void mean_of_two(const float* first, const float* second, std::size_t count, float* to) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const v128_t sum = wasm_f32x4_add(wasm_v128_load(first + i), wasm_v128_load(second + i));
    wasm_v128_store(to + i, wasm_f32x4_mul(sum, wasm_f32x4_splat(0.5f)));
  }
  for (; i < count; ++i) to[i] = (first[i] + second[i]) * 0.5f;
}

/// Writes the mean over any number of channels, in the type of their samples.
template <typename Number>
void mean_of_all(const Number* from, int channels, std::size_t stride, std::size_t count, Number* to) {
  const auto divisor = static_cast<Number>(channels);
  for (std::size_t i = 0; i < count; ++i) {
    const auto sample_of = [=](std::ptrdiff_t channel) { return from[static_cast<std::size_t>(channel) * stride + i]; };
    to[i] = pairwise_sum_of<Number>(sample_of, 0, channels) / divisor;
  }
}

}  // namespace

void mean_of_channels(const float* from, int channels, std::size_t stride, std::size_t count, float* to) {
  if (channels == 2) {  // by far the most common
    mean_of_two(from, from + stride, count, to);
  } else {
    mean_of_all(from, channels, stride, count, to);
  }
}

void mean_of_wide_channels(const double* from, int channels, std::size_t stride, std::size_t count, double* to) {
  mean_of_all(from, channels, stride, count, to);
}

}  // namespace layout
