#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "transpose/axes.h"

namespace layout {

/// A long row of small blocks whose elements stay within their block, such as 3x3 matrices. Strides are in bytes.
class SmallBlocks {
 public:
  static constexpr int kMostBytes = 64;
  static constexpr int kMostVectors = kMostBytes / 16;
  /// For each vector of the destination and each vector of the source: which byte goes where, or 0xff for none.
  using Orders = std::uint8_t[kMostVectors][kMostVectors][16];

  /// Nothing if the box is no such row, or if its blocks have more than kMostBytes. `axes` are canonical and must stay
  /// where they are.
  static std::optional<SmallBlocks> find(std::ptrdiff_t bytes, int rank, const Axis* axes);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  SmallBlocks(std::ptrdiff_t bytes, int rank, const Axis* axes, int row);

  alignas(16) Orders orders_;
  std::ptrdiff_t step_;
  int row_;
  const Axis* axes_;
};

}  // namespace layout
