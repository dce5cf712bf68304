#include "small_blocks.h"

#include <cstring>

#include "blocks.h"
#include "weave.h"

// A block fits in a few vectors, so it is one lookup of bytes, whatever the permutation. Blocks of up to eight bytes share a vector.

namespace layout {
namespace {

constexpr int kMostBytes = 64;
constexpr int kMostVectors = kMostBytes / 16;
constexpr int kWorthBytes = 256;  // per row of blocks: less does not pay for the tables

/// For each vector of the destination and each of the source, which bytes go where; 0xff for none.
using Orders = std::uint8_t[kMostVectors][kMostVectors][16];

template <int kVectors>
void reorder(const Orders& orders, const std::uint8_t* src, std::uint8_t* dst) {
  v128_t v[kVectors];
  LAYOUT_UNROLL for (int i = 0; i < kVectors; ++i) v[i] = wasm_v128_load(src + i * 16);
  LAYOUT_UNROLL for (int i = 0; i < kVectors; ++i) {
    v128_t bytes = wasm_i8x16_swizzle(v[0], wasm_v128_load(orders[i][0]));
    LAYOUT_UNROLL for (int k = 1; k < kVectors; ++k) {
      bytes = wasm_v128_or(bytes, wasm_i8x16_swizzle(v[k], wasm_v128_load(orders[i][k])));
    }
    wasm_v128_store(dst + i * 16, bytes);
  }
}

/// `size` bytes, `step` <= 16 * kVectors at a time: whole vectors while there are any, whose surplus the next step overwrites.
template <int kVectors>
void move_row(const Orders& orders, std::ptrdiff_t size, std::ptrdiff_t step, const std::uint8_t* src, std::uint8_t* dst) {
  std::ptrdiff_t at = 0;
  for (; at + 16 * kVectors <= size; at += step) reorder<kVectors>(orders, src + at, dst + at);
  if (at == size) return;
  std::uint8_t last[16 * kVectors] = {};
  std::memcpy(last, src + at, static_cast<std::size_t>(size - at));
  reorder<kVectors>(orders, last, last);
  std::memcpy(dst + at, last, static_cast<std::size_t>(size - at));
}

/// The axis whose steps are whole blocks on both sides, or -1. The axes after it are a block.
int find_row(std::ptrdiff_t bytes, int rank, const Axis* axes) {
  std::int64_t size = bytes;
  std::int64_t src_size = bytes;
  for (int i = rank - 1; i > 0 && axes[i].dst_stride == size; --i) {
    size *= axes[i].extent;
    src_size += (axes[i].extent - 1) * axes[i].src_stride;
    if (size > kMostBytes) return -1;
    if (src_size == size && axes[i - 1].src_stride == size && axes[i - 1].dst_stride == size) return i - 1;
  }
  return -1;
}

}  // namespace

bool move_small_blocks(std::ptrdiff_t bytes, int rank, const Axis* axes, const std::uint8_t* src, std::uint8_t* dst) {
  const int row = find_row(bytes, rank, axes);
  if (row < 0) return false;
  const auto block = static_cast<std::ptrdiff_t>(axes[row].src_stride);
  const auto size = static_cast<std::ptrdiff_t>(axes[row].extent * block);
  if (size < kWorthBytes) return false;
  const std::ptrdiff_t step = block < 16 ? 16 / block * block : block;
  alignas(16) Orders orders;
  std::memset(orders, 0xff, sizeof(orders));
  for_each(rank - row - 1, axes + row + 1, 0, 0, [&](std::int64_t from, std::int64_t to) {
    for (std::ptrdiff_t at = 0; at < step; at += block) {
      for (std::ptrdiff_t i = at; i < at + bytes; ++i) {
        orders[(to + i) / 16][(from + i) / 16][(to + i) % 16] = static_cast<std::uint8_t>((from + i) % 16);
      }
    }
  });
  const auto move = step <= 16 ? move_row<1> : step <= 32 ? move_row<2> : step <= 48 ? move_row<3> : move_row<4>;
  for_each(row, axes, 0, 0, [=, &orders](std::int64_t src_at, std::int64_t dst_at) {
    move(orders, size, step, src + src_at, dst + dst_at);
  });
  return true;
}

}  // namespace layout
