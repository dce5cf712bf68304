/// Boxes of text from a map of probabilities, as the postprocessing of differentiable binarization (DB) finds them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "postprocess/contours.h"

namespace layout {

/// Writes 1 where a number is above a threshold, else 0. `dilate` also sets the pixels to the right of each such pixel,
/// below it, and below on the right.
void binarize(const float* map, std::size_t height, std::size_t width, float threshold, bool dilate, std::uint8_t* to);

struct TextSettings {
  double least_score;
  double unclip_ratio;
  /// The shorter side of a box before it grows; afterwards 2 more.
  double least_side;
  /// The size that boxes are scaled to.
  double height;
  double width;
  /// PaddleOCR's growth, with round corners of whole numbers, and its filter of small boxes; else transformers', with
  /// sharp corners.
  double is_round;
};

struct TextMap {
  const float* map;
  std::size_t height;
  std::size_t width;
};

struct TextSpace {
  float* scratch;      // 8 numbers a point of the longest contour, and of kMostGrown points (round_offset.h) at least
  std::uint8_t* mask;  // as large as the map
  float* boxes;        // four corners each, from the top left clockwise
  float* scores;
};

/// Writes the boxes of text around `count` contours, the last one first, and their scores: the smallest rectangle
/// around a contour, grown and scaled. Leaves out boxes that are too small or score too little. Returns how many it
/// wrote.
std::size_t find_text(const TextMap& from, const ContourSpace& contours, std::size_t count,
                      const TextSettings& settings, const TextSpace& space);

}  // namespace layout
