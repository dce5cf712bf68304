#pragma once

#include <cstdint>

namespace layout {

/// The most axes that one box may have.
inline constexpr int kMaxRank = 64;

/// One axis of a box that moves from one memory to another.
struct Axis {
  std::int64_t extent;
  std::int64_t src_stride;  // in bits
  std::int64_t dst_stride;  // in bits

  bool operator==(const Axis&) const = default;
};

/// Rewrites a box as the same moves with the fewest axes, in place, and returns how many are left.
///
/// Axes of extent 1 go; the rest is sorted by descending `dst_stride`; neighbours that lie as one axis on both sides
/// are fused; and an innermost axis that stays where it is becomes part of the element (`element_bits *= extent`) if
/// the product is whole bytes and all strides that are left are too. That last step takes for granted that the box
/// starts on a byte on both sides: `fold` is false where it does not. Strides are not negative. A box without elements
/// becomes one axis of extent 0.
int canonical_axes(std::int64_t& element_bits, int rank, Axis* axes, bool fold = true);

}  // namespace layout
