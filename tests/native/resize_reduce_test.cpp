// Means of cells against the rules of Pillow and of OpenCV, cell by cell.

#include "reduce_oracle.h"

using layout::Cells;

namespace {

/// A picture of bytes, some of them only 0 and 255; or of finite float32.
Memory picture(int row_bytes, int height, bool is_float, Random& random) {
  Memory src(static_cast<std::int64_t>(row_bytes) * height, random);
  const bool is_extreme = random.below(2) == 0;
  for (std::size_t i = 0; i < src.size; ++i) {
    if (is_float && i % 4 == 3) src.data[i] &= 0xbf;
    if (!is_float && is_extreme) src.data[i] = src.data[i] < 128 ? 0 : 255;
  }
  return src;
}

}  // namespace

int main() {
  Random random(1);
  int cases = 0;
  for (int width = 1; width <= 9; ++width) {
    for (int height = 1; height <= 9; ++height) {
      for (int channels = 0; channels <= 4; ++channels) {
        // Every place where an edge can cut the second cell.
        for (int row = 1; row <= 2 * width; ++row) {
          const int rows = 1 + random.below(3 * height);
          const bool is_float = channels == 0;
          const Cells cells = {width, height, row, is_float ? 1 : channels, is_float};
          const int gap = random.below(3) * (is_float ? 4 : 1);
          const int chunk = 2 * (1 + random.below((height + 1) / 2));
          check_cells(cells, rows, chunk,
                      picture(row * cells.channels * (is_float ? 4 : 1) + gap, rows, is_float, random), random);
          ++cases;
        }
      }
    }
  }
  // OpenCV's cells are whole.
  for (int width = 1; width <= 9; ++width) {
    for (int height = 1; height <= 9; ++height) {
      for (const int channels : {1, 3, 4}) {
        const int row = width * (1 + random.below(5)), rows = height * (1 + random.below(3));
        const Memory src = picture(row * channels, rows, false, random);
        check_cells({width, height, row, channels, false, true}, rows, 2 * (1 + random.below((height + 1) / 2)), src,
                    random);
        ++cases;
      }
    }
  }
  // White. The last sum wraps, and 256 times the pixels wraps from 4096 rows on.
  for (const int height : {255, 4095, 4096, 4113}) {
    const int width = 4096;
    const Memory white(width * height, random);
    std::fill_n(white.data.get(), white.size, std::uint8_t{255});
    check_cells({width, height, width, 1, false}, height, 4, white, random);
    check_cells({width, height, width, 1, false, true}, height, 4, white, random);
    cases += 2;
  }
  std::printf("%d pictures\n", cases);
}
