// pick/select.h says what these functions do.

#include "pick/select.h"

#include <algorithm>
#include <cstring>

namespace layout {
namespace {

/// An element of 16 bytes.
struct Wide {
  std::uint64_t half[2];
};

/// Fills `memory` with `count` copies of its first element, which has `bytes` bytes, if `step` is 0. Each pass doubles
/// the filled part.
void repeat(std::uint8_t* memory, std::uint32_t step, std::size_t bytes, std::size_t count) {
  const std::size_t end = step == 0 ? bytes * count : 0;
  for (std::size_t done = bytes; done < end; done *= 2) std::memcpy(memory + done, memory, std::min(done, end - done));
}

/// Does select for elements of the size of T, once all inputs have `count` elements.
template <typename T>
void select_elements(const Selection& s) {
  const auto *first = reinterpret_cast<const T*>(s.first), *second = reinterpret_cast<const T*>(s.second);
  const std::uint8_t* mask = s.mask;
  const std::uint32_t count = s.count;
  auto* dst = reinterpret_cast<T*>(s.dst);
  for (std::uint32_t i = 0; i < count; ++i) {
    // Both are read, so that no branch guesses the mask.
    const T from_first = first[i], from_second = second[i];
    dst[i] = mask[i] != 0 ? from_first : from_second;
  }
}

}  // namespace

/// Repeats inputs of one element in their own memory, which has place for all, then chooses by the mask.
void select(const Selection& s) {
  const auto select_all = s.bytes == 1   ? select_elements<std::uint8_t>
                          : s.bytes == 2 ? select_elements<std::uint16_t>
                          : s.bytes == 4 ? select_elements<std::uint32_t>
                          : s.bytes == 8 ? select_elements<std::uint64_t>
                                         : select_elements<Wide>;
  repeat(s.mask, s.mask_step, 1, s.count);
  repeat(s.first, s.first_step, s.bytes, s.count);
  repeat(s.second, s.second_step, s.bytes, s.count);
  select_all(s);
}

}  // namespace layout
