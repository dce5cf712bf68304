// postprocess/axis_resize.h says what these functions do.

#include "postprocess/axis_resize.h"

#include <cmath>

namespace layout {

namespace {

constexpr int kBlock = 16;

constexpr std::int32_t kExtrapolated = -1;

int clamped(int i, int length) { return i < 0 ? 0 : i >= length ? length - 1 : i; }

/// Numbers that the taps of an axis are made of, in the types that they are used in.
class Axis {
 public:
  /// Converts the numbers that JS wrote. `resize` must outlive the axis.
  explicit Axis(const AxisResize& resize)
      : interpolation(static_cast<Interpolation>(static_cast<int>(resize.interpolation))),
        length(static_cast<int>(resize.length)),
        count(static_cast<int>(resize.count)),
        shrink(shrink_of(resize, interpolation)),
        resize_(resize),
        coordinate_(static_cast<Coordinate>(static_cast<int>(resize.coordinate))) {}

  Interpolation interpolation;
  int length;
  int count;
  double shrink;  // the axis' scale, below 1, where antialias makes the filter as much wider; else 1

  /// How far from a place the neighbors lie that have a weight, in elements of the source.
  double support() const { return (interpolation == Interpolation::kCubic ? 2 : 1) / shrink; }

  /// The first neighbor of a place that has a weight, which may lie before the axis.
  int first_neighbor(double at) const { return static_cast<int>(std::floor(at - support())) + 1; }

  /// How many neighbors make a number: all within `support` on both sides, but at most the axis.
  int taps() const {
    if (interpolation == Interpolation::kNearest) return 1;
    const double most = 2 * std::ceil(support());
    return most < resize_.length ? static_cast<int>(most) : length;
  }

  /// The place in the source (x_original) of number `i` of the result (x_resized): ONNX's formula of the coordinate
  /// transformation.
  float place(int i) const {
    const auto x_resized = static_cast<float>(i);
    const auto length_original = static_cast<float>(resize_.length);
    const auto length_resized = static_cast<float>(resize_.count);
    const auto scale = static_cast<float>(resize_.scale);
    const auto start = static_cast<float>(resize_.start);
    const auto end = static_cast<float>(resize_.end);
    const float last_original = length_original - 1, last_resized = length_resized - 1;
    const float half_pixel = (x_resized + 0.5F) / scale - 0.5F;
    switch (coordinate_) {
      case Coordinate::kHalfPixel:
        return half_pixel;
      case Coordinate::kHalfPixelSymmetric: {
        const float adjustment = length_resized / (scale * length_original);
        const float center = length_original / 2;
        return center * (1 - adjustment) + (x_resized + 0.5F) / scale - 0.5F;
      }
      case Coordinate::kPytorchHalfPixel:
        return length_resized > 1 ? half_pixel : 0;
      case Coordinate::kAlignCorners:
        return length_resized > 1 ? x_resized * last_original / last_resized : 0;
      case Coordinate::kAsymmetric:
        return x_resized / scale;
      case Coordinate::kTfHalfPixelForNn:
        return (x_resized + 0.5F) / scale;
      case Coordinate::kTfCropAndResize:
        if (!(length_resized > 1)) return 0.5F * (start + end) * last_original;
        return start * last_original + x_resized * (end - start) * last_original / last_resized;
    }
    return 0;
  }

  /// Whether a place is extrapolated: only kTfCropAndResize leaves the axis.
  bool leaves(float at) const {
    return coordinate_ == Coordinate::kTfCropAndResize && !(at >= 0 && at <= static_cast<float>(resize_.length - 1));
  }

  /// The neighbor nearest to a place.
  int nearest(float at) const {
    switch (static_cast<NearestRule>(static_cast<int>(resize_.nearest))) {
      case NearestRule::kRoundPreferFloor:
        return static_cast<int>(std::ceil(at - 0.5F));
      case NearestRule::kRoundPreferCeil:
        return static_cast<int>(std::floor(at + 0.5F));
      case NearestRule::kFloor:
        return static_cast<int>(std::floor(at));
      case NearestRule::kCeil:
        return static_cast<int>(std::ceil(at));
      case NearestRule::kSimple:
        return static_cast<int>(resize_.scale < 1 ? std::ceil(at) : std::floor(at));
    }
    return 0;
  }

  /// The weight of a neighbor at a distance, before weights are divided by their sum: a triangle, or the curve of cubic
  /// convolution (Keys) with the coefficient a.
  double weight(double distance) const {
    const double x = std::fabs(distance) * shrink;
    if (interpolation == Interpolation::kLinear) return x < 1 ? 1 - x : 0;
    const double a = resize_.cubic;
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
  }

 private:
  /// Only where an axis shrinks does antialias give a number more neighbors.
  static double shrink_of(const AxisResize& resize, Interpolation interpolation) {
    const bool widens = resize.antialias != 0 && resize.scale < 1 && interpolation != Interpolation::kNearest;
    return widens ? resize.scale : 1;
  }

  const AxisResize& resize_;
  Coordinate coordinate_;
};

/// Writes the weights of the `taps` neighbors of the number at place `at` to `row`, from neighbor `first` on. Weights
/// of neighbors beyond an end are added to the end's, or left out with `excludes`.
void write_weights(const Axis& axis, double at, bool excludes, int first, double* row) {
  const int taps = axis.taps();
  const double support = axis.support();
  for (int tap = 0; tap < taps; ++tap) row[tap] = 0;
  double sum = 0;
  for (int i = axis.first_neighbor(at); i < at + support; ++i) {
    const int inside = clamped(i, axis.length);
    if (excludes && i != inside) continue;
    const double weight = axis.weight(i - at);
    row[clamped(inside - first, taps)] += weight;
    sum += weight;
  }
  // Where none is left out and the filter is not stretched, weights sum to 1 already.
  if (!excludes && axis.shrink == 1) return;
  for (int tap = 0; tap < taps; ++tap) row[tap] /= sum;
}

}  // namespace

int count_taps(const AxisResize& resize) { return Axis(resize).taps(); }

void make_axis_taps(const AxisResize& resize, std::int32_t* firsts, double* weights) {
  const Axis axis(resize);
  const int taps = axis.taps();
  for (int i = 0; i < axis.count; ++i, weights += taps) {
    const float at = axis.place(i);
    if (axis.leaves(at)) {
      firsts[i] = kExtrapolated;
    } else if (axis.interpolation == Interpolation::kNearest) {
      firsts[i] = clamped(axis.nearest(at), axis.length);
      weights[0] = 1;
    } else {
      const int last_first = axis.length - taps;  // all neighbors from it on lie within the axis
      firsts[i] = clamped(axis.first_neighbor(static_cast<double>(at)), last_first + 1);
      write_weights(axis, static_cast<double>(at), resize.exclude_outside != 0, firsts[i], weights);
    }
  }
}

namespace {

/// Writes `inner` sums of `taps` neighbors each, which lie `inner` numbers apart: sixteen at a time, then one by one.
void sum_neighbors(const float* from, const double* weights, std::size_t taps, std::size_t inner, float* to) {
  std::size_t j = 0;
  for (; j + kBlock <= inner; j += kBlock) {
    double sums[kBlock] = {};
    for (std::size_t tap = 0; tap < taps; ++tap) {
      const float* neighbors = from + tap * inner + j;
      for (std::size_t k = 0; k < kBlock; ++k) sums[k] += weights[tap] * static_cast<double>(neighbors[k]);
    }
    for (std::size_t k = 0; k < kBlock; ++k) to[j + k] = static_cast<float>(sums[k]);
  }
  for (; j < inner; ++j) {
    double sum = 0;
    for (std::size_t tap = 0; tap < taps; ++tap) sum += weights[tap] * static_cast<double>(from[tap * inner + j]);
    to[j] = static_cast<float>(sum);
  }
}

}  // namespace

void resize_axis(const AxisResize& resize, const std::int32_t* firsts, const double* weights,
                 const AxisNumbers& numbers, float* to) {
  const std::size_t inner = numbers.inner;
  const float* x = numbers.x;
  const auto taps = static_cast<std::size_t>(count_taps(resize));
  const auto count = static_cast<std::size_t>(resize.count);
  const std::size_t block_size = static_cast<std::size_t>(resize.length) * inner;
  for (std::size_t block = 0; block < numbers.outer; ++block, x += block_size) {
    for (std::size_t i = 0; i < count; ++i, to += inner) {
      if (firsts[i] == kExtrapolated) {
        for (std::size_t j = 0; j < inner; ++j) to[j] = static_cast<float>(resize.extrapolation);
        continue;
      }
      const float* from = x + static_cast<std::size_t>(firsts[i]) * inner;
      if (taps == 1) {
        for (std::size_t j = 0; j < inner; ++j) to[j] = from[j];
      } else {
        sum_neighbors(from, weights + i * taps, taps, inner, to);
      }
    }
  }
}

void widen_bytes(const std::uint8_t* x, std::size_t count, float divisor, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(x[i]) / divisor;
}

void narrow_bytes(const float* x, std::size_t count, bool rounds, std::uint8_t* to) {
  const float half = rounds ? 0.5F : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float value = x[i] + half;
    to[i] = value >= 255 ? 255 : value > 0 ? static_cast<std::uint8_t>(value) : 0;
  }
}

}  // namespace layout
