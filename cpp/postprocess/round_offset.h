/// Boxes of text that grow by round corners.
#pragma once

#include <cstddef>

#include "postprocess/polygons.h"

namespace layout {

/// The most points of a grown box. js/engines/results/contours.js counts on it.
inline constexpr std::size_t kMostGrown = 8192;

/// Moves the edges of a box of four corners outwards by a distance, by Clipper's offset with round joins and an arc
/// tolerance of 0.25; its corners are cut to whole numbers first. `to` has room for kMostGrown points, and more are
/// left out. Returns how many points it has; 0 where nothing is left to grow.
std::size_t grow_round(const Point* box, double distance, Point* to);

}  // namespace layout
