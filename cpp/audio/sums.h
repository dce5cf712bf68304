#pragma once

#include <cstddef>

namespace layout {

/// Sums numbers `first` to `first + count` in the order of np.add.reduce along a contiguous axis: blocks of at most 128
/// with eight accumulators; more are halved, at a multiple of 8. `at(i)` is number i.
template <typename Number, typename At>
Number pairwise_sum_of(const At& at, std::ptrdiff_t first, std::ptrdiff_t count) {
  if (count > 128) {
    const std::ptrdiff_t half = count / 2 - count / 2 % 8;
    return pairwise_sum_of<Number>(at, first, half) + pairwise_sum_of<Number>(at, first + half, count - half);
  }
  if (count < 8) {
    Number sum{};
    for (std::ptrdiff_t i = 0; i < count; ++i) sum += at(first + i);
    return sum;
  }
  Number r[8];
  for (int j = 0; j < 8; ++j) r[j] = at(first + j);
  const std::ptrdiff_t whole = count - count % 8;
  for (std::ptrdiff_t i = 8; i < whole; i += 8) {
    for (int j = 0; j < 8; ++j) r[j] += at(first + i + j);
  }
  Number sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (std::ptrdiff_t i = whole; i < count; ++i) sum += at(first + i);
  return sum;
}

/// Sums `count` numbers from `x` on in that order.
template <typename Number>
Number pairwise_sum(const Number* x, std::ptrdiff_t count) {
  return pairwise_sum_of<Number>([x](std::ptrdiff_t i) { return x[i]; }, 0, count);
}

}  // namespace layout
