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

/// Rewrites the `rank` axes of a box, in place, so that fewer axes move each element as before. Returns how many are
/// left.
///
/// 1. Drops axes of extent 1.
/// 2. Sorts the rest by descending `dst_stride`.
/// 3. Fuses an axis with the next outer one where, in both memories, the outer stride is the inner one times the inner
///    extent.
/// 4. Folds an innermost axis into the element (`element_bits *= extent`) if its elements lie side by side in both
///    memories, the product is whole bytes and all strides that are left are whole bytes, too. This step needs a box
///    that starts on a byte in both memories: otherwise `fold` is false.
///
/// Source strides may have any sign or be 0. Destination strides are not negative. A box without elements becomes one
/// axis of extent 0.
int canonical_axes(std::int64_t& element_bits, int rank, Axis* axes, bool fold = true);

}  // namespace layout
