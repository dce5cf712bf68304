/// Borders of masks, as Suzuki and Abe follow them (1985) and as OpenCV lists them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// A border: where its points begin, how many they are, the border around it (-1: none), and whether it is a hole's.
struct Contour {
  std::int32_t start;
  std::int32_t length;
  std::int32_t parent;
  std::int32_t is_hole;
};

struct ContourSpace {
  /// x and y each.
  std::int32_t* points;
  Contour* contours;
  /// For how many points and contours there is room.
  std::size_t capacity;
};

struct ContourCounts {
  std::int32_t contours;
  std::int32_t points;
};

/// Lists the borders of the 8-connected regions of nonzero pixels, and of their holes, in the order of their first
/// pixels. `simple` leaves out points on straight lines. Borders and points beyond the capacity are only counted. `map`
/// has (height + 2) * (width + 2) zeros.
ContourCounts find_contours(const std::uint8_t* mask, std::size_t height, std::size_t width, bool simple,
                            std::int32_t* map, const ContourSpace& to);

}  // namespace layout
