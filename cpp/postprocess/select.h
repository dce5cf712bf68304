/// Selection and sorting. The order of libstdc++ decides equal values, and all values where torch does not sort.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

struct Ranked {
  float value;
  std::int32_t index;
};

/// Writes the `count` greatest of `length` numbers, with their indices, to the front of `items`, which has room for
/// `length`. Their order is that of torch.topk on a CPU; `sorted`: greatest first. NaN counts as greatest. count <=
/// length.
void top_k(const float* x, std::size_t length, std::size_t count, bool sorted, Ranked* items);

struct UnsortedRows {
  const float* x;
  std::size_t rows;
  std::size_t length;
};

/// Writes the `count` greatest of each row, or the least, with their indices; equal values stay in order, NaN is
/// greatest. `items` has room for 2 * length.
void sort_rows(const UnsortedRows& from, std::size_t count, bool least, Ranked* items, float* values,
               std::int32_t* indices);

}  // namespace layout
