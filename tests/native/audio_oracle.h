#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "audio/codes.h"
#include "audio/energies.h"
#include "audio/fft.h"
#include "audio/frames.h"
#include "audio/numbers.h"
#include "audio/resample.h"
#include "audio/tables.h"
#include "check.h"

using layout::Pair;

inline double unit(Random& random) { return static_cast<double>(random.bits() >> 11) * 0x1p-53 - 0.5; }

/// Memory of exactly this size for pairs, so that AddressSanitizer sees the first one beyond it.
inline std::unique_ptr<Pair[]> pairs(std::size_t count) { return std::make_unique<Pair[]>(count); }

inline std::vector<double> twiddles_of(int length) {
  const auto scratch = pairs(layout::Fft::scratch_count(length) + 2);
  std::vector<double> twiddles(layout::Fft::twiddle_count(length));
  layout::Fft::make_twiddles(length, scratch.get(), twiddles.data());
  return twiddles;
}

inline void check_fft(int length, Random& random) {
  const auto n = static_cast<std::size_t>(length);
  const std::vector<double> twiddles = twiddles_of(length);
  auto data = pairs(n), scratch = pairs(layout::Fft::scratch_count(length));
  std::vector<double> lanes[2];
  for (std::size_t i = 0; i < n; ++i) {
    data[i] = Pair{unit(random), unit(random)};
    lanes[0].push_back(data[i][0]);
    lanes[1].push_back(data[i][1]);
  }
  const Pair* bins = layout::Fft(length, twiddles.data()).run(data.get(), scratch.get());
  for (int k = 0; k <= length / 2; ++k) {
    for (int lane = 0; lane < 2; ++lane) {
      long double re = 0, im = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const long double angle = 2 * 3.14159265358979323846264338327950288L *
                                  static_cast<long double>(i * static_cast<std::size_t>(k) % n) /
                                  static_cast<long double>(length);
        re += static_cast<long double>(lanes[lane][i]) * std::cos(angle);
        im -= static_cast<long double>(lanes[lane][i]) * std::sin(angle);
      }
      const double real = k == 0 ? bins[0][lane] : bins[2 * k - 1][lane];
      const double imaginary = k == 0 || 2 * k == length ? 0 : bins[2 * k][lane];
      const long double off = std::fmax(std::fabs(real - re), std::fabs(imaginary - im));
      check(off < 1e-15L * std::sqrt(length) * 8, "length %d bin %d lane %d: %g", length, k, lane,
            static_cast<double>(off));
    }
  }
}

/// A spectrogram at random, with its tables.
struct Setting {
  layout::Spectrum spectrum{};
  std::vector<double> window, twiddles, bank, weights;
  std::vector<std::int32_t> bands;
  std::unique_ptr<Pair[]> data, scratch;

  explicit Setting(Random& random) {
    layout::Spectrum& s = spectrum;
    s.fft_length = 2 + random.below(60);
    s.frame_length = 1 + random.below(s.fft_length);
    s.hop = 1 + random.below(20);
    s.scale = random.below(2) ? 1.0f : 32768.0f;
    s.late_scale = random.below(4) ? 1.0f : 3.0f;
    s.offset = static_cast<layout::Offset>(random.below(3));
    s.emphasis = static_cast<layout::Emphasis>(random.below(5));
    s.coefficient = 0.97;
    s.narrow_window = random.below(2) == 0;
    s.narrow_bins = random.below(2) == 0;
    s.onesided = random.below(4) != 0;
    s.energy = static_cast<layout::Energy>(random.below(7));
    s.exponent = 1.5;
    s.energy_floor = 1e-9;
    s.adds_floor = random.below(2) == 0;
    s.floor = 1e-10;
    s.gain = 1;
    s.logarithm = static_cast<layout::Logarithm>(random.below(4));
    s.factor = 10;
    s.least = 1e-10;
    s.wide = random.below(2) == 0;
    window.resize(static_cast<std::size_t>(s.frame_length));
    layout::make_window(static_cast<layout::Window>(random.below(10)), s.frame_length, random.below(2) == 0,
                        window.data());
    twiddles = twiddles_of(s.fft_length);
    if (random.below(2) == 0 && s.energy != layout::Energy::kComplex) make_bank(random);
    s.window = window.data();
    s.twiddles = twiddles.data();
    data = pairs(static_cast<std::size_t>(s.fft_length) + 2);
    scratch = pairs(static_cast<std::size_t>(s.fft_length) + 2);
    s.data = data.get();
    s.scratch = scratch.get();
  }

  void make_bank(Random& random) {
    layout::Spectrum& s = spectrum;
    const int filters = 1 + random.below(6);
    const auto count = static_cast<std::size_t>(s.bins() * filters);
    bank.resize(count);
    for (double& weight : bank) weight = random.below(3) ? 0 : unit(random) + 0.5;
    const auto total = layout::pack_bank(bank.data(), s.bins(), filters, nullptr, nullptr);
    weights.resize(static_cast<std::size_t>(total));
    bands.resize(2 * static_cast<std::size_t>(filters));
    std::vector<double> unused(1);
    layout::pack_bank(bank.data(), s.bins(), filters, bands.data(), total ? weights.data() : unused.data());
    s.filters = filters;
    s.bands = bands.data();
    s.weights = weights.data();
  }
};

/// All frames at once, or each by itself, frame after frame.
inline std::vector<std::uint8_t> results(const layout::Spectrum& s, const std::vector<float>& samples, int count,
                                         bool alone) {
  const int parts = s.energy == layout::Energy::kComplex ? 2 : 1;
  const std::size_t size = s.wide ? 8 : 4, frame = static_cast<std::size_t>(s.width() * parts);
  Random random(3);
  Memory memory(static_cast<std::int64_t>(frame * size) * count, random);
  for (int t = 0; t < (alone ? count : 1); ++t) {
    layout::make_frames(s, samples.data() + static_cast<std::ptrdiff_t>(t) * s.hop, alone ? 1 : count,
                        memory.data.get() + static_cast<std::size_t>(t) * frame * size,
                        static_cast<std::ptrdiff_t>(frame), parts);
  }
  return {memory.data.get(), memory.data.get() + memory.size};
}

inline void check_frames(Random& random) {
  const Setting setting(random);
  const layout::Spectrum& s = setting.spectrum;
  const int count = 1 + random.below(5);
  const int reads = s.frame_length + (s.emphasis == layout::Emphasis::kNext ? 1 : 0);
  std::vector<float> samples(static_cast<std::size_t>((count - 1) * s.hop + reads));
  for (float& sample : samples) sample = static_cast<float>(unit(random));
  samples.shrink_to_fit();
  check(results(s, samples, count, false) == results(s, samples, count, true), "frames of %d in %d", s.frame_length,
        s.fft_length);
}

inline std::vector<float> numbers(std::size_t count, Random& random) {
  std::vector<float> list(count);
  for (float& x : list) x = static_cast<float>(unit(random));
  return list;
}

/// The samples of a frame before the transform, without a rounding.
inline std::vector<double> prepared(const layout::Spectrum& s, const float* samples) {
  using layout::Emphasis;
  const auto n = static_cast<std::size_t>(s.frame_length);
  const bool is_next = s.emphasis == Emphasis::kNext;
  std::vector<double> x(n + (is_next ? 1 : 0)), result(n);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(samples[i]) * static_cast<double>(s.scale);
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) mean += x[i] / static_cast<double>(n);
  for (std::size_t i = 0; i < n && s.offset != layout::Offset::kKept; ++i) x[i] -= mean;
  const double c = s.emphasis == Emphasis::kNone ? 0 : s.coefficient;
  for (std::size_t i = 0; i < n; ++i) {
    const double sample = is_next ? x[i + 1] - c * x[i] : x[i] - c * x[i == 0 ? 0 : i - 1];
    result[i] = sample * static_cast<double>(s.late_scale) * s.window[i];
  }
  return result;
}

inline double energy_of(const layout::Spectrum& s, double power) {
  using layout::Energy;
  switch (s.energy) {
    case Energy::kComplex:
    case Energy::kPower:
      return power;
    case Energy::kMagnitude:
    case Energy::kNumpyAbs:
      return std::sqrt(power);
    case Energy::kExponent:
      return std::pow(std::sqrt(power), s.exponent);
    case Energy::kAmplitude32:
      return std::sqrt(power + s.energy_floor);
    case Energy::kFloored:
      return std::sqrt(std::max(power, s.energy_floor));
  }
  return 0;
}

/// The results of a frame by a naive transform, without logarithms.
inline std::vector<double> naive_results(const Setting& setting, const float* samples) {
  const layout::Spectrum& s = setting.spectrum;
  const std::vector<double> x = prepared(s, samples);
  std::vector<double> energies;
  for (int k = 0; k < s.bins(); ++k) {
    double re = 0, im = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double angle = 2 * 3.141592653589793 * static_cast<double>(i) * k / s.fft_length;
      re += x[i] * std::cos(angle);
      im += x[i] * std::sin(angle);
    }
    energies.push_back(energy_of(s, re * re + im * im));
  }
  std::vector<double> sums = energies;
  if (s.filters > 0) sums.assign(static_cast<std::size_t>(s.filters), 0);
  for (std::size_t i = 0; i < setting.bank.size(); ++i)
    sums[i % sums.size()] += setting.bank[i] * energies[i / sums.size()];
  for (double& sum : sums) sum = s.gain * (s.adds_floor ? sum + s.floor : std::max(sum, s.floor));
  return sums;
}

/// Results against a naive transform, and their logarithms against the host's.
inline void check_values(Random& random) {
  using layout::Logarithm;
  Setting setting(random);
  layout::Spectrum& s = setting.spectrum;
  if (s.energy == layout::Energy::kComplex) s.energy = layout::Energy::kPower;
  s.wide = true;
  s.gain = 0.5;
  const int count = 1 + random.below(3);
  const std::vector<float> samples = numbers(static_cast<std::size_t>(count * s.hop + s.frame_length + 1), random);
  const auto width = static_cast<std::size_t>(s.width());
  std::vector<double> plain(width * static_cast<std::size_t>(count)), logs = plain;
  const Logarithm logarithm = s.logarithm;
  layout::make_frames(s, samples.data(), count, logs.data(), s.width(), 1);
  s.logarithm = Logarithm::kNone;
  layout::make_frames(s, samples.data(), count, plain.data(), s.width(), 1);
  for (int t = 0; t < count; ++t) {
    const std::vector<double> wanted = naive_results(setting, samples.data() + t * s.hop);
    // Samples that were rounded to float32 leave something in bins that would be 0.
    double amplitude = 0;
    for (int i = 0; i <= s.frame_length; ++i)
      amplitude += std::fabs(static_cast<double>(samples[static_cast<std::size_t>(t * s.hop + i)]));
    amplitude *= 2 * static_cast<double>(s.scale * s.late_scale);
    const double tolerance = 1e-5 * energy_of(s, amplitude * amplitude) * (s.filters > 0 ? s.bins() : 1);
    for (std::size_t k = 0; k < width; ++k) {
      const double value = plain[static_cast<std::size_t>(t) * width + k];
      check(std::fabs(value - wanted[k]) <= tolerance, "frame %d result %zu: %g instead of %g", t, k, value, wanted[k]);
      const double log = logs[static_cast<std::size_t>(t) * width + k];
      const double ten = std::log10(std::max(value, logarithm == Logarithm::kDB ? s.least : 0.0));
      const double wanted_log = logarithm == Logarithm::kNone    ? value
                                : logarithm == Logarithm::kLog   ? std::log(value)
                                : logarithm == Logarithm::kLog10 ? ten
                                                                 : s.factor * (ten - s.reference);
      check(std::fabs(log - wanted_log) <= 1e-12 * (1 + std::fabs(wanted_log)), "logarithm %d of %g: %g",
            static_cast<int>(logarithm), value, log);
    }
  }
}

/// Frames back to samples against a naive inverse transform.
inline void check_overlap(int length, int hop, int count, Random& random) {
  const auto n = static_cast<std::size_t>(length);
  layout::Spectrum s{};
  s.frame_length = s.fft_length = length;
  s.hop = hop;
  const std::vector<double> twiddles = twiddles_of(length);
  std::vector<double> window(n);
  for (double& weight : window) weight = unit(random);
  auto data = pairs(n), scratch = pairs(n);
  s.window = window.data();
  s.twiddles = twiddles.data();
  s.data = data.get();
  s.scratch = scratch.get();
  const int bins = length / 2 + 1;
  const std::vector<float> spectrum = numbers(static_cast<std::size_t>(2 * bins * count), random);
  const auto all = static_cast<std::size_t>((count - 1) * hop + length);
  std::vector<double> sums(all), squares(all), wanted(all);
  layout::overlap_frames(s, spectrum.data(), count, sums.data(), squares.data());
  for (int t = 0; t < count; ++t) {
    for (int i = 0; i < length; ++i) {
      double sample = 0;
      for (int k = 0; k < bins; ++k) {
        const float* at = &spectrum[static_cast<std::size_t>(2 * (k * count + t))];
        const double angle = 2 * 3.141592653589793 * (static_cast<double>(i) * k) / length;
        const bool is_alone = k == 0 || 2 * k == length;
        const double re = static_cast<double>(at[0]), im = is_alone ? 0 : static_cast<double>(at[1]);
        sample += (is_alone ? 1 : 2) * (re * std::cos(angle) - im * std::sin(angle));
      }
      wanted[static_cast<std::size_t>(t * hop + i)] += sample / length * window[static_cast<std::size_t>(i)];
    }
  }
  for (std::size_t i = 0; i < all; ++i)
    check(std::fabs(sums[i] - wanted[i]) < 1e-10, "length %d hop %d sample %zu", length, hop, i);
}

/// Rows by the table against one output after the other, to the bit.
inline void check_resampling(layout::Sinc sinc, int up, int down, int rows, Random& random) {
  layout::Resampling r{sinc, up, down, 3, 0.9, 5, 1};
  if (sinc == layout::Sinc::kScipy) r.width = 10 * std::max(up, down);
  if (sinc == layout::Sinc::kScipy) r.scale = layout::sum_of_weights(r);
  const int taps = static_cast<int>(layout::tap_count(r));
  std::vector<float> weights(static_cast<std::size_t>(up * taps));
  std::vector<std::int32_t> firsts;
  for (int phase = 0; phase < up; ++phase)
    firsts.push_back(layout::make_phase(r, phase, &weights[static_cast<std::size_t>(phase * taps)]));
  const int earliest = *std::min_element(firsts.begin(), firsts.end());
  for (std::int32_t& first : firsts) first -= earliest;
  const int span = *std::max_element(firsts.begin(), firsts.end()) + taps;
  // Whole vectors are read behind the last row of a plane; without planes these lie behind the samples.
  const auto length = static_cast<std::size_t>((rows - 1) * down + span);
  const std::vector<float> from = numbers(length + (down > 1 ? 0 : layout::kNarrowRows), random);
  std::vector<float> planes(static_cast<std::size_t>(down > 1 ? down * layout::plane_length(rows, down, span) : 1));
  std::vector<float> to(static_cast<std::size_t>(rows * up));
  layout::resample_rows({firsts.data(), weights.data(), up, down, taps}, from.data(), rows, planes.data(), to.data());
  std::vector<float> outputs(static_cast<std::size_t>(up));
  for (int row = 0; row < rows; ++row) {
    const float* samples = &from[static_cast<std::size_t>(row * down)];
    layout::resample_row({firsts.data(), weights.data(), up, down, taps}, samples, outputs.data());
    for (int phase = 0; phase < up; ++phase) {
      const float* w = &weights[static_cast<std::size_t>(phase * taps)];
      const float* x = samples + firsts[static_cast<std::size_t>(phase)];
      float one = 0;
      for (int k = 0; k < taps; ++k) one += w[k] * x[k];
      check(outputs[static_cast<std::size_t>(phase)] == one, "%d/%d row %d phase %d by itself", up, down, row, phase);
      check(to[static_cast<std::size_t>(row * up + phase)] == one, "%d/%d row %d phase %d", up, down, row, phase);
    }
  }
}

/// A code comes back; integers of 24 bits and less to the bit.
inline void check_code(int code, std::size_t channels, std::size_t count, Random& random) {
  using layout::Code;
  const auto bytes = static_cast<std::size_t>(layout::code_bytes(static_cast<Code>(code)));
  Memory data(static_cast<std::int64_t>(count * channels * bytes), random);
  std::vector<float> planes(count * channels);
  const auto given = static_cast<int>(channels);
  layout::decode_samples({static_cast<Code>(code), false, given}, data.data.get(), count, planes.data(), count);
  if (code > 2) {
    planes = numbers(count * channels, random);
    for (float& x : planes) x = std::round(x * 1024) / 1024;
  }
  Memory back(static_cast<std::int64_t>(data.size), random);
  layout::encode_samples(static_cast<Code>(code), given, planes.data(), count, count, back.data.get());
  if (code <= 2) check(first_difference(data, back) < 0, "code %d of %zu channels", code, channels);
  std::vector<float> again(planes.size());
  layout::decode_samples({static_cast<Code>(code), false, given}, back.data.get(), count, again.data(), count);
  check(again == planes, "code %d of %zu channels, decoded again", code, channels);
  for (std::size_t at = 0; at < back.size; at += bytes) std::reverse(&back.data[at], &back.data[at + bytes - 1] + 1);
  std::vector<float> turned(planes.size());
  layout::decode_samples({static_cast<Code>(code), true, given}, back.data.get(), count, turned.data(), count);
  check(turned == planes, "code %d of %zu channels, big endian", code, channels);
}
