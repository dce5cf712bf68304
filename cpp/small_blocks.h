#pragma once

#include <cstddef>
#include <cstdint>

#include "axes.h"

namespace layout {

/// Moves a box that is a long row of small blocks, each of whose elements stay within it: 3x3 matrices, say. Strides are in bytes,
/// axes canonical. Returns false and does nothing where the box is none or the blocks have more than 64 bytes.
bool move_small_blocks(std::ptrdiff_t bytes, int rank, const Axis* axes, const std::uint8_t* src, std::uint8_t* dst);

}  // namespace layout
