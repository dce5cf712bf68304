#include "pick/select.h"

#include <algorithm>

namespace layout {
namespace {

struct Wide {
  std::uint64_t half[2];
};

template <typename T>
T* elements(std::uint8_t* memory, std::uint32_t step, std::uint32_t count) {
  auto* row = reinterpret_cast<T*>(memory);
  if (step == 0) std::fill_n(row + 1, count - 1, *row);
  return row;
}

template <typename T>
void select_row(const Selection& s) {
  const std::uint8_t* mask = elements<std::uint8_t>(s.mask, s.mask_step, s.count);
  const T* first = elements<T>(s.first, s.first_step, s.count);
  const T* second = elements<T>(s.second, s.second_step, s.count);
  auto* dst = reinterpret_cast<T*>(s.dst);
  for (std::uint32_t i = 0; i < s.count; ++i) {
    // Both are read, so that no branch guesses the mask.
    const T one = first[i], other = second[i];
    dst[i] = mask[i] != 0 ? one : other;
  }
}

}  // namespace

void select(const Selection& s) {
  const auto row = s.bytes == 1   ? select_row<std::uint8_t>
                   : s.bytes == 2 ? select_row<std::uint16_t>
                   : s.bytes == 4 ? select_row<std::uint32_t>
                   : s.bytes == 8 ? select_row<std::uint64_t>
                                  : select_row<Wide>;
  row(s);
}

}  // namespace layout
