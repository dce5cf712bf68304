#include "transpose/plan.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "bits/runs.h"
#include "transpose/blocks.h"
#include "transpose/kernels.h"
#include "transpose/packed_blocks.h"
#include "transpose/small_blocks.h"

namespace layout {
namespace {

using std::int64_t;
using std::ptrdiff_t;
using std::uint8_t;

constexpr int kLineBytes = 64;  // of the cache

bool has_both_sides(int64_t element, int rank, const Axis* axes) {
  return find_axis(rank, axes, &Axis::src_stride, element) >= 0 &&
         find_axis(rank, axes, &Axis::dst_stride, element) >= 0;
}

// The ways in which a box moves. Each is made once, from canonical axes, which stay where they are, and then moves any
// memories that lie so. Strides are in bytes, but for packed elements.

/// Long elements, or without a neighbour on one side: one by one, the output's innermost axis inside.
class Pieces {
 public:
  Pieces(ptrdiff_t bytes, int rank, const Axis* axes) : bytes_(bytes), rank_(rank), axes_(axes) {}

  void move(const uint8_t* src, uint8_t* dst) const {
    const Axis inner = rank_ > 0 ? axes_[rank_ - 1] : Axis{1, 0, 0};
    for_each(rank_ - 1, axes_, 0, 0, [=, bytes = bytes_](int64_t src_at, int64_t dst_at) {
      copy_rows(static_cast<ptrdiff_t>(inner.extent), bytes, src + src_at, static_cast<ptrdiff_t>(inner.src_stride),
                dst + dst_at, static_cast<ptrdiff_t>(inner.dst_stride));
    });
  }

 private:
  ptrdiff_t bytes_;
  int rank_;
  const Axis* axes_;
};

/// Few rows or columns with all of the other side in one run, such as the channels of an image.
class Channels {
 public:
  /// None if there is no kernel for it; otherwise `axes` lose two.
  static std::optional<Channels> find(ptrdiff_t bytes, int rank, Axis* axes) {
    const int across = find_axis(rank, axes, &Axis::src_stride, bytes);
    const int down = find_axis(rank, axes, &Axis::dst_stride, bytes);
    const Axis columns = axes[across];
    const Axis rows = axes[down];
    const bool few_rows = columns.dst_stride == rows.extent * bytes;
    const bool few_columns = rows.src_stride == columns.extent * bytes;
    Kernel* kernel = nullptr;
    if (few_rows && columns.extent * bytes >= 16) kernel = find_kernel(8 * bytes, rows.extent);
    if (kernel == nullptr && few_columns && rows.extent * bytes >= 16)
      kernel = find_kernel(8 * bytes, 0, columns.extent);
    if (kernel == nullptr) return std::nullopt;
    int outer_rank = 0;
    for (int i = 0; i < rank; ++i) {
      if (i != across && i != down) axes[outer_rank++] = axes[i];
    }
    return Channels(kernel, rows, columns, outer_rank, axes);
  }

  void move(const uint8_t* src, uint8_t* dst) const {
    for_each(rank_, axes_, 0, 0, [&](int64_t src_at, int64_t dst_at) {
      kernel_(rows_, columns_, src + src_at, src_rows_, dst + dst_at, dst_rows_);
    });
  }

 private:
  Channels(Kernel* kernel, const Axis& rows, const Axis& columns, int rank, const Axis* axes)
      : kernel_(kernel),
        rows_(static_cast<int>(rows.extent)),
        columns_(static_cast<int>(columns.extent)),
        rank_(rank),
        axes_(axes) {
    for (int i = 0; i < kFew; ++i) {
      src_rows_[i] = static_cast<ptrdiff_t>(i * rows.src_stride);
      dst_rows_[i] = static_cast<ptrdiff_t>(i * columns.dst_stride);
    }
  }

  Kernel* kernel_;
  int rows_;
  int columns_;
  ptrdiff_t src_rows_[kFew];
  ptrdiff_t dst_rows_[kFew];
  int rank_;
  const Axis* axes_;
};

/// The side that a block of elements should have: rows of 256 bytes.
int wide_side(ptrdiff_t bytes) { return static_cast<int>(256 / bytes); }

/// Blocks of elements that a kernel takes.
class ByteBlocks {
 public:
  ByteBlocks(Kernel* kernel, ptrdiff_t bytes, int rank, Axis* axes)
      : kernel_(kernel),
        bytes_(bytes),
        blocks_(bytes, wide_side(bytes), rank, axes),
        fit_(blocks_.columns().rows_in_cache()) {}

  void move(const uint8_t* src, uint8_t* dst) const {
    blocks_.for_each_block([&](int rows, int columns, int64_t src_at, int64_t dst_at) {
      // A single strip of the kernel visits each row of the destination only once.
      if (fit_ < kNarrow && fit_ < columns && rows * bytes_ > 16)
        return move_by_buffer(rows, columns, src + src_at, dst + dst_at);
      for (int c = 0; c < columns; c += fit_) {
        kernel_(rows, std::min(fit_, columns - c), src + src_at + c * bytes_, blocks_.rows().offsets(), dst + dst_at,
                blocks_.columns().offsets() + c);
      }
    });
  }

 private:
  // Columns at a time below which the buffer wins. Measured: 2x to 3x on [32,32,32,32], at 32 as at 64.
  static constexpr int kNarrow = 32;
  static constexpr int kRunBytes = 256;
  static constexpr int kRuns = 64;

  /// Gathers runs of whole lines first, and writes each at once: lines that crowd each other out of the cache are
  /// touched once.
  void move_by_buffer(int rows, int columns, const uint8_t* src, uint8_t* dst) const {
    alignas(64) uint8_t buffer[kRuns * kRunBytes];
    ptrdiff_t lines[kRuns];
    for (int i = 0; i < kRuns; ++i) lines[i] = i * kRunBytes;
    const int step = kRunBytes / static_cast<int>(bytes_);
    for (int c = 0; c < columns; c += kRuns) {
      const int width = std::min(kRuns, columns - c);
      for (int r = 0; r < rows; r += step) {
        const int height = std::min(step, rows - r);
        kernel_(height, width, src + c * bytes_, blocks_.rows().offsets() + r, buffer, lines);
        for (int i = 0; i < width; ++i) {
          copy_rows(1, height * bytes_, buffer + lines[i], 0, dst + blocks_.columns().offsets()[c + i] + r * bytes_, 0);
        }
      }
    }
  }

  Kernel* kernel_;
  ptrdiff_t bytes_;
  Blocks blocks_;
  int fit_;  // rows of the destination that have room in a first-level cache
};

/// Elements that no kernel takes, shorter than 16 bytes then: a line of the source at a time.
class OddBlocks {
 public:
  OddBlocks(ptrdiff_t bytes, int rank, Axis* axes) : bytes_(bytes), blocks_(bytes, wide_side(bytes), rank, axes) {}

  void move(const uint8_t* src, uint8_t* dst) const {
    const ptrdiff_t* src_rows = blocks_.rows().offsets();
    const ptrdiff_t* dst_rows = blocks_.columns().offsets();
    const ptrdiff_t bytes = bytes_;
    const int step = std::max(1, kLineBytes / static_cast<int>(bytes));
    blocks_.for_each_block([=](int rows, int columns, int64_t src_at, int64_t dst_at) {
      for (int c = 0; c < columns; c += step) {
        const int width = std::min(step, columns - c);
        // A word that is longer than the piece is right where another piece follows on both sides, and is written
        // later.
        const int loose = std::min(width, columns - 1 - c);
        for (int r = 0; r < rows; ++r) {
          const uint8_t* from = src + src_at + src_rows[r] + c * bytes;
          uint8_t* to = dst + dst_at + r * bytes;
          const int now = r < rows - 1 ? loose : 0;
          if (now > 0) scatter_loosely(now, bytes, from, to, dst_rows + c);
          if (now < width) scatter(width - now, bytes, from + now * bytes, to, dst_rows + c + now);
        }
      }
    });
  }

 private:
  ptrdiff_t bytes_;
  Blocks blocks_;
};

/// Packed elements in runs that stay together, or without a neighbour on one side.
class BitRuns {
 public:
  BitRuns(ptrdiff_t bits, int rank, const Axis* axes) : bits_(bits), rank_(rank), axes_(axes) {}

  void move(const uint8_t* src, int src_phase, uint8_t* dst, int dst_phase) const {
    for_each(rank_, axes_, src_phase, dst_phase, [=, bits = bits_](int64_t src_at, int64_t dst_at) {
      copy_bits(bits, src + src_at / 8, static_cast<int>(src_at % 8), dst + dst_at / 8, static_cast<int>(dst_at % 8));
    });
  }

 private:
  ptrdiff_t bits_;
  int rank_;
  const Axis* axes_;
};

// Made in place: some have kilobytes of tables.
using Way = std::variant<Pieces, SmallBlocks, Channels, ByteBlocks, OddBlocks, BitRuns, PackedBlocks>;

Way find_way_of_bytes(ptrdiff_t bytes, int rank, Axis* axes) {
  for (int i = 0; i < rank; ++i) {
    assert(axes[i].src_stride % 8 == 0 && axes[i].dst_stride % 8 == 0);
    axes[i].src_stride /= 8;
    axes[i].dst_stride /= 8;
  }
  if (bytes > 16 || !has_both_sides(bytes, rank, axes)) return Way(std::in_place_type<Pieces>, bytes, rank, axes);
  if (const auto small = SmallBlocks::find(bytes, rank, axes)) return *small;
  Kernel* kernel = find_kernel(8 * bytes);
  if (kernel == nullptr) return Way(std::in_place_type<OddBlocks>, bytes, rank, axes);
  if (const auto channels = Channels::find(bytes, rank, axes)) return *channels;
  return Way(std::in_place_type<ByteBlocks>, kernel, bytes, rank, axes);
}

Way find_way_of_bits(int bits, int rank, Axis* axes) {
  if (rank > 0 && axes[rank - 1].src_stride == bits && axes[rank - 1].dst_stride == bits) {
    return Way(std::in_place_type<BitRuns>, static_cast<ptrdiff_t>(bits * axes[rank - 1].extent), rank - 1, axes);
  }
  if (!has_both_sides(bits, rank, axes)) return Way(std::in_place_type<BitRuns>, bits, rank, axes);
  return Way(std::in_place_type<PackedBlocks>, find_kernel(bits), bits, rank, axes);
}

/// What follows from the axes of a box, whatever the memories.
class Plan {
 public:
  Plan(int64_t element_bits, int rank, const Axis* axes, bool on_bytes)
      : element_bits_(element_bits), rank_(rank), on_bytes_(on_bytes), way_(find_way(axes)) {}
  Plan(const Plan&) = delete;  // the way has the address of the axes

  bool is_for(int64_t element_bits, int rank, const Axis* axes, bool on_bytes) const {
    return element_bits == element_bits_ && rank == rank_ && on_bytes == on_bytes_ &&
           std::equal(axes, axes + rank, axes_);
  }

  void move(const uint8_t* src, int src_phase, uint8_t* dst, int dst_phase) const {
    std::visit(
        [=](const auto& way) {
          if constexpr (requires { way.move(src, src_phase, dst, dst_phase); }) {
            way.move(src, src_phase, dst, dst_phase);
          } else {
            way.move(src, dst);
          }
        },
        way_);
  }

 private:
  Way find_way(const Axis* axes) {
    std::copy(axes, axes + rank_, axes_);
    std::copy(axes, axes + rank_, canonical_);
    int64_t bits = element_bits_;
    const int rank = canonical_axes(bits, rank_, canonical_, on_bytes_);
    if (bits % 8 == 0) return find_way_of_bytes(static_cast<ptrdiff_t>(bits / 8), rank, canonical_);
    return find_way_of_bits(static_cast<int>(bits), rank, canonical_);
  }

  int64_t element_bits_;
  int rank_;
  bool on_bytes_;
  Axis axes_[kMaxRank];
  Axis canonical_[kMaxRank];
  Way way_;
};

}  // namespace

void transpose(int64_t element_bits, int rank, const Axis* axes, const uint8_t* src, int src_phase, uint8_t* dst,
               int dst_phase) {
  assert(element_bits % 8 == 0 || element_bits == 4 || element_bits == 2);
  assert(0 <= rank && rank <= kMaxRank && 0 <= src_phase && src_phase < 8 && 0 <= dst_phase && dst_phase < 8);
  const bool on_bytes = (src_phase | dst_phase) == 0;
  assert(on_bytes || element_bits < 8);
  // Strips of one slab follow each other, and small tensors of one shape.
  static std::optional<Plan> latest;
  if (!latest || !latest->is_for(element_bits, rank, axes, on_bytes))
    latest.emplace(element_bits, rank, axes, on_bytes);
  latest->move(src, src_phase, dst, dst_phase);
}

}  // namespace layout
