// postprocess/polygons.h says what these functions do.

#include "postprocess/polygons.h"

#include <cmath>
#include <limits>
#include <utility>

#include "elementary/elementary.h"
#include "postprocess/shell_sort.h"

namespace layout {

namespace {

constexpr double kHalfTurn = 180, kQuarterTurn = 90;

/// The cross product of the vectors from a point to `a` and to `b`.
double cross(const Point& from, const Point& a, const Point& b) {
  const double a_x = to_float64(a.x) - to_float64(from.x);
  const double a_y = to_float64(a.y) - to_float64(from.y);
  const double b_x = to_float64(b.x) - to_float64(from.x);
  const double b_y = to_float64(b.y) - to_float64(from.y);
  return a_x * b_y - a_y * b_x;
}

/// Writes the indices of `count` points to `order`, sorted by x, then y, then index.
void sort_points(const Point* points, std::size_t count, std::int32_t* order) {
  const auto is_before = [&](std::int32_t a, std::int32_t b) {
    const Point& p = points[a];
    const Point& q = points[b];
    if (p.x != q.x) return p.x < q.x;
    return p.y != q.y ? p.y < q.y : a < b;
  };
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
  shell_sort(order, count, is_before);
}

double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

/// A hull of `count` points: edge i, from point i to the next one, and 1 / its length in `inverse`.
struct Calipers {
  const Point* hull;
  std::size_t count;
  Point* edges;
  float* inverse;

  /// The index of the first point of the hull with the least key.
  std::size_t first_by(float (*key)(const Point&)) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) best = key(hull[i]) < key(hull[best]) ? i : best;
    return best;
  }

  /// 1 where the hull turns to the right in a picture, else -1.
  float turn() const {
    Point before = edges[count - 1];
    for (std::size_t i = 0; i < count; ++i) {
      const double turned = cross({0, 0}, before, edges[i]);
      if (turned != 0) return turned > 0 ? 1 : -1;
      before = edges[i];
    }
    return -1;
  }
};

/// The smallest rectangle: the unit vector of a side, its size, and the points of the hull on two of its sides.
struct SmallestRect {
  Point side;
  float width;
  float height;
  std::size_t least_x;
  std::size_t least_y;
};

// Four lines that touch a hull, at right angles: the calipers, by the points that they touch first. The direction of
// kLeastY, in which the hull goes, is `side`; each next caliper's is turned by 90 degrees more.
enum Caliper : std::size_t { kLeastY, kMostX, kMostY, kLeastX, kCalipers };

/// Finds the rectangle of the least area around a hull, one side of which lies on an edge. The calipers are turned
/// together until the first of them lies on its edge, `count` times, and the rectangle between them is measured. Of
/// equal areas the last one stays.
SmallestRect smallest_rect(const Calipers& of) {
  const Point* hull = of.hull;
  const Point* edges = of.edges;
  const float* inverse = of.inverse;
  std::size_t at[kCalipers];  // the point that each touches
  at[kLeastY] = of.first_by([](const Point& p) { return p.y; });
  at[kMostX] = of.first_by([](const Point& p) { return -p.x; });
  at[kMostY] = of.first_by([](const Point& p) { return -p.y; });
  at[kLeastX] = of.first_by([](const Point& p) { return p.x; });
  Point side{of.turn(), 0};
  SmallestRect best{};
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t turned = 0; turned < of.count; ++turned) {
    // The cosine of the angle from each caliper to the edge after its point: the greatest is the least angle.
    const auto cosine = [&](Caliper which, const Point& direction) {
      const Point& edge = edges[at[which]];
      return (direction.x * edge.x + direction.y * edge.y) * inverse[at[which]];
    };
    const float cosines[kCalipers] = {cosine(kLeastY, side), cosine(kMostX, {-side.y, side.x}),
                                      cosine(kMostY, {-side.x, -side.y}), cosine(kLeastX, {side.y, -side.x})};
    std::size_t first = 0;
    for (std::size_t i = 1; i < kCalipers; ++i) first = cosines[i] > cosines[first] ? i : first;
    const float x = edges[at[first]].x * inverse[at[first]];
    const float y = edges[at[first]].y * inverse[at[first]];
    // Caliper `first` now has the direction of its edge, and kLeastY that turned back by `first` quarter turns.
    const Point turned_back[kCalipers] = {{x, y}, {y, -x}, {-x, -y}, {-y, x}};
    side = turned_back[first];
    at[first] = at[first] + 1 == of.count ? 0 : at[first] + 1;
    // The rectangle on the sides that the calipers have now.
    const Point across{hull[at[kMostX]].x - hull[at[kLeastX]].x, hull[at[kMostX]].y - hull[at[kLeastX]].y};
    const Point down{hull[at[kMostY]].x - hull[at[kLeastY]].x, hull[at[kMostY]].y - hull[at[kLeastY]].y};
    const float width = across.x * side.x + across.y * side.y;
    const float height = -down.x * side.y + down.y * side.x;
    if (width * height > least) continue;
    least = width * height;
    best = {side, width, height, at[kLeastX], at[kLeastY]};
  }
  return best;
}

/// Makes a rectangle from its center and the vectors of two neighboring sides. The angle is that of `along`, brought
/// into [-90, 0) by turns of 90 degrees, each of which swaps width and height.
RotatedRect rect_of(const Point& center, const Point& along, const Point& across) {
  auto width = static_cast<float>(length_of(to_float64(along.x), to_float64(along.y)));
  auto height = static_cast<float>(length_of(to_float64(across.x), to_float64(across.y)));
  double angle = std::atan2(to_float64(along.y), to_float64(along.x)) * kHalfTurn / kPi;
  for (; angle >= 0; angle -= kQuarterTurn) std::swap(width, height);
  for (; angle < -kQuarterTurn; angle += kQuarterTurn) std::swap(width, height);
  return {center, width, height, static_cast<float>(angle)};
}

/// Drops all but the first of points at the same place, in place. Returns how many are left.
std::size_t drop_equal_points(const Point* points, std::size_t count, std::int32_t* order) {
  std::size_t unique = 1;
  for (std::size_t i = 1; i < count; ++i) {
    const Point& point = points[order[i]];
    const Point& last = points[order[unique - 1]];
    if (point.x != last.x || point.y != last.y) order[unique++] = order[i];
  }
  return unique;
}

}  // namespace

/// Walks along the sorted points back and forth, and keeps those at which the hull turns (Andrew's monotone chain).
std::size_t convex_hull(const Point* points, std::size_t count, std::int32_t* indices) {
  std::int32_t* order = indices + count;
  sort_points(points, count, order);
  const std::size_t unique = count == 0 ? 0 : drop_equal_points(points, count, order);
  if (unique < 3) {
    for (std::size_t i = 0; i < unique; ++i) indices[i] = order[unique - 1 - i];
    return unique;
  }
  // Back along one side of the points, then forth along the other. Before it adds a point, `add` drops those at which
  // the hull would not turn, but keeps the first `kept`. The points that still come lie past `length`.
  std::size_t length = 0;
  const auto is_straight = [&](std::int32_t next) {
    return cross(points[indices[length - 2]], points[indices[length - 1]], points[next]) <= 0;
  };
  const auto add = [&](std::int32_t next, std::size_t kept) {
    while (length > kept && is_straight(next)) --length;
    indices[length++] = next;
  };
  for (std::size_t i = unique; i-- > 0;) add(order[i], 1);
  const std::size_t back = length;
  for (std::size_t i = 1; i < unique; ++i) add(order[i], back);
  // The last point is the first one again. Rounding, or a NaN, may leave a point on both sides.
  return length - 1 < unique ? length - 1 : unique;
}

namespace {

/// The rectangle around a hull of at least three points, by the calipers. `edges` and `inverse` have room for `count`.
RotatedRect rect_around(const Point* hull, std::size_t count, Point* edges, float* inverse) {
  for (std::size_t i = 0; i < count; ++i) {
    const Point& next = hull[i + 1 == count ? 0 : i + 1];
    edges[i] = {next.x - hull[i].x, next.y - hull[i].y};
    inverse[i] = static_cast<float>(1 / length_of(to_float64(edges[i].x), to_float64(edges[i].y)));
  }
  const SmallestRect best = smallest_rect({hull, count, edges, inverse});
  // The corner where the sides through `least_x` and `least_y` meet, by Cramer's rule.
  const Point& side = best.side;
  const Point other{-side.y, side.x};
  const Point& on_other = hull[best.least_x];
  const Point& on_side = hull[best.least_y];
  // The corner where these two sides meet, by Cramer's rule: side . corner and other . corner are known.
  const float along_side = side.x * on_other.x + on_other.y * side.y;
  const float along_other = other.x * on_side.x + on_side.y * other.y;
  const float scale = 1 / (side.x * other.y - other.x * side.y);
  const Point corner{(along_side * other.y - along_other * side.y) * scale,
                     (side.x * along_other - other.x * along_side) * scale};
  const Point along{side.x * best.width, side.y * best.width};
  const Point across{other.x * best.height, other.y * best.height};
  const Point center{corner.x + (along.x + across.x) * 0.5F, corner.y + (along.y + across.y) * 0.5F};
  return rect_of(center, along, across);
}

}  // namespace

/// Finds the smallest rectangle around points: that around their hull.
RotatedRect min_area_rect(const Point* points, std::size_t count, float* scratch) {
  // `scratch` has the hull's indices, the hull's points in the place of convex_hull's order, edges, and inverse
  // lengths.
  auto* indices = reinterpret_cast<std::int32_t*>(scratch);
  auto* hull = reinterpret_cast<Point*>(scratch + count);
  auto* edges = reinterpret_cast<Point*>(scratch + 3 * count);
  float* inverse = scratch + 5 * count;
  const std::size_t length = convex_hull(points, count, indices);
  for (std::size_t i = 0; i < length; ++i) hull[i] = points[indices[i]];
  if (length == 1) return {hull[0], 0, 0, -90};
  if (length == 2) {
    const Point& first = hull[0];
    const Point& last = hull[1];
    const Point center{(first.x + last.x) * 0.5F, (first.y + last.y) * 0.5F};
    return rect_of(center, {last.x - first.x, last.y - first.y}, {0, 0});
  }
  return rect_around(hull, length, edges, inverse);
}

void box_points(const RotatedRect& rect, Point* corners) {
  const auto [cosine, sine] = rotation_of(to_float64(rect.angle) * kPi / kHalfTurn);
  const float half_cosine = static_cast<float>(cosine) * 0.5F;
  const float half_sine = static_cast<float>(sine) * 0.5F;
  const auto& [x, y] = rect.center;
  // From the center to the middles of two sides.
  const Point right{half_cosine * rect.width, half_sine * rect.width};
  const Point down{-half_sine * rect.height, half_cosine * rect.height};
  corners[0] = {x + down.x - right.x, y + down.y - right.y};
  corners[1] = {x - down.x - right.x, y - down.y - right.y};
  corners[2] = {x - down.x + right.x, y - down.y + right.y};
  corners[3] = {x + down.x + right.x, y + down.y + right.y};
}

/// Half the sum of x0 * y1 - y0 * x1 over the edges.
double contour_area(const Point* points, std::size_t count) {
  double twice = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Point& before = points[i == 0 ? count - 1 : i - 1];
    twice += to_float64(before.x) * to_float64(points[i].y) - to_float64(before.y) * to_float64(points[i].x);
  }
  return twice / 2;
}

}  // namespace layout
