#pragma once

namespace layout {

/// ln 2 in two parts, fdlibm's: the high one has so few bits that its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

/// The mantissa of a logarithm lies from sqrt(1/2) to sqrt(2).
inline constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;

/// atanh(s) / s - 1 by the terms up to s^(last - 1) / last: ln((1 + s) / (1 - s)) is 2 s (1 + this). `square` is s^2.
inline double atanh_series(double square, int last) {
  double series = 0;
  for (int k = last; k > 1; k -= 2) series = (series + 1.0 / k) * square;
  return series;
}

}  // namespace layout
