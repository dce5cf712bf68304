/// Resizing along one axis, by the rules of ONNX's Resize.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

enum class Interpolation : std::uint8_t { kNearest, kLinear, kCubic };

/// The place in the source of a place in the result.
enum class Coordinate : std::uint8_t {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfHalfPixelForNn,
  kTfCropAndResize,
};

/// Which neighbor is the nearest. kSimple: the upper one where the axis shrinks, else the lower one.
enum class NearestRule : std::uint8_t { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil, kSimple };

/// JS writes these numbers, one after the other.
struct AxisResize {
  double interpolation;
  double coordinate;
  double nearest;
  double antialias;
  double exclude_outside;
  double length;  // of the source
  double count;   // of the result
  double scale;
  double start;  // of the region that kTfCropAndResize takes: 0 and 1 are the ends of the axis
  double end;
  double cubic;          // the coefficient of cubic interpolation
  double extrapolation;  // the number where that region leaves the axis
};

/// Counts the neighbors that make a number: the length of a row of weights.
int count_taps(const AxisResize& resize);

/// Writes the first neighbor of each number of the result to `firsts`, -1 where it is extrapolated, and the weights of
/// its count_taps neighbors to a row of `weights`. Neighbors beyond an end count as the end, or not at all. Places are
/// float32, as onnxruntime has them: they decide between neighbors.
void make_axis_taps(const AxisResize& resize, std::int32_t* firsts, double* weights);

/// Numbers [outer, length, inner] around an axis.
struct AxisNumbers {
  const float* x;
  std::size_t outer;
  std::size_t inner;
};

/// Resizes the axis of `numbers`, with what make_axis_taps wrote, to `to` [outer, count, inner]. Sums are of float64.
void resize_axis(const AxisResize& resize, const std::int32_t* firsts, const double* weights,
                 const AxisNumbers& numbers, float* to);

/// Makes float32 of bytes, divided by `divisor`.
void widen_bytes(const std::uint8_t* x, std::size_t count, float divisor, float* to);
/// Makes bytes of float32: cut, or rounded half up, within 0 to 255. NaN gives 0.
void narrow_bytes(const float* x, std::size_t count, bool rounds, std::uint8_t* to);

}  // namespace layout
