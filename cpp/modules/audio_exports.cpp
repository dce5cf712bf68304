// The functions and the memory of the audio module. It needs no glue: plain numbers go in and out, and JS reads and
// writes the memory. Enumerations cross as their numbers, blocks of settings as float64 numbers in the order of the
// reads below; js/engines/audio names both.

#include <cstddef>
#include <cstdint>

#include "audio/codes.h"
#include "audio/elementary.h"
#include "audio/fft.h"
#include "audio/frames.h"
#include "audio/numbers.h"
#include "audio/resample.h"
#include "audio/tables.h"

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

namespace {

// Tables of one spectrogram or resampling in front, then pieces of samples and results.
constexpr std::size_t kArenaBytes = std::size_t{5} << 20;
alignas(64) std::uint8_t arena_bytes[kArenaBytes];

layout::Normals normals;

/// Reads a block of settings from its first on.
class Settings {
 public:
  explicit Settings(const double* at) : at_(at) {}
  double number() { return *at_++; }
  int integer() { return static_cast<int>(*at_++); }
  bool flag() { return *at_++ != 0; }
  template <typename Enum>
  Enum word() {
    return static_cast<Enum>(integer());
  }
  /// An address; 0 is none.
  template <typename Number>
  Number* pointer() {
    return reinterpret_cast<Number*>(static_cast<std::uintptr_t>(*at_++));
  }

 private:
  const double* at_;
};

layout::Spectrum read_spectrum(const double* block) {
  Settings s(block);
  layout::Spectrum r{};
  r.frame_length = s.integer();
  r.hop = s.integer();
  r.fft_length = s.integer();
  r.scale = static_cast<float>(s.number());
  r.late_scale = static_cast<float>(s.number());
  r.offset = s.word<layout::Offset>();
  r.emphasis = s.word<layout::Emphasis>();
  r.coefficient = s.number();
  r.narrow_window = s.flag();
  r.narrow_bins = s.flag();
  r.onesided = s.flag();
  r.energy = s.word<layout::Energy>();
  r.exponent = s.number();
  r.energy_floor = s.number();
  r.adds_floor = s.flag();
  r.floor = s.number();
  r.gain = s.number();
  r.logarithm = s.word<layout::Logarithm>();
  r.factor = s.number();
  r.least = s.number();
  r.reference = s.number();
  r.wide = s.flag();
  r.filters = s.integer();
  r.window = s.pointer<double>();
  r.twiddles = s.pointer<double>();
  r.bands = s.pointer<std::int32_t>();
  r.weights = s.pointer<double>();
  r.means = s.pointer<double>();
  r.deviations = s.pointer<double>();
  r.data = s.pointer<layout::Pair>();
  r.scratch = s.pointer<layout::Pair>();
  return r;
}

layout::Resampling read_resampling(const double* block) {
  Settings s(block);
  layout::Resampling r{};
  r.sinc = s.word<layout::Sinc>();
  r.up = s.integer();
  r.down = s.integer();
  r.width = s.number();
  r.cutoff = s.number();
  r.beta = s.number();
  r.scale = s.number();
  return r;
}

}  // namespace

EXPORT(arena)()->std::uint8_t* { return arena_bytes; }
EXPORT(arena_size)()->std::size_t { return kArenaBytes; }

EXPORT(log10_of)(double x)->double { return layout::decimal_log(x); }
EXPORT(power_of)(double x, double y)->double { return layout::power(x, y); }

EXPORT(twiddle_count)(int length)->int { return static_cast<int>(layout::Fft::twiddle_count(length)); }
EXPORT(scratch_count)(int length)->int { return static_cast<int>(layout::Fft::scratch_count(length)); }
EXPORT(make_twiddles)(int length, layout::Pair* scratch, double* to)->void {
  layout::Fft::make_twiddles(length, scratch, to);
}
EXPORT(make_window)(int kind, int length, int periodic, double* to)->void {
  layout::make_window(static_cast<layout::Window>(kind), length, periodic != 0, to);
}
EXPORT(round_numbers)(int precision, double* x, int count)->void {
  layout::round_numbers(static_cast<layout::Precision>(precision), x, count);
}
EXPORT(make_bank)(const double* block, double* scratch, double* to)->void {
  Settings s(block);
  layout::Bank bank{};
  bank.kind = s.word<layout::BankKind>();
  bank.bins = s.integer();
  bank.filters = s.integer();
  bank.low = s.number();
  bank.high = s.number();
  bank.rate = s.number();
  bank.slaney_norm = s.flag();
  bank.scale = s.word<layout::MelScale>();
  bank.in_mel_space = s.flag();
  bank.narrow = s.flag();
  layout::make_bank(bank, scratch, to);
}
EXPORT(pack_bank)(const double* bank, int bins, int filters, std::int32_t* bands, double* weights)->int {
  return layout::pack_bank(bank, bins, filters, bands, weights);
}

EXPORT(make_frames)
(const double* block, const void* samples, int wide, int count, void* to, int frame_stride, int number_stride)->void {
  const layout::Spectrum spectrum = read_spectrum(block);
  if (wide) {
    layout::make_frames(spectrum, static_cast<const double*>(samples), count, to, frame_stride, number_stride);
  } else {
    layout::make_frames(spectrum, static_cast<const float*>(samples), count, to, frame_stride, number_stride);
  }
}

EXPORT(overlap_frames)(const double* block, const float* bins, int count, double* sums, double* squares)->void {
  layout::overlap_frames(read_spectrum(block), bins, count, sums, squares);
}
EXPORT(divide_numbers)(const double* x, const double* y, std::size_t count, float* to)->void {
  layout::divide_numbers(x, y, count, to);
}
EXPORT(make_dct)(int size, int count, double* to)->void { layout::make_dct(size, count, to); }
EXPORT(multiply_rows)
(const float* from, std::size_t rows, std::size_t size, const double* table, std::size_t count, float* to)->void {
  layout::multiply_rows(from, rows, size, table, count, to);
}

EXPORT(decibels)(double* x, int count, double factor, double least, double reference)->void {
  for (int i = 0; i < count; i += 2) {
    const layout::Pair value{x[i], i + 1 < count ? x[i + 1] : 1};
    const layout::Pair result =
        factor * (layout::decimal_log(layout::maximum(layout::splat(least), value)) - layout::splat(reference));
    x[i] = result[0];
    if (i + 1 < count) x[i + 1] = result[1];
  }
}

/// Raises numbers to a floor, and returns the largest of them and of the floor.
EXPORT(raise_doubles)(double* x, int count, double floor)->double {
  layout::Pair most = layout::splat(floor);
  for (int i = 0; i < count; ++i) {
    most = layout::maximum(most, layout::splat(x[i]));
    x[i] = layout::maximum(layout::splat(floor), layout::splat(x[i]))[0];
  }
  return most[0];
}

EXPORT(map_numbers)(int map, float* x, std::size_t count, double a, double b, double c)->void {
  layout::map_numbers(static_cast<layout::Map>(map), x, count, a, b, c);
}
EXPORT(reduce_numbers)(int reduction, const float* x, std::size_t count, double mean, double start)->double {
  return layout::reduce_numbers(static_cast<layout::Reduction>(reduction), x, count, mean, start);
}
EXPORT(add_numbers)(float* x, const float* y, std::size_t count, float factor)->void {
  layout::add_numbers(x, y, count, factor);
}
EXPORT(emphasize_numbers)(float* x, std::size_t count, float c, float before)->void {
  layout::emphasize_numbers(x, count, c, before);
}
EXPORT(fade_out)(float* x, std::size_t count, std::size_t first, std::size_t length)->void {
  layout::fade_out(x, count, first, length);
}
EXPORT(make_deltas)(const float* x, std::size_t count, int half, float* to)->void {
  layout::make_deltas(x, count, half, to);
}
EXPORT(flip_numbers)(const float* from, std::ptrdiff_t count, int columns, float* to, int stride)->void {
  layout::flip_numbers(from, count, columns, to, stride);
}
EXPORT(blend_rows)(const float* a, const float* b, float part, int columns, int width, float* to)->void {
  layout::blend_rows(a, b, part, columns, width, to);
}
EXPORT(mean_of_channels)(const float* from, int channels, std::size_t stride, std::size_t count, float* to)->void {
  layout::mean_of_channels(from, channels, stride, count, to);
}
EXPORT(mean_of_wide_channels)
(const double* from, int channels, std::size_t stride, std::size_t count, double* to)->void {
  layout::mean_of_wide_channels(from, channels, stride, count, to);
}
EXPORT(seed_normals)(std::uint32_t seed)->void { normals.seed(seed); }
EXPORT(fill_normals)(float* to, std::size_t count)->void { normals.fill(to, count); }
EXPORT(skip_normals)(std::size_t count)->void { normals.skip(count); }

EXPORT(tap_count)(const double* block)->double { return layout::tap_count(read_resampling(block)); }
EXPORT(make_phase)(const double* block, int phase, float* weights)->int {
  return layout::make_phase(read_resampling(block), phase, weights);
}
EXPORT(sum_of_weights)(const double* block)->double { return layout::sum_of_weights(read_resampling(block)); }
EXPORT(plane_length)(int rows, int down, int span)->int { return layout::plane_length(rows, down, span); }
EXPORT(resample_rows)
(const std::int32_t* firsts, const float* weights, int up, int down, int taps, const float* from, int rows,
 float* planes, float* to)
    ->void {
  layout::resample_rows({firsts, weights, up, down, taps}, from, rows, planes, to);
}
EXPORT(resample_row)
(const std::int32_t* firsts, const float* weights, int phases, int taps, const float* from, float* to)->void {
  layout::resample_row({firsts, weights, phases, 1, taps}, from, to);
}

EXPORT(resample_wide)
(const double* block, double first, double first_sample, int count, const double* from, double* weights, double* to)
    ->void {
  const layout::WideOutputs out{static_cast<std::int64_t>(first), static_cast<std::int64_t>(first_sample), count, to};
  layout::resample_wide(read_resampling(block), out, from, weights);
}

EXPORT(code_bytes)(int code)->int { return layout::code_bytes(static_cast<layout::Code>(code)); }
EXPORT(decode_samples)
(int code, int big_endian, int channels, const std::uint8_t* from, std::size_t count, float* to, std::size_t stride)
    ->void {
  layout::decode_samples({static_cast<layout::Code>(code), big_endian != 0, channels}, from, count, to, stride);
}
EXPORT(encode_samples)
(int code, int channels, const float* from, std::size_t stride, std::size_t count, std::uint8_t* to)->void {
  layout::encode_samples(static_cast<layout::Code>(code), channels, from, stride, count, to);
}
