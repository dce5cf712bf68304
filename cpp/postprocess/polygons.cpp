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

/// A rectangle around a hull: the unit vector of a side, its size, and the points of the hull on two of its sides.
struct CaliperRect {
  Point side;
  float width;
  float height;
  std::size_t least_x;
  std::size_t least_y;
};

/// Four lines that touch a hull of `count` points, at right angles. `edges` has edge i, from point i of the hull to the
/// next one, and `inverse` 1 / its length.
class Calipers {
 public:
  Calipers(const Point* hull, std::size_t count, const Point* edges, const float* inverse)
      : hull_(hull), count_(count), edges_(edges), inverse_(inverse), side_{direction_of_hull(), 0} {
    touched_[kLeastY] = first_by([](const Point& p) { return p.y; });
    touched_[kMostX] = first_by([](const Point& p) { return -p.x; });
    touched_[kMostY] = first_by([](const Point& p) { return -p.y; });
    touched_[kLeastX] = first_by([](const Point& p) { return p.x; });
  }

  /// Turns the calipers together until the first of them lies on the edge after its point, and moves it to the edge's
  /// end.
  void turn() {
    const auto [x, y] = side_;
    const float cosines[kCalipers] = {cosine(kLeastY, {x, y}), cosine(kMostX, {-y, x}), cosine(kMostY, {-x, -y}),
                                      cosine(kLeastX, {y, -x})};
    std::size_t first = 0;  // the greatest cosine is that of the least angle
    for (std::size_t i = 1; i < kCalipers; ++i) first = cosines[i] > cosines[first] ? i : first;
    std::size_t& point = touched_[first];
    const Point edge{edges_[point].x * inverse_[point], edges_[point].y * inverse_[point]};
    // Caliper `first` now has the direction of its edge, and kLeastY that turned back by `first` quarter turns.
    const Point turned_back[kCalipers] = {edge, {edge.y, -edge.x}, {-edge.x, -edge.y}, {-edge.y, edge.x}};
    side_ = turned_back[first];
    point = point + 1 == count_ ? 0 : point + 1;
  }

  /// The rectangle between the calipers.
  CaliperRect rect() const {
    const Point across = difference(kLeastX, kMostX);
    const Point down = difference(kLeastY, kMostY);
    const float width = across.x * side_.x + across.y * side_.y;
    const float height = -down.x * side_.y + down.y * side_.x;
    return {side_, width, height, touched_[kLeastX], touched_[kLeastY]};
  }

 private:
  // The calipers by the points that they touch first. The direction of kLeastY, in which the hull goes, is `side_`;
  // each next caliper's is turned by 90 degrees more.
  enum Caliper : std::size_t { kLeastY, kMostX, kMostY, kLeastX, kCalipers };

  /// The index of the first point of the hull with the least key.
  std::size_t first_by(float (*key)(const Point&)) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < count_; ++i) best = key(hull_[i]) < key(hull_[best]) ? i : best;
    return best;
  }

  /// 1 where the hull turns to the right in a picture, else -1.
  float direction_of_hull() const {
    Point before = edges_[count_ - 1];
    for (std::size_t i = 0; i < count_; ++i) {
      const double turned = cross({0, 0}, before, edges_[i]);
      if (turned != 0) return turned > 0 ? 1 : -1;
      before = edges_[i];
    }
    return -1;
  }

  /// The cosine of the angle from a caliper to the edge after its point.
  float cosine(Caliper caliper, const Point& direction) const {
    const std::size_t point = touched_[caliper];
    return (direction.x * edges_[point].x + direction.y * edges_[point].y) * inverse_[point];
  }

  /// The difference between the points of two calipers.
  Point difference(Caliper from, Caliper to) const {
    const Point& first = hull_[touched_[from]];
    const Point& last = hull_[touched_[to]];
    return {last.x - first.x, last.y - first.y};
  }

  const Point* hull_;
  std::size_t count_;
  const Point* edges_;
  const float* inverse_;
  Point side_;
  std::size_t touched_[kCalipers];  // the point of the hull that each touches
};

/// Finds the rectangle of the least area around a hull of `count` points, one side of which lies on an edge: the
/// calipers lie on each edge once. Of equal areas the last one stays.
CaliperRect smallest_rect(Calipers& calipers, std::size_t count) {
  CaliperRect best{};
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t edge = 0; edge < count; ++edge) {
    calipers.turn();
    const CaliperRect rect = calipers.rect();
    const float area = rect.width * rect.height;
    if (area > least) continue;
    least = area;
    best = rect;
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
  Calipers calipers(hull, count, edges, inverse);
  const CaliperRect best = smallest_rect(calipers, count);
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
