#include "postprocess/boxes.h"

#include <cmath>

namespace layout {

namespace {

constexpr std::size_t kSides = 4;
/// torchvision's: 4000 numbers.
constexpr std::size_t kMostShifted = 1000;

/// The second operand where either is NaN, as in std::max; torch gives NaN, and so does what follows.
float larger(float a, float b) { return a > b ? a : b; }
float smaller(float a, float b) { return a < b ? a : b; }

float area_of(const float* box) { return (box[2] - box[0]) * (box[3] - box[1]); }

float intersection(const float* a, const float* b) {
  const float width = larger(smaller(a[2], b[2]) - larger(a[0], b[0]), 0);
  const float height = larger(smaller(a[3], b[3]) - larger(a[1], b[1]), 0);
  return width * height;
}

/// Whether a box comes first and is far over another one.
struct Overlap {
  const float* boxes;
  const float* areas;
  double threshold;
  bool operator()(std::size_t a, std::size_t b) const {
    const float common = intersection(boxes + kSides * a, boxes + kSides * b);
    return static_cast<double>(common / (areas[a] + areas[b] - common)) > threshold;
  }
};

}  // namespace

void convert_boxes(const float* boxes, std::size_t count, BoxFormat in, BoxFormat out, float* to) {
  for (std::size_t i = 0; i < count; ++i, boxes += kSides, to += kSides) {
    float p = boxes[0];
    float q = boxes[1];
    float r = boxes[2];
    float s = boxes[3];
    if (in != out) {
      if (in == BoxFormat::kCenterAndSize) {
        const float half_width = 0.5F * r;
        const float half_height = 0.5F * s;
        r = p + half_width;
        s = q + half_height;
        p -= half_width;
        q -= half_height;
      } else if (in == BoxFormat::kCornerAndSize) {
        r = p + r;
        s = q + s;
      }
      if (out == BoxFormat::kCornerAndSize) {
        r -= p;
        s -= q;
      } else if (out == BoxFormat::kCenterAndSize) {
        const float width = r - p;
        const float height = s - q;
        p = (p + r) / 2;
        q = (q + s) / 2;
        r = width;
        s = height;
      }
    }
    to[0] = p;
    to[1] = q;
    to[2] = r;
    to[3] = s;
  }
}

void scale_boxes(float* boxes, std::size_t count, float x, float y) {
  for (std::size_t i = 0; i < 2 * count; ++i) {
    boxes[2 * i] *= x;
    boxes[2 * i + 1] *= y;
  }
}

void sort_corners(float* boxes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, boxes += kSides) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const float first = boxes[axis];
      const float last = boxes[axis + 2];
      boxes[axis] = smaller(first, last);
      boxes[axis + 2] = larger(first, last);
    }
  }
}

void clip_boxes(float* boxes, std::size_t count, float width, float height) {
  const auto clipped = [](float value, float most) { return value < 0 ? 0 : value > most ? most : value; };
  for (std::size_t i = 0; i < 2 * count; ++i) {
    boxes[2 * i] = clipped(boxes[2 * i], width);
    boxes[2 * i + 1] = clipped(boxes[2 * i + 1], height);
  }
}

void box_areas(const float* boxes, std::size_t count, float* areas) {
  for (std::size_t i = 0; i < count; ++i) areas[i] = area_of(boxes + kSides * i);
}

void box_overlaps(const float* a, std::size_t count_a, const float* b, std::size_t count_b, bool generalized,
                  float* to) {
  for (std::size_t i = 0; i < count_a; ++i, a += kSides) {
    const float area = area_of(a);
    for (std::size_t j = 0; j < count_b; ++j) {
      const float* other = b + kSides * j;
      const float common = intersection(a, other);
      const float both = area + area_of(other) - common;
      float overlap = common / both;
      if (generalized) {
        const float width = larger(larger(a[2], other[2]) - smaller(a[0], other[0]), 0);
        const float height = larger(larger(a[3], other[3]) - smaller(a[1], other[1]), 0);
        const float hull = width * height;
        overlap -= (hull - both) / hull;
      }
      *to++ = overlap;
    }
  }
}

std::size_t large_boxes(const float* boxes, std::size_t count, float side, std::int32_t* to) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i, boxes += kSides) {
    if (boxes[2] - boxes[0] >= side && boxes[3] - boxes[1] >= side) to[kept++] = static_cast<std::int32_t>(i);
  }
  return kept;
}

std::size_t suppress(const RankedBoxes& from, std::size_t most, float* areas, std::int32_t* kept) {
  const auto [boxes, order, count, threshold] = from;
  box_areas(boxes, count, areas);
  const Overlap overlaps{boxes, areas, threshold};
  std::size_t length = 0;
  for (std::size_t rank = 0; rank < count && length < most; ++rank) {
    const auto box = static_cast<std::size_t>(order[rank]);
    bool is_kept = true;
    for (std::size_t i = 0; i < length && is_kept; ++i) is_kept = !overlaps(static_cast<std::size_t>(kept[i]), box);
    if (is_kept) kept[length++] = order[rank];
  }
  return length;
}

std::size_t suppress_classes(const RankedBoxes& from, const std::int32_t* classes, float* shifted, float* areas,
                             std::int32_t* kept) {
  const auto [boxes, order, count, threshold] = from;
  if (count > kMostShifted) {
    box_areas(boxes, count, areas);
    const Overlap overlaps{boxes, areas, threshold};
    std::size_t length = 0;
    for (std::size_t rank = 0; rank < count; ++rank) {
      const auto box = static_cast<std::size_t>(order[rank]);
      bool is_kept = true;
      for (std::size_t i = 0; i < length && is_kept; ++i) {
        const auto best = static_cast<std::size_t>(kept[i]);
        is_kept = classes[best] != classes[box] || !overlaps(best, box);
      }
      if (is_kept) kept[length++] = order[rank];
    }
    return length;
  }
  float most = boxes[0];
  for (std::size_t i = 1; i < kSides * count; ++i) most = larger(most, boxes[i]);
  for (std::size_t i = 0; i < kSides * count; ++i)
    shifted[i] = boxes[i] + static_cast<float>(classes[i / kSides]) * (most + 1);
  return suppress({shifted, order, count, threshold}, count, areas, kept);
}

void suppress_scores(const float* boxes, const std::int32_t* order, std::size_t count, double threshold,
                     float* scores) {
  for (std::size_t rank = 0; rank < count; ++rank) {
    const auto best = static_cast<std::size_t>(order[rank]);
    if (scores[best] == 0) continue;
    const float* box = boxes + kSides * best;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == best) continue;
      const float* other = boxes + kSides * i;
      const float common = intersection(box, other);
      const float overlap = common / (area_of(box) + area_of(other) - common);
      if (static_cast<double>(overlap) > threshold) scores[i] = 0;
    }
  }
}

}  // namespace layout
