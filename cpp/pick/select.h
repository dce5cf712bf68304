#pragma once

#include <cstdint>

namespace layout {

/// A row of elements of `bytes`: 1, 2, 4, 8 or 16. Element i of `dst` is that of `first` where byte i of `mask` is not
/// 0, otherwise that of `second`. An input whose step is 0 has one element, which is repeated after it: each memory
/// has `count` elements. All are aligned to the element, and none overlaps another.
struct Selection {
  std::uint32_t bytes, count, mask_step, first_step, second_step;
  std::uint8_t *mask, *first, *second, *dst;
};

/// Writes `dst` of a Selection.
void select(const Selection& selection);

}  // namespace layout
