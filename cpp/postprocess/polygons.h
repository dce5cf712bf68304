/// Hulls, rectangles and areas of points, and filled polygons, as OpenCV 5 has them. Points are x and y in float32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

struct Point {
  float x;
  float y;
};

/// The corners of a box.
inline constexpr std::size_t kCorners = 4;

[[gnu::always_inline]] inline double to_float64(float x) { return static_cast<double>(x); }

/// Writes the indices of the convex hull without points on its edges, from the rightmost point on (the lowest of such),
/// with rising angles in a picture. Points at one place count as the first of them, and two points, or points on a
/// line, are a hull of two. `indices` has room for 2 * count. Returns how many there are.
std::size_t convex_hull(const Point* points, std::size_t count, std::int32_t* indices);

/// A rectangle around its center, turned by degrees of -90 to 0.
struct RotatedRect {
  Point center;
  float width;
  float height;
  float angle;
};

/// The smallest rectangle around points, by rotating calipers in float32; the last of equal areas. A single point has
/// no size and OpenCV's angle of -90. `count` is at least 1, and `scratch` has room for 6 * count.
RotatedRect min_area_rect(const Point* points, std::size_t count, float* scratch);
/// Writes the four corners of a rectangle: at an angle of 0 clockwise from the bottom left, in a picture.
void box_points(const RotatedRect& rect, Point* corners);

/// The area of a polygon, by the shoelace formula; negative where points turn to the left in a picture.
double contour_area(const Point* points, std::size_t count);

/// Pixels, and the value that they are set to.
struct Canvas {
  std::uint8_t* mask;
  std::int64_t height;
  std::int64_t width;
  std::uint8_t value;
};

/// An edge of the rows from `top` to before `end`, with its place in row `top` and its slope in fixed point.
/// `crossing` is its place in the row being filled; the edges that cross the row come first, by it.
struct PolygonEdge {
  std::int64_t top;
  std::int64_t end;
  std::int64_t place;
  std::int64_t slope;
  std::int64_t crossing;
};

/// Sets the pixels of a polygon of whole points: inside, and on the lines between its points. Points are within 2^24 of
/// the origin. `edges` has room for `count`.
void fill_polygon(const std::int32_t* points, std::size_t count, const Canvas& canvas, PolygonEdge* edges);

}  // namespace layout
