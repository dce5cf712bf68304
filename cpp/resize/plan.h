#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/alpha.h"
#include "resize/float_passes.h"
#include "resize/taps.h"

namespace layout {

/// In the place of a filter, an Alpha or a factor: none.
inline constexpr int kNone = -1;

/// One axis of a picture and of its result, of which the pixels `first` to `first + count` are made.
struct PlanAxis {
  /// A Filter, a Rule where sums are OpenCV's, or a FloatFilter where bytes are rescaled. kNone: pixel i of the result
  /// is pixel `from` + i of the source.
  std::int32_t filter = kNone;
  /// Pixels of the source.
  std::int32_t extent;
  /// Of a Filter: the part of the source that becomes the result (ResizeAxis). Of a FloatFilter: where the axis that is
  /// resized begins and ends, which may be beyond the source (FloatAxis). Both count from the source's first pixel.
  double from, to;
  /// Pixels of the result, and which of them are made.
  std::int32_t size, first, count;
  /// Of a Rule: pixels of the result for one of the source. Of a FloatFilter: sigma.
  double factor = 1;
};

/// Of Sums::kRescaled: what becomes of the numbers of each plane of the result, the channels that planes are made of,
/// and the numbers that bytes of each plane become before. A row of the result is a row of each plane. Less than three
/// channels are gray.
struct Rescaling {
  FloatNumbers finish;
  std::int32_t sources[3];
  float numbers[3][256];
};

/// How a picture is resized. js/engines/images writes it.
struct ResizeRequest {
  Sums sums;
  /// Bytes of a pixel: 1 to 4, or the 4 of one float32.
  std::int32_t channels;
  /// Whether both filters are nearest.
  bool is_nearest;
  /// Whether the pass down the columns comes first.
  bool is_down_first;
  /// An Alpha, or kNone. With kPremultiply the result is divided by alpha again.
  std::int32_t alpha = kNone;
  /// Channels that the caller keeps, and whether they are blue, green and red: OpenCV's cubic rounds the last numbers
  /// of a row, in the order of red, green and blue, in another way.
  std::int32_t counted;
  bool is_bgr;
  PlanAxis columns, rows;
  /// Pixels of a cell, whose means are the axes' source; kNone where the picture is the source itself.
  std::int32_t factor_x = kNone, factor_y = kNone;
  /// The part of the picture that cells cover.
  std::int32_t left, top, right, bottom;
  /// Read where the sums are kRescaled alone.
  Rescaling rescaling;
};

/// Rows of the result that lie at `at`, one after the other.
struct ResizeRows {
  std::int32_t at, row, rows, column, columns;
};

/// Rows of the picture that are staged one after the other.
struct ResizeRun {
  std::int32_t at, row, rows;
};

/// The next work of the caller. It takes rows of the result before it stages rows of the picture, and both before the
/// next call. Places count from the start of the memory.
struct ResizeStep : ResizeRows {
  static constexpr int kMaxRuns = 128;

  /// Some columns of each run's rows are staged at the run's place.
  std::int32_t staged_column, staged_columns, runs;
  ResizeRun run[kMaxRuns];
};

/// Makes a plan in place of a ResizeRequest, which stands at the start of the memory. The memory is aligned to 64, and
/// has 12 MiB: enough for any picture of at most 2^16 pixels a side. The plan begins with a ResizeStep. Returns the
/// bytes of the plan with its tables where these are small and not made piece by piece, so that a copy of them is as
/// good as another call; otherwise 0.
std::size_t plan_resize(std::uint8_t* memory, std::size_t bytes);

/// Uses what the last step brought and makes the next one. Returns whether there is one.
///
/// A picture is resized in two passes: across its rows, and down its columns. Groups of rows are staged, the first pass
/// leaves some rows in the middle, and the second makes rows of the result. Where a row is too long for this, the
/// result is made in blocks of columns.
bool resize_step(std::uint8_t* memory);

}  // namespace layout
