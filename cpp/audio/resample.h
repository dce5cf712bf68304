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

/// How many weights an output has at most: a whole number, which int does not hold for some settings. The functions
/// below take settings whose weights of all phases are 2^25 at most.
double tap_count(const Resampling& r);

/// Writes the `tap_count` weights of output `phase` (below `up`). Returns its first input sample, relative to that of
/// row 0.
int make_phase(const Resampling& r, int phase, float* weights);

/// kScipy: the sum of all weights before they are scaled.
double sum_of_weights(const Resampling& r);

/// The weights of all `up` phases, and the first sample of each relative to the earliest one of row 0.
struct PhaseTable {
  const std::int32_t* firsts;
  const float* weights;
  int up, down, taps;
};

/// Resamples `rows` rows of `up` outputs each. The earliest sample of row 0 stands at `from`. Sums in float32, the
/// oldest sample first, each by itself. `planes` has `down` * plane_length(rows, ...) numbers. With a `down` of 1,
/// kNarrowRows numbers behind the samples are read.
void resample_rows(const PhaseTable& table, const float* from, int rows, float* planes, float* to);

/// So many rows share each load of a weight, and so many where fewer are left: sums in 12 vectors hide the latency of
/// additions, and take .7 of the time of sums in 4.
constexpr int kRows = 48, kNarrowRows = 16;

/// How many numbers a plane of `resample_rows` has. `span` is how many samples one row reads.
inline int plane_length(int rows, int down, int span) { return rows + (span + down - 1) / down + kNarrowRows; }

/// One row of resample_rows: the outputs of all phases, from the row's samples.
void resample_row(const PhaseTable& table, const float* from, float* to);

/// Outputs `first` to `first + count` in float64. `first_sample`: which sample of row 0 the memory begins with.
struct WideOutputs {
  std::int64_t first, first_sample;
  int count;
  double* to;
};

/// kScipy in float64: a sum from the oldest sample on. `weights` has room for `tap_count`.
void resample_wide(const Resampling& r, const WideOutputs& out, const double* from, double* weights);

}  // namespace layout
