// OpenCV's passes against its rules: every rule, number of channels and end of a vector, parts of results, factors.

#include "opencv_oracle.h"

using layout::OpenCvAxis;
using layout::Rule;

namespace {

int cases = 0;

void check_part(Rule rule, int channels, OpenCvAxis columns, OpenCvAxis rows, bool is_whole, Random& random) {
  OpenCvCase c = {rule, channels, columns, rows, 0, columns.size, 0, rows.size, 0, 0, 0, 0};
  if (!is_whole) {
    c.column = random.below(columns.size);
    c.column_count = 1 + random.below(columns.size - c.column);
    c.row = random.below(rows.size);
    c.row_count = 1 + random.below(rows.size - c.row);
    c.spare_columns = random.below(3);
    c.spare_rows = random.below(3);
    c.row_gap = random.below(5);
  }
  const int numbers = c.column_count * channels;
  c.whole = random.below(2) == 0 ? numbers / 8 * 8 : random.below(numbers + 1);
  check_opencv(c, random.below(2), random);
  ++cases;
}

OpenCvAxis axis_of(Rule rule, int extent, int size) { return {rule, extent, size, static_cast<double>(size) / extent}; }

}  // namespace

int main() {
  Random random(1);
  const int sides[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 23, 49, 97};
  for (const Rule rule : kRules) {
    for (const int channels : {1, 3, 4}) {
      for (const int extent : sides) {
        for (const int size : sides) {
          // Area's cells are of one pixel or more.
          if (rule == Rule::kArea && size > extent) continue;
          const int other = sides[random.below(13)], least = rule == Rule::kArea ? other : 40;
          const OpenCvAxis columns = axis_of(rule, extent, size), rows = axis_of(rule, other, 1 + random.below(least));
          check_part(rule, channels, columns, rows, true, random);
          check_part(rule, channels, columns, rows, false, random);
          check_part(rule, channels, rows, columns, false, random);
          if (rule != Rule::kLinear) continue;
          // A factor beside the one that follows from the sizes, as blobFromImage has it.
          const double factor = static_cast<float>(size + random.below(3)) / static_cast<float>(extent);
          const int made = static_cast<int>(std::nearbyint(extent * factor));
          check_part(rule, channels, {rule, extent, std::max(made, 1), factor}, rows, false, random);
        }
      }
    }
  }
  // Scales that are whole but for a rounding; parts of a pixel too small to count; fractions half-way between weights;
  // the least weights of a row.
  const int scales[][2] = {{98, 2},  {98, 14}, {49, 1},  {20001, 20000}, {2, 98},     {9, 51},   {3, 256},
                           {5, 256}, {196, 4}, {343, 7}, {1000, 3},      {1000, 333}, {998, 333}};
  for (const Rule rule : kRules) {
    for (const auto& [extent, size] : scales) {
      if (rule == Rule::kArea && size > extent) continue;
      const OpenCvAxis axis = axis_of(rule, extent, size), other = axis_of(rule, 5, 4);
      check_part(rule, 1, axis, other, true, random);
      check_part(rule, 3, other, axis, true, random);
    }
  }
  // A cell of many pixels, and many results of a pixel.
  check_part(Rule::kArea, 3, axis_of(Rule::kArea, 60000, 7), axis_of(Rule::kArea, 2, 1), true, random);
  check_part(Rule::kLanczos4, 1, axis_of(Rule::kLanczos4, 3, 60000), axis_of(Rule::kLanczos4, 2, 3), true, random);
  std::printf("%d pictures\n", cases);
}
