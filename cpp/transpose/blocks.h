#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "transpose/axes.h"

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

/// The index of the axis with this stride on one side, or -1.
inline int find_axis(int rank, const Axis* axes, std::int64_t Axis::*stride, std::int64_t value) {
  while (--rank >= 0 && axes[rank].*stride != value) {
  }
  return rank;
}

/// One side of the 2-D blocks that a box is cut into: a few axes that lie side by side in one memory, and the offsets
/// of their indices in the other memory. Blocks take `step` indices of the outermost of these axes at a time.
class Side {
 public:
  /// The most rows of a block. One line of 64 bytes for each takes a third of a first-level cache. 1.7x faster than
  /// 1024 on 512x4096 bytes (measured).
  static constexpr int kMost = 256;

  Side(std::int64_t Axis::*along, std::int64_t Axis::*across) : along_(along), across_(across) { offsets_[0] = 0; }

  /// Adds the next axis outward. Returns false if there is none, or if the side is `wide` already.
  bool grow(std::int64_t element, int wide, int& rank, Axis* axes) {
    if (size_ >= wide || step_ != outer_.extent) return false;
    const int found = find_axis(rank, axes, along_, element * size_);
    if (found < 0) return false;
    append(axes[found]);
    std::copy(axes + found + 1, axes + rank, axes + found);
    --rank;
    return true;
  }

  int size() const { return size_; }
  const std::ptrdiff_t* offsets() const { return offsets_; }

  /// How many rows, from the first one on, a first-level cache of 64 sets of 8 lines holds with one line each. Offsets
  /// are in bytes. Strides that share a high power of two map to few sets.
  int rows_in_cache() const {
    std::uint8_t lines[64] = {};
    for (int i = 0; i < size_; ++i) {
      if (++lines[offsets_[i] / 64 % 64] > 8) return i;
    }
    return size_;
  }

  /// Calls `move(size, src, dst)` for each step.
  template <typename Move>
  void for_each_step(std::int64_t src, std::int64_t dst, const Move& move) const {
    for (std::int64_t i = 0; i < outer_.extent; i += step_) {
      const auto size = inner_ * static_cast<int>(std::min(step_, outer_.extent - i));
      move(size, src + i * outer_.src_stride, dst + i * outer_.dst_stride);
    }
  }

 private:
  /// Makes `axis` the outermost one of this side: chooses its step, and fills in the offsets of its indices.
  void append(const Axis& axis) {
    inner_ = size_;
    outer_ = axis;
    const std::int64_t most = kMost / inner_;
    const std::int64_t pieces = (axis.extent + most - 1) / most;
    step_ = (axis.extent + pieces - 1) / pieces;  // even pieces: no narrow one at the end
    size_ = inner_ * static_cast<int>(step_);
    const auto stride = static_cast<std::ptrdiff_t>(axis.*across_);
    for (int i = inner_; i < size_; ++i) offsets_[i] = offsets_[i - inner_] + stride;
  }

  std::int64_t Axis::*along_;
  std::int64_t Axis::*across_;
  int size_ = 1;
  int inner_ = 1;
  std::int64_t step_ = 1;
  Axis outer_{1, 0, 0};
  std::ptrdiff_t offsets_[kMost];
};

/// A box as 2-D blocks. Row r of the source begins at src + rows().offsets()[r], row c of the destination at
/// dst + columns().offsets()[c].
///
/// Strides, `element` and all positions count in one unit, bytes or bits. One axis must have `element` as its
/// `src_stride`: its indices are columns. Another must have it as its `dst_stride`: its indices are rows. Where one of
/// these is short, the axes next to it join it until the side has about `wide` elements. `axes` lose those that join.
class Blocks {
 public:
  /// Grows both sides, in turn, until none has another axis to take.
  Blocks(std::int64_t element, int wide, int rank, Axis* axes) : rank_(rank), axes_(axes) {
    // The shorter side first: an axis may lie next to both.
    const auto grow = [&](Side& side) { return side.grow(element, wide, rank_, axes_); };
    grow(rows_);
    grow(columns_);
    while (rows_.size() <= columns_.size() ? grow(rows_) || grow(columns_) : grow(columns_) || grow(rows_)) {
    }
  }

  const Side& rows() const { return rows_; }
  const Side& columns() const { return columns_; }

  /// Calls `move(rows, columns, src, dst)` for each block; the sides' offsets hold in all of them.
  template <typename Move>
  void for_each_block(const Move& move) const {
    for_each(rank_, axes_, 0, 0, [&](std::int64_t src, std::int64_t dst) {
      columns_.for_each_step(src, dst, [&](int column_count, std::int64_t src_column, std::int64_t dst_column) {
        rows_.for_each_step(src_column, dst_column, [&](int row_count, std::int64_t src_at, std::int64_t dst_at) {
          move(row_count, column_count, src_at, dst_at);
        });
      });
    });
  }

 private:
  int rank_;
  Axis* axes_;
  Side rows_{&Axis::dst_stride, &Axis::src_stride};
  Side columns_{&Axis::src_stride, &Axis::dst_stride};
};

}  // namespace layout
