#pragma once

#include <algorithm>
#include <cstdlib>

namespace layout {

/// The element that stands at a place of an axis that is mirrored at its outermost elements.
inline int mirrored(int at, int extent) {
  const int period = std::max(1, 2 * (extent - 1)), place = std::abs(at) % period;
  return std::min(place, period - place);
}

}  // namespace layout
