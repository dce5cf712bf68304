#pragma once

#include <cstddef>
#include <cstdint>

#include "elementary/pairs.h"

namespace layout {

/// How the mean of a frame is taken off.
enum class Offset : int {
  kKept = 0,
  /// In float64, by NumPy's pairwise sum.
  kFloat64 = 1,
  /// In float32, of a mean in float64: torchaudio's Kaldi.
  kFloat32 = 2,
};

/// How x[i] - c x[i - 1] begins, and in which type it is computed.
enum class Emphasis : int {
  kNone = 0,
  /// (1 - c) x[0], in float64: audio_utils.
  kFloat64 = 1,
  /// x[0] - c x[0], in float32: torchaudio's Kaldi.
  kFloat32 = 2,
  /// (1 - c) x[0], in float32, where 1 - c is rounded once: Gemma's HTK flavor.
  kHtk = 3,
  /// Begins at x[1], in float32: Gemma's other flavor. Reads one sample more than a frame has.
  kNext = 4,
};

/// The result of a bin (re, im).
enum class Energy : int {
  kComplex = 0,  // re and im as they are, side by side
  kPower = 1,    // re^2 + im^2
  kMagnitude = 2,
  kExponent = 3,     // the magnitude to a power
  kNumpyAbs = 4,     // NumPy's float32 abs on CPUs with fused multiply-add
  kAmplitude32 = 5,  // sqrt(re^2 + im^2 + energy_floor) in float32 steps
  kFloored = 6,      // sqrt(max(re^2 + im^2, energy_floor))
};

enum class Logarithm : int { kNone = 0, kLog = 1, kLog10 = 2, kDB = 3 };

/// A spectrogram, from samples to what is stored. js/engines/audio writes it: members without a value have their
/// initializer, or 0.
struct Spectrum {
  int frame_length, hop, fft_length;
  /// Samples are multiplied with this first, in float32. 1 changes nothing.
  float scale = 1;
  /// After the emphasis, in float32: 32768 for Phi-4.
  float late_scale = 1;
  Offset offset;
  Emphasis emphasis;
  double coefficient;
  /// Whether the product with the window is rounded to float32.
  bool narrow_window;
  /// Whether bins are rounded to complex64.
  bool narrow_bins;
  bool onesided = true;
  Energy energy = Energy::kPower;
  double exponent = 1, energy_floor;
  /// Whether the sum is max(floor, sum), or sum + floor.
  bool adds_floor;
  double floor;
  /// The sum's factor before the logarithm.
  double gain = 1;
  Logarithm logarithm;
  /// Decibels: factor * (log10(max(sum, least)) - reference).
  double factor = 1, least, reference;
  /// Whether results are float64 instead of float32.
  bool wide;
  int filters;  // 0: the bins themselves

  const double* window;       // frame_length
  const double* twiddles;     // of fft_length
  const std::int32_t* bands;  // a filter's first bin and how many it has
  const double* weights;      // of all filters, one after the other
  const double* means;        // null, or one a result that is taken off
  const double* deviations;   // null, or one a result that it is divided by
  Pair* data;                 // fft_length, or `width` where that is more
  Pair* scratch;              // likewise

  int bins() const { return onesided ? fft_length / 2 + 1 : fft_length; }
  /// How many results a frame has.
  int width() const { return filters > 0 ? filters : bins(); }
};

/// Writes the results of `count` frames of float32 or float64 samples to `to`, as float32, or float64 where they are
/// `wide`. Frame t begins t * hop samples after `samples`, and its result k goes to number t * `frame_stride` +
/// k * `number_stride`. Two frames are computed at once, each in its own lane of a Pair.
void make_frames(const Spectrum& spectrum, const float* samples, int count, void* to, std::ptrdiff_t frame_stride,
                 std::ptrdiff_t number_stride);
void make_frames(const Spectrum& spectrum, const double* samples, int count, void* to, std::ptrdiff_t frame_stride,
                 std::ptrdiff_t number_stride);

/// Does the inverse, istft: transforms each column of the complex float32 `bins` [fft_length / 2 + 1, count] back to a
/// frame, multiplies it by the window, and adds it to `sums`, t * hop numbers on for frame t. Adds the squares of the
/// window to `squares` likewise, for the caller to divide by. Both have (count - 1) * hop + fft_length numbers.
void overlap_frames(const Spectrum& spectrum, const float* bins, int count, double* sums, double* squares);

}  // namespace layout
