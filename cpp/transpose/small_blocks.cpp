// transpose/small_blocks.h says what these functions do.

#include "transpose/small_blocks.h"

#include <cstring>

#include "bits/vectors.h"
#include "transpose/blocks.h"

// A block fits in a few vectors, so one look-up of bytes moves it, whatever the permutation is. Blocks of up to 8 bytes
// share a vector.

namespace layout {
namespace {

using Orders = SmallBlocks::Orders;
constexpr int kWorthBytes = 256;  // of a row of blocks: shorter rows do not pay for the tables

/// Moves kVectors vectors of whole blocks: each vector of the result is the or of one look-up in each vector of the
/// source, which gives zero for bytes that come from another one.
template <int kVectors>
void reorder(const Orders& orders, const std::uint8_t* src, std::uint8_t* dst) {
  v128_t v[kVectors];
  LAYOUT_UNROLL for (int i = 0; i < kVectors; ++i) v[i] = load(src, i);
  LAYOUT_UNROLL for (int i = 0; i < kVectors; ++i) {
    v128_t bytes = wasm_i8x16_swizzle(v[0], load(orders[i][0], 0));
    LAYOUT_UNROLL for (int k = 1; k < kVectors; ++k) {
      bytes = wasm_v128_or(bytes, wasm_i8x16_swizzle(v[k], load(orders[i][k], 0)));
    }
    store(dst, i, bytes);
  }
}

/// Moves a row of `size` bytes, `step` <= 16 * kVectors bytes of whole blocks at a time. Stores whole vectors; the next
/// step overwrites the bytes after `step`.
template <int kVectors>
void move_row(const Orders& orders, std::ptrdiff_t size, std::ptrdiff_t step, const std::uint8_t* src,
              std::uint8_t* dst) {
  std::ptrdiff_t at = 0;
  for (; at + 16 * kVectors <= size; at += step) reorder<kVectors>(orders, src + at, dst + at);
  if (at == size) return;
  // Fewer bytes than the vectors hold: by a copy, so that nothing beyond the row is read or written.
  std::uint8_t last[16 * kVectors] = {};
  std::memcpy(last, src + at, static_cast<std::size_t>(size - at));
  reorder<kVectors>(orders, last, last);
  std::memcpy(dst + at, last, static_cast<std::size_t>(size - at));
}

/// Finds the axis along which small blocks lie: the axes after it fill a block of at most kMaxBytes without a gap in
/// the destination, whose elements come from as many bytes of the source, and both its strides are the size of that
/// block. Returns its index, or -1.
int find_row(std::ptrdiff_t bytes, int rank, const Axis* axes) {
  std::int64_t size = bytes;      // of the axes from i on, dense in the destination
  std::int64_t src_size = bytes;  // from their first byte in the source to their last
  for (int i = rank - 1; i > 0 && axes[i].dst_stride == size; --i) {
    if (axes[i].src_stride < 0) return -1;  // the sum below needs strides that are not negative
    size *= axes[i].extent;
    src_size += (axes[i].extent - 1) * axes[i].src_stride;
    if (size > SmallBlocks::kMaxBytes) return -1;
    const Axis& next = axes[i - 1];
    const bool has_blocks = next.src_stride == size && next.dst_stride == size;
    if (src_size == size && has_blocks) return i - 1;
  }
  return -1;
}

}  // namespace

/// Takes the box if it is a long row of small dense blocks.
std::optional<SmallBlocks> SmallBlocks::find(std::ptrdiff_t bytes, int rank, const Axis* axes) {
  const int row = find_row(bytes, rank, axes);
  if (row < 0 || axes[row].extent * axes[row].src_stride < kWorthBytes) return std::nullopt;
  return SmallBlocks(bytes, rank, axes, row);
}

SmallBlocks::SmallBlocks(std::ptrdiff_t bytes, int rank, const Axis* axes, int row) : row_(row), axes_(axes) {
  const auto block = static_cast<std::ptrdiff_t>(axes[row].src_stride);
  // Blocks of less than a vector move as many at a time as a vector holds.
  step_ = block < 16 ? 16 / block * block : block;
  // 0xff gives zero, so that the look-ups in several vectors can be joined by or.
  std::memset(orders_, 0xff, sizeof(orders_));
  for_each(rank - row - 1, axes + row + 1, 0, 0, [&](std::int64_t from, std::int64_t to) {
    for (std::ptrdiff_t at = 0; at < step_; at += block) {
      for (std::ptrdiff_t byte = at; byte < at + bytes; ++byte) {
        const std::int64_t src = from + byte, dst = to + byte;
        orders_[dst / 16][src / 16][dst % 16] = static_cast<std::uint8_t>(src % 16);
      }
    }
  });
}

/// Moves whole vectors by the tables, and the rest of the row element by element.
void SmallBlocks::move(const std::uint8_t* src, std::uint8_t* dst) const {
  const auto size = static_cast<std::ptrdiff_t>(axes_[row_].extent * axes_[row_].src_stride);
  // As many vectors as hold a step.
  const auto move = step_ <= 16 ? move_row<1> : step_ <= 32 ? move_row<2> : step_ <= 48 ? move_row<3> : move_row<4>;
  for_each(row_, axes_, 0, 0,
           [&](std::int64_t src_at, std::int64_t dst_at) { move(orders_, size, step_, src + src_at, dst + dst_at); });
}

}  // namespace layout
