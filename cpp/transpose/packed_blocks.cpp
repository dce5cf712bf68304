// transpose/packed_blocks.h says what these functions do.

#include "transpose/packed_blocks.h"

#include <algorithm>

#include "bits/packed_runs.h"

namespace layout {
namespace {

using std::int64_t;
using std::ptrdiff_t;
using std::uint8_t;

// Elements on a side of the blocks that are moved as bytes. Both copies of a block then fill a first-level cache of
// 32 kB.
constexpr int kSide = 128;

/// Whether all rows begin on bytes. Row i begins at bit `at + offsets[i]`.
bool is_on_bytes(int count, int64_t at, const ptrdiff_t* offsets) {
  int64_t bits = 0;  // an or: its lowest three bits are zero if those of all positions are
  for (int i = 0; i < count; ++i) bits |= at + offsets[i];
  return bits % 8 == 0;
}

/// Counts the rows, from the first one on, that lie one after the other without a gap; each has `bits` bits. At least
/// 1, at most `count`.
int rows_in_run(int count, const ptrdiff_t* offsets, int bits) {
  int rows = 1;
  while (rows < count && offsets[rows] == offsets[rows - 1] + bits) ++rows;
  return rows;
}

/// How runs of one width are unpacked and packed. Calls through pointers keep one copy of the code below.
struct RunKernels {
  int bits;
  int group;  // elements that fill whole bytes
  int least;  // rows and columns from which on the kernel is fast
  void (*unpack)(int count, const uint8_t* src, int phase, uint8_t* dst);
  void (*pack)(int count, const uint8_t* src, uint8_t* dst, int phase);
};

/// The functions for a width of 2, 4 or 6 bits. Below 16 rows or columns, the kernel of sextets is the scalar one,
/// which is slower than the way by bytes.
RunKernels runs_of(int bits) {
  return pick_for_packed(bits, [](auto width) -> RunKernels {
    return {width, kPackedGroup<width>, width == 6 ? 16 : 1, PackedRun<width>::unpack, PackedRun<width>::pack};
  });
}

/// `count` packed rows: row i begins at bit `at + offsets[i]` of the memory. Bits of the source may be negative.
template <typename Byte>
struct PackedRows {
  int count;
  Byte* memory;
  int64_t at;
  const ptrdiff_t* offsets;
};

/// Moves a block of at most kSide x kSide elements in three steps: unpacks its rows, `src`, to one element a byte,
/// transposes the bytes, and packs them into rows of the destination, `dst`, which are the block's columns. Rows that
/// lie one after the other are unpacked, or packed, as one run.
void move_as_bytes(const RunKernels& runs, const PackedRows<const uint8_t>& src, const PackedRows<uint8_t>& dst) {
  const int rows = src.count, columns = dst.count;
  alignas(16) uint8_t from[kSide * kSide];
  alignas(16) uint8_t to[kSide * kSide];
  ptrdiff_t from_rows[kSide];
  ptrdiff_t to_rows[kSide];
  for (int r = 0; r < rows; ++r) from_rows[r] = r * columns;
  for (int c = 0; c < columns; ++c) to_rows[c] = c * rows;
  for (int r = 0, run; r < rows; r += run) {
    run = rows_in_run(rows - r, src.offsets + r, columns * runs.bits);
    const int64_t at = src.at + src.offsets[r];  // may be negative: shifts and masks round down
    runs.unpack(run * columns, src.memory + (at >> 3), static_cast<int>(at & 7), from + from_rows[r]);
  }
  // Both buffers are dense, so the kernels for few rows or columns fit.
  Kernel* few = rows <= kFew ? find_kernel(8, rows) : columns <= kFew ? find_kernel(8, 0, columns) : nullptr;
  (few != nullptr ? few : transpose_x8_simd128)(rows, columns, from, from_rows, to, to_rows);
  for (int c = 0, run; c < columns; c += run) {
    run = rows_in_run(columns - c, dst.offsets + c, rows * runs.bits);
    const int64_t at = dst.at + dst.offsets[c];
    runs.pack(run * rows, to + to_rows[c], dst.memory + at / 8, static_cast<int>(at % 8));
  }
}

}  // namespace

/// Moves the box block by block, by the kernel where rows begin and end on bytes.
void PackedBlocks::move(const uint8_t* src, int src_phase, uint8_t* dst, int dst_phase) const {
  // The kernel takes offsets in bytes, which are right only where `is_aligned`: where all rows begin on bytes.
  const RunKernels runs = runs_of(bits_);
  const ptrdiff_t* src_rows = blocks_.rows().offsets();
  const ptrdiff_t* dst_rows = blocks_.columns().offsets();
  ptrdiff_t src_bytes[Side::kMaxSize];
  ptrdiff_t dst_bytes[Side::kMaxSize];
  for (int i = 0; i < blocks_.rows().size(); ++i) src_bytes[i] = src_rows[i] / 8;
  for (int i = 0; i < blocks_.columns().size(); ++i) dst_bytes[i] = dst_rows[i] / 8;
  const bool is_aligned = is_on_bytes(blocks_.rows().size(), src_phase, src_rows) &&
                          is_on_bytes(blocks_.columns().size(), dst_phase, dst_rows);
  blocks_.for_each_block([&](int rows, int columns, int64_t src_at, int64_t dst_at) {
    const bool begins_on_bytes = is_aligned && src_at % 8 == 0 && dst_at % 8 == 0;
    const bool ends_on_bytes = rows % runs.group == 0 && columns % runs.group == 0;
    if (begins_on_bytes && ends_on_bytes && std::min(rows, columns) >= runs.least) {
      return kernel_(rows, columns, src + src_at / 8, src_bytes, dst + dst_at / 8, dst_bytes);
    }
    for (int c = 0; c < columns; c += kSide) {
      for (int r = 0; r < rows; r += kSide) {
        move_as_bytes(runs, {std::min(kSide, rows - r), src, src_phase + src_at + c * bits_, src_rows + r},
                      {std::min(kSide, columns - c), dst, dst_phase + dst_at + r * bits_, dst_rows + c});
      }
    }
  });
}

}  // namespace layout
