// postprocess/round_offset.h says what these functions do.

#include "postprocess/round_offset.h"

#include <cmath>
#include <utility>

#include "elementary/elementary.h"

namespace layout {

namespace {

/// Rounds to the nearest whole number, halves away from zero.
float rounded(double x) { return static_cast<float>(static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5)); }

class RoundOffset {
 public:
  /// Takes a box, whose corners are cut to whole numbers first. Finds the steps of arcs and the normals of edges,
  /// unless nothing is left to grow.
  RoundOffset(const Point* box, double by, Point* to) : by_(by), to_(to) {
    take_path(box);
    if (count_ == 0 || !(by_ > 0)) return;
    // The steps of a whole turn, pi / acos(1 - tolerance / by), at most pi * by.
    const double tolerance = by * 0.25 < 0.25 ? by * 0.25 : 0.25;
    const double cosine = 1 - tolerance / by;
    const double angle = std::atan2(std::sqrt((1 - cosine) * (1 + cosine)), cosine);
    steps_ = std::fmin(kPi / angle, by * kPi);
    arc_step_ = rotation_of(2 * kPi / steps_);
    for (std::size_t i = 0; i < count_; ++i) normals_[i] = normal_of(path_[i], path_[(i + 1) % count_]);
  }

  /// Writes the points of the grown box. Returns how many there are; 0 where nothing is left to grow.
  std::size_t run() {
    if (count_ == 0 || !(by_ > 0)) return 0;
    for (std::size_t i = 0; i < count_; ++i) join(path_[i], normals_[(i + count_ - 1) % count_], normals_[i]);
    return length_;
  }

 private:
  struct Vector {
    double x, y;
  };

  static Vector normal_of(const Point& from, const Point& to) {
    const double x = to_float64(to.x) - to_float64(from.x);
    const double y = to_float64(to.y) - to_float64(from.y);
    const double scale = 1 / std::sqrt(x * x + y * y);
    return {y * scale, -x * scale};
  }

  /// Lists the corners at different places, in the direction in which the area is positive.
  void take_path(const Point* box) {
    for (std::size_t i = 0; i < kCorners; ++i) {
      const Point next{std::trunc(box[i].x), std::trunc(box[i].y)};
      const Point& before = box[(i + kCorners - 1) % kCorners];
      const bool is_same = next.x == std::trunc(before.x) && next.y == std::trunc(before.y);
      if (!is_same) path_[count_++] = next;
    }
    const bool is_reversed = contour_area(path_, count_) < 0;
    if (!is_reversed) return;
    for (std::size_t i = 0; i < count_ / 2; ++i) std::swap(path_[i], path_[count_ - 1 - i]);
  }

  /// Adds the point that lies beyond `from` in a direction.
  void add(const Point& from, const Vector& direction) {
    if (length_ == kMostGrown) return;
    to_[length_++] = {rounded(to_float64(from.x) + direction.x * by_), rounded(to_float64(from.y) + direction.y * by_)};
  }

  /// Adds the points at a corner between two edges, by their normals: one where edges are nearly straight, three at a
  /// hollow one, otherwise an arc.
  void join(const Point& corner, const Vector& before, const Vector& after) {
    const double sine = before.x * after.y - after.x * before.y;
    const double cosine = before.x * after.x + before.y * after.y;
    const bool is_straight = std::fabs(sine * by_) < 1 && cosine > 0;
    if (is_straight) return add(corner, before);
    if (sine < 0) {
      add(corner, before);
      add(corner, {0, 0});
    } else {
      add_arc(corner, before, std::atan2(sine > 1 ? 1 : sine, cosine));
    }
    add(corner, after);
  }

  /// Adds an arc of at least one point around a corner, from a direction on, over an angle.
  void add_arc(const Point& corner, Vector direction, double angle) {
    const auto arcs = static_cast<double>(rounded(steps_ / (2 * kPi) * std::fabs(angle)));
    const double most = arcs < 1 ? 1 : arcs;
    for (double arc = 0; arc < most; ++arc) {
      add(corner, direction);
      const auto [x, y] = direction;
      direction = {x * arc_step_.cosine - arc_step_.sine * y, x * arc_step_.sine + y * arc_step_.cosine};
    }
  }

  double by_;
  Point* to_;
  std::size_t length_ = 0;
  Point path_[kCorners];
  std::size_t count_ = 0;
  Vector normals_[kCorners];
  double steps_ = 0;
  Rotation arc_step_{};
};

}  // namespace

std::size_t grow_round(const Point* box, double by, Point* to) { return RoundOffset(box, by, to).run(); }

}  // namespace layout
