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

/// Returns a kernel for elements of so many bits: the best one for any extents where `rows` and `columns` are 0, or
/// else the one for exactly so many rows, or columns. nullptr if there is none. The table has the best ones first.
inline Kernel* find_kernel(std::int64_t element_bits, std::int64_t rows = 0, std::int64_t columns = 0) {
  for (const KernelRow& row : kKernels) {
    if (row.element_bits == element_bits && row.rows == rows && row.columns == columns) return row.kernel;
  }
  return nullptr;
}

/// Moves `runs` runs of `pixels` pixels each between planes (one channel of all pixels, side by side) and interleaved
/// pixels. The memory of interleaved pixels holds all runs one after the other. In the memory of planes (`src` or
/// `dst`), plane c begins at byte `planes[c]`, and its run k lies k * `apart` bytes further. `pixels` elements of a
/// plane have at least 16 bytes; nibbles are at least 16, and an even number.
using RunsKernel = void(int pixels, Bytes src, std::uint8_t* dst, Offsets planes, int runs, std::ptrdiff_t apart);

/// Returns the kernel that moves `rows` planes to interleaved pixels, or interleaved pixels of `columns` channels to
/// planes; the other of the two numbers is 0. nullptr if there is none: there are kernels for three channels only.
RunsKernel* find_runs_kernel(std::int64_t element_bits, std::int64_t rows, std::int64_t columns);

/// The largest `rows` or `columns` of the table.
inline constexpr int kFew = 7;

}  // namespace layout
