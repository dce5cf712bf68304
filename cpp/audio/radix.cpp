// audio/radix.h says what these functions do.
//
// A stage of factor p joins p transforms to one p times as long. Bin i of each of the p, times its twiddle, is a term
// of a transform of p numbers, whose results are bins i, i + ido, i + 2 ido, ... of the joined one. A real transform
// keeps only the lower half of its bins, so the results above are written as the conjugates of their mirrored bins.
//
// The order of operations and the names are pocketfft's (radf2, radf3, radf4, radf5, radfg): first number 0 of each
// transform, which is real; then the middle bin of an even `ido`, also real, at ido - 1; then pairs (re, im) at i - 1
// and i, of which results go to i - 1 and i of a piece of `ido` numbers, and mirrored ones to ic - 1 and ic = ido - i.
// In a name such as cr2, di3 or ti5, r is re and i is im. At factors 3 and 5, d is a bin times its twiddle, c a sum or
// a difference of two such, and t a part of two results; at factor 4, c is a bin times its twiddle, and t all that
// follows.
//
// `ido` is the product of the factors after a stage's own. The list of factors has the even ones first, so `ido` is odd
// at odd factors: they have no middle bin.

#include "audio/radix.h"

#include <cstdint>

namespace layout {
namespace {

/// Writes a + b and a - b.
inline void plus_minus(Pair& sum, Pair& difference, Pair a, Pair b) {
  sum = a + b;
  difference = a - b;
}

/// Writes (a + b i) times the conjugate of (w + v i) to (re, im).
inline void turn(Pair& re, Pair& im, double w, double v, Pair a, Pair b) {
  re = w * a + v * b;
  im = w * b - v * a;
}

/// Where the numbers of one joined transform lie: `in[c]` is transform c of those that are joined, `out` its result in
/// pieces of `ido` numbers, and `w[c]` the twiddles of `in[c]`, which in[0] does not have. Inner loops that index by
/// (a, b, c) instead spend twice as long on integers as on samples.
template <int kRadix>
struct Lines {
  const Pair* in[kRadix];
  Pair* out[kRadix];
  const double* w[kRadix];

  /// Finds the numbers of joined transform `k` of a stage.
  Lines(const Stage& s, int k) {
    LAYOUT_UNROLL
    for (int c = 0; c < kRadix; ++c) {
      in[c] = s.cc + s.ido * k + s.ido * s.l1 * c;
      out[c] = s.ch + s.ido * kRadix * k + s.ido * c;
      w[c] = s.wa + (s.ido - 1) * (c > 0 ? c - 1 : 0);
    }
  }

  /// Multiplies the numbers i - 1 and i of `in[c]`, re and im of a bin, by the conjugate of their twiddle. Writes the
  /// product to (re, im).
  void turned(Pair& re, Pair& im, int c, int i) const {
    turn(re, im, w[c][i - 2], w[c][i - 1], in[c][i - 1], in[c][i]);
  }
};

/// Runs a stage of factor 2, as pocketfft's radf2: of bins a and b, the results are a + b, and a - b for the mirrored
/// bin.
void radix2(Stage s) {
  const int ido = s.ido;
  for (int k = 0; k < s.l1; ++k) {
    const Lines<2> at(s, k);
    const auto& [in, out, w] = at;
    plus_minus(out[0][0], out[1][ido - 1], in[0][0], in[1][0]);
    if (ido % 2 == 0) {  // the twiddle of the middle bin is i, and one result is the other's conjugate
      out[1][0] = -in[1][ido - 1];
      out[0][ido - 1] = in[0][ido - 1];
    }
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair tr2, ti2;
      at.turned(tr2, ti2, 1, i);
      plus_minus(out[0][i - 1], out[1][ic - 1], in[0][i - 1], tr2);
      plus_minus(out[0][i], out[1][ic], ti2, in[0][i]);
    }
  }
}

/// Runs a stage of factor 3, as pocketfft's radf3. `ido`, the product of the factors after it, is odd, because even
/// factors come first: there is no middle bin. kRe and kIm: cos and sin of 2 pi / 3.
void radix3(Stage s) {
  constexpr double kRe = -0.5, kIm = 0.86602540378443864676;
  const int ido = s.ido;
  for (int k = 0; k < s.l1; ++k) {
    const Lines<3> at(s, k);
    const auto& [in, out, w] = at;
    const Pair sum = in[1][0] + in[2][0];
    const Pair first = in[0][0], difference = in[2][0] - in[1][0];
    out[0][0] = first + sum;
    out[2][0] = kIm * difference;
    out[1][ido - 1] = first + kRe * sum;
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair dr2, di2, dr3, di3;
      at.turned(dr2, di2, 1, i);
      at.turned(dr3, di3, 2, i);
      const Pair re = in[0][i - 1], im = in[0][i];
      const Pair cr2 = dr2 + dr3, ci2 = di2 + di3;
      out[0][i - 1] = re + cr2;
      out[0][i] = im + ci2;
      const Pair tr2 = re + kRe * cr2, ti2 = im + kRe * ci2;
      const Pair tr3 = kIm * (di2 - di3), ti3 = kIm * (dr3 - dr2);
      plus_minus(out[2][i - 1], out[1][ic - 1], tr2, tr3);
      plus_minus(out[2][i], out[1][ic], ti3, ti2);
    }
  }
}

/// Runs a stage of factor 4, as pocketfft's radf4. kHalfRoot: cos and sin of pi / 4, by which the middle bins of an
/// even `ido` are turned.
void radix4(Stage s) {
  constexpr double kHalfRoot = 0.707106781186547524400844362104849;
  const int ido = s.ido;
  for (int k = 0; k < s.l1; ++k) {
    const Lines<4> at(s, k);
    const auto& [in, out, w] = at;
    Pair tr1, tr2;
    plus_minus(tr1, out[2][0], in[3][0], in[1][0]);
    plus_minus(tr2, out[1][ido - 1], in[0][0], in[2][0]);
    plus_minus(out[0][0], out[3][ido - 1], tr2, tr1);
    if (ido % 2 == 0) {
      const Pair a = in[1][ido - 1], b = in[3][ido - 1];
      const Pair ti1 = -kHalfRoot * (a + b);
      tr1 = kHalfRoot * (a - b);
      plus_minus(out[0][ido - 1], out[2][ido - 1], in[0][ido - 1], tr1);
      plus_minus(out[3][0], out[1][0], ti1, in[2][ido - 1]);
    }
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair cr2, cr3, cr4, ci2, ci3, ci4, tr3, tr4, ti1, ti2, ti3, ti4;
      at.turned(cr2, ci2, 1, i);
      at.turned(cr3, ci3, 2, i);
      at.turned(cr4, ci4, 3, i);
      plus_minus(tr1, tr4, cr4, cr2);
      plus_minus(ti1, ti4, ci2, ci4);
      plus_minus(tr2, tr3, in[0][i - 1], cr3);
      plus_minus(ti2, ti3, in[0][i], ci3);
      plus_minus(out[0][i - 1], out[3][ic - 1], tr2, tr1);
      plus_minus(out[0][i], out[3][ic], ti1, ti2);
      plus_minus(out[2][i - 1], out[1][ic - 1], tr3, ti4);
      plus_minus(out[2][i], out[1][ic], tr4, ti3);
    }
  }
}

/// Runs a stage of factor 5, as pocketfft's radf5, by whose names its variables go. `ido`, the product of the factors
/// after it, is odd, because even factors come first: there is no middle bin. kRe1, kIm1, kRe2 and kIm2: cos and sin of
/// 2 pi / 5 and of 4 pi / 5.
void radix5(Stage s) {
  constexpr double kRe1 = 0.3090169943749474241, kIm1 = 0.95105651629515357212;
  constexpr double kRe2 = -0.8090169943749474241, kIm2 = 0.58778525229247312917;
  const int ido = s.ido;
  for (int k = 0; k < s.l1; ++k) {
    const Lines<5> at(s, k);
    const auto& [in, out, w] = at;
    Pair cr2, cr3, cr4, cr5, ci2, ci3, ci4, ci5;
    plus_minus(cr2, ci5, in[4][0], in[1][0]);
    plus_minus(cr3, ci4, in[3][0], in[2][0]);
    const Pair first = in[0][0];
    out[0][0] = first + cr2 + cr3;
    out[1][ido - 1] = first + kRe1 * cr2 + kRe2 * cr3;
    out[2][0] = kIm1 * ci5 + kIm2 * ci4;
    out[3][ido - 1] = first + kRe2 * cr2 + kRe1 * cr3;
    out[4][0] = kIm2 * ci5 - kIm1 * ci4;
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair dr2, dr3, dr4, dr5, di2, di3, di4, di5;
      at.turned(dr2, di2, 1, i);
      at.turned(dr3, di3, 2, i);
      at.turned(dr4, di4, 3, i);
      at.turned(dr5, di5, 4, i);
      plus_minus(cr2, ci5, dr5, dr2);
      plus_minus(ci2, cr5, di2, di5);
      plus_minus(cr3, ci4, dr4, dr3);
      plus_minus(ci3, cr4, di3, di4);
      const Pair re = in[0][i - 1], im = in[0][i];
      out[0][i - 1] = re + cr2 + cr3;
      out[0][i] = im + ci2 + ci3;
      const Pair tr2 = re + kRe1 * cr2 + kRe2 * cr3, ti2 = im + kRe1 * ci2 + kRe2 * ci3;
      const Pair tr3 = re + kRe2 * cr2 + kRe1 * cr3, ti3 = im + kRe2 * ci2 + kRe1 * ci3;
      const Pair tr5 = cr5 * kIm1 + cr4 * kIm2, tr4 = cr5 * kIm2 - cr4 * kIm1;
      const Pair ti5 = ci5 * kIm1 + ci4 * kIm2, ti4 = ci5 * kIm2 - ci4 * kIm1;
      plus_minus(out[2][i - 1], out[1][ic - 1], tr2, tr5);
      plus_minus(out[2][i], out[1][ic], ti5, ti2);
      plus_minus(out[4][i - 1], out[3][ic - 1], tr3, tr4);
      plus_minus(out[4][i], out[3][ic], ti4, ti3);
    }
  }
}

/// Which bins a stage of an odd prime p above 5 computes: in joined transform k, those that it makes of the numbers i -
/// 1 (re) and i (im) of p transforms; at i = 0 of their numbers 0, which are real.
struct PrimePlace {
  const Stage& stage;
  int p, k, i;
};

/// Bins q and p - q of a transform of p terms: their sums over the even parts (cosines) and the odd parts (sines) of
/// the roots.
struct MirroredBins {
  Pair re, im, re_odd, im_odd;
};

/// Sums the terms of bins q and p - q: numbers of the p transforms, times their twiddles, times their roots. `roots`
/// has cos and sin of 2 pi q / p in turn.
MirroredBins sum_terms(const PrimePlace& at, int q, const double* roots) {
  const auto& [s, p, k, i] = at;
  const bool is_real = i == 0;
  MirroredBins sums{is_real ? s.in(0, k, 0) : s.in(i - 1, k, 0), is_real ? splat(0) : s.in(i, k, 0), splat(0),
                    splat(0)};
  for (int j = 1; j < p; ++j) {
    Pair re = s.in(0, k, j), im = splat(0);
    if (!is_real) turn(re, im, s.w(j - 1, i - 2), s.w(j - 1, i - 1), s.in(i - 1, k, j), s.in(i, k, j));
    const int root = static_cast<int>(static_cast<std::int64_t>(j) * q % p);
    const double cosine = roots[2 * root], sine = roots[2 * root + 1];
    sums.re += cosine * re;
    sums.im += cosine * im;
    sums.re_odd += sine * im;
    sums.im_odd += sine * re;
  }
  return sums;
}

/// Writes bins q and p - q of the joined transform, which has p pieces of `ido` numbers: piece 2 q has bin q, and piece
/// 2 q - 1 bin p - q, which lies mirrored, from the end of its piece on.
void write_bins(const PrimePlace& at, int q, const MirroredBins& sums) {
  const auto& [s, p, k, i] = at;
  const int ido = s.ido;
  Pair* const piece = s.ch + ido * (2 * q + p * k);
  Pair* const mirrored = piece - ido;
  if (i > 0) {
    piece[i - 1] = sums.re + sums.re_odd;
    piece[i] = sums.im - sums.im_odd;
    if (q == 0) return;
    mirrored[ido - i - 1] = sums.re - sums.re_odd;
    mirrored[ido - i] = -(sums.im + sums.im_odd);
  } else if (q == 0) {
    piece[0] = sums.re;
  } else {
    mirrored[ido - 1] = sums.re;
    piece[0] = -sums.im_odd;
  }
}

/// Runs a stage of an odd prime p above 5, term by term, where pocketfft's radfg has sums in another order. Such
/// factors come last in the list of factors and stages run from its end, so `ido`, the product of those that ran
/// before, is odd.
void radix_prime(const Stage& s, int p, const double* roots) {
  for (int k = 0; k < s.l1; ++k) {
    for (int i = 0; i < s.ido; i += 2) {
      const PrimePlace at{s, p, k, i};
      for (int q = 0; q <= p / 2; ++q) write_bins(at, q, sum_terms(at, q, roots));
    }
  }
}

}  // namespace

void run_stage(int factor, Stage stage, const double* roots) {
  switch (factor) {
    case 2:
      return radix2(stage);
    case 3:
      return radix3(stage);
    case 4:
      return radix4(stage);
    case 5:
      return radix5(stage);
    default:
      return radix_prime(stage, factor, roots);
  }
}

}  // namespace layout
