// Elementary functions against the host's long double ones: those of tables are the nearest float64 in all but a few
// cases of a thousand, those of pairs are within two ulps.

#include <cmath>
#include <limits>

#include "check.h"
#include "elementary/elementary.h"

namespace {

/// A number in [low, high).
double between(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.bits() >> 11) * 0x1p-53;
}

/// How many ulps of `exact` lie between the two.
double ulps(double value, long double exact) {
  const double nearest = static_cast<double>(exact);
  const double ulp = std::nextafter(std::fabs(nearest), std::numeric_limits<double>::infinity()) - std::fabs(nearest);
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact)) / ulp;
}

void check_tables() {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = between(random, -60, 60), y = std::exp(between(random, -300, 300)), p = between(random, -3, 3);
    const long double wide_x = x, wide_y = y;
    check(ulps(layout::cosine(x), std::cos(wide_x)) < 0.51, "cos %a", x);
    check(ulps(layout::sine(x), std::sin(wide_x)) < 0.51, "sin %a", x);
    check(ulps(layout::exponential(x), std::exp(wide_x)) < 0.51, "exp %a", x);
    check(ulps(layout::natural_log(y), std::log(wide_y)) < 0.51, "log %a", y);
    check(ulps(layout::decimal_log(y), std::log10(wide_y)) < 0.51, "log10 %a", y);
    check(ulps(layout::binary_log(y), std::log2(wide_y)) < 0.51, "log2 %a", y);
    const double base = std::fabs(x) + 1e-9;
    check(ulps(layout::power(base, p), std::pow(static_cast<long double>(base), static_cast<long double>(p))) < 0.51,
          "pow %a %a", base, p);
  }
}

void check_pairs() {
  Random random(2);
  for (int i = 0; i < 200000; ++i) {
    const double a = std::exp(between(random, -700, 700)), b = between(random, 0.5, 2);
    const layout::Pair x{a, b}, natural = layout::natural_log(x), decimal = layout::decimal_log(x);
    for (int lane = 0; lane < 2; ++lane) {
      const long double wide = lane == 0 ? a : b;
      check(ulps(natural[lane], std::log(wide)) < 2, "log %a", static_cast<double>(wide));
      check(ulps(decimal[lane], std::log10(wide)) < 2, "log10 %a", static_cast<double>(wide));
    }
  }
}

void check_special() {
  const double infinity = std::numeric_limits<double>::infinity();
  check(layout::natural_log(0.0) == -infinity, "log 0");
  check(std::isnan(layout::natural_log(-1.0)), "log -1");
  check(layout::natural_log(infinity) == infinity, "log inf");
  check(layout::exponential(-800) == 0 && layout::exponential(800) == infinity, "exp");
  check(layout::power(0, 2) == 0 && layout::power(0, 0) == 1 && layout::power(0, -1) == infinity, "pow 0");
  const layout::Pair mixed = layout::decimal_log(layout::Pair{0, 1000});
  check(mixed[0] == -infinity && mixed[1] == 3, "log10 of 0 beside 1000: %a %a", mixed[0], mixed[1]);
  const layout::Pair tiny = layout::natural_log(layout::Pair{5e-324, 1});
  check(std::fabs(tiny[0] - std::log(5e-324)) < 1e-12 && tiny[1] == 0, "log of a subnormal: %a", tiny[0]);
}

/// Numbers whose exponentials are not the nearest float64 in fdlibm, where a whole power of two begins, and near 0.
void check_fdlibm() {
  constexpr double kExponentials[][2] = {
      {-0x1.e2db0428a9d67p-1, 0x1.8ec61e6e8d68ep-2},  {-0x1.aac32b316d8fdp-1, 0x1.bcf204857c034p-2},
      {-0x1.3a0e9e7165867p+0, 0x1.2c4570c116e60p-2},  {-0x1.1c2711fefc5bdp+2, 0x1.8292eaf47149ap-7},
      {-0x1.f4da0136719fap+2, 0x1.a2b160503795ep-12}, {-0x1.62e43096a0c0dp-2, 0x1.6a09e62ce9a30p-1},
      {-0x1.62e433f19f143p-2, 0x1.6a09e4fd366d4p-1},  {-0x1.0a2b2242a00dap+0, 0x1.6a09e8cc74326p-2},
      {-0x1.0a2b2470f890ap+0, 0x1.6a09e5b6d56fap-2},  {-0x1.9c511dcc3a41fp-29, 0x1.ffffffe63aee2p-1},
  };
  for (const auto [x, exponential] : kExponentials) check(layout::fdlibm_exp(x) == exponential, "fdlibm's exp %a", x);
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const double x = between(random, -700, 700);
    check(ulps(layout::fdlibm_exp(x), std::exp(static_cast<long double>(x))) < 1, "fdlibm's exp %a", x);
  }
}

}  // namespace

int main() {
  check_tables();
  check_fdlibm();
  check_pairs();
  check_special();
}
