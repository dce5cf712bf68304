#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "check.h"
#include "transpose/kernels.h"

/// The name of a kernel of the table.
inline const char* name_of(const layout::KernelRow& row) {
#define KERNEL(name, element_bits, rows, columns) \
  if (row.kernel == layout::name) return #name;
#include "transpose/kernels.def"
#undef KERNEL
  return "";
}

inline bool is_scalar(const layout::KernelRow& row) { return std::strstr(name_of(row), "_scalar") != nullptr; }

/// Both extents of packed elements are multiples of this: so many fill whole bytes.
inline int group_of(const layout::KernelRow& row) { return 8 / std::gcd(row.element_bits, 8); }

/// The scalar kernel of the same width.
inline const layout::KernelRow& definition_of(const layout::KernelRow& row) {
  const layout::KernelRow* found = nullptr;
  for (const layout::KernelRow& other : layout::kKernels) {
    if (other.element_bits == row.element_bits && is_scalar(other)) found = &other;
  }
  check(found != nullptr, "%s has no definition", name_of(row));
  return *found;
}

/// How rows lie that are not one run: in random order, at one stride, or at a stride that is a multiple of 2 KB.
enum class Order { kShuffled, kEven, kCrowded };

/// Where `count` rows of `row_bytes` begin: as one run behind `gap` bytes, or with at least `gap` bytes between them.
struct Rows {
  Rows(int count, int row_bytes, bool is_dense, int gap, Order order, Random& random)
      : offsets(static_cast<std::size_t>(count)) {
    int pitch = row_bytes + (is_dense ? 0 : gap);
    if (!is_dense && order == Order::kCrowded) pitch = (pitch + 2047) / 2048 * 2048;
    for (int i = 0; i < count; ++i) offsets[static_cast<std::size_t>(i)] = (is_dense ? gap : 0) + i * pitch;
    for (int i = count - 1; i > 0 && !is_dense && order == Order::kShuffled; --i) {
      std::swap(offsets[static_cast<std::size_t>(i)], offsets[static_cast<std::size_t>(random.below(i + 1))]);
    }
    bytes = (is_dense ? gap : 0) + (count - 1) * pitch + row_bytes;
  }

  std::vector<std::ptrdiff_t> offsets;
  int bytes;
};

/// Compares a kernel with the scalar kernel on random bytes, the bytes between the rows included.
inline void check_kernel(const layout::KernelRow& row, int rows, int columns, int gap, Order from, Order to,
                         Random& random) {
  const Rows src_rows(rows, columns * row.element_bits / 8, row.columns != 0, gap, from, random);
  const Rows dst_rows(columns, rows * row.element_bits / 8, row.rows != 0, gap, to, random);
  const Memory src(src_rows.bytes, random);
  const Memory before(dst_rows.bytes, random);
  const Memory expected(before);
  const Memory actual(before);
  definition_of(row).kernel(rows, columns, src.data.get(), src_rows.offsets.data(), expected.data.get(),
                            dst_rows.offsets.data());
  row.kernel(rows, columns, src.data.get(), src_rows.offsets.data(), actual.data.get(), dst_rows.offsets.data());
  const auto at = first_difference(expected, actual);
  check(at < 0, "%s, %d rows, %d columns, gap %d, orders %d and %d: byte %d", name_of(row), rows, columns, gap,
        static_cast<int>(from), static_cast<int>(to), static_cast<int>(at));
}

/// Compares a scalar kernel with a loop over bits.
inline void check_definition(const layout::KernelRow& row, int rows, int columns, Random& random) {
  const int bits = row.element_bits;
  const Memory src(rows * columns * bits / 8, random);
  const Memory dst(rows * columns * bits / 8, random);
  std::vector<std::ptrdiff_t> src_rows;
  std::vector<std::ptrdiff_t> dst_rows;
  for (int r = 0; r < rows; ++r) src_rows.push_back(r * columns * bits / 8);
  for (int c = 0; c < columns; ++c) dst_rows.push_back(c * rows * bits / 8);
  row.kernel(rows, columns, src.data.get(), src_rows.data(), dst.data.get(), dst_rows.data());
  const auto bit = [](const Memory& memory, int at) {
    return memory.data[static_cast<std::size_t>(at / 8)] >> at % 8 & 1;
  };
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      for (int b = 0; b < bits; ++b) {
        check(bit(src, (r * columns + c) * bits + b) == bit(dst, (c * rows + r) * bits + b), "%s: row %d, column %d",
              name_of(row), r, c);
      }
    }
  }
}
