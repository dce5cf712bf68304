#pragma once

#include <algorithm>

#include "bits/vectors.h"
#include "convert/steps.h"
#include "quantize/grid.h"

namespace layout {

// Kernels take scales and zero points as one of the next two classes: scale(i) and zero(i) are those of vector i, 0 to
// 3, of the next sixteen elements; `advance` goes some elements on.

/// The scale and the zero point that all elements of a run share.
struct SharedScale {
  v128_t shared_scale, shared_zero;

  SharedScale(const float* scales, const float* zeros)
      : shared_scale(wasm_v128_load32_splat(scales)), shared_zero(wasm_v128_load32_splat(zeros)) {}

  v128_t scale(int) const { return shared_scale; }
  v128_t zero(int) const { return shared_zero; }
  void advance(std::uint32_t) {}
};

/// A scale and a zero point for each element.
struct ElementScales {
  const float* scales;
  const float* zeros;

  ElementScales(const float* first_scale, const float* first_zero) : scales(first_scale), zeros(first_zero) {}

  v128_t scale(int vector) const { return load(scales, vector); }
  v128_t zero(int vector) const { return load(zeros, vector); }
  /// Goes on to the scales of the elements after the next `elements` ones.
  void advance(std::uint32_t elements) {
    scales += elements;
    zeros += elements;
  }
};

/// A position in the elements of a piece, with the scales from there on. It goes on run by run: a run is elements side
/// by side that share one scale (`width` 1), or that lie in one row of `width` elements and have a scale each.
class Runs {
 public:
  /// Begins at the first element of a piece. `scales` and `zeros` are the row of scales of that element's block, which
  /// ends `block_rows_left_` rows further, or with its axis.
  Runs(const Grid& grid, const float* scales, const float* zeros)
      : grid_(grid),
        block_rows_left_(std::min(grid.block - grid.row % grid.block, axis_rows_left())),
        scales_(scales),
        zeros_(zeros) {}

  /// A run of `count` elements. If is_shared(), `scales` and `zeros` hold the one of all elements, otherwise one for
  /// each.
  struct Run {
    std::uint32_t count;
    const float* scales;
    const float* zeros;
  };

  /// Whether all elements of a run share one scale.
  bool is_shared() const { return grid_.width == 1; }

  /// Whether runs have fewer than 32 elements: writing out the scale of each element and reading these as vectors is
  /// then faster than taking run by run (measured).
  bool are_short() const {
    const std::uint32_t longest = is_shared() ? std::min(grid_.rows, grid_.block) : grid_.width;
    return longest < 32;
  }

  /// `count` blocks, one after the other, of `length` elements each, a multiple of 16. `scales` and `zeros` hold one
  /// for each block.
  struct Blocks {
    std::uint32_t count;
    std::uint32_t length;
    const float* scales;
    const float* zeros;
  };

  /// The next blocks, as many as fit in `most` elements, up to the end of the axis; goes on after them. `count` is 0
  /// where the position is not the beginning of a block of shared scale and of a multiple of 16 elements.
  Blocks next_blocks(std::uint32_t most) {
    const bool begins_block = block_rows_left_ == grid_.block;
    if (!is_shared() || !begins_block || grid_.block % 16 != 0) return {};
    const Blocks blocks{std::min(axis_rows_left(), most) / grid_.block, grid_.block, scales_, zeros_};
    if (blocks.count > 0) end_blocks(blocks.count * grid_.block, blocks.count);
    return blocks;
  }

  /// How many elements are left in this run: in the block that shares a scale, or in the row.
  std::uint32_t length() const { return is_shared() ? block_rows_left_ : grid_.width - grid_.column; }

  /// The next run, or its first `most` elements if it has more; goes on after them.
  Run next(std::uint32_t most) {
    const Run run{std::min(length(), most), scales_ + grid_.column, zeros_ + grid_.column};
    if (is_shared()) {
      advance(run.count);
      return run;
    }
    grid_.column += run.count;
    if (grid_.column == grid_.width) {  // the end of a row
      grid_.column = 0;
      advance(1);
    }
    return run;
  }

  /// Writes a scale and a zero point for each of the next `count` elements, and up to three more of each; goes on
  /// after these elements.
  void write_scales(std::uint32_t count, float* scales, float* zeros) {
    for (std::uint32_t done = 0; done < count;) {
      const Run run = next(count - done);
      if (is_shared()) {
        for (std::uint32_t i = 0; i < run.count; i += 4) {
          std::fill_n(scales + done + i, 4, *run.scales);
          std::fill_n(zeros + done + i, 4, *run.zeros);
        }
      } else {
#pragma clang loop vectorize(disable) unroll(disable)
        for (std::uint32_t i = 0; i < run.count; ++i) {
          scales[done + i] = run.scales[i];
          zeros[done + i] = run.zeros[i];
        }
      }
      done += run.count;
    }
  }

 private:
  std::uint32_t axis_rows_left() const { return grid_.rows - grid_.row; }

  /// Skips `rows` rows, at most those that are left in this block.
  void advance(std::uint32_t rows) {
    // One row of scales is for all rows, so the position in the block does not matter.
    if (grid_.block == Grid::kEndless) return;
    block_rows_left_ -= rows;
    if (block_rows_left_ == 0) {
      end_blocks(rows, 1);
    } else {
      grid_.row += rows;
    }
  }

  /// Skips the `rows` rows that end a block, and `rows_of_scales` rows of scales. The next block begins there. After
  /// the last block of an axis, that is the first block of the next axis.
  void end_blocks(std::uint32_t rows, std::uint32_t rows_of_scales) {
    grid_.row += rows;
    if (axis_rows_left() == 0) grid_.row = 0;
    block_rows_left_ = std::min(grid_.block, axis_rows_left());
    scales_ += rows_of_scales * grid_.width;
    zeros_ += rows_of_scales * grid_.width;
  }

  Grid grid_;
  std::uint32_t block_rows_left_;  // rows until the next row of scales
  const float* scales_;
  const float* zeros_;
};

/// Elements that pass from one stage to the next: they stay in the first-level cache, and fill whole bytes in any
/// format.
inline constexpr std::uint32_t kQuantizeBlock = 512;

/// Runs a kernel over `count` elements, a multiple of sixteen. A kernel is a function object: kernel(src, scales, dst)
/// takes sixteen elements of kIn bytes, and gives kOut bytes for each.
template <class Kernel, class Scales>
void run_groups(std::uint32_t count, Scales scales, const std::uint8_t* src, std::uint8_t* dst) {
  const Kernel kernel;
  for (; count > 0; count -= 16) {
    kernel(src, scales, dst);
    scales.advance(16);
    src += 16 * Kernel::kIn;
    dst += 16 * Kernel::kOut;
  }
}

/// Runs a kernel over blocks of which each has one scale and one zero point.
template <class Kernel>
void run_blocks(const Runs::Blocks& blocks, const std::uint8_t* src, std::uint8_t* dst) {
  const auto [count, length, scales, zeros] = blocks;
  for (std::uint32_t i = 0; i < count; ++i, src += Kernel::kIn * length, dst += Kernel::kOut * length)
    run_groups<Kernel>(length, SharedScale(scales + i, zeros + i), src, dst);
}

/// Runs a kernel over a run, of a multiple of sixteen elements, whose elements have a scale each.
template <class Kernel>
void run_elements(const Runs::Run& run, const std::uint8_t* src, std::uint8_t* dst) {
  run_groups<Kernel>(run.count, ElementScales(run.scales, run.zeros), src, dst);
}

/// A kernel as function pointers: run_blocks and run_elements for it.
struct GroupKernel {
  std::uint32_t in, out;  // bytes of an element
  void (*run_blocks)(const Runs::Blocks& blocks, const std::uint8_t* src, std::uint8_t* dst);
  void (*run_elements)(const Runs::Run& run, const std::uint8_t* src, std::uint8_t* dst);
};

template <class Kernel>
constexpr GroupKernel kGroupKernel = {Kernel::kIn, Kernel::kOut, run_blocks<Kernel>, run_elements<Kernel>};

/// Runs a kernel over the next `count` elements of `runs`, from `src` to `dst`, and leaves `runs` after them.
void run_all(const GroupKernel& kernel, std::uint32_t count, Runs& runs, const std::uint8_t* src, std::uint8_t* dst);

/// The kernel for a format: `Float` for float32, or `Integer<bits, is_signed>` for an integer of 16 bits or, as one
/// code to a byte, of at most 8.
template <class Float, template <int, bool> class Integer>
const GroupKernel& kernel_of(const FormatRow& row) {
  const bool is_signed = row.kind == Kind::kSigned;
  if (is_float(row)) return kGroupKernel<Float>;
  if (row.bits == 16) return is_signed ? kGroupKernel<Integer<16, true>> : kGroupKernel<Integer<16, false>>;
  return is_signed ? kGroupKernel<Integer<8, true>> : kGroupKernel<Integer<8, false>>;
}

}  // namespace layout
