// processors/chessboard.h says what these functions do.

#include "processors/chessboard.h"

namespace layout {

/// Each byte is the weighted mean (byte * alpha + board * (255 - alpha)) / 255, rounded.
void lay_on_board(const BoardRow& call) {
  constexpr std::int32_t kSquare = 8;
  constexpr std::uint32_t kLight = 204, kDark = 153, kOpaque = 255;
  // From one color to the next: 0 for gray, whose one byte is red, green and blue.
  const std::int32_t step = call.channels / 4, alpha_at = call.channels - 1;
  const std::uint8_t* pixel = call.pixels;
  std::uint8_t* to = call.to;
  for (std::int32_t x = 0; x < call.width; ++x, pixel += call.channels) {
    const bool is_light = (call.row / kSquare + x / kSquare) % 2 == 0;
    const std::uint32_t alpha = pixel[alpha_at], board = is_light ? kLight : kDark;
    for (std::int32_t c = 0; c < 3; ++c) {
      const std::uint32_t sum = pixel[c * step] * alpha + board * (kOpaque - alpha);
      *to++ = static_cast<std::uint8_t>((sum + kOpaque / 2) / kOpaque);
    }
  }
}

}  // namespace layout
