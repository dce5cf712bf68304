#pragma once

#include <cstddef>

#include "audio/pairs.h"

namespace layout {

/// The real Fourier transform of pocketfft, which np.fft is: its factors, twiddles and order of additions, so each lane
/// gives np.fft's own bits where the length has no prime factor above 5. Other lengths are equal to a few ulps.
class Fft {
 public:
  /// `length` from 1 to 2^24. `twiddles` has twiddle_count(length) numbers that make_twiddles wrote.
  Fft(int length, const double* twiddles);

  /// Transforms `length` pairs in `data`, with as many of scratch memory. The result is half-complex, re 0, re 1, im 1,
  /// re 2, ..., and lies in what is returned: `data` or `scratch`.
  Pair* run(Pair* data, Pair* scratch) const;

  static std::size_t twiddle_count(int length);
  /// Writes the twiddles. `scratch` has 2 * `length` numbers.
  static void make_twiddles(int length, double* scratch, double* twiddles);

 private:
  int length_;
  int count_ = 0;
  int factors_[24];
  const double* twiddles_end_;
};

}  // namespace layout
