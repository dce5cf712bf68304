/// One row of torch.nn.functional.interpolate, to the bit of CPUs with fused multiply-add.
#pragma once

#include <cstddef>
#include <cstdint>

#include "postprocess/rows.h"

namespace layout {

/// Where each number of a result looks, and how much of that it takes: `taps` of each.
struct AxisTaps {
  int count;
  int taps;
  std::int32_t* indices;
  float* factors;
  int at(int i, int tap) const { return indices[i * taps + tap]; }
  const float* weights(int i) const { return factors + i * taps; }
};

/// Fills in the taps of an axis of `length` numbers, whose `count` and `taps` are set. `is_fused`: the position is one
/// fused multiply-add instead of a product and a sum.
void make_taps(Mode mode, int length, bool align, bool is_fused, AxisTaps& axis);

/// Resizes along a row, with two or four taps.
void resize_row(const float* from, const AxisTaps& columns, float* to);

/// Blends two or four rows.
void blend_rows(const float* const* rows, const float* weights, int taps, int width, float* to);

/// Resizes both axes at once by products of weights, as torch does where height + width of the result are at most 128.
/// Channels up to the last multiple of 8 sum in another order than the others.
void resize_small_row(const float* top, const float* bottom, const AxisTaps& columns, const float* weights,
                      bool is_vector, float* to);

}  // namespace layout
