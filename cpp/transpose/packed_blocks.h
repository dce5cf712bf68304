#pragma once

#include <cstdint>

#include "transpose/blocks.h"
#include "transpose/kernels.h"

namespace layout {

/// Blocks (strides in bits) of a box of 4- or 2-bit elements: those that begin and end on bytes on both sides go by
/// `kernel`, the others as bytes, one an element. `axes` are canonical and stay where they are.
class PackedBlocks {
 public:
  PackedBlocks(Kernel* kernel, int bits, int rank, Axis* axes)
      : kernel_(kernel), bits_(bits), blocks_(bits, 128, rank, axes) {}

  void move(const std::uint8_t* src, int src_phase, std::uint8_t* dst, int dst_phase) const;

 private:
  Kernel* kernel_;
  int bits_;
  Blocks blocks_;
};

}  // namespace layout
