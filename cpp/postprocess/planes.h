/// Answers from planes of numbers: labels, owners, masks. The planes come row by row and are never stored.
#pragma once

#include <cstddef>
#include <cstdint>

#include "postprocess/rows.h"

namespace layout {

/// Writes all numbers of the planes to `to` [planes, height, width].
void store_planes(PlaneRows& rows, float* to);

/// Writes a mask [planes, height, width] of bytes: 1 where a number is above the threshold, else 0.
void threshold_planes(PlaneRows& rows, float threshold, std::uint8_t* to);

/// Writes to `labels`, for each pixel, the index of the plane with the greatest number, the first of equals. NaN counts
/// as greatest. Also writes all numbers to `scores` [planes, height, width], unless it is null. `best` is work memory
/// of a row.
void label_planes(PlaneRows& rows, std::int32_t* labels, float* scores, float* best);

/// How many pixels each plane has in a merging.
struct SegmentAreas {
  std::int32_t* own;     // where its number times its score is the greatest
  std::int32_t* whole;   // where it reaches the threshold
  std::int32_t* common;  // both
};

/// The score of each plane. The threshold is that of the product of number and score, or of the number itself.
struct PlaneScores {
  const float* scores;
  float threshold;
  bool is_product;
};

/// Writes to `owners`, for each pixel, the index of the plane with the greatest product of its number and its score,
/// and counts the areas. The first of equals is the owner, and NaN is greatest. With `is_product` this is
/// compute_segments of DETR and Mask2Former, where each pixel keeps its owner. Otherwise it is EoMT's: pixels at which
/// the owner's own number is below the threshold get -1, after they have counted in `own`. `best` is work memory of two
/// rows.
void own_planes(PlaneRows& rows, const PlaneScores& plane_scores, std::int32_t* owners, SegmentAreas areas,
                float* best);

/// Replaces each owner by ids[owner], in place; those below 0 stay. Stops and returns false at an owner that has none
/// of the `known` ids.
bool name_owners(std::int32_t* owners, std::size_t count, const std::int32_t* ids, std::size_t known);

/// Writes `id` to the pixels of `to` where the plane is above the threshold: to all of them, or with `first_wins` only
/// where `to` is still -1. Returns how many pixels it wrote.
int paint_plane(PlaneRows& rows, int plane, float threshold, bool first_wins, std::int32_t id, std::int32_t* to);

/// Writes the mean of the sigmoid of each plane over its numbers above 0, as Mask2Former's instances are scored: sum /
/// (count + 1e-6), so 0 where no number is above 0.
void mean_planes(PlaneRows& rows, float* means);

}  // namespace layout
