// postprocess/numbers.h says what these functions do.

#include "postprocess/numbers.h"

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "elementary/elementary.h"

namespace layout {

namespace {

constexpr std::size_t kLanes = 8;

/// The float32 of its bits.
float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The bits of a float32.
std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float power_of_two(int exponent) { return float_of(static_cast<std::uint32_t>(exponent + 127) << 23); }

/// Sums the 8 lanes that a row of `length` numbers was added to, by adding the upper half to the lower one. Fewer than
/// 8 numbers have a lane each, and are summed in order. Changes the lanes.
float sum_lanes(float* lanes, std::size_t length) {
  if (length < kLanes) {
    float sum = lanes[0];
    for (std::size_t i = 1; i < length; ++i) sum += lanes[i];
    return sum;
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

/// Whether `a` is more extreme than `b`: NaN more than any number, and no NaN more than another.
bool is_better(Extreme kind, float a, float b) {
  if (std::isnan(b)) return false;
  return std::isnan(a) || (kind == Extreme::kMost ? a > b : a < b);
}

/// The greatest number; the first NaN where there is one.
float greatest(const float* x, std::size_t length) {
  float most = x[0];
  for (std::size_t i = 1; i < length; ++i) {
    if (is_better(Extreme::kMost, x[i], most)) most = x[i];
  }
  return most;
}

}  // namespace

float exponential(float x) {
  if (std::isnan(x)) return x;
  // SLEEF's limits: float32's least number is exp(-103.3), and the largest is exp(88.7).
  if (x < -104) return 0;
  if (x > 104) return std::numeric_limits<float>::infinity();
  constexpr float kPerLn2 = 1.4426950408889634F, kLn2High = 0.693145751953125F, kLn2Low = 1.428606765330187e-06F;
  // exp(x) = 2^times exp(rest).
  const float times = std::nearbyint(x * kPerLn2);
  float rest = fused(times, -kLn2High, x);
  rest = fused(times, -kLn2Low, rest);
  // (exp(rest) - 1 - rest) / rest^2.
  float series = 0.000198527617612853646F;
  for (const float coefficient :
       {0.00139304355252534151F, 0.00833336077630519867F, 0.0416664853692054749F, 0.166666671633720398F, 0.5F}) {
    series = fused(series, rest, coefficient);
  }
  const float power = 1 + fused(rest * rest, series, rest);
  // In two factors: 2^times alone may underflow.
  const int exponent = static_cast<int>(times);
  const int half = exponent >> 1;
  return power * power_of_two(half) * power_of_two(exponent - half);
}

float logistic(float x) { return 1 / (1 + exponential(-x)); }

void sigmoid(const float* x, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = logistic(x[i]);
}

void softmax(const float* x, std::size_t rows, std::size_t length, float* to) {
  for (std::size_t row = 0; row < rows; ++row, x += length, to += length) {
    const float most = greatest(x, length);
    float lanes[kLanes] = {};
    for (std::size_t i = 0; i < length; ++i) {
      to[i] = exponential(x[i] - most);
      lanes[i % kLanes] += to[i];
    }
    const float factor = 1 / sum_lanes(lanes, length);
    for (std::size_t i = 0; i < length; ++i) to[i] *= factor;
  }
}

void softmax_outer(const float* x, std::size_t length, std::size_t inner, float* to) {
  const std::size_t size = length * inner;
  for (std::size_t column = 0; column < inner; ++column) {
    float most = x[column];
    for (std::size_t i = column + inner; i < size; i += inner) {
      if (is_better(Extreme::kMost, x[i], most)) most = x[i];
    }
    float sum = 0;
    for (std::size_t i = column; i < size; i += inner) {
      to[i] = exponential(x[i] - most);
      sum += to[i];
    }
    for (std::size_t i = column; i < size; i += inner) to[i] /= sum;
  }
}

void find_extreme(Extreme kind, Tie tie, const float* x, const Axes& axes, std::int32_t* indices, float* values) {
  const auto [outer, length, inner] = axes;
  for (std::size_t block = 0; block < outer; ++block, x += length * inner) {
    for (std::size_t column = 0; column < inner; ++column) {
      std::size_t best = 0;
      float value = x[column];
      for (std::size_t i = 1; i < length; ++i) {
        const float other = x[i * inner + column];
        const bool is_later_equal = tie == Tie::kLast && other == value;
        if (!is_better(kind, other, value) && !is_later_equal) continue;
        best = i;
        value = other;
      }
      *indices++ = static_cast<std::int32_t>(best);
      *values++ = value;
    }
  }
}

/// The logarithm of exp(x - most) / sum is x - (most + log(sum)).
void softmax_doubles(const double* x, const Axes& axes, bool is_log, double* to) {
  const auto [outer, length, inner] = axes;
  if (length == 0) return;
  for (std::size_t row = 0; row < outer * inner; ++row) {
    const std::size_t first = row / inner * length * inner + row % inner;
    const std::size_t end = first + length * inner;
    double most = x[first];
    for (std::size_t i = first; i < end; i += inner) most = x[i] > most || std::isnan(x[i]) ? x[i] : most;
    double sum = 0;
    for (std::size_t i = first; i < end; i += inner) sum += exp_of(x[i] - most);
    const double shift = is_log ? most + log_of(sum) : most;
    for (std::size_t i = first; i < end; i += inner) to[i] = is_log ? x[i] - shift : exp_of(x[i] - shift) / sum;
  }
}

namespace {

// float32 has a sign, 8 bits of exponent and 23 of mantissa, float16 a sign, 5 and 10.
constexpr std::uint32_t kSizeBits = 0x7fffffffU;  // of a float32: all but the sign
constexpr std::uint32_t kHalfSign = 0x8000U;      // of a float16
constexpr std::uint32_t kHalfInfinity = 0x7c00U, kHalfNaN = 0x7e00U;
constexpr std::uint32_t kHalfMantissa = 0x3ffU;
constexpr int kDroppedBits = 23 - 10;

/// The float16 code of the size of a float32, given as its bits, which are not NaN's.
[[gnu::always_inline]] inline std::uint32_t float16_code_of(std::uint32_t size) {
  constexpr std::uint32_t kLeastNormal = 0x38800000U;    // 2^-14
  constexpr std::uint32_t kLeastInfinite = 0x477ff000U;  // 65520
  constexpr std::uint32_t kBiasChange = 0x38000000U;     // exponents are biased by 127 and by 15
  // Adding 0.5 leaves the code in the mantissa, in units of 2^-24.
  if (size < kLeastNormal) return bits_of(float_of(size) + 0.5F) - bits_of(0.5F);
  // Rounded to even: just below half a unit of the code is added, and a bit more where the last bit that stays is odd.
  constexpr std::uint32_t kBelowHalf = (1U << (kDroppedBits - 1)) - 1;
  const std::uint32_t is_odd = size >> kDroppedBits & 1;
  const std::uint32_t rounded = (size - kBiasChange + kBelowHalf + is_odd) >> kDroppedBits;
  return size >= kLeastInfinite ? kHalfInfinity : rounded;
}

}  // namespace

void narrow(const float* x, std::size_t count, std::uint16_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = bits_of(x[i]);
    const std::uint32_t sign = bits >> 16 & kHalfSign;
    const std::uint32_t code = x[i] != x[i] ? kHalfNaN : sign | float16_code_of(bits & kSizeBits);
    to[i] = static_cast<std::uint16_t>(code);
  }
}

void widen(const std::uint16_t* codes, std::size_t count, float* to) {
  constexpr std::uint32_t kInfinity = 0x7f800000U;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t code = codes[i];
    const std::uint32_t sign = (code & kHalfSign) << 16;
    const std::uint32_t size = code & ~kHalfSign;
    // Shifted, the code is a float32 whose exponent is 127 - 15 = 112 too small. Multiplying by 2^112 corrects it, and
    // makes normal numbers of subnormal ones. Infinity and NaN have an exponent of their own.
    const float scaled = float_of(size << kDroppedBits) * 0x1p112F;
    const bool is_finite = size < kHalfInfinity;
    const std::uint32_t bits = is_finite ? bits_of(scaled) : kInfinity | (size & kHalfMantissa) << kDroppedBits;
    to[i] = float_of(sign | bits);
  }
}

void swap_axes(const float* x, std::size_t outer, std::size_t rows, std::size_t columns, float* to) {
  for (std::size_t block = 0; block < outer; ++block, x += rows * columns) {
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t row = 0; row < rows; ++row) *to++ = x[row * columns + column];
    }
  }
}

void multiply(const float* a, const float* b, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = a[i] * b[i];
}

}  // namespace layout
