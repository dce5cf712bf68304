// The inverse of spectrograms: audio/frames.h says what overlap_frames does.

#include "audio/fft.h"
#include "audio/frames.h"

namespace layout {

namespace {

/// Complex float32 bins [bins, count] of `count` frames.
struct ComplexBins {
  const float* bins;
  int count;
  /// Of bin k of frames t and t + 1; the latter is 0 past the last frame.
  Pair re(int k, int t) const { return part_of(k, t, 0); }
  Pair im(int k, int t) const { return part_of(k, t, 1); }

 private:
  Pair part_of(int k, int t, int part) const {
    const std::ptrdiff_t bin = std::ptrdiff_t{k} * count + t;
    const float* number = bins + 2 * bin + part;
    const bool is_last = t + 1 == count;
    return Pair{static_cast<double>(number[0]), is_last ? 0 : static_cast<double>(number[2])};
  }
};

/// Writes re + im of all bins of frames t and t + 1 to `to`, `length` pairs. Bins above the middle are conjugates, of
/// which re - im is the sum.
void write_hartley_input(const ComplexBins& from, int t, int length, Pair* to) {
  for (int k = 0; k <= length / 2; ++k) {
    const Pair re = from.re(k, t), im = has_im(k, length) ? from.im(k, t) : splat(0);
    to[k] = re + im;
    if (k > 0) to[length - k] = 2 * k == length ? re : re - im;
  }
}

/// Calls add(i, n * sample i) for each sample of a frame of n. `h` is H, the forward transform of what
/// write_hartley_input wrote. It inverts, as Hartley's transform is its own inverse: n times sample i is Re H[i] +
/// Im H[i], n times sample n - i is Re H[i] - Im H[i].
template <typename Add>
void each_sample(const Pair* h, int n, const Add& add) {
  add(0, h[0]);
  for (int i = 1; has_im(i, n); ++i) {
    const Pair re = h[re_place(i)], im = h[im_place(i)];
    add(i, re + im);
    add(n - i, re - im);
  }
  if (n % 2 == 0) add(n / 2, h[re_place(n / 2)]);
}

}  // namespace

/// Transforms columns of bins back to frames, two at once, and adds these to the sums.
void overlap_frames(const Spectrum& s, const float* bins, int count, double* sums, double* squares) {
  const int n = s.fft_length;
  const Fft fft(n, s.twiddles);
  for (int t = 0; t < count; t += 2) {
    write_hartley_input({bins, count}, t, n, s.data);
    const Pair* h = fft.run(s.data, s.scratch);
    each_sample(h, n, [&](int i, Pair sample) {
      const double weight = s.window[i];
      for (int lane = 0; lane < 2 && t + lane < count; ++lane) {
        const std::ptrdiff_t at = std::ptrdiff_t{t + lane} * s.hop + i;
        sums[at] += sample[lane] * weight / n;
        squares[at] += weight * weight;
      }
    });
  }
}

}  // namespace layout
