// postprocess/approximate.h says what these functions do.

#include "postprocess/approximate.h"

#include "postprocess/box_tree.h"

namespace layout {

namespace {

/// One call of approximate_polygon: its ranges of points that are still to be divided (`stack_`), and the points that
/// stay (`kept_`), of which there are `size_`.
class Approximation {
 public:
  /// Divides `indices` into the points that stay (a number each), the stack (two numbers a point, and 8 to spare), and
  /// the memory of the tree, which only kLeast points or more need.
  Approximation(const Point* points, std::size_t count, double distance, std::int32_t* indices)
      : points_(points),
        count_(count),
        square_(distance * distance),
        kept_(indices),
        stack_(indices + count),
        tree_(points, count, indices + 3 * count + 8) {}

  /// Does approximate_polygon. Returns how many points stay.
  std::size_t run(bool is_closed) {
    // A line whose ends are the same point is divided as a ring. OpenCV looks for the farthest point of those once, and
    // three times of closed polygons.
    const bool has_ends = !is_closed && step(0, count_ - 1).square() != 0;
    if (has_ends) {
      push(0, count_ - 1);
    } else {
      split_ring(is_closed ? 3 : 1);
    }
    while (depth_ > 0) {
      depth_ -= 2;
      divide(static_cast<std::size_t>(stack_[depth_]), static_cast<std::size_t>(stack_[depth_ + 1]));
    }
    if (has_ends) keep(count_ - 1);
    drop_straight_points(is_closed);
    return size_;
  }

 private:
  const Point* points_;
  std::size_t count_;
  double square_;
  std::int32_t* kept_;
  std::int32_t* stack_;  // of ranges, at most one a point: first and last point
  BoxTree tree_;
  std::size_t depth_ = 0;
  std::size_t size_ = 0;

  /// The difference between two points, by their indices.
  Difference step(std::size_t from, std::size_t to) const { return difference_of(points_[from], points_[to]); }
  /// The difference between two points, by indices that kept_ has.
  Difference kept_step(std::int32_t from, std::int32_t to) const {
    return step(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  }
  void keep(std::size_t point) { kept_[size_++] = static_cast<std::int32_t>(point); }

  /// Puts the range from point `first` to point `last` on the stack.
  void push(std::size_t first, std::size_t last) {
    stack_[depth_++] = static_cast<std::int32_t>(first);
    stack_[depth_++] = static_cast<std::int32_t>(last);
  }

  /// Pushes the two halves of a ring, which is cut at two points far apart: each of `walks` walks goes from a point, at
  /// first point 0, to the farthest one. Keeps a single point where all are within the distance of it.
  void split_ring(int walks) {
    std::size_t from = 0;
    std::size_t away = 0;
    bool is_near = true;
    for (; walks > 0; --walks) {
      from = (from + away) % count_;
      double most = 0;
      for (std::size_t i = 1; i < count_; ++i) {
        const double square = step(from, (from + i) % count_).square();
        if (square > most) {
          most = square;
          away = i;
        }
      }
      is_near = most <= square_;
    }
    if (is_near) return keep(from);
    const std::size_t to = (from + away) % count_;
    push(to, from);
    push(from, to);
  }

  /// Keeps the first point of a range where all others are within the distance of the line to its last point; else
  /// pushes the parts on both sides of the farthest point. A range whose last point does not come after its first goes
  /// around the ring, by point 0.
  void divide(std::size_t first, std::size_t last) {
    const Segment from{points_[first], points_[last]};
    // Every point is at a distance of 0 from a line without length.
    if (from.line.square() == 0) return keep(first);
    const bool turns = first >= last;
    const std::size_t end = turns ? count_ : last;
    const std::size_t rest = turns ? last : 0;
    const double most = tree_.greatest(from, 0, rest, tree_.greatest(from, first + 1, end, 0));
    if (most <= square_) return keep(first);
    const std::size_t at = tree_.find(from, first + 1, end, most);
    const std::size_t middle = at < end ? at : tree_.find(from, 0, rest, most);
    push(middle, last);
    push(first, middle);
  }

  /// Drops points that lie almost on the line between their neighbors, in place, as OpenCV's last pass does.
  void drop_straight_points(bool is_closed) {
    // `from` is the point that is read next, `to` where the next one that stays goes. A ring begins one point earlier,
    // so that its first point has neighbors too; the ends of a line always stay.
    const std::size_t count = size_;
    const std::size_t ends = is_closed ? 0 : 1;
    std::size_t from = is_closed ? count - 1 : 0;
    std::size_t to = from;
    const auto next = [&] {
      const std::int32_t point = kept_[from];
      from = from + 1 < count ? from + 1 : 0;
      return point;
    };
    const auto write = [&](std::int32_t point) {
      kept_[to] = point;
      to = to + 1 < count ? to + 1 : 0;
    };
    std::int32_t before = next();
    to = from;
    std::int32_t point = next();
    for (std::size_t i = ends; i < count - ends && size_ > 2; ++i) {
      const std::int32_t after = next();
      const Difference line = kept_step(before, after);
      const Difference first = kept_step(before, point);
      const Difference second = kept_step(point, after);
      // OpenCV: within half the square of the distance, no turn back, and never on a horizontal or vertical line.
      const double away = cross(first, line);
      const bool is_straight =
          away * away <= 0.5 * square_ * line.square() && line.x != 0 && line.y != 0 && dot(first, second) >= 0;
      if (is_straight) --size_;
      // The point after a dropped one stays: OpenCV goes on behind it.
      before = is_straight ? after : point;
      write(before);
      point = is_straight ? next() : after;
      i += is_straight ? 1 : 0;
    }
    if (!is_closed) write(point);
  }
};

}  // namespace

std::size_t approximate_polygon(const Point* points, std::size_t count, double distance, bool is_closed,
                                std::int32_t* indices) {
  return Approximation(points, count, distance, indices).run(is_closed);
}

}  // namespace layout
