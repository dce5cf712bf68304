#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/passes.h"

// Passes over rows of float32 by tables of make_float_taps.

namespace layout {

/// Makes each number of `dst` of some numbers of `src`, whose number 0 is the source's pixel `base`.
void float_across(const TapTable& table, int base, const float* src, float* dst);

/// Both numbers of each entry of bilinear side by side, for float_pairs_down.
void float_pairs_across(const TapTable& table, int base, const float* src, float* dst);

/// Makes rows of sums down the columns.
void float_down(const DownPass& pass);

/// Makes rows of torch's bilinear of small results: four products, each of two weights. A row of `src` has three planes
/// of pairs, a row of the result three planes of a number for each entry of `columns`.
void float_pairs_down(const DownPass& pass, const TapTable& columns);

/// The steps after resizing, each in float32: numbers are rounded where `is_rounded`, held between `low` and `high`,
/// and become `(x * scale / divisor - mean) / std`.
struct FloatNumbers {
  float low, high, scale, divisor, mean[3], std[3];
  bool is_rounded;
};

/// Each row of numbers is one of three planes, in turn.
void finish_floats(const FloatNumbers& numbers, float* rows, int count, int columns);

}  // namespace layout
