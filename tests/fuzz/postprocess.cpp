// Selection, labels, thresholds, steps of planes, run lengths, peaks, polygons and resizes, of sizes and numbers that a
// seed of the fuzzer chooses, against the oracles of the native tests. Every memory has exactly the size that the
// contract allows.

#include "../native/postprocess_oracle.h"

#include "fuzz.h"

void fuzz(FuzzedDataProvider& input) {
  constexpr void (*kChecks[])(Random&) = {
      check_top_k,         check_thresholds,  check_labels,      check_steps, check_runs, check_peaks_and_samples,
      check_approximation, check_axis_resize, check_suppression,
  };
  const auto check_one = kChecks[input.ConsumeIntegralInRange<std::size_t>(0, std::size(kChecks) - 1)];
  Random random(input.ConsumeIntegral<std::uint64_t>());
  check_one(random);
}
