#pragma once

#include "elementary/pairs.h"

namespace layout {

inline constexpr double kPi = 3.14159265358979323846;

// Elementary functions with bits of their own, the same on every engine: no function of the C library decides a bit.
// Each result depends on its precision, so a caller keeps to the functions of one:
//
// - of one number (cosine to quarter_pi_over, but for bessel_i0): double-double, rounded once, for tables of the audio
//   module;
// - of pairs: within 1 ULP, in fdlibm's steps, for its samples;
// - exp_of, log_of, rotation_of: within 2 ULP, no tables and few bytes, for the postprocess module;
// - fdlibm_exp: within 1 ULP, for the weights of OWLv2's blur.

/// Rounds to float32, for tables whose steps are float32.
inline double to_float32(double x) { return static_cast<double>(static_cast<float>(x)); }

double cosine(double x);
double sine(double x);
/// e to the power x; from 709 on infinity, up to -745 0.
double exponential(double x);
double natural_log(double x);
double decimal_log(double x);
double binary_log(double x);
/// x to the power y, for x of at least 0.
double power(double x, double y);
/// The modified Bessel function of order 0, by its power series in float64.
double bessel_i0(double x);

/// pi / 4 / n as C makes it of long double with 64 bits: pocketfft's step.
double quarter_pi_over(int n);

/// The natural logarithm of both numbers, in fdlibm's steps; of 0 minus infinity, of negative numbers NaN.
Pair natural_log(Pair x);
/// The logarithm to base 10 of both numbers, likewise.
Pair decimal_log(Pair x);
/// Replaces `count` pairs by their logarithms, in place. Divisions of neighbors overlap, which calls of one pair each
/// prevent.
void natural_logs(Pair* x, int count);
void decimal_logs(Pair* x, int count);

/// e to the power x; beyond 709 infinity, from -709 down 0.
double exp_of(double x);
/// e to the power x, from -700 to 700, within 1 ULP: the steps of fdlibm's exp, which is Math.exp in many engines.
double fdlibm_exp(double x);
/// The natural logarithm of a number of at least 2^-1022; 0 gives minus infinity, a negative number NaN, and infinity
/// itself.
double log_of(double x);

/// A turn by an angle.
struct Rotation {
  double cosine;
  double sine;
};
/// The cosine and the sine of an angle below 2^20.
Rotation rotation_of(double angle);

}  // namespace layout
