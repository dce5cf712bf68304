// warp/samples.h says what these functions do.

#include "warp/samples.h"

#include <algorithm>
#include <cmath>

#include "warp/cubic.h"

namespace layout {

namespace {

constexpr int kColors = 3;  // planes of the result
constexpr int kTaps = 4;    // pixels in each direction around a place
constexpr int kPair = 2;    // numbers that a sample of a row has (sample_row)

constexpr float kCurve = -0.75F;  // a, the parameter of cubic convolution

/// The weight that cubic convolution gives a pixel at a distance of 1 to 2: a d^3 - 5a d^2 + 8a d - 4a.
float far_weight(float d) { return ((kCurve * d - 5 * kCurve) * d + 8 * kCurve) * d - 4 * kCurve; }

/// The weight that cubic convolution gives a pixel at a distance of 0 to 1: (a + 2) d^3 - (a + 3) d^2 + 1.
float near_weight(float d) { return fused((1.25F * d - 2.25F) * d, d, 1); }

/// The weight of pixel `i` of four in a row around a place, which is `t`, 0 to 1, after the second one (i = 1). Linear
/// samples weigh the second and the third alone.
float weight_of(int i, float t, bool is_cubic) {
  const bool is_near = i == 1 || i == 2;
  if (!is_cubic) {
    if (!is_near) return 0;
    return i == 1 ? 1 - t : t;
  }
  const float distance = i < 2 ? t + static_cast<float>(1 - i) : static_cast<float>(i - 1) - t;
  return is_near ? near_weight(distance) : far_weight(distance);
}

/// The four weights and pixels of each of some places along an axis, one place after the other.
struct Taps {
  float* weights;
  std::int32_t* pixels;  // from the part's first one on
};

/// Writes the four weights and pixels of each of `count` places along an axis, for cubic or linear samples. Places
/// count from the picture's first pixel; the part in memory begins at pixel `first` and has `extent` pixels. Pixels
/// beyond the part weigh 0; its nearest pixel stands in for them.
void make_taps(const double* place, int count, bool is_cubic, int first, int extent, Taps taps) {
  for (int k = 0; k < count; ++k, ++place) {
    const double start = std::floor(*place);
    for (int i = 0; i < kTaps; ++i) {
      const double pixel = start + (i - 1 - first);
      const bool is_here = pixel >= 0 && pixel < extent;
      *taps.weights++ = is_here ? weight_of(i, static_cast<float>(*place - start), is_cubic) : 0;
      *taps.pixels++ = is_here ? static_cast<std::int32_t>(pixel) : pixel < 0 ? 0 : extent - 1;
    }
  }
}

/// The channel of the picture for color `c` of the result: the last one where the picture has fewer.
int color_of(const Samples& call, int c) { return std::min(c, call.channels - 1); }

/// Samples `row` of the picture at each column of the tile, whose weights and pixels are `taps`. Writes two numbers for
/// each column, three colors one after the other. Cubic: the sum of four pixels, and a number that is not read. Linear:
/// the two pixels beside the place, which sample_down weighs.
void sample_row(const Samples& call, const Taps& taps, const std::uint8_t* row, float* to) {
  for (int c = 0; c < kColors; ++c) {
    const std::uint8_t* bytes = row + color_of(call, c);
    const float* weight = taps.weights;
    const std::int32_t* pixel = taps.pixels;
    for (int x = 0; x < call.columns; ++x, weight += kTaps, pixel += kTaps, to += kPair) {
      float of[kTaps];  // the four pixels around the place
      for (int i = 0; i < kTaps; ++i) of[i] = bytes[pixel[i] * call.channels];
      to[0] =
          call.is_cubic ? fused(weight[0], of[0], weight[1] * of[1]) + weight[2] * of[2] + weight[3] * of[3] : of[1];
      to[1] = of[2];
    }
  }
}

/// Sums the samples that four rows have at index `at` (sample_row). Cubic: the four sums times the weights `down`.
/// Linear: the four pixels around the place, two of each of the middle rows, times the products of the weights `across`
/// and `down`, in the order of torch's grid_sample.
float sample_down(bool is_cubic, const float* down, const float* across, const float* const* lines, int at) {
  if (!is_cubic) {
    const float *upper = lines[1] + at, *lower = lines[2] + at;
    const float sum = fused(across[2] * down[1], upper[1], across[1] * down[1] * upper[0]);
    return fused(across[2] * down[2], lower[1], fused(across[1] * down[2], lower[0], sum));
  }
  float sum = down[0] * lines[0][at];
  for (int i = 1; i < kTaps; ++i) sum = fused(down[i], lines[i][at], sum);
  return sum;
}

/// The memory after the places of a tile: four slots for the samples of rows, then the taps of its columns and rows.
struct TileMemory {
  float* slots;
  Taps across, down;
};

/// How many numbers sample_row writes.
int line_numbers(const Samples& call) { return kPair * kColors * call.columns; }

TileMemory divide_memory(const Samples& call) {
  const int places = call.columns + call.rows;
  auto* slots = reinterpret_cast<float*>(call.numbers + kSampleNumbers + places);
  float* weights = slots + kTaps * line_numbers(call);
  auto* pixels = reinterpret_cast<std::int32_t*>(weights + kTaps * places);
  const int column_taps = kTaps * call.columns;
  return {slots, {weights, pixels}, {weights + column_taps, pixels + column_taps}};
}

/// Writes a row of the tile in each plane, from `to` on: the sums of the samples that four rows of the picture have,
/// normalized.
void write_row(const Samples& call, const float* const* lines, const float* down, const float* across, float* to) {
  const int plane = call.rows * call.columns;
  for (int c = 0; c < kColors; ++c) {
    const auto scale = static_cast<float>(call.numbers[0]);
    const auto mean = static_cast<float>(call.numbers[1 + c]);
    const auto std = static_cast<float>(call.numbers[1 + kColors + c]);
    for (int x = 0; x < call.columns; ++x) {
      const int at = kPair * (c * call.columns + x);
      const float sum = sample_down(call.is_cubic, down, across + kTaps * x, lines, at);
      to[c * plane + x] = (sum * scale - mean) / std;
    }
  }
}

}  // namespace

/// A row of the picture is sampled at all columns of the tile once. The four rows that a row of the result needs are
/// neighbors, or an edge repeated, so four slots hold them until later rows need others.
void sample(const Samples& call) {
  const double* places = call.numbers + kSampleNumbers;
  const auto [slots, across, down] = divide_memory(call);
  make_taps(places, call.columns, call.is_cubic, call.left, call.part_width, across);
  make_taps(places + call.columns, call.rows, call.is_cubic, call.top, call.part_height, down);
  std::int32_t row_of_slot[kTaps];
  std::fill_n(row_of_slot, kTaps, -1);
  for (int y = 0; y < call.rows; ++y) {
    const float* lines[kTaps];
    for (int i = 0; i < kTaps; ++i) {
      const int row = down.pixels[kTaps * y + i];
      const int slot = row % kTaps;
      float* line = slots + slot * line_numbers(call);
      if (row_of_slot[slot] != row) sample_row(call, across, call.part + row * call.part_width * call.channels, line);
      row_of_slot[slot] = row;
      lines[i] = line;
    }
    write_row(call, lines, down.weights + kTaps * y, across.weights, call.to + y * call.columns);
  }
}

}  // namespace layout
