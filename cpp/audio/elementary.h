#pragma once

#include "audio/pairs.h"

namespace layout {

// Elementary functions with bits of their own, the same on every engine. Those of one number compute in double-double
// arithmetic and round once: they are for tables. Those of pairs are fdlibm's, within an ulp: they are for samples.

double cosine(double x);
double sine(double x);
double exponential(double x);
double natural_log(double x);
double decimal_log(double x);
double binary_log(double x);
/// x to the power y, for x of at least 0.
double power(double x, double y);
/// The modified Bessel function of order 0, by its power series.
double bessel_i0(double x);

/// pi / 4 / n as C makes it of long double with 64 bits: pocketfft's step.
double quarter_pi_over(int n);

Pair natural_log(Pair x);
Pair decimal_log(Pair x);
/// In place: divisions of neighbors overlap, which calls of one pair each prevent.
void natural_logs(Pair* x, int count);
void decimal_logs(Pair* x, int count);

}  // namespace layout
