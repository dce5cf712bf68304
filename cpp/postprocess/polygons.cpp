// postprocess/polygons.h says what these functions do.

#include "postprocess/polygons.h"

#include <cmath>
#include <limits>

#include "elementary/elementary.h"

namespace layout {

namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kHalfTurn = 180;

/// The cross product of the vectors from a point to `a` and to `b`.
double cross(const Point& from, const Point& a, const Point& b) {
  return (static_cast<double>(a.x) - static_cast<double>(from.x)) *
             (static_cast<double>(b.y) - static_cast<double>(from.y)) -
         (static_cast<double>(a.y) - static_cast<double>(from.y)) *
             (static_cast<double>(b.x) - static_cast<double>(from.x));
}

/// Writes the indices of `count` points to `order`, sorted by x, then y, then index. Shell's sort needs no memory; each
/// gap is 5/11 of the one before (Gonnet and Baeza-Yates), and the last is 1.
void sort_points(const Point* points, std::size_t count, std::int32_t* order) {
  const auto is_before = [&](std::int32_t a, std::int32_t b) {
    const Point& p = points[a];
    const Point& q = points[b];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b;
  };
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
  for (std::size_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
    for (std::size_t i = gap; i < count; ++i) {
      const std::int32_t moved = order[i];
      std::size_t to = i;
      for (; to >= gap && is_before(moved, order[to - gap]); to -= gap) order[to] = order[to - gap];
      order[to] = moved;
    }
  }
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
  std::size_t left;
  std::size_t bottom;
};

/// Finds the rectangle of the least area around a hull, one side of which lies on an edge. Four lines touch the hull at
/// `at`, at right angles: the calipers. They are turned together until the first of them lies on its edge, `count`
/// times, and the rectangle between them is measured. Of equal areas the last one stays.
SmallestRect smallest_rect(const Calipers& of) {
  const auto& [hull, count, edges, inverse] = of;
  // Calipers 0 to 3 touch the points of least y, greatest x, greatest y and least x. `side` is the direction of caliper
  // 0, in which the hull goes; each next caliper's is turned by 90 degrees more.
  std::size_t at[] = {of.first_by([](const Point& p) { return p.y; }), of.first_by([](const Point& p) { return -p.x; }),
                      of.first_by([](const Point& p) { return -p.y; }),
                      of.first_by([](const Point& p) { return p.x; })};
  Point side{of.turn(), 0};
  SmallestRect best{};
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t turned = 0; turned < count; ++turned) {
    // The cosine of the angle from each caliper to the edge after its point: the greatest is the least angle.
    const Point& low = edges[at[0]];
    const Point& right = edges[at[1]];
    const Point& high = edges[at[2]];
    const Point& left = edges[at[3]];
    const float cosines[] = {
        (side.x * low.x + side.y * low.y) * inverse[at[0]], (side.x * right.y - side.y * right.x) * inverse[at[1]],
        (-side.x * high.x - side.y * high.y) * inverse[at[2]], (side.y * left.x - side.x * left.y) * inverse[at[3]]};
    std::size_t most = 0;
    for (std::size_t i = 1; i < 4; ++i) most = cosines[i] > cosines[most] ? i : most;
    const float x = edges[at[most]].x * inverse[at[most]];
    const float y = edges[at[most]].y * inverse[at[most]];
    // Caliper `most` now has the direction of its edge, and caliper 0 that turned back by `most` quarter turns.
    const Point sides[] = {{x, y}, {y, -x}, {-x, -y}, {-y, x}};
    side = sides[most];
    at[most] = at[most] + 1 == count ? 0 : at[most] + 1;
    // The rectangle on the sides that the calipers have now.
    const Point across{hull[at[1]].x - hull[at[3]].x, hull[at[1]].y - hull[at[3]].y};
    const Point down{hull[at[2]].x - hull[at[0]].x, hull[at[2]].y - hull[at[0]].y};
    const float width = across.x * side.x + across.y * side.y;
    const float height = -down.x * side.y + down.y * side.x;
    if (width * height > least) continue;
    least = width * height;
    best = {side, width, height, at[3], at[0]};
  }
  return best;
}

/// Makes a rectangle from its center and the vectors of two neighboring sides. The angle is that of `along`, brought
/// into [-90, 0) by turns of 90 degrees, each of which swaps width and height.
RotatedRect rect_of(const Point& center, const Point& along, const Point& across) {
  auto width = static_cast<float>(length_of(static_cast<double>(along.x), static_cast<double>(along.y)));
  auto height = static_cast<float>(length_of(static_cast<double>(across.x), static_cast<double>(across.y)));
  double angle = std::atan2(static_cast<double>(along.y), static_cast<double>(along.x)) * kHalfTurn / kPi;
  const auto swap = [&] {
    const float side = width;
    width = height;
    height = side;
  };
  for (; angle >= 0; angle -= 90) swap();
  for (; angle < -90; angle += 90) swap();
  return {center, width, height, static_cast<float>(angle)};
}

}  // namespace

std::size_t convex_hull(const Point* points, std::size_t count, std::int32_t* indices) {
  std::int32_t* order = indices + count;
  sort_points(points, count, order);
  // Drops all but the first of points at the same place, in place.
  std::size_t unique = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Point& point = points[order[i]];
    const Point& last = points[order[unique == 0 ? 0 : unique - 1]];
    if (unique == 0 || point.x != last.x || point.y != last.y) order[unique++] = order[i];
  }
  if (unique < 3) {
    for (std::size_t i = 0; i < unique; ++i) indices[i] = order[unique - 1 - i];
    return unique;
  }
  // Back along one side of the points, then forth along the other. Before it adds a point, `add` drops those at which
  // the hull would not turn, but keeps the first `least`. The points that still come lie past `length`.
  std::size_t length = 0;
  const auto add = [&](std::int32_t next, std::size_t least) {
    while (length > least && cross(points[indices[length - 2]], points[indices[length - 1]], points[next]) <= 0)
      --length;
    indices[length++] = next;
  };
  for (std::size_t i = unique; i-- > 0;) add(order[i], 1);
  const std::size_t turned = length;
  for (std::size_t i = 1; i < unique; ++i) add(order[i], turned);
  // The last point is the first one again. Rounding, or a NaN, may leave a point on both sides.
  return length - 1 < unique ? length - 1 : unique;
}

RotatedRect min_area_rect(const Point* points, std::size_t count, float* scratch) {
  auto* indices = reinterpret_cast<std::int32_t*>(scratch);
  const std::size_t length = convex_hull(points, count, indices);
  auto* hull = reinterpret_cast<Point*>(scratch + count);
  // `scratch` has the hull's indices, the hull's points in the place of convex_hull's order, edges, and inverse
  // lengths.
  for (std::size_t i = 0; i < length; ++i) hull[i] = points[indices[i]];
  if (length == 1) return {hull[0], 0, 0, -90};
  if (length == 2) {
    const Point center{(hull[0].x + hull[1].x) * 0.5F, (hull[0].y + hull[1].y) * 0.5F};
    return rect_of(center, {hull[1].x - hull[0].x, hull[1].y - hull[0].y}, {0, 0});
  }
  auto* edges = reinterpret_cast<Point*>(scratch + 3 * count);
  float* inverse = scratch + 5 * count;
  for (std::size_t i = 0; i < length; ++i) {
    const Point& next = hull[i + 1 == length ? 0 : i + 1];
    edges[i] = {next.x - hull[i].x, next.y - hull[i].y};
    inverse[i] = static_cast<float>(1 / length_of(static_cast<double>(edges[i].x), static_cast<double>(edges[i].y)));
  }
  const SmallestRect best = smallest_rect({hull, length, edges, inverse});
  // The corner where the sides through `left` and `bottom` meet, by Cramer's rule.
  const Point other{-best.side.y, best.side.x};
  const float c1 = best.side.x * hull[best.left].x + hull[best.left].y * best.side.y;
  const float c2 = other.x * hull[best.bottom].x + hull[best.bottom].y * other.y;
  const float scale = 1 / (best.side.x * other.y - other.x * best.side.y);
  const Point corner{(c1 * other.y - c2 * best.side.y) * scale, (best.side.x * c2 - other.x * c1) * scale};
  const Point along{best.side.x * best.width, best.side.y * best.width};
  const Point across{other.x * best.height, other.y * best.height};
  const Point center{corner.x + (along.x + across.x) * 0.5F, corner.y + (along.y + across.y) * 0.5F};
  return rect_of(center, along, across);
}

void box_points(const RotatedRect& rect, Point* corners) {
  const auto [cosine, sine] = rotation_of(static_cast<double>(rect.angle) * kPi / kHalfTurn);
  // OpenCV's names: (b, a) is half the unit vector along the width.
  const float b = static_cast<float>(cosine) * 0.5F;
  const float a = static_cast<float>(sine) * 0.5F;
  const auto& [x, y] = rect.center;
  const float width = rect.width;
  const float height = rect.height;
  corners[0] = {x - a * height - b * width, y + b * height - a * width};
  corners[1] = {x + a * height - b * width, y - b * height - a * width};
  corners[2] = {x + a * height + b * width, y - b * height + a * width};
  corners[3] = {x - a * height + b * width, y + b * height + a * width};
}

double contour_area(const Point* points, std::size_t count) {
  double twice = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Point& before = points[i == 0 ? count - 1 : i - 1];
    twice += static_cast<double>(before.x) * static_cast<double>(points[i].y) -
             static_cast<double>(before.y) * static_cast<double>(points[i].x);
  }
  return twice / 2;
}

}  // namespace layout
