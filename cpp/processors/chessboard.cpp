// processors/chessboard.h says what these functions do.

#include "processors/chessboard.h"

namespace layout {

/// Mixes a row with the squares of the board by its alpha.
void lay_on_board(const BoardRow& call) {
  // From one color to the next: 0 for gray, whose one byte is red, green and blue.
  const std::int32_t step = call.channels / 4, alpha_at = call.channels - 1;
  const std::uint8_t* pixel = call.pixels;
  std::uint8_t* to = call.to;
  for (std::int32_t x = 0; x < call.width; ++x, pixel += call.channels) {
    const std::uint32_t alpha = pixel[alpha_at], board = ((call.row ^ x) & 8) == 0 ? 204 : 153;
    for (std::int32_t c = 0; c < 3; ++c) {
      *to++ = static_cast<std::uint8_t>((pixel[c * step] * alpha + board * (255 - alpha) + 127) / 255);
    }
  }
}

}  // namespace layout
