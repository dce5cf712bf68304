// audio/energies.h says what these functions do.

#include "audio/energies.h"

#include "elementary/elementary.h"

namespace layout {

Pair fused_float32(Pair a, Pair b, Pair c) {
  // The product is exact in float64. The sum is rounded to odd, so that rounding it again gives the nearest float32.
  const Pair exact = a * b, sum = exact + c, added = sum - exact;
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

/// NumPy's abs of complex64, in its float32 steps: the larger part times sqrt(1 + q^2), q = smaller / larger, or 0.
Pair numpy_abs(Pair re, Pair im) {
  const Pair a = absolute(re), b = absolute(im);
  const PairBits first = a > b;
  const Pair large = select(first, a, b), small = select(first, b, a);
  const Pair q = select(large > splat(0), to_float32(small / large), splat(0));
  return to_float32(large * to_float32(root(fused_float32(q, q, splat(1)))));
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
      const Pair sum = to_float32(to_float32(re * re) + to_float32(im * im));
      return to_float32(root(to_float32(sum + splat(static_cast<double>(static_cast<float>(s.energy_floor))))));
    }
    case Energy::kFloored:
      return root(maximum(splat(s.energy_floor), re * re + im * im));
  }
  return re;
}

/// Does make_energies. Its copy for kPower has the formula in the loop, which the compiler then makes fast; its other
/// copy calls energy_of for every other kind.
template <Energy energy>
void make_energies_of(const Spectrum& s, Pair* x) {
  // In place: bin k reads numbers 2k - 1 and 2k, which lie at k or behind, so no number is replaced before it is read.
  const int n = s.fft_length;
  const auto narrowed = [&](Pair a) { return s.narrow_bins ? to_float32(a) : a; };
  const auto value = [&](Pair re, Pair im) {
    return energy == Energy::kPower ? re * re + im * im : energy_of(s, re, im);
  };
  // Bin 0, and the middle bin of an even length, are real.
  x[0] = value(narrowed(x[0]), splat(0));
  for (int k = 1; 2 * k < n; ++k) x[k] = value(narrowed(x[2 * k - 1]), narrowed(x[2 * k]));
  if (n % 2 == 0) x[n / 2] = value(narrowed(x[n - 1]), splat(0));
  // Samples are real, so the upper half mirrors the lower one.
  if (!s.onesided) {
    for (int k = n / 2 + 1; k < n; ++k) x[k] = x[n - k];
  }
}

}  // namespace

void make_energies(const Spectrum& s, Pair* x) {
  if (s.energy == Energy::kPower) {
    make_energies_of<Energy::kPower>(s, x);
  } else {
    make_energies_of<Energy::kComplex>(s, x);
  }
}

}  // namespace layout
