#pragma once

#include <cstddef>

#include "elementary/pairs.h"

namespace layout {

// Half-complex numbers are re 0, re 1, im 1, re 2, im 2, ...: the bins of a real transform up to its middle.

/// Where re of a bin stands among half-complex numbers, and its im. Bin 0 and the middle one of an even length are
/// real: they have no im.
constexpr int re_place(int bin) { return bin > 0 ? 2 * bin - 1 : 0; }
constexpr int im_place(int bin) { return 2 * bin; }
constexpr bool has_im(int bin, int length) { return bin > 0 && 2 * bin < length; }

/// The real Fourier transform of pocketfft, which np.fft is: its factors, twiddles and order of additions, so each lane
/// gives np.fft's own bits where the length has no prime factor above 5. Other lengths are equal to a few ulps. Where a
/// prime factor is large, Bluestein's convolution takes the place of the sums, by pocketfft's rule: errors are then
/// within 2e-15 of the greatest bin.
class Fft {
 public:
  struct Root {
    double re, im;
  };
  /// More than any length up to 2^24 has.
  static constexpr int kMostFactors = 24;

  /// `length` from 1 to 2^24. `twiddles` has twiddle_count(length) numbers that make_twiddles wrote.
  Fft(int length, const double* twiddles);

  /// Transforms `length` pairs in `data`, with scratch_count(length) pairs of scratch memory. The result is
  /// half-complex and lies in the returned memory: `data` or `scratch`.
  Pair* run(Pair* data, Pair* scratch) const;

  /// How many numbers the twiddles of a transform have, with the tables of Bluestein's convolution where it has one.
  static std::size_t twiddle_count(int length);
  /// How many pairs of scratch memory `run` needs: `length`, or two memories of the convolution.
  static std::size_t scratch_count(int length);
  /// Writes the twiddles. `scratch` has two pairs more than scratch_count(length).
  static void make_twiddles(int length, Pair* scratch, double* twiddles);

 private:
  /// Runs the stages of `padded_`, from one memory to the other and back. Returns the one that has the result.
  Pair* run_stages(Pair* data, Pair* scratch) const;
  /// Does `run` by Bluestein's convolution. The result lies in `data`.
  Pair* convolve(Pair* data, Pair* scratch) const;

  int length_;
  int padded_;  // the length of the stages: that of the convolution, or `length_`
  int count_ = 0;
  int factors_[kMostFactors];
  // Bluestein's tables lie after the twiddles, where there is a convolution: cos and sin of pi k^2 / length, and the
  // spectrum of the convolution with them, which is even: a real number for re, and one for im.
  const double* twiddles_end_;
};

}  // namespace layout
