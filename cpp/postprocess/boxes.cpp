// postprocess/boxes.h says what these functions do.

#include "postprocess/boxes.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "bits/simd128.h"

namespace layout {

namespace {

/// torchvision shifts boxes by their classes up to 4000 numbers, 4 a box.
constexpr std::size_t kMostShifted = 1000;

/// The greater number; the second operand where either is NaN. torch gives NaN, which comes back with the area of a box
/// that has a NaN: its overlaps are NaN, too.
float larger(float a, float b) { return a > b ? a : b; }
float smaller(float a, float b) { return a < b ? a : b; }

float width_of(const float* box) { return box[kRight] - box[kLeft]; }
float height_of(const float* box) { return box[kBottom] - box[kTop]; }
float area_of(const float* box) { return width_of(box) * height_of(box); }

/// The area that two boxes have in common; 0 where they have none.
float intersection(const float* a, const float* b) {
  const float width = larger(smaller(a[kRight], b[kRight]) - larger(a[kLeft], b[kLeft]), 0);
  const float height = larger(smaller(a[kBottom], b[kBottom]) - larger(a[kTop], b[kTop]), 0);
  return width * height;
}

/// The area of the smallest box around two boxes.
float hull_area(const float* a, const float* b) {
  const float width = larger(larger(a[kRight], b[kRight]) - smaller(a[kLeft], b[kLeft]), 0);
  const float height = larger(larger(a[kBottom], b[kBottom]) - smaller(a[kTop], b[kTop]), 0);
  return width * height;
}

/// Boxes that suppression has kept, in blocks of four: vectors of their four sides, areas and labels (classes). Lanes
/// of the last block without a box are NaN, which overlaps nothing.
class KeptBoxes {
 public:
  KeptBoxes(float* blocks, double threshold) : blocks_(blocks), threshold_(threshold) {}

  std::size_t count() const { return count_; }

  /// Adds a box to the last block, or to a new one, which is filled with NaN first.
  void add(const float* box, std::int32_t label) {
    float* block = blocks_ + kBlock * (count_ / kLanes);
    const std::size_t lane = count_ % kLanes;
    if (lane == 0) std::fill_n(block, kBlock, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t side = 0; side < kSides; ++side) block[kLanes * side + lane] = box[side];
    block[kLanes * kArea + lane] = area_of(box);
    std::memcpy(block + kLanes * kLabel + lane, &label, sizeof label);
    ++count_;
  }

  /// Whether a kept box of the same label overlaps this one by more than the threshold.
  bool overlap(const float* box, std::int32_t label) const {
    const float* end = blocks_ + kBlock * ((count_ + kLanes - 1) / kLanes);
    for (const float* block = blocks_; block < end; block += kBlock) {
      if (block_overlaps(block, box, label)) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kLanes = 4;
  // The vectors of a block, after those of the sides.
  static constexpr std::size_t kArea = kSides, kLabel = kSides + 1, kVectors = kSides + 2;
  static constexpr std::size_t kBlock = kLanes * kVectors;

  /// Does `overlap` for the four boxes of a block.
  [[gnu::always_inline]] bool block_overlaps(const float* block, const float* box, std::int32_t label) const {
    const v128_t zero = wasm_f32x4_splat(0);
    const auto kept = [&](std::size_t vector) { return wasm_v128_load(block + kLanes * vector); };
    const auto common_length = [&](std::size_t first, std::size_t last) {
      const v128_t start = wasm_f32x4_pmax(wasm_f32x4_splat(box[first]), kept(first));
      const v128_t end = wasm_f32x4_pmin(wasm_f32x4_splat(box[last]), kept(last));
      return wasm_f32x4_pmax(zero, wasm_f32x4_sub(end, start));
    };
    const v128_t common = wasm_f32x4_mul(common_length(kLeft, kRight), common_length(kTop, kBottom));
    const v128_t is_same = wasm_i32x4_eq(kept(kLabel), wasm_i32x4_splat(label));
    // Most boxes have nothing in common: an overlap of 0 is above no threshold of 0 or more.
    const bool may_overlap = wasm_v128_any_true(wasm_v128_and(is_same, wasm_f32x4_gt(common, zero)));
    if (!may_overlap && threshold_ >= 0) return false;
    const v128_t covered = wasm_f32x4_sub(wasm_f32x4_add(kept(kArea), wasm_f32x4_splat(area_of(box))), common);
    // A box of another label becomes NaN, which is above nothing.
    const v128_t overlaps = wasm_v128_or(wasm_f32x4_div(common, covered), wasm_v128_not(is_same));
    float lanes[kLanes];
    wasm_v128_store(lanes, overlaps);
    for (const float lane : lanes) {
      if (static_cast<double>(lane) > threshold_) return true;
    }
    return false;
  }

  float* blocks_;
  double threshold_;
  std::size_t count_ = 0;
};

/// Corners of a box.
struct Corners {
  float left, top, right, bottom;
};

/// Reads a box of a format as corners, in torchvision's steps.
[[gnu::always_inline]] inline Corners read_corners(const float* box, BoxFormat format) {
  const float first = box[0], second = box[1], third = box[2], fourth = box[3];
  switch (format) {
    case BoxFormat::kXyxy:
      break;
    case BoxFormat::kXywh:
      return {first, second, first + third, second + fourth};
    case BoxFormat::kCxcywh: {
      const float half_width = 0.5F * third, half_height = 0.5F * fourth;
      return {first - half_width, second - half_height, first + half_width, second + half_height};
    }
  }
  return {first, second, third, fourth};
}

/// Writes corners as a box of a format.
[[gnu::always_inline]] inline void write_corners(const Corners& from, BoxFormat format, float* box) {
  const auto [left, top, right, bottom] = from;
  const auto write = [box](float first, float second, float third, float fourth) {
    box[0] = first;
    box[1] = second;
    box[2] = third;
    box[3] = fourth;
  };
  switch (format) {
    case BoxFormat::kXyxy:
      return write(left, top, right, bottom);
    case BoxFormat::kXywh:
      return write(left, top, right - left, bottom - top);
    case BoxFormat::kCxcywh:
      return write((left + right) / 2, (top + bottom) / 2, right - left, bottom - top);
  }
}

}  // namespace

void convert_boxes(const float* boxes, std::size_t count, BoxFormat in, BoxFormat out, float* to) {
  if (in == out) in = out = BoxFormat::kXyxy;  // a copy, without rounding
  for (std::size_t i = 0; i < count; ++i, boxes += kSides, to += kSides) {
    write_corners(read_corners(boxes, in), out, to);
  }
}

void scale_boxes(float* boxes, std::size_t count, float x, float y) {
  for (std::size_t corner = 0; corner < 2 * count; ++corner) {
    boxes[2 * corner] *= x;
    boxes[2 * corner + 1] *= y;
  }
}

void sort_corners(float* boxes, std::size_t count) {
  const auto sort = [](float& lesser, float& greater) {
    const float a = lesser;
    const float b = greater;
    lesser = smaller(a, b);
    greater = larger(a, b);
  };
  for (std::size_t i = 0; i < count; ++i, boxes += kSides) {
    sort(boxes[kLeft], boxes[kRight]);
    sort(boxes[kTop], boxes[kBottom]);
  }
}

void clip_boxes(float* boxes, std::size_t count, float width, float height) {
  const auto clipped = [](float value, float most) { return value < 0 ? 0 : value > most ? most : value; };
  for (std::size_t corner = 0; corner < 2 * count; ++corner) {
    float& x = boxes[2 * corner];
    float& y = boxes[2 * corner + 1];
    x = clipped(x, width);
    y = clipped(y, height);
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
      const float covered = area + area_of(other) - common;
      float overlap = common / covered;
      if (generalized) {
        const float hull = hull_area(a, other);
        overlap -= (hull - covered) / hull;
      }
      *to++ = overlap;
    }
  }
}

std::size_t large_boxes(const float* boxes, std::size_t count, float side, std::int32_t* to) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i, boxes += kSides) {
    const bool is_large = width_of(boxes) >= side && height_of(boxes) >= side;
    if (is_large) to[kept++] = static_cast<std::int32_t>(i);
  }
  return kept;
}

namespace {

/// Writes boxes shifted by their classes, so that those of different classes do not overlap.
void shift_by_classes(const RankedBoxes& from, const std::int32_t* classes, float* shifted) {
  const std::size_t sides = kSides * from.count;
  // NaN if one of the numbers is, as torch's max: then all shifted boxes are NaN and suppress none.
  float largest = from.boxes[0];
  for (std::size_t i = 1; i < sides; ++i) {
    const bool is_nan_so_far = largest != largest;
    if (!is_nan_so_far && !(from.boxes[i] <= largest)) largest = from.boxes[i];
  }
  for (std::size_t i = 0; i < sides; ++i) {
    const auto label = static_cast<float>(classes[i / kSides]);
    shifted[i] = from.boxes[i] + label * (largest + 1);
  }
}

}  // namespace

/// Goes from the best box to the worst, and keeps each that no kept box overlaps.
std::size_t suppress(const RankedBoxes& from, const std::int32_t* classes, std::size_t most, float* shifted,
                     float* blocks, std::int32_t* kept) {
  const bool shifts = classes != nullptr && from.count <= kMostShifted;
  if (shifts) shift_by_classes(from, classes, shifted);
  const float* boxes = shifts ? shifted : from.boxes;
  const bool has_labels = classes != nullptr && !shifts;  // shifted boxes count as one class
  KeptBoxes kept_boxes(blocks, from.threshold);
  for (std::size_t rank = 0; rank < from.count && kept_boxes.count() < most; ++rank) {
    const auto index = static_cast<std::size_t>(from.order[rank]);
    const float* box = boxes + kSides * index;
    const std::int32_t label = has_labels ? classes[index] : 0;
    if (kept_boxes.overlap(box, label)) continue;
    kept[kept_boxes.count()] = from.order[rank];
    kept_boxes.add(box, label);
  }
  return kept_boxes.count();
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
      const float covered = area_of(box) + area_of(other) - common;
      const float overlap = common / covered;
      if (static_cast<double>(overlap) > threshold) scores[i] = 0;
    }
  }
}

}  // namespace layout
