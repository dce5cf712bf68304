/// Heads of YOLO: candidates, suppression of rotated boxes, and the way back through a letterbox.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Channels of each anchor: a box (center and size), an objectness where the head has one, a score a class, extras.
struct Head {
  const float* data;
  std::size_t anchors;
  std::size_t classes;
  std::size_t channel_stride;
  std::size_t anchor_stride;
  bool has_objectness;
};

struct Candidates {
  std::int32_t* anchors;
  std::int32_t* classes;
  float* scores;
};

/// Lists the anchors whose best class is above a threshold, with the first of equal classes; `all_classes`: one
/// candidate for each class above it. Then `allowed`, where not null, says which classes stay. An anchor with a NaN is
/// no candidate. Returns their count. `best` has room for an anchor's score and class each: 8 bytes an anchor.
std::size_t find_candidates(const Head& head, float threshold, bool all_classes, const std::uint8_t* allowed,
                            const Candidates& to, float* best);

/// Neighboring channels: `width` of them, from `first` on, and how far apart the rows are that they are copied to.
struct Channels {
  std::size_t first;
  std::size_t width;
  std::size_t stride;
};
/// Copies these channels of some anchors, each to a row of its own.
void gather_channels(const Head& head, const Channels& which, const std::int32_t* anchors, std::size_t count,
                     float* to);

/// [count, width] numbers, a box first.
struct BoxRows {
  const float* rows;
  std::size_t count;
  std::size_t width;
};

/// Which of the first `count` classes are allowed; all classes where `allowed` is null.
struct AllowedClasses {
  const std::uint8_t* allowed;
  std::size_t count;
};

/// Lists the indices of the rows whose score, in column 4, is above a threshold and whose class, in column 5, is
/// allowed. Returns how many there are.
std::size_t find_scored_rows(const BoxRows& from, float threshold, const AllowedClasses& classes, std::int32_t* to);

/// Copies rows to `to`, with class * distance added to the first `shifted` numbers of each, so that boxes of different
/// classes do not overlap.
void shift_boxes(const BoxRows& from, std::size_t shifted, const std::int32_t* classes, float distance, float* to);

/// Lists the indices of the rotated boxes [count, 5], which come best first, that no better box overlaps by more than
/// the threshold; boxes that are not listed count as better ones, too. The overlap is ProbIoU, of boxes as Gaussians.
/// `covariances` has room for 3 numbers a box. Returns how many are listed.
std::size_t suppress_rotated(const float* boxes, std::size_t count, double threshold, double* covariances,
                             std::int32_t* kept);

/// Brings the angles of rotated boxes [count, 5] into [0, pi / 2), in place, as Ultralytics' regularize_rboxes. Width
/// and height change places where the angle, less its half turns, is a quarter turn or more.
void regularize_boxes(float* boxes, std::size_t count);

/// Where a picture lies in its letterbox.
struct Letterbox {
  float gain_x;
  float gain_y;
  float left;
  float top;
  float width;
  float height;
};

enum class LetterboxRow : std::uint8_t { kPoint, kCorners, kCenterAndSize };

/// Takes rows of a point, two corners, or a center and a size, `stride` numbers apart, from the letterbox to the
/// picture, in place. Points are cut at its edges, centers are not.
void leave_letterbox(float* rows, std::size_t count, std::size_t stride, LetterboxRow kind, const Letterbox& from);

/// Clears masks outside of their boxes, in place. Of a box (x0, y0, x1, y1 in pixels) the columns x with x0 <= x < x1
/// stay, in the rows y with y0 <= y < y1.
void cut_masks(std::uint8_t* masks, std::size_t count, std::size_t height, std::size_t width, const float* boxes);

}  // namespace layout
