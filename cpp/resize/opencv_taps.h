#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/taps.h"

namespace layout {

/// How OpenCV's resize makes pixels of bytes.
enum class Rule {
#define RULE(name, code) k##name = code,
#include "resize/opencv.def"
#undef RULE
};

/// One axis of a picture, and of its result.
struct OpenCvAxis {
  Rule rule;
  /// Pixels of the source, and of the result.
  std::int32_t extent, size;
  /// Pixels of the result for one of the source. OpenCV divides `size` by `extent`, unless its caller gives a factor.
  double factor;
};

/// The taps of a rule; 0 for kArea, which has as many as a cell covers.
constexpr int taps_of(Rule rule) {
  return rule == Rule::kNearest    ? 1
         : rule == Rule::kCubic    ? 4
         : rule == Rule::kLanczos4 ? 8
         : rule == Rule::kArea     ? 0
                                   : 2;
}

/// The most pixels of the source that a pixel of the result is made of.
int max_opencv_taps(const OpenCvAxis& axis);

/// The bytes of a table of `count` pixels.
std::size_t opencv_table_bytes(const OpenCvAxis& axis, int count);

/// Writes the table of the result's pixels `first` to `first + count` to `at`, a multiple of 4 with opencv_table_bytes.
/// Its sums are kOpencv. `weights` of an entry counts units of four bytes: float32 weights of kArea, otherwise words of
/// two whole weights.
///
/// OpenCV repeats the pixels at an edge. Along the rows (`is_across`) such weights are added up in the table, so that
/// an entry has the `count` weights of pixels that lie side by side, and then 0. Down the columns an entry has all
/// taps_of weights; the one at place i belongs to pixel `first + weight_origin + i`, or to the nearest of the entry's
/// pixels. Where two taps have no pixel in common with the next two, a pixel of weight 0 is left out, so that its row
/// need not be read: 1080 rows to 360 need 360.
void make_opencv_taps(const OpenCvAxis& axis, bool is_across, int first, int count, std::uint8_t* at);

}  // namespace layout
