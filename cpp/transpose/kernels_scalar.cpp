#include <cstring>

#include "bits/runs.h"
#include "transpose/kernels.h"

namespace layout {
namespace {

struct Vector {
  std::uint64_t half[2];
};

template <typename Element>
void transpose_elements(int rows, int columns, const std::uint8_t* src, const std::ptrdiff_t* src_rows,
                        std::uint8_t* dst, const std::ptrdiff_t* dst_rows) {
  constexpr std::ptrdiff_t kBytes = sizeof(Element);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c)
      std::memcpy(dst + dst_rows[c] + r * kBytes, src + src_rows[r] + c * kBytes, kBytes);
  }
}

void transpose_codes(int bits, int rows, int columns, const std::uint8_t* src, const std::ptrdiff_t* src_rows,
                     std::uint8_t* dst, const std::ptrdiff_t* dst_rows) {
  for (int c = 0; c < columns; ++c) {
    for (int r = 0; r < rows; ++r) {
      const unsigned code = bits_at(src + src_rows[r] + c * bits / 8, c * bits % 8, bits);
      // An element of 6 bits may end in the next byte.
      std::uint8_t* to = dst + dst_rows[c] + r * bits / 8;
      const int phase = r * bits % 8, first = bits < 8 - phase ? bits : 8 - phase;
      put_bits(to, phase, first, code);
      if (first < bits) put_bits(to + 1, 0, bits - first, code >> first);
    }
  }
}

}  // namespace

#define DEFINE(name, body)                                                                                     \
  void name(int rows, int columns, const std::uint8_t* src, const std::ptrdiff_t* src_rows, std::uint8_t* dst, \
            const std::ptrdiff_t* dst_rows) {                                                                  \
    body(rows, columns, src, src_rows, dst, dst_rows);                                                         \
  }
DEFINE(transpose_x8_scalar, transpose_elements<std::uint8_t>)
DEFINE(transpose_x16_scalar, transpose_elements<std::uint16_t>)
DEFINE(transpose_x32_scalar, transpose_elements<std::uint32_t>)
DEFINE(transpose_x64_scalar, transpose_elements<std::uint64_t>)
DEFINE(transpose_x128_scalar, transpose_elements<Vector>)
#undef DEFINE

#define DEFINE(name, bits)                                                                                     \
  void name(int rows, int columns, const std::uint8_t* src, const std::ptrdiff_t* src_rows, std::uint8_t* dst, \
            const std::ptrdiff_t* dst_rows) {                                                                  \
    transpose_codes(bits, rows, columns, src, src_rows, dst, dst_rows);                                        \
  }
DEFINE(transpose_x6_scalar, 6)
DEFINE(transpose_x4_scalar, 4)
DEFINE(transpose_x2_scalar, 2)
#undef DEFINE

}  // namespace layout
