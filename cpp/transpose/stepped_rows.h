#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Gathers a row of elements that do not lie side by side.
/// `src` is the first element, `stride` the distance of the next one in bytes. Reads no byte before the first or after
/// the last element, and writes `count` elements from `dst` on.
using SteppedRow = void(std::ptrdiff_t count, const std::uint8_t* src, std::ptrdiff_t stride, std::uint8_t* dst);

/// Returns the function for elements of 1, 2, 4 or 8 bytes at one of three strides in bytes: every second element, the
/// row backwards, or one element again and again. nullptr for other sizes and strides.
SteppedRow* find_stepped_row(std::ptrdiff_t bytes, std::ptrdiff_t stride);

}  // namespace layout
