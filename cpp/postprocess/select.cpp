// postprocess/select.h says what these functions do.

#include "postprocess/select.h"

#include <cmath>
#include <utility>

namespace layout {

namespace {

using Index = std::ptrdiff_t;

/// Whether `a` comes before `b`: it is greater, and NaN is greatest.
bool is_before(const Ranked& a, const Ranked& b) {
  return (std::isnan(a.value) && !std::isnan(b.value)) || a.value > b.value;
}

/// Puts a value into a heap of `length` items that has a hole: moves the hole down to a leaf, then up to where the
/// value belongs, as std::__adjust_heap. Item i has the children 2 * i + 1 and 2 * i + 2, and comes before neither.
void sift(Ranked* heap, Index hole, Index length, Ranked value) {
  const Index top = hole;
  const auto move_hole_to = [&](Index item) {
    heap[hole] = heap[item];
    hole = item;
  };
  const Index with_two_children = (length - 1) / 2;  // items before this one have two
  while (hole < with_two_children) {
    const Index left = 2 * hole + 1, right = 2 * hole + 2;
    move_hole_to(is_before(heap[right], heap[left]) ? left : right);
  }
  // In a heap of an even length, the last parent has one child.
  if (length % 2 == 0 && hole == (length - 2) / 2) move_hole_to(2 * hole + 1);
  for (Index parent = (hole - 1) / 2; hole > top && is_before(heap[parent], value); parent = (hole - 1) / 2) {
    heap[hole] = heap[parent];
    hole = parent;
  }
  heap[hole] = value;
}

/// Moves the `middle` greatest of `end` items to the front, as a heap whose top is the least of them: makes a heap of
/// the first ones, and replaces its top by each greater item. This is std::__heap_select.
void heap_select(Ranked* items, Index middle, Index end) {
  const Index last_parent = middle > 1 ? (middle - 2) / 2 : -1;
  for (Index parent = last_parent; parent >= 0; --parent) sift(items, parent, middle, items[parent]);
  for (Index i = middle; i < end; ++i) {
    if (!is_before(items[i], items[0])) continue;
    const Ranked value = items[i];
    items[i] = items[0];
    sift(items, 0, middle, value);
  }
}

/// Sorts a heap, greatest first: takes its top to the end again and again.
void sort_heap(Ranked* items, Index end) {
  while (end > 1) {
    --end;
    const Ranked value = items[end];
    items[end] = items[0];
    sift(items, 0, end, value);
  }
}

/// Moves the median of second, middle and last to the front, and splits the rest by it, first those that are not after
/// it: as std::__unguarded_partition_pivot. Returns where the second part begins.
Index partition(Ranked* items, Index first, Index end) {
  Index low = first + 1;
  const Index middle = first + (end - first) / 2;
  const Index last = end - 1;
  const auto median = [&] {
    if (is_before(items[low], items[middle])) {
      if (is_before(items[middle], items[last])) return middle;
      return is_before(items[low], items[last]) ? last : low;
    }
    if (is_before(items[low], items[last])) return low;
    return is_before(items[middle], items[last]) ? last : middle;
  };
  std::swap(items[first], items[median()]);
  for (Index high = end;; ++low) {
    while (is_before(items[low], items[first])) ++low;
    --high;
    while (is_before(items[first], items[high])) --high;
    if (low >= high) return low;
    std::swap(items[low], items[high]);
  }
}

/// Sorts items `first` to `end`, greatest first, by insertion, which keeps equal values in order.
void insertion_sort(Ranked* items, Index first, Index end) {
  for (Index i = first + 1; i < end; ++i) {
    const Ranked value = items[i];
    Index to = i;
    for (; to > first && is_before(value, items[to - 1]); --to) items[to] = items[to - 1];
    items[to] = value;
  }
}

/// Twice the whole part of the binary logarithm: after so many splits, libstdc++ goes on with a heap.
int depth_limit(Index length) {
  int depth = 0;
  for (Index left = length; left > 1; left /= 2) depth += 2;
  return depth;
}

/// Brings the item to place `nth` that belongs there in the sorted order, all greater ones before it: std::nth_element.
/// Splits until at most three items are left; after too many splits it takes a heap.
void select_nth(Ranked* items, Index nth, Index end) {
  Index first = 0;
  for (int depth = depth_limit(end); end - first > 3; --depth) {
    if (depth == 0) {
      heap_select(items + first, nth + 1 - first, end - first);
      std::swap(items[first], items[nth]);
      return;
    }
    const Index cut = partition(items, first, end);
    if (cut <= nth) {
      first = cut;
    } else {
      end = cut;
    }
  }
  insertion_sort(items, first, end);
}

/// Splits until runs have at most 16 items, as std::sort does; insertion sorts all of them afterwards.
void split(Ranked* items, Index first, Index end, int depth) {
  for (; end - first > 16; --depth) {
    if (depth == 0) {
      heap_select(items + first, end - first, end - first);
      sort_heap(items + first, end - first);
      return;
    }
    const Index cut = partition(items, first, end);
    split(items, cut, end, depth - 1);
    end = cut;
  }
}

}  // namespace

void top_k(const float* x, std::size_t length, std::size_t count, bool sorted, Ranked* items) {
  if (count == 0) return;
  for (std::size_t i = 0; i < length; ++i) items[i] = {x[i], static_cast<std::int32_t>(i)};
  const Index most = static_cast<Index>(count);
  const Index end = static_cast<Index>(length);
  // torch's rule: few of many by std::partial_sort, others by std::nth_element and std::sort.
  if (64 * most <= end) {
    heap_select(items, most, end);
    sort_heap(items, most);
    return;
  }
  select_nth(items, most - 1, end);
  // Item most - 1 is in its place already, and a single other one needs no sorting.
  if (!sorted || most < 3) return;
  split(items, 0, most - 1, depth_limit(most - 1));
  insertion_sort(items, 0, most - 1);
}

namespace {

/// Merges two sorted runs of `from`, from `start` to before `middle` and from there to before `end`, into `to`. Of
/// equal values those of the first run come first.
void merge_runs(const Ranked* from, std::size_t start, std::size_t middle, std::size_t end, bool least, Ranked* to) {
  std::size_t left = start;
  std::size_t right = middle;
  for (std::size_t i = start; i < end; ++i) {
    bool takes_right = left == middle;
    if (!takes_right && right < end) {
      takes_right = least ? is_before(from[left], from[right]) : is_before(from[right], from[left]);
    }
    to[i] = takes_right ? from[right++] : from[left++];
  }
}

}  // namespace

/// Sorts each row by merging, which keeps equal values in order.
void sort_rows(const UnsortedRows& rows, std::size_t count, bool least, Ranked* items, float* values,
               std::int32_t* indices) {
  const std::size_t length = rows.length;
  const auto up_to_length = [=](std::size_t end) { return end < length ? end : length; };
  for (std::size_t row = 0; row < rows.rows; ++row) {
    Ranked* from = items;
    Ranked* to = items + length;
    for (std::size_t i = 0; i < length; ++i) from[i] = {rows.x[row * length + i], static_cast<std::int32_t>(i)};
    // Runs of `width` become runs of twice that, from one half of `items` to the other.
    for (std::size_t width = 1; width < length; width *= 2) {
      for (std::size_t start = 0; start < length; start += 2 * width) {
        const std::size_t middle = up_to_length(start + width);
        const std::size_t end = up_to_length(start + 2 * width);
        merge_runs(from, start, middle, end, least, to);
      }
      std::swap(from, to);
    }
    for (std::size_t i = 0; i < count; ++i) {
      *values++ = from[i].value;
      *indices++ = from[i].index;
    }
  }
}

}  // namespace layout
