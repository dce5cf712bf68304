#pragma once

#include <cstdint>

namespace layout {

/// Which scales the elements of a piece have. Elements come in rows of `width`; an axis has `rows` rows; `block` rows
/// in a turn share a row of scales, which holds one scale for each column. The last block of an axis may be short.
/// Where `width` is 1, a row is one element. One row of scales for all rows: rows and block are kEndless.
struct Grid {
  static constexpr std::uint32_t kEndless = 0x7fffffff;

  std::uint32_t width;
  std::uint32_t rows;
  std::uint32_t block;
  std::uint32_t row;     // of its axis, where the piece begins
  std::uint32_t column;  // likewise
};

}  // namespace layout
