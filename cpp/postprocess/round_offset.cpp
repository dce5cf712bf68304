// postprocess/round_offset.h says what these functions do.

#include "postprocess/round_offset.h"

#include <cmath>
#include <utility>

#include "elementary/elementary.h"

namespace layout {

namespace {

/// Rounds to the nearest whole number, halves away from zero.
float rounded(double x) { return static_cast<float>(static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5)); }

/// One call of grow_round: the path of the box, the normals of its edges, and the points that it has added.
class RoundOffset {
 public:
  RoundOffset(const Point* box, double distance, Point* to) : distance_(distance), to_(to) { take_path(box); }

  /// Writes the points of the grown box: for each corner, those between the normals of its two edges. Returns how many
  /// there are; 0 where nothing is left to grow.
  std::size_t run() {
    const bool grows = count_ > 0 && distance_ > 0;
    if (!grows) return 0;
    find_arc_step();
    for (std::size_t i = 0; i < count_; ++i) normals_[i] = normal_of(path_[i], path_[(i + 1) % count_]);
    for (std::size_t i = 0; i < count_; ++i) {
      const Vector& before = normals_[(i + count_ - 1) % count_];
      join(path_[i], before, normals_[i]);
    }
    return length_;
  }

 private:
  struct Vector {
    double x, y;
  };

  /// Finds how many steps a whole turn has. The middle of a step's chord lies 1 - cos(half a step) radii within the
  /// circle, which is to be the tolerance: pi / acos(1 - tolerance / distance) steps, at most pi * distance.
  void find_arc_step() {
    const double tolerance = distance_ * 0.25 < 0.25 ? distance_ * 0.25 : 0.25;
    const double cosine = 1 - tolerance / distance_;
    const double sine = std::sqrt((1 - cosine) * (1 + cosine));
    const double half_step = std::atan2(sine, cosine);
    turn_steps_ = std::fmin(kPi / half_step, distance_ * kPi);
    arc_step_ = rotation_of(2 * kPi / turn_steps_);
  }

  /// The unit vector at a right angle to an edge, outwards.
  static Vector normal_of(const Point& from, const Point& to) {
    const double x = to_float64(to.x) - to_float64(from.x);
    const double y = to_float64(to.y) - to_float64(from.y);
    const double scale = 1 / std::sqrt(x * x + y * y);
    return {y * scale, -x * scale};
  }

  /// Lists the corners of a box, cut to whole numbers, without those that equal the one before, in the direction in
  /// which the area is positive.
  void take_path(const Point* box) {
    const auto whole = [](const Point& point) { return Point{std::trunc(point.x), std::trunc(point.y)}; };
    for (std::size_t i = 0; i < kCorners; ++i) {
      const Point corner = whole(box[i]);
      const Point before = whole(box[(i + kCorners - 1) % kCorners]);
      const bool is_same = corner.x == before.x && corner.y == before.y;
      if (!is_same) path_[count_++] = corner;
    }
    const bool is_reversed = contour_area(path_, count_) < 0;
    if (!is_reversed) return;
    for (std::size_t i = 0; i < count_ / 2; ++i) std::swap(path_[i], path_[count_ - 1 - i]);
  }

  /// Adds the point that lies the distance beyond a corner in a direction.
  void add(const Point& corner, const Vector& direction) {
    if (length_ == kMostGrown) return;
    const double x = to_float64(corner.x) + direction.x * distance_;
    const double y = to_float64(corner.y) + direction.y * distance_;
    to_[length_++] = {rounded(x), rounded(y)};
  }

  /// Adds the points at a corner between two edges, by their normals: one where edges are nearly straight, three at a
  /// hollow one, otherwise an arc.
  void join(const Point& corner, const Vector& before, const Vector& after) {
    const double sine = before.x * after.y - after.x * before.y;
    const double cosine = before.x * after.x + before.y * after.y;
    const bool is_straight = std::fabs(sine * distance_) < 1 && cosine > 0;
    if (is_straight) return add(corner, before);
    const bool is_hollow = sine < 0;
    if (is_hollow) {
      add(corner, before);
      add(corner, {0, 0});
    } else {
      add_arc(corner, before, std::atan2(sine > 1 ? 1 : sine, cosine));
    }
    add(corner, after);
  }

  /// Adds an arc of at least one point around a corner, from a direction on, over an angle.
  void add_arc(const Point& corner, Vector direction, double angle) {
    const double share = turn_steps_ / (2 * kPi) * std::fabs(angle);
    const auto whole_steps = static_cast<double>(rounded(share));
    const double steps = whole_steps < 1 ? 1 : whole_steps;
    const auto [cosine, sine] = arc_step_;
    for (double step = 0; step < steps; ++step) {
      add(corner, direction);
      const auto [x, y] = direction;
      direction = {x * cosine - sine * y, x * sine + y * cosine};
    }
  }

  double distance_;
  Point* to_;
  std::size_t length_ = 0;  // of `to_`
  Point path_[kCorners];
  std::size_t count_ = 0;  // of `path_`
  Vector normals_[kCorners];
  double turn_steps_ = 0;
  Rotation arc_step_{};
};

}  // namespace

std::size_t grow_round(const Point* box, double distance, Point* to) { return RoundOffset(box, distance, to).run(); }

}  // namespace layout
