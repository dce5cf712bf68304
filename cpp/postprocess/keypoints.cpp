// postprocess/keypoints.h says what these functions do.

#include "postprocess/keypoints.h"

#include <cmath>
#include <limits>

#include "elementary/elementary.h"

namespace layout {

namespace {

/// How many numbers a map has.
std::size_t size_of(Maps extents) {
  return static_cast<std::size_t>(extents.height) * static_cast<std::size_t>(extents.width);
}

/// Cuts a float32 to int32; numbers that do not fit give the nearest that does, NaN the least.
std::int32_t to_int32(float value) {
  constexpr float kMost = 2147483520.0F;  // the largest float32 below 2^31
  if (!(value > -kMost)) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(value < kMost ? value : kMost);
}

/// The index in a line of `length` numbers that an index beyond its ends mirrors: d c b a | a b c d | d c b a.
int mirrored(int i, int length) {
  const int period = 2 * length;
  const int rest = i % period;
  const int place = rest < 0 ? rest + period : rest;
  return place < length ? place : period - 1 - place;
}

/// The weights of a blur, from its center on, its edge, and memory for a line.
struct Blur {
  const double* weights;
  int radius;
  Edge edge;
  double* line;
};

/// Blurs a line of `length` numbers that lie `step` apart, in place.
void blur_line(float* from, int length, std::size_t step, const Blur& blur) {
  const auto [weights, radius, edge, line] = blur;
  const auto number = [&](int i) { return static_cast<double>(from[static_cast<std::size_t>(i) * step]); };
  // A copy in float64, with `radius` numbers beyond each end.
  for (int i = -radius; i < length + radius; ++i) {
    const bool is_inside = i >= 0 && i < length;
    double& copy = line[i + radius];
    if (edge == Edge::kMirror) {
      copy = number(mirrored(i, length));
    } else {
      copy = is_inside ? number(i) : 0;
    }
  }
  for (int i = 0; i < length; ++i) {
    const double* center = line + i + radius;
    double sum = *center * weights[0];
    for (int j = radius; j > 0; --j) sum += (center[-j] + center[j]) * weights[j];
    from[static_cast<std::size_t>(i) * step] = static_cast<float>(sum);
  }
}

/// The index of the greatest number, the first of equals.
std::size_t place_of_greatest(const float* x, std::size_t count) {
  std::size_t place = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (x[i] > x[place]) place = i;
  }
  return place;
}

/// Logarithms of maps with an edge of one number around each, by an index into all of them. An index before the first
/// one counts from the end.
class Logarithms {
 public:
  Logarithms(const float* maps, Maps extents)
      : maps_(maps), extents_(extents), row_step_(extents.width + 2), size_(row_step_ * (extents.height + 2)) {}

  /// How far the number below lies: the width of a map with its edges.
  int row_step() const { return row_step_; }

  /// The index of the number in row y and column x of a map.
  int index_of(int map, int y, int x) const { return map * size_ + (y + 1) * row_step_ + x + 1; }

  /// The logarithm of the number at an index, clipped to [0.001, 50]; in the edge that of the nearest number.
  double at(int index) const {
    const int place = index < 0 ? index + size_ * extents_.count : index;
    const auto map = static_cast<std::size_t>(place / size_);
    const std::size_t y = inside(place % size_ / row_step_ - 1, extents_.height);
    const std::size_t x = inside(place % row_step_ - 1, extents_.width);
    const float value = maps_[map * size_of(extents_) + y * static_cast<std::size_t>(extents_.width) + x];
    const float clipped = value < 0.001F ? 0.001F : value > 50 ? 50 : value;
    return log_of(static_cast<double>(clipped));
  }

 private:
  static std::size_t inside(int i, int length) {
    return static_cast<std::size_t>(i < 0 ? 0 : i < length ? i : length - 1);
  }
  const float* maps_;
  Maps extents_;
  int row_step_;
  int size_;  // of a map with its edges
};

}  // namespace

void scale_points(const float* points, std::size_t count, float width, float height, std::int32_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    to[2 * i] = to_int32(points[2 * i] * width);
    to[2 * i + 1] = to_int32(points[2 * i + 1] * height);
  }
}

void blur_maps(float* maps, Maps extents, const double* weights, int radius, Edge edge, double* line) {
  const auto width = static_cast<std::size_t>(extents.width);
  const Blur blur{weights, radius, edge, line};
  for (int map = 0; map < extents.count; ++map, maps += size_of(extents)) {
    for (int x = 0; x < extents.width; ++x) blur_line(maps + x, extents.height, width, blur);
    for (int y = 0; y < extents.height; ++y)
      blur_line(maps + static_cast<std::size_t>(y) * width, extents.width, 1, blur);
  }
}

void keep_peaks(float* blurred, const float* maps, Maps extents) {
  const std::size_t size = size_of(extents);
  for (int map = 0; map < extents.count; ++map, blurred += size, maps += size) {
    const float before = maps[place_of_greatest(maps, size)];
    const float after = blurred[place_of_greatest(blurred, size)];
    const float factor = after > 0 ? before / after : 1;
    for (std::size_t i = 0; i < size; ++i) blurred[i] *= factor;
  }
}

void find_peaks(const float* maps, Maps extents, float* places, float* values) {
  const std::size_t size = size_of(extents);
  const auto width = static_cast<std::size_t>(extents.width);
  for (int map = 0; map < extents.count; ++map, maps += size, places += 2) {
    const std::size_t place = place_of_greatest(maps, size);
    const bool has_peak = maps[place] > 0;
    values[map] = maps[place];
    places[0] = has_peak ? static_cast<float>(place % width) : -1;
    places[1] = has_peak ? static_cast<float>(place / width) : -1;
  }
}

void refine_peaks(const float* blurred, Maps extents, float* places) {
  constexpr double kEpsilon = 1.1920928955078125e-07;  // 2^-23, which Python adds to the second derivatives
  const Logarithms logs(blurred, extents);
  const int row = logs.row_step();
  for (int map = 0; map < extents.count; ++map, places += 2) {
    const int peak = logs.index_of(map, static_cast<int>(places[1]), static_cast<int>(places[0]));
    // First and second derivatives by differences; the step is the gradient times the inverse of the Hessian.
    const double center = logs.at(peak);
    const double right = logs.at(peak + 1);
    const double left = logs.at(peak - 1);
    const double below = logs.at(peak + row);
    const double above = logs.at(peak - row);
    const double dx = 0.5 * (right - left);
    const double dy = 0.5 * (below - above);
    const double xx = right - 2 * center + left + kEpsilon;
    const double yy = below - 2 * center + above + kEpsilon;
    const double below_right = logs.at(peak + row + 1);
    const double above_left = logs.at(peak - row - 1);
    const double xy = 0.5 * (below_right - right - below + center + center - left - above + above_left);
    const double determinant = xx * yy - xy * xy;
    const double step_x = (yy * dx - xy * dy) / determinant;
    const double step_y = (xx * dy - xy * dx) / determinant;
    places[0] = static_cast<float>(static_cast<double>(places[0]) - step_x);
    places[1] = static_cast<float>(static_cast<double>(places[1]) - step_y);
  }
}

}  // namespace layout
