/// Polygons with fewer points, as OpenCV 5 approximates them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "postprocess/polygons.h"

namespace layout {

/// Approximates points by Douglas and Peucker's lines, then drops those that lie almost on a line between their
/// neighbors. `indices` has room for 5 * count: the points that stay come first, and what follows is scratch. Returns
/// how many stay.
std::size_t approximate_polygon(const Point* points, std::size_t count, double distance, bool is_closed,
                                std::int32_t* indices);

}  // namespace layout
