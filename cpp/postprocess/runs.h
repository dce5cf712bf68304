/// Run lengths of masks, and the boxes around them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Writes COCO's counts of a mask: the lengths of its runs of zeros and of others in turn, down one column after the
/// other. The first is a run of zeros, which may be 0. `counts` has room for height * width + 1. Returns how many there
/// are.
std::size_t count_runs(const std::uint8_t* mask, std::size_t height, std::size_t width, std::uint32_t* counts);

/// Writes the mask of COCO's counts. Counts beyond its height * width pixels are left out, and pixels beyond the counts
/// are 0.
void fill_runs(const std::uint32_t* counts, std::size_t length, std::size_t height, std::size_t width,
               std::uint8_t* mask);

/// Writes the runs of a value in a map of `count` numbers, row after row: start and length of each in turn. Starts
/// count from 1. Returns how many numbers it wrote; `runs` has room for count + 1.
std::size_t value_runs(const std::int32_t* map, std::size_t count, std::int32_t value, std::int32_t* runs);

/// Writes the box of each mask: the first column, first row, last column and last row with a number that is not 0;
/// zeros where there is none.
void mask_boxes(const std::uint8_t* masks, std::size_t count, std::size_t height, std::size_t width,
                std::int32_t* boxes);

}  // namespace layout
