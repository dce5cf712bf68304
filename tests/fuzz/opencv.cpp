// OpenCV's resize: both passes over parts of pictures, against its rules.

#include <algorithm>

#include "../native/opencv_oracle.h"
#include "fuzz.h"

namespace {

using layout::OpenCvAxis;
using layout::Rule;

OpenCvAxis axis_of(FuzzedDataProvider& input, Rule rule) {
  const int extent = input.ConsumeIntegralInRange(1, input.ConsumeBool() ? 40 : 2500);
  // Area's cells are of one pixel or more.
  const int most = rule == Rule::kArea ? extent : 2500;
  const int size = input.ConsumeIntegralInRange(1, std::min(most, input.ConsumeBool() ? 40 : 2500));
  return {rule, extent, size, static_cast<double>(size) / extent};
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  Random random(input.ConsumeIntegral<std::uint8_t>());
  const Rule rule = input.PickValueInArray(kRules);
  const int channels = input.PickValueInArray({1, 3, 4});
  OpenCvAxis columns = axis_of(input, rule), rows = axis_of(input, rule);
  if (rule == Rule::kLinear && input.ConsumeBool()) {
    const double factor = static_cast<float>(input.ConsumeIntegralInRange(1, 80)) / 16.0f;
    for (OpenCvAxis* axis : {&columns, &rows}) {
      axis->factor = factor;
      axis->size = std::max(1, static_cast<int>(std::nearbyint(axis->extent * factor)));
    }
  }
  OpenCvCase c = {rule, channels, columns, rows, 0, 0, 0, 0, 0, 0, 0, 0};
  c.column = input.ConsumeIntegralInRange(0, columns.size - 1);
  c.column_count = input.ConsumeIntegralInRange(1, std::min(60, columns.size - c.column));
  c.row = input.ConsumeIntegralInRange(0, rows.size - 1);
  c.row_count = input.ConsumeIntegralInRange(1, std::min(6, rows.size - c.row));
  c.spare_columns = input.ConsumeIntegralInRange(0, 3);
  c.spare_rows = input.ConsumeIntegralInRange(0, 3);
  c.row_gap = input.ConsumeIntegralInRange(0, 3);
  c.whole = input.ConsumeIntegralInRange(0, c.column_count * channels);
  check_opencv(c, input.ConsumeIntegralInRange(0, 1), random);
}
