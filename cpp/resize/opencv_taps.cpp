// resize/opencv_taps.h says what these functions do.

#include "resize/opencv_taps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// The rules of OpenCV (modules/imgproc/src/resize.cpp). Each step is rounded to float or double as there, since
// results have to be equal to the bit.

namespace layout {
namespace {

constexpr int kMostTaps = 8;

/// A place on the source: the pixel at or before it, and how far past that pixel it is, from 0 to 1.
struct Place {
  std::int32_t index;
  float fraction;
};

/// Finds the place on the source of pixel `i` of the result. Along the rows, a place of a rule with two taps whose
/// first or second tap would lie beyond an edge is moved to that edge.
Place place_of(const OpenCvAxis& axis, bool is_across, int i) {
  const double scale = 1.0 / axis.factor;
  Place place;
  if (axis.rule == Rule::kAreaLinear) {
    // OpenCV's INTER_AREA where it enlarges: a pixel of the result that reaches over the end of a pixel of the source
    // mixes that one with the next, by the part that lies past the end.
    const double index = std::floor(i * scale);
    const auto behind = static_cast<float>(i + 1.0 - (index + 1.0) * axis.factor);
    place = {static_cast<std::int32_t>(index), behind <= 0.0f ? 0.0f : behind - std::floor(behind)};
  } else {
    const auto at = static_cast<float>((i + 0.5) * scale - 0.5);
    const float index = std::floor(at);
    place = {static_cast<std::int32_t>(index), at - index};
  }
  const int last = axis.extent - 1;
  if (is_across && taps_of(axis.rule) == 2 && (place.index < 0 || place.index >= last))
    return {std::clamp(place.index, 0, last), 0.0f};
  return place;
}

/// Writes the four weights of cubic convolution, with OpenCV's factor a = -0.75, for a place `t` pixels past the
/// second of four pixels, 0 to 1. The last weight is what the others leave of 1, as OpenCV computes it.
void cubic_weights(float t, float* weights) {
  const float u = t + 1.0f, v = 1.0f - t;
  weights[0] = ((-0.75f * u + 3.75f) * u - 6.0f) * u + 3.0f;
  weights[1] = (1.25f * t - 2.25f) * t * t + 1.0f;
  weights[2] = (1.25f * v - 2.25f) * v * v + 1.0f;
  weights[3] = 1.0f - weights[0] - weights[1] - weights[2];
}

/// Writes the eight weights of Lanczos' filter for a place `t` pixels past the fourth of eight pixels, 0 to 1, as
/// OpenCV's interpolateLanczos4 does. The angles of the eight sines lie a quarter of pi apart, so that one sine and one
/// cosine give all of them by the tables. At a distance of 0 the quotient has no value: 1e30 leaves the other weights
/// 0.
void lanczos_weights(float t, float* weights) {
  constexpr double kQuarter = 3.14159265358979323846 * 0.25, kRoot = 0.70710678118654752440;
  constexpr double kSines[] = {1, -kRoot, 0, kRoot, -1, kRoot, 0, -kRoot};
  constexpr double kCosines[] = {0, -kRoot, 1, -kRoot, 0, kRoot, -1, kRoot};
  const double angle = -static_cast<double>(t + 3.0f) * kQuarter, sine = std::sin(angle), cosine = std::cos(angle);
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i) {
    const float distance = t + 3.0f - static_cast<float>(i);
    const double y = -static_cast<double>(distance) * kQuarter;
    weights[i] =
        std::fabs(distance) >= 1e-6f ? static_cast<float>((kSines[i] * sine + kCosines[i] * cosine) / (y * y)) : 1e30f;
    sum += weights[i];
  }
  sum = 1.0f / sum;
  for (int i = 0; i < 8; ++i) weights[i] *= sum;
}

/// Writes the taps_of weights of pixel `i` of the result to `whole`, as whole numbers with 11 fraction bits, or
/// 8 of kLinearExact. Not for kNearest and kArea. Returns the pixel of the source that the first weight belongs to,
/// which may lie beyond an edge; the others follow it.
std::int32_t whole_weights(const OpenCvAxis& axis, bool is_across, int i, std::int32_t* whole) {
  if (axis.rule == Rule::kLinearExact) {
    // Beyond an edge, the pixel at the edge has all of the weight.
    const double at = (i + 0.5) * (1.0 / axis.factor) - 0.5, floor = std::floor(at);
    const int last = axis.extent - 1, index = static_cast<int>(std::clamp(floor, 0.0, static_cast<double>(last)));
    whole[1] = floor < 0.0 || index == last ? 0 : static_cast<std::int32_t>(std::nearbyint((at - floor) * 256.0));
    whole[0] = 256 - whole[1];
    return index;
  }
  if (axis.rule == Rule::kLinearOnce) {
    // The last index is one pixel before the last, with a fraction of 1, so that both taps lie within the source.
    const auto scale = static_cast<float>(static_cast<double>(axis.extent) / axis.size);
    const float at = (static_cast<float>(i) + 0.5f) * scale, place = at - 0.5f, floor = std::floor(place);
    const auto last = static_cast<float>(axis.extent - 1);
    const float fraction = floor < 0.0f ? 0.0f : floor >= last ? 1.0f : place - floor;
    whole[1] = static_cast<std::int32_t>(std::floor(fraction * 2048.0f + 0.5f));
    whole[0] = 2048 - whole[1];
    return static_cast<std::int32_t>(std::clamp(floor, 0.0f, std::max(0.0f, last - 1.0f)));
  }
  const int taps = taps_of(axis.rule);
  const auto [index, fraction] = place_of(axis, is_across, i);
  float weights[kMostTaps] = {1.0f - fraction, fraction};
  if (taps == 4) cubic_weights(fraction, weights);
  if (taps == 8) lanczos_weights(fraction, weights);
  // 11 fraction bits, within int16's range as OpenCV's saturate_cast<short>.
  for (int tap = 0; tap < taps; ++tap)
    whole[tap] = static_cast<std::int32_t>(std::clamp(std::nearbyint(weights[tap] * 2048.0f), -32768.0f, 32767.0f));
  return index + 1 - taps / 2;
}

/// Makes the entry of pixel `i` of kArea, and writes its weights, as OpenCV's computeResizeAreaTab: the pixels of its
/// cell, which reaches from i * scale to (i + 1) * scale on the source, each with the share of the cell that it covers.
/// `weights` of the entry is not set.
Taps cell_of(const OpenCvAxis& axis, int i, float* weights) {
  // OpenCV leaves out a pixel of which a smaller part lies in the cell.
  constexpr double kLeast = 1e-3;
  const double scale = 1.0 / axis.factor, from = i * scale, to = from + scale;
  // The cell's width, which the edge may cut, and its whole pixels: from `first` to before `last`.
  const double cell = std::min(scale, axis.extent - from);
  const int last = std::min(static_cast<int>(std::floor(to)), axis.extent - 1);
  const int first = std::min(static_cast<int>(std::ceil(from)), last);
  int count = 0;
  const bool has_front = first - from > kLeast;
  if (has_front) weights[count++] = static_cast<float>((first - from) / cell);
  for (int j = first; j < last; ++j) weights[count++] = static_cast<float>(1.0 / cell);
  if (to - last > kLeast) weights[count++] = static_cast<float>(std::min(std::min(to - last, 1.0), cell) / cell);
  return {has_front ? first - 1 : first, count, 0, 0};
}

}  // namespace

int most_opencv_taps(const OpenCvAxis& axis) {
  // kArea: a cell may cover a part of one more pixel at each end.
  const int taps = taps_of(axis.rule);
  return std::min(axis.extent, taps > 0 ? taps : static_cast<int>(std::ceil(1.0 / axis.factor)) + 2);
}

std::size_t opencv_table_bytes(const OpenCvAxis& axis, int count) {
  const auto pixels = static_cast<std::size_t>(count);
  // Words of all whole weights, or a float32 number for each pixel.
  const int weights = axis.rule == Rule::kArea ? most_opencv_taps(axis) : (taps_of(axis.rule) + 1) / 2;
  return sizeof(TapTable) + pixels * (sizeof(Taps) + 4 * static_cast<std::size_t>(weights));
}

void make_opencv_taps(const OpenCvAxis& axis, bool is_across, int first, int count, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, Sums::kOpencv, axis.rule == Rule::kNearest, 0};
  auto* entries = reinterpret_cast<Taps*>(table + 1);
  auto* weights = reinterpret_cast<std::uint8_t*>(entries + count);
  const int last = axis.extent - 1, taps = taps_of(axis.rule);
  std::int32_t next = 0;
  for (int i = 0; i < count; ++i) {
    Taps& entry = entries[i];
    if (axis.rule == Rule::kNearest) {
      const double pixel = std::floor((first + i) * (1.0 / axis.factor));
      entry = {std::min(static_cast<std::int32_t>(pixel), last), 1, 0, 0};
      continue;
    }
    if (axis.rule == Rule::kArea) {
      entry = cell_of(axis, first + i, reinterpret_cast<float*>(weights) + next);
      entry.weights = next;
      next += entry.count;
      continue;
    }
    std::int32_t whole[kMostTaps], placed[kMostTaps] = {};
    const std::int32_t begin = whole_weights(axis, is_across, first + i, whole);
    const auto clamp_pixel = [&](std::int32_t pixel) { return std::clamp(pixel, 0, last); };
    // Along the rows, weights beyond an edge are added to the pixel at the edge. Down the columns all stay, and
    // the entry's weight_origin() tells which pixel the first one belongs to.
    if (is_across) {
      entry = {std::clamp(begin, 0, std::max(0, axis.extent - taps)), std::min(taps, axis.extent), next, 0};
      for (int tap = 0; tap < taps; ++tap) placed[clamp_pixel(begin + tap) - entry.first] += whole[tap];
    } else {
      // Leaves out a row of weight 0. Only where two taps shrink to half or less: entries then have no row in common,
      // so `first` does not go back from one to the next.
      const bool is_apart = taps == 2 && axis.factor <= 0.5;
      const std::int32_t low = clamp_pixel(begin + (is_apart && whole[0] == 0));
      const std::int32_t high = clamp_pixel(begin + taps - 1 - (is_apart && whole[1] == 0));
      entry = {low, high - low + 1, next, begin - low};
      std::copy(whole, whole + taps, placed);
    }
    // A word of four bytes has the weights of two taps.
    for (int tap = 0; tap < taps; ++tap) {
      const auto weight = static_cast<std::int16_t>(placed[tap]);
      std::memcpy(weights + 4 * next + 2 * tap, &weight, sizeof weight);
    }
    next += taps / 2;
  }
}

}  // namespace layout
