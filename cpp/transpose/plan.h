#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "transpose/axes.h"
#include "transpose/blocks.h"
#include "transpose/kernels.h"
#include "transpose/packed_blocks.h"
#include "transpose/small_blocks.h"

namespace layout {

// The ways to move a box. Each is made once, from canonical axes that must stay where they are. Its `move` then copies
// the box's elements from `src` to `dst`, which are the addresses of its first element, as often as wanted. Strides are
// in bytes, except where a way moves packed elements: there they are in bits, and the first element begins `src_phase`
// and `dst_phase` bits into its byte.

/// Moves elements one by one, or by find_stepped_row, in the order of the destination: long elements, and boxes in
/// which no axis has elements side by side in the source, or none in the destination.
class Pieces {
 public:
  Pieces() = default;
  Pieces(std::ptrdiff_t bytes, int rank, const Axis* axes) : bytes_(bytes), rank_(rank), axes_(axes) {}

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  std::ptrdiff_t bytes_ = 0;
  int rank_ = 0;
  const Axis* axes_ = nullptr;
};

/// Moves boxes of few rows or few columns, such as the channels of an image, by the kernels for these. Few rows are
/// planes in the source, which become interleaved pixels; few columns are channels of interleaved pixels, which become
/// planes. The pixels lie in one run without a gap. Where that run is short, as in patches of an image, the axis that
/// continues it in the memory of interleaved pixels, `run_axis_`, joins it: its indices are many runs of a plane.
class Channels {
 public:
  /// Fills `channels`, which then reads `axes` without the two or three that the kernel moves. Returns false, and
  /// changes nothing, if no kernel takes the box. `bytes` is the size of an element; one axis must have it as its
  /// `src_stride`, another as its `dst_stride`.
  ///
  /// Kernels move vectors, so a run needs 16 bytes of each plane. Where an axis continues it, 8 bytes are enough if all
  /// runs together have 64, since they are joined. Runs of more than kJoinedBytes (1024) bytes of pixels are not
  /// joined: they are long enough alone.
  static bool find(std::ptrdiff_t bytes, int rank, Axis* axes, Channels& channels);

  /// Does `find` for three channels of nibbles, with strides in bits, which become bytes: all runs must begin and end
  /// on bytes.
  static bool find_nibbles(int rank, Axis* axes, Channels& channels);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  /// Stores all members that describe the box. `column_axis`, `row_axis` and `next_axis` are the indices in `axes` of
  /// the axis of columns, of that of rows, and of the one that continues the run, or -1. The other axes move to the
  /// front of `axes`.
  void store_plan(int column_axis, int row_axis, int next_axis, bool few_rows, int rank, Axis* axes);

  /// Moves all runs along `run_axis_`: at once with `runs_kernel_`. Without it, gathers short runs of each plane in a
  /// buffer, or scatters them from there, so that `kernel_` is called for many together: patches of 16 x 16 pixels of
  /// three bytes move 4 times faster, and with `runs_kernel_` another 1.2 times (measured).
  void move_joined(const std::uint8_t* src, std::uint8_t* dst) const;

  Kernel* kernel_;                     // not set for nibbles, which `runs_kernel_` moves
  RunsKernel* runs_kernel_ = nullptr;  // moves all joined runs at once; nullptr where there is no such kernel
  std::ptrdiff_t bytes_;               // of an element; not set for nibbles
  bool few_rows_;                      // few rows; few columns otherwise
  Axis run_axis_;  // continues the run: its extent is 1 where the run is long, or where no axis continues it
  int rows_;
  int columns_;
  std::ptrdiff_t src_rows_[kFew];
  std::ptrdiff_t dst_rows_[kFew];
  int rank_;
  const Axis* axes_;
};

/// Moves a box of elements of 1, 2, 4, 8 or 16 bytes in 2-D blocks, by the kernel for any extents.
class ByteBlocks {
 public:
  ByteBlocks(Kernel* kernel, std::ptrdiff_t bytes, int rank, Axis* axes);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  /// Moves one block by a buffer: transposes runs of 256 bytes into it, then copies each to its row of the destination.
  /// So rows of the destination that evict each other from the cache are touched once for each run, not once for each
  /// vector.
  void move_by_buffer(int rows, int columns, const std::uint8_t* src, std::uint8_t* dst) const;

  Kernel* kernel_;
  std::ptrdiff_t bytes_;
  Blocks blocks_;
  int cached_rows_ = blocks_.columns().rows_in_cache();  // of the destination
};

/// Moves a box of elements shorter than 16 bytes of a size that no kernel takes, such as 3: in 2-D blocks, a cache line
/// of each source row at a time.
class OddBlocks {
 public:
  OddBlocks(std::ptrdiff_t bytes, int rank, Axis* axes);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  std::ptrdiff_t bytes_;
  Blocks blocks_;
};

/// Moves packed elements in runs of `bits` bits that stay together, or one by one where no axis has elements side by
/// side in the source, or none in the destination.
class BitRuns {
 public:
  BitRuns(std::ptrdiff_t bits, int rank, const Axis* axes) : bits_(bits), rank_(rank), axes_(axes) {}

  void move(const std::uint8_t* src, int src_phase, std::uint8_t* dst, int dst_phase) const;

 private:
  std::ptrdiff_t bits_;
  int rank_;
  const Axis* axes_;
};

/// A box whose axes are known, ready to move any memories.
///
/// The box says: for every index i, the element at bit `src_phase` + sum(i * src_stride) of `src` goes to bit
/// `dst_phase` + sum(i * dst_stride) of `dst`.
///
/// - Element bits are 2, 4, 6 or whole bytes. 0 <= rank <= kMaxRank. Extents may be 0 or 1. The phases are in 0..7.
/// - A source stride may have any sign, or be 0 to read an element again. Destination strides are not negative.
/// - Elements of whole bytes start on bytes: their strides are whole bytes and their phases are 0. Packed
///   elements start on multiples of their width from the start of a byte. Nothing else is aligned.
/// - The elements of the destination are distinct. The two memories do not overlap.
/// - A move reads no byte that lies before the first or after the last element of the source. A move writes no
///   byte that holds no element of the destination. Bits beside the elements keep their values.
class Plan {
 public:
  Plan() = default;            // moves nothing
  Plan(const Plan&) = delete;  // the way holds the address of the axes

  /// Plans for another box: makes its axes canonical, and chooses the way that fits. `on_bytes`: both phases are 0 in
  /// every move.
  void make(std::int64_t element_bits, int rank, const Axis* axes, bool on_bytes);

  void move(const std::uint8_t* src, int src_phase, std::uint8_t* dst, int dst_phase) const;

 private:
  /// Chooses the way for elements of whole bytes, and turns the strides of `axes_` from bits to bytes.
  void choose_for_bytes(std::ptrdiff_t bytes, int rank);
  /// Chooses the way for packed elements. The strides of `axes_` stay in bits, except for Channels.
  void choose_for_bits(int bits, int rank, bool on_bytes);

  Axis axes_[kMaxRank] = {};  // canonical
  bool is_empty_ = true;      // the box has no element
  // In place: some ways hold kilobytes of tables.
  std::variant<Pieces, SmallBlocks, Channels, ByteBlocks, OddBlocks, BitRuns, PackedBlocks> way_;
};

}  // namespace layout
