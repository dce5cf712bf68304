// The FFT against a naive sum in long double, and frames against the same frames made one by one: a frame's bits depend
// neither on its neighbor nor on its lane. Every memory has exactly the size that the contract allows.

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "audio/fft.h"
#include "audio/frames.h"
#include "audio/tables.h"
#include "check.h"

namespace {

using layout::Pair;

double unit(Random& random) { return static_cast<double>(random.bits() >> 11) * 0x1p-53 - 0.5; }

/// Memory of exactly this size for pairs, so that AddressSanitizer sees the first one beyond it.
std::unique_ptr<Pair[]> pairs(std::size_t count) { return std::make_unique<Pair[]>(count); }

std::vector<double> twiddles_of(int length) {
  std::vector<double> scratch(2 * static_cast<std::size_t>(length) + 8);
  std::vector<double> twiddles(layout::Fft::twiddle_count(length));
  layout::Fft::make_twiddles(length, scratch.data(), twiddles.data());
  return twiddles;
}

void check_fft(int length, Random& random) {
  const auto n = static_cast<std::size_t>(length);
  const std::vector<double> twiddles = twiddles_of(length);
  auto data = pairs(n), scratch = pairs(n);
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
std::vector<std::uint8_t> results(const layout::Spectrum& s, const std::vector<float>& samples, int count, bool alone) {
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

void check_frames(Random& random) {
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

void check_fused() {
  Random random(4);
  for (int i = 0; i < 200000; ++i) {
    const auto number = [&] { return static_cast<float>(std::ldexp(unit(random), random.below(40) - 20)); };
    const float a = number(), b = number(), c = number();
    const Pair result = layout::fused_float32(Pair{static_cast<double>(a), 1}, Pair{static_cast<double>(b), 1},
                                              Pair{static_cast<double>(c), 1});
    check(result[0] == static_cast<double>(std::fmaf(a, b, c)), "fma %a %a %a", static_cast<double>(a),
          static_cast<double>(b), static_cast<double>(c));
  }
}

}  // namespace

int main() {
  Random random(5);
  for (int length = 1; length <= 130; ++length) check_fft(length, random);
  for (const int length : {400, 480, 512, 600, 1009}) check_fft(length, random);
  for (int i = 0; i < 3000; ++i) check_frames(random);
  check_fused();
}
