// Sums, changes, resampling and WAV's codes against plain loops. Every memory has exactly the size that the contract
// allows.

#include <cmath>

#include "audio_oracle.h"

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

void check_flip(Random& random) {
  for (int i = 0; i < 200; ++i) {
    const auto columns = static_cast<int>(1 + random.below(9)), count = static_cast<int>(random.below(80));
    const int rows = (count + columns - 1) / columns;
    const std::vector<float> from = numbers(static_cast<std::size_t>(count), random);
    std::vector<float> to(static_cast<std::size_t>(rows * columns));
    layout::flip_numbers(from.data(), count, columns, to.data(), rows);
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k % columns * rows + k / columns);
      check(to[at] == from[static_cast<std::size_t>(k)], "flip %d of %d columns", k, columns);
    }
  }
}

/// Rows times the transpose of a DCT give back what the DCT of their sums is: its rows are orthonormal.
void check_dct() {
  const int size = 9;
  std::vector<double> table(size * size);
  layout::make_dct(size, size, table.data());
  for (int a = 0; a < size; ++a) {
    std::vector<float> row(size), result(size);
    for (int i = 0; i < size; ++i)
      row[static_cast<std::size_t>(i)] = static_cast<float>(table[static_cast<std::size_t>(a * size + i)]);
    layout::multiply_rows(row.data(), 1, size, table.data(), size, result.data());
    for (int b = 0; b < size; ++b)
      check(std::fabs(result[static_cast<std::size_t>(b)] - (a == b ? 1.0f : 0.0f)) < 1e-6f, "dct %d %d", a, b);
  }
}

}  // namespace

int main() {
  Random random(6);
  check_sums(random);
  check_flip(random);
  check_dct();
  for (int i = 0; i < 300; ++i)
    check_resampling(static_cast<layout::Sinc>(random.below(4)), 1 + random.below(7), 1 + random.below(7),
                     1 + random.below(40), random);
  for (int code = 0; code < 6; ++code) {
    for (std::size_t channels = 1; channels < 5; ++channels) check_code(code, channels, 37, random);
  }
}
