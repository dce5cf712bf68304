#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "transpose/axes.h"

namespace layout {

/// Moves a box that is a long row of small blocks, dense in both memories, whose elements only change their order in
/// the block, such as 3x3 matrices that are transposed. Strides are in bytes.
class SmallBlocks {
 public:
  static constexpr int kMaxBytes = 64;
  static constexpr int kMaxVectors = kMaxBytes / 16;
  /// orders[i][k][b]: the byte of source vector k that becomes byte b of destination vector i, or 0xff if that byte
  /// comes from another source vector.
  using Orders = std::uint8_t[kMaxVectors][kMaxVectors][16];

  /// Plans the moves of a box with elements of `bytes` bytes. Nothing if the box is no such row, if the row is too
  /// short for tables, or if a block has more than kMaxBytes. `axes` are canonical and must stay where they are.
  static std::optional<SmallBlocks> find(std::ptrdiff_t bytes, int rank, const Axis* axes);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  /// `row` is the index of the axis along which the blocks lie; the axes after it are those of a block.
  SmallBlocks(std::ptrdiff_t bytes, int rank, const Axis* axes, int row);

  alignas(16) Orders orders_;
  std::ptrdiff_t step_;  // bytes of the whole blocks that the tables move at a time
  int row_;
  const Axis* axes_;
};

}  // namespace layout
