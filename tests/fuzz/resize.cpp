// Resizing: passes with tables of any axis, alpha, and means of cells, against plain loops.

#include "../native/alpha_oracle.h"
#include "../native/passes_oracle.h"
#include "../native/reduce_oracle.h"
#include "fuzz.h"

namespace {

using layout::Filter;
using layout::ResizeAxis;
using layout::Sums;

/// A number from 1 on: often a small one.
int side(FuzzedDataProvider& input, int most) {
  return input.ConsumeIntegralInRange(1, input.ConsumeBool() ? 40 : most);
}

/// A place on an axis: a float32 number that is whole, or any.
double place(FuzzedDataProvider& input, int extent) {
  const int whole = input.ConsumeIntegralInRange(0, extent);
  const double part = input.ConsumeBool() ? input.ConsumeIntegral<std::uint16_t>() / 65536.0 : 0;
  return std::min(static_cast<float>(whole + part), static_cast<float>(extent));
}

ResizeAxis axis_of(FuzzedDataProvider& input) {
  ResizeAxis axis;
  axis.filter = input.PickValueInArray(kFilters);
  axis.extent = side(input, 2500);
  axis.size = side(input, 2500);
  const bool is_whole = axis.filter >= Filter::kTorchNearest || input.ConsumeBool();
  const double a = is_whole ? 0 : place(input, axis.extent), b = is_whole ? axis.extent : place(input, axis.extent);
  axis.from = std::min(a, b);
  axis.to = std::max(a, b);
  return axis;
}

void fuzz_pass(FuzzedDataProvider& input, Random& random) {
  const ResizeAxis axis = axis_of(input);
  const Sums sums = input.PickValueInArray({Sums::kPillow, Sums::kTorch, Sums::kDouble});
  const int first = input.ConsumeIntegralInRange(0, axis.size - 1);
  const int count = input.ConsumeIntegralInRange(1, axis.size - first);
  const MadeTable made = check_taps(axis, rule_of(axis), sums, first, count, -1, random);
  const layout::TapTable& table = made.table();
  const layout::Taps* taps = table.taps();
  const Fill fill = input.PickValueInArray(kFills);
  const int row_gap = input.ConsumeIntegralInRange(0, 3), dst_gap = input.ConsumeIntegralInRange(0, 3);
  if (table.is_nearest || input.ConsumeBool()) {
    const int channels = sums == Sums::kDouble ? 4 : input.ConsumeIntegralInRange(1, 4);
    const int rows = input.ConsumeIntegralInRange(1, 35);
    const int base = input.ConsumeIntegralInRange(0, taps[0].first);
    const int end = taps[count - 1].first + taps[count - 1].count;
    const int extent = end - base + input.ConsumeIntegralInRange(0, 20);
    const int more_tile = input.ConsumeIntegralInRange(0, 2000);
    check_across(table, base, extent, channels, rows, row_gap, dst_gap, more_tile, fill, random);
    return;
  }
  const int row = input.ConsumeIntegralInRange(0, count - 1);
  const int rows = input.ConsumeIntegralInRange(1, count - row);
  const int base = input.ConsumeIntegralInRange(0, taps[row].first);
  const int numbers = input.ConsumeIntegralInRange(1, 70), row_bytes = sums == Sums::kDouble ? 4 * numbers : numbers;
  check_down(table, row, rows, base, row_bytes, row_gap, dst_gap, fill, random);
}

void fuzz_alpha(FuzzedDataProvider& input, Random& random) {
  using layout::Alpha;
  const Alpha change = input.PickValueInArray({Alpha::kPremultiply, Alpha::kUnpremultiply, Alpha::kOnWhite});
  const int channels = input.PickValueInArray({2, 4}), count = input.ConsumeIntegralInRange(0, 70);
  const Memory pixels(count * channels, random);
  for (std::size_t i = 0; i < pixels.size && input.remaining_bytes() > 0; ++i)
    pixels.data[i] = input.ConsumeIntegral<std::uint8_t>();
  check_alpha(change, channels, pixels);
}

void fuzz_cells(FuzzedDataProvider& input, Random& random) {
  const bool is_float = input.ConsumeBool();
  const int channels = is_float ? 1 : input.ConsumeIntegralInRange(1, 4);
  const int width = side(input, 300), height = side(input, 300), row = side(input, 300), rows = side(input, 300);
  const int chunk = 2 * input.ConsumeIntegralInRange(1, 20);
  const int stride = row * channels * (is_float ? 4 : 1);
  const Memory src =
      source_of(stride * rows, input.PickValueInArray({Fill::kNoise, Fill::kExtremes}), is_float, random);
  check_cells({width, height, row, channels, is_float}, rows, chunk, src, random);
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  Random random(input.ConsumeIntegral<std::uint8_t>());
  switch (input.ConsumeIntegralInRange(0, 7)) {
    case 0:
      return fuzz_alpha(input, random);
    case 1:
      return fuzz_cells(input, random);
    default:
      return fuzz_pass(input, random);
  }
}
