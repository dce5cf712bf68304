#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"
#include "resize/reduce.h"

// Means of cells by the rules of Pillow and of OpenCV, cell by cell.

/// A cell of bytes: `width` times `height` numbers, `step` and `stride` bytes apart.
inline std::uint8_t mean_rule(const layout::Cells& cells, const std::uint8_t* src, int step, int stride, int width,
                              int height) {
  const auto pixels = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  std::uint64_t sum = pixels / 2;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) sum += src[y * stride + x * step];
  }
  const bool is_cut = width < cells.width || height < cells.height;
  // Pillow divides cells of 1x2, 2x1, 2x2 and 4x4 by a shift.
  if (!is_cut && ((width <= 2 && height <= 2) || (width == 4 && height == 4)))
    return static_cast<std::uint8_t>(sum / pixels);
  // In 32 bits, which wrap. From 2^24 pixels on the product with 256 wraps too. Where it is 0, x86-64 makes 0 of the
  // infinite quotient.
  const auto divisor = static_cast<std::uint32_t>(256 * pixels);
  const auto multiplier = divisor == 0 ? 0 : static_cast<std::uint32_t>(0x1p32f / static_cast<float>(divisor));
  return static_cast<std::uint8_t>(static_cast<std::uint32_t>(sum * multiplier) >> 24);
}

/// A whole cell of bytes, as OpenCV rounds it: its sum has 32 bits with a sign.
inline std::uint8_t opencv_mean_rule(const layout::Cells& cells, const std::uint8_t* src, int step, int stride) {
  std::uint32_t sum = 0;
  for (int y = 0; y < cells.height; ++y) {
    for (int x = 0; x < cells.width; ++x) sum += src[y * stride + x * step];
  }
  if (cells.width == 2 && cells.height == 2) return static_cast<std::uint8_t>((sum + 2) / 4);
  const float inverse = 1.0f / static_cast<float>(cells.width * cells.height);
  const float mean = std::rint(static_cast<float>(static_cast<std::int32_t>(sum)) * inverse);
  return static_cast<std::uint8_t>(mean < 0 ? 0 : mean > 255 ? 255 : mean);
}

/// A cell of float32: whole cells in groups of two by two, whose sums are float32; cells that an edge cuts one by one.
inline float mean_rule(const layout::Cells& cells, const std::uint8_t* src, int stride, int width, int height) {
  const int side = width < cells.width || height < cells.height ? 1 : 2;
  double sum = 0;
  for (int top = 0; top < height; top += side) {
    for (int left = 0; left < width; left += side) {
      float group = 0;
      for (int i = 0; i < side * side; ++i) {
        const int y = top + i / side, x = left + i % side;
        if (y >= height || x >= width) continue;
        float number;
        std::memcpy(&number, src + y * stride + 4 * x, 4);
        group = i == 0 ? number : group + number;
      }
      sum += static_cast<double>(group);
    }
  }
  return static_cast<float>(sum * (1.0 / (width * height)));
}

/// Makes all cells of a picture with `height` rows. Each row of cells comes in calls of `chunk` rows, an even number.
inline Moved check_cells(const layout::Cells& cells, int height, int chunk, const Memory& src, Random& random) {
  const int bytes = cells.is_float ? 4 : 1, pixel_bytes = cells.channels * bytes;
  const int stride = static_cast<int>(src.size) / height;
  const int columns = (cells.row_pixels + cells.width - 1) / cells.width,
            rows = (height + cells.height - 1) / cells.height;
  const int dst_stride = columns * pixel_bytes;
  const Memory before(rows * dst_stride, random);
  const Memory expected(before), actual(before);
  const Memory sums(cells.row_pixels * cells.channels * (cells.is_float ? 8 : 4), random);
  std::fill_n(sums.data.get(), sums.size, std::uint8_t{0});
  for (int row = 0; row < rows; ++row) {
    const int top = row * cells.height, high = std::min(cells.height, height - top);
    const std::uint8_t* from = src.data.get() + top * stride;
    std::uint8_t* to = expected.data.get() + row * dst_stride;
    for (int left = 0; left < cells.row_pixels; left += cells.width) {
      const int wide = std::min(cells.width, cells.row_pixels - left);
      for (int c = 0; c < cells.channels; ++c, to += bytes) {
        const std::uint8_t* corner = from + left * pixel_bytes + c;
        const float mean = cells.is_float ? mean_rule(cells, corner, stride, wide, high) : 0;
        if (cells.is_float)
          std::memcpy(to, &mean, 4);
        else
          *to = cells.is_opencv ? opencv_mean_rule(cells, corner, pixel_bytes, stride)
                                : mean_rule(cells, corner, pixel_bytes, stride, wide, high);
      }
    }
    for (int done = 0; done < high; done += chunk)
      layout::add_rows(cells, high, from + done * stride, stride, std::min(chunk, high - done), sums.data.get());
    layout::finish_cells(cells, high, sums.data.get(), actual.data.get() + row * dst_stride);
  }
  const auto at = first_difference(expected, actual);
  check(at < 0, "cells of %d by %d, %d by %d pixels, %d channels, float %d, %d rows at a time: byte %d of row %d",
        cells.width, cells.height, cells.row_pixels, height, cells.channels, cells.is_float, chunk,
        static_cast<int>(at % dst_stride), static_cast<int>(at / dst_stride));
  for (std::size_t i = 0; i < sums.size; ++i)
    check(sums.data[i] == 0, "byte %d of the sums stays", static_cast<int>(i));
  return {src, before, actual};
}
