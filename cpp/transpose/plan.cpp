// transpose/plan.h says what these functions do.

#include "transpose/plan.h"

#include <algorithm>
#include <cassert>

#include "bits/packed.h"
#include "bits/runs.h"
#include "transpose/stepped_rows.h"

namespace layout {
namespace {

using std::int64_t;
using std::ptrdiff_t;
using std::uint8_t;

constexpr int kLineBytes = 64;      // of the cache
constexpr int kJoinedBytes = 1024;  // most bytes of one plane in Channels' buffer
// Kernels of channels move vectors. Runs shorter than one are joined if they have at least kShortRunBytes of a plane
// each, and kAllRunsBytes together.
constexpr int kVectorBytes = 16;
constexpr int kShortRunBytes = 8;
constexpr int kAllRunsBytes = 64;

/// Whether the box can be cut into 2-D blocks: elements lie side by side along one axis in the source, and along one in
/// the destination. Strides and `element`, its size, count in one unit.
bool has_both_sides(int64_t element, int rank, const Axis* axes) {
  return find_axis(rank, axes, &Axis::src_stride, element) >= 0 &&
         find_axis(rank, axes, &Axis::dst_stride, element) >= 0;
}

/// How many rows and columns a block of elements of so many bytes should have: 256 bytes of elements.
int min_side(ptrdiff_t bytes) { return static_cast<int>(256 / bytes); }

}  // namespace

/// Moves the box one innermost row at a time.
void Pieces::move(const uint8_t* src, uint8_t* dst) const {
  // The innermost axis at a time: gathered in vectors where its elements lie side by side in the destination and the
  // stride in the source allows it, else copied one by one. A single element (rank 0) is an axis of extent 1.
  const Axis inner = rank_ > 0 ? axes_[rank_ - 1] : Axis{1, 0, 0};
  const auto stride = static_cast<ptrdiff_t>(inner.src_stride);
  if (SteppedRow* row = inner.dst_stride == bytes_ ? find_stepped_row(bytes_, stride) : nullptr) {
    for_each(rank_ - 1, axes_, 0, 0, [=](int64_t src_at, int64_t dst_at) {
      row(static_cast<ptrdiff_t>(inner.extent), src + src_at, stride, dst + dst_at);
    });
    return;
  }
  for_each(rank_ - 1, axes_, 0, 0, [=, bytes = bytes_](int64_t src_at, int64_t dst_at) {
    copy_rows(static_cast<ptrdiff_t>(inner.extent), bytes, src + src_at, static_cast<ptrdiff_t>(inner.src_stride),
              dst + dst_at, static_cast<ptrdiff_t>(inner.dst_stride));
  });
}

/// Tries the box with few rows, which are planes that become pixels, then with few columns, which are channels of
/// pixels that become planes. Plans the first that has a kernel.
bool Channels::find(ptrdiff_t bytes, int rank, Axis* axes, Channels& channels) {
  const int column_axis = find_axis(rank, axes, &Axis::src_stride, bytes);
  const int row_axis = find_axis(rank, axes, &Axis::dst_stride, bytes);
  const Axis columns = axes[column_axis];
  const Axis rows = axes[row_axis];
  // The axis that continues runs of pixels; -1 where runs are not joined.
  int next_axis = -1;
  // Sets next_axis for runs of `pixels` elements of a plane. Returns whether they are long enough for a kernel. `along`
  // is the stride in the memory of interleaved pixels, in which the next run begins after the `run_bytes` of this one.
  const auto set_next_axis = [&](int64_t Axis::*along, int64_t pixels) {
    const int64_t plane_bytes = pixels * bytes;
    const int64_t run_bytes = rows.extent * columns.extent * bytes;
    const bool may_join = plane_bytes >= kShortRunBytes && run_bytes <= kJoinedBytes;
    next_axis = may_join ? find_axis(rank, axes, along, run_bytes) : -1;
    if (next_axis >= 0 && axes[next_axis].extent * plane_bytes < kAllRunsBytes) next_axis = -1;
    return next_axis >= 0 || plane_bytes >= kVectorBytes;
  };
  // The interleaved pixels must be dense: each follows the one before it without a gap.
  bool few_rows = columns.dst_stride == rows.extent * bytes;
  const bool few_columns = rows.src_stride == columns.extent * bytes;
  Kernel* kernel = nullptr;
  if (few_rows && set_next_axis(&Axis::dst_stride, columns.extent)) kernel = find_kernel(8 * bytes, rows.extent);
  if (kernel == nullptr && few_columns && set_next_axis(&Axis::src_stride, rows.extent)) {
    kernel = find_kernel(8 * bytes, 0, columns.extent);
    few_rows = false;
  }
  if (kernel == nullptr) return false;
  channels.kernel_ = kernel;
  const int64_t pixels = (few_rows ? columns : rows).extent;
  const bool has_vectors = pixels * bytes >= kVectorBytes;  // of each plane, as a RunsKernel needs them
  if (has_vectors)
    channels.runs_kernel_ = find_runs_kernel(8 * bytes, few_rows ? rows.extent : 0, few_rows ? 0 : columns.extent);
  channels.bytes_ = bytes;
  channels.store_plan(column_axis, row_axis, next_axis, few_rows, rank, axes);
  return true;
}

/// Does `find` for three channels of 4-bit elements.
bool Channels::find_nibbles(int rank, Axis* axes, Channels& channels) {
  const int column_axis = find_axis(rank, axes, &Axis::src_stride, 4);
  const int row_axis = find_axis(rank, axes, &Axis::dst_stride, 4);
  constexpr int64_t kPixelBits = 3 * 4;
  const bool few_rows = axes[row_axis].extent == 3 && axes[column_axis].dst_stride == kPixelBits;
  const bool few_columns = axes[column_axis].extent == 3 && axes[row_axis].src_stride == kPixelBits;
  // A run of a plane has at least 16 nibbles, and ends on a byte (RunsKernel). A box of 3 x 3, which has few rows and
  // few columns, is too small.
  const int64_t pixels = axes[few_rows ? column_axis : row_axis].extent;
  if (few_rows == few_columns || pixels < 16 || pixels % 2 != 0) return false;
  // All strides must be whole bytes but those along the run of pixels and that from channel to channel of a pixel.
  const int run_axis = few_rows ? column_axis : row_axis;
  for (int i = 0; i < rank; ++i) {
    if (i == run_axis) continue;
    const int64_t src_stride = i == column_axis ? 0 : axes[i].src_stride;
    const int64_t dst_stride = i == row_axis ? 0 : axes[i].dst_stride;
    if ((src_stride | dst_stride) % 8 != 0) return false;
  }
  channels.runs_kernel_ = few_rows ? find_runs_kernel(4, 3, 0) : find_runs_kernel(4, 0, 3);
  const int next_axis = find_axis(rank, axes, few_rows ? &Axis::dst_stride : &Axis::src_stride, kPixelBits * pixels);
  for (int i = 0; i < rank; ++i) {
    axes[i].src_stride /= 8;
    axes[i].dst_stride /= 8;
  }
  channels.store_plan(column_axis, row_axis, next_axis, few_rows, rank, axes);
  return true;
}

void Channels::store_plan(int column_axis, int row_axis, int next_axis, bool few_rows, int rank, Axis* axes) {
  const Axis columns = axes[column_axis];
  const Axis rows = axes[row_axis];
  run_axis_ = next_axis < 0 ? Axis{1, 0, 0} : axes[next_axis];
  // The axes that neither the kernel nor the run takes move to the front.
  rank_ = 0;
  for (int i = 0; i < rank; ++i) {
    if (i != column_axis && i != row_axis && i != next_axis) axes[rank_++] = axes[i];
  }
  few_rows_ = few_rows;
  rows_ = static_cast<int>(rows.extent);
  columns_ = static_cast<int>(columns.extent);
  // A kernel reads the offsets of the few rows or columns, and only the first offset of the long side.
  for (int i = 0; i < kFew; ++i) {
    src_rows_[i] = static_cast<ptrdiff_t>(i * rows.src_stride);
    dst_rows_[i] = static_cast<ptrdiff_t>(i * columns.dst_stride);
  }
  axes_ = axes;
}

/// Calls the kernel for each index of the outer axes.
void Channels::move(const uint8_t* src, uint8_t* dst) const {
  for_each(rank_, axes_, 0, 0, [&](int64_t src_at, int64_t dst_at) {
    if (runs_kernel_ != nullptr || run_axis_.extent > 1) return move_joined(src + src_at, dst + dst_at);
    kernel_(rows_, columns_, src + src_at, src_rows_, dst + dst_at, dst_rows_);
  });
}

void Channels::move_joined(const uint8_t* src, uint8_t* dst) const {
  const int pixels = few_rows_ ? columns_ : rows_;
  const auto src_step = static_cast<ptrdiff_t>(run_axis_.src_stride);  // bytes from a run to the next one
  const auto dst_step = static_cast<ptrdiff_t>(run_axis_.dst_stride);
  if (runs_kernel_ != nullptr) {
    return runs_kernel_(pixels, src, dst, few_rows_ ? src_rows_ : dst_rows_, static_cast<int>(run_axis_.extent),
                        few_rows_ ? src_step : dst_step);
  }
  alignas(64) uint8_t buffer[kFew * kJoinedBytes];
  const int planes = few_rows_ ? rows_ : columns_;
  const ptrdiff_t run_bytes = pixels * bytes_;  // of one plane, at most kJoinedBytes: `find` joins no longer runs
  const auto max_run_count = static_cast<int>(std::min<int64_t>(run_axis_.extent, kJoinedBytes / run_bytes));
  ptrdiff_t buffer_rows[kFew];
  for (int i = 0; i < planes; ++i) buffer_rows[i] = i * max_run_count * run_bytes;
  for (int64_t done = 0; done < run_axis_.extent; done += max_run_count) {
    const auto run_count = static_cast<int>(std::min<int64_t>(max_run_count, run_axis_.extent - done));
    if (few_rows_) {
      for (int i = 0; i < planes; ++i)
        copy_rows(run_count, run_bytes, src + src_rows_[i], src_step, buffer + buffer_rows[i], run_bytes);
      kernel_(planes, run_count * pixels, buffer, buffer_rows, dst, dst_rows_);
    } else {
      kernel_(run_count * pixels, planes, src, src_rows_, buffer, buffer_rows);
      for (int i = 0; i < planes; ++i)
        copy_rows(run_count, run_bytes, buffer + buffer_rows[i], run_bytes, dst + dst_rows_[i], dst_step);
    }
    src += max_run_count * src_step;
    dst += max_run_count * dst_step;
  }
}

ByteBlocks::ByteBlocks(Kernel* kernel, ptrdiff_t bytes, int rank, Axis* axes)
    : kernel_(kernel), bytes_(bytes), blocks_(bytes, min_side(bytes), rank, axes) {}

/// Moves the box block by block, with as many columns at a time, rows of the destination, as the cache holds.
void ByteBlocks::move(const uint8_t* src, uint8_t* dst) const {
  // Below so many columns at a time, the buffer wins: 2x to 3x on [32,32,32,32] (measured; 64 gives the same).
  constexpr int kNarrow = 32;
  blocks_.for_each_block([&](int rows, int columns, int64_t src_at, int64_t dst_at) {
    const bool holds_few = cached_rows_ < kNarrow && cached_rows_ < columns;
    // Up to 16 bytes of each, the kernel visits a row only once.
    const bool visits_again = rows * bytes_ > 16;
    if (holds_few && visits_again) {
      return move_by_buffer(rows, columns, src + src_at, dst + dst_at);
    }
    for (int c = 0; c < columns; c += cached_rows_) {
      kernel_(rows, std::min(cached_rows_, columns - c), src + src_at + c * bytes_, blocks_.rows().offsets(),
              dst + dst_at, blocks_.columns().offsets() + c);
    }
  });
}

/// Transposes a block piece by piece into a buffer, and copies its runs to their rows.
void ByteBlocks::move_by_buffer(int rows, int columns, const uint8_t* src, uint8_t* dst) const {
  constexpr int kRunBytes = 256;
  constexpr int kRuns = 64;  // the buffer takes half of a first-level cache of 32 kB
  alignas(64) uint8_t buffer[kRuns * kRunBytes];
  ptrdiff_t buffer_rows[kRuns];
  for (int i = 0; i < kRuns; ++i) buffer_rows[i] = i * kRunBytes;
  const ptrdiff_t* src_rows = blocks_.rows().offsets();
  const ptrdiff_t* dst_rows = blocks_.columns().offsets();
  const int max_rows = kRunBytes / static_cast<int>(bytes_);
  for (int c = 0; c < columns; c += kRuns) {
    const int width = std::min(kRuns, columns - c);
    for (int r = 0; r < rows; r += max_rows) {
      const int height = std::min(max_rows, rows - r);
      kernel_(height, width, src + c * bytes_, src_rows + r, buffer, buffer_rows);
      for (int i = 0; i < width; ++i)
        copy_rows(1, height * bytes_, buffer + buffer_rows[i], 0, dst + dst_rows[c + i] + r * bytes_, 0);
    }
  }
}

OddBlocks::OddBlocks(ptrdiff_t bytes, int rank, Axis* axes)
    : bytes_(bytes), blocks_(bytes, min_side(bytes), rank, axes) {}

/// Copies elements one by one, a cache line of each source row at a time.
void OddBlocks::move(const uint8_t* src, uint8_t* dst) const {
  const ptrdiff_t* src_rows = blocks_.rows().offsets();
  const ptrdiff_t* dst_rows = blocks_.columns().offsets();
  const ptrdiff_t bytes = bytes_;
  const int step = std::max(1, kLineBytes / static_cast<int>(bytes));
  blocks_.for_each_block([=](int rows, int columns, int64_t src_at, int64_t dst_at) {
    for (int c = 0; c < columns; c += step) {
      const int width = std::min(step, columns - c);
      // To copy a word that is longer than the element is faster, and safe where another element follows: in the source
      // row, so that the word can be read, and in the destination row, so that the next r overwrites the surplus.
      const int with_next = std::min(width, columns - 1 - c);  // elements that another one follows in their row
      for (int r = 0; r < rows; ++r) {
        const uint8_t* from = src + src_at + src_rows[r] + c * bytes;
        uint8_t* to = dst + dst_at + r * bytes;
        const int loose = r < rows - 1 ? with_next : 0;  // elements to copy as words; the others are copied exactly
        if (loose > 0) scatter_with_overrun(loose, bytes, from, to, dst_rows + c);
        if (loose < width) scatter(width - loose, bytes, from + loose * bytes, to, dst_rows + c + loose);
      }
    }
  });
}

void BitRuns::move(const uint8_t* src, int src_phase, uint8_t* dst, int dst_phase) const {
  for_each(rank_, axes_, src_phase, dst_phase, [=, bits = bits_](int64_t src_at, int64_t dst_at) {
    // Shifts round down, for positions before the first element too.
    copy_bits(bits, src + (src_at >> 3), static_cast<int>(src_at & 7), dst + (dst_at >> 3),
              static_cast<int>(dst_at & 7));
  });
}

/// Makes the axes canonical, and chooses the strategy that moves the box.
void Plan::make(int64_t element_bits, int rank, const Axis* axes, bool on_bytes) {
  assert(element_bits % 8 == 0 || is_packed_width(static_cast<int>(element_bits)));
  assert(on_bytes || element_bits < 8);
  assert(0 <= rank && rank <= kMaxRank);
  std::copy(axes, axes + rank, axes_);
  rank = canonical_axes(element_bits, rank, axes_, on_bytes);
  is_empty_ = rank > 0 && axes_[0].extent == 0;  // canonical axes of a box without elements: one of extent 0
  if (is_empty_) return;
  if (element_bits % 8 == 0) {
    choose_for_bytes(static_cast<ptrdiff_t>(element_bits / 8), rank);
  } else {
    choose_for_bits(static_cast<int>(element_bits), rank, on_bytes);
  }
}

void Plan::choose_for_bytes(ptrdiff_t bytes, int rank) {
  for (int i = 0; i < rank; ++i) {
    assert(axes_[i].src_stride % 8 == 0 && axes_[i].dst_stride % 8 == 0);
    axes_[i].src_stride /= 8;
    axes_[i].dst_stride /= 8;
  }
  // The first way that takes the box: SmallBlocks and Channels take few boxes, OddBlocks and ByteBlocks all the others.
  if (bytes > 16 || !has_both_sides(bytes, rank, axes_)) {  // nothing to transpose in vectors of 16 bytes
    way_.emplace<Pieces>(bytes, rank, axes_);
  } else if (const auto small = SmallBlocks::find(bytes, rank, axes_)) {
    way_.emplace<SmallBlocks>(*small);
  } else if (Kernel* kernel = find_kernel(8 * bytes); kernel == nullptr) {  // as of 3 bytes
    way_.emplace<OddBlocks>(bytes, rank, axes_);
  } else if (Channels channels; Channels::find(bytes, rank, axes_, channels)) {
    way_.emplace<Channels>(channels);
  } else {
    way_.emplace<ByteBlocks>(kernel, bytes, rank, axes_);
  }
}

void Plan::choose_for_bits(int bits, int rank, bool on_bytes) {
  // Whether the elements of the innermost axis lie side by side in both memories, though they could not be folded.
  const bool is_run = rank > 0 && axes_[rank - 1].src_stride == bits && axes_[rank - 1].dst_stride == bits;
  if (is_run) {
    way_.emplace<BitRuns>(static_cast<ptrdiff_t>(bits * axes_[rank - 1].extent), rank - 1, axes_);
  } else if (!has_both_sides(bits, rank, axes_)) {
    way_.emplace<BitRuns>(bits, rank, axes_);
  } else if (Channels channels; bits == 4 && on_bytes && Channels::find_nibbles(rank, axes_, channels)) {
    way_.emplace<Channels>(channels);
  } else {
    way_.emplace<PackedBlocks>(find_kernel(bits), bits, rank, axes_);
  }
}

void Plan::move(const uint8_t* src, int src_phase, uint8_t* dst, int dst_phase) const {
  assert(0 <= src_phase && src_phase < 8 && 0 <= dst_phase && dst_phase < 8);
  if (is_empty_) return;
  std::visit(
      [=](const auto& way) {
        // Only the ways of packed elements take phases.
        if constexpr (requires { way.move(src, src_phase, dst, dst_phase); }) {
          way.move(src, src_phase, dst, dst_phase);
        } else {
          way.move(src, dst);
        }
      },
      way_);
}

}  // namespace layout
