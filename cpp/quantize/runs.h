#pragma once

#include <algorithm>
#include <cstring>

#include "bits/vectors.h"
#include "quantize/grid.h"

namespace layout {

/// The scales and the zero points of sixteen elements: four vectors of each, or one that all share.
struct ScaleStep {
  const float* scales;
  const float* zeros;
  int stride;  // in vectors: 1, or 0 where all share one

  v128_t scale(int vector) const { return load(scales, stride * vector); }
  v128_t zero(int vector) const { return load(zeros, stride * vector); }
};

/// Goes through the runs of a piece.
class Runs {
 public:
  Runs(const Grid& grid, const float* scales, const float* zeros)
      : grid_(grid), left_(std::min(grid.block - grid.row % grid.block, rows_left())), scales_(scales), zeros_(zeros) {}

  /// Elements side by side that share one scale, or have the next ones each.
  struct Run {
    std::uint32_t count;
    const float* scales;
    const float* zeros;
  };

  bool is_shared() const { return grid_.width == 1; }

  /// The next run, of at most `most` elements.
  Run next(std::uint32_t most) {
    const std::uint32_t length = is_shared() ? left_ : grid_.width - grid_.column;
    const Run run{std::min(length, most), scales_ + grid_.column, zeros_ + grid_.column};
    if (is_shared()) {
      advance(run.count);
    } else if ((grid_.column += run.count) == grid_.width) {
      grid_.column = 0;
      advance(1);
    }
    return run;
  }

 private:
  std::uint32_t rows_left() const { return grid_.rows - grid_.row; }

  void advance(std::uint32_t rows) {
    // What has no end repeats its only row of scales.
    if (grid_.block == Grid::kEndless) return;
    grid_.row += rows;
    left_ -= rows;
    if (left_ > 0) return;
    if (rows_left() == 0) grid_.row = 0;
    left_ = std::min(grid_.block, rows_left());
    scales_ += grid_.width;
    zeros_ += grid_.width;
  }

  Grid grid_;
  std::uint32_t left_;  // rows until the next row of scales
  const float* scales_;
  const float* zeros_;
};

/// Elements that pass from one stage to the next: they stay in the first-level cache, and fill whole bytes in any
/// format.
inline constexpr std::uint32_t kQuantizeBlock = 512;

/// Runs a kernel over whole groups of sixteen elements. A kernel takes elements of kIn bytes, and gives kOut bytes for
/// each.
template <class Kernel>
void run_groups(const Kernel& kernel, std::uint32_t count, ScaleStep step, const std::uint8_t* src, std::uint8_t* dst) {
  for (std::uint32_t at = 0; at < count; at += 16) {
    kernel(src + Kernel::kIn * at, step, dst + Kernel::kOut * at);
    step.scales += 16 * step.stride;
    step.zeros += 16 * step.stride;
  }
}

/// Runs a kernel over fewer than sixteen elements, through copies.
template <class Kernel>
void run_rest(const Kernel& kernel, std::uint32_t count, ScaleStep step, const std::uint8_t* src, std::uint8_t* dst) {
  std::uint8_t in[64] = {}, out[64];
  float scales[16] = {}, zeros[16] = {};
  std::memcpy(in, src, Kernel::kIn * count);
  if (step.stride != 0) {
    std::copy(step.scales, step.scales + count, scales);
    std::copy(step.zeros, step.zeros + count, zeros);
    step = {scales, zeros, 1};
  }
  run_groups(kernel, 16, step, in, out);
  std::memcpy(dst, out, Kernel::kOut * count);
}

/// Runs a kernel over `count` elements.
template <class Kernel>
void run_all(const Kernel& kernel, std::uint32_t count, Runs& runs, const std::uint8_t* src, std::uint8_t* dst) {
  for (std::uint32_t done = 0; done < count;) {
    const Runs::Run run = runs.next(count - done);
    float scale[4], zero[4];
    ScaleStep step{run.scales, run.zeros, 1};
    if (runs.is_shared()) {
      store(scale, wasm_v128_load32_splat(run.scales));
      store(zero, wasm_v128_load32_splat(run.zeros));
      step = {scale, zero, 0};
    }
    const std::uint8_t* from = src + Kernel::kIn * done;
    std::uint8_t* to = dst + Kernel::kOut * done;
    const std::uint32_t rest = run.count % 16, whole = run.count - rest;
    run_groups(kernel, whole, step, from, to);
    if (rest > 0) {
      const int skipped = static_cast<int>(whole) * step.stride;
      step.scales += skipped;
      step.zeros += skipped;
      run_rest(kernel, rest, step, from + Kernel::kIn * whole, to + Kernel::kOut * whole);
    }
    done += run.count;
  }
}

}  // namespace layout
