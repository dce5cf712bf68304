// Rows of elements that do not lie side by side, against a loop over bytes, in memory of exactly their size.

#include "transpose/stepped_rows.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "check.h"

namespace {

void run(int bytes, int stride, int count, Random& random) {
  layout::SteppedRow* const row = layout::find_stepped_row(bytes, stride);
  check(row != nullptr, "%d bytes, stride %d", bytes, stride);
  const int span = count == 0 ? 0 : (count - 1) * (stride < 0 ? -stride : stride) + bytes;
  const Memory src(span, random);
  const Memory actual(count * bytes, random);
  const Memory expected(actual);
  const std::uint8_t* const first = src.data.get() + (stride < 0 && count > 0 ? span - bytes : 0);
  for (int i = 0; i < count; ++i) {
    for (int b = 0; b < bytes; ++b) expected.data[static_cast<std::size_t>(i * bytes + b)] = first[i * stride + b];
  }
  row(count, first, stride, actual.data.get());
  const std::int64_t at = first_difference(expected, actual);
  check(at < 0, "byte %lld of %d elements of %d bytes, stride %d", static_cast<long long>(at), count, bytes, stride);
}

}  // namespace

int main() {
  Random random(1);
  for (const int bytes : {1, 2, 4, 8}) {
    for (const int stride : {2 * bytes, -bytes, 0}) {
      // No count of 0 where the stride is 0: the element is there.
      for (int count = stride == 0 ? 1 : 0; count <= 70; ++count) run(bytes, stride, count, random);
    }
  }
  // All other widths and strides have no function.
  for (int bytes = 1; bytes <= 17; ++bytes) {
    const bool is_lane = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    for (int stride = -3 * bytes; stride <= 4 * bytes; ++stride) {
      const bool is_here = is_lane && (stride == 2 * bytes || stride == -bytes || stride == 0);
      check((layout::find_stepped_row(bytes, stride) != nullptr) == is_here, "%d bytes, stride %d", bytes, stride);
    }
  }
  std::puts("stepped rows");
}
