#include "audio/radix.h"

#include <cstdint>

namespace layout {
namespace {

inline void plus_minus(Pair& sum, Pair& difference, Pair a, Pair b) {
  sum = a + b;
  difference = a - b;
}

/// (re, im) times the conjugate of (w, v).
inline void turn(Pair& re, Pair& im, double w, double v, Pair a, Pair b) {
  re = w * a + v * b;
  im = w * b - v * a;
}

void radix2(const Stage& s) {
  const int ido = s.ido, l1 = s.l1;
  const auto out = [&](int a, int b, int c) -> Pair& { return s.ch[a + ido * (b + 2 * c)]; };
  for (int k = 0; k < l1; ++k) plus_minus(out(0, 0, k), out(ido - 1, 1, k), s.in(0, k, 0), s.in(0, k, 1));
  if (ido % 2 == 0) {
    for (int k = 0; k < l1; ++k) {
      out(0, 1, k) = -s.in(ido - 1, k, 1);
      out(ido - 1, 0, k) = s.in(ido - 1, k, 0);
    }
  }
  for (int k = 0; k < l1; ++k) {
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair tr2, ti2;
      turn(tr2, ti2, s.w(0, i - 2), s.w(0, i - 1), s.in(i - 1, k, 1), s.in(i, k, 1));
      plus_minus(out(i - 1, 0, k), out(ic - 1, 1, k), s.in(i - 1, k, 0), tr2);
      plus_minus(out(i, 0, k), out(ic, 1, k), ti2, s.in(i, k, 0));
    }
  }
}

void radix3(const Stage& s) {
  constexpr double kRe = -0.5, kIm = 0.86602540378443864676;
  const int ido = s.ido, l1 = s.l1;
  const auto out = [&](int a, int b, int c) -> Pair& { return s.ch[a + ido * (b + 3 * c)]; };
  for (int k = 0; k < l1; ++k) {
    const Pair sum = s.in(0, k, 1) + s.in(0, k, 2);
    out(0, 0, k) = s.in(0, k, 0) + sum;
    out(0, 2, k) = kIm * (s.in(0, k, 2) - s.in(0, k, 1));
    out(ido - 1, 1, k) = s.in(0, k, 0) + kRe * sum;
  }
  for (int k = 0; k < l1; ++k) {
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair dr2, di2, dr3, di3;
      turn(dr2, di2, s.w(0, i - 2), s.w(0, i - 1), s.in(i - 1, k, 1), s.in(i, k, 1));
      turn(dr3, di3, s.w(1, i - 2), s.w(1, i - 1), s.in(i - 1, k, 2), s.in(i, k, 2));
      const Pair cr2 = dr2 + dr3, ci2 = di2 + di3;
      out(i - 1, 0, k) = s.in(i - 1, k, 0) + cr2;
      out(i, 0, k) = s.in(i, k, 0) + ci2;
      const Pair tr2 = s.in(i - 1, k, 0) + kRe * cr2, ti2 = s.in(i, k, 0) + kRe * ci2;
      const Pair tr3 = kIm * (di2 - di3), ti3 = kIm * (dr3 - dr2);
      plus_minus(out(i - 1, 2, k), out(ic - 1, 1, k), tr2, tr3);
      plus_minus(out(i, 2, k), out(ic, 1, k), ti3, ti2);
    }
  }
}

void radix4(const Stage& s) {
  constexpr double kHalfRoot = 0.707106781186547524400844362104849;
  const int ido = s.ido, l1 = s.l1;
  const auto out = [&](int a, int b, int c) -> Pair& { return s.ch[a + ido * (b + 4 * c)]; };
  for (int k = 0; k < l1; ++k) {
    Pair tr1, tr2;
    plus_minus(tr1, out(0, 2, k), s.in(0, k, 3), s.in(0, k, 1));
    plus_minus(tr2, out(ido - 1, 1, k), s.in(0, k, 0), s.in(0, k, 2));
    plus_minus(out(0, 0, k), out(ido - 1, 3, k), tr2, tr1);
  }
  if (ido % 2 == 0) {
    for (int k = 0; k < l1; ++k) {
      const Pair ti1 = -kHalfRoot * (s.in(ido - 1, k, 1) + s.in(ido - 1, k, 3));
      const Pair tr1 = kHalfRoot * (s.in(ido - 1, k, 1) - s.in(ido - 1, k, 3));
      plus_minus(out(ido - 1, 0, k), out(ido - 1, 2, k), s.in(ido - 1, k, 0), tr1);
      plus_minus(out(0, 3, k), out(0, 1, k), ti1, s.in(ido - 1, k, 2));
    }
  }
  for (int k = 0; k < l1; ++k) {
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair cr2, cr3, cr4, ci2, ci3, ci4, tr1, tr2, tr3, tr4, ti1, ti2, ti3, ti4;
      turn(cr2, ci2, s.w(0, i - 2), s.w(0, i - 1), s.in(i - 1, k, 1), s.in(i, k, 1));
      turn(cr3, ci3, s.w(1, i - 2), s.w(1, i - 1), s.in(i - 1, k, 2), s.in(i, k, 2));
      turn(cr4, ci4, s.w(2, i - 2), s.w(2, i - 1), s.in(i - 1, k, 3), s.in(i, k, 3));
      plus_minus(tr1, tr4, cr4, cr2);
      plus_minus(ti1, ti4, ci2, ci4);
      plus_minus(tr2, tr3, s.in(i - 1, k, 0), cr3);
      plus_minus(ti2, ti3, s.in(i, k, 0), ci3);
      plus_minus(out(i - 1, 0, k), out(ic - 1, 3, k), tr2, tr1);
      plus_minus(out(i, 0, k), out(ic, 3, k), ti1, ti2);
      plus_minus(out(i - 1, 2, k), out(ic - 1, 1, k), tr3, ti4);
      plus_minus(out(i, 2, k), out(ic, 1, k), tr4, ti3);
    }
  }
}

void radix5(const Stage& s) {
  constexpr double kRe1 = 0.3090169943749474241, kIm1 = 0.95105651629515357212;
  constexpr double kRe2 = -0.8090169943749474241, kIm2 = 0.58778525229247312917;
  const int ido = s.ido, l1 = s.l1;
  const auto out = [&](int a, int b, int c) -> Pair& { return s.ch[a + ido * (b + 5 * c)]; };
  for (int k = 0; k < l1; ++k) {
    Pair cr2, cr3, ci4, ci5;
    plus_minus(cr2, ci5, s.in(0, k, 4), s.in(0, k, 1));
    plus_minus(cr3, ci4, s.in(0, k, 3), s.in(0, k, 2));
    out(0, 0, k) = s.in(0, k, 0) + cr2 + cr3;
    out(ido - 1, 1, k) = s.in(0, k, 0) + kRe1 * cr2 + kRe2 * cr3;
    out(0, 2, k) = kIm1 * ci5 + kIm2 * ci4;
    out(ido - 1, 3, k) = s.in(0, k, 0) + kRe2 * cr2 + kRe1 * cr3;
    out(0, 4, k) = kIm2 * ci5 - kIm1 * ci4;
  }
  for (int k = 0; k < l1; ++k) {
    for (int i = 2; i < ido; i += 2) {
      const int ic = ido - i;
      Pair dr2, dr3, dr4, dr5, di2, di3, di4, di5, cr2, cr3, cr4, cr5, ci2, ci3, ci4, ci5;
      turn(dr2, di2, s.w(0, i - 2), s.w(0, i - 1), s.in(i - 1, k, 1), s.in(i, k, 1));
      turn(dr3, di3, s.w(1, i - 2), s.w(1, i - 1), s.in(i - 1, k, 2), s.in(i, k, 2));
      turn(dr4, di4, s.w(2, i - 2), s.w(2, i - 1), s.in(i - 1, k, 3), s.in(i, k, 3));
      turn(dr5, di5, s.w(3, i - 2), s.w(3, i - 1), s.in(i - 1, k, 4), s.in(i, k, 4));
      plus_minus(cr2, ci5, dr5, dr2);
      plus_minus(ci2, cr5, di2, di5);
      plus_minus(cr3, ci4, dr4, dr3);
      plus_minus(ci3, cr4, di3, di4);
      out(i - 1, 0, k) = s.in(i - 1, k, 0) + cr2 + cr3;
      out(i, 0, k) = s.in(i, k, 0) + ci2 + ci3;
      const Pair tr2 = s.in(i - 1, k, 0) + kRe1 * cr2 + kRe2 * cr3;
      const Pair ti2 = s.in(i, k, 0) + kRe1 * ci2 + kRe2 * ci3;
      const Pair tr3 = s.in(i - 1, k, 0) + kRe2 * cr2 + kRe1 * cr3;
      const Pair ti3 = s.in(i, k, 0) + kRe2 * ci2 + kRe1 * ci3;
      const Pair tr5 = cr5 * kIm1 + cr4 * kIm2, tr4 = cr5 * kIm2 - cr4 * kIm1;
      const Pair ti5 = ci5 * kIm1 + ci4 * kIm2, ti4 = ci5 * kIm2 - ci4 * kIm1;
      plus_minus(out(i - 1, 2, k), out(ic - 1, 1, k), tr2, tr5);
      plus_minus(out(i, 2, k), out(ic, 1, k), ti5, ti2);
      plus_minus(out(i - 1, 4, k), out(ic - 1, 3, k), tr3, tr4);
      plus_minus(out(i, 4, k), out(ic, 3, k), ti4, ti3);
    }
  }
}

/// An odd prime above 5, term by term. `roots` has cos and sin of 2 pi q / p in turn. Such factors come last in the
/// list, so they run first, and `ido` is odd.
void radix_prime(const Stage& s, int p, const double* roots) {
  const int ido = s.ido, l1 = s.l1;
  const auto out = [&](int a, int b, int c) -> Pair& { return s.ch[a + ido * (b + p * c)]; };
  for (int k = 0; k < l1; ++k) {
    for (int i = 0; i < ido; i += 2) {
      const int ic = ido - i;
      for (int q = 0; q <= p / 2; ++q) {
        // Bins q and p - q: their sums over the even and the odd parts of the roots.
        Pair re = i ? s.in(i - 1, k, 0) : s.in(0, k, 0), im = i ? s.in(i, k, 0) : splat(0);
        Pair re_odd = splat(0), im_odd = splat(0);
        for (int j = 1; j < p; ++j) {
          Pair a = s.in(0, k, j), b = splat(0);
          if (i) turn(a, b, s.w(j - 1, i - 2), s.w(j - 1, i - 1), s.in(i - 1, k, j), s.in(i, k, j));
          const int at = static_cast<int>(static_cast<std::int64_t>(j) * q % p);
          re += roots[2 * at] * a;
          im += roots[2 * at] * b;
          re_odd += roots[2 * at + 1] * b;
          im_odd += roots[2 * at + 1] * a;
        }
        if (i == 0) {
          if (q == 0) {
            out(0, 0, k) = re;
          } else {
            out(ido - 1, 2 * q - 1, k) = re;
            out(0, 2 * q, k) = -im_odd;
          }
        } else {
          out(i - 1, 2 * q, k) = re + re_odd;
          out(i, 2 * q, k) = im - im_odd;
          if (q > 0) {
            out(ic - 1, 2 * q - 1, k) = re - re_odd;
            out(ic, 2 * q - 1, k) = -(im + im_odd);
          }
        }
      }
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
