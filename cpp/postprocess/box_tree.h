/// Distances of points from a line, and boxes around runs of points.
#pragma once

#include <cmath>
#include <cstddef>
#include <initializer_list>

#include "postprocess/polygons.h"

namespace layout {

/// From one point to another.
struct Difference {
  double x;
  double y;
  double square() const { return x * x + y * y; }
};

inline double dot(const Difference& a, const Difference& b) { return a.x * b.x + a.y * b.y; }
/// The size of the cross product.
inline double cross(const Difference& a, const Difference& b) { return std::fabs(a.y * b.x - a.x * b.y); }

/// `to` less `from`, in float64.
inline Difference difference_of(const Point& from, const Point& to) {
  return {to_float64(to.x) - to_float64(from.x), to_float64(to.y) - to_float64(from.y)};
}

/// A line between two points.
struct Segment {
  Point first;
  Point last;
  Difference line = difference_of(first, last);

  /// The square of a point's distance from the segment: from its line where the point lies between the two ends along
  /// it, else from the nearer end. 0 for all points where the ends are the same point.
  double square_distance_to(const Point& point) const {
    const Difference from_first = difference_of(first, point);
    const double along = dot(from_first, line);
    if (along < 0) return from_first.square();
    if (along > line.square()) return difference_of(point, last).square();
    const double away = cross(from_first, line);
    return away == 0 ? 0 : away * away / line.square();
  }
};

/// Points `begin` to before `end`, by their indices.
struct PointRange {
  std::size_t begin;
  std::size_t end;
};

/// Boxes around runs of points, as a tree: a distance from a line is greatest at a corner of a box, so most points need
/// not be looked at. A curve that is divided near its end each time takes as long as its points times their logarithm
/// then, and not their square.
class BoxTree {
 public:
  static constexpr std::size_t kLeaf = 32;
  /// Fewer points have no tree.
  static constexpr std::size_t kLeast = 2 * kLeaf;

  /// Builds the tree over `count` points. `boxes` has room for 2.5 * count + 80 bytes: fewer than four boxes of 20
  /// bytes for each leaf of 32 points.
  BoxTree(const Point* points, std::size_t count, void* boxes) : points_(points), boxes_(static_cast<Box*>(boxes)) {
    if (count < kLeast) return;
    const std::size_t leaves = (count + kLeaf - 1) / kLeaf;
    while (width_ < leaves) width_ *= 2;
    for (std::size_t leaf = 0; leaf < width_; ++leaf) boxes_[width_ + leaf] = box_of_leaf(leaf, count);
    for (std::size_t node = width_ - 1; node > 0; --node) boxes_[node] = joined(boxes_[2 * node], boxes_[2 * node + 1]);
    find_radii(count);
  }

  /// The greatest square of a distance from the segment, of the points in a range; `most` where none is greater.
  double greatest(const Segment& from, const PointRange& range, double most) const {
    const auto [begin, end] = range;
    if (begin >= end) return most;
    if (end - begin < kLeast) return greatest_of(from, range, most);
    return greatest_in(from, root(), range, most);
  }

  /// The first point of a range whose square of the distance from the segment is `wanted`, which `greatest` has
  /// returned; the range's end if there is none.
  std::size_t find(const Segment& from, const PointRange& range, double wanted) const {
    const auto [begin, end] = range;
    if (begin >= end) return end;
    if (end - begin < kLeast) return find_of(from, range, wanted, end);
    return find_in(from, root(), range, wanted);
  }

 private:
  struct Box {
    float left, top, right, bottom;
    /// From the middle to the farthest point. A spiral's turns are rings, which circles bound well.
    float radius;

    Point middle() const { return {(left + right) / 2, (top + bottom) / 2}; }
  };
  /// A node of the tree: the index of its box, and the points below it. Its children 0 and 1 have the halves of these.
  struct Node {
    std::size_t box;
    PointRange points;
    Node child(std::size_t i) const {
      const std::size_t middle = (points.begin + points.end) / 2;
      const PointRange half = i == 0 ? PointRange{points.begin, middle} : PointRange{middle, points.end};
      return {2 * box + i, half};
    }
    bool is_outside(const PointRange& range) const { return points.end <= range.begin || points.begin >= range.end; }
    bool is_leaf() const { return points.end - points.begin == kLeaf; }
    /// The points of a range that the node has.
    PointRange part_of(const PointRange& range) const {
      return {range.begin > points.begin ? range.begin : points.begin, range.end < points.end ? range.end : points.end};
    }
  };
  Node root() const { return {1, {0, width_ * kLeaf}}; }

  const Point* points_;
  Box* boxes_;             // node i is over nodes 2 i and 2 i + 1; the leaves, of kLeaf points each, begin at `width_`
  std::size_t width_ = 1;  // how many leaves there are, a power of two
  /// Whether all coordinates are whole numbers within 2^25: products and sums of two differences are exact then.
  /// `bound` needs no margin for rounding then. Found by the constructor.
  bool is_exact_ = true;

  static bool is_small_whole(float x) { return std::fabs(x) <= 0x1p25F && x == std::floor(x); }

  /// Makes the box of a leaf, and finds whether its points are exact. A leaf without points has the box of point 0,
  /// which widens the boxes over it at most.
  Box box_of_leaf(std::size_t leaf, std::size_t count) {
    const std::size_t first = leaf * kLeaf;
    Box box = box_of(points_[first < count ? first : 0]);
    for (std::size_t i = first; i < first + kLeaf && i < count; ++i) {
      is_exact_ = is_exact_ && is_small_whole(points_[i].x) && is_small_whole(points_[i].y);
      box = joined(box, box_of(points_[i]));
    }
    return box;
  }

  /// Finds the radius of each box, level by level from the leaves up: a level has the nodes `first` to 2 * first - 1.
  void find_radii(std::size_t count) {
    std::size_t points_below = kLeaf;
    for (std::size_t first = width_; first > 0; first /= 2, points_below *= 2) {
      for (std::size_t node = first; node < 2 * first; ++node) {
        const std::size_t begin = (node - first) * points_below;
        const Point middle = boxes_[node].middle();
        double square = 0;
        for (std::size_t i = begin; i < begin + points_below && i < count; ++i)
          square = std::fmax(square, difference_of(middle, points_[i]).square());
        // Rounded up: 1e-6 is more than the 6e-8 that rounding to float32 may take away.
        boxes_[node].radius = static_cast<float>(std::sqrt(square) * (1 + 1e-6));
      }
    }
  }

  static Box box_of(const Point& point) { return {point.x, point.y, point.x, point.y, 0}; }

  /// The box around two boxes.
  static Box joined(const Box& a, const Box& b) {
    return {a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top, a.right > b.right ? a.right : b.right,
            a.bottom > b.bottom ? a.bottom : b.bottom, 0};
  }

  /// A square that square_distance_to exceeds for no point of the node's box. The distance from a segment is convex, so
  /// it is greatest at a corner; it is also at most that of the box's middle plus the radius. Rounding is added to the
  /// lesser of these two. The segment has a length: callers look for no distance from a single point.
  double bound(const Segment& from, std::size_t node) const {
    const Box& box = boxes_[node];
    double most = 0;   // of the corners' squares
    double terms = 0;  // of the corners: the sum of the sizes of a cross product's two terms, which is convex, too
    bool is_between_ends = true;
    for (const Point& corner : {Point{box.left, box.top}, Point{box.right, box.top}, Point{box.left, box.bottom},
                                Point{box.right, box.bottom}}) {
      const Difference to = difference_of(from.first, corner);
      const double along = dot(to, from.line);
      is_between_ends = is_between_ends && along >= 0 && along <= from.line.square();
      most = std::fmax(most, from.square_distance_to(corner));
      terms = std::fmax(terms, std::fabs(to.y * from.line.x) + std::fabs(to.x * from.line.y));
    }
    // Between the ends, all points have the distance from the line, and the cross products of small whole numbers are
    // exact. Squaring and dividing round, but keep the order, so no computed square exceeds the greatest of the
    // corners. Where many points are equally far, as those of a zigzag, a bound without a margin ends the search at the
    // first.
    if (is_exact_ && is_between_ends) return most;
    // A distance is a cross product by the segment's length. A cross product is off by at most 4 units of 2^-53 of its
    // terms: one each for the two differences in a term, for their product, and for the subtraction of the terms. That
    // makes 8 units for a point and a corner, less than 2e-15. The roots, squares and quotients round less than 1e-12.
    const double rounding = 2e-15 * terms / std::sqrt(from.line.square());
    const double circle = std::sqrt(from.square_distance_to(box.middle())) + to_float64(box.radius);
    const double distance = std::fmin(std::sqrt(most), circle) + rounding;
    return distance * distance * (1 + 1e-12);
  }

  /// Does `greatest` point by point.
  double greatest_of(const Segment& from, const PointRange& range, double most) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double square = from.square_distance_to(points_[i]);
      most = square > most ? square : most;
    }
    return most;
  }

  /// Does `find` point by point; `none` where there is none.
  std::size_t find_of(const Segment& from, const PointRange& range, double wanted, std::size_t none) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (from.square_distance_to(points_[i]) == wanted) return i;
    }
    return none;
  }

  /// Does `greatest` below a node: the child with the larger bound first, and neither where its bound is not above
  /// `most`.
  double greatest_in(const Segment& from, const Node& node, const PointRange& range, double most) const {
    if (node.is_leaf()) return greatest_of(from, node.part_of(range), most);
    constexpr double kNone = -1;  // the child has no points of the range
    double bounds[2] = {kNone, kNone};
    for (std::size_t i = 0; i < 2; ++i) {
      const Node child = node.child(i);
      if (!child.is_outside(range)) bounds[i] = bound(from, child.box);
    }
    const std::size_t better = bounds[1] > bounds[0] ? 1 : 0;
    for (const std::size_t i : {better, 1 - better}) {
      if (bounds[i] > most) most = greatest_in(from, node.child(i), range, most);
    }
    return most;
  }

  /// Does `find` below a node: looks only into children that have points of the range and whose bound is not below the
  /// distance.
  std::size_t find_in(const Segment& from, const Node& node, const PointRange& range, double wanted) const {
    if (node.is_leaf()) return find_of(from, node.part_of(range), wanted, range.end);
    for (std::size_t i = 0; i < 2; ++i) {
      const Node child = node.child(i);
      if (child.is_outside(range) || bound(from, child.box) < wanted) continue;
      const std::size_t point = find_in(from, child, range, wanted);
      if (point != range.end) return point;
    }
    return range.end;
  }
};

}  // namespace layout
