#pragma once

#include <cstdint>

namespace layout {

/// `count` float32 numbers in blocks of `block`, an even number; the last block may be short. `largest` holds the
/// largest magnitude of each block, which is finite. No address needs alignment.
struct Bnb4 {
  std::uint32_t count;
  std::uint32_t block;
  alignas(4) bool is_fp4;
  const std::uint8_t* src;
  const float* largest;
  std::uint8_t* dst;
};

/// Codes of onnxruntime's MatMulBnb4, two a byte, the first in the high four bits. A number is multiplied by the
/// reciprocal of its block's largest magnitude, which counts as 0 for a block of zeros. A cut is the largest product of
/// a code. NF4: the code is how many cuts lie below the product. FP4: codes by how many cuts lie below the product's
/// magnitude, and 8 more for a negative one. Where `count` is odd, the code of 0 follows the last one.
void encode_bnb4(const Bnb4& request);

}  // namespace layout
