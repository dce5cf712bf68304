// postprocess/pick.h says what these functions do.

#include "postprocess/pick.h"

#include "postprocess/numbers.h"

namespace layout {

std::size_t find_above(const float* x, std::size_t count, float threshold, bool inclusive, std::int32_t* indices) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // Without a branch: an index that does not pass is overwritten by the next one.
    const bool passes = (x[i] > threshold) | (inclusive & (x[i] == threshold));
    indices[written] = static_cast<std::int32_t>(i);
    written += passes ? 1 : 0;
  }
  return written;
}

void count_above(const float* x, std::size_t rows, std::size_t length, float threshold, std::int32_t* counts) {
  for (std::size_t row = 0; row < rows; ++row, x += length) {
    std::int32_t count = 0;
    for (std::size_t i = 0; i < length; ++i) count += x[i] > threshold ? 1 : 0;
    counts[row] = count;
  }
}

bool gather_rows(const WordRows& from, const std::int32_t* indices, std::size_t count, std::uint32_t* to) {
  const auto [words, rows, width] = from;
  for (std::size_t row = 0; row < count; ++row, to += width) {
    const auto index = static_cast<std::size_t>(indices[row]);
    if (index >= rows) return false;
    const std::uint32_t* row_words = words + index * width;
    for (std::size_t i = 0; i < width; ++i) to[i] = row_words[i];
  }
  return true;
}

void cut_rows(const float* x, std::size_t rows, std::size_t length, std::size_t used, float* to) {
  for (std::size_t row = 0; row < rows; ++row, x += length, to += used) {
    for (std::size_t i = 0; i < used; ++i) to[i] = x[i];
  }
}

void sum_votes(const float* logits, std::size_t count, float* votes) {
  // The sigmoid of logit [i, j], for i < j, is the probability that query i comes before query j.
  for (std::size_t query = 0; query < count; ++query) {
    double sum = 0;
    for (std::size_t other = 0; other < query; ++other)
      sum += static_cast<double>(logistic(logits[other * count + query]));
    for (std::size_t other = query + 1; other < count; ++other)
      sum += 1.0 - static_cast<double>(logistic(logits[query * count + other]));
    votes[query] = static_cast<float>(sum);
  }
}

}  // namespace layout
