/// Boxes as torchvision.ops has them: 4 float32 a box, corners x0, y0, x1, y1 unless said.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// The places of the sides of a box that is given by its corners, and how many numbers a box of any format has.
inline constexpr std::size_t kLeft = 0, kTop = 1, kRight = 2, kBottom = 3, kSides = 4;

enum class BoxFormat : std::uint8_t { kXyxy, kXywh, kCxcywh };

/// Converts boxes from one format to another. `to` may be `boxes`.
void convert_boxes(const float* boxes, std::size_t count, BoxFormat in, BoxFormat out, float* to);

/// Multiplies boxes by [x, y, x, y], in place.
void scale_boxes(float* boxes, std::size_t count, float x, float y);

/// Makes the first corner the lesser one, in place.
void sort_corners(float* boxes, std::size_t count);

/// Cuts boxes at the edges of a picture, in place.
void clip_boxes(float* boxes, std::size_t count, float width, float height);

/// Writes the area of each box.
void box_areas(const float* boxes, std::size_t count, float* areas);

/// Writes the overlap of each pair of boxes to `to` [count_a, count_b]: the area in common by that of the union. With
/// `generalized`, less the part of the hull (the smallest box around both) that neither covers. 0 / 0 gives NaN: where
/// neither box has an area.
void box_overlaps(const float* a, std::size_t count_a, const float* b, std::size_t count_b, bool generalized,
                  float* to);

/// Writes the indices of the boxes of which no side is shorter than `side`, as torchvision's remove_small_boxes.
/// Returns their number.
std::size_t large_boxes(const float* boxes, std::size_t count, float side, std::int32_t* to);

/// `count` boxes, at least 1, and the order in which they are kept, unless they overlap a kept one more than the
/// threshold. The overlap is compared in float64.
struct RankedBoxes {
  const float* boxes;
  const std::int32_t* order;
  std::size_t count;
  double threshold;
};

/// Writes the indices of the boxes that greedy suppression keeps, until there are `most`: torchvision's nms where
/// `classes` is null, else its batched_nms, where only boxes of one class suppress each other. Up to 1000 boxes are
/// shifted by class * (greatest coordinate + 1), as torchvision does, which moves the overlap's last bits; more are
/// compared within their classes. `shifted` has room for 4 * count, `blocks` for 6 * (count + 3). Returns the number of
/// indices kept.
std::size_t suppress(const RankedBoxes& from, const std::int32_t* classes, std::size_t most, float* shifted,
                     float* blocks, std::int32_t* kept);

/// OWL-ViT's suppression: each box whose score is not 0, in `order` (falling scores), sets the scores of all others to
/// 0 that it overlaps by more than the threshold.
void suppress_scores(const float* boxes, const std::int32_t* order, std::size_t count, double threshold, float* scores);

}  // namespace layout
