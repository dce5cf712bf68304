// Blocks of weights of all widths and forms, against the rules, in allocations of the exact size.

#include "columns_oracle.h"

int main() {
  Random random(1);
  int cases = 0;
  for (const int bits : {8, 4, 2}) {
    for (int form = 0; form < 32; ++form) {
      const bool symmetric = form % 2 == 1, is_joined = form / 2 % 2 == 1, is_signed = symmetric && !is_joined;
      const bool after = is_joined || form / 4 % 2 == 1, measured = form / 8 % 2 == 1;
      const layout::Format rounded = form / 16 == 1 ? layout::Format::kFloat16 : layout::Format::kFloat32;
      const int middle = 1 << (bits - 1);
      const layout::ColumnRule rule = {
          bits, symmetric, after, is_joined, measured, is_signed ? -middle : 0, is_signed ? 0 : middle, rounded};
      for (int round = 0; round < 40; ++round) {
        const auto columns = static_cast<std::uint32_t>(16 * (1 + random.below(4)));
        const std::uint32_t stride = columns + static_cast<std::uint32_t>(random.below(3) * 16);
        const auto rows = static_cast<std::uint32_t>(1 + random.below(100));
        const auto block = static_cast<std::uint32_t>(16 << random.below(3));
        check_columns({rule, rows, columns, stride, block}, round % 8 == 7, random);
        ++cases;
      }
    }
  }
  std::printf("%d cases\n", cases);
}
