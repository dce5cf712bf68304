// Every kernel of the table against the scalar one of its width.

#include "kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "check.h"

namespace {

using layout::KernelRow;

const KernelRow& definition_of(const KernelRow& row) {
  const KernelRow* found = nullptr;
  for (const KernelRow& other : layout::kKernels) {
    if (other.element_bits == row.element_bits && std::strstr(other.name, "_scalar")) found = &other;
  }
  check(found != nullptr, "%s has no definition", row.name);
  return *found;
}

/// Where `count` rows of `row_bytes` begin: one run, or in random order with `gap` bytes between them.
struct Rows {
  Rows(int count, int row_bytes, bool is_dense, int gap, Random& random) : offsets(static_cast<std::size_t>(count)) {
    const int pitch = row_bytes + (is_dense ? 0 : gap);
    for (int i = 0; i < count; ++i) offsets[static_cast<std::size_t>(i)] = i * pitch;
    for (int i = count - 1; i > 0 && !is_dense; --i) {
      std::swap(offsets[static_cast<std::size_t>(i)], offsets[static_cast<std::size_t>(random.below(i + 1))]);
    }
    bytes = (count - 1) * pitch + row_bytes;
  }

  std::vector<std::ptrdiff_t> offsets;
  int bytes;
};

void compare(const KernelRow& row, int rows, int columns, int gap, Random& random) {
  const Rows src_rows(rows, columns * row.element_bits / 8, row.columns != 0, gap, random);
  const Rows dst_rows(columns, rows * row.element_bits / 8, row.rows != 0, gap, random);
  const Memory src(src_rows.bytes, random);
  const Memory before(dst_rows.bytes, random);
  const Memory expected(before);
  const Memory actual(before);
  definition_of(row).kernel(rows, columns, src.data.get(), src_rows.offsets.data(), expected.data.get(), dst_rows.offsets.data());
  row.kernel(rows, columns, src.data.get(), src_rows.offsets.data(), actual.data.get(), dst_rows.offsets.data());
  const auto at = first_difference(expected, actual);
  check(at < 0, "%s, %d rows, %d columns, gap %d: byte %d", row.name, rows, columns, gap, static_cast<int>(at));
}

/// The definition, which the others are compared with, bit by bit.
void check_definition(const KernelRow& row) {
  const int bits = row.element_bits;
  const int per_byte = bits < 8 ? 8 / bits : 1;
  const int rows = 3 * per_byte;
  const int columns = 5 * per_byte;
  Random random(1);
  const Memory src(rows * columns * bits / 8, random);
  const Memory dst(rows * columns * bits / 8, random);
  std::vector<std::ptrdiff_t> src_rows;
  std::vector<std::ptrdiff_t> dst_rows;
  for (int r = 0; r < rows; ++r) src_rows.push_back(r * columns * bits / 8);
  for (int c = 0; c < columns; ++c) dst_rows.push_back(c * rows * bits / 8);
  row.kernel(rows, columns, src.data.get(), src_rows.data(), dst.data.get(), dst_rows.data());
  const auto bit = [](const Memory& memory, int at) { return memory.data[static_cast<std::size_t>(at / 8)] >> at % 8 & 1; };
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      for (int b = 0; b < bits; ++b) {
        check(bit(src, (r * columns + c) * bits + b) == bit(dst, (c * rows + r) * bits + b), "%s: row %d, column %d", row.name, r, c);
      }
    }
  }
}

}  // namespace

int main() {
  Random random(2);
  for (const KernelRow& row : layout::kKernels) {
    if (std::strstr(row.name, "_scalar")) {
      check_definition(row);
      continue;
    }
    // Around every tile edge, of all tiles: 2, 4, 8, 16, and twice that; and around the packed kernels' blocks of 64 bytes.
    std::vector<int> extents = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,  15,
                                16, 17, 18, 31, 32, 33, 34, 47, 49, 63, 64, 65, 100, 129};
    if (row.element_bits < 8) {
      for (int& extent : extents) extent *= 8 / row.element_bits;
    }
    for (const int rows : row.rows != 0 ? std::vector<int>{row.rows} : extents) {
      for (const int columns : row.columns != 0 ? std::vector<int>{row.columns} : extents) {
        for (const int gap : {0, 1, 37}) compare(row, rows, columns, gap, random);
      }
    }
  }
  std::printf("%d kernels\n", static_cast<int>(std::size(layout::kKernels)));
}
