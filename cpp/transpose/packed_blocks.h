#pragma once

#include <cstdint>

#include "transpose/blocks.h"
#include "transpose/kernels.h"

namespace layout {

/// Blocks of a box of packed elements; strides are in bits. `kernel` takes the blocks that begin and end on bytes on
/// both sides. The others are moved as bytes, one for each element. `axes` are canonical and must stay where they are.
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
