// postprocess/polygons.h says what these functions do.

#include <cstdlib>
#include <utility>

#include "postprocess/polygons.h"
#include "postprocess/shell_sort.h"

namespace layout {

namespace {

struct GridPoint {
  std::int64_t x;
  std::int64_t y;
};

/// A line between whole points.
struct Line {
  GridPoint ends[2];

  /// Cuts off the parts of the line that leave the canvas: above and below it, then on both sides. The places of the
  /// new ends are rounded toward zero, as OpenCV's are. Returns whether anything is left. If not, the line has its old
  /// ends, or those of the cut above and below: edge_of takes them.
  bool clip(const Canvas& canvas) {
    if (is_beside(&GridPoint::x, canvas.width) || is_beside(&GridPoint::y, canvas.height)) return false;
    cut(&GridPoint::y, &GridPoint::x, canvas.height);
    // Cut, a line that passes a corner of the canvas may lie beside it.
    if (is_beside(&GridPoint::x, canvas.width)) return false;
    cut(&GridPoint::x, &GridPoint::y, canvas.width);
    return true;
  }

  /// Sets the pixels of an 8-connected line from its left end on, by Bresenham's algorithm.
  void draw(const Canvas& canvas) const {
    const bool is_forward = ends[0].x <= ends[1].x;
    GridPoint pixel = ends[is_forward ? 0 : 1];
    const GridPoint& end = ends[is_forward ? 1 : 0];
    // Each pixel moves by one on the major axis, and by one on the minor one where the error of staying is too large.
    std::int64_t major = end.x - pixel.x;
    std::int64_t minor = std::abs(end.y - pixel.y);
    const bool is_steep = minor > major;
    if (is_steep) std::swap(major, minor);
    const std::int64_t step_y = end.y < pixel.y ? -1 : 1;
    std::int64_t error = major - 2 * minor;
    for (std::int64_t i = 0; i <= major; ++i) {
      canvas.mask[pixel.y * canvas.width + pixel.x] = canvas.value;
      const bool moves_both = error < 0;
      error += 2 * (moves_both ? major : 0) - 2 * minor;
      pixel.x += !is_steep || moves_both ? 1 : 0;
      pixel.y += is_steep || moves_both ? step_y : 0;
    }
  }

 private:
  using Axis = std::int64_t GridPoint::*;

  /// Where a place lies: -1 before the canvas, 0 on it, 1 past it.
  static int side_of(std::int64_t place, std::int64_t extent) { return place < 0 ? -1 : place >= extent ? 1 : 0; }

  /// Whether both ends lie before the canvas, or both past it.
  bool is_beside(Axis axis, std::int64_t extent) const {
    const int side = side_of(ends[0].*axis, extent);
    return side != 0 && side == side_of(ends[1].*axis, extent);
  }

  /// Moves ends that lie beyond the canvas on the axis `along` to its edge, on the line. `extent` is the canvas' size.
  /// The ends are not both beyond the same edge, so the division is by no 0.
  void cut(Axis along, Axis across, std::int64_t extent) {
    for (GridPoint& end : ends) {
      const int side = side_of(end.*along, extent);
      if (side == 0) continue;
      const std::int64_t edge = side < 0 ? 0 : extent - 1;
      const std::int64_t rise = ends[1].*across - ends[0].*across;
      const std::int64_t run = ends[1].*along - ends[0].*along;
      end.*across += (edge - end.*along) * rise / run;
      end.*along = edge;
    }
  }
};

constexpr int kFraction = 16;
constexpr std::int64_t kOne = 1 << kFraction;

/// Makes the edge of a line that crosses rows, in fixed point of 16 fraction bits. It has all rows of the line, but its
/// slope is that of the line clipped to the canvas, whose rounded ends OpenCV takes.
PolygonEdge edge_of(const Line& line, const Line& clipped) {
  const auto& [start, end] = line.ends;
  const auto& [cut_start, cut_end] = clipped.ends;
  // A line beside the canvas may be cut to one row, which has no slope.
  const bool is_flat = cut_start.y == cut_end.y;
  const GridPoint from{cut_start.x, is_flat ? start.y : cut_start.y};
  const GridPoint to{cut_end.x, is_flat ? end.y : cut_end.y};
  const std::int64_t slope = (to.x - from.x) * kOne / (to.y - from.y);
  const bool is_down = start.y < end.y;
  const std::int64_t top = is_down ? start.y : end.y;
  const std::int64_t bottom = is_down ? end.y : start.y;
  const GridPoint& upper = is_down ? from : to;
  const std::int64_t place = upper.x * kOne + (top - upper.y) * slope;
  return {top, bottom, place, slope, 0};
}

/// Sorts edges by a member.
void sort_edges(PolygonEdge* edges, std::size_t count, std::int64_t PolygonEdge::*key) {
  shell_sort(edges, count, [=](const PolygonEdge& a, const PolygonEdge& b) { return a.*key < b.*key; });
}

/// Makes a copy of an edge with its crossing of row `y`.
PolygonEdge crossed(const PolygonEdge& edge, std::int64_t y) {
  const std::int64_t crossing = edge.place + edge.slope * (y - edge.top);
  return {edge.top, edge.end, edge.place, edge.slope, crossing};
}

/// Moves the crossings of the first `count` edges, which crossed the row before, to row `y`. Drops edges that end
/// before it, and keeps the order of the others. Returns how many are left.
std::size_t cross_row(PolygonEdge* edges, std::size_t count, std::int64_t y) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (y < edges[i].end) edges[length++] = crossed(edges[i], y);
  }
  return length;
}

/// Sorts edges by their crossings. Most have the order of the row before, so insertion moves each by few places; where
/// they move far, as ten thousand edges that cross each other do, Shell's sort goes on.
void order_crossings(PolygonEdge* edges, std::size_t count) {
  const std::size_t most_moves = 8 * count;
  std::size_t moves = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const PolygonEdge moved = edges[i];
    std::size_t to = i;
    for (; to > 0 && moved.crossing < edges[to - 1].crossing; --to) edges[to] = edges[to - 1];
    edges[to] = moved;
    moves += i - to;
    if (moves > most_moves) return sort_edges(edges, count, &PolygonEdge::crossing);
  }
}

/// Draws the outline of a polygon. Returns how many edges cross rows, which it writes to `edges`.
std::size_t draw_outline(const std::int32_t* points, std::size_t count, const Canvas& canvas, PolygonEdge* edges) {
  std::size_t edge_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t* before = points + 2 * (i == 0 ? count - 1 : i - 1);
    const std::int32_t* point = points + 2 * i;
    const Line line{{{before[0], before[1]}, {point[0], point[1]}}};
    Line clipped = line;
    if (clipped.clip(canvas)) clipped.draw(canvas);
    const bool crosses_rows = line.ends[0].y != line.ends[1].y;
    if (crosses_rows) edges[edge_count++] = edge_of(line, clipped);
  }
  return edge_count;
}

/// Fills row `y` between every other of `count` crossings, which are in order.
void fill_row(const PolygonEdge* edges, std::size_t count, const Canvas& canvas, std::int64_t y) {
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    const std::int64_t rounded_up = (edges[i].crossing + kOne - 1) >> kFraction;
    const std::int64_t first = rounded_up < 0 ? 0 : rounded_up;
    const std::int64_t last = edges[i + 1].crossing >> kFraction;
    for (std::int64_t x = first; x <= last && x < canvas.width; ++x) canvas.mask[y * canvas.width + x] = canvas.value;
  }
}

}  // namespace

/// Draws the outline, then fills row by row between the crossings of edges.
void fill_polygon(const std::int32_t* points, std::size_t count, const Canvas& canvas, PolygonEdge* edges) {
  if (canvas.height == 0 || canvas.width == 0) return;
  const std::size_t edge_count = draw_outline(points, count, canvas, edges);
  sort_edges(edges, edge_count, &PolygonEdge::top);
  // The first `crossing_count` edges cross a row; those from `next` on begin later.
  std::size_t crossing_count = 0;
  std::size_t next = 0;
  for (std::int64_t y = 0; y < canvas.height; ++y) {
    crossing_count = cross_row(edges, crossing_count, y);
    for (; next < edge_count && edges[next].top <= y; ++next) {
      if (edges[next].end > y) edges[crossing_count++] = crossed(edges[next], y);
    }
    order_crossings(edges, crossing_count);
    fill_row(edges, crossing_count, canvas, y);
  }
}

}  // namespace layout
