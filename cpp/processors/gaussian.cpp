// processors/gaussian.h says what these functions do.

#include "processors/gaussian.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "elementary/elementary.h"

namespace layout {

namespace {

/// How many sums torch (float32) and NumPy (float64) have side by side.
constexpr int kSums = 8;

/// One product and a sum with one rounding, where both are exact in float64.
float fused(float a, float b, float c) { return static_cast<float>(static_cast<double>(a) * b + c); }

/// torch's exponential of float32, for numbers up to 0: 2^times * exp(s), with s = x - times * ln 2. ln 2 has two
/// parts, and exp(s) is a polynomial: the constants are those of Sleef's expf_u10. Below -104 the result rounds to 0.
float torch_exponential(float x) {
  if (x < -104) return 0;
  const auto times = static_cast<float>(std::floor(static_cast<double>(x * 1.4426950408889634f) + 0.5));
  const float s = fused(times, -1.428606765330187e-6f, fused(times, -0.693145751953125f, x));
  float series = 0.00019852761612365313f;
  for (const float term :
       {0.001393043552525341f, 0.008333360776305199f, 0.04166646853920547f, 0.1666666716336204f, 0.5f})
    series = fused(series, s, term);
  const double power = std::ldexp(1.0, static_cast<int>(times));
  return static_cast<float>((1 + fused(s * s, series, s)) * power);
}

}  // namespace

int torch_reach(float sigma) { return static_cast<int>(std::ceil(3 * sigma)); }

void torch_gaussian(float sigma, float* weights) {
  const int reach = torch_reach(sigma), length = 2 * reach + 1;
  // -(x / sigma)^2 at places x from -limit to limit, one for each pixel, then the softmax. A pixel at the distance d
  // lies at d / sqrt(2), which makes this a Gaussian: exp(-d^2 / (2 sigma^2)).
  const double limit = reach / std::sqrt(2.0);
  const float edge = static_cast<float>(limit), step = static_cast<float>(2 * limit) / static_cast<float>(2 * reach);
  for (int k = 0; k < length; ++k) {
    const int from_end = std::min(k, 2 * reach - k);  // torch.linspace counts from the nearer end
    const float x = fused(step, static_cast<float>(from_end), -edge);
    const float deviations = x / sigma;
    weights[k] = -(deviations * deviations);
  }
  const float largest = *std::max_element(weights, weights + length);
  float sums[kSums] = {};
  for (int k = 0; k < length; ++k) {
    weights[k] = torch_exponential(weights[k] - largest);
    // torch sums in the eight lanes of a vector, and shorter rows in order.
    sums[length < kSums ? 0 : k % kSums] += weights[k];
  }
  for (int half = kSums / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) sums[k] += sums[k + half];
  const float factor = 1 / sums[0];
  for (int k = 0; k < length; ++k) weights[k] *= factor;
}

int scipy_reach(double sigma) { return static_cast<int>(4 * sigma + 0.5); }  // scipy's `truncate` of 4 deviations

void scipy_gaussian(double sigma, double* weights) {
  const int reach = scipy_reach(sigma), length = 2 * reach + 1, tail = length - length % kSums;
  const double factor = -0.5 / (sigma * sigma);
  for (int k = 0; k <= reach; ++k) weights[k] = fdlibm_exp(factor * k * k);
  // NumPy's order: eight sums, joined in pairs, then the numbers after the last eight (all, if there are fewer than
  // eight). Weight k of all is weights[|k - reach|], as only those from the middle outwards are stored.
  double sums[kSums] = {};
  for (int k = 0; k < tail; ++k) sums[k % kSums] += weights[std::abs(k - reach)];
  double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (int k = tail; k < length; ++k) sum += weights[std::abs(k - reach)];
  for (int k = 0; k <= reach; ++k) weights[k] /= sum;
}

}  // namespace layout
