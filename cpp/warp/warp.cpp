// warp/warp.h says what these functions do.

#include "warp/warp.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "warp/cubic.h"

namespace layout {
namespace {

/// Truncates a float to int as x86 does: NaN and numbers that do not fit give the least int.
int int_of(float x) { return std::fabs(x) < 0x1p31F ? static_cast<int>(x) : std::numeric_limits<int>::min(); }

/// The places on the picture of the pixels of one row of the result: the matrix times (column, row, 1), in the number
/// types and in the order of operations of OpenCV on x86 with AVX2.
class RowPlaces {
 public:
  /// Computes the part of each sum that is the same in all columns.
  RowPlaces(const Warp& call, int row) : call_(call), row_(static_cast<float>(row)) {
    for (int i = 0; i < 3; ++i) starts_[i] = row_ * call.matrix[3 * i + 1] + call.matrix[3 * i + 2];
  }

  /// The place on the picture of the pixel of this row in a column of the result.
  [[gnu::noinline]] Place at(int column) const {
    const auto x = static_cast<float>(column);
    if (call_.taps == kMostTaps) return {cubic_place(x, 0, call_.width), cubic_place(x, 1, call_.height)};
    // OpenCV computes the last columns, which fill no group, in other instructions.
    const bool is_tail = column >= call_.result_width / kGroup * kGroup;
    const Place place{fused_sum(x, 0, is_tail), fused_sum(x, 1, is_tail)};
    if (call_.is_perspective == 0) return place;
    const float depth = fused_sum(x, 2, is_tail);
    return {place.x / depth, place.y / depth};
  }

 private:
  /// Columns of which OpenCV makes the places at once.
  static constexpr int kGroup = 16;

  /// Row i of the matrix times (x, row, 1) in float32, the product with x and its sum rounded together. The tail adds
  /// its third number last, as OpenCV does.
  float fused_sum(float x, int i, bool is_tail) const {
    const float* m = call_.matrix + 3 * i;
    return is_tail ? fused(x, m[0], row_ * m[1]) + m[2] : fused(x, m[0], starts_[i]);
  }

  /// Row i of the matrix times (x, row, 1) in double, but for the terms without x, whose sum is float32.
  double wide_sum(float x, int i) const {
    return static_cast<double>(x) * static_cast<double>(call_.matrix[3 * i]) + static_cast<double>(starts_[i]);
  }

  /// The coordinate of a cubic sample along axis i (0 is x, 1 is y), where the picture has `extent` pixels.
  float cubic_place(float x, int i, int extent) const {
    const float place = call_.is_perspective != 0 ? static_cast<float>(wide_sum(x, i) / wide_sum(x, 2))
                                                  : x * call_.matrix[3 * i] + starts_[i];
    return within_pictures(place, extent);
  }

  const Warp& call_;
  float row_;
  float starts_[3];
};

/// A pixel of the picture, or beside it.
struct Pixel {
  int x;
  int y;
};

/// The upper left one of the `taps` * `taps` pixels around a place: of one, the nearest, ties to even; of two, the one
/// before the place; of four, one more before that.
Pixel first_tap(int taps, const Place& place) {
  if (taps == 1) return {int_of(std::nearbyint(place.x)), int_of(std::nearbyint(place.y))};
  const int lead = taps / kMostTaps;  // 1 of four taps, 0 of two
  return {int_of(std::floor(place.x)) - lead, int_of(std::floor(place.y)) - lead};
}

/// Whether all of `count` pixels from `first` on lie beyond one end of an axis of `extent` pixels.
bool is_beside(int first, int count, int extent) { return first >= extent || first + count <= 0; }

/// The bytes of the pixel of the picture in column `x` and row `y`. Beside the picture: of its nearest pixel if the
/// call repeats edges, else of the background. `part` must hold the pixel.
const std::uint8_t* pixel_at(const Warp& call, int x, int y) {
  const int column = clamp_place(x, call.width);
  const int row = clamp_place(y, call.height);
  if (call.repeats_edges == 0 && (column != x || row != y)) return call.background;
  const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row - call.top) * call.part_width + column - call.left;
  return call.part + at * call.channels;
}

/// Writes one pixel of the result, `channels` bytes: the linear sample between the four at `pixels`, two above two.
/// `part` is how far, 0 to 1, the place lies after the first one in x and y.
void linear_sample(const Place& part, const std::uint8_t* const* pixels, int channels, std::uint8_t* to) {
  // `a` for t = 0, `b` for t = 1.
  const auto between = [](float t, float a, float b) { return fused(t, b - a, a); };
  for (int c = 0; c < channels; ++c) {
    const float upper = between(part.x, pixels[0][c], pixels[1][c]);
    const float lower = between(part.x, pixels[2][c], pixels[3][c]);
    to[c] = byte_of(between(part.y, upper, lower));
  }
}

/// Copies the `channels` bytes of a pixel.
void copy_pixel(const std::uint8_t* from, int channels, std::uint8_t* to) {
  for (int c = 0; c < channels; ++c) to[c] = from[c];
}

/// Writes the pixel of the result, call.channels bytes, whose place on the picture is `place`.
void sample_pixel(const Warp& call, const Place& place, std::uint8_t* to) {
  const auto [x, y] = first_tap(call.taps, place);
  const bool are_beside = is_beside(x, call.taps, call.width) || is_beside(y, call.taps, call.height);
  if (are_beside && call.repeats_edges == 0) {
    copy_pixel(call.background, call.channels, to);
    return;
  }
  const std::uint8_t* pixels[kMostTaps * kMostTaps];
  for (int i = 0; i < call.taps; ++i)
    for (int j = 0; j < call.taps; ++j) pixels[call.taps * i + j] = pixel_at(call, x + j, y + i);
  // Of four taps the second one lies before the place.
  const int lead = call.taps / kMostTaps;
  const Place part{place.x - static_cast<float>(x + lead), place.y - static_cast<float>(y + lead)};
  if (call.taps == 1) copy_pixel(pixels[0], call.channels, to);
  if (call.taps == 2) linear_sample(part, pixels, call.channels, to);
  if (call.taps == 4) cubic_sample(part, pixels, call.channels, to);
}

}  // namespace

void warp(const Warp& call) {
  std::uint8_t* to = call.to;
  for (int row = call.row; row < call.row + call.rows; ++row) {
    const RowPlaces places(call, row);
    for (int column = call.column; column < call.column + call.columns; ++column, to += call.channels)
      sample_pixel(call, places.at(column), to);
  }
}

void find_part(const Warp& call, std::int32_t* edges) {
  int left = call.width - 1, top = call.height - 1, right = 0, bottom = 0;
  for (int row = call.row; row < call.row + call.rows; ++row) {
    const RowPlaces places(call, row);
    for (int column = call.column; column < call.column + call.columns; ++column) {
      const auto [x, y] = first_tap(call.taps, places.at(column));
      left = std::min(left, clamp_place(x, call.width));
      top = std::min(top, clamp_place(y, call.height));
      right = std::max(right, clamp_place(x + call.taps - 1, call.width));
      bottom = std::max(bottom, clamp_place(y + call.taps - 1, call.height));
    }
  }
  edges[0] = left;
  edges[1] = top;
  edges[2] = right + 1;
  edges[3] = bottom + 1;
}

}  // namespace layout
