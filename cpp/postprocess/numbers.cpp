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
float fold(float* lanes, std::size_t length) {
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
  // exp(x) = 2^q exp(s), with ln 2 in two parts.
  const float q = std::nearbyint(x * 1.4426950408889634F);
  float s = fused(q, -0.693145751953125F, x);
  s = fused(q, -1.428606765330187e-06F, s);
  float p = 0.000198527617612853646F;
  for (const float c :
       {0.00139304355252534151F, 0.00833336077630519867F, 0.0416664853692054749F, 0.166666671633720398F, 0.5F}) {
    p = fused(p, s, c);
  }
  const float y = 1 + fused(s * s, p, s);
  // In two factors: 2^q alone may underflow.
  const int exponent = static_cast<int>(q);
  const int half = exponent >> 1;
  return y * power_of_two(half) * power_of_two(exponent - half);
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
    const float factor = 1 / fold(lanes, length);
    for (std::size_t i = 0; i < length; ++i) to[i] *= factor;
  }
}

void softmax_outer(const float* x, std::size_t length, std::size_t inner, float* to) {
  for (std::size_t at = 0; at < inner; ++at) {
    float most = x[at];
    for (std::size_t i = 1; i < length; ++i) {
      if (is_better(Extreme::kMost, x[i * inner + at], most)) most = x[i * inner + at];
    }
    float sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      to[i * inner + at] = exponential(x[i * inner + at] - most);
      sum += to[i * inner + at];
    }
    for (std::size_t i = 0; i < length; ++i) to[i * inner + at] /= sum;
  }
}

void find_extreme(Extreme kind, Tie tie, const float* x, const Axes& axes, std::int32_t* indices, float* values) {
  const auto [outer, length, inner] = axes;
  for (std::size_t block = 0; block < outer; ++block, x += length * inner) {
    for (std::size_t at = 0; at < inner; ++at) {
      std::size_t best = 0;
      float value = x[at];
      for (std::size_t i = 1; i < length; ++i) {
        const float other = x[i * inner + at];
        // Of equal numbers, kLast takes each next one.
        if (!is_better(kind, other, value) && (tie == Tie::kFirst || other != value)) continue;
        best = i;
        value = other;
      }
      *indices++ = static_cast<std::int32_t>(best);
      *values++ = value;
    }
  }
}

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

void narrow(const float* x, std::size_t count, std::uint16_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = bits_of(x[i]);
    std::uint32_t rest = bits & 0x7fffffffU;
    if (rest < 0x38800000U) {
      // Below 2^-14, adding 0.5 leaves the code in the mantissa.
      rest = bits_of(float_of(rest) + 0.5F) - 0x3f000000U;
    } else {
      // From 65520 on: infinite. Else the exponent's bias goes from 127 to 15, and 13 bits are rounded off to even.
      rest = rest >= 0x477ff000U ? 0x7c00U : (rest - 0x38000000U + 0xfffU + (rest >> 13 & 1)) >> 13;
    }
    to[i] = static_cast<std::uint16_t>(x[i] != x[i] ? 0x7e00U : (bits >> 16 & 0x8000U) | rest);
  }
}

void widen(const std::uint16_t* codes, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t code = codes[i];
    const std::uint32_t sign = (code & 0x8000U) << 16;
    const std::uint32_t rest = code & 0x7fffU;
    // Shifted, the code is a float32 whose exponent is 127 - 15 = 112 too small. Multiplying by 2^112 corrects it, and
    // makes normal numbers of subnormal ones. Infinity and NaN have an exponent of their own.
    const float scaled = float_of(rest << 13) * 0x1p112F;
    const std::uint32_t bits = rest >= 0x7c00U ? 0x7f800000U | (rest & 0x3ffU) << 13 : bits_of(scaled);
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
