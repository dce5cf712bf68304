#pragma once

#include <cstddef>

namespace layout {

/// A change of each float32 number x, in float32 steps unless said.
enum class NumberMap : int {
  kMultiply = 0,         // x * a
  kStandardize = 1,      // (x - a) / b
  kStandardizeWide = 2,  // the same in float64, rounded once
  kRaise = 3,            // (max(x, a) + b) / c
  kRaiseAfter = 4,       // max(x, a) / b + c
  kRange = 5,            // c * ((x - a) / b) - 1
  kLogarithm = 6,        // ln(x + a) in float64, rounded once
};

/// Changes `count` numbers in place, by the formula of `map`. Its numbers a, b and c become float32 where its steps
/// are.
void map_numbers(NumberMap map, float* x, std::size_t count, double a, double b, double c);

/// Sums of float32 numbers, and their largest.
enum class Reduction : int {
  kPairwise = 0,         // NumPy's order of a contiguous axis, in float32
  kPairwiseSquares = 1,  // of (x - mean)^2, each step in float32
  kInOrder = 2,          // one after the other, in float32, on top of `start`
  kInOrderSquares = 3,   // of (x - mean)^2
  kWide = 4,             // of x - mean, in NumPy's order and float64
  kWideSquares = 5,      // of (x - mean)^2, likewise
  kMaximum = 6,          // NaN if there is one
  kLargest = 7,          // of |x|
};

/// Reduces `count` numbers to one, a sum or a maximum. All but kPairwise and kPairwiseSquares begin with `start`, so
/// that a caller can reduce a long array piece by piece.
double reduce_numbers(Reduction reduction, const float* x, std::size_t count, double mean, double start);

/// Adds factor * y to x, in place, in float32 steps.
void add_numbers(float* x, const float* y, std::size_t count, float factor);

/// Replaces each x[i] by x[i] - c x[i - 1], in place, in float32 steps. `before` stands for the number before the
/// first.
void emphasize_numbers(float* x, std::size_t count, float c, float before);

/// Multiplies x, in place, by numbers `first` to `first + count` of a line from 1 down to 0: torch.linspace(1, 0,
/// length), in float32 steps.
void fade_out(float* x, std::size_t count, std::size_t first, std::size_t length);

/// Makes torchaudio's deltas of a row of `count` numbers: for each, the slope of the line through it and `half` numbers
/// on both sides, where the row's ends are repeated.
void make_deltas(const float* x, std::size_t count, int half, float* to);

/// Transposes `from` [rows, columns] to `to` [columns, rows], whose rows begin `stride` numbers apart. `from` has
/// `count` numbers in all, since its last row may lack some. Transposes squares of 4 by 4: 4 times as fast as one
/// number after the other.
void flip_numbers(const float* from, std::ptrdiff_t count, int columns, float* to, int stride);

/// Makes one row of torch's bilinear interpolation from the rows `a` and `b` around it, in the steps of CPUs with fused
/// multiply-add: resizes both from `columns` numbers to `width`, then takes the weighted mean of both, in which `b` has
/// the weight `part`.
void blend_rows(const float* a, const float* b, float part, int columns, int width, float* to);

/// Multiplies `from` [rows, size] by the transpose of `table` [count, size], in float64, rounded once: `to` [rows,
/// count].
void multiply_rows(const float* from, std::size_t rows, std::size_t size, const double* table, std::size_t count,
                   float* to);

/// Writes x / y, or x where y is at most 1e-11, in float64, rounded to float32: overlapped frames over the window's
/// squares.
void divide_numbers(const double* x, const double* y, std::size_t count, float* to);

/// Writes the mean over channels of each of `count` samples, as NumPy computes it over interleaved samples: a float32
/// sum, then a division. Channel c begins c * stride numbers after `from`.
void mean_of_channels(const float* from, int channels, std::size_t stride, std::size_t count, float* to);
/// Does mean_of_channels for float64 samples, in float64.
void mean_of_wide_channels(const double* from, int channels, std::size_t stride, std::size_t count, double* to);

}  // namespace layout
