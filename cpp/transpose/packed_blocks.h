#pragma once

#include <cstdint>

#include "transpose/blocks.h"
#include "transpose/kernels.h"

namespace layout {

/// Moves a box of packed elements in 2-D blocks; strides are in bits. `kernel` takes the blocks whose rows begin and
/// end on bytes in both memories. The others are unpacked to one element a byte, transposed and packed. `axes` are
/// canonical and must stay where they are.
class PackedBlocks {
 public:
  /// `kernel` is for elements of `bits` bits. Sides grow to 128 indices, as many as the buffers of bytes have.
  PackedBlocks(Kernel* kernel, int bits, int rank, Axis* axes)
      : kernel_(kernel), bits_(bits), blocks_(bits, 128, rank, axes) {}

  /// Moves the box between two memories. Its first element begins `src_phase` and `dst_phase` bits, 0 to 7, into their
  /// first bytes.
  void move(const std::uint8_t* src, int src_phase, std::uint8_t* dst, int dst_phase) const;

 private:
  Kernel* kernel_;
  int bits_;
  Blocks blocks_;
};

}  // namespace layout
