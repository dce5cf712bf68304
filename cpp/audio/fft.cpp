// audio/fft.h says what these functions do.

#include "audio/fft.h"

#include <algorithm>
#include <utility>

#include "audio/radix.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

/// Factorizes a length in pocketfft's order: 4 as often as it goes, then one 2 that changes places with the first 4,
/// then the odd factors upwards. Returns how many factors there are: below 24, the room in `factors`, for any length up
/// to 2^24.
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

using Root = Fft::Root;

/// Computes cos and sin of 2 pi x / n for 0 <= x < n. `angle` is pi / 4 / n. Both are computed in the first octant
/// and then mirrored to the octant of x, as pocketfft does.
Root root_of(std::int64_t x, std::int64_t n, double angle) {
  x *= 8;  // in units of `angle`: an octant has n of them, the circle 8 n
  const bool below = x >= 4 * n;
  if (below) x = 8 * n - x;
  const bool second = x >= 2 * n;
  if (second) x -= 2 * n;
  const double near = static_cast<double>(x < n ? x : 2 * n - x) * angle;
  const Root first = x < n ? Root{cosine(near), sine(near)} : Root{sine(near), cosine(near)};
  const Root root = second ? Root{-first.im, first.re} : first;
  return {root.re, below ? -root.im : root.im};
}

/// pocketfft's guess of the cost of a transform: the length times the sum of its factors, of which those above 5 count
/// 1.1 times.
double cost_of(int length) {
  int factors[24];
  double sum = 0;
  for (int k = factorize(length, factors) - 1; k >= 0; --k) sum += factors[k] > 5 ? 1.1 * factors[k] : factors[k];
  return sum * length;
}

/// Finds the first length from `least` on without a prime factor above 5. (pocketfft also takes 7 and 11, for which
/// there are no fast stages here.)
int smooth_from(int least) {
  for (int length = least;; ++length) {
    int rest = length;
    for (const int prime : {2, 3, 5}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return length;
  }
}

/// Chooses the length of Bluestein's convolution, or `length` itself where its own stages are cheaper by pocketfft's
/// rule: below 50, without a prime factor above its square root, or where the padded stages cost a sixth of its own or
/// more. pocketfft compares two padded transforms, times 1.5 to be on the safe side, with half the cost of a complex
/// transform, hence 6. A convolution of `length` numbers needs 2 * length - 1.
int padded_length(int length) {
  if (length < 50) return length;
  int factors[24];
  const std::int64_t largest = factors[factorize(length, factors) - 1];
  if (largest * largest <= length) return length;
  const int padded = smooth_from(2 * length - 1);
  return 6 * cost_of(padded) < cost_of(length) ? padded : length;
}

/// Counts the numbers of the twiddles of all stages: (factor - 1) * (ido - 1) a stage, and cos and sin of each root of
/// a factor above 5. With pocketfft's names: `l1` is the product of the factors before, `ido` that of the factors
/// after. A transform of `ido` numbers has (ido - 1) / 2 bins with a twiddle, cos and sin each.
std::size_t count_stage_twiddles(int length) {
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

/// Writes the twiddles of all stages, in the order of their factors: those that count_stage_twiddles counts. `scratch`
/// has length + 2 pairs, a pair for each root of two tables.
void make_stage_twiddles(int length, Pair* scratch, double* twiddles) {
  // Two short tables of roots, as pocketfft has them: the first 2^shift roots, and every 2^shift-th of half the circle.
  // Each root is the product of one of either table. By `shift` both have about sqrt(half) roots.
  const double angle = quarter_pi_over(length);
  const int half = (length + 2) / 2;
  int shift = 1;
  while ((1 << 2 * shift) < half) ++shift;
  const int mask = (1 << shift) - 1;
  auto* low = reinterpret_cast<Root*>(scratch);
  Root* high = low + mask + 1;
  low[0] = high[0] = {1, 0};
  for (int i = 1; i <= mask && i < length; ++i) low[i] = root_of(i, length, angle);
  for (int i = 1; i <= (half - 1) >> shift; ++i)
    high[i] = root_of(static_cast<std::int64_t>(i) << shift, length, angle);
  // Writes cos and sin of 2 pi index / length.
  const auto write_root = [&](std::int64_t index, double* to) {
    const bool mirrored = 2 * index > length;
    const auto j = static_cast<int>(mirrored ? length - index : index);
    const Root &a = low[j & mask], &b = high[j >> shift];
    to[0] = a.re * b.re - a.im * b.im;
    to[1] = a.re * b.im + a.im * b.re;
    if (mirrored) to[1] = -to[1];
  };
  int factors[24];
  const int count = factorize(length, factors);
  int l1 = 1;
  for (int k = 0; k < count; ++k) {
    const int p = factors[k], ido = length / (l1 * p);
    for (int j = 1; j < p; ++j) {
      for (int i = 1; i <= (ido - 1) / 2; ++i) {  // where `ido` is even, the last number stays unused
        write_root(static_cast<std::int64_t>(j) * l1 * i, twiddles + (j - 1) * (ido - 1) + 2 * i - 2);
      }
    }
    twiddles += (p - 1) * (ido - 1);
    if (p > 5) {
      for (int q = 0; q < p; ++q) write_root(static_cast<std::int64_t>(q) * (length / p), twiddles + 2 * q);
      twiddles += 2 * p;
    }
    l1 *= p;
  }
}

/// The scratch memory of a convolution: stages go from one half to the other and back.
struct Halves {
  Pair *front, *back;
  Halves(Pair* scratch, int padded) : front(scratch), back(scratch + padded) {}
};

Pair swapped(Pair x) { return Pair{x[1], x[0]}; }

}  // namespace

Fft::Fft(int length, const double* twiddles)
    : length_(length),
      padded_(padded_length(length)),
      count_(factorize(padded_, factors_)),
      twiddles_end_(twiddles + count_stage_twiddles(padded_)) {}

std::size_t Fft::twiddle_count(int length) {
  // Bluestein's tables have a root, two numbers, for each of `length` places of the chirp and for each bin of the lower
  // half of its spectrum, 0 to padded / 2.
  const int padded = padded_length(length), roots = padded == length ? 0 : length + padded / 2 + 1;
  return count_stage_twiddles(padded) + 2 * static_cast<std::size_t>(roots);
}

std::size_t Fft::scratch_count(int length) {
  const int padded = padded_length(length);
  return static_cast<std::size_t>(padded) * (padded == length ? 1 : 2);
}

void Fft::make_twiddles(int length, Pair* scratch, double* twiddles) {
  const int padded = padded_length(length);
  make_stage_twiddles(padded, scratch, twiddles);
  if (padded == length) return;
  // Bluestein's tables. The chirp, cos and sin of pi k^2 / length, which are roots of 2 * length, is laid around index
  // 0, and its two parts are the lanes of one real transform.
  auto* chirp = reinterpret_cast<Root*>(twiddles + count_stage_twiddles(padded));
  Root* spectrum = chirp + length;
  const double angle = quarter_pi_over(2 * length);
  const Halves halves(scratch, padded);
  std::fill_n(halves.front, padded, splat(0));
  for (std::int64_t k = 0; k < length; ++k) {
    chirp[k] = root_of(k * k % (2 * length), 2 * length, angle);
    halves.front[k] = halves.front[k > 0 ? padded - k : 0] = Pair{chirp[k].re, chirp[k].im};
  }
  const Pair* bins = Fft(length, twiddles).run_stages(halves.front, halves.back);
  for (int k = 0; 2 * k <= padded; ++k) {
    // The chirp around 0 is even, so its bins are real. They are divided here for the way back of the convolution.
    const Pair bin = bins[k > 0 ? 2 * k - 1 : 0] / splat(padded);
    spectrum[k] = {bin[0], bin[1]};
  }
}

Pair* Fft::run(Pair* data, Pair* scratch) const {
  return padded_ == length_ ? run_stages(data, scratch) : convolve(data, scratch);
}

// Bluestein's transform: with the chirp c, bin k is conj(c[k]) times the convolution of x * conj(c) with c.
Pair* Fft::convolve(Pair* data, Pair* scratch) const {
  const auto [front, back] = Halves(scratch, padded_);
  const auto* chirp = reinterpret_cast<const Root*>(twiddles_end_);
  const Root* spectrum = chirp + length_;
  // A frame at a time: the lanes are re and im.
  for (int lane = 0; lane < 2; ++lane) {
    // x * conj(c), then zeros, and its transform.
    std::fill(front + length_, front + padded_, splat(0));
    for (int k = 0; k < length_; ++k) front[k] = data[k][lane] * Pair{chirp[k].re, -chirp[k].im};
    Pair* bins = run_stages(front, back);
    Pair* sums = bins == front ? back : front;
    // Times the spectrum of c, for re and im of the frame, the lanes. The way back is a forward transform H of re + im
    // of all bins: number i of the convolution is Re H[i] + Im H[i], because this transform, Hartley's, is its own
    // inverse. Bins above the middle are conjugates, of which re - im is the sum.
    for (int k = 0; 2 * k <= padded_; ++k) {
      const Root by = spectrum[k];
      const auto product = [&](Pair x) { return x * splat(by.re) + swapped(x) * Pair{-by.im, by.im}; };
      const Pair re = product(bins[k > 0 ? 2 * k - 1 : 0]);
      const Pair im = k > 0 && 2 * k < padded_ ? product(bins[2 * k]) : splat(0);
      sums[k] = re + im;
      if (k > 0 && 2 * k < padded_) sums[padded_ - k] = re - im;
    }
    // Times conj(c), as half-complex numbers of this frame's lane.
    const Pair* h = run_stages(sums, bins);
    for (int k = 0; 2 * k <= length_; ++k) {
      const Pair sum = k > 0 ? h[2 * k - 1] + h[2 * k] : h[0];
      const auto [re, im] = chirp[k];
      data[k > 0 ? 2 * k - 1 : 0][lane] = sum[0] * re + sum[1] * im;
      if (k > 0 && 2 * k < length_) data[2 * k][lane] = sum[1] * re - sum[0] * im;
    }
  }
  return data;
}

Pair* Fft::run_stages(Pair* data, Pair* scratch) const {
  // The stages run from the last factor to the first, so the twiddles are read from their end.
  const double* twiddles = twiddles_end_;
  int l1 = padded_;  // how many transforms a stage makes, of p times `ido` numbers each
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
