// The functions and the memory of the audio module. It needs no glue: plain numbers go in and out, and JS reads and
// writes the memory. Enumerations and structs cross as wasm32 has them: bridge.mjs reads both from the headers.
//
// A function without a comment calls the kernel of its name, whose header says what it gives: it makes enumerations,
// flags and structs of numbers, and passes the rest on.

#include <cstddef>
#include <cstdint>

#include "audio/codes.h"
#include "audio/fft.h"
#include "audio/frames.h"
#include "audio/normals.h"
#include "audio/numbers.h"
#include "audio/resample.h"
#include "audio/tables.h"
#include "elementary/elementary.h"

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

namespace {

// Tables of one spectrogram or resampling in front, then pieces of samples and results.
constexpr std::size_t kArenaBytes = std::size_t{5} << 20;
alignas(64) std::uint8_t arena_bytes[kArenaBytes];

layout::Normals normals;  // the one sequence of random numbers: seeded, filled from and skipped below

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
EXPORT(make_bank)(const layout::Bank* bank, double* scratch, double* to)->void {
  layout::make_bank(*bank, scratch, to);
}
EXPORT(pack_bank)(const double* bank, int bins, int filters, std::int32_t* bands, double* weights)->int {
  return layout::pack_bank(bank, bins, filters, bands, weights);
}

/// `samples` are float64 if `wide`, else float32.
EXPORT(make_frames)
(const layout::Spectrum* spectrum, const void* samples, int wide, int count, void* to, int frame_stride,
 int number_stride)
    ->void {
  if (wide) {
    layout::make_frames(*spectrum, static_cast<const double*>(samples), count, to, frame_stride, number_stride);
  } else {
    layout::make_frames(*spectrum, static_cast<const float*>(samples), count, to, frame_stride, number_stride);
  }
}

EXPORT(overlap_frames)
(const layout::Spectrum* spectrum, const float* bins, int count, double* sums, double* squares)->void {
  layout::overlap_frames(*spectrum, bins, count, sums, squares);
}
EXPORT(divide_numbers)(const double* x, const double* y, std::size_t count, float* to)->void {
  layout::divide_numbers(x, y, count, to);
}
EXPORT(make_dct)(int size, int count, double* to)->void { layout::make_dct(size, count, to); }
EXPORT(multiply_rows)
(const float* from, std::size_t rows, std::size_t size, const double* table, std::size_t count, float* to)->void {
  layout::multiply_rows(from, rows, size, table, count, to);
}

/// Replaces each of `count` numbers x by factor * (log10(max(x, least)) - reference), two at a time; an odd last one is
/// computed beside a 1, which is not written.
EXPORT(decibels)(double* x, int count, double factor, double least, double reference)->void {
  for (int i = 0; i < count; i += 2) {
    const bool has_second = i + 1 < count;
    const layout::Pair value{x[i], has_second ? x[i + 1] : 1};
    const layout::Pair log = layout::decimal_log(layout::maximum(layout::splat(least), value));
    const layout::Pair result = factor * (log - layout::splat(reference));
    x[i] = result[0];
    if (has_second) x[i + 1] = result[1];
  }
}

/// Replaces each of `count` numbers below `floor` by `floor`, and returns the largest of them all, at least `floor`.
EXPORT(raise_doubles)(double* x, int count, double floor)->double {
  layout::Pair largest = layout::splat(floor);
  for (int i = 0; i < count; ++i) {
    const layout::Pair value = layout::splat(x[i]);
    largest = layout::maximum(largest, value);
    x[i] = layout::maximum(layout::splat(floor), value)[0];
  }
  return largest[0];
}

EXPORT(map_numbers)(int map, float* x, std::size_t count, double a, double b, double c)->void {
  layout::map_numbers(static_cast<layout::NumberMap>(map), x, count, a, b, c);
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

EXPORT(tap_count)(const layout::Resampling* r)->double { return layout::tap_count(*r); }
EXPORT(make_phase)(const layout::Resampling* r, int phase, float* weights)->int {
  return layout::make_phase(*r, phase, weights);
}
EXPORT(sum_of_weights)(const layout::Resampling* r)->double { return layout::sum_of_weights(*r); }
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

/// `first` and `first_sample` are whole numbers, which pass 32 bits.
EXPORT(resample_wide)
(const layout::Resampling* r, double first, double first_sample, int count, const double* from, double* weights,
 double* to)
    ->void {
  const layout::WideOutputs out{static_cast<std::int64_t>(first), static_cast<std::int64_t>(first_sample), count, to};
  layout::resample_wide(*r, out, from, weights);
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
