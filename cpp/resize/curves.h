#pragma once

#include <cmath>

namespace layout {

// The filters' curves, in double. The order of the operations counts, since results have to be equal to the bit.

constexpr double kPi = 3.14159265358979323846;

/// A triangle: 1 at 0, 0 from a distance of 1 on.
inline double bilinear(double x) {
  x = std::fabs(x);
  return x < 1.0 ? 1.0 - x : 0.0;
}

/// Cubic convolution with a factor `a`, 0 from a distance of 2 on.
inline double torch_cubic(double x, double a) {
  x = std::fabs(x);
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
  return x < 2.0 ? ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a : 0.0;
}

/// sin(pi x) / (pi x).
inline double sinc(double x) {
  if (x == 0.0) return 1.0;
  x *= kPi;
  return std::sin(x) / x;
}

inline double lanczos(double x) { return -3.0 <= x && x < 3.0 ? sinc(x) * sinc(x / 3.0) : 0.0; }

}  // namespace layout
