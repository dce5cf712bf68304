// resize/reduce.h says what these functions do.

#include "resize/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace layout {
namespace {

/// The float32 at an address of any alignment.
float float_at(const std::uint8_t* src) {
  float number;
  std::memcpy(&number, src, 4);
  return number;
}

/// Adds `count` bytes of a row, each to its own sum. The sums may wrap, as Pillow's do.
void add_bytes(const std::uint8_t* __restrict src, std::uint32_t* __restrict sums, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += src[i];
}

/// Adds `rows` rows of `columns` float32 numbers of one cell to `sum`, and returns it. Pillow's order for mode F: whole
/// cells (`is_whole`) in groups of two by two, each group in float32, the groups in double; cells that an edge cuts
/// number by number. `src` is the first number, and rows lie `stride` bytes apart.
double add_floats(double sum, const std::uint8_t* src, std::ptrdiff_t stride, int rows, int columns, bool is_whole) {
  const int group_size = is_whole ? 2 : 1;  // rows and columns of a group
  for (int y = 0; y < rows; y += group_size) {
    for (int x = 0; x < columns; x += group_size) {
      // Cells of an odd width or height have groups of two numbers, or one, at their end.
      const bool has_right = is_whole && x + 1 < columns, has_below = is_whole && y + 1 < rows;
      const std::uint8_t* at = src + y * stride + 4 * x;
      float group_sum = float_at(at);
      if (has_right) group_sum += float_at(at + 4);
      if (has_below) group_sum += float_at(at + stride);
      if (has_below && has_right) group_sum += float_at(at + stride + 4);
      sum += static_cast<double>(group_sum);
    }
  }
  return sum;
}

/// Computes 2^24 / pixels: (sum * multiplier) >> 24 is a sum divided by `pixels`. Pillow computes it in float32, and
/// all steps wrap in 32 bits as they do there; 2^24 pixels and multiples of it give 0. Pillow shifts sums of 2, 4 and
/// 16 pixels instead, with the same result, since the multiplier is a power of two.
std::uint32_t multiplier_of(std::uint32_t pixels) {
  const std::uint32_t divisor = pixels << 8;
  return divisor == 0 ? 0 : static_cast<std::uint32_t>(0x1p32f / static_cast<float>(divisor));
}

}  // namespace

void add_rows(const Cells& cells, int height, const std::uint8_t* src, std::ptrdiff_t stride, int rows,
              std::uint8_t* sums) {
  if (!cells.is_float) {
    const auto count = static_cast<std::size_t>(cells.row_pixels) * static_cast<std::size_t>(cells.channels);
    for (int y = 0; y < rows; ++y) add_bytes(src + y * stride, reinterpret_cast<std::uint32_t*>(sums), count);
    return;
  }
  auto* cell_sum = reinterpret_cast<double*>(sums);
  for (int x = 0; x < cells.row_pixels; x += cells.width, ++cell_sum) {
    const int width = std::min(cells.width, cells.row_pixels - x);
    const bool is_whole = width == cells.width && height == cells.height;
    *cell_sum = add_floats(*cell_sum, src + 4 * x, stride, rows, width, is_whole);
  }
}

void finish_cells(const Cells& cells, int height, std::uint8_t* sums, std::uint8_t* dst) {
  for (int x = 0; x < cells.row_pixels; x += cells.width) {
    const int width = std::min(cells.width, cells.row_pixels - x);
    const auto pixels = static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(height);
    if (cells.is_float) {
      const double sum = reinterpret_cast<double*>(sums)[x / cells.width];
      const auto mean = static_cast<float>(sum * (1.0 / pixels));
      std::memcpy(dst, &mean, 4);
      dst += 4;
      continue;
    }
    // Pillow divides whole numbers, halves rounded up, and OpenCV does so for cells of two by two. OpenCV's other cells
    // are multiplied in float32, and rounded to even.
    const bool is_quad = cells.width == 2 && cells.height == 2;
    const bool rounds_to_even = cells.is_opencv && !is_quad;
    const std::uint32_t multiplier = multiplier_of(pixels);
    const float inverse = 1.0f / static_cast<float>(pixels);
    for (int channel = 0; channel < cells.channels; ++channel, ++dst) {
      const auto* column_sums = reinterpret_cast<const std::uint32_t*>(sums) + x * cells.channels + channel;
      std::uint32_t sum = rounds_to_even ? 0 : pixels / 2;
      for (int i = 0; i < width; ++i) sum += column_sums[i * cells.channels];
      if (rounds_to_even) {
        const float mean = static_cast<float>(static_cast<std::int32_t>(sum)) * inverse;
        *dst = static_cast<std::uint8_t>(std::clamp(std::nearbyint(mean), 0.0f, 255.0f));
      } else {
        *dst = static_cast<std::uint8_t>((sum * multiplier) >> 24);
      }
    }
  }
  // The next row of cells begins with sums of 0.
  const auto numbers = static_cast<std::size_t>(cells.row_pixels) * static_cast<std::size_t>(cells.channels);
  const std::size_t sum_bytes = cells.is_float ? sizeof(double) : sizeof(std::uint32_t);
  std::memset(sums, 0, sum_bytes * numbers);
}

}  // namespace layout
