// The functions of float64 without tables: see elementary.h.

#include "elementary/elementary.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "elementary/series.h"

namespace layout {

namespace {

constexpr double kHalfPiHigh = 0x1.921fb544p+0;
constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kBias = 1023;
constexpr int kMantissaBits = 52;

/// 2^exponent, for exponents of normal numbers.
double power_of_two(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + kBias) << kMantissaBits;
  double power = 0;
  std::memcpy(&power, &bits, sizeof power);
  return power;
}

/// Sums a Taylor series from its last term on: 1 + t(first) (1 + t(first + step) (1 + ...)). With step 1 it is the
/// exponential of x, and t(k) = x / k. With step 2, x is the square of an angle, t(k) = -x / (k (k + 1)), and the
/// series is the cosine (first = 1) or the sine divided by the angle (first = 2).
double taylor(double x, int first, int step) {
  double sum = 1;
  // The last term is below 2^-56 for what is left of an argument.
  constexpr int kTerms = 14;
  for (int k = first + (kTerms - 1) * step; k >= first; k -= step) {
    const double ratio = step == 1 ? x / k : -x / (k * (k + 1));
    sum = 1 + sum * ratio;
  }
  return sum;
}

}  // namespace

double exp_of(double x) {
  constexpr double kMost = 709;
  if (!(x > -kMost)) return x != x ? x : 0;  // NaN stays NaN
  if (x > kMost) return kInfinity;
  const double times = std::nearbyint(x / (kLn2High + kLn2Low));
  const double rest = x - times * kLn2High - times * kLn2Low;  // within ln 2 / 2
  return taylor(rest, 1, 1) * power_of_two(static_cast<int>(times));
}

// fdlibm's e_exp.c: x = times * ln 2 + rest, in its operations and with its coefficients P5 to P1.
double fdlibm_exp(double x) {
  constexpr double kTiny = 0x1p-28, kHalfLn2 = 0x1.62e43p-2, kPerLn2 = 0x1.71547652b82fep+0;  // the last: 1 / ln 2
  if (std::fabs(x) < kTiny) return 1 + x;
  const bool is_near_0 = std::fabs(x) < kHalfLn2;
  const double times = is_near_0 ? 0 : std::trunc(kPerLn2 * x + std::copysign(0.5, x));
  const double high = x - times * kLn2High;
  const double low = times * kLn2Low;
  const double rest = high - low;
  const double square = rest * rest;
  // R = rest * (exp(rest) + 1) / (exp(rest) - 1) is 2 plus this series in rest^2.
  double series = 0;
  for (const double factor : {4.13813679705723846039e-08, -1.65339022054652515390e-06, 6.61375632143793436117e-05,
                              -2.77777777770155933842e-03, 1.66666666666666019037e-01})
    series = square * (factor + series);
  // Solved for exp(rest): 1 + 2 rest / (R - rest) = 1 + rest + rest * c / (2 - c), with R - rest = 2 - c.
  const double c = rest - series;
  const double curved = (rest * c) / (2 - c);
  const double power = 1 - ((low - curved) - high);
  return power * power_of_two(static_cast<int>(times));
}

double log_of(double x) {
  if (!(x > 0)) return x == 0 ? -kInfinity : std::numeric_limits<double>::quiet_NaN();
  if (x == kInfinity) return x;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  // x = mantissa * 2^exponent, with a mantissa from sqrt(1/2) to sqrt(2): the sum carries into the exponent where the
  // mantissa's high bits are about those of sqrt(2) or more.
  constexpr std::uint64_t kCarryFromSqrt2 = 0x95f6400000000;
  const int exponent = static_cast<int>((bits + kCarryFromSqrt2) >> kMantissaBits) - kBias;
  const double mantissa = x / power_of_two(exponent);
  const double s = (mantissa - 1) / (mantissa + 1);
  const double series = atanh_series(s * s, 23);
  return exponent * kLn2High + (2 * s * series + (2 * s + exponent * kLn2Low));
}

Rotation rotation_of(double angle) {
  // angle = quarters * pi / 2 + rest, with the rest within pi / 4; each quarter turns the result by 90 degrees.
  const double quarters = std::nearbyint(angle / (kHalfPiHigh + kHalfPiLow));
  const double rest = angle - quarters * kHalfPiHigh - quarters * kHalfPiLow;
  const double cosine = taylor(rest * rest, 1, 2);
  const double sine = rest * taylor(rest * rest, 2, 2);
  const bool is_known = std::abs(quarters) < 0x1p62;  // beyond float64's whole numbers, no quarter of an angle is
  switch (is_known ? static_cast<std::int64_t>(quarters) & 3 : 0) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

}  // namespace layout
