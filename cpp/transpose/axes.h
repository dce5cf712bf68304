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
/// 1. Drops axes of extent 1.
/// 2. Sorts the rest by descending `dst_stride`.
/// 3. Fuses neighbors that lie as one axis on both sides.
/// 4. Folds an innermost axis that does not move into the element (`element_bits *= extent`), if the product is whole
///    bytes and all strides that are left are whole bytes, too. This step needs a box that starts on a byte on both
///    sides: otherwise `fold` is false.
///
/// Source strides may have any sign or be 0. Destination strides are not negative. A box without elements becomes one
/// axis of extent 0.
int canonical_axes(std::int64_t& element_bits, int rank, Axis* axes, bool fold = true);

}  // namespace layout
