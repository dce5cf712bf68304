// audio/energies.h says what these functions do.

#include "audio/energies.h"

#include "audio/fft.h"
#include "elementary/elementary.h"

namespace layout {

Pair fused_float32(Pair a, Pair b, Pair c) {
  // The product is exact in float64. The sum is rounded to odd, so that rounding it again gives the nearest float32.
  const Pair exact = a * b;
  const Pair sum = exact + c, added = sum - exact;
  const Pair lost = (exact - (sum - added)) + (c - added);  // the exact sum less `sum` (Knuth's two-sum)
  // Rounding to odd: a sum that was rounded away from 0 steps back by one bit pattern (`inward` is then -1), and one
  // that lost anything gets an odd last bit.
  const PairBits inexact = lost != splat(0);
  const PairBits inward = inexact & ((lost < splat(0)) ^ (sum < splat(0)));
  const PairBits one{1, 1};
  const PairBits odd = (reinterpret_cast<PairBits>(sum) + inward) | (inexact & one);
  return to_float32(reinterpret_cast<Pair>(odd));
}

namespace {

/// NumPy's abs of complex64, in its float32 steps: large * sqrt(1 + (small / large)^2) of the sizes of both parts.
Pair numpy_abs(Pair re, Pair im) {
  const Pair re_size = absolute(re), im_size = absolute(im);
  const PairBits is_re_larger = re_size > im_size;
  const Pair large = select(is_re_larger, re_size, im_size), small = select(is_re_larger, im_size, re_size);
  const Pair ratio = select(large > splat(0), to_float32(small / large), splat(0));
  const Pair factor = to_float32(root(fused_float32(ratio, ratio, splat(1))));
  return to_float32(large * factor);
}

/// Computes the energy of a bin, of the kind that the spectrum asks for (frames.h). kComplex does not come here:
/// frames.cpp writes bins as they are.
Pair energy_of(const Spectrum& s, Pair re, Pair im) {
  switch (s.energy) {
    case Energy::kComplex:
    case Energy::kPower:
      return re * re + im * im;
    case Energy::kMagnitude:
      return root(re * re + im * im);
    case Energy::kExponent: {
      const Pair size = root(re * re + im * im);
      return Pair{power(size[0], s.exponent), power(size[1], s.exponent)};
    }
    case Energy::kNumpyAbs:
      return numpy_abs(re, im);
    case Energy::kAmplitude32: {
      const Pair power = to_float32(to_float32(re * re) + to_float32(im * im));
      const Pair floor = to_float32(splat(s.energy_floor));
      return to_float32(root(to_float32(power + floor)));
    }
    case Energy::kFloored:
      return root(maximum(splat(s.energy_floor), re * re + im * im));
  }
  return re;
}

/// Does make_energies, in place: bin k reads numbers 2k - 1 and 2k, which lie at k or behind, so no number is replaced
/// before it is read. The copy for kPower has the formula in the loop, which the compiler then makes fast; the other
/// copy calls energy_of for every other kind.
template <bool kIsPower>
void make_energies_of(const Spectrum& s, Pair* x) {
  const int n = s.fft_length;
  const auto narrowed = [&](Pair a) { return s.narrow_bins ? to_float32(a) : a; };
  const auto value = [&](Pair re, Pair im) { return kIsPower ? re * re + im * im : energy_of(s, re, im); };
  x[0] = value(narrowed(x[0]), splat(0));
  for (int k = 1; has_im(k, n); ++k) x[k] = value(narrowed(x[re_place(k)]), narrowed(x[im_place(k)]));
  const int middle = n / 2;
  if (n % 2 == 0) x[middle] = value(narrowed(x[re_place(middle)]), splat(0));
  // Samples are real, so the upper half mirrors the lower one.
  if (!s.onesided) {
    for (int k = middle + 1; k < n; ++k) x[k] = x[n - k];
  }
}

}  // namespace

void make_energies(const Spectrum& s, Pair* x) {
  if (s.energy == Energy::kPower) {
    make_energies_of<true>(s, x);
  } else {
    make_energies_of<false>(s, x);
  }
}

}  // namespace layout
