/// Which rows of a table stay, and the table of those.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Writes the indices of the numbers above a threshold, with `inclusive` also of those at it. Returns how many there
/// are. `indices` has room for `count`.
std::size_t find_above(const float* x, std::size_t count, float threshold, bool inclusive, std::int32_t* indices);

/// Counts the numbers of each row that are above a threshold.
void count_above(const float* x, std::size_t rows, std::size_t length, float threshold, std::int32_t* counts);

/// Rows of `width` words of 32 bits.
struct WordRows {
  const std::uint32_t* words;
  std::size_t rows;
  std::size_t width;
};

/// Copies the rows that `indices` name, in their order. False where an index is of no row.
bool gather_rows(const WordRows& from, const std::int32_t* indices, std::size_t count, std::uint32_t* to);

/// Copies the first `used` numbers of each row. `to` must not be `x`.
void cut_rows(const float* x, std::size_t rows, std::size_t length, std::size_t used, float* to);

/// Writes, for each of `count` queries, how many others come before it, as a sum of probabilities. The sigmoid of
/// logit [i, j], for i < j, is the probability that query i comes before query j: it counts for query j, and 1 less it
/// for query i.
void sum_votes(const float* logits, std::size_t count, float* votes);

}  // namespace layout
