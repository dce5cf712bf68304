#pragma once

#include <cstdint>

namespace layout {

/// A row of pixels of gray or RGB with alpha, which Inkling 2 lays on a chessboard: squares of 8 pixels, 204 at the
/// picture's first one, and 153. Each byte is rounded to nearest.
struct BoardRow {
  std::int32_t channels;  // 2 or 4
  std::int32_t width;
  std::int32_t row;  // its number in the picture
  const std::uint8_t* pixels;
  std::uint8_t* to;  // RGB
};

/// Writes a row as RGB.
void lay_on_board(const BoardRow& call);

}  // namespace layout
