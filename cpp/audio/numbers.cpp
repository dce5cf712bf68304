// audio/numbers.h says what these functions do.

#include "audio/numbers.h"

#include <algorithm>
#include <cmath>

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

/// Returns the largest of `start` and of `count` numbers, each after `change`, which takes a vector of four. Returns
/// NaN if one of them is NaN.
/// Four vectors of maxima, because in one alone each step would wait for the one before it.
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

void map_numbers(NumberMap map, float* x, std::size_t count, double wide_a, double wide_b, double wide_c) {
  const auto a = static_cast<float>(wide_a), b = static_cast<float>(wide_b), c = static_cast<float>(wide_c);
  switch (map) {
    case NumberMap::kMultiply:
      return change_all(x, count, [=](float v) { return v * a; });
    case NumberMap::kStandardize:
      return change_all(x, count, [=](float v) { return (v - a) / b; });
    case NumberMap::kStandardizeWide:
      return change_all(x, count,
                        [=](float v) { return static_cast<float>((static_cast<double>(v) - wide_a) / wide_b); });
    case NumberMap::kRaise:
      return change_all(x, count, [=](float v) { return (larger(v, a) + b) / c; });
    case NumberMap::kRaiseAfter:
      return change_all(x, count, [=](float v) { return larger(v, a) / b + c; });
    case NumberMap::kRange:
      return change_all(x, count, [=](float v) { return c * ((v - a) / b) - 1.0f; });
    case NumberMap::kLogarithm:
      return change_all(x, count, [=](float v) {
        return static_cast<float>(natural_log(splat(static_cast<double>(v) + wide_a))[0]);
      });
  }
}

double reduce_numbers(Reduction reduction, const float* x, std::size_t count, double mean, double start) {
  const auto n = static_cast<std::ptrdiff_t>(count);
  const auto middle = static_cast<float>(mean);
  const auto square = [=](std::ptrdiff_t i) {
    const float d = x[i] - middle;
    return d * d;
  };
  const auto wide = [=](std::ptrdiff_t i) { return static_cast<double>(x[i]) - mean; };
  auto sum = static_cast<float>(start);
  double total = start;
  switch (reduction) {
    case Reduction::kPairwise:
      return static_cast<double>(pairwise_sum(x, n));
    case Reduction::kPairwiseSquares:
      return static_cast<double>(pairwise_sum_of<float>(square, 0, n));
    case Reduction::kInOrder:
      for (std::ptrdiff_t i = 0; i < n; ++i) sum += x[i];
      return static_cast<double>(sum);
    case Reduction::kInOrderSquares:
      for (std::ptrdiff_t i = 0; i < n; ++i) sum += square(i);
      return static_cast<double>(sum);
    case Reduction::kWide:
      return start + pairwise_sum_of<double>(wide, 0, n);
    case Reduction::kWideSquares:
      return start + pairwise_sum_of<double>([=](std::ptrdiff_t i) { return wide(i) * wide(i); }, 0, n);
    case Reduction::kMaximum:
      return static_cast<double>(largest(x, count, sum, [](v128_t v) { return v; }));
    case Reduction::kLargest:
      return static_cast<double>(largest(x, count, sum, [](v128_t v) { return wasm_f32x4_abs(v); }));
  }
  return total;
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
  const float step = -1.0f / static_cast<float>(length - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = first + i;
    // torch.linspace counts from the nearer end.
    x[i] *= at < length / 2 ? 1.0f + step * static_cast<float>(at) : 0.0f - step * static_cast<float>(length - 1 - at);
  }
}

void make_deltas(const float* x, std::size_t count, int half, float* to) {
  const auto last = static_cast<std::ptrdiff_t>(count) - 1;
  // The sum of k^2 for k from -half to half, which divides a least-squares slope.
  const auto squares = static_cast<float>(half * (half + 1) * (2 * half + 1) / 3.0);
  for (std::ptrdiff_t i = 0; i <= last; ++i) {
    float sum = 0;
    for (int k = -half; k <= half; ++k) {
      sum += static_cast<float>(k) * x[std::clamp<std::ptrdiff_t>(i + k, 0, last)];
    }
    to[i] = sum / squares;
  }
}

void flip_numbers(const float* from, std::ptrdiff_t count, int columns, float* to, int stride) {
  for (int first = 0; first < columns; first += 4) {
    const int high = std::min(4, columns - first);
    // Four columns of `from`, of which `high` are there, become rows of `to`: four numbers of each at a time.
    float* row = to + static_cast<std::ptrdiff_t>(first) * stride;
    std::ptrdiff_t at = first;
    // While four loads of four numbers end within `from`.
    for (; at + 3 * columns + 3 < count; at += 4 * columns, row += 4) {
      const v128_t a = wasm_v128_load(from + at), b = wasm_v128_load(from + at + columns);
      const v128_t c = wasm_v128_load(from + at + 2 * columns), d = wasm_v128_load(from + at + 3 * columns);
      const v128_t ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
      wasm_v128_store(row, wasm_i64x2_shuffle(ab, cd, 0, 2));
      if (high > 1) wasm_v128_store(row + stride, wasm_i64x2_shuffle(ab, cd, 1, 3));
      const v128_t ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
      if (high > 2) wasm_v128_store(row + 2 * stride, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
      if (high > 3) wasm_v128_store(row + 3 * stride, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
    }
    // The last rows of `from`.
    for (; at < count; at += columns, ++row) {
      for (int i = 0; i < high && at + i < count; ++i) row[i * stride] = from[at + i];
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
    const float across = center - static_cast<float>(left);
    to[i] = mix(mix(a[left], a[right], across), mix(b[left], b[right], across), part);
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
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(y[i] > 1e-11 ? x[i] / y[i] : x[i]);
}

void mean_of_channels(const float* from, int channels, std::size_t stride, std::size_t count, float* to) {
  if (channels == 2) {  // by far the most common; times 0.5 is the division by 2
    const float* second = from + stride;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      const v128_t sum = wasm_f32x4_add(wasm_v128_load(from + i), wasm_v128_load(second + i));
      wasm_v128_store(to + i, wasm_f32x4_mul(sum, wasm_f32x4_splat(0.5f)));
    }
    for (; i < count; ++i) to[i] = (from[i] + second[i]) * 0.5f;
    return;
  }
  // A quotient of two float32 numbers in float64, rounded, is the float32 quotient.
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [=](std::ptrdiff_t c) { return from[static_cast<std::size_t>(c) * stride + i]; };
    to[i] = static_cast<float>(static_cast<double>(pairwise_sum_of<float>(at, 0, channels)) / channels);
  }
}

void mean_of_wide_channels(const double* from, int channels, std::size_t stride, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [=](std::ptrdiff_t c) { return from[static_cast<std::size_t>(c) * stride + i]; };
    to[i] = pairwise_sum_of<double>(at, 0, channels) / channels;
  }
}

void Normals::seed(std::uint32_t seed) {
  // MT19937's init_genrand. All words count as used, so `next` makes them anew first.
  state_[0] = seed;
  for (std::uint32_t i = 1; i < 624; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
  at_ = 624;
}

double Normals::next() {
  // MT19937's recurrence: all 624 words of the state are made anew when they are used up.
  if (at_ == 624) {
    for (int i = 0; i < 624; ++i) {
      const std::uint32_t y = (state_[i] & 0x80000000u) | (state_[(i + 1) % 624] & 0x7fffffffu);
      state_[i] = state_[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    at_ = 0;
  }
  // One word, tempered as MT19937 does, of which 24 bits make a number in [0, 1).
  std::uint32_t y = state_[at_++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return static_cast<double>((y ^ y >> 18) & 0xffffffu) * 0x1p-24;
}

void Normals::fill(float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 16) {
    double u[16];
    for (double& number : u) number = next();
    // Box-Muller: numbers j and j + 8 make normals j and j + 8. 1 - u is never 0, whose logarithm is infinite.
    for (int j = 0; j < 8; ++j) {
      const double radius = std::sqrt(-2 * natural_log(splat(1 - u[j]))[0]);
      const double angle = 6.283185307179586 * u[j + 8];
      to[i + static_cast<std::size_t>(j)] = static_cast<float>(radius * cosine(angle));
      to[i + static_cast<std::size_t>(j) + 8] = static_cast<float>(radius * sine(angle));
    }
  }
}

void Normals::skip(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) next();
}

}  // namespace layout
