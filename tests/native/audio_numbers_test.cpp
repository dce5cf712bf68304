// Sums, changes, resampling and WAV's codes against plain loops. Every memory has exactly the size that the contract
// allows.

#include <cmath>

#include "audio_matrices_oracle.h"

namespace {

void check_sums(Random& random) {
  for (std::size_t count = 0; count < 700; ++count) {
    const std::vector<float> x = numbers(count, random);
    long double sum = 0, squares = 0;
    float in_order = 0, most = -1;
    for (const float value : x) {
      sum += static_cast<long double>(value);
      squares += static_cast<long double>(value) * static_cast<long double>(value);
      in_order += value;
      most = std::max(most, std::fabs(value));
    }
    using layout::Reduction;
    const auto reduced = [&](Reduction how, double start) {
      return layout::reduce_numbers(how, x.data(), count, 0, start);
    };
    check(std::fabs(reduced(Reduction::kPairwise, 0) - static_cast<double>(sum)) < 1e-4, "pairwise %zu", count);
    check(std::fabs(reduced(Reduction::kWide, 0) - static_cast<double>(sum)) < 1e-12, "wide %zu", count);
    check(std::fabs(reduced(Reduction::kWideSquares, 0) - static_cast<double>(squares)) < 1e-12, "squares %zu", count);
    check(reduced(Reduction::kInOrder, 0) == static_cast<double>(in_order), "in order %zu", count);
    check(reduced(Reduction::kLargest, -1) == static_cast<double>(most), "largest %zu", count);
  }
  const float list[] = {1, NAN, 3, 2};
  check(std::isnan(layout::reduce_numbers(layout::Reduction::kMaximum, list, 4, 0, -INFINITY)), "NaN");
  check(layout::reduce_numbers(layout::Reduction::kMaximum, list + 2, 2, 0, -INFINITY) == 3, "maximum");
}

}  // namespace

int main() {
  Random random(6);
  check_sums(random);
  for (int i = 0; i < 1000; ++i) check_matrices(random);
  for (int i = 0; i < 300; ++i)
    check_resampling(static_cast<layout::Sinc>(random.below(4)), 1 + random.below(7), 1 + random.below(7),
                     1 + random.below(40), random);
  for (int code = 0; code < 6; ++code) {
    for (std::size_t channels = 1; channels < 5; ++channels) check_code(code, channels, 37, random);
  }
}
