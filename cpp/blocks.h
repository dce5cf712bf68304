#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "axes.h"

namespace layout {

/// Calls `move(src, dst)` with the position of every index of a box, the last axis fastest.
template <typename Move>
void for_each(int rank, const Axis* axes, std::int64_t src, std::int64_t dst, const Move& move) {
  if (rank <= 0) return move(src, dst);
  for (std::int64_t i = 0; i < axes->extent; ++i, src += axes->src_stride, dst += axes->dst_stride) {
    if (rank == 1) {
      move(src, dst);
    } else {
      for_each(rank - 1, axes + 1, src, dst, move);
    }
  }
}

/// One side of the 2-D blocks that a box is cut into: a few axes that lie side by side in one memory, and where their indices
/// are in the other. The outermost of them is walked `step` indices at a time.
class Side {
 public:
  /// The most rows of a block. With 1024 the offsets of both sides take half of the first-level cache on 64 bits, a quarter in wasm.
  static constexpr int kMost = 1024;

  void append(const Axis& axis, std::int64_t offset_stride) {
    assert(is_whole());
    inner_ = size_;
    outer_ = axis;
    const std::int64_t most = kMost / inner_;
    const std::int64_t pieces = (axis.extent + most - 1) / most;
    step_ = (axis.extent + pieces - 1) / pieces;  // even pieces: no narrow one at the end
    size_ = inner_ * static_cast<int>(step_);
    offsets_[0] = 0;
    for (int i = inner_; i < size_; ++i) offsets_[i] = offsets_[i - inner_] + static_cast<std::ptrdiff_t>(offset_stride);
  }

  int size() const { return size_; }
  const std::ptrdiff_t* offsets() const { return offsets_; }
  bool is_whole() const { return step_ == outer_.extent; }

  /// Calls `move(size, src, dst)` for each step.
  template <typename Move>
  void for_each_step(std::int64_t src, std::int64_t dst, const Move& move) const {
    if (is_whole()) return move(size_, src, dst);
    for (std::int64_t i = 0; i < outer_.extent; i += step_) {
      const auto size = inner_ * static_cast<int>(std::min(step_, outer_.extent - i));
      move(size, src + i * outer_.src_stride, dst + i * outer_.dst_stride);
    }
  }

 private:
  int size_ = 1;
  int inner_ = 1;
  std::int64_t step_ = 1;
  Axis outer_{1, 0, 0};
  std::ptrdiff_t offsets_[kMost];
};

/// The index of the axis with this stride on one side, or -1.
inline int find_axis(int rank, const Axis* axes, std::int64_t Axis::*stride, std::int64_t value) {
  while (--rank >= 0 && axes[rank].*stride != value) {
  }
  return rank;
}

/// Cuts a box into 2-D blocks: calls `move(rows, columns, src, src_rows, dst, dst_rows)` for each, with rows of the source
/// that begin at src + src_rows[r] and rows of the destination at dst + dst_rows[c].
///
/// Strides, `element` and all positions count in the same unit, bytes or bits. There are an axis whose `src_stride` is `element`
/// (its indices are columns) and another whose `dst_stride` is (rows); where these are short, more of their neighbours join
/// them until a side has about `wide` elements. `axes` lose the order.
template <typename Move>
void for_each_block(std::int64_t element, int wide, int rank, Axis* axes, const Move& move) {
  Side rows;
  Side columns;
  const auto grow = [&](Side& side, std::int64_t Axis::*along, std::int64_t Axis::*across) {
    if (!side.is_whole() || (side.size() >= wide)) return false;
    const int found = find_axis(rank, axes, along, element * side.size());
    if (found < 0) return false;
    side.append(axes[found], axes[found].*across);
    std::copy(axes + found + 1, axes + rank, axes + found);
    --rank;
    return true;
  };
  const auto grow_rows = [&] { return grow(rows, &Axis::dst_stride, &Axis::src_stride); };
  const auto grow_columns = [&] { return grow(columns, &Axis::src_stride, &Axis::dst_stride); };
  grow_rows();
  grow_columns();
  // The shorter side first: an axis may be the next one of both.
  while (rows.size() <= columns.size() ? grow_rows() || grow_columns() : grow_columns() || grow_rows()) {
  }
  for_each(rank, axes, 0, 0, [&](std::int64_t src, std::int64_t dst) {
    columns.for_each_step(src, dst, [&](int column_count, std::int64_t src_column, std::int64_t dst_column) {
      rows.for_each_step(src_column, dst_column, [&](int row_count, std::int64_t src_at, std::int64_t dst_at) {
        move(row_count, column_count, src_at, rows.offsets(), dst_at, columns.offsets());
      });
    });
  });
}

}  // namespace layout
