// audio/frames.h says what these functions do.

#include "audio/frames.h"

#include <algorithm>

#include "audio/energies.h"
#include "audio/fft.h"
#include "audio/sums.h"
#include "bits/simd128.h"
#include "elementary/elementary.h"

namespace layout {

namespace {

/// Loads `count` samples of two frames `a` and `b` as the lanes of pairs, times the scale, rounded to float32.
void load(const Spectrum& s, const float* a, const float* b, int count, Pair* to) {
  const v128_t scale = wasm_f32x4_splat(s.scale);
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    const v128_t x = wasm_f32x4_mul(wasm_v128_load(a + i), scale), y = wasm_f32x4_mul(wasm_v128_load(b + i), scale);
    const v128_t low = wasm_i32x4_shuffle(x, y, 0, 4, 1, 5), high = wasm_i32x4_shuffle(x, y, 2, 6, 3, 7);
    to[i] = reinterpret_cast<Pair>(wasm_f64x2_promote_low_f32x4(low));
    to[i + 1] = reinterpret_cast<Pair>(wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(low, low, 2, 3, 2, 3)));
    to[i + 2] = reinterpret_cast<Pair>(wasm_f64x2_promote_low_f32x4(high));
    to[i + 3] = reinterpret_cast<Pair>(wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(high, high, 2, 3, 2, 3)));
  }
  for (; i < count; ++i) to[i] = Pair{static_cast<double>(a[i] * s.scale), static_cast<double>(b[i] * s.scale)};
}

/// Loads `count` float64 samples of two frames as the lanes of pairs. Where there is a scale, multiplies by it and
/// rounds to float32.
void load(const Spectrum& s, const double* a, const double* b, int count, Pair* to) {
  for (int i = 0; i < count; ++i) to[i] = Pair{a[i], b[i]};
  if (s.scale != 1.0f) {
    for (int i = 0; i < count; ++i) to[i] = to_float32(to[i] * splat(static_cast<double>(s.scale)));
  }
}

/// Subtracts each frame's mean in place, in the type that `offset` says, which is not kKept.
void take_off_mean(Offset offset, Pair* x, int count) {
  const Pair length = splat(count);
  const bool narrow = offset == Offset::kFloat32;
  const Pair mean = narrow ? to_float32(pairwise_sum(x, count) / length) : pairwise_sum(x, count) / length;
  for (int i = 0; i < count; ++i) x[i] = narrow ? to_float32(x[i] - mean) : x[i] - mean;
}

/// Replaces each sample x[i] of two frames by x[i] - c x[i - 1], in place: from the last one on, because each needs the
/// old one before it. x[0] becomes (1 - c) x[0], or as kFloat32 x[0] - c x[0]. kNext computes x[i + 1] - c x[i]
/// instead, from the first one on. All but kFloat64 round each step to float32.
void emphasize(const Spectrum& s, Pair* x) {
  const double c = s.coefficient;
  const int n = s.frame_length;
  const Pair narrow = splat(static_cast<double>(static_cast<float>(c)));
  const auto step = [&](Pair now, Pair before) { return to_float32(now - to_float32(narrow * before)); };
  switch (s.emphasis) {
    case Emphasis::kNone:
      return;
    case Emphasis::kFloat64:
      for (int i = n - 1; i > 0; --i) x[i] -= c * x[i - 1];
      x[0] *= 1 - c;
      return;
    case Emphasis::kFloat32:
    case Emphasis::kHtk:
      for (int i = n - 1; i > 0; --i) x[i] = step(x[i], x[i - 1]);
      if (s.emphasis == Emphasis::kFloat32) {
        x[0] = step(x[0], x[0]);
      } else {
        x[0] = to_float32(x[0] * splat(static_cast<double>(static_cast<float>(1 - c))));
      }
      return;
    case Emphasis::kNext:
      for (int i = 0; i < n; ++i) x[i] = step(x[i + 1], x[i]);
      return;
  }
}

/// Multiplies two frames by the late scale and the window, in place, and fills up with zeros to the length of the
/// transform.
void weigh(const Spectrum& s, Pair* x) {
  if (s.late_scale != 1.0f) {
    for (int i = 0; i < s.frame_length; ++i) x[i] = to_float32(x[i] * splat(static_cast<double>(s.late_scale)));
  }
  if (s.narrow_window) {
    for (int i = 0; i < s.frame_length; ++i) x[i] = to_float32(x[i] * s.window[i]);
  } else {
    for (int i = 0; i < s.frame_length; ++i) x[i] *= s.window[i];
  }
  std::fill(x + s.frame_length, x + s.fft_length, splat(0));
}

/// Prepares the loaded samples of two frames for the transform, in place: takes off the mean, emphasizes, multiplies by
/// the window, pads with zeros.
void prepare(const Spectrum& s, Pair* x) {
  const int n = s.frame_length;
  if (s.offset == Offset::kFloat64 && s.emphasis == Emphasis::kFloat64 && s.late_scale == 1.0f && !s.narrow_window) {
    // Kaldi's steps by NumPy in one pass: 1.2 times as fast as in three.
    const Pair mean = pairwise_sum(x, n) / splat(n);
    const double c = s.coefficient;
    Pair before = x[0] - mean;
    x[0] = before * (1 - c) * s.window[0];
    for (int i = 1; i < n; ++i) {
      const Pair now = x[i] - mean;
      x[i] = (now - c * before) * s.window[i];
      before = now;
    }
    std::fill(x + n, x + s.fft_length, splat(0));
    return;
  }
  if (s.offset != Offset::kKept) take_off_mean(s.offset, x, n);
  emphasize(s, x);
  weigh(s, x);
}

/// Where the results of two frames go: to[at] and to[at + second]. `both` is false where only the first frame is asked
/// for, at the end of an odd number of frames.
template <typename Number>
struct Target {
  Number* to;
  std::ptrdiff_t stride, second;
  bool both;
  /// Writes one result of both frames, as a Number.
  void write(std::ptrdiff_t at, Pair value) const {
    to[at] = static_cast<Number>(value[0]);
    if (both) to[at + second] = static_cast<Number>(value[1]);
  }
};

/// Writes re and im of each bin of half-complex numbers. Bins above the middle are conjugates of those below.
template <typename Number>
void write_bins(const Spectrum& s, const Pair* x, const Target<Number>& target) {
  const int n = s.fft_length;
  for (int k = 0; k < s.bins(); ++k) {
    const int bin = 2 * k <= n ? k : n - k;
    const bool is_real = bin == 0 || 2 * bin == n;
    const Pair re = bin == 0 ? x[0] : x[2 * bin - 1], im = is_real ? splat(0) : x[2 * bin];
    target.write(k * target.stride, re);
    target.write(k * target.stride + 1, bin == k ? im : -im);
  }
}

/// Applies the spectrum's floor, gain and logarithm to `count` sums, in place and in this order.
void scale_sums(const Spectrum& s, Pair* x, int count) {
  const Pair floor = splat(s.floor);
  for (int i = 0; i < count; ++i) x[i] = (s.adds_floor ? x[i] + floor : maximum(floor, x[i])) * s.gain;
  switch (s.logarithm) {
    case Logarithm::kNone:
      return;
    case Logarithm::kLog:
      return natural_logs(x, count);
    case Logarithm::kLog10:
      return decimal_logs(x, count);
    case Logarithm::kDB:
      for (int i = 0; i < count; ++i) x[i] = maximum(splat(s.least), x[i]);
      decimal_logs(x, count);
      for (int i = 0; i < count; ++i) x[i] = s.factor * (x[i] - splat(s.reference));
      return;
  }
}

/// Writes the results of two frames from the energies `x` of their bins: each is the energy of a bin, or a filter's
/// weighted sum of some bins; scaled, less its mean, divided by its deviation. Goes block by block, because the
/// logarithms of many numbers are faster at once.
template <typename Number>
void write_results(const Spectrum& s, const Pair* x, const Target<Number>& target) {
  constexpr int kBlock = 32;
  Pair values[kBlock];
  const double* weights = s.weights;
  for (int first = 0; first < s.width(); first += kBlock) {
    const int count = std::min(kBlock, s.width() - first);
    for (int i = 0; i < count; ++i) {
      if (s.filters == 0) {
        values[i] = x[first + i];
        continue;
      }
      Pair value = x[0] * splat(0);  // NaN where a sample is NaN or infinite, in empty bands too
      const Pair* band = x + s.bands[2 * (first + i)];
      const int bins = s.bands[2 * (first + i) + 1];
      for (int k = 0; k < bins; ++k) value += band[k] * weights[k];
      weights += bins;
      values[i] = value;
    }
    scale_sums(s, values, count);
    for (int i = 0; i < count; ++i) {
      Pair value = values[i];
      if (s.means) value -= splat(s.means[first + i]);
      if (s.deviations) value /= splat(s.deviations[first + i]);
      target.write((first + i) * target.stride, value);
    }
  }
}

/// Does make_frames for one type of samples and of results.
template <typename Sample, typename Number>
void make_all(const Spectrum& s, const Sample* samples, int count, Number* to, std::ptrdiff_t frame_stride,
              std::ptrdiff_t number_stride) {
  const Fft fft(s.fft_length, s.twiddles);
  const int read = s.frame_length + (s.emphasis == Emphasis::kNext ? 1 : 0);  // kNext needs the sample after a frame
  for (int t = 0; t < count; t += 2) {
    const Sample* first = samples + static_cast<std::ptrdiff_t>(t) * s.hop;
    const bool both = t + 1 < count;  // otherwise both lanes have the last frame, and one is written
    load(s, first, both ? first + s.hop : first, read, s.data);
    prepare(s, s.data);
    Pair* bins = fft.run(s.data, s.scratch);
    const Target<Number> target{to + t * frame_stride, number_stride, frame_stride, both};
    if (s.energy == Energy::kComplex) {
      write_bins(s, bins, target);
    } else {
      make_energies(s, bins);
      write_results(s, bins, target);
    }
  }
}

}  // namespace

void make_frames(const Spectrum& s, const float* samples, int count, void* to, std::ptrdiff_t frame_stride,
                 std::ptrdiff_t number_stride) {
  if (s.wide) {
    make_all(s, samples, count, static_cast<double*>(to), frame_stride, number_stride);
  } else {
    make_all(s, samples, count, static_cast<float*>(to), frame_stride, number_stride);
  }
}

void make_frames(const Spectrum& s, const double* samples, int count, void* to, std::ptrdiff_t frame_stride,
                 std::ptrdiff_t number_stride) {
  if (s.wide) {
    make_all(s, samples, count, static_cast<double*>(to), frame_stride, number_stride);
  } else {
    make_all(s, samples, count, static_cast<float*>(to), frame_stride, number_stride);
  }
}

void overlap_frames(const Spectrum& s, const float* bins, int count, double* sums, double* squares) {
  const int n = s.fft_length;
  const Fft fft(n, s.twiddles);
  // Re (part 0) or im (1) of bin k of frames t and t + 1; the latter is 0 past the last frame.
  const auto pair_at = [=](int k, int t, int part) {
    const float* at = bins + 2 * (std::ptrdiff_t{k} * count + t) + part;
    return Pair{static_cast<double>(at[0]), t + 1 < count ? static_cast<double>(at[2]) : 0};
  };
  for (int t = 0; t < count; t += 2) {
    // The forward transform also inverts, as Hartley's does. With H, the transform of re + im of all bins, n times
    // sample i of the frame is Re H[i] + Im H[i], and n times sample n - i is Re H[i] - Im H[i]. Bins above the middle
    // are conjugates: re - im.
    for (int k = 0; k <= n / 2; ++k) {
      const Pair re = pair_at(k, t, 0), im = k > 0 && 2 * k < n ? pair_at(k, t, 1) : splat(0);
      s.data[k] = re + im;
      if (k > 0) s.data[n - k] = 2 * k == n ? re : re - im;
    }
    const Pair* h = fft.run(s.data, s.scratch);
    const auto add = [&](int i, Pair sample) {
      const double weight = s.window[i];
      for (int lane = 0; lane < 2 && t + lane < count; ++lane) {
        const std::ptrdiff_t at = std::ptrdiff_t{t + lane} * s.hop + i;
        sums[at] += sample[lane] * weight / n;
        squares[at] += weight * weight;
      }
    };
    add(0, h[0]);
    for (int i = 1; 2 * i < n; ++i) {
      add(i, h[2 * i - 1] + h[2 * i]);
      add(n - i, h[2 * i - 1] - h[2 * i]);
    }
    if (n % 2 == 0) add(n / 2, h[n - 1]);
  }
}

}  // namespace layout
