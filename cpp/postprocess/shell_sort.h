#pragma once

#include <cstddef>

namespace layout {

/// Sorts `count` items in place by Shell's sort, which needs no memory. Each gap is 5/11 of the one before (Gonnet and
/// Baeza-Yates), and the last is 1.
template <typename Item, typename IsBefore>
void shell_sort(Item* items, std::size_t count, const IsBefore& is_before) {
  for (std::size_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
    for (std::size_t i = gap; i < count; ++i) {
      const Item moved = items[i];
      std::size_t to = i;
      for (; to >= gap && is_before(moved, items[to - gap]); to -= gap) items[to] = items[to - gap];
      items[to] = moved;
    }
  }
}

}  // namespace layout
