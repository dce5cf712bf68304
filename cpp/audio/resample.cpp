// audio/resample.h says what these functions do.

#include "audio/resample.h"

#include <algorithm>
#include <cmath>

#include "audio/numbers.h"
#include "bits/simd128.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Rounds to float32, as float64 again.
double narrow(double x) { return static_cast<double>(static_cast<float>(x)); }

/// Computes the sine of x, below 2^20, within some ulps, faster than `sine`: tables of coprime rates have millions.
/// Near a multiple of pi the relative error stays as small, because np.sinc is not 0 there.
double quick_sine(double x) {
  const double times = std::nearbyint(x / kPi);
  // pi in parts of 33 bits, whose products with `times` are exact (fdlibm's pi / 2, doubled).
  const double rest =
      ((x - times * 3.14159265346825122834) - times * 1.2154201012607931953e-10) - times * 4.0445324974223329116e-21;
  // Taylor's series of the rest, from its last term on. An odd multiple of pi changes the sign.
  const double square = rest * rest;
  double sum = 0;
  for (int k = 23; k > 1; k -= 2) sum = (sum + 1) * (-square / (k * (k - 1)));
  const double value = rest * (1 + sum);
  return std::fmod(times, 2) == 0 ? value : -value;
}

double sinc(double x) { return x == 0 ? 1 : quick_sine(kPi * x) / (kPi * x); }

/// torchaudio's base frequency: the lower rate times the rolloff.
double base_of(const Resampling& r) { return std::min(r.up, r.down) * r.cutoff; }

/// torchaudio's weight of sample `index` of row 0 for output `phase`, in its float32 steps: window(t) * sinc(t) * base
/// / down, where t is the distance in zero crossings.
double torch_weight(const Resampling& r, int phase, int index) {
  const double base = base_of(r), width = narrow(r.width);
  double t = narrow(narrow(narrow(-phase) / narrow(r.up)) + narrow(narrow(index) / narrow(r.down)));
  t = std::clamp(narrow(t * narrow(base)), -width, width);
  double w = 0;
  if (r.sinc == Sinc::kTorchHann) {
    // cos(pi t / width / 2)^2: the sine of an angle that is pi / 2 more is its cosine.
    w = narrow(quick_sine(narrow(narrow(narrow(t * narrow(kPi)) / width) / 2) + kPi / 2));
    w = narrow(w * w);
  } else {
    const double q = narrow(t / width), beta = narrow(r.beta);
    const double argument = narrow(beta * narrow(std::sqrt(narrow(1 - narrow(q * q)))));
    w = narrow(narrow(bessel_i0(argument)) / narrow(bessel_i0(beta)));
  }
  t = narrow(t * narrow(kPi));
  const double s = t == 0 ? 1 : narrow(narrow(quick_sine(t)) / t);
  return narrow(s * narrow(w * narrow(base / r.down)));
}

/// Half of torchaudio's filter, in whole samples of the input: `width` zero crossings of the sinc.
double torch_width(const Resampling& r) { return std::ceil(r.width * r.down / base_of(r)); }

/// A Kaiser window at `t` of -1 to 1.
double kaiser(double t, double beta) { return bessel_i0(beta * std::sqrt(1 - t * t)) / bessel_i0(beta); }

/// scipy.signal.firwin's weight, before the division by the sum, `k` samples of the upsampled signal from the filter's
/// middle: a sinc under a Kaiser window, 0 beyond the half-width. Its cutoff is that of resample_poly, 1 / max(up,
/// down).
double scipy_weight(const Resampling& r, double k) {
  const double rate = std::max(r.up, r.down);
  return std::fabs(k) > r.width ? 0 : sinc(k / rate) / rate * kaiser(k / r.width, r.beta);
}

/// soxr's weight at a distance of `t` samples of the input: a sinc under a Kaiser window, 0 beyond the half-width. The
/// cutoff and the half-width are of samples of the rate `scale` times lower.
double kaiser_sinc(const Resampling& r, double t) {
  t /= r.scale;
  return std::fabs(t) < r.width ? r.cutoff * sinc(r.cutoff * t) * kaiser(t / r.width, r.beta) / r.scale : 0;
}

/// A signal as `down` planes, `stride` numbers apart: plane q has samples q, q + down, q + 2 * down, ... side by side.
struct Planes {
  const float* at;
  int down;
  std::ptrdiff_t stride;
};

/// Where the outputs of one phase go, `up` numbers apart.
struct Outputs {
  float* at;
  int count, up;
};

/// Sums the outputs of one phase in up to 4 * kVectors rows: output i is the sum of w[k] times sample first + k of row
/// i. The sums stay in registers.
template <int kVectors>
void sum_rows(const Planes& planes, int first, const float* w, int taps, const Outputs& out) {
  v128_t sums[kVectors] = {};
  // Sample `first` lies in plane first % down; each next one in the next plane, after the last one in the first again.
  int q = first % planes.down;
  const float* plane = planes.at + planes.stride * q + first / planes.down;
  const std::ptrdiff_t back = 1 - planes.stride * (planes.down - 1);
  for (int k = 0; k < taps; ++k) {
    const v128_t weight = wasm_v128_load32_splat(w + k);
    LAYOUT_UNROLL
    for (int i = 0; i < kVectors; ++i) {
      sums[i] = wasm_f32x4_add(sums[i], wasm_f32x4_mul(weight, wasm_v128_load(plane + 4 * i)));
    }
    const bool is_last = ++q == planes.down;
    plane += is_last ? back : planes.stride;
    if (is_last) q = 0;
  }
  // Outputs of other phases lie between these, unless `up` is 1.
  float scattered[4 * kVectors];
  float* stored = out.up == 1 && out.count == 4 * kVectors ? out.at : scattered;
  LAYOUT_UNROLL
  for (int i = 0; i < kVectors; ++i) wasm_v128_store(stored + 4 * i, sums[i]);
  if (stored == out.at) return;
  for (int i = 0; i < out.count; ++i) out.at[static_cast<std::ptrdiff_t>(i) * out.up] = scattered[i];
}

/// a / b rounded down, for b > 0.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Finds the index of the first sample that has a weight for output `phase`, as make_phase returns it. The output lies
/// at phase * down / up samples, and each filter reaches its half-width before that.
int first_of(const Resampling& r, int phase) {
  const auto at = static_cast<std::int64_t>(phase) * r.down;
  switch (r.sinc) {
    case Sinc::kTorchHann:
    case Sinc::kTorchKaiser:
      return static_cast<int>(floor_quotient(at, r.up)) - static_cast<int>(torch_width(r));
    case Sinc::kScipy:  // (at - width) / up, rounded up: the width is in upsampled samples
      return static_cast<int>(-floor_quotient(static_cast<std::int64_t>(r.width) - at, r.up));
    case Sinc::kKaiser:
      return static_cast<int>(floor_quotient(at, r.up) - static_cast<int>(r.width * r.scale));
  }
  return 0;
}

/// scipy's weight of sample `index` for output `phase`, in float64 and divided by the sum of all. Their distance is in
/// samples of the upsampled signal, whose rate is `up` times the input's.
double scaled_scipy_weight(const Resampling& r, int phase, int index) {
  const auto k = static_cast<std::int64_t>(phase) * r.down - static_cast<std::int64_t>(index) * r.up;
  return scipy_weight(r, static_cast<double>(k)) / r.scale;
}

}  // namespace

double tap_count(const Resampling& r) {
  // From first_of on: the half-width before the sample at or before the output, and that behind the next one. scipy has
  // every `up`-th number of its filter.
  switch (r.sinc) {
    case Sinc::kTorchHann:
    case Sinc::kTorchKaiser:
      return 2 * torch_width(r) + 2;
    case Sinc::kScipy:
      return std::floor(2 * r.width / r.up) + 1;
    case Sinc::kKaiser:
      return 2 * std::floor(r.width * r.scale) + 2;
  }
  return 0;
}

int make_phase(const Resampling& r, int phase, float* weights) {
  const int first = first_of(r, phase), taps = static_cast<int>(tap_count(r));
  for (int i = 0; i < taps; ++i) {
    const int index = first + i;
    const double at = static_cast<double>(phase) * r.down / r.up - index;
    double weight = 0;
    switch (r.sinc) {
      case Sinc::kTorchHann:
      case Sinc::kTorchKaiser: {
        // torchaudio's table has the `down` samples of a row, and `width` on both sides: none from there on.
        const double width = torch_width(r);
        weight = index < width + r.down ? torch_weight(r, phase, index) : 0;
        break;
      }
      case Sinc::kScipy:
        // scipy rounds its filter to the type of the samples before it multiplies it by `up`.
        weight = narrow(scaled_scipy_weight(r, phase, index)) * r.up;
        break;
      case Sinc::kKaiser:
        weight = kaiser_sinc(r, at);
        break;
    }
    weights[i] = static_cast<float>(weight);
  }
  return first;
}

double sum_of_weights(const Resampling& r) {
  double sum = scipy_weight(r, 0);
  for (double k = 1; k <= r.width; ++k) sum += 2 * scipy_weight(r, k);
  return sum;
}

void resample_rows(const PhaseTable& table, const float* from, int rows, float* planes, float* to) {
  const auto [firsts, weights, up, down, taps] = table;
  int span = 0;
  for (int phase = 0; phase < up; ++phase) span = std::max(span, firsts[phase] + taps);
  const int length = plane_length(rows, down, span);
  // Sample k of neighboring rows lies `down` samples apart, but side by side in a plane, so that one load has four
  // rows.
  if (down > 1) flip_numbers(from, static_cast<std::ptrdiff_t>(rows - 1) * down + span, down, planes, length);
  for (int phase = 0; phase < up; ++phase) {
    const float* w = weights + static_cast<std::ptrdiff_t>(phase) * taps;
    for (int row = 0, count = 0; row < rows; row += count) {
      const Planes source{(down > 1 ? planes : from) + row, down, down > 1 ? length : 0};
      // Where more than two narrow calls are needed, a wide one is, even if some of its rows are not there.
      const bool is_wide = rows - row > kRows - kNarrowRows;
      count = std::min(is_wide ? kRows : kNarrowRows, rows - row);
      const auto sum = is_wide ? sum_rows<kRows / 4> : sum_rows<kNarrowRows / 4>;
      sum(source, firsts[phase], w, taps, {to + static_cast<std::ptrdiff_t>(row) * up + phase, count, up});
    }
  }
}

void resample_row(const PhaseTable& table, const float* from, float* to) {
  const auto [firsts, weights, up, down, taps] = table;
  constexpr int kTogether = 4;  // sums that do not wait for each other: twice as fast as one
  for (int phase = 0; phase < up; phase += kTogether) {
    const int count = std::min(kTogether, up - phase);
    const float* w[kTogether];
    const float* x[kTogether];
    float sums[kTogether] = {};
    // Where fewer phases are left, the last one is summed again, and only one of its sums is copied.
    for (int i = 0; i < kTogether; ++i) {
      const int source_phase = phase + std::min(i, count - 1);
      w[i] = weights + static_cast<std::ptrdiff_t>(source_phase) * taps;
      x[i] = from + firsts[source_phase];
    }
    for (int k = 0; k < taps; ++k) {
      LAYOUT_UNROLL
      for (int i = 0; i < kTogether; ++i) sums[i] += w[i][k] * x[i][k];
    }
    std::copy(sums, sums + count, to + phase);
  }
}

void resample_wide(const Resampling& r, const WideOutputs& out, const double* from, double* weights) {
  const int taps = static_cast<int>(tap_count(r));
  // Outputs of one phase share their weights: output i and every `up`-th after it.
  for (int i = 0; i < std::min(r.up, out.count); ++i) {
    const int phase = static_cast<int>((out.first + i) % r.up);
    const int first = first_of(r, phase);
    for (int k = 0; k < taps; ++k) weights[k] = scaled_scipy_weight(r, phase, first + k) * r.up;
    // The first sample of this output's row, and from there its first weight's; rows then lie `down` samples apart.
    const double* at = from + (first + (out.first + i) / r.up * r.down - out.first_sample);
    for (int m = i; m < out.count; m += r.up, at += r.down) {
      double sum = 0;
      for (int k = 0; k < taps; ++k) sum += weights[k] * at[k];
      out.to[m] = sum;
    }
  }
}

}  // namespace layout
