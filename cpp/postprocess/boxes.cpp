// postprocess/boxes.h says what these functions do.

#include "postprocess/boxes.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "bits/simd128.h"

namespace layout {

namespace {

constexpr std::size_t kSides = 4;
/// torchvision shifts boxes by their classes up to 4000 numbers, 4 a box.
constexpr std::size_t kMostShifted = 1000;

/// The greater number; the second operand where either is NaN. torch gives NaN, which comes back with the area of a box
/// that has a NaN: its overlaps are NaN, too.
float larger(float a, float b) { return a > b ? a : b; }
float smaller(float a, float b) { return a < b ? a : b; }

float area_of(const float* box) { return (box[2] - box[0]) * (box[3] - box[1]); }

/// The area that two boxes have in common; 0 where they have none.
float intersection(const float* a, const float* b) {
  const float width = larger(smaller(a[2], b[2]) - larger(a[0], b[0]), 0);
  const float height = larger(smaller(a[3], b[3]) - larger(a[1], b[1]), 0);
  return width * height;
}

/// Boxes that suppression has kept, in blocks of four: vectors of their four sides, areas and labels. Lanes of the last
/// block without a box are NaN, which overlaps nothing.
class KeptBoxes {
 public:
  KeptBoxes(float* blocks, double threshold) : blocks_(blocks), threshold_(threshold) {}

  std::size_t count() const { return count_; }

  /// Adds a box to the last block, or to a new one, which is filled with NaN first.
  void add(const float* box, std::int32_t label) {
    float* lane = blocks_ + kBlock * (count_ / kLanes);
    if (count_ % kLanes == 0) std::fill_n(lane, kBlock, std::numeric_limits<float>::quiet_NaN());
    lane += count_++ % kLanes;
    for (std::size_t side = 0; side < kSides; ++side) lane[kLanes * side] = box[side];
    lane[kLanes * kSides] = area_of(box);
    std::memcpy(lane + kLanes * kLabel, &label, sizeof label);
  }

  /// Whether a kept box of the same label overlaps this one by more than the threshold.
  bool overlap(const float* box, std::int32_t label) const {
    const v128_t zero = wasm_f32x4_splat(0);
    const v128_t area = wasm_f32x4_splat(area_of(box));
    for (const float* at = blocks_; at < blocks_ + kBlock * ((count_ + kLanes - 1) / kLanes); at += kBlock) {
      const auto side = [&](std::size_t i) { return wasm_v128_load(at + kLanes * i); };
      const auto length = [&](std::size_t i) {
        const v128_t end = wasm_f32x4_pmin(wasm_f32x4_splat(box[i + 2]), side(i + 2));
        return wasm_f32x4_pmax(zero, wasm_f32x4_sub(end, wasm_f32x4_pmax(wasm_f32x4_splat(box[i]), side(i))));
      };
      const v128_t common = wasm_f32x4_mul(length(0), length(1));
      const v128_t is_same = wasm_i32x4_eq(side(kLabel), wasm_i32x4_splat(label));
      // Most boxes have nothing in common: an overlap of 0 is above no threshold of 0 or more.
      if (!wasm_v128_any_true(wasm_v128_and(is_same, wasm_f32x4_gt(common, zero))) && threshold_ >= 0) continue;
      const v128_t both = wasm_f32x4_sub(wasm_f32x4_add(side(kSides), area), common);
      // A box of another label becomes NaN, which is above nothing.
      const v128_t over = wasm_v128_or(wasm_f32x4_div(common, both), wasm_v128_not(is_same));
      float lanes[kLanes];
      wasm_v128_store(lanes, over);
      for (const float lane : lanes) {
        if (static_cast<double>(lane) > threshold_) return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kLanes = 4;
  static constexpr std::size_t kLabel = kSides + 1;
  static constexpr std::size_t kBlock = kLanes * (kLabel + 1);
  float* blocks_;
  double threshold_;
  std::size_t count_ = 0;
};

}  // namespace

void convert_boxes(const float* boxes, std::size_t count, BoxFormat in, BoxFormat out, float* to) {
  for (std::size_t i = 0; i < count; ++i, boxes += kSides, to += kSides) {
    float p = boxes[0];
    float q = boxes[1];
    float r = boxes[2];
    float s = boxes[3];
    // To corners, then to the other format.
    if (in != out) {
      if (in == BoxFormat::kCxcywh) {
        const float half_width = 0.5F * r;
        const float half_height = 0.5F * s;
        r = p + half_width;
        s = q + half_height;
        p -= half_width;
        q -= half_height;
      } else if (in == BoxFormat::kXywh) {
        r = p + r;
        s = q + s;
      }
      if (out == BoxFormat::kXywh) {
        r -= p;
        s -= q;
      } else if (out == BoxFormat::kCxcywh) {
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

std::size_t suppress(const RankedBoxes& from, const std::int32_t* classes, std::size_t most, float* shifted,
                     float* blocks, std::int32_t* kept) {
  // Shifted by their classes, boxes of different classes do not overlap, so all count as one class.
  const float* boxes = from.boxes;
  const bool shifts = classes != nullptr && from.count <= kMostShifted;
  if (shifts) {
    // The largest number; NaN if one of them is, as torch's max: then all shifted boxes are NaN and suppress none.
    float edge = boxes[0];
    for (std::size_t i = 1; i < kSides * from.count; ++i) {
      if (edge == edge && !(boxes[i] <= edge)) edge = boxes[i];
    }
    for (std::size_t i = 0; i < kSides * from.count; ++i)
      shifted[i] = boxes[i] + static_cast<float>(classes[i / kSides]) * (edge + 1);
    boxes = shifted;
  }
  KeptBoxes all(blocks, from.threshold);
  for (std::size_t rank = 0; rank < from.count && all.count() < most; ++rank) {
    const auto at = static_cast<std::size_t>(from.order[rank]);
    const std::int32_t label = classes == nullptr || shifts ? 0 : classes[at];
    if (all.overlap(boxes + kSides * at, label)) continue;
    kept[all.count()] = from.order[rank];
    all.add(boxes + kSides * at, label);
  }
  return all.count();
}

void suppress_scores(const float* boxes, const std::int32_t* order, std::size_t count, double threshold,
                     float* scores) {
  for (std::size_t rank = 0; rank < count; ++rank) {
    const auto best = static_cast<std::size_t>(order[rank]);
    if (scores[best] == 0) continue;  // suppressed, so it suppresses none
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
