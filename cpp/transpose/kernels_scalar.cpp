// transpose/kernels.h says what these functions do.

#include <cstring>

#include "bits/runs.h"
#include "transpose/kernels.h"

namespace layout {
namespace {

struct Vector {
  std::uint64_t half[2];
};

/// Transposes elements of whole bytes, one by one.
template <typename Element>
void transpose_elements(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr std::ptrdiff_t kBytes = sizeof(Element);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c)
      std::memcpy(dst + dst_rows[c] + r * kBytes, src + src_rows[r] + c * kBytes, kBytes);
  }
}

/// Transposes packed elements, one by one. Element c of a row begins at bit c * kBits of the row.
template <int kBits>
void transpose_codes(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  for (int c = 0; c < columns; ++c) {
    for (int r = 0; r < rows; ++r) {
      const int src_bit = c * kBits, dst_bit = r * kBits;  // in their rows
      const unsigned code = bits_at(src + src_rows[r] + src_bit / 8, src_bit % 8, kBits);
      std::uint8_t* to = dst + dst_rows[c] + dst_bit / 8;
      const int phase = dst_bit % 8, bits_left = 8 - phase;
      if (kBits <= bits_left) {
        put_bits(to, phase, kBits, code);
      } else {  // an element of 6 bits that ends in the next byte
        put_bits(to, phase, bits_left, code);
        put_bits(to + 1, 0, kBits - bits_left, code >> bits_left);
      }
    }
  }
}

}  // namespace

#define DEFINE(bits, body)                                                                               \
  void transpose_x##bits##_scalar(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, \
                                  Offsets dst_rows) {                                                    \
    body(rows, columns, src, src_rows, dst, dst_rows);                                                   \
  }
DEFINE(8, transpose_elements<std::uint8_t>)
DEFINE(16, transpose_elements<std::uint16_t>)
DEFINE(32, transpose_elements<std::uint32_t>)
DEFINE(64, transpose_elements<std::uint64_t>)
DEFINE(128, transpose_elements<Vector>)
DEFINE(6, transpose_codes<6>)
DEFINE(4, transpose_codes<4>)
DEFINE(2, transpose_codes<2>)
#undef DEFINE

}  // namespace layout
