#pragma once

#include "bits/mirrored.h"

namespace layout {

/// The start of the memory of a filter of pictures, whose rows do not lie in the module.
///
/// A step of the filter uses the row of the picture at `source`, and returns the number of the next one, which the
/// caller copies there. Or it returns -1: the next row of the result lies at `result`. Before the first step, and
/// after such a row, it uses no row.
struct FilterRows {
  void* source;
  void* result;
};

/// Fills the `reach` pixels at both ends of a line with the mirror image of the row between them, at its first and last
/// pixel. The row has `width` pixels of three numbers.
template <class T>
void mirror_ends(T* line, int width, int reach) {
  T* row = line + 3 * reach;
  for (int x = 1; x <= reach; ++x)
    for (int c = 0; c < 3; ++c) {
      row[c - 3 * x] = row[3 * mirrored(-x, width) + c];
      row[3 * (width - 1 + x) + c] = row[3 * mirrored(width - 1 + x, width) + c];
    }
}

}  // namespace layout
