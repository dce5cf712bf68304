// postprocess/text.h says what these functions do.

#include "postprocess/text.h"

#include <cmath>
#include <utility>

#include "postprocess/polygons.h"
#include "postprocess/round_offset.h"

namespace layout {

namespace {

struct Box {
  Point corners[kCorners];
  float short_side;
};

double distance(const Point& a, const Point& b) {
  const double x = to_float64(a.x) - to_float64(b.x);
  const double y = to_float64(a.y) - to_float64(b.y);
  return std::sqrt(x * x + y * y);
}

/// Sorts by insertion, so that equal ones stay in order.
void sort_by_x(Point* corners) {
  for (std::size_t i = 1; i < kCorners; ++i) {
    const Point moved = corners[i];
    std::size_t to = i;
    for (; to > 0 && moved.x < corners[to - 1].x; --to) corners[to] = corners[to - 1];
    corners[to] = moved;
  }
}

/// Orders corners clockwise from the top left. The two of least x are those on the left, the others those on the right;
/// of each two, the upper one is the first by x, unless `second_is_upper(first, second)`.
template <typename IsUpper>
void order_corners(Point* corners, const IsUpper& second_is_upper) {
  sort_by_x(corners);
  Point top_left = corners[0], bottom_left = corners[1];
  Point top_right = corners[2], bottom_right = corners[3];
  if (second_is_upper(top_left, bottom_left)) std::swap(top_left, bottom_left);
  if (second_is_upper(top_right, bottom_right)) std::swap(top_right, bottom_right);
  corners[0] = top_left;
  corners[1] = top_right;
  corners[2] = bottom_right;
  corners[3] = bottom_left;
}

/// Finds the smallest rectangle around points: corners clockwise from the top left, and the length of its shorter side.
Box smallest_box(const Point* points, std::size_t count, float* scratch) {
  const RotatedRect rect = min_area_rect(points, count, scratch);
  Box box{};
  box_points(rect, box.corners);
  // PaddleOCR's order: of equal y, the second one is the upper.
  order_corners(box.corners, [](const Point& first, const Point& second) { return !(second.y > first.y); });
  box.short_side = rect.width < rect.height ? rect.width : rect.height;
  return box;
}

/// A place, clamped to the map and cut to a whole number.
int inside(double x, std::size_t extent) {
  const auto most = static_cast<double>(extent - 1);
  return static_cast<int>(x < 0 ? 0 : x > most ? most : x);
}

/// A part of a map, in pixels.
struct MapPart {
  int left, top, width, height;
};

/// The part of a map around a box.
MapPart part_around(const Point* corners, const TextMap& map) {
  Point least = corners[0];
  Point most = corners[0];
  for (std::size_t i = 1; i < kCorners; ++i) {
    const auto& [x, y] = corners[i];
    least = {x < least.x ? x : least.x, y < least.y ? y : least.y};
    most = {x > most.x ? x : most.x, y > most.y ? y : most.y};
  }
  const int left = inside(std::floor(to_float64(least.x)), map.width);
  const int right = inside(std::ceil(to_float64(most.x)), map.width);
  const int top = inside(std::floor(to_float64(least.y)), map.height);
  const int bottom = inside(std::ceil(to_float64(most.y)), map.height);
  return {left, top, right - left + 1, bottom - top + 1};
}

/// Writes the mask of a box, its corners cut to whole numbers, on a part of the map: 1 inside of it, else 0.
void mask_box(const Point* corners, const MapPart& part, std::uint8_t* mask) {
  std::int32_t points[2 * kCorners];
  for (std::size_t i = 0; i < kCorners; ++i) {
    points[2 * i] = static_cast<std::int32_t>(corners[i].x - static_cast<float>(part.left));
    points[2 * i + 1] = static_cast<std::int32_t>(corners[i].y - static_cast<float>(part.top));
  }
  for (int i = 0; i < part.width * part.height; ++i) mask[i] = 0;
  PolygonEdge edges[kCorners];
  fill_polygon(points, kCorners, {mask, part.height, part.width, 1}, edges);
}

/// The score of a box: the mean of the map over the pixels that it covers; 0 where it covers none. `mask` is work
/// memory as large as the map.
double score_of(const TextMap& map, const Point* corners, std::uint8_t* mask) {
  const MapPart part = part_around(corners, map);
  mask_box(corners, part, mask);
  double sum = 0;
  double count = 0;
  for (int y = 0; y < part.height; ++y) {
    const float* row =
        map.map + static_cast<std::size_t>(part.top + y) * map.width + static_cast<std::size_t>(part.left);
    for (int x = 0; x < part.width; ++x) {
      if (*mask++ == 0) continue;
      sum += to_float64(row[x]);
      ++count;
    }
  }
  return count > 0 ? sum / count : 0;
}

/// Shapely's area of a box, from places relative to its first corner. OpenCV's differs in its last bit.
double ring_area(const Point* box) {
  double twice = 0;
  for (std::size_t i = 1; i < kCorners; ++i) {
    const Point& before = box[i - 1];
    const Point& after = box[(i + 1) % kCorners];
    twice += (to_float64(box[i].x) - to_float64(box[0].x)) * (to_float64(before.y) - to_float64(after.y));
  }
  return twice / 2;
}

/// How far a box grows, in pixels of the map: its area times the setting's ratio, divided by its perimeter.
double growth_of(const Point* box, const TextSettings& settings) {
  double perimeter = 0;
  for (std::size_t i = 0; i < kCorners; ++i) perimeter += distance(box[(i + 1) % kCorners], box[i]);
  const double area = settings.is_round != 0 ? ring_area(box) : contour_area(box, kCorners);
  return std::fabs(area) * settings.unclip_ratio / perimeter;
}

/// Grows a box by moving its edges outwards by a distance, in float32. The new corners, of which it returns the number,
/// are where neighboring edges meet.
std::size_t grow_sharp(const Point* corners, double distance, Point* to) {
  constexpr float kTiny = 1e-6F;
  const auto step = static_cast<float>(distance);
  const bool is_positive = contour_area(corners, kCorners) > 0;
  // Edge i, from corner i to the next one: its unit vector, that outwards, and its moved first point.
  Point along[kCorners];
  Point normal[kCorners];
  Point moved[kCorners];
  for (std::size_t i = 0; i < kCorners; ++i) {
    const Point& corner = corners[i];
    const Point& next = corners[(i + 1) % kCorners];
    const Point edge{next.x - corner.x, next.y - corner.y};
    const float length = std::sqrt(edge.x * edge.x + edge.y * edge.y);
    const float divisor = length > kTiny ? length : kTiny;
    along[i] = {edge.x / divisor, edge.y / divisor};
    normal[i] = is_positive ? Point{along[i].y, -along[i].x} : Point{-along[i].y, along[i].x};
    moved[i] = {corner.x + step * normal[i].x, corner.y + step * normal[i].y};
  }
  for (std::size_t i = 0; i < kCorners; ++i) {
    const std::size_t before = (i + kCorners - 1) % kCorners;
    const Point& u = along[i];
    const Point& v = along[before];
    const float cross_product = v.x * u.y - v.y * u.x;
    const bool are_parallel = std::fabs(cross_product) < kTiny;
    if (are_parallel) {  // the corner moves along the mean of both normals
      const auto half = static_cast<float>(0.5 * distance);
      const Point sum{normal[before].x + normal[i].x, normal[before].y + normal[i].y};
      to[i] = {corners[i].x + half * sum.x, corners[i].y + half * sum.y};
    } else {  // the point moved[before] + t * v that lies on the moved edge i
      const Point apart{moved[i].x - moved[before].x, moved[i].y - moved[before].y};
      const float t = (apart.x * u.y - apart.y * u.x) / cross_product;
      to[i] = {moved[before].x + v.x * t, moved[before].y + v.y * t};
    }
  }
  return kCorners;
}

/// Grows a box by the setting's rule. Returns how many points it has; 0 where nothing is left to grow.
std::size_t grow(const Point* box, const TextSettings& settings, Point* to) {
  const double distance = growth_of(box, settings);
  return settings.is_round != 0 ? grow_round(box, distance, to) : grow_sharp(box, distance, to);
}

/// Copies whole points, x and y in turn, to points of float32.
void copy_points(const std::int32_t* whole, std::size_t count, Point* to) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = {static_cast<float>(whole[2 * i]), static_cast<float>(whole[2 * i + 1])};
}

float clipped(float x, double most) { return x < 0 ? 0 : to_float64(x) > most ? static_cast<float>(most) : x; }

/// Scales corners from the map to the picture, rounded and clipped. Returns false where PaddleOCR drops a small box.
bool scale_corners(const TextMap& from, const TextSettings& settings, const Point* corners, Point* to) {
  const auto width = static_cast<float>(from.width);
  const auto height = static_cast<float>(from.height);
  const bool is_round = settings.is_round != 0;
  const auto x_scale = static_cast<float>(settings.width / to_float64(width));
  const auto y_scale = static_cast<float>(settings.height / to_float64(height));
  for (std::size_t i = 0; i < kCorners; ++i) {
    const auto& [x, y] = corners[i];
    const float to_x = is_round ? x / width * static_cast<float>(settings.width) : x * x_scale;
    const float to_y = is_round ? y / height * static_cast<float>(settings.height) : y * y_scale;
    to[i] = {clipped(std::nearbyint(to_x), settings.width), clipped(std::nearbyint(to_y), settings.height)};
  }
  if (!is_round) return true;
  order_corners(to, [](const Point& first, const Point& second) { return second.y < first.y; });
  for (std::size_t i = 0; i < kCorners; ++i)
    to[i] = {clipped(to[i].x, settings.width - 1), clipped(to[i].y, settings.height - 1)};
  constexpr double kLeast = 4;  // PaddleOCR drops sides that are at most 3, cut to a whole number
  const double top_side = distance(to[0], to[1]);
  const double left_side = distance(to[0], to[3]);
  return top_side >= kLeast && left_side >= kLeast;
}

}  // namespace

void binarize(const float* map, std::size_t height, std::size_t width, float threshold, bool dilate, std::uint8_t* to) {
  for (std::size_t i = 0; i < height * width; ++i) to[i] = map[i] > threshold ? 1 : 0;
  if (!dilate) return;
  const auto is_set = [&](std::size_t y, std::size_t x) { return to[y * width + x] != 0; };
  // In place from the end on, so that pixels above and to the left are still as they were.
  for (std::size_t y = height; y-- > 0;) {
    for (std::size_t x = width; x-- > 0;) {
      const bool left = x > 0 && is_set(y, x - 1);
      const bool above = y > 0 && is_set(y - 1, x);
      const bool above_left = x > 0 && y > 0 && is_set(y - 1, x - 1);
      if (left || above || above_left) to[y * width + x] = 1;
    }
  }
}

/// Makes a box of each contour: scores it, grows it, scales it to the picture.
std::size_t find_text(const TextMap& from, const ContourSpace& contours, std::size_t count,
                      const TextSettings& settings, const TextSpace& space) {
  const auto [scratch, mask, boxes, scores] = space;
  constexpr double kGrownMore = 2;
  // The points of a contour, then those of its grown box. The memory after them is for their smallest rectangle.
  auto* points = reinterpret_cast<Point*>(scratch);
  std::size_t written = 0;
  for (std::size_t left = count; left-- > 0;) {
    const Contour& contour = contours.contours[left];
    const auto point_count = static_cast<std::size_t>(contour.length);
    copy_points(contours.points + 2 * contour.start, point_count, points);
    const Box box = smallest_box(points, point_count, scratch + 2 * point_count);
    if (to_float64(box.short_side) < settings.least_side) continue;
    const double score = score_of(from, box.corners, mask);
    if (settings.least_score > score) continue;
    const std::size_t grown_count = grow(box.corners, settings, points);
    if (grown_count == 0) continue;
    const Box grown = smallest_box(points, grown_count, scratch + 2 * grown_count);
    if (to_float64(grown.short_side) < settings.least_side + kGrownMore) continue;
    auto* to = reinterpret_cast<Point*>(boxes + 2 * kCorners * written);
    if (!scale_corners(from, settings, grown.corners, to)) continue;
    scores[written++] = static_cast<float>(score);
  }
  return written;
}

}  // namespace layout
