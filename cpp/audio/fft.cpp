#include "audio/fft.h"

#include <utility>

#include "audio/elementary.h"
#include "audio/radix.h"

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

}  // namespace

Fft::Fft(int length, const double* twiddles) : length_(length), twiddles_end_(twiddles + twiddle_count(length)) {
  count_ = factorize(length, factors_);
}

std::size_t Fft::twiddle_count(int length) {
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

void Fft::make_twiddles(int length, double* scratch, double* twiddles) {
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

Pair* Fft::run(Pair* data, Pair* scratch) const {
  // The twiddles of the last factor come first here, and the table holds them last.
  const double* twiddles = twiddles_end_;
  int l1 = length_;
  for (int k = count_ - 1; k >= 0; --k) {
    const int p = factors_[k], ido = length_ / l1;
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
