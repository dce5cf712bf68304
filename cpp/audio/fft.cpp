// audio/fft.h says what these functions do.

#include "audio/fft.h"

#include <algorithm>
#include <utility>

#include "audio/radix.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

using Root = Fft::Root;

/// Factorizes a length in pocketfft's order: 4 as often as it goes, then one 2 that changes places with the first 4,
/// then the odd factors upwards. Returns how many factors there are, at most kMostFactors.
int factorize(int length, int* factors) {
  int count = 0, rest = length;
  const auto divide_by = [&](int factor) {
    factors[count++] = factor;
    rest /= factor;
  };
  while (rest % 4 == 0) divide_by(4);
  if (rest % 2 == 0) {
    divide_by(2);
    std::swap(factors[0], factors[count - 1]);
  }
  for (int prime = 3; prime * prime <= rest; prime += 2) {
    while (rest % prime == 0) divide_by(prime);
  }
  if (rest > 1) divide_by(rest);
  return count;
}

/// Whether a factor has a fast stage of its own (radix.h): of the others, a stage reads a table of roots.
bool is_fast(int factor) { return factor <= 5; }

/// Computes cos and sin of 2 pi x / n for 0 <= x < n. `angle` is pi / 4 / n. Both are computed in the first octant
/// and then mirrored to the octant of x, as pocketfft does.
Root root_of(std::int64_t x, std::int64_t n, double angle) {
  // Places on the circle, in units of `angle`.
  const std::int64_t octant = n, quarter = 2 * n, half = 4 * n, circle = 8 * n;
  std::int64_t place = 8 * x;
  const bool is_below = place >= half;
  if (is_below) place = circle - place;
  const bool is_left = place >= quarter;
  if (is_left) place -= quarter;
  const bool is_steep = place >= octant;
  const double near = static_cast<double>(is_steep ? quarter - place : place) * angle;
  const Root right = is_steep ? Root{sine(near), cosine(near)} : Root{cosine(near), sine(near)};
  const Root above = is_left ? Root{-right.im, right.re} : right;
  return {above.re, is_below ? -above.im : above.im};
}

/// pocketfft's guess of the cost of a transform: the length times the sum of its factors, of which those that are not
/// fast count 1.1 times.
double cost_of(int length) {
  int factors[Fft::kMostFactors];
  double sum = 0;
  for (int k = factorize(length, factors) - 1; k >= 0; --k) sum += is_fast(factors[k]) ? factors[k] : 1.1 * factors[k];
  return sum * length;
}

/// Finds the first length from `least` on without a prime factor above 5 (pocketfft also has fast stages of 7 and 11).
int smooth_from(int least) {
  for (int length = least;; ++length) {
    int rest = length;
    for (const int prime : {2, 3, 5}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return length;
  }
}

/// The greatest prime factor; of a power of 2, 4 or 2.
std::int64_t largest_factor(int length) {
  int factors[Fft::kMostFactors];
  return factors[factorize(length, factors) - 1];
}

/// Chooses the length of Bluestein's convolution, or `length` itself where its own stages are cheaper, by the rule of
/// pocketfft's class pocketfft_r.
int padded_length(int length) {
  constexpr int kLeastConvolved = 50;
  if (length < kLeastConvolved) return length;
  const std::int64_t largest = largest_factor(length);
  if (largest * largest <= length) return length;
  const int padded = smooth_from(2 * length - 1);  // `length` numbers, convolved with as many, are 2 * length - 1
  const double own_cost = 0.5 * cost_of(length);   // a real transform is half of a complex one
  // Two transforms, there and back; the factor is pocketfft's.
  const double convolution_cost = 1.5 * (2 * cost_of(padded));
  return convolution_cost < own_cost ? padded : length;
}

/// Calls use(p, l1, ido) for the stage of each factor p of a length. With pocketfft's names: `l1` is the product of the
/// factors before, `ido` that of the factors after.
template <typename Use>
void each_stage(int length, const Use& use) {
  int factors[Fft::kMostFactors];
  const int count = factorize(length, factors);
  int l1 = 1;
  for (int k = 0; k < count; ++k) {
    const int p = factors[k];
    use(p, l1, length / (l1 * p));
    l1 *= p;
  }
}

/// How many numbers the twiddles of a stage have, without its roots: of each of p - 1 lists, cos and sin of the
/// (ido - 1) / 2 bins of `ido` numbers that have a twiddle, and an unused one where `ido` is even.
int list_numbers(int p, int ido) { return (p - 1) * (ido - 1); }

/// How many numbers the roots of a stage have: cos and sin each.
int root_numbers(int p) { return is_fast(p) ? 0 : 2 * p; }

/// Counts the numbers of the twiddles of all stages.
std::size_t count_stage_twiddles(int length) {
  std::size_t sum = 0;
  each_stage(length, [&](int p, int, int ido) {
    sum += static_cast<std::size_t>(list_numbers(p, ido)) + static_cast<std::size_t>(root_numbers(p));
  });
  return sum;
}

/// The roots of a length by two short tables, as pocketfft has them: the first 2^bits roots (fine), and every 2^bits-th
/// one of half the circle (coarse). Each root is the product of one of either table. By `fine_bits_` both have about
/// sqrt(length / 2) roots.
class RootTables {
 public:
  /// Makes the tables in `memory`, which has room for length + 2 roots. A length of 1 has 3; long ones need far fewer.
  RootTables(int length, Pair* memory) : length_(length) {
    const double angle = quarter_pi_over(length);
    const int upper_count = (length + 2) / 2;  // roots of the upper half circle; the lower ones are their conjugates
    while ((1 << 2 * fine_bits_) < upper_count) ++fine_bits_;
    const int fine_count = 1 << fine_bits_, coarse_count = ((upper_count - 1) >> fine_bits_) + 1;
    fine_roots_ = reinterpret_cast<Root*>(memory);
    coarse_roots_ = fine_roots_ + fine_count;
    fine_roots_[0] = coarse_roots_[0] = {1, 0};
    for (int i = 1; i < fine_count && i < length; ++i) fine_roots_[i] = root_of(i, length, angle);
    for (int i = 1; i < coarse_count; ++i)
      coarse_roots_[i] = root_of(static_cast<std::int64_t>(i) << fine_bits_, length, angle);
  }

  /// Writes cos and sin of 2 pi index / length.
  void write(std::int64_t index, double* to) const {
    const bool is_lower = 2 * index > length_;  // half of the circle
    const auto upper_index = static_cast<int>(is_lower ? length_ - index : index);
    const Root& fine = fine_roots_[upper_index & ((1 << fine_bits_) - 1)];
    const Root& coarse = coarse_roots_[upper_index >> fine_bits_];
    const double im = fine.re * coarse.im + fine.im * coarse.re;
    to[0] = fine.re * coarse.re - fine.im * coarse.im;
    to[1] = is_lower ? -im : im;
  }

 private:
  int length_;
  int fine_bits_ = 1;
  Root *fine_roots_, *coarse_roots_;
};

/// Writes the twiddles of all stages, in the order of their factors: those that count_stage_twiddles counts. `scratch`
/// has length + 2 pairs.
void make_stage_twiddles(int length, Pair* scratch, double* twiddles) {
  const RootTables roots(length, scratch);
  each_stage(length, [&](int p, int l1, int ido) {
    for (int j = 1; j < p; ++j) {
      double* list = twiddles + (j - 1) * (ido - 1);
      for (int bin = 1; bin <= (ido - 1) / 2; ++bin) {
        roots.write(static_cast<std::int64_t>(j) * l1 * bin, list + 2 * (bin - 1));
      }
    }
    twiddles += list_numbers(p, ido);
    if (!is_fast(p)) {
      for (int q = 0; q < p; ++q) roots.write(static_cast<std::int64_t>(q) * (length / p), twiddles + 2 * q);
    }
    twiddles += root_numbers(p);
  });
}

Pair swapped(Pair x) { return Pair{x[1], x[0]}; }

/// Bluestein's transform of `length` numbers x: with the chirp c, bin k is conj(c[k]) times number k of the convolution
/// of x * conj(c) with c. Its tables, and the steps around the two transforms of `padded` numbers. Each takes one
/// frame, a lane of `data`; in between, the lanes are re and im of that frame.
struct Bluestein {
  int length, padded;
  const Root* chirp;     // `length`
  const Root* spectrum;  // of the chirp, up to its middle bin

  /// Writes x * conj(c), then zeros.
  void write_products(const Pair* data, int lane, Pair* to) const {
    std::fill(to + length, to + padded, splat(0));
    for (int k = 0; k < length; ++k) to[k] = data[k][lane] * Pair{chirp[k].re, -chirp[k].im};
  }

  /// Multiplies half-complex bins by the spectrum of c, and writes re + im of each product. The way back is a forward
  /// transform H of these: number i of the convolution is Re H[i] + Im H[i], because this transform, Hartley's, is its
  /// own inverse. Bins above the middle are conjugates, of which re - im is the sum.
  void multiply_bins(const Pair* bins, Pair* sums) const {
    for (int k = 0; 2 * k <= padded; ++k) {
      const Root factor = spectrum[k];
      const auto product = [&](Pair x) { return x * splat(factor.re) + swapped(x) * Pair{-factor.im, factor.im}; };
      const Pair re = product(bins[re_place(k)]);
      const Pair im = has_im(k, padded) ? product(bins[im_place(k)]) : splat(0);
      sums[k] = re + im;
      if (has_im(k, padded)) sums[padded - k] = re - im;
    }
  }

  /// Writes the convolution times conj(c) as half-complex numbers of this frame's lane. `h` is H, half-complex itself.
  void write_bins(const Pair* h, int lane, Pair* data) const {
    for (int k = 0; 2 * k <= length; ++k) {
      const Pair sum = k > 0 ? h[re_place(k)] + h[im_place(k)] : h[0];
      const auto [re, im] = chirp[k];
      data[re_place(k)][lane] = sum[0] * re + sum[1] * im;
      if (has_im(k, length)) data[im_place(k)][lane] = sum[1] * re - sum[0] * im;
    }
  }
};

}  // namespace

Fft::Fft(int length, const double* twiddles)
    : length_(length),
      padded_(padded_length(length)),
      count_(factorize(padded_, factors_)),
      twiddles_end_(twiddles + count_stage_twiddles(padded_)) {}

std::size_t Fft::twiddle_count(int length) {
  const int padded = padded_length(length);
  const int chirp = length, spectrum = padded / 2 + 1;  // the roots of Bluestein's tables, two numbers each
  const int roots = padded == length ? 0 : chirp + spectrum;
  return count_stage_twiddles(padded) + 2 * static_cast<std::size_t>(roots);
}

std::size_t Fft::scratch_count(int length) {
  const int padded = padded_length(length);
  const std::size_t memories = padded == length ? 1 : 2;
  return static_cast<std::size_t>(padded) * memories;
}

/// Writes the twiddles of all stages, then Bluestein's tables where there is a convolution.
void Fft::make_twiddles(int length, Pair* scratch, double* twiddles) {
  const int padded = padded_length(length);
  make_stage_twiddles(padded, scratch, twiddles);
  if (padded == length) return;
  // The chirp, cos and sin of pi k^2 / length, is root k^2 of 2 * length. It is laid around index 0, so that index
  // padded - k mirrors index k. Its cosines and its sines are the two lanes of one real transform.
  auto* chirp = reinterpret_cast<Root*>(twiddles + count_stage_twiddles(padded));
  Root* spectrum = chirp + length;
  const double angle = quarter_pi_over(2 * length);
  Pair *front = scratch, *back = scratch + padded;
  std::fill_n(front, padded, splat(0));
  for (std::int64_t k = 0; k < length; ++k) {
    chirp[k] = root_of(k * k % (2 * length), 2 * length, angle);
    const std::int64_t mirrored = k > 0 ? padded - k : 0;
    front[k] = front[mirrored] = Pair{chirp[k].re, chirp[k].im};
  }
  const Pair* bins = Fft(length, twiddles).run_stages(front, back);
  for (int k = 0; 2 * k <= padded; ++k) {
    // The chirp around 0 is even, so its bins are real. They are divided here for the way back of the convolution.
    const Pair bin = bins[re_place(k)] / splat(padded);
    spectrum[k] = {bin[0], bin[1]};
  }
}

Pair* Fft::run(Pair* data, Pair* scratch) const {
  return padded_ == length_ ? run_stages(data, scratch) : convolve(data, scratch);
}

/// Transforms one lane of `data` after the other, in the two halves of `scratch`.
Pair* Fft::convolve(Pair* data, Pair* scratch) const {
  Pair *front = scratch, *back = scratch + padded_;
  const auto* chirp = reinterpret_cast<const Root*>(twiddles_end_);
  const Root* spectrum = chirp + length_;
  const Bluestein bluestein{length_, padded_, chirp, spectrum};
  for (int lane = 0; lane < 2; ++lane) {
    bluestein.write_products(data, lane, front);
    Pair* bins = run_stages(front, back);
    Pair* sums = bins == front ? back : front;
    bluestein.multiply_bins(bins, sums);
    bluestein.write_bins(run_stages(sums, bins), lane, data);
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
    const double* roots = twiddles - root_numbers(p);
    const double* lists = roots - list_numbers(p, ido);
    run_stage(p, {ido, l1, data, scratch, lists}, roots);
    twiddles = lists;
    std::swap(data, scratch);
  }
  return data;
}

}  // namespace layout
