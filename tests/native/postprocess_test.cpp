// Answers of models: random calls of each check.

#include "postprocess_oracle.h"

int main() {
  Random random(42);
  for (int i = 0; i < 3000; ++i) check_top_k(random);
  for (int i = 0; i < 2000; ++i) check_thresholds(random);
  for (int i = 0; i < 200; ++i) check_labels(random);
  for (int i = 0; i < 500; ++i) check_steps(random);
  for (int i = 0; i < 5000; ++i) check_approximation(random);
  for (int i = 0; i < 5000; ++i) check_axis_resize(random);
  for (int i = 0; i < 3000; ++i) check_runs(random);
  for (int i = 0; i < 5000; ++i) check_suppression(random);
  for (int i = 0; i < 2000; ++i) check_peaks_and_samples(random);
}
