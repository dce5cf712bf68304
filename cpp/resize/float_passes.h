#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/passes.h"

// Passes over rows of float32 by tables of make_float_taps. An entry of a table (Taps) has the terms of one number of
// the result: which numbers of the source it sums, each times a weight.

namespace layout {

/// Makes a row: `dst` gets a number for each entry of the table, the weighted sum of some numbers of `src`. Number 0 of
/// `src` is pixel `base` of the source, which entries count from.
void float_across(const TapTable& table, int base, const float* src, float* dst);

/// Copies the two numbers of `src` that each entry of a bilinear table names to `dst`, side by side and not yet
/// weighted, for float_pairs_down. An entry without terms gives 0 twice. `src` and `base` are those of float_across.
void float_pairs_across(const TapTable& table, int base, const float* src, float* dst);

/// Makes rows of float32: each is the weighted sum of some rows of `src`, number by number.
void float_down(const DownPass& pass);

/// Makes rows of torch's bilinear of small results: each number is the sum of four numbers of `src`, each times the
/// product of a weight along the rows and one down the columns. A row of `src` has three planes with the pairs that
/// float_pairs_across made by `columns`, and a row of the result three planes with one number for each pair.
void float_pairs_down(const DownPass& pass, const TapTable& columns);

/// The steps after resizing, each in float32: numbers are rounded where `is_rounded`, held between `low` and `high`,
/// and become `(x * scale / divisor - mean) / std`.
struct FloatNumbers {
  float low, high, scale, divisor, mean[3], std[3];
  bool is_rounded;
};

/// Takes the steps of FloatNumbers in place, for `count` rows of `columns` numbers. Row i belongs to plane i % 3, which
/// has its own mean and std.
void finish_floats(const FloatNumbers& steps, float* rows, int count, int columns);

}  // namespace layout
