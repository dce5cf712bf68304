/// Arithmetic in torch's order on CPUs with AVX2: exponentials, sums, maxima. All numbers are float32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// a * b + c, rounded once. The product of two float32 is exact in float64; rounding the sum twice differed from the
/// instruction in none of 10^7 values.
inline float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

/// exp(x) by SLEEF's polynomial of 1 ULP.
float exponential(float x);
/// 1 / (1 + exp(-x)).
float logistic(float x);

/// Writes the logistic function of each number.
void sigmoid(const float* x, std::size_t count, float* to);
/// Writes the softmax of each row of [rows, length]. A row is summed in the 8 lanes of a vector, which are then added
/// half to half. `to` may be `x`.
void softmax(const float* x, std::size_t rows, std::size_t length, float* to);
/// Writes the softmax over the outer axis of [length, inner]: sums in order, then divides. `to` must not be `x`.
void softmax_outer(const float* x, std::size_t length, std::size_t inner, float* to);
enum class Extreme : std::uint8_t { kMost, kLeast };
/// Which of equal numbers.
enum class Tie : std::uint8_t { kFirst, kLast };

/// The extents before an axis, of it, and after it.
struct Axes {
  std::size_t outer;
  std::size_t length;
  std::size_t inner;
};

/// Writes the index of the extreme along the middle axis, and its value. NaN counts as extreme, and of NaNs the first
/// one with either Tie.
void find_extreme(Extreme kind, Tie tie, const float* x, const Axes& axes, std::int32_t* indices, float* values);

/// Writes the softmax along the middle axis in float64, or its logarithms. `to` may be `x`.
void softmax_doubles(const double* x, const Axes& axes, bool is_log, double* to);

/// Converts float16 codes to float32.
void widen(const std::uint16_t* codes, std::size_t count, float* to);
/// Converts float32 to float16 codes: to nearest even, NaN to the positive quiet one.
void narrow(const float* x, std::size_t count, std::uint16_t* to);

/// Transposes [outer, rows, columns] to [outer, columns, rows]. `to` must not be `x`.
void swap_axes(const float* x, std::size_t outer, std::size_t rows, std::size_t columns, float* to);

/// Multiplies numbers at the same places. `to` may be either.
void multiply(const float* a, const float* b, std::size_t count, float* to);

}  // namespace layout
