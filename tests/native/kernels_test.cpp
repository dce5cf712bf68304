// Every kernel of the table against the scalar kernel of its width.

#include <vector>

#include "kernel_rows.h"

using layout::KernelRow;

int main() {
  Random random(2);
  for (const KernelRow& row : layout::kKernels) {
    if (is_scalar(row)) {
      check_definition(row, 3 * group_of(row), 5 * group_of(row), random);
      continue;
    }
    // Around the edges of all tiles: 2, 4, 8, 16, and twice that; and of the packed kernels' blocks of 64 and 128
    // bytes.
    std::vector<int> extents = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,  14, 15,
                                16, 17, 18, 31, 32, 33, 34, 47, 49, 63, 64, 65, 100, 129};
    for (int& extent : extents) extent *= group_of(row);
    for (const int rows : row.rows != 0 ? std::vector<int>{row.rows} : extents) {
      for (const int columns : row.columns != 0 ? std::vector<int>{row.columns} : extents) {
        for (const int gap : {0, 1, 37})
          check_kernel(row, rows, columns, gap, Order::kShuffled, Order::kShuffled, random);
        check_kernel(row, rows, columns, 1, Order::kEven, Order::kEven, random);
        check_kernel(row, rows, columns, 37, Order::kEven, Order::kShuffled, random);
        check_kernel(row, rows, columns, 37, Order::kShuffled, Order::kEven, random);
      }
    }
    if (row.rows != 0 || row.columns != 0) continue;
    // Crowded rows, around strips of eight and of sixteen, and around blocks of 256 columns.
    for (const int rows : {4, 8, 12, 16, 20, 32, 36}) {
      for (const int columns : {4, 8, 12, 16, 20, 28, 32, 36, 60, 64, 68, 100, 252, 256, 260, 300, 516}) {
        check_kernel(row, rows, columns, 0, Order::kCrowded, Order::kEven, random);
        check_kernel(row, rows, columns, 0, Order::kCrowded, Order::kShuffled, random);
        if (row.element_bits < 8) continue;
        for (const int more : {-1, 1})
          check_kernel(row, rows + more, columns + more, 0, Order::kCrowded, Order::kEven, random);
      }
    }
  }
  std::printf("%d kernels\n", static_cast<int>(std::size(layout::kKernels)));
}
