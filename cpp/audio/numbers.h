#pragma once

#include <cstddef>
#include <cstdint>

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

/// Changes `count` numbers in place.
void map_numbers(NumberMap map, float* x, std::size_t count, double a, double b, double c);

/// Sums of float32 numbers, and their largest.
enum class Reduction : int {
  kPairwise = 0,         // NumPy's order of a contiguous axis, in float32
  kPairwiseSquares = 1,  // of (x - mean)^2, each step in float32
  kInOrder = 2,          // one after the other, in float32, on top of `start`
  kInOrderSquares = 3,
  kWide = 4,  // in float64
  kWideSquares = 5,
  kMaximum = 6,  // NaN if there is one
  kLargest = 7,  // of |x|
};

/// Reduces `count` numbers to one. All but kPairwise and kPairwiseSquares begin with `start`.
double reduce_numbers(Reduction reduction, const float* x, std::size_t count, double mean, double start);

/// Adds factor * y to x, in place, in float32 steps.
void add_numbers(float* x, const float* y, std::size_t count, float factor);

/// Replaces each x[i] by x[i] - c x[i - 1], in place, in float32 steps. `before` stands for the number before the
/// first.
void emphasize_numbers(float* x, std::size_t count, float c, float before);

/// Multiplies x by a line from 1 down to 0, of which these are numbers `first` to `first + count` of `length`:
/// torch.linspace.
void fade_out(float* x, std::size_t count, std::size_t first, std::size_t length);

/// Makes torchaudio's deltas along a row: the slope over `half` frames on both sides, with the ends repeated.
void make_deltas(const float* x, std::size_t count, int half, float* to);

/// Transposes [rows, columns] to [columns, rows], with `stride` numbers between rows of the result. `count`: how many
/// numbers there are, because the last row may lack some. Squares of 4 by 4 are transposed: 4 times as fast as one
/// number after the other.
void flip_numbers(const float* from, std::ptrdiff_t count, int columns, float* to, int stride);

/// Makes one row between two, as torch's bilinear interpolation makes it on CPUs with fused multiply-add: first along
/// columns, from `columns` to `width`, then between the rows, of which the second has the weight `part`.
void blend_rows(const float* a, const float* b, float part, int columns, int width, float* to);

/// Multiplies [rows, size] by the transpose of [count, size], in float64 and rounded once: [rows, count].
void multiply_rows(const float* from, std::size_t rows, std::size_t size, const double* table, std::size_t count,
                   float* to);

/// x / y, or x where y is nearly 0.
void divide_numbers(const double* x, const double* y, std::size_t count, float* to);

/// The mean over channels as NumPy makes it over interleaved samples: a float32 sum, then a division. Channel c begins
/// c * stride after `from`.
void mean_of_channels(const float* from, int channels, std::size_t stride, std::size_t count, float* to);
/// The same in float64.
void mean_of_wide_channels(const double* from, int channels, std::size_t stride, std::size_t count, double* to);

/// torch.randn of a CPU generator: MT19937, 24 bits a number, Box-Muller on blocks of 16.
class Normals {
 public:
  void seed(std::uint32_t seed);
  /// Writes `count` normals, a multiple of 16.
  void fill(float* to, std::size_t count);
  /// Draws the numbers that torch draws for a rest below 16, without use.
  void skip(std::size_t count);

 private:
  double next();
  std::uint32_t state_[624];
  int at_ = 624;
};

}  // namespace layout
