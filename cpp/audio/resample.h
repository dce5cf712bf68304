#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Whose filter a resampling has.
enum class Sinc : int {
  kTorchHann = 0,    // torchaudio's, in float32 steps: width in zero crossings, rolloff
  kTorchKaiser = 1,  // and beta
  kScipy = 2,        // a Kaiser window of a half-width in upsampled samples, and the sum that weights are divided by
  kKaiser = 3,       // cutoff, half-width and beta of a sinc in samples of the rate `scale` times lower: soxr's
};

/// A resampling by up / down, in lowest terms: output i is a sum over input samples near i * down / up.
struct Resampling {
  Sinc sinc;
  int up, down;
  double width;  // half of the filter, in the filter's own unit
  double cutoff = 1;
  double beta = 0;
  double scale = 1;  // kScipy: what the sum of all weights is
};

/// How many weights an output has at most. A whole number, as double, since int does not hold it for some settings,
/// which the caller refuses: the functions below take settings whose weights of all phases are 2^25 at most.
double tap_count(const Resampling& r);

/// Writes the `tap_count` weights of output `phase`, 0 to up - 1, of a row. A row is `up` outputs, which `down` input
/// samples become. Returns the index of the input sample that the first weight belongs to: 0 is the first of row 0, and
/// samples before it are negative.
int make_phase(const Resampling& r, int phase, float* weights);

/// kScipy: the sum of all weights before they are scaled, which `Resampling::scale` then has.
double sum_of_weights(const Resampling& r);

/// The weights of all `up` phases, and the first sample of each relative to the earliest one of row 0.
struct PhaseTable {
  const std::int32_t* firsts;
  const float* weights;
  int up, down, taps;
};

/// Resamples `rows` rows of `up` outputs each, which go to `to` one after the other. The earliest sample of row 0
/// stands at `from`. Each output is a sum in float32 of its own, the oldest sample first. `planes` is work memory of
/// `down` * plane_length(rows, ...) numbers. With a `down` of 1, kNarrowRows numbers past the samples are read.
void resample_rows(const PhaseTable& table, const float* from, int rows, float* planes, float* to);

/// resample_rows takes kRows rows at a time, which share each load of a weight, and kNarrowRows at a time where fewer
/// are left. Sums in 12 vectors hide the latency of additions, and take .7 of the time of sums in 4.
constexpr int kRows = 48, kNarrowRows = 16;

/// How many numbers a plane of `resample_rows` has. `span` is how many samples one row reads.
inline int plane_length(int rows, int down, int span) { return rows + (span + down - 1) / down + kNarrowRows; }

/// Does resample_rows for one row: sums its `up` outputs from its samples. `from` is the earliest sample of the row.
void resample_row(const PhaseTable& table, const float* from, float* to);

/// Outputs `first` to `first + count` of a signal, in float64. `first_sample` is the index of the sample that the
/// memory begins with, as make_phase counts.
struct WideOutputs {
  std::int64_t first, first_sample;
  int count;
  double* to;
};

/// Resamples by kScipy in float64, each output a sum from the oldest sample on. `weights` is work memory of `tap_count`
/// numbers.
void resample_wide(const Resampling& r, const WideOutputs& out, const double* from, double* weights);

}  // namespace layout
