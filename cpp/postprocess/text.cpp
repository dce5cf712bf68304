// postprocess/text.h says what these functions do.

#include "postprocess/text.h"

#include <cmath>

#include "elementary/elementary.h"
#include "postprocess/polygons.h"

namespace layout {

namespace {

constexpr std::size_t kCorners = 4;
constexpr std::size_t kMostGrown = 8192;
constexpr double kPi = 3.141592653589793;

struct Box {
  Point corners[kCorners];
  float short_side;
};

double wide(float x) { return static_cast<double>(x); }

double distance(const Point& a, const Point& b) {  // in float64
  const double x = wide(a.x) - wide(b.x);
  const double y = wide(a.y) - wide(b.y);
  return std::sqrt(x * x + y * y);
}

void sort_by_x(Point* corners) {  // by insertion, so that equal ones stay in order
  for (std::size_t i = 1; i < kCorners; ++i) {
    const Point moved = corners[i];
    std::size_t to = i;
    for (; to > 0 && moved.x < corners[to - 1].x; --to) corners[to] = corners[to - 1];
    corners[to] = moved;
  }
}

/// Orders corners clockwise from the top left; which two lie on the left is decided by x alone.
void order_corners(Point* p) {
  sort_by_x(p);
  const bool left = p[1].y < p[0].y;
  const bool right = p[3].y < p[2].y;
  const Point ordered[] = {p[left ? 1 : 0], p[right ? 3 : 2], p[right ? 2 : 3], p[left ? 0 : 1]};
  for (std::size_t i = 0; i < kCorners; ++i) p[i] = ordered[i];
}

/// Finds the smallest rectangle around points: corners clockwise from the top left, and the length of its shorter side.
Box smallest_box(const Point* points, std::size_t count, float* scratch) {
  const RotatedRect rect = min_area_rect(points, count, scratch);
  Box box{};
  box_points(rect, box.corners);
  // PaddleOCR's order: of the two leftmost, and the two rightmost, the upper is the second one unless it lies lower.
  Point* p = box.corners;
  sort_by_x(p);
  const bool left = p[1].y > p[0].y;
  const bool right = p[3].y > p[2].y;
  const Point ordered[] = {p[left ? 0 : 1], p[right ? 2 : 3], p[right ? 3 : 2], p[left ? 1 : 0]};
  for (std::size_t i = 0; i < kCorners; ++i) p[i] = ordered[i];
  box.short_side = rect.width < rect.height ? rect.width : rect.height;
  return box;
}

int inside(double x, std::size_t extent) {  // a place, clamped to the map and cut to a whole number
  const auto most = static_cast<double>(extent - 1);
  return static_cast<int>(x < 0 ? 0 : x > most ? most : x);
}

/// The score of a box: the mean of the map over it, its corners cut to whole numbers; 0 where it covers no pixel.
double score_of(const TextMap& from, const Point* corners, std::uint8_t* mask) {
  Point least = corners[0];
  Point most = corners[0];
  for (std::size_t i = 1; i < kCorners; ++i) {
    const auto& [x, y] = corners[i];
    least = {x < least.x ? x : least.x, y < least.y ? y : least.y};
    most = {x > most.x ? x : most.x, y > most.y ? y : most.y};
  }
  const int left = inside(std::floor(wide(least.x)), from.width);
  const int right = inside(std::ceil(wide(most.x)), from.width);
  const int top = inside(std::floor(wide(least.y)), from.height);
  const int bottom = inside(std::ceil(wide(most.y)), from.height);
  const int width = right - left + 1;
  const int height = bottom - top + 1;
  // The mask of the box on that part, and the mean over it.
  std::int32_t whole[2 * kCorners];
  for (std::size_t i = 0; i < kCorners; ++i) {
    whole[2 * i] = static_cast<std::int32_t>(corners[i].x - static_cast<float>(left));
    whole[2 * i + 1] = static_cast<std::int32_t>(corners[i].y - static_cast<float>(top));
  }
  for (int i = 0; i < width * height; ++i) mask[i] = 0;
  PolygonEdge edges[kCorners];
  fill_polygon(whole, kCorners, {mask, height, width, 1}, edges);
  double sum = 0;
  double count = 0;
  for (int y = 0; y < height; ++y) {
    const float* row = from.map + static_cast<std::size_t>(top + y) * from.width + static_cast<std::size_t>(left);
    for (int x = 0; x < width; ++x) {
      if (*mask++ == 0) continue;
      sum += wide(row[x]);
      ++count;
    }
  }
  return count > 0 ? sum / count : 0;
}

/// Shapely's area of a box, from places relative to its first corner. OpenCV's differs in its last bit.
double ring_area(const Point* box) {
  double twice = 0;
  for (std::size_t i = 1; i < kCorners; ++i) {
    twice += (wide(box[i].x) - wide(box[0].x)) * (wide(box[i - 1].y) - wide(box[(i + 1) % kCorners].y));
  }
  return twice / 2;
}

/// How far a box grows, in pixels of the map: its area times the setting's ratio, divided by its perimeter.
double growth_of(const Point* box, const TextSettings& settings) {
  double length = 0;
  for (std::size_t i = 0; i < kCorners; ++i) length += distance(box[(i + 1) % kCorners], box[i]);
  const double area = settings.is_round != 0 ? ring_area(box) : contour_area(box, kCorners);
  return std::fabs(area) * settings.unclip_ratio / length;
}

/// Rounds to the nearest whole number, halves away from zero.
float rounded(double x) { return static_cast<float>(static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5)); }

/// Grows a box by Clipper's offset with round joins and an arc tolerance of 0.25; its corners are cut to whole numbers
/// first. Returns how many points `to` has; 0 where nothing is left to grow.
std::size_t grow_round(const Point* box, double by, Point* to) {
  // Corners at different places, in the direction in which the area is positive.
  Point path[kCorners];
  std::size_t count = 0;
  for (std::size_t i = 0; i < kCorners; ++i) {
    const Point next{std::trunc(box[i].x), std::trunc(box[i].y)};
    const Point& before = box[(i + kCorners - 1) % kCorners];
    if (next.x != std::trunc(before.x) || next.y != std::trunc(before.y)) path[count++] = next;
  }
  if (count == 0 || !(by > 0)) return 0;
  if (contour_area(path, count) < 0) {
    for (std::size_t i = 0; i < count / 2; ++i) {
      const Point moved = path[i];
      path[i] = path[count - 1 - i];
      path[count - 1 - i] = moved;
    }
  }
  // Clipper's steps of a whole turn, pi / acos(1 - tolerance / by), at most pi * by; then the normals of the edges.
  const double tolerance = by * 0.25 < 0.25 ? by * 0.25 : 0.25;
  const double cosine = 1 - tolerance / by;
  const double steps = std::fmin(kPi / std::atan2(std::sqrt((1 - cosine) * (1 + cosine)), cosine), by * kPi);
  const Rotation arc_step = rotation_of(2 * kPi / steps);
  double normal_x[kCorners];
  double normal_y[kCorners];
  for (std::size_t i = 0; i < count; ++i) {
    const Point& next = path[(i + 1) % count];
    const double x = wide(next.x) - wide(path[i].x);
    const double y = wide(next.y) - wide(path[i].y);
    const double scale = 1 / std::sqrt(x * x + y * y);
    normal_x[i] = y * scale;
    normal_y[i] = -x * scale;
  }
  std::size_t length = 0;
  const auto add = [&](const Point& from, double x, double y) {
    if (length < kMostGrown) to[length++] = {rounded(wide(from.x) + x * by), rounded(wide(from.y) + y * by)};
  };
  for (std::size_t i = 0; i < count; ++i) {
    // At each corner: one point where edges are nearly straight, three at a hollow one, otherwise an arc.
    const std::size_t before = (i + count - 1) % count;
    double x = normal_x[before];
    double y = normal_y[before];
    double sine = x * normal_y[i] - normal_x[i] * y;
    const double along = x * normal_x[i] + y * normal_y[i];
    if (std::fabs(sine * by) < 1 && along > 0) {
      add(path[i], x, y);
      continue;
    }
    sine = sine > 1 ? 1 : sine < -1 ? -1 : sine;
    if (sine < 0) {
      add(path[i], x, y);
      add(path[i], 0, 0);
    } else {
      const auto arcs = static_cast<double>(rounded(steps / (2 * kPi) * std::fabs(std::atan2(sine, along))));
      for (double arc = 0; arc < (arcs < 1 ? 1 : arcs); ++arc) {
        add(path[i], x, y);
        const double moved = x * arc_step.cosine - arc_step.sine * y;
        y = x * arc_step.sine + y * arc_step.cosine;
        x = moved;
      }
    }
    add(path[i], normal_x[i], normal_y[i]);
  }
  return length;
}

/// Grows a box by moving its edges outwards by `by`, in float32. The new corners, of which it returns the number, are
/// where neighboring edges meet.
std::size_t grow_sharp(const Point* p, double by, Point* to) {
  const auto step = static_cast<float>(by);
  const bool turns = contour_area(p, kCorners) > 0;
  Point along[kCorners];
  Point normal[kCorners];
  Point moved[kCorners];
  for (std::size_t i = 0; i < kCorners; ++i) {
    const Point& next = p[(i + 1) % kCorners];
    const Point edge{next.x - p[i].x, next.y - p[i].y};
    const float length = std::sqrt(edge.x * edge.x + edge.y * edge.y);
    const float divisor = length > 1e-6F ? length : 1e-6F;
    along[i] = {edge.x / divisor, edge.y / divisor};
    normal[i] = turns ? Point{along[i].y, -along[i].x} : Point{-along[i].y, along[i].x};
    moved[i] = {p[i].x + step * normal[i].x, p[i].y + step * normal[i].y};
  }
  for (std::size_t i = 0; i < kCorners; ++i) {
    const std::size_t before = (i + kCorners - 1) % kCorners;
    const Point& u = along[i];
    const Point& v = along[before];
    // Where edges are parallel, the corner moves along the mean of both normals.
    const float crossed = v.x * u.y - v.y * u.x;
    if (std::fabs(crossed) < 1e-6F) {
      const auto half = static_cast<float>(0.5 * by);
      to[i] = {p[i].x + half * (normal[before].x + normal[i].x), p[i].y + half * (normal[before].y + normal[i].y)};
    } else {
      const Point apart{moved[i].x - moved[before].x, moved[i].y - moved[before].y};
      const float t = (apart.x * u.y - apart.y * u.x) / crossed;
      to[i] = {moved[before].x + v.x * t, moved[before].y + v.y * t};
    }
  }
  return kCorners;
}

float clipped(float x, double most) { return x < 0 ? 0 : wide(x) > most ? static_cast<float>(most) : x; }

/// Scales corners from the map to the picture, rounded and clipped. Returns false where PaddleOCR drops a small box.
bool scale_corners(const TextMap& from, const TextSettings& settings, const Point* corners, Point* to) {
  const auto width = static_cast<float>(from.width);
  const auto height = static_cast<float>(from.height);
  const bool is_round = settings.is_round != 0;
  const auto x_scale = static_cast<float>(settings.width / wide(width));
  const auto y_scale = static_cast<float>(settings.height / wide(height));
  for (std::size_t i = 0; i < kCorners; ++i) {
    const auto& [x, y] = corners[i];
    const float to_x = is_round ? x / width * static_cast<float>(settings.width) : x * x_scale;
    const float to_y = is_round ? y / height * static_cast<float>(settings.height) : y * y_scale;
    to[i] = {clipped(std::nearbyint(to_x), settings.width), clipped(std::nearbyint(to_y), settings.height)};
  }
  if (!is_round) return true;
  order_corners(to);
  for (std::size_t i = 0; i < kCorners; ++i)
    to[i] = {clipped(to[i].x, settings.width - 1), clipped(to[i].y, settings.height - 1)};
  constexpr double kLeast = 4;  // PaddleOCR drops sides that are at most 3, cut to a whole number
  return distance(to[0], to[1]) >= kLeast && distance(to[0], to[3]) >= kLeast;
}

}  // namespace

void binarize(const float* map, std::size_t height, std::size_t width, float threshold, bool dilate, std::uint8_t* to) {
  for (std::size_t i = 0; i < height * width; ++i) to[i] = map[i] > threshold ? 1 : 0;
  if (!dilate) return;
  // In place from the end on, so that pixels above and to the left are still as they were.
  for (std::size_t y = height; y-- > 0;) {
    for (std::size_t x = width; x-- > 0;) {
      const std::uint8_t* at = to + y * width + x;
      const bool above = y > 0 && (at[-static_cast<std::ptrdiff_t>(width)] != 0 ||
                                   (x > 0 && at[-static_cast<std::ptrdiff_t>(width) - 1] != 0));
      if (above || (x > 0 && at[-1] != 0)) to[y * width + x] = 1;
    }
  }
}

std::size_t find_text(const TextMap& from, const ContourSpace& contours, std::size_t count,
                      const TextSettings& settings, const TextSpace& space) {
  const auto [scratch, mask, boxes, scores] = space;
  constexpr double kGrownMore = 2;
  std::size_t length = 0;
  for (std::size_t left = count; left-- > 0;) {
    const Contour& contour = contours.contours[left];
    const auto points = static_cast<std::size_t>(contour.length);
    // The points in float32, in front of the room for their rectangle.
    auto* own = reinterpret_cast<Point*>(scratch);
    const std::int32_t* whole = contours.points + 2 * contour.start;
    for (std::size_t i = 0; i < points; ++i)
      own[i] = {static_cast<float>(whole[2 * i]), static_cast<float>(whole[2 * i + 1])};
    // The box, its score, the box after it has grown: each may drop the contour.
    const Box box = smallest_box(own, points, scratch + 2 * points);
    if (wide(box.short_side) < settings.least_side) continue;
    const double score = score_of(from, box.corners, mask);
    if (settings.least_score > score) continue;
    const double by = growth_of(box.corners, settings);
    const std::size_t grown =
        settings.is_round != 0 ? grow_round(box.corners, by, own) : grow_sharp(box.corners, by, own);
    if (grown == 0) continue;
    const Box larger = smallest_box(own, grown, scratch + 2 * grown);
    if (wide(larger.short_side) < settings.least_side + kGrownMore) continue;
    auto* to = reinterpret_cast<Point*>(boxes + 2 * kCorners * length);
    if (!scale_corners(from, settings, larger.corners, to)) continue;
    scores[length++] = static_cast<float>(score);
  }
  return length;
}

}  // namespace layout
