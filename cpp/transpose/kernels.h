#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

using Bytes = const std::uint8_t*;
using Offsets = const std::ptrdiff_t*;

/// Transposes in two dimensions: for all r < rows and c < columns, element c of source row r becomes element r of
/// destination row c.
///
/// Source row r begins `src_rows[r]` bytes after `src`, destination row c `dst_rows[c]` bytes after `dst`; the elements
/// of a row lie side by side. Rows have offsets, not a stride, so that several short axes together can fill a tile.
/// Extents are at least 1. Nothing needs alignment. The two memories do not overlap, and neither do the rows of the
/// destination. A kernel reads and writes no byte outside the rows; it may write a byte twice, in any order.
///
/// Packed elements (6, 4 and 2 bits): rows begin on a byte, and both extents are multiples of the fewest elements that
/// fill whole bytes (kPackedGroup).
using Kernel = void(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows);

#define KERNEL(name, element_bits, rows, columns) Kernel name;
#include "transpose/kernels.def"
#undef KERNEL

/// One row of the table of kernels. A kernel whose `rows` or `columns` is not 0 takes only that extent, and its long
/// side must be dense:
/// - `rows`: the destination is one run, `dst_rows[c] == dst_rows[0] + c * rows * bytes`. Only `dst_rows[0]` is read.
/// - `columns`: the source is one run, in the same way. Only `src_rows[0]` is read.
struct KernelRow {
  int element_bits;
  int rows;
  int columns;
  Kernel* kernel;
};

inline constexpr KernelRow kKernels[] = {
#define KERNEL(name, element_bits, rows, columns) {element_bits, rows, columns, name},
#include "transpose/kernels.def"
#undef KERNEL
};

/// Returns the best kernel for any extents, or the one for exactly these few rows or columns, whose long side is dense.
/// nullptr if there is none.
inline Kernel* find_kernel(std::int64_t element_bits, std::int64_t rows = 0, std::int64_t columns = 0) {
  for (const KernelRow& row : kKernels) {
    if (row.element_bits == element_bits && row.rows == rows && row.columns == columns) return row.kernel;
  }
  return nullptr;
}

/// Moves `runs` runs of pixels at once. On the pixels' side all of them are one run. On the planes' side run k begins
/// k * `apart` bytes after the first, and plane c `planes[c]` bytes after `src`, or `dst`. A run has a vector of each
/// plane, or more; of nibbles an even number, 16 or more.
using RunsKernel = void(int pixels, Bytes src, std::uint8_t* dst, Offsets planes, int runs, std::ptrdiff_t apart);

/// Returns the kernel for planes of `rows` rows or pixels of `columns` columns, one of them 0. nullptr if there is
/// none.
RunsKernel* find_runs_kernel(std::int64_t element_bits, std::int64_t rows, std::int64_t columns);

/// The largest `rows` or `columns` of the table.
inline constexpr int kFew = 7;

}  // namespace layout
