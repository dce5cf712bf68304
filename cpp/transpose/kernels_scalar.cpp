#include <cstring>

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

template <int kBits>
void transpose_packed(int rows, int columns, const std::uint8_t* src, const std::ptrdiff_t* src_rows, std::uint8_t* dst,
                      const std::ptrdiff_t* dst_rows) {
  constexpr int kPerByte = 8 / kBits;
  constexpr unsigned kMask = (1u << kBits) - 1;
  for (int c = 0; c < columns; ++c) {
    for (int r = 0; r < rows; r += kPerByte) {
      unsigned byte = 0;
      for (int i = 0; i < kPerByte; ++i) {
        const unsigned from = src[src_rows[r + i] + c / kPerByte];
        byte |= (from >> c % kPerByte * kBits & kMask) << i * kBits;
      }
      dst[dst_rows[c] + r / kPerByte] = static_cast<std::uint8_t>(byte);
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
DEFINE(transpose_x4_scalar, transpose_packed<4>)
DEFINE(transpose_x2_scalar, transpose_packed<2>)
#undef DEFINE

}  // namespace layout
