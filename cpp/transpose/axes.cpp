// transpose/axes.h says what these functions do.

#include "transpose/axes.h"

#include <cassert>

namespace layout {
namespace {

/// Drops axes of extent 1, in place. Returns how many are left. A box without elements becomes one axis of extent 0.
int drop_unit_axes(int rank, Axis* axes) {
  int kept = 0;
  for (int i = 0; i < rank; ++i) {
    if (axes[i].extent == 0) {
      axes[0] = {0, 0, 0};
      return 1;
    }
    if (axes[i].extent != 1) axes[kept++] = axes[i];
  }
  return kept;
}

/// Sorts axes by descending destination stride. Insertion sort: there are few axes, and most are in order already.
void sort_to_output_order(int rank, Axis* axes) {
  for (int i = 1; i < rank; ++i) {
    const Axis axis = axes[i];
    int at = i;
    for (; at > 0 && axes[at - 1].dst_stride < axis.dst_stride; --at) axes[at] = axes[at - 1];
    axes[at] = axis;
  }
}

/// Fuses each axis, in place, with the next outer one where both memories allow it: the outer stride is the inner
/// stride times the inner extent. Returns how many axes are left.
int fuse_neighbors(int rank, Axis* axes) {
  if (rank == 0) return 0;
  int last = 0;
  for (int i = 1; i < rank; ++i) {
    const Axis inner = axes[i];
    Axis& outer = axes[last];
    if (outer.src_stride == inner.extent * inner.src_stride && outer.dst_stride == inner.extent * inner.dst_stride) {
      outer = {outer.extent * inner.extent, inner.src_stride, inner.dst_stride};
    } else {
      axes[++last] = inner;
    }
  }
  return last + 1;
}

/// Whether the innermost axis can become part of the element: its elements lie side by side in both memories, and the
/// longer element and all other strides are whole bytes. `rank` is at least 1.
bool can_fold(std::int64_t element_bits, int rank, const Axis* axes) {
  const Axis inner = axes[rank - 1];
  if (inner.src_stride != element_bits || inner.dst_stride != element_bits) return false;
  if (element_bits * inner.extent % 8 != 0) return false;
  for (int i = 0; i < rank - 1; ++i) {
    if (axes[i].src_stride % 8 != 0 || axes[i].dst_stride % 8 != 0) return false;
  }
  return true;
}

}  // namespace

/// Drops, fuses and folds axes until no two of them move as one.
int canonical_axes(std::int64_t& element_bits, int rank, Axis* axes, bool fold) {
  assert(rank >= 0 && rank <= kMaxRank && element_bits > 0);
  rank = drop_unit_axes(rank, axes);
  sort_to_output_order(rank, axes);
  rank = fuse_neighbors(rank, axes);
  // An extent of 0, which a box without elements has, would make an element of no bits.
  if (fold && rank > 0 && axes[rank - 1].extent != 0 && can_fold(element_bits, rank, axes)) {
    element_bits *= axes[--rank].extent;
  }
  return rank;
}

}  // namespace layout
