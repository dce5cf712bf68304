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
        most_square_(distance * distance),
        kept_(indices),
        stack_(indices + count),
        tree_(points, count, indices + 3 * count + 8) {}

  /// Does approximate_polygon. Returns how many points stay.
  std::size_t run(bool is_closed) {
    // A line whose ends are the same point is divided as a ring. OpenCV looks for the farthest point of those once, and
    // three times of closed polygons.
    const bool has_ends = !is_closed && step(0, count_ - 1).square() != 0;
    const int walks = is_closed ? 3 : 1;
    if (has_ends) {
      push(0, count_ - 1);
    } else {
      split_ring(walks);
    }
    while (depth_ > 0) {
      depth_ -= 2;
      const auto first = static_cast<std::size_t>(stack_[depth_]);
      const auto last = static_cast<std::size_t>(stack_[depth_ + 1]);
      divide(first, last);
    }
    if (has_ends) keep(count_ - 1);
    drop_straight_points(is_closed);
    return size_;
  }

 private:
  const Point* points_;
  std::size_t count_;
  double most_square_;  // of a distance that a point may have from the line that leaves it out
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
    std::size_t farthest = 0;
    bool is_near = true;
    for (int walk = 0; walk < walks; ++walk) {
      from = farthest;
      double greatest = 0;
      for (std::size_t i = 1; i < count_; ++i) {
        const std::size_t point = (from + i) % count_;
        const double square = step(from, point).square();
        if (square > greatest) {
          greatest = square;
          farthest = point;
        }
      }
      is_near = greatest <= most_square_;
    }
    if (is_near) return keep(from);
    push(farthest, from);
    push(from, farthest);
  }

  /// Keeps the first point of a range where all others are within the distance of the line to its last point; else
  /// pushes the parts on both sides of the farthest point. A range whose last point does not come after its first goes
  /// around the ring, by point 0.
  void divide(std::size_t first, std::size_t last) {
    const Segment from{points_[first], points_[last]};
    // Every point is at a distance of 0 from a line without length.
    if (from.line.square() == 0) return keep(first);
    // The points in between; of a range around the ring, those up to its last point, and those from point 0 on.
    const bool is_around = first >= last;
    const PointRange between{first + 1, is_around ? count_ : last};
    const PointRange from_0{0, is_around ? last : 0};
    const double most_between = tree_.greatest(from, between, 0);
    const double most = tree_.greatest(from, from_0, most_between);
    if (most <= most_square_) return keep(first);
    const std::size_t found_between = tree_.find(from, between, most);
    const bool is_between = found_between < between.end;
    const std::size_t farthest = is_between ? found_between : tree_.find(from, from_0, most);
    push(farthest, last);
    push(first, farthest);
  }

  /// Whether OpenCV drops a point between its neighbors: it lies within half the square of the distance from the line
  /// between them, does not turn back, and that line is neither horizontal nor vertical.
  bool is_straight(std::int32_t before, std::int32_t point, std::int32_t after) const {
    const Difference line = kept_step(before, after);
    const Difference first = kept_step(before, point);
    const Difference second = kept_step(point, after);
    const double away = cross(first, line);
    const bool is_near = away * away <= 0.5 * most_square_ * line.square();
    return is_near && line.x != 0 && line.y != 0 && dot(first, second) >= 0;
  }

  /// Drops points that lie almost on the line between their neighbors, in place, as OpenCV's last pass does: reads
  /// three neighbors at a time around the ring, and writes those that stay from the second one on.
  void drop_straight_points(bool is_closed) {
    // A ring begins one point earlier, so that its first point has neighbors too; the ends of a line always stay.
    const std::size_t count = size_;
    const std::size_t ends = is_closed ? 0 : 1;
    std::size_t next_read = is_closed ? count - 1 : 0;
    const auto next_of = [&](std::size_t place) { return place + 1 < count ? place + 1 : 0; };
    const auto read = [&] {
      const std::int32_t point = kept_[next_read];
      next_read = next_of(next_read);
      return point;
    };
    std::int32_t before = read();
    std::size_t next_write = next_read;
    const auto write = [&](std::int32_t point) {
      kept_[next_write] = point;
      next_write = next_of(next_write);
    };
    std::int32_t point = read();
    for (std::size_t i = ends; i < count - ends && size_ > 2; ++i) {
      const std::int32_t after = read();
      if (!is_straight(before, point, after)) {
        write(point);
        before = point;
        point = after;
        continue;
      }
      // `point` is dropped, and the point after it stays: OpenCV goes on behind it.
      write(after);
      before = after;
      point = read();
      --size_;
      ++i;
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
