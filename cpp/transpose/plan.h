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

// The ways to move a box. Each is made once, from canonical axes that must stay where they are. Each then moves any
// two memories. Strides are in bytes, except where a way moves packed elements.

/// Long elements, or elements without a neighbor on one side: one by one, the innermost axis of the output inside.
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

/// Few rows or few columns, such as the channels of an image. The other side is one run. Where it is short, as in
/// patches, the axis that continues it on the pixels' side joins it.
class Channels {
 public:
  /// Fills `channels`, and takes two or three of the `axes` away. Returns false if no kernel takes the box.
  static bool find(std::ptrdiff_t bytes, int rank, Axis* axes, Channels& channels);

  /// The same of three channels of nibbles; strides are in bits. Everything but a nibble's place in its run is on
  /// bytes.
  static bool find_nibbles(int rank, Axis* axes, Channels& channels);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  /// Stores what `find` has found: the indices of the axes of columns (`across`) and of rows (`down`), and of the axis
  /// that continues the run (`next`), or -1. The other axes move to the front of `axes`.
  void store_plan(int across, int down, int next, bool few_rows, int rank, Axis* axes);

  void move_joined(const std::uint8_t* src, std::uint8_t* dst) const;

  Kernel* kernel_;
  RunsKernel* runs_ = nullptr;  // moves all joined runs at once; nullptr where there is no such kernel
  std::ptrdiff_t bytes_;
  bool few_rows_;
  Axis run_axis_;  // continues the run: its extent is 1 where the run is long, or where no axis continues it
  int rows_;
  int columns_;
  std::ptrdiff_t src_rows_[kFew];
  std::ptrdiff_t dst_rows_[kFew];
  int rank_;
  const Axis* axes_;
};

/// Blocks of elements that a kernel takes.
class ByteBlocks {
 public:
  ByteBlocks(Kernel* kernel, std::ptrdiff_t bytes, int rank, Axis* axes);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  void move_by_buffer(int rows, int columns, const std::uint8_t* src, std::uint8_t* dst) const;

  Kernel* kernel_;
  std::ptrdiff_t bytes_;
  Blocks blocks_;
  int fit_ = blocks_.columns().rows_in_cache();  // rows of the destination that a first-level cache holds
};

/// Elements shorter than 16 bytes that no kernel takes: one line of the source at a time.
class OddBlocks {
 public:
  OddBlocks(std::ptrdiff_t bytes, int rank, Axis* axes);

  void move(const std::uint8_t* src, std::uint8_t* dst) const;

 private:
  std::ptrdiff_t bytes_;
  Blocks blocks_;
};

/// Packed elements in runs that stay together, or without a neighbor on one side.
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

  /// Plans for another box. `on_bytes`: both phases are 0 in every move.
  void make(std::int64_t element_bits, int rank, const Axis* axes, bool on_bytes);

  void move(const std::uint8_t* src, int src_phase, std::uint8_t* dst, int dst_phase) const;

 private:
  /// Chooses the way for elements of whole bytes.
  void choose_for_bytes(std::ptrdiff_t bytes, int rank);
  /// Chooses the way for packed elements.
  void choose_for_bits(int bits, int rank, bool on_bytes);

  Axis axes_[kMaxRank] = {};  // canonical
  bool is_empty_ = true;
  // In place: some ways hold kilobytes of tables.
  std::variant<Pieces, SmallBlocks, Channels, ByteBlocks, OddBlocks, BitRuns, PackedBlocks> way_;
};

}  // namespace layout
