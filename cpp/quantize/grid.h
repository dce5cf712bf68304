#pragma once

#include <cstdint>

namespace layout {

/// Which scales the elements of a piece of a tensor have. The elements along the quantized axis are rows of `width`
/// elements; the axis has `rows` rows, and repeats for each index of the axes before it. From the first row of an axis
/// on, each `block` rows share a row of scales, which holds one scale for each column; the last block of an axis may be
/// short. The rows of scales lie one after the other. Where `width` is 1, a row is one element. If all rows share one
/// row of scales, rows and block are kEndless.
struct Grid {
  static constexpr std::uint32_t kEndless = 0x7fffffff;

  std::uint32_t width;
  std::uint32_t rows;
  std::uint32_t block;
  std::uint32_t row;     // of its axis: where the piece begins
  std::uint32_t column;  // of that row: where the piece begins
};

}  // namespace layout
