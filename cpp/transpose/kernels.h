#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

using Bytes = const std::uint8_t*;
using Offsets = const std::ptrdiff_t*;

/// A 2-D transpose: for all r < rows and c < columns, element c of source row r becomes element r of destination row c.
///
/// Source row r begins `src_rows[r]` bytes after `src`, destination row c `dst_rows[c]` bytes after `dst`; the elements
/// of a row lie side by side. Offsets instead of a stride let several small axes together fill a tile; kernels see
/// where they are at one stride, and need no load a row then. Extents are at least 1, nothing is aligned, the two
/// memories do not overlap, nor do the rows of the destination. No byte outside of the rows is read or written. A byte
/// may be written twice, in any order.
///
/// Packed elements (4 and 2 bits): rows begin on a byte, and both extents are multiples of the elements in a byte.
using Kernel = void(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows);

#define KERNEL(name, element_bits, rows, columns) Kernel name;
#include "transpose/kernels.def"
#undef KERNEL

/// One row of the table. `rows` or `columns` other than 0 is the only extent that the kernel takes; the long side of
/// such a kernel is dense (rows: the destination is one run, `dst_rows[c] == dst_rows[0] + c * rows * bytes`, and only
/// `dst_rows[0]` is read; columns: the same for the source and `src_rows`).
struct KernelRow {
  const char* name;
  int element_bits;
  int rows;
  int columns;
  Kernel* kernel;
};

inline constexpr KernelRow kKernels[] = {
#define KERNEL(name, element_bits, rows, columns) {#name, element_bits, rows, columns, name},
#include "transpose/kernels.def"
#undef KERNEL
};

/// The best kernel for any extents, or for few rows or few columns (of which the longer side is dense); nullptr if
/// there is none.
inline Kernel* find_kernel(std::int64_t element_bits, std::int64_t rows = 0, std::int64_t columns = 0) {
  for (const KernelRow& row : kKernels) {
    if (row.element_bits == element_bits && row.rows == rows && row.columns == columns) return row.kernel;
  }
  return nullptr;
}

/// The most rows or columns that a kernel for few of them has.
inline constexpr int kFew = 7;

}  // namespace layout
