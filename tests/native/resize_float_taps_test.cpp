// Taps of float32: every filter, with zeros or a mirrored border beside the source, and a blur before.

#include "float_taps_oracle.h"

using layout::FloatAxis;
using layout::FloatFilter;

namespace {

bool has_corners(FloatFilter filter) {
  return filter == FloatFilter::kBilinearCorners || filter == FloatFilter::kBicubicCorners;
}

}  // namespace

int main() {
  Random random(1);
  const int sides[] = {1, 2, 3, 4, 5, 7, 8, 16, 23, 49, 97, 500};
  for (const FloatFilter filter : kFloatFilters) {
    const bool is_point = filter == FloatFilter::kBilinearPoint || filter == FloatFilter::kBicubicPoint;
    for (const int extent : sides) {
      for (const int size : sides) {
        check_float_taps({filter, extent, size, extent, 0, 0, random.below(2) == 0}, 0, size, random);
        const int first = random.below(size);
        check_float_taps({filter, extent, size, extent, 0, 0, random.below(2) == 0}, first,
                         1 + random.below(size - first), random);
        if (has_corners(filter)) {
          const int border = random.below(extent);
          check_float_taps({filter, extent, size, extent + 2 * border, border, 0, false}, 0, size, random);
          check_float_taps({filter, extent, size, extent + 2 * border, border, 0, false}, first, size - first, random);
        }
        if (!is_point) continue;
        const int wide = extent + random.below(2 * extent);
        check_float_taps({filter, extent, size, wide, 0, 0, random.below(2) == 0}, 0, size, random);
        check_float_taps({filter, extent, size, wide, 0, 0.1 + random.below(100) / 10.0, true}, 0, size, random);
        check_float_taps({filter, extent, size, wide, 0, 0.01, false}, first, size - first, random);
      }
    }
  }
  return 0;
}
