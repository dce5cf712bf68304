// audio/resample.h says what these functions do.

#include "audio/resample.h"

#include <algorithm>
#include <cmath>

#include "audio/numbers.h"
#include "bits/simd128.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

/// Computes the sine of x, below 2^20, within some ulps, faster than `sine`: tables of coprime rates have millions.
/// Near a multiple of pi the relative error stays as small, because np.sinc is not 0 there.
double quick_sine(double x) {
  // pi in parts of 33 bits, whose products with `times` are exact (fdlibm's pi / 2, doubled).
  constexpr double kHigh = 3.14159265346825122834, kMiddle = 1.2154201012607931953e-10,
                   kLow = 4.0445324974223329116e-21;
  const double times = std::nearbyint(x / kPi);
  const double rest = ((x - times * kHigh) - times * kMiddle) - times * kLow;
  // Taylor's series of the rest, from its last term on. An odd multiple of pi changes the sign.
  const double square = rest * rest;
  double sum = 0;
  for (int k = 23; k > 1; k -= 2) sum = (sum + 1) * (-square / (k * (k - 1)));
  const double value = rest * (1 + sum);
  const bool is_even = std::fmod(times, 2) == 0;
  return is_even ? value : -value;
}

double sinc(double x) { return x == 0 ? 1 : quick_sine(kPi * x) / (kPi * x); }

/// torchaudio's base frequency: the lower rate times the rolloff.
double base_of(const Resampling& r) { return std::min(r.up, r.down) * r.cutoff; }

/// Hann's window of torchaudio's filter: cos(pi t / width / 2)^2, in float32 steps.
float torch_hann(float t, float width) {
  const float angle = t * static_cast<float>(kPi) / width / 2;
  const auto cosine = static_cast<float>(quick_sine(static_cast<double>(angle) + kPi / 2));
  return cosine * cosine;
}

/// Kaiser's window of torchaudio's filter, in float32 steps.
float torch_kaiser(float t, float width, float beta) {
  const auto bessel = [](float x) { return static_cast<float>(bessel_i0(static_cast<double>(x))); };
  const float part = t / width;
  return bessel(beta * std::sqrt(1 - part * part)) / bessel(beta);
}

/// torchaudio's weight of sample `index` of row 0 for output `phase`, in its float32 steps: window(t) * sinc(t) * base
/// / down, where t is the distance in zero crossings.
float torch_weight(const Resampling& r, int phase, int index) {
  const double base = base_of(r);
  const auto width = static_cast<float>(r.width);
  const float time =
      static_cast<float>(-phase) / static_cast<float>(r.up) + static_cast<float>(index) / static_cast<float>(r.down);
  const float t = std::clamp(time * static_cast<float>(base), -width, width);
  const bool is_hann = r.sinc == Sinc::kTorchHann;
  const float window = is_hann ? torch_hann(t, width) : torch_kaiser(t, width, static_cast<float>(r.beta));
  const float angle = t * static_cast<float>(kPi);
  const float sinc = angle == 0 ? 1 : static_cast<float>(quick_sine(static_cast<double>(angle))) / angle;
  const auto scale = static_cast<float>(base / r.down);
  return sinc * (window * scale);
}

/// Half of torchaudio's filter, in whole samples of the input: `width` zero crossings of the sinc.
double torch_width(const Resampling& r) { return std::ceil(r.width * r.down / base_of(r)); }

/// A Kaiser window at `t` of -1 to 1.
double kaiser(double t, double beta) { return bessel_i0(beta * std::sqrt(1 - t * t)) / bessel_i0(beta); }

/// scipy.signal.firwin's weight, before the division by the sum, `k` samples of the upsampled signal from the filter's
/// middle: a sinc under a Kaiser window, 0 beyond the half-width. Its cutoff is that of resample_poly, 1 / max(up,
/// down).
double scipy_weight(const Resampling& r, double k) {
  if (std::fabs(k) > r.width) return 0;
  const double rate = std::max(r.up, r.down);
  return sinc(k / rate) / rate * kaiser(k / r.width, r.beta);
}

/// soxr's weight at a distance of `t` samples of the input: a sinc under a Kaiser window, 0 beyond the half-width. The
/// cutoff and the half-width are of samples of the rate `scale` times lower.
double kaiser_sinc(const Resampling& r, double t) {
  const double lower = t / r.scale;
  if (!(std::fabs(lower) < r.width)) return 0;
  return r.cutoff * sinc(r.cutoff * lower) * kaiser(lower / r.width, r.beta) / r.scale;
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
  int plane = first % planes.down;
  const float* sample = planes.at + planes.stride * plane + first / planes.down;
  const std::ptrdiff_t to_first_plane = 1 - planes.stride * (planes.down - 1);
  for (int k = 0; k < taps; ++k) {
    const v128_t weight = wasm_v128_load32_splat(w + k);
    LAYOUT_UNROLL
    for (int i = 0; i < kVectors; ++i) {
      sums[i] = wasm_f32x4_add(sums[i], wasm_f32x4_mul(weight, wasm_v128_load(sample + 4 * i)));
    }
    ++plane;
    const bool was_last = plane == planes.down;
    sample += was_last ? to_first_plane : planes.stride;
    if (was_last) plane = 0;
  }
  // Outputs of other phases lie between these, unless `up` is 1.
  float scattered[4 * kVectors];
  const bool is_contiguous = out.up == 1 && out.count == 4 * kVectors;
  float* stored = is_contiguous ? out.at : scattered;
  LAYOUT_UNROLL
  for (int i = 0; i < kVectors; ++i) wasm_v128_store(stored + 4 * i, sums[i]);
  if (is_contiguous) return;
  for (int i = 0; i < out.count; ++i) out.at[static_cast<std::ptrdiff_t>(i) * out.up] = scattered[i];
}

/// a / b rounded down, for b > 0.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
/// a / b rounded up, likewise.
std::int64_t ceil_quotient(std::int64_t a, std::int64_t b) { return -floor_quotient(-a, b); }

/// Finds the index of the first sample that has a weight for output `phase`, as make_phase returns it. The output lies
/// at phase * down / up samples, and each filter reaches its half-width before that.
int first_of(const Resampling& r, int phase) {
  const auto upsampled_at = static_cast<std::int64_t>(phase) * r.down;
  switch (r.sinc) {
    case Sinc::kTorchHann:
    case Sinc::kTorchKaiser:
      return static_cast<int>(floor_quotient(upsampled_at, r.up)) - static_cast<int>(torch_width(r));
    case Sinc::kScipy:  // its width is in upsampled samples
      return static_cast<int>(ceil_quotient(upsampled_at - static_cast<std::int64_t>(r.width), r.up));
    case Sinc::kKaiser:
      return static_cast<int>(floor_quotient(upsampled_at, r.up) - static_cast<int>(r.width * r.scale));
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
  // Both half-widths, and the two samples around the output that they are counted from.
  switch (r.sinc) {
    case Sinc::kTorchHann:
    case Sinc::kTorchKaiser:
      return 2 * torch_width(r) + 2;
    case Sinc::kScipy:  // every `up`-th number of the filter
      return std::floor(2 * r.width / r.up) + 1;
    case Sinc::kKaiser:
      return 2 * std::floor(r.width * r.scale) + 2;
  }
  return 0;
}

namespace {

/// The weight of sample `index` for output `phase`, before it is rounded to float32.
double weight_of(const Resampling& r, int phase, int index) {
  switch (r.sinc) {
    case Sinc::kTorchHann:
    case Sinc::kTorchKaiser: {
      // torchaudio's table has the `down` samples of a row, and `width` on both sides: none from there on.
      const bool is_in_table = index < torch_width(r) + r.down;
      return is_in_table ? static_cast<double>(torch_weight(r, phase, index)) : 0;
    }
    case Sinc::kScipy:
      // scipy rounds its filter to the type of the samples before it multiplies it by `up`.
      return to_float32(scaled_scipy_weight(r, phase, index)) * r.up;
    case Sinc::kKaiser:
      return kaiser_sinc(r, static_cast<double>(phase) * r.down / r.up - index);
  }
  return 0;
}

}  // namespace

int make_phase(const Resampling& r, int phase, float* weights) {
  const int first = first_of(r, phase), taps = static_cast<int>(tap_count(r));
  for (int i = 0; i < taps; ++i) weights[i] = static_cast<float>(weight_of(r, phase, first + i));
  return first;
}

/// Sums the weights of scipy's filter, which is even.
double sum_of_weights(const Resampling& r) {
  double sum = scipy_weight(r, 0);
  for (double k = 1; k <= r.width; ++k) sum += 2 * scipy_weight(r, k);
  return sum;
}

/// Goes phase by phase, so that rows share the loads of weights.
void resample_rows(const PhaseTable& table, const float* from, int rows, float* planes, float* to) {
  const auto [firsts, weights, up, down, taps] = table;
  int span = 0;  // of the samples that a row reads
  for (int phase = 0; phase < up; ++phase) span = std::max(span, firsts[phase] + taps);
  Planes source{from, down, 0};
  // Sample k of neighboring rows lies `down` samples apart, but side by side in a plane, so that one load has four
  // rows.
  if (down > 1) {
    const int length = plane_length(rows, down, span);
    flip_numbers(from, static_cast<std::ptrdiff_t>(rows - 1) * down + span, down, planes, length);
    source = {planes, down, length};
  }
  for (int phase = 0; phase < up; ++phase) {
    const float* w = weights + static_cast<std::ptrdiff_t>(phase) * taps;
    for (int row = 0, count = 0; row < rows; row += count) {
      // Where more than two narrow calls are needed, a wide one is, even if some of its rows are not there.
      const bool is_wide = rows - row > kRows - kNarrowRows;
      count = std::min(is_wide ? kRows : kNarrowRows, rows - row);
      const auto sum = is_wide ? sum_rows<kRows / 4> : sum_rows<kNarrowRows / 4>;
      const Outputs outputs{to + static_cast<std::ptrdiff_t>(row) * up + phase, count, up};
      sum({source.at + row, down, source.stride}, firsts[phase], w, taps, outputs);
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
    const std::int64_t row = (out.first + i) / r.up;
    const int phase = static_cast<int>((out.first + i) % r.up);
    const int first = first_of(r, phase);
    for (int k = 0; k < taps; ++k) weights[k] = scaled_scipy_weight(r, phase, first + k) * r.up;
    // From the sample of the first weight on; those of the next row lie `down` after it.
    const double* samples = from + (row * r.down + first - out.first_sample);
    for (int m = i; m < out.count; m += r.up, samples += r.down) {
      double sum = 0;
      for (int k = 0; k < taps; ++k) sum += weights[k] * samples[k];
      out.to[m] = sum;
    }
  }
}

}  // namespace layout
