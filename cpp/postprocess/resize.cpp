// postprocess/resize.h says what these functions do.

#include "postprocess/resize.h"

#include <cmath>

#include "postprocess/numbers.h"

namespace layout {

namespace {

constexpr float kCubic = -0.75F;

// torch's curve of cubic convolution with a = -0.75, in its float32 steps.

/// The cubic curve at a distance of 0 to 1: ((a + 2) x - (a + 3)) x^2 + 1.
float near_weight(float x) { return fused(kCubic + 2, x, -(kCubic + 3)) * x * x + 1; }

/// The cubic curve at a distance of 1 to 2: ((a x - 5a) x + 8a) x - 4a.
float far_weight(float x) { return fused(fused(kCubic, x, -5 * kCubic), x, 8 * kCubic) * x - 4 * kCubic; }

int clamped(int i, int length) { return i < 0 ? 0 : i >= length ? length - 1 : i; }

float unit(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/// Places in the source, of the numbers of a result.
struct Positions {
  int length;
  int count;
  bool align;
  bool is_fused;
  /// The place of number `i`, in torch's float32 steps.
  float at(int i) const {
    const auto place = static_cast<float>(i);
    if (align) {
      const float step = count > 1 ? static_cast<float>(length - 1) / static_cast<float>(count - 1) : 0;
      return step * place;
    }
    const float scale = static_cast<float>(length) / static_cast<float>(count);
    return is_fused ? fused(scale, place + 0.5F, -0.5F) : scale * (place + 0.5F) - 0.5F;
  }
};

/// Writes the two neighbors of a position, and their weights.
void bilinear_taps(float position, int length, std::int32_t* neighbors, float* weights) {
  const int left = clamped(static_cast<int>(std::floor(position)), length);
  const float right_weight = unit(position - static_cast<float>(left));
  neighbors[0] = left;
  neighbors[1] = clamped(left + 1, length);
  weights[0] = 1 - right_weight;
  weights[1] = right_weight;
}

/// Writes the four neighbors of a position, two on each side, and their weights.
void bicubic_taps(float position, int length, std::int32_t* neighbors, float* weights) {
  const float floor = std::floor(position);
  const float part = unit(position - floor);
  const int left = floor < static_cast<float>(length) ? static_cast<int>(floor) : length - 1;
  for (int tap = 0; tap < 4; ++tap) neighbors[tap] = clamped(left - 1 + tap, length);
  weights[0] = far_weight(part + 1);
  weights[1] = near_weight(part);
  weights[2] = near_weight(1 - part);
  weights[3] = far_weight(1 - part + 1);
}

}  // namespace

void make_taps(Mode mode, int length, bool align, bool is_fused, AxisTaps& axis) {
  const Positions positions{length, axis.count, align, is_fused};
  const float scale = static_cast<float>(length) / static_cast<float>(axis.count);
  for (int i = 0; i < axis.count; ++i) {
    std::int32_t* neighbors = axis.indices + i * axis.taps;
    float* weights = axis.factors + i * axis.taps;
    const auto place = static_cast<float>(i);
    switch (mode) {
      case Mode::kNearest:
        neighbors[0] = clamped(static_cast<int>(std::floor(place * scale)), length);
        break;
      case Mode::kNearestExact:
        neighbors[0] = clamped(static_cast<int>(std::floor(scale * (place + 0.5F))), length);
        break;
      case Mode::kBilinear: {
        const float position = positions.at(i);
        const bool is_before_first = !align && !(position > 0);  // there stands the first number
        bilinear_taps(is_before_first ? 0 : position, length, neighbors, weights);
        break;
      }
      case Mode::kBicubic:
        bicubic_taps(positions.at(i), length, neighbors, weights);
        break;
    }
  }
}

void resize_row(const float* from, const AxisTaps& columns, float* to) {
  const std::int32_t* indices = columns.indices;
  const float* weights = columns.factors;
  if (columns.taps == 2) {
    for (int x = 0; x < columns.count; ++x, indices += 2, weights += 2)
      to[x] = fused(from[indices[0]], weights[0], from[indices[1]] * weights[1]);
    return;
  }
  for (int x = 0; x < columns.count; ++x, indices += 4, weights += 4) {
    const float half = fused(from[indices[0]], weights[0], from[indices[1]] * weights[1]);
    to[x] = fused(from[indices[3]], weights[3], fused(from[indices[2]], weights[2], half));
  }
}

void blend_rows(const float* const* rows, const float* weights, int taps, int width, float* to) {
  const float* a = rows[0];
  const float* b = rows[1];
  for (int x = 0; x < width; ++x) to[x] = fused(a[x], weights[0], b[x] * weights[1]);
  if (taps == 2) return;
  const float* c = rows[2];
  const float* d = rows[3];
  for (int x = 0; x < width; ++x) to[x] = fused(d[x], weights[3], fused(c[x], weights[2], to[x]));
}

/// Sums the four neighbors of each number in two rows at once.
void resize_small_row(const float* top, const float* bottom, const AxisTaps& columns, const float* row_weights,
                      bool is_vector, float* to) {
  for (int x = 0; x < columns.count; ++x) {
    const float* column_weights = columns.weights(x);
    const int left = columns.at(x, 0);
    const int right = columns.at(x, 1);
    const float top_left = row_weights[0] * column_weights[0];
    const float top_right = row_weights[0] * column_weights[1];
    const float bottom_left = row_weights[1] * column_weights[0];
    const float bottom_right = row_weights[1] * column_weights[1];
    if (is_vector) {
      const float below = fused(bottom_right, bottom[right], bottom_left * bottom[left]);
      to[x] = fused(top_left, top[left], fused(top_right, top[right], below));
    } else {
      const float above = fused(top_left, top[left], top_right * top[right]);
      to[x] = fused(bottom_right, bottom[right], fused(bottom_left, bottom[left], above));
    }
  }
}

}  // namespace layout
