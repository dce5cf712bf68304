// The functions of one number in double-double arithmetic, and those of pairs: see elementary.h.

#include "elementary/elementary.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "elementary/series.h"

namespace layout {
namespace {

/// A number of 106 bits: the sum of two.
struct Wide {
  double high, low;
};

/// a + b, rounded, and what rounding lost; for |a| >= |b|.
Wide fast_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b, rounded, and what rounding lost; for any two numbers, by Knuth's two-sum.
Wide sum(double a, double b) {
  const double whole = a + b, part = whole - a;
  return {whole, (a - (whole - part)) + (b - part)};
}

/// a * b, rounded, and what rounding lost.
Wide product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1: Dekker's halves, because wasm has no fused product
  const double shifted_a = kSplit * a, high_a = shifted_a - (shifted_a - a), low_a = a - high_a;
  const double shifted_b = kSplit * b, high_b = shifted_b - (shifted_b - b), low_b = b - high_b;
  const double whole = a * b;
  return {whole, ((high_a * high_b - whole) + high_a * low_b + low_a * high_b) + low_a * low_b};
}

/// The sum, with a relative error of about 2^-104.
Wide operator+(Wide a, Wide b) {
  const Wide high = sum(a.high, b.high), low = sum(a.low, b.low);
  const Wide once = fast_sum(high.high, high.low + low.high);
  return fast_sum(once.high, once.low + low.low);
}

Wide operator-(Wide a) { return {-a.high, -a.low}; }

/// The product, without that of both low parts, which lies below the last bit.
Wide operator*(Wide a, Wide b) {
  const Wide whole = product(a.high, b.high);
  return fast_sum(whole.high, whole.low + (a.high * b.low + a.low * b.high));
}

/// Long division: three float64 quotients, each of the remainder that the ones before leave.
Wide operator/(Wide a, Wide b) {
  const double first = a.high / b.high;
  const Wide rest = a + -(b * Wide{first, 0});
  const double second = rest.high / b.high;
  const Wide last = rest + -(b * Wide{second, 0});
  const Wide quotient = fast_sum(first, second);
  return quotient + Wide{last.high / b.high, 0};
}

Wide wide(double a) { return {a, 0}; }

constexpr Wide kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Wide kLn10{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
// pi / 2 in three parts, so that a multiple of it can be taken off without loss.
constexpr double kHalfPi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};

/// A Taylor series of `terms` terms x^k / k!, k = first, first + step, ..., whose signs may alternate.
struct Series {
  int first, step;
  bool alternates;
  int terms;
};
constexpr Series kExpLess1{1, 1, false, 9}, kSine{1, 2, true, 14}, kCosine{0, 2, true, 14};

Wide taylor(const Series& series, Wide x) {
  Wide term = wide(1);
  for (int k = 1; k <= series.first; ++k) term = term * x / wide(k);
  Wide total = term;
  for (int t = 1, k = series.first; t < series.terms; ++t) {
    for (int i = 0; i < series.step; ++i) {
      ++k;
      term = term * x / wide(k);
    }
    const bool is_negative = series.alternates && t % 2 != 0;
    total = total + (is_negative ? -term : term);
  }
  return total;
}

/// exp(x) for |x.high| < 745: 2^times * exp(rest). expm1 = exp(rest) - 1 comes from exp(rest / 512) - 1, squared nine
/// times (512 = 2^9) without the 1, so that its low bits are kept: (1 + expm1)^2 - 1 = 2 expm1 + expm1^2.
Wide exponential(Wide x) {
  const double times = std::nearbyint(x.high / kLn2.high);
  const Wide rest = x + -(kLn2 * wide(times));
  Wide expm1 = taylor(kExpLess1, {rest.high / 512, rest.low / 512});
  for (int i = 0; i < 9; ++i) expm1 = Wide{2 * expm1.high, 2 * expm1.low} + expm1 * expm1;
  const Wide power = wide(1) + expm1;
  // In two factors: 2^exponent alone may overflow or underflow.
  const int exponent = static_cast<int>(times), half = exponent / 2;
  const double first = std::ldexp(1.0, half), second = std::ldexp(1.0, exponent - half);
  return {power.high * first * second, power.low * first * second};
}

/// ln(x) of a positive finite number: a first guess in float64, and ln(1 + error) of x = exp(guess) * (1 + error). The
/// error is below 2^-42, so ln(1 + error) is error - error^2 / 2 to all 106 bits.
Wide logarithm(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  const double guess = exponent * kLn2.high + 2 * s * (1 + atanh_series(s * s, 25));
  // x * exp(-guess) - 1, with the exponent taken off x, because exp(-guess) of extreme x overflows.
  const Wide offset = -wide(guess) + kLn2 * wide(exponent);
  const Wide error = exponential(offset) * wide(mantissa) + wide(-1);
  return wide(guess) + error + -(error * error * wide(0.5));
}

/// The logarithm of a number that is not ordinary: 0, negative, infinite or NaN.
double special_log(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  return x > 0 ? x : std::numeric_limits<double>::quiet_NaN();  // NaN stays NaN, as does infinity
}

bool is_ordinary(double x) { return x > 0 && x <= std::numeric_limits<double>::max(); }

/// sin(x + quarters * pi / 2) for x below 2^20: the sine with 0 quarters, the cosine with 1. Multiples of pi / 2 are
/// taken off x, and choose the series and its sign.
double turned_sine(double x, int quarters) {
  const double times = std::nearbyint(x / kHalfPi[0]);
  Wide rest = wide(x);
  for (const double part : kHalfPi) rest = rest + -product(times, part);
  // From one quadrant to the next, the sine becomes the cosine, minus the sine, minus the cosine.
  const int quadrant = static_cast<int>(static_cast<std::int64_t>(times) + quarters) & 3;
  const Wide value = taylor(quadrant % 2 == 0 ? kSine : kCosine, rest);
  return quadrant < 2 ? value.high : -value.high;
}

/// The common part of fdlibm's logarithms: x = 2^k (1 + f), and the parts of ln(1 + f).
struct LogParts {
  Pair k, f, half_square, s, series;
};

/// Takes positive, finite and normal numbers apart, in fdlibm's steps. The bits of a float64 as a whole number are its
/// exponent, biased by 1023, and 52 bits of mantissa.
LogParts log_parts(Pair x) {
  using Bits = std::uint64_t __attribute__((vector_size(16)));
  const auto bits = [](std::uint64_t of_each) { return Bits{of_each, of_each}; };
  // A mantissa from sqrt(1/2) to sqrt(2), and the exponent that goes with it: x / sqrt(1/2), as bits, has the exponent.
  const Bits one = bits(0x3ff0000000000000), sqrt_half = bits(0x3fe6a09e00000000);
  const Bits quotient = reinterpret_cast<Bits>(x) + (one - sqrt_half);
  const Bits mantissa = (quotient & bits(0x000fffffffffffff)) + sqrt_half;
  // 2^52 + exponent as the bits of a float64: the conversion that wasm lacks.
  const Bits exponent = (quotient >> 52) | bits(0x4330000000000000);
  const Pair k = reinterpret_cast<Pair>(exponent) - splat(0x1p52 + 1023);
  const Pair f = reinterpret_cast<Pair>(mantissa) - splat(1);
  // fdlibm's coefficients Lg1 to Lg7 (e_log.c), those of even and of odd places by themselves.
  const Pair s = f / (splat(2) + f), z = s * s, w = z * z;
  const Pair even = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * splat(0.1531383769920937332)));
  const Pair odd = z * (0.6666666666666735130 +
                        w * (0.2857142874366239149 + w * (0.1818357216161805012 + w * splat(0.1479819860511658591))));
  return {k, f, 0.5 * f * f, s, even + odd};
}

/// Whether both numbers are positive, finite and normal.
bool are_normal(Pair x) {
  const PairBits in_range =
      (x >= splat(std::numeric_limits<double>::min())) & (x <= splat(std::numeric_limits<double>::max()));
  return (in_range[0] & in_range[1]) != 0;
}

/// fdlibm's log of positive, finite and normal numbers: k ln 2 + ln(1 + f), the largest term last.
inline Pair ordinary_natural_log(Pair x) {
  const LogParts p = log_parts(x);
  return p.k * kLn2High - ((p.half_square - (p.s * (p.half_square + p.series) + p.k * kLn2Low)) - p.f);
}

/// log10 of such numbers by the steps of FreeBSD's e_log10.c, with its constants: ln(1 + f) is split into a high part,
/// whose low 32 bits are 0, and a low one, so that the product of the high parts of this and of 1 / ln 10 is exact.
inline Pair ordinary_decimal_log(Pair x) {
  constexpr double kIvln10High = 4.34294481878168880939e-01, kIvln10Low = 2.50829467116452752298e-11;
  constexpr double kLog2High = 3.01029995663611771306e-01, kLog2Low = 3.69423907715893078616e-13;
  const LogParts p = log_parts(x);
  const PairBits upper{INT64_C(-1) << 32, INT64_C(-1) << 32};
  const Pair high = reinterpret_cast<Pair>(reinterpret_cast<PairBits>(p.f - p.half_square) & upper);
  const Pair low = p.f - high - p.half_square + p.s * (p.half_square + p.series);
  const Pair value = high * kIvln10High, whole = p.k * kLog2High;
  const Pair sum = whole + value;
  const Pair rest = p.k * kLog2Low + (low + high) * kIvln10Low + low * kIvln10High + ((whole - sum) + value);
  return rest + sum;
}

}  // namespace

double cosine(double x) { return turned_sine(x, 1); }
double sine(double x) { return turned_sine(x, 0); }

double exponential(double x) {
  if (!(x > -745)) return x <= -745 ? 0 : x;  // NaN stays NaN
  return x < 709 ? exponential(wide(x)).high : std::numeric_limits<double>::infinity();
}

double natural_log(double x) { return is_ordinary(x) ? logarithm(x).high : special_log(x); }
double decimal_log(double x) { return is_ordinary(x) ? (logarithm(x) / kLn10).high : special_log(x); }
double binary_log(double x) { return is_ordinary(x) ? (logarithm(x) / kLn2).high : special_log(x); }

double power(double x, double y) {
  if (y == 0) return 1;
  // 0 and infinity change places for a negative power, and stay for a positive one; NaN stays NaN.
  if (!is_ordinary(x)) return y < 0 ? 1 / x : x;
  const Wide exponent = logarithm(x) * wide(y);
  if (!(exponent.high > -745)) return 0;
  return exponent.high < 709 ? exponential(exponent).high : std::numeric_limits<double>::infinity();
}

double bessel_i0(double x) {
  // Term k is (x^2 / 4)^k / (k!)^2; terms below 1e-18 of the sum change no bit. The limit of k ends the loop for NaN.
  double total = 1, term = 1;
  for (int k = 1; k < 500; ++k) {
    term *= x * x / 4 / (static_cast<double>(k) * k);
    total += term;
    if (term <= total * 1e-18) break;
  }
  return total;
}

double quarter_pi_over(int n) {
  // The quotient rounded to 64 bits, then to 53. pi has 64 bits too: 0xc90fdaa22168c235 * 2^-62.
  const Wide quotient = Wide{0x1.921fb54442d18p-1, 0x235p-64} / wide(n);
  int exponent = 0;
  std::frexp(quotient.high, &exponent);
  // Adding and taking off 1.5 * 2^52 units of the 64th bit rounds to that bit.
  const double keep = std::ldexp(1.5, exponent - 64 + 52);
  return quotient.high + ((quotient.low + keep) - keep);
}

void natural_logs(Pair* x, int count) {
  // Of a pair that fdlibm's steps do not take (0, subnormal, negative, infinite, NaN) each number goes by itself.
  for (int i = 0; i < count; ++i) {
    x[i] = are_normal(x[i]) ? ordinary_natural_log(x[i]) : Pair{natural_log(x[i][0]), natural_log(x[i][1])};
  }
}

void decimal_logs(Pair* x, int count) {
  // Of a pair that fdlibm's steps do not take (0, subnormal, negative, infinite, NaN) each number goes by itself.
  for (int i = 0; i < count; ++i) {
    x[i] = are_normal(x[i]) ? ordinary_decimal_log(x[i]) : Pair{decimal_log(x[i][0]), decimal_log(x[i][1])};
  }
}

Pair natural_log(Pair x) {
  natural_logs(&x, 1);
  return x;
}

Pair decimal_log(Pair x) {
  decimal_logs(&x, 1);
  return x;
}

}  // namespace layout
