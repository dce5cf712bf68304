#include "transpose.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "blocks.h"
#include "copy_rows.h"
#include "kernels.h"

namespace layout {
namespace {

using std::int64_t;
using std::ptrdiff_t;
using std::uint8_t;

/// The best kernel for these extents, or nullptr.
Kernel* find_kernel(int64_t element_bits, int64_t rows = 0, int64_t columns = 0) {
  for (const KernelRow& row : kKernels) {
    if (row.element_bits == element_bits && row.rows == rows && row.columns == columns) return row.kernel;
  }
  return nullptr;
}

bool has_both_sides(int64_t element, int rank, const Axis* axes) {
  return find_axis(rank, axes, &Axis::src_stride, element) >= 0 && find_axis(rank, axes, &Axis::dst_stride, element) >= 0;
}

/// Elements that no kernel takes, or without a neighbour on one side: one by one, the output's innermost axis inside.
void copy_pieces(ptrdiff_t bytes, int rank, const Axis* axes, const uint8_t* src, uint8_t* dst) {
  const Axis inner = rank > 0 ? axes[rank - 1] : Axis{1, 0, 0};
  for_each(rank - 1, axes, 0, 0, [=](int64_t src_at, int64_t dst_at) {
    copy_rows(static_cast<ptrdiff_t>(inner.extent), bytes, src + src_at, static_cast<ptrdiff_t>(inner.src_stride), dst + dst_at,
              static_cast<ptrdiff_t>(inner.dst_stride));
  });
}

/// A few rows or columns with all of the other side in one run: the kernels for two, three and four channels.
bool transpose_channels(ptrdiff_t bytes, int rank, Axis* axes, const uint8_t* src, uint8_t* dst) {
  const int across = find_axis(rank, axes, &Axis::src_stride, bytes);
  const int down = find_axis(rank, axes, &Axis::dst_stride, bytes);
  const Axis columns = axes[across];
  const Axis rows = axes[down];
  const bool few_rows = columns.dst_stride == rows.extent * bytes;
  const bool few_columns = rows.src_stride == columns.extent * bytes;
  constexpr int kMost = 4;
  Kernel* kernel = nullptr;
  if (few_rows && columns.extent * bytes >= 16) kernel = find_kernel(8 * bytes, rows.extent);
  if (few_columns && rows.extent * bytes >= 16 && kernel == nullptr) kernel = find_kernel(8 * bytes, 0, columns.extent);
  if (kernel == nullptr) return false;
  ptrdiff_t src_rows[kMost] = {};
  ptrdiff_t dst_rows[kMost] = {};
  for (int i = 0; i < kMost; ++i) {
    src_rows[i] = static_cast<ptrdiff_t>(i * rows.src_stride);
    dst_rows[i] = static_cast<ptrdiff_t>(i * columns.dst_stride);
  }
  Axis outer[kMaxRank];
  int outer_rank = 0;
  for (int i = 0; i < rank; ++i) {
    if (i != across && i != down) outer[outer_rank++] = axes[i];
  }
  for_each(outer_rank, outer, 0, 0, [&](int64_t src_at, int64_t dst_at) {
    kernel(static_cast<int>(rows.extent), static_cast<int>(columns.extent), src + src_at, src_rows, dst + dst_at, dst_rows);
  });
  return true;
}

void transpose_bytes(ptrdiff_t bytes, int rank, Axis* axes, const uint8_t* src, uint8_t* dst) {
  for (int i = 0; i < rank; ++i) {
    assert(axes[i].src_stride % 8 == 0 && axes[i].dst_stride % 8 == 0);
    axes[i].src_stride /= 8;
    axes[i].dst_stride /= 8;
  }
  Kernel* kernel = find_kernel(8 * bytes);
  if (kernel == nullptr || !has_both_sides(bytes, rank, axes)) return copy_pieces(bytes, rank, axes, src, dst);
  if (transpose_channels(bytes, rank, axes, src, dst)) return;
  const int wide = static_cast<int>(256 / bytes);
  for_each_block(bytes, wide, rank, axes,
                 [=](int rows, int columns, int64_t src_at, const ptrdiff_t* src_rows, int64_t dst_at, const ptrdiff_t* dst_rows) {
                   kernel(rows, columns, src + src_at, src_rows, dst + dst_at, dst_rows);
                 });
}

/// Blocks of packed elements whose rows may begin anywhere in a byte: what does not lie on bytes goes through buffers that do.
class PackedBlocks {
 public:
  PackedBlocks(int bits, const uint8_t* src, uint8_t* dst) : bits_(bits), kernel_(find_kernel(bits)), src_(src), dst_(dst) {}

  void operator()(int rows, int columns, int64_t src_at, const ptrdiff_t* src_rows, int64_t dst_at,
                  const ptrdiff_t* dst_rows) const {
    for (int c = 0; c < columns; c += kSide) {
      for (int r = 0; r < rows; r += kSide) {
        move(std::min(kSide, rows - r), std::min(kSide, columns - c), src_at + c * bits_, src_rows + r, dst_at + r * bits_,
             dst_rows + c);
      }
    }
  }

 private:
  static constexpr int kSide = 128;
  static constexpr int kStride = kSide / 2;  // bytes, for 4 bits

  static bool on_bytes(int count, int64_t at, const ptrdiff_t* offsets) {
    int64_t bits = 0;
    for (int i = 0; i < count; ++i) bits |= at + offsets[i];
    return bits % 8 == 0;
  }

  /// Byte offsets of rows, the last one again for those that fill up the last byte.
  static void list(int count, int filled, int64_t at, const ptrdiff_t* offsets, ptrdiff_t* bytes) {
    for (int i = 0; i < filled; ++i) bytes[i] = static_cast<ptrdiff_t>((at + offsets[std::min(i, count - 1)]) / 8);
  }

  void move(int rows, int columns, int64_t src_at, const ptrdiff_t* src_rows, int64_t dst_at, const ptrdiff_t* dst_rows) const {
    const int per_byte = 8 / bits_;
    const int filled_rows = (rows + per_byte - 1) / per_byte * per_byte;
    const int filled_columns = (columns + per_byte - 1) / per_byte * per_byte;
    uint8_t src_buffer[kSide * kStride];
    uint8_t dst_buffer[kSide * kStride];
    ptrdiff_t lines[kSide];
    ptrdiff_t from[kSide];
    ptrdiff_t to[kSide];
    for (int i = 0; i < kSide; ++i) lines[i] = i * kStride * 8;

    const uint8_t* src = src_;
    if (on_bytes(rows, src_at, src_rows)) {
      list(rows, filled_rows, src_at, src_rows, from);
    } else {
      for (int r = 0; r < rows; ++r) {
        const int64_t at = src_at + src_rows[r];
        src_buffer[r * kStride + (columns * bits_ - 1) / 8] = 0;
        copy_bits(columns * bits_, src + at / 8, static_cast<int>(at % 8), src_buffer + r * kStride, 0);
      }
      list(rows, filled_rows, 0, lines, from);
      src = src_buffer;
    }
    const bool direct = filled_rows == rows && filled_columns == columns && on_bytes(columns, dst_at, dst_rows);
    list(columns, filled_columns, direct ? dst_at : 0, direct ? dst_rows : lines, to);
    if (!direct) {
      for (int c = columns; c < filled_columns; ++c) to[c] = lines[c] / 8;
    }
    kernel_(filled_rows, filled_columns, src, from, direct ? dst_ : dst_buffer, to);
    if (direct) return;
    for (int c = 0; c < columns; ++c) {
      const int64_t at = dst_at + dst_rows[c];
      copy_bits(rows * bits_, dst_buffer + c * kStride, 0, dst_ + at / 8, static_cast<int>(at % 8));
    }
  }

  int bits_;
  Kernel* kernel_;
  const uint8_t* src_;
  uint8_t* dst_;
};

void transpose_bits(int bits, int rank, Axis* axes, const uint8_t* src, int src_phase, uint8_t* dst, int dst_phase) {
  const bool has_run = rank > 0 && axes[rank - 1].src_stride == bits && axes[rank - 1].dst_stride == bits;
  if (!has_run && has_both_sides(bits, rank, axes)) {
    const PackedBlocks blocks(bits, src, dst);
    return for_each_block(bits, 64, rank, axes,
                          [&](int rows, int columns, int64_t src_at, const ptrdiff_t* src_rows, int64_t dst_at,
                              const ptrdiff_t* dst_rows) {
                            blocks(rows, columns, src_at + src_phase, src_rows, dst_at + dst_phase, dst_rows);
                          });
  }
  const auto run = static_cast<ptrdiff_t>(has_run ? bits * axes[rank - 1].extent : bits);
  for_each(has_run ? rank - 1 : rank, axes, src_phase, dst_phase, [=](int64_t src_at, int64_t dst_at) {
    copy_bits(run, src + src_at / 8, static_cast<int>(src_at % 8), dst + dst_at / 8, static_cast<int>(dst_at % 8));
  });
}

}  // namespace

void transpose(int64_t element_bits, int rank, const Axis* axes, const uint8_t* src, int src_phase, uint8_t* dst, int dst_phase) {
  assert(element_bits % 8 == 0 || element_bits == 4 || element_bits == 2);
  assert(0 <= rank && rank <= kMaxRank && 0 <= src_phase && src_phase < 8 && 0 <= dst_phase && dst_phase < 8);
  const bool on_bytes = (src_phase | dst_phase) == 0;
  assert(on_bytes || element_bits < 8);
  Axis canonical[kMaxRank];
  std::copy(axes, axes + rank, canonical);
  rank = canonical_axes(element_bits, rank, canonical, on_bytes);
  if (rank > 0 && canonical[0].extent == 0) return;
  if (element_bits % 8 == 0) {
    transpose_bytes(static_cast<ptrdiff_t>(element_bits / 8), rank, canonical, src, dst);
  } else {
    transpose_bits(static_cast<int>(element_bits), rank, canonical, src, src_phase, dst, dst_phase);
  }
}

}  // namespace layout
