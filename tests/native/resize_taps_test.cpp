// Tables of taps against the rules, weight by weight, in memory of exactly table_bytes.

#include "taps_oracle.h"

using layout::Filter;
using layout::ResizeAxis;
using layout::Sums;

namespace {

int cases = 0;

/// The whole axis, some of its pixels with the precision known and unknown, and its first and last pixel.
void check_axis(const ResizeAxis& axis, Random& random) {
  const AxisRule rule = rule_of(axis);
  for (const Sums sums : {Sums::kPillow, Sums::kTorch, Sums::kDouble}) {
    const int precision = check_taps(axis, rule, sums, 0, axis.size, -1, random).precision;
    const int first = random.below(axis.size), count = 1 + random.below(axis.size - first);
    check_taps(axis, rule, sums, first, count, -1, random);
    check_taps(axis, rule, sums, first, count, precision, random);
    check_taps(axis, rule, sums, 0, 1, -1, random);
    check_taps(axis, rule, sums, axis.size - 1, 1, precision, random);
    cases += 5;
  }
}

/// Whether a filter takes a part of the source: torch's take it whole.
bool has_box(Filter filter) { return filter < Filter::kTorchNearest; }

/// A float32 number from 0 to `extent`.
float part_of(int extent, Random& random) {
  return static_cast<float>(random.below(1 << 20)) * 0x1p-20f * static_cast<float>(extent);
}

void check_small_axes(Random& random) {
  const int extents[] = {1, 2, 3, 4, 5, 7, 8, 15, 33, 100};
  for (const Filter filter : kFilters) {
    for (const int extent : extents) {
      for (const int size : extents) {
        check_axis({filter, extent, 0, static_cast<double>(extent), size}, random);
        if (!has_box(filter)) continue;
        // Whole numbers, fractions, and no width at either end and between.
        const double left = random.below(extent), part = part_of(extent, random);
        const double right = std::min<double>(extent, part + part_of(extent, random));
        check_axis({filter, extent, left, left + 1, size}, random);
        check_axis({filter, extent, part, static_cast<float>(right), size}, random);
        check_axis({filter, extent, 0, 0, size}, random);
        check_axis({filter, extent, part, part, size}, random);
        check_axis({filter, extent, static_cast<double>(extent), static_cast<double>(extent), size}, random);
      }
    }
  }
}

/// Far apart, sides of one pixel, and results whose numbers were ties: torch's nearest pixels differ at 4 to 82. Far
/// along an axis, float32 rounds a center up to a whole number. 205 to 13 has a weight of Pillow's lanczos whose high
/// part is rounded up to 2^15.
void check_extremes(Random& random) {
  const int extremes[][2] = {{4, 82},     {65536, 1},  {65536, 3}, {1, 65536},     {30000, 7},
                             {1000, 999}, {999, 1000}, {9, 4099},  {65536, 40011}, {205, 13}};
  for (const Filter filter : kFilters) {
    for (const auto& [extent, size] : extremes)
      check_axis({filter, extent, 0, static_cast<double>(extent), size}, random);
  }
}

/// Pillow's nearest pixel adds up its step's error until it leaves the source.
void check_pixels_behind(Random& random) {
  int behind = 0;
  for (int part = 1; part < 40; ++part) {
    const ResizeAxis axis = {Filter::kNearest, 65535, 65535 - part * 0x1p-8, 65535, 65536 - 100 * part};
    const AxisRule rule = rule_of(axis);
    behind += rule.pixels.back().weights.empty();
    check_taps(axis, rule, Sums::kPillow, 0, axis.size, -1, random);
    check_taps(axis, rule, Sums::kPillow, axis.size - 5, 5, -1, random);
    cases += 2;
  }
  check(behind > 0, "no pixel behind the source");
}

}  // namespace

int main() {
  Random random(1);
  check_small_axes(random);
  check_extremes(random);
  check_pixels_behind(random);
  std::printf("%d tables\n", cases);
}
