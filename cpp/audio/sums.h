#pragma once

#include <cstddef>

namespace layout {

/// Sums numbers `first` to `first + count` in the order of np.add.reduce along a contiguous axis: blocks of at most 128
/// with eight accumulators; more are halved, at a multiple of 8. `at(i)` is number i.
template <typename Number, typename At>
Number pairwise_sum_of(const At& at, std::ptrdiff_t first, std::ptrdiff_t count) {
  constexpr int kBlock = 128, kSums = 8;
  if (count > kBlock) {
    const std::ptrdiff_t half = count / 2 - count / 2 % kSums;
    return pairwise_sum_of<Number>(at, first, half) + pairwise_sum_of<Number>(at, first + half, count - half);
  }
  if (count < kSums) {
    Number sum{};
    for (std::ptrdiff_t i = 0; i < count; ++i) sum += at(first + i);
    return sum;
  }
  Number sums[kSums];
  for (int j = 0; j < kSums; ++j) sums[j] = at(first + j);
  const std::ptrdiff_t rest = count - count % kSums;  // where fewer than kSums numbers are left
  for (std::ptrdiff_t i = kSums; i < rest; i += kSums) {
    for (int j = 0; j < kSums; ++j) sums[j] += at(first + i + j);
  }
  Number sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (std::ptrdiff_t i = rest; i < count; ++i) sum += at(first + i);
  return sum;
}

/// Sums `count` numbers from `x` on in the order of np.add.reduce.
template <typename Number>
Number pairwise_sum(const Number* x, std::ptrdiff_t count) {
  return pairwise_sum_of<Number>([x](std::ptrdiff_t i) { return x[i]; }, 0, count);
}

}  // namespace layout
