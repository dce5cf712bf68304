#include "warp/samples.h"

#include <algorithm>
#include <cmath>

namespace layout {

namespace {

constexpr int kColors = 3;
constexpr int kTaps = 4;

// The weight of pixel `i` of four around a place, which is `t` behind the second. A = -0.75.
double weight_of(int i, double t, bool is_cubic) {
  const bool is_near = i == 1 || i == 2;
  if (!is_cubic) return is_near ? i == 1 ? 1 - t : t : 0;
  const double d = i < 2 ? t + (1 - i) : (i - 1) - t;
  return is_near ? (1.25 * d - 2.25) * d * d + 1 : ((-0.75 * d + 3.75) * d - 6) * d + 3;
}

struct Taps {
  double* weights;
  std::int32_t* pixels;  // from the part's first one on
};

void weigh(const double* place, int count, bool is_cubic, int first, int extent, Taps taps) {
  for (int k = 0; k < count; ++k, ++place) {
    const double start = std::floor(*place);
    for (int i = 0; i < kTaps; ++i) {
      const double pixel = start + (i - 1 - first);
      const bool is_here = pixel >= 0 && pixel < extent;
      *taps.weights++ = is_here ? weight_of(i, *place - start, is_cubic) : 0;
      *taps.pixels++ = is_here ? static_cast<std::int32_t>(pixel) : pixel < 0 ? 0 : extent - 1;
    }
  }
}

int color_of(const Samples& call, int c) { return std::min(c, call.channels - 1); }

// Three planes of the samples across a row of the picture.
void sample_row(const Samples& call, const Taps& taps, const std::uint8_t* row, double* to) {
  for (int c = 0; c < kColors; ++c) {
    const std::uint8_t* bytes = row + color_of(call, c);
    const double* weight = taps.weights;
    const std::int32_t* pixel = taps.pixels;
    for (int x = 0; x < call.columns; ++x) {
      double sum = 0;
      for (int i = 0; i < kTaps; ++i) sum += *weight++ * bytes[*pixel++ * call.channels];
      *to++ = sum;
    }
  }
}

}  // namespace

// Rows of samples stay while the next rows of the result need them: taps are neighbors, or an edge.
void sample(const Samples& call) {
  const int sides = call.columns + call.rows, plane = call.rows * call.columns;
  const double* places = call.numbers + kSampleNumbers;
  double* kept_samples = call.numbers + kSampleNumbers + sides;
  Taps across{kept_samples + kTaps * kColors * call.columns, nullptr};
  across.pixels = reinterpret_cast<std::int32_t*>(across.weights + kTaps * sides);
  Taps down{across.weights + kTaps * call.columns, across.pixels + kTaps * call.columns};
  weigh(places, call.columns, call.is_cubic, call.left, call.part_width, across);
  weigh(places + call.columns, call.rows, call.is_cubic, call.top, call.part_height, down);
  float* to = call.to;
  std::int32_t kept[kTaps];
  std::fill_n(kept, kTaps, -1);
  for (int y = 0; y < call.rows; ++y, down.weights += kTaps, down.pixels += kTaps, to += call.columns) {
    const double* lines[kTaps];
    for (int i = 0; i < kTaps; ++i) {
      const int row = down.pixels[i], slot = row % kTaps;
      double* line = kept_samples + slot * kColors * call.columns;
      if (kept[slot] != row) sample_row(call, across, call.part + row * call.part_width * call.channels, line);
      kept[slot] = row;
      lines[i] = line;
    }
    for (int c = 0; c < kColors; ++c) {
      const double scale = call.numbers[0], mean = call.numbers[1 + c], std = call.numbers[1 + kColors + c];
      for (int x = 0; x < call.columns; ++x) {
        double sum = 0;
        for (int i = 0; i < kTaps; ++i) sum += down.weights[i] * lines[i][c * call.columns + x];
        to[c * plane + x] = static_cast<float>((sum * scale - mean) / std);
      }
    }
  }
}

}  // namespace layout
