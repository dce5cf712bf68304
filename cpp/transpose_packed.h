#pragma once

#include <cstdint>

#include "blocks.h"
#include "kernels.h"

namespace layout {

/// Moves the blocks (strides in bits) of a box of 4- or 2-bit elements: those that begin and end on bytes on both sides by
/// `kernel`, the others as bytes, one an element.
void transpose_packed(int bits, const Blocks& blocks, Kernel* kernel, const std::uint8_t* src, int src_phase, std::uint8_t* dst,
                      int dst_phase);

}  // namespace layout
