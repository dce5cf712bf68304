/// Points in pixels, and the peaks of heat maps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Multiplies points (x, y) by the size of a picture, and cuts them to whole numbers.
void scale_points(const float* points, std::size_t count, float width, float height, std::int32_t* to);

/// `count` maps of height * width numbers.
struct Maps {
  int count;
  int height;
  int width;
};

enum class Edge : std::uint8_t { kMirror, kZero };

/// Blurs maps in place, down their columns and then along their rows, in float64, rounded to float32 after each axis.
/// The weights are those of a symmetric kernel, from its center on: radius + 1 numbers. `line` has room for the longer
/// side and two radii.
void blur_maps(float* maps, Maps extents, const double* weights, int radius, Edge edge, double* line);

/// Multiplies each blurred map so that its greatest number is that of the map before the blur. A blurred map without a
/// number above 0 stays as it is.
void keep_peaks(float* blurred, const float* maps, Maps extents);

/// Writes the greatest number of each map and its place (x, y); -1, -1 where it is not above 0.
void find_peaks(const float* maps, Maps extents, float* places, float* values);

/// Moves each peak's place by one Newton step on the logarithm of its blurred map, as ViTPose's
/// post_dark_unbiased_data_processing. Places of -1 look into the edge, or into the map before, as in Python.
void refine_peaks(const float* blurred, Maps extents, float* places);

}  // namespace layout
