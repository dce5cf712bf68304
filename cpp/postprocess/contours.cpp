// postprocess/contours.h says what these functions do.

#include "postprocess/contours.h"

namespace layout {

namespace {

/// Neighbors, counterclockwise from the right one.
constexpr int kAround = 8;
constexpr int kStepX[kAround] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int kStepY[kAround] = {0, -1, -1, -1, 0, 1, 1, 1};
constexpr int kRight = 0;
constexpr int kLeft = 4;
int clockwise(int way) { return (way + kAround - 1) % kAround; }
int counterclockwise(int way) { return (way + 1) % kAround; }
int opposite(int way) { return (way + kAround / 2) % kAround; }

/// The label of the frame; the labels of borders follow it.
constexpr std::int32_t kFrame = 1;
constexpr std::int32_t kNoParent = -1;

/// Follows borders on a map of labels with a frame of zeros, and lists them. A pixel of the map is 0, kFrame where no
/// border has met it, or the label of a border.
class Follower {
 public:
  Follower(std::int32_t* map, std::ptrdiff_t width, bool simple, const ContourSpace& to)
      : map_(map), width_(width), simple_(simple), to_(to) {}

  ContourCounts counts() const { return counts_; }

  /// Follows the border that begins at a pixel, whose neighbor on the left (or on the right, of a hole) is 0: labels
  /// its pixels and lists its points, as Suzuki and Abe's step 3. `met`: the label of the border that was met last in
  /// this row.
  void follow(std::ptrdiff_t x, std::ptrdiff_t y, bool is_hole, std::int32_t met) {
    const std::int32_t label = kFrame + ++counts_.contours;
    const std::int32_t start = counts_.points;
    std::int32_t* const first = map_ + y * width_ + x;
    const int from = is_hole ? kRight : kLeft;
    const int to_last = way_to_last(first, from);
    if (to_last == from) {
      *first = -label;
      add_point(x, y);
    } else {
      walk(x, y, to_last, label);
    }
    const auto index = static_cast<std::size_t>(label - kFrame - 1);
    const std::int32_t length = counts_.points - start;
    if (index < to_.capacity) to_.contours[index] = {start, length, parent_of(met, is_hole), is_hole};
  }

 private:
  /// The way to the last pixel of a border: the first neighbor that is set, clockwise from `from`, where a 0 is. `from`
  /// itself where the border is one pixel.
  int way_to_last(const std::int32_t* first, int from) const {
    int way = clockwise(from);
    while (way != from && first[offset(way)] == 0) way = clockwise(way);
    return way;
  }

  /// Walks around a border from the pixel at (x, y) to the last one, which lies in direction `to_last` of it.
  void walk(std::ptrdiff_t x, std::ptrdiff_t y, int to_last, std::int32_t label) {
    std::int32_t* const first = map_ + y * width_ + x;
    std::int32_t* const last = first + offset(to_last);
    int way_before = opposite(to_last);
    int search_from = to_last;
    for (std::int32_t* pixel = first;;) {
      const auto [way, passed_right] = next_way(pixel, search_from);
      // Where the right neighbor is 0, the border ends a run of its row: its label becomes negative, so that the scan
      // does not follow it again.
      if (passed_right) {
        *pixel = -label;
      } else if (*pixel == kFrame) {
        *pixel = label;
      }
      const bool is_straight = way == way_before;
      if (!simple_ || !is_straight) add_point(x, y);
      std::int32_t* const next = pixel + offset(way);
      if (next == first && pixel == last) return;
      x += kStepX[way];
      y += kStepY[way];
      pixel = next;
      way_before = way;
      search_from = opposite(way);  // where the walk came from
    }
  }

  /// A way from a pixel to a neighbor, and whether the search for it passed the right neighbor, which is 0 then.
  struct FoundWay {
    int way;
    bool passed_right;
  };

  /// Finds the first neighbor that is set, counterclockwise from the one after `from`.
  FoundWay next_way(const std::int32_t* pixel, int from) const {
    bool passed_right = from == kRight && pixel[offset(from)] == 0;
    int way = counterclockwise(from);
    for (; pixel[offset(way)] == 0; way = counterclockwise(way)) passed_right = passed_right || way == kRight;
    return {way, passed_right};
  }

  /// How far the neighbor in a direction lies in the map.
  std::ptrdiff_t offset(int way) const { return kStepY[way] * width_ + kStepX[way]; }

  /// Counts a point, and lists it where there is room; the map has a frame, the points have none.
  void add_point(std::ptrdiff_t x, std::ptrdiff_t y) {
    const auto index = static_cast<std::size_t>(counts_.points++);
    if (index >= to_.capacity) return;
    to_.points[2 * index] = static_cast<std::int32_t>(x - 1);
    to_.points[2 * index + 1] = static_cast<std::int32_t>(y - 1);
  }

  /// The index of a new border's parent, by the label `met` of the border that was met last in its row (Suzuki and
  /// Abe's step 2): that one itself where one of the two is a hole's border and the other is not, else that one's
  /// parent. None where `met` is the frame's, or of a border for which the list had no room.
  std::int32_t parent_of(std::int32_t met, bool is_hole) const {
    const std::int32_t index = met - kFrame - 1;
    if (index < 0 || static_cast<std::size_t>(index) >= to_.capacity) return kNoParent;
    const Contour& border = to_.contours[index];
    const bool is_same_kind = (border.is_hole != 0) == is_hole;
    return is_same_kind ? border.parent : index;
  }

  std::int32_t* map_;
  std::ptrdiff_t width_;
  bool simple_;
  ContourSpace to_;
  ContourCounts counts_{0, 0};
};

}  // namespace

/// Scans row by row, and follows each border at its first pixel.
ContourCounts find_contours(const std::uint8_t* mask, std::size_t height, std::size_t width, bool simple,
                            std::int32_t* map, const ContourSpace& to) {
  const std::size_t stride = width + 2;
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) map[(y + 1) * stride + x + 1] = *mask++ != 0 ? kFrame : 0;
  }
  Follower follower(map, static_cast<std::ptrdiff_t>(stride), simple, to);
  for (std::size_t y = 1; y <= height; ++y) {
    std::int32_t* row = map + y * stride;
    std::int32_t met = kFrame;  // the label of the border that was met last in this row
    for (std::size_t x = 1; x <= width; ++x) {
      if (row[x] == 0) continue;
      const auto column = static_cast<std::ptrdiff_t>(x);
      const auto line = static_cast<std::ptrdiff_t>(y);
      // Suzuki and Abe's step 1: an outer border begins where a pixel without a label follows 0, a hole's where 0
      // follows a pixel. Negative labels end a run that was followed already.
      const bool begins_outer = row[x] == kFrame && row[x - 1] == 0;
      const bool begins_hole = !begins_outer && row[x] > 0 && row[x + 1] == 0;
      if (begins_hole && row[x] > kFrame) met = row[x];  // the pixel is on a border itself, the one met last
      if (begins_outer || begins_hole) follower.follow(column, line, begins_hole, met);
      // Step 4: the pixel may have got its label from the border that was just followed.
      if (row[x] != kFrame) met = row[x] < 0 ? -row[x] : row[x];
    }
  }
  return follower.counts();
}

}  // namespace layout
