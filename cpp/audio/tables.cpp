// audio/tables.h says what these functions do.

#include "audio/tables.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "audio/energies.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

/// NumPy's cos of float32: a multiple of pi/2 is taken off in three parts, then a polynomial, all with fused products.
double numpy_cos32(double x) {
  const auto fused = [](double a, double b, double c) { return fused_float32(splat(a), splat(b), splat(c))[0]; };
  constexpr double kRounder = 1.5 * (1 << 23);  // a sum with it is rounded to a whole number
  constexpr double kTwoOverPi = 0x1.45f306p-1;
  const double quarters = to_float32(fused(x, kTwoOverPi, kRounder) - kRounder);
  double rest = x;
  for (const double part : {-0x1.921fb0p+0, -0x1.5110b4p-22, -0x1.846988p-48}) rest = fused(quarters, part, rest);
  const double square = to_float32(rest * rest);
  double cosine = 0x1.98e616p-16;
  for (const double term : {-0x1.6c06dcp-10, 0x1.55553cp-5, -0x1p-1, 0x1p+0}) cosine = fused(cosine, square, term);
  double sine = 0x1.7d3bbcp-19;
  for (const double term : {-0x1.a06bbap-13, 0x1.11119ap-7, -0x1.555556p-3, 0.0}) sine = fused(sine, square, term);
  sine = fused(sine, rest, rest);
  switch (static_cast<int>(quarters) & 3) {
    case 0:
      return cosine;
    case 1:
      return -sine;
    case 2:
      return -cosine;
    default:
      return sine;
  }
}

bool is_torch(Window kind) { return kind >= Window::kTorchHann && kind <= Window::kTorchHammingWide; }

/// Number i of torch's window of a period: a + (a - 1) cos(2 pi i / period), in float32 steps unless it is wide.
double torch_window_at(Window kind, int period, int i) {
  const bool is_wide = kind == Window::kTorchHannWide || kind == Window::kTorchHammingWide;
  const auto step = [&](double x) { return is_wide ? x : to_float32(x); };
  const bool is_hamming = kind == Window::kTorchHamming || kind == Window::kTorchHammingWide;
  const double a = is_hamming ? 0.54 : 0.5;
  const double angle = step(i * step(2 * kPi / period));
  const double product = step(step(cosine(angle)) * step(a - 1));
  const double value = step(product + step(a));
  return kind == Window::kTorchPovey ? to_float32(power(value, 0.85)) : value;
}

/// Point i of NumPy's window: a + (1 - a) cos(angle), of an angle from -pi to pi.
double window_at(Window kind, int points, int i) {
  const double angle = kPi * (2 * i + 1 - points) / (points - 1);
  const bool is_hamming = kind == Window::kHamming;
  const double middle = is_hamming ? 0.54 : 0.5, swing = is_hamming ? 0.46 : 0.5;
  const double value = middle + swing * cosine(angle);
  return kind == Window::kPovey ? power(value, 0.85) : value;
}

/// Number i of Gemma 3n's window, Hann's of the period `length` in NumPy's float32 steps: 0.5 (1 - cos(2 pi i /
/// length)).
double gemma3n_window_at(int length, int i) {
  const double angle = to_float32(to_float32(i * to_float32(2 * kPi)) / length);
  return to_float32(0.5 * to_float32(1 - numpy_cos32(angle)));
}

/// Rounds to so many bits of significand, halves to even. Numbers whose exponent (std::frexp's) is below the least one
/// are subnormal: they are rounded to the unit of the least one.
double round_significand(double x, int bits, int least_exponent) {
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent, least_exponent) - bits);
  return std::nearbyint(x / unit) * unit;
}

/// Rounds to float16, where numbers below 2^-14 are multiples of 2^-24. Tables hold none above 65504.
double round_to_float16(double x) { return round_significand(x, 11, -13); }

/// Rounds to bfloat16. Tables hold no subnormal ones.
double round_to_bfloat16(double x) { return round_significand(x, 8, std::numeric_limits<int>::min()); }

}  // namespace

void make_window(Window kind, int length, bool periodic, double* to) {
  const int points = periodic ? length + 1 : length;
  // A window of one point is [1]. NumPy counts the point that a periodic window leaves out, torch does not.
  const bool is_single = (kind < Window::kTorchHann && points == 1) || (is_torch(kind) && length == 1);
  if (kind == Window::kBoxcar || is_single) {
    std::fill_n(to, length, 1.0);
    return;
  }
  for (int i = 0; i < length; ++i) {
    if (kind == Window::kGemma3n) {
      to[i] = gemma3n_window_at(length, i);
    } else if (is_torch(kind)) {
      to[i] = torch_window_at(kind, points - 1, i);
    } else {
      to[i] = window_at(kind, points, i);
    }
  }
}

void round_numbers(Precision precision, double* x, int count) {
  for (int i = 0; i < count; ++i) {
    switch (precision) {
      case Precision::kFloat64:
        break;
      case Precision::kFloat32:
        x[i] = to_float32(x[i]);
        break;
      case Precision::kFloat16:
        x[i] = round_to_float16(to_float32(x[i]));
        break;
      case Precision::kBfloat16:
        x[i] = round_to_bfloat16(to_float32(x[i]));
        break;
    }
  }
}

/// Row k has the numbers cos(pi / size * (m + 0.5) * k), divided by their norm.
void make_dct(int size, int count, double* to) {
  for (int k = 0; k < count; ++k) {
    const double squares = k == 0 ? size : size / 2.0;
    const double scale = __builtin_sqrt(1 / squares);
    for (int m = 0; m < size; ++m) *to++ = scale * cosine(kPi / size * (m + 0.5) * k);
  }
}

}  // namespace layout
