#pragma once

#include <cstdint>

namespace layout {

/// `count` numbers of float32 or bytes. Their least and their greatest take the place of the first two; 16 bytes after
/// them are written, too.
struct Extremes {
  std::int32_t element, count;
  void* numbers;
};

/// Puts the least and the greatest number in front.
void find_extremes(const Extremes& call);

/// Whether the three bytes of each pixel are equal. `count` bytes; 64 after them are written.
bool is_gray(std::uint8_t* bytes, std::int32_t count);

}  // namespace layout
