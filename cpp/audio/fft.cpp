// audio/fft.h says what these functions do.

#include "audio/fft.h"

#include <algorithm>
#include <utility>

#include "audio/radix.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

/// 4 as often as it goes, then one 2 that changes places with the first 4, then the odd factors upwards.
int factorize(int length, int* factors) {
  int count = 0, rest = length;
  for (; rest % 4 == 0; rest /= 4) factors[count++] = 4;
  if (rest % 2 == 0) {
    rest /= 2;
    factors[count++] = 2;
    std::swap(factors[0], factors[count - 1]);
  }
  for (int prime = 3; prime * prime <= rest; prime += 2) {
    for (; rest % prime == 0; rest /= prime) factors[count++] = prime;
  }
  if (rest > 1) factors[count++] = rest;
  return count;
}

/// cos and sin of 2 pi x / n for x < n, by the octant of the angle.
void point(std::int64_t x, std::int64_t n, double angle, double& re, double& im) {
  x *= 8;
  const bool below = x >= 4 * n;
  if (below) x = 8 * n - x;
  const bool second = x >= 2 * n;
  if (second) x -= 2 * n;
  const double near = static_cast<double>(x < n ? x : 2 * n - x) * angle;
  re = x < n ? cosine(near) : sine(near);
  im = x < n ? sine(near) : cosine(near);
  if (second) {
    const double kept = re;
    re = -im;
    im = kept;
  }
  if (below) im = -im;
}

/// pocketfft's guess.
double cost_of(int length) {
  int factors[24];
  double sum = 0;
  for (int k = factorize(length, factors) - 1; k >= 0; --k) sum += factors[k] > 5 ? 1.1 * factors[k] : factors[k];
  return sum * length;
}

/// The first length from `least` on without a prime factor above 5.
int smooth_from(int least) {
  for (int length = least;; ++length) {
    int rest = length;
    for (const int prime : {2, 3, 5}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return length;
  }
}

/// The length of the convolution, or that of the transform where its stages are cheaper.
int padded_length(int length) {
  if (length < 50) return length;
  int factors[24];
  const std::int64_t largest = factors[factorize(length, factors) - 1];
  if (largest * largest <= length) return length;
  const int padded = smooth_from(2 * length - 1);
  return 6 * cost_of(padded) < cost_of(length) ? padded : length;
}

std::size_t stage_twiddles(int length) {
  int factors[24];
  const int count = factorize(length, factors);
  std::size_t sum = 0;
  int l1 = 1;
  for (int k = 0; k < count; ++k) {
    const int ido = length / (l1 * factors[k]);
    sum += static_cast<std::size_t>(factors[k] - 1) * static_cast<std::size_t>(ido - 1);
    if (factors[k] > 5) sum += 2 * static_cast<std::size_t>(factors[k]);
    l1 *= factors[k];
  }
  return sum;
}

void make_stage_twiddles(int length, double* scratch, double* twiddles) {
  // As pocketfft: a table of products of two short tables.
  const double angle = quarter_pi_over(length);
  const int half = (length + 2) / 2;
  int shift = 1;
  while ((1 << 2 * shift) < half) ++shift;
  const int mask = (1 << shift) - 1;
  double* low = scratch;
  double* high = low + 2 * (mask + 1);
  low[0] = high[0] = 1;
  low[1] = high[1] = 0;
  for (int i = 1; i <= mask && i < length; ++i) point(i, length, angle, low[2 * i], low[2 * i + 1]);
  for (int i = 1; i <= (half - 1) >> shift; ++i) {
    point(static_cast<std::int64_t>(i) << shift, length, angle, high[2 * i], high[2 * i + 1]);
  }
  const auto root = [&](std::int64_t index, double* to) {
    const bool mirrored = 2 * index > length;
    const auto j = static_cast<int>(mirrored ? length - index : index);
    const double* a = low + 2 * (j & mask);
    const double* b = high + 2 * (j >> shift);
    to[0] = a[0] * b[0] - a[1] * b[1];
    to[1] = a[0] * b[1] + a[1] * b[0];
    if (mirrored) to[1] = -to[1];
  };
  int factors[24];
  const int count = factorize(length, factors);
  int l1 = 1;
  for (int k = 0; k < count; ++k) {
    const int p = factors[k], ido = length / (l1 * p);
    for (int j = 1; j < p; ++j) {
      for (int i = 1; i <= (ido - 1) / 2; ++i) {
        root(static_cast<std::int64_t>(j) * l1 * i, twiddles + (j - 1) * (ido - 1) + 2 * i - 2);
      }
    }
    twiddles += (p - 1) * (ido - 1);
    if (p > 5) {
      for (int q = 0; q < p; ++q) root(static_cast<std::int64_t>(q) * (length / p), twiddles + 2 * q);
      twiddles += 2 * p;
    }
    l1 *= p;
  }
}

/// Bluestein's tables behind the twiddles: cos and sin of pi k^2 / length, then of their convolution's spectrum, which
/// is even, so real, two numbers a bin.
std::size_t chirp_count(int length) { return 2 * static_cast<std::size_t>(length); }
std::size_t spectrum_count(int padded) { return 2 * (static_cast<std::size_t>(padded) / 2 + 1); }

Pair swapped(Pair x) { return Pair{x[1], x[0]}; }

}  // namespace

Fft::Fft(int length, const double* twiddles)
    : length_(length),
      padded_(padded_length(length)),
      count_(factorize(padded_, factors_)),
      twiddles_end_(twiddles + stage_twiddles(padded_)) {}

std::size_t Fft::twiddle_count(int length) {
  const int padded = padded_length(length);
  return stage_twiddles(padded) + (padded == length ? 0 : chirp_count(length) + spectrum_count(padded));
}

std::size_t Fft::scratch_count(int length) {
  const int padded = padded_length(length);
  return static_cast<std::size_t>(padded) * (padded == length ? 1 : 2);
}

void Fft::make_twiddles(int length, Pair* scratch, double* twiddles) {
  const int padded = padded_length(length);
  make_stage_twiddles(padded, reinterpret_cast<double*>(scratch), twiddles);
  if (padded == length) return;
  double* chirp = twiddles + stage_twiddles(padded);
  double* spectrum = chirp + chirp_count(length);
  const double angle = quarter_pi_over(2 * length);
  std::fill(scratch, scratch + padded, splat(0));
  for (std::int64_t k = 0; k < length; ++k) {
    point(k * k % (2 * length), 2 * length, angle, chirp[2 * k], chirp[2 * k + 1]);
    scratch[k] = scratch[k > 0 ? padded - k : 0] = Pair{chirp[2 * k], chirp[2 * k + 1]};
  }
  const Pair* bins = Fft(length, twiddles).run_stages(scratch, scratch + padded);
  for (int k = 0; 2 * k <= padded; ++k) {
    const Pair bin = bins[k > 0 ? 2 * k - 1 : 0] / splat(padded);
    spectrum[2 * k] = bin[0];
    spectrum[2 * k + 1] = bin[1];
  }
}

Pair* Fft::run(Pair* data, Pair* scratch) const {
  return padded_ == length_ ? run_stages(data, scratch) : convolve(data, scratch);
}

Pair* Fft::convolve(Pair* data, Pair* scratch) const {
  const double* chirp = twiddles_end_;
  const double* spectrum = chirp + chirp_count(length_);
  // Stages go from one of both to the other and back.
  Pair *const front = scratch, *const back = scratch + padded_;
  // A frame at a time: the lanes are re and im.
  for (int lane = 0; lane < 2; ++lane) {
    std::fill(front + length_, front + padded_, splat(0));
    for (int k = 0; k < length_; ++k) front[k] = data[k][lane] * Pair{chirp[2 * k], -chirp[2 * k + 1]};
    Pair* bins = run_stages(front, back);
    Pair* sums = bins == front ? back : front;
    // The way back is a transform of re + im, as in overlap_frames.
    for (int k = 0; 2 * k <= padded_; ++k) {
      const double* by = spectrum + 2 * k;
      const auto product = [&](Pair x) { return x * splat(by[0]) + swapped(x) * Pair{-by[1], by[1]}; };
      const Pair re = product(bins[k > 0 ? 2 * k - 1 : 0]);
      const Pair im = k > 0 && 2 * k < padded_ ? product(bins[2 * k]) : splat(0);
      sums[k] = re + im;
      if (k > 0 && 2 * k < padded_) sums[padded_ - k] = re - im;
    }
    const Pair* h = run_stages(sums, bins);
    for (int k = 0; 2 * k <= length_; ++k) {
      const Pair sum = k > 0 ? h[2 * k - 1] + h[2 * k] : h[0];
      const double re = chirp[2 * k], im = chirp[2 * k + 1];
      data[k > 0 ? 2 * k - 1 : 0][lane] = sum[0] * re + sum[1] * im;
      if (k > 0 && 2 * k < length_) data[2 * k][lane] = sum[1] * re - sum[0] * im;
    }
  }
  return data;
}

Pair* Fft::run_stages(Pair* data, Pair* scratch) const {
  // The twiddles of the last factor come first here, and the table holds them last.
  const double* twiddles = twiddles_end_;
  int l1 = padded_;
  for (int k = count_ - 1; k >= 0; --k) {
    const int p = factors_[k], ido = padded_ / l1;
    l1 /= p;
    const double* roots = twiddles -= p > 5 ? 2 * p : 0;
    twiddles -= (p - 1) * (ido - 1);
    const Stage stage{ido, l1, data, scratch, twiddles};
    run_stage(p, stage, roots);
    std::swap(data, scratch);
  }
  return data;
}

}  // namespace layout
