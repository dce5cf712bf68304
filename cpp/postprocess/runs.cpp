// postprocess/runs.h says what these functions do.

#include "postprocess/runs.h"

namespace layout {

/// Encodes a mask as COCO's run lengths, column by column.
std::size_t count_runs(const std::uint8_t* mask, std::size_t height, std::size_t width, std::uint32_t* counts) {
  std::size_t length = 0;
  std::uint32_t run = 0;
  bool is_set = false;
  for (std::size_t x = 0; x < width; ++x) {
    for (std::size_t y = 0; y < height; ++y, ++run) {
      if ((mask[y * width + x] != 0) == is_set) continue;
      counts[length++] = run;
      run = 0;
      is_set = !is_set;
    }
  }
  counts[length++] = run;
  return length;
}

/// Runs at even places of COCO's counts are of zeros.
void fill_runs(const std::uint32_t* counts, std::size_t length, std::size_t height, std::size_t width,
               std::uint8_t* mask) {
  std::size_t x = 0;
  std::size_t y = 0;
  for (std::size_t i = 0; i < height * width; ++i) mask[i] = 0;
  if (height == 0) return;
  for (std::size_t i = 0; i < length; ++i) {
    for (std::uint32_t left = counts[i]; left > 0 && x < width; --left) {
      mask[y * width + x] = i % 2 == 0 ? 0 : 1;
      if (++y == height) {
        y = 0;
        ++x;
      }
    }
  }
}

std::size_t value_runs(const std::int32_t* map, std::size_t count, std::int32_t value, std::int32_t* runs) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < count;) {
    if (map[i] != value) {
      ++i;
      continue;
    }
    const std::size_t start = i;
    while (i < count && map[i] == value) ++i;
    runs[length++] = static_cast<std::int32_t>(start + 1);
    runs[length++] = static_cast<std::int32_t>(i - start);
  }
  return length;
}

void mask_boxes(const std::uint8_t* masks, std::size_t count, std::size_t height, std::size_t width,
                std::int32_t* boxes) {
  for (std::size_t i = 0; i < count; ++i, boxes += 4) {
    std::size_t left = width;
    std::size_t top = height;
    std::size_t right = 0;
    std::size_t bottom = 0;
    for (std::size_t y = 0; y < height; ++y, masks += width) {
      for (std::size_t x = 0; x < width; ++x) {
        if (masks[x] == 0) continue;
        left = x < left ? x : left;
        right = x > right ? x : right;
        top = y < top ? y : top;
        bottom = y;
      }
    }
    const bool is_empty = left == width;
    boxes[0] = is_empty ? 0 : static_cast<std::int32_t>(left);
    boxes[1] = is_empty ? 0 : static_cast<std::int32_t>(top);
    boxes[2] = static_cast<std::int32_t>(right);
    boxes[3] = static_cast<std::int32_t>(bottom);
  }
}

}  // namespace layout
