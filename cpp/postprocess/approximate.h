/// Polygons with fewer points, as OpenCV 5 approximates them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "postprocess/polygons.h"

namespace layout {

/// Leaves out points of a polygon, or of a line that is not closed, as far as what is left passes all points within
/// `distance` (Douglas and Peucker), then those that lie almost on a line between their neighbors. `count` is at
/// least 1. `indices` has room for 5 * count: the indices of the points that stay come first, and the rest is scratch.
/// Returns how many stay.
std::size_t approximate_polygon(const Point* points, std::size_t count, double distance, bool is_closed,
                                std::int32_t* indices);

}  // namespace layout
