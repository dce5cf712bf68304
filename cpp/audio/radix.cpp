// audio/radix.h says what these functions do.
//
// A stage of factor p joins p transforms to one p times as long. Bin i of each of the p, times its twiddle, is a term
// of a transform of p numbers, whose results are bins i, i + ido, i + 2 ido, ... of the joined one. A real transform
// keeps only the lower half of its bins, so the results above are written as the conjugates of their mirrored bins.
//
// The order of operations is pocketfft's (radf2, radf3, radf4, radf5, radfg): first number 0 of each transform, which
// is real; then the middle bin of an even `ido`, also real, at ido - 1; then bins whose re and im stand at i - 1 and i,
// and mirrored ones at ido - i - 1 and ido - i.
//
// `ido` is the product of the factors after a stage's own. The list of factors has the even ones first, so `ido` is odd
// at odd factors: they have no middle bin.

#include "audio/radix.h"

#include <cstdint>

namespace layout {
namespace {

/// re and im of a bin, of two frames each.
struct Bin {
  Pair re, im;
};
inline Bin operator+(const Bin& a, const Bin& b) { return {a.re + b.re, a.im + b.im}; }
inline Bin operator-(const Bin& a, const Bin& b) { return {a.re - b.re, a.im - b.im}; }
inline Bin operator*(const Bin& a, double factor) { return {a.re * factor, a.im * factor}; }

/// (a - b) times i.
inline Bin turned_difference(const Bin& a, const Bin& b) { return {b.im - a.im, a.re - b.re}; }

/// (re + im i) times the conjugate of (w + v i).
inline Bin turned(Pair re, Pair im, double w, double v) { return {w * re + v * im, w * im - v * re}; }

/// Where the numbers of one joined transform lie: `in[c]` is transform c of those that are joined, `out` its result in
/// pieces of `ido` numbers, and `w[c]` the twiddles of `in[c]`, which in[0] does not have. Inner loops that index by
/// (a, b, c) instead spend twice as long on integers as on samples.
template <int kRadix>
struct Lines {
  const Pair* in[kRadix];
  Pair* out[kRadix];
  const double* w[kRadix];
  int ido;

  /// Finds the numbers of joined transform `k` of a stage.
  Lines(const Stage& s, int k) : ido(s.ido) {
    LAYOUT_UNROLL
    for (int c = 0; c < kRadix; ++c) {
      in[c] = s.cc + s.ido * k + s.ido * s.l1 * c;
      out[c] = s.ch + s.ido * kRadix * k + s.ido * c;
      w[c] = s.wa + (s.ido - 1) * (c > 0 ? c - 1 : 0);
    }
  }

  /// The bin at numbers i - 1 and i of in[0].
  Bin first_bin(int i) const { return {in[0][i - 1], in[0][i]}; }

  /// The bin at numbers i - 1 and i of another `in[c]`, times the conjugate of its twiddle.
  Bin bin(int c, int i) const { return turned(in[c][i - 1], in[c][i], w[c][i - 2], w[c][i - 1]); }

  /// Writes a bin to numbers i - 1 and i of a piece.
  void write(int piece, int i, const Bin& value) const {
    out[piece][i - 1] = value.re;
    out[piece][i] = value.im;
  }

  /// Writes a + b to numbers i - 1 and i of a piece, and the conjugate of a - b to the mirrored place in another piece.
  void write_both(int piece, int mirrored_piece, int i, const Bin& a, const Bin& b) const {
    write(piece, i, a + b);
    const int mirrored = ido - i;
    out[mirrored_piece][mirrored - 1] = a.re - b.re;
    out[mirrored_piece][mirrored] = b.im - a.im;
  }
};

/// Runs a stage of factor 2, as pocketfft's radf2: of bins a and b, the results are a + b and a - b.
void radix2(Stage s) {
  const int ido = s.ido;
  for (int k = 0; k < s.l1; ++k) {
    const Lines<2> at(s, k);
    const auto& in = at.in;
    const auto& out = at.out;
    const Pair a = in[0][0], b = in[1][0];
    out[0][0] = a + b;
    out[1][ido - 1] = a - b;
    if (ido % 2 == 0) {  // the twiddle of the middle bin is i, and one result is the other's conjugate
      out[1][0] = -in[1][ido - 1];
      out[0][ido - 1] = in[0][ido - 1];
    }
    for (int i = 2; i < ido; i += 2) at.write_both(0, 1, i, at.first_bin(i), at.bin(1, i));
  }
}

/// Runs a stage of factor 3, as pocketfft's radf3. `ido`, the product of the factors after it, is odd, because even
/// factors come first: there is no middle bin. kRe and kIm: cos and sin of 2 pi / 3.
void radix3(Stage s) {
  constexpr double kRe = -0.5, kIm = 0.86602540378443864676;
  const int ido = s.ido;
  for (int k = 0; k < s.l1; ++k) {
    const Lines<3> at(s, k);
    const auto& in = at.in;
    const auto& out = at.out;
    const Pair first = in[0][0], sum = in[1][0] + in[2][0], difference = in[2][0] - in[1][0];
    out[0][0] = first + sum;
    out[2][0] = kIm * difference;
    out[1][ido - 1] = first + kRe * sum;
    for (int i = 2; i < ido; i += 2) {
      const Bin a = at.first_bin(i), b = at.bin(1, i), c = at.bin(2, i);
      const Bin bin_sum = b + c;
      at.write(0, i, a + bin_sum);
      at.write_both(2, 1, i, a + bin_sum * kRe, turned_difference(c, b) * kIm);
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
    const auto& in = at.in;
    const auto& out = at.out;
    const Pair even = in[0][0] + in[2][0], odd = in[3][0] + in[1][0];
    out[0][0] = even + odd;
    out[3][ido - 1] = even - odd;
    out[1][ido - 1] = in[0][0] - in[2][0];
    out[2][0] = in[3][0] - in[1][0];
    if (ido % 2 == 0) {
      const Pair a = in[0][ido - 1], b = in[1][ido - 1], c = in[2][ido - 1], d = in[3][ido - 1];
      const Pair re = kHalfRoot * (b - d), im = -kHalfRoot * (b + d);
      out[0][ido - 1] = a + re;
      out[2][ido - 1] = a - re;
      out[3][0] = im + c;
      out[1][0] = im - c;
    }
    for (int i = 2; i < ido; i += 2) {
      const Bin a = at.first_bin(i), b = at.bin(1, i), c = at.bin(2, i), d = at.bin(3, i);
      at.write_both(0, 3, i, a + c, d + b);
      at.write_both(2, 1, i, a - c, turned_difference(d, b));
    }
  }
}

/// Runs a stage of factor 5, as pocketfft's radf5. `ido`, the product of the factors after it, is odd, because even
/// factors come first: there is no middle bin. kRe1, kIm1, kRe2 and kIm2: cos and sin of 2 pi / 5 and of 4 pi / 5.
void radix5(Stage s) {
  constexpr double kRe1 = 0.3090169943749474241, kIm1 = 0.95105651629515357212;
  constexpr double kRe2 = -0.8090169943749474241, kIm2 = 0.58778525229247312917;
  const int ido = s.ido;
  for (int k = 0; k < s.l1; ++k) {
    const Lines<5> at(s, k);
    const auto& in = at.in;
    const auto& out = at.out;
    const Pair first = in[0][0];
    const Pair outer = in[4][0] + in[1][0], outer_difference = in[4][0] - in[1][0];
    const Pair inner = in[3][0] + in[2][0], inner_difference = in[3][0] - in[2][0];
    out[0][0] = first + outer + inner;
    out[1][ido - 1] = first + kRe1 * outer + kRe2 * inner;
    out[2][0] = kIm1 * outer_difference + kIm2 * inner_difference;
    out[3][ido - 1] = first + kRe2 * outer + kRe1 * inner;
    out[4][0] = kIm2 * outer_difference - kIm1 * inner_difference;
    for (int i = 2; i < ido; i += 2) {
      const Bin a = at.first_bin(i), b = at.bin(1, i), c = at.bin(2, i), d = at.bin(3, i), e = at.bin(4, i);
      const Bin outer_sum = e + b, inner_sum = d + c;
      const Bin outer_turned = turned_difference(e, b), inner_turned = turned_difference(d, c);
      at.write(0, i, a + outer_sum + inner_sum);
      at.write_both(2, 1, i, a + outer_sum * kRe1 + inner_sum * kRe2, outer_turned * kIm1 + inner_turned * kIm2);
      at.write_both(4, 3, i, a + outer_sum * kRe2 + inner_sum * kRe1, outer_turned * kIm2 - inner_turned * kIm1);
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
    const Bin term = is_real ? Bin{s.in(0, k, j), splat(0)}
                             : turned(s.in(i - 1, k, j), s.in(i, k, j), s.w(j - 1, i - 2), s.w(j - 1, i - 1));
    const int root = static_cast<int>(static_cast<std::int64_t>(j) * q % p);
    const double cosine = roots[2 * root], sine = roots[2 * root + 1];
    sums.re += cosine * term.re;
    sums.im += cosine * term.im;
    sums.re_odd += sine * term.im;
    sums.im_odd += sine * term.re;
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
