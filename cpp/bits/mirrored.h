#pragma once

#include <algorithm>
#include <cstdlib>

namespace layout {

/// The index of the element that stands at `index`, which may lie outside the axis, when the axis of `extent` >= 1
/// elements is mirrored at its first and last element, again and again: indices -2 to 4 of an extent of 3 are 2 1 0 1 2
/// 1 0.
inline int mirrored(int index, int extent) {
  const int period = std::max(1, 2 * (extent - 1));  // an axis of one element has the period 1, not 0
  const int forward = std::abs(index) % period, backward = period - forward;
  return std::min(forward, backward);
}

}  // namespace layout
