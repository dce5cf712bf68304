/// Planes of numbers that are made row by row, in steps: resized as torch.nn.functional.interpolate does, cut, mapped.
/// No step stores its result: each keeps the rows that the next one looks at, so masks of any size take a few rows of
/// memory. Rows of a plane are asked for in rising order, each any number of times.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bits/arena.h"

namespace layout {

/// A row that is a[x] * weights[0] + b[x] * weights[1], in the arithmetic of `blend_rows`.
struct BlendedRow {
  const float* rows[2];
  const float* weights;
};

/// A step: planes [planes, height, width] whose rows are made when they are asked for.
class PlaneRows {
 public:
  int planes = 0;
  int height = 0;
  int width = 0;
  /// How many planes are one picture: torch rounds in two orders, by the place of a channel in its picture.
  int channels = 1;
  /// Returns row `y` of a plane: `width` numbers, which stay until rows further down are asked for. Not pure: the
  /// library's function for pure calls needs an import.
  virtual const float* row(int /*plane*/, int /*y*/) { return nullptr; }
  /// Sets `to` to the two rows and the weights that row `y` is blended of, without making it. Returns false where the
  /// step does not blend two rows.
  virtual bool blended_row(int /*plane*/, int /*y*/, BlendedRow& /*to*/) { return false; }

 protected:
  ~PlaneRows() = default;
};

enum class Mode : std::uint8_t { kNearest, kNearestExact, kBilinear, kBicubic };

/// The kind of a step. Its struct follows it in the block, where it has one.
enum class Step : std::uint8_t {
  kResize,
  kCrop,
  kGather,
  kSigmoid,
  kScale,
  kClamp,
  kInvert,  // 1 / x
  kMix,
};

// A block is a row of float64 numbers: PlaneBlock, then the kind of each step and its struct. js/engines/results writes
// it. Addresses and words cross as their numbers.

struct PlaneBlock {
  double source, planes, channels, height, width, steps;
};
struct ResizeNumbers {
  double height, width, mode, align_corners;
};
struct CropNumbers {
  double top, left, height, width;
};
/// The address of int32 indices of planes, their count, and how many of the picked planes are one picture.
struct GatherNumbers {
  double indices, planes, channels;
};
/// x * factor / divisor in float32 steps.
struct ScaleNumbers {
  double factor, divisor;
};
struct ClampNumbers {
  double least, most;
};
/// The address of weights [planes, stride]: sums over the planes for the first classes.
struct MixNumbers {
  double weights, stride, classes;
};

/// Makes the steps of a block, and returns the last one. Where the arena only counts, it must not be asked for rows.
PlaneRows* make_rows(const double* block, Arena& arena);

}  // namespace layout
