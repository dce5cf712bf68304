// postprocess/runs.h says what these functions do.

#include "postprocess/runs.h"

namespace layout {

/// COCO's run lengths go down the columns, and begin with a run of zeros.
std::size_t count_runs(const std::uint8_t* mask, std::size_t height, std::size_t width, std::uint32_t* counts) {
  std::size_t run_count = 0;
  std::uint32_t run_length = 0;
  bool is_run_of_ones = false;
  for (std::size_t x = 0; x < width; ++x) {
    for (std::size_t y = 0; y < height; ++y, ++run_length) {
      const bool is_set = mask[y * width + x] != 0;
      if (is_set == is_run_of_ones) continue;
      counts[run_count++] = run_length;
      run_length = 0;
      is_run_of_ones = is_set;
    }
  }
  counts[run_count++] = run_length;
  return run_count;
}

/// Runs at even places of COCO's counts are of zeros.
void fill_runs(const std::uint32_t* counts, std::size_t length, std::size_t height, std::size_t width,
               std::uint8_t* mask) {
  std::size_t x = 0;
  std::size_t y = 0;
  for (std::size_t i = 0; i < height * width; ++i) mask[i] = 0;
  if (height == 0) return;
  for (std::size_t run = 0; run < length; ++run) {
    for (std::uint32_t left = counts[run]; left > 0 && x < width; --left) {
      mask[y * width + x] = run % 2 == 0 ? 0 : 1;
      if (++y == height) {
        y = 0;
        ++x;
      }
    }
  }
}

std::size_t value_runs(const std::int32_t* map, std::size_t count, std::int32_t value, std::int32_t* runs) {
  std::size_t written = 0;
  std::size_t i = 0;
  while (i < count) {
    if (map[i] != value) {
      ++i;
      continue;
    }
    const std::size_t start = i;
    while (i < count && map[i] == value) ++i;
    runs[written++] = static_cast<std::int32_t>(start + 1);
    runs[written++] = static_cast<std::int32_t>(i - start);
  }
  return written;
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
