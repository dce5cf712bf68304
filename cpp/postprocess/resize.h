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

/// Writes the indices and the weights of an axis of `length` numbers, whose `count` and `taps` (1, 2 or 4, by the mode)
/// are set. Indices beyond an end are the end's. Nearest modes have no weights. `align`: the first and the last number
/// stay. `is_fused`: the position is one fused multiply-add instead of a product and a sum.
void make_taps(Mode mode, int length, bool align, bool is_fused, AxisTaps& axis);

/// Resizes a row to `columns.count` numbers, each a weighted sum of two or four, in torch's order of fused steps.
void resize_row(const float* from, const AxisTaps& columns, float* to);

/// Makes a row of `width` numbers: the weighted sum of two or four rows, in torch's order of fused steps.
void blend_rows(const float* const* rows, const float* weights, int taps, int width, float* to);

/// Makes a row of bilinear from the two rows around it, with both axes at once, by products of weights: so torch does
/// where height + width of the result are at most 128. `weights` are those of the two rows. `is_vector` chooses the
/// order of sums that torch has for channels in groups of 8; the channels that are left have the other.
void resize_small_row(const float* top, const float* bottom, const AxisTaps& columns, const float* weights,
                      bool is_vector, float* to);

}  // namespace layout
