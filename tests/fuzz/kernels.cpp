// A kernel of the table against the scalar kernel, and a scalar kernel against a loop over bits.

#include "../native/kernel_rows.h"
#include "fuzz.h"

void fuzz(FuzzedDataProvider& input) {
  const layout::KernelRow& row = input.PickValueInArray(layout::kKernels);
  Random random(input.ConsumeIntegral<std::uint8_t>());
  const auto extent = [&](int fixed) {
    return fixed != 0 ? fixed : group_of(row) * input.ConsumeIntegralInRange(1, 150);
  };
  const int rows = extent(row.rows);
  const int columns = extent(row.columns);
  if (is_scalar(row)) return check_definition(row, rows, columns, random);
  const int gap = input.ConsumeIntegralInRange(0, 70);
  const auto order = [&] { return static_cast<Order>(input.ConsumeIntegralInRange(0, 2)); };
  const Order from = order();
  check_kernel(row, rows, columns, gap, from, order(), random);
}
