// resize/opencv_taps.h says what these functions do.

#include "resize/opencv_taps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// The rules of OpenCV (modules/imgproc/src/resize.cpp). Each step is rounded to float or double as there, since
// results have to be equal to the bit.

namespace layout {
namespace {

constexpr int kMaxTaps = 8;
/// The sum of the fixed-point weights of one pixel: weights have 11 fraction bits.
constexpr int kOne = 1 << 11;

/// A place on the source: the pixel at or before it, and how far past that pixel it is, from 0 to 1.
struct Place {
  std::int32_t pixel;
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
    const double pixel = std::floor(i * scale);
    const auto past_end = static_cast<float>(i + 1.0 - (pixel + 1.0) * axis.factor);
    place = {static_cast<std::int32_t>(pixel), past_end <= 0.0f ? 0.0f : past_end - std::floor(past_end)};
  } else {
    const auto middle = static_cast<float>((i + 0.5) * scale - 0.5);
    const float pixel = std::floor(middle);
    place = {static_cast<std::int32_t>(pixel), middle - pixel};
  }
  const int last = axis.extent - 1;
  const bool is_beyond = place.pixel < 0 || place.pixel >= last;
  if (is_across && taps_of(axis.rule) == 2 && is_beyond) return {std::clamp(place.pixel, 0, last), 0.0f};
  return place;
}

/// Writes the four weights of cubic convolution, with OpenCV's factor a = -0.75, for a place `t` pixels past the
/// second of four pixels, 0 to 1. The last weight is what the others leave of 1, as OpenCV computes it.
void cubic_weights(float t, float* weights) {
  // At a distance d from 1 to 2: ((a d - 5a) d + 8a) d - 4a. From 0 to 1: ((a + 2) d - (a + 3)) d d + 1.
  const auto inner = [](float d) { return (1.25f * d - 2.25f) * d * d + 1.0f; };
  const float d = t + 1.0f;
  weights[0] = ((-0.75f * d + 3.75f) * d - 6.0f) * d + 3.0f;
  weights[1] = inner(t);
  weights[2] = inner(1.0f - t);
  weights[3] = 1.0f - weights[0] - weights[1] - weights[2];
}

/// Writes the eight weights of Lanczos' filter for a place `t` pixels past the fourth of eight pixels, 0 to 1, as
/// OpenCV's interpolateLanczos4 does. The angles of the eight sines lie a quarter of pi apart, so that one sine and one
/// cosine give all of them by the tables. At a distance of 0 the quotient has no value: 1e30 leaves the other weights
/// 0.
void lanczos_weights(float t, float* weights) {
  constexpr double kQuarterPi = 3.14159265358979323846 * 0.25, kRootOfHalf = 0.70710678118654752440;
  constexpr double kSines[] = {1, -kRootOfHalf, 0, kRootOfHalf, -1, kRootOfHalf, 0, -kRootOfHalf};
  constexpr double kCosines[] = {0, -kRootOfHalf, 1, -kRootOfHalf, 0, kRootOfHalf, -1, kRootOfHalf};
  const double first_angle = -static_cast<double>(t + 3.0f) * kQuarterPi;
  const double sine = std::sin(first_angle), cosine = std::cos(first_angle);
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i) {
    const float distance = t + 3.0f - static_cast<float>(i);
    const double angle = -static_cast<double>(distance) * kQuarterPi;
    const double numerator = kSines[i] * sine + kCosines[i] * cosine;
    weights[i] = std::fabs(distance) >= 1e-6f ? static_cast<float>(numerator / (angle * angle)) : 1e30f;
    sum += weights[i];
  }
  const float inverse = 1.0f / sum;
  for (int i = 0; i < 8; ++i) weights[i] *= inverse;
}

/// Does fixed_weights for kLinearExact, whose two weights have 8 fraction bits.
std::int32_t linear_exact_weights(const OpenCvAxis& axis, int i, std::int32_t* fixed) {
  constexpr int kExactOne = 1 << 8;
  const double place = (i + 0.5) * (1.0 / axis.factor) - 0.5, before = std::floor(place);
  const int last = axis.extent - 1;
  const int pixel = static_cast<int>(std::clamp(before, 0.0, static_cast<double>(last)));
  // Beyond an edge, the pixel at the edge has all of the weight.
  const bool is_beyond = before < 0.0 || pixel == last;
  fixed[1] = is_beyond ? 0 : static_cast<std::int32_t>(std::nearbyint((place - before) * kExactOne));
  fixed[0] = kExactOne - fixed[1];
  return pixel;
}

/// Does fixed_weights for kLinearOnce, with PaddlePaddle's steps of float32.
std::int32_t linear_once_weights(const OpenCvAxis& axis, int i, std::int32_t* fixed) {
  const auto scale = static_cast<float>(static_cast<double>(axis.extent) / axis.size);
  const float middle = (static_cast<float>(i) + 0.5f) * scale, place = middle - 0.5f, before = std::floor(place);
  const auto last = static_cast<float>(axis.extent - 1);
  float fraction = place - before;
  if (before < 0.0f) {
    fraction = 0.0f;
  } else if (before >= last) {
    fraction = 1.0f;  // of the pixel before the last, so that both taps lie within the source
  }
  fixed[1] = static_cast<std::int32_t>(std::floor(fraction * kOne + 0.5f));
  fixed[0] = kOne - fixed[1];
  return static_cast<std::int32_t>(std::clamp(before, 0.0f, std::max(0.0f, last - 1.0f)));
}

/// Writes the taps_of weights of pixel `i` of the result to `fixed`, as fixed-point numbers of which kOne is 1, or 2^8
/// of kLinearExact. Not for kNearest and kArea. Returns the pixel of the source that the first weight belongs to, which
/// may lie beyond an edge; the others follow it.
std::int32_t fixed_weights(const OpenCvAxis& axis, bool is_across, int i, std::int32_t* fixed) {
  if (axis.rule == Rule::kLinearExact) return linear_exact_weights(axis, i, fixed);
  if (axis.rule == Rule::kLinearOnce) return linear_once_weights(axis, i, fixed);
  const int taps = taps_of(axis.rule);
  const auto [pixel, fraction] = place_of(axis, is_across, i);
  float weights[kMaxTaps] = {1.0f - fraction, fraction};
  if (taps == 4) cubic_weights(fraction, weights);
  if (taps == 8) lanczos_weights(fraction, weights);
  // Within int16's range, as OpenCV's saturate_cast<short>.
  for (int tap = 0; tap < taps; ++tap)
    fixed[tap] = static_cast<std::int32_t>(std::clamp(std::nearbyint(weights[tap] * kOne), -32768.0f, 32767.0f));
  return pixel + 1 - taps / 2;
}

/// Makes the entry along the rows of the `taps` weights `fixed`, the first of which belongs to pixel `begin`: adds
/// weights beyond an edge to the pixel at the edge, in `placed`.
Taps entry_across(const OpenCvAxis& axis, int taps, std::int32_t begin, const std::int32_t* fixed,
                  std::int32_t* placed) {
  const int first = std::clamp(begin, 0, std::max(0, axis.extent - taps));
  for (int tap = 0; tap < taps; ++tap) placed[std::clamp(begin + tap, 0, axis.extent - 1) - first] += fixed[tap];
  return {first, std::min(taps, axis.extent), 0, 0};
}

/// Makes the entry down the columns of the `taps` weights `fixed`, the first of which belongs to pixel `begin`. All
/// weights stay as they are: `half` of the entry is its weight_origin().
Taps entry_down(const OpenCvAxis& axis, int taps, std::int32_t begin, const std::int32_t* fixed) {
  // Leaves out a row of weight 0. Only where two taps shrink to half or less: entries then have no row in common,
  // so `first` does not go back from one to the next.
  const bool is_apart = taps == 2 && axis.factor <= 0.5;
  const bool skips_first = is_apart && fixed[0] == 0, skips_last = is_apart && fixed[1] == 0;
  const int first = std::clamp(begin + (skips_first ? 1 : 0), 0, axis.extent - 1);
  const int last = std::clamp(begin + taps - 1 - (skips_last ? 1 : 0), 0, axis.extent - 1);
  return {.first = first, .count = last - first + 1, .weights = 0, .half = begin - first};
}

/// Makes the entry of pixel `i` of kArea, and writes its weights, as OpenCV's computeResizeAreaTab: the pixels of its
/// cell, which reaches from i * scale to (i + 1) * scale on the source, each with the share of the cell that it covers.
/// `weights` of the entry is not set.
Taps cell_of(const OpenCvAxis& axis, int i, float* weights) {
  // OpenCV leaves out a pixel of which a smaller part lies in the cell.
  constexpr double kLeastPart = 1e-3;
  const double scale = 1.0 / axis.factor, from = i * scale, to = from + scale;
  const double cell_width = std::min(scale, axis.extent - from);  // the edge may cut the cell
  // Its whole pixels: from `first` to before `last`.
  const int last = std::min(static_cast<int>(std::floor(to)), axis.extent - 1);
  const int first = std::min(static_cast<int>(std::ceil(from)), last);
  const double front_part = first - from, back_part = to - last;  // of the pixels before and after these
  const bool has_front = front_part > kLeastPart, has_back = back_part > kLeastPart;
  int count = 0;
  if (has_front) weights[count++] = static_cast<float>(front_part / cell_width);
  for (int j = first; j < last; ++j) weights[count++] = static_cast<float>(1.0 / cell_width);
  if (has_back) weights[count++] = static_cast<float>(std::min(std::min(back_part, 1.0), cell_width) / cell_width);
  return {has_front ? first - 1 : first, count, 0, 0};
}

}  // namespace

int max_opencv_taps(const OpenCvAxis& axis) {
  if (axis.rule != Rule::kArea) return std::min(axis.extent, taps_of(axis.rule));
  // A cell may cover a part of one more pixel at each end.
  return std::min(axis.extent, static_cast<int>(std::ceil(1.0 / axis.factor)) + 2);
}

std::size_t opencv_table_bytes(const OpenCvAxis& axis, int count) {
  const auto pixels = static_cast<std::size_t>(count);
  // Words of all fixed-point weights, or a float32 number for each pixel.
  const int weights = axis.rule == Rule::kArea ? max_opencv_taps(axis) : (taps_of(axis.rule) + 1) / 2;
  return sizeof(TapTable) + pixels * (sizeof(Taps) + 4 * static_cast<std::size_t>(weights));
}

void make_opencv_taps(const OpenCvAxis& axis, bool is_across, int first, int count, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, Sums::kOpencv, axis.rule == Rule::kNearest, 0};
  auto* entries = reinterpret_cast<Taps*>(table + 1);
  auto* weights = reinterpret_cast<std::uint8_t*>(entries + count);
  const int taps = taps_of(axis.rule);
  std::int32_t next_word = 0;  // of four bytes
  for (int i = 0; i < count; ++i) {
    Taps& entry = entries[i];
    if (axis.rule == Rule::kNearest) {
      const double pixel = std::floor((first + i) * (1.0 / axis.factor));
      entry = {std::min(static_cast<std::int32_t>(pixel), axis.extent - 1), 1, 0, 0};
      continue;
    }
    if (axis.rule == Rule::kArea) {
      entry = cell_of(axis, first + i, reinterpret_cast<float*>(weights) + next_word);
      entry.weights = next_word;
      next_word += entry.count;
      continue;
    }
    std::int32_t fixed[kMaxTaps], placed[kMaxTaps] = {};
    const std::int32_t begin = fixed_weights(axis, is_across, first + i, fixed);
    if (is_across) {
      entry = entry_across(axis, taps, begin, fixed, placed);
    } else {
      entry = entry_down(axis, taps, begin, fixed);
      std::copy(fixed, fixed + taps, placed);
    }
    entry.weights = next_word;
    // A word of four bytes has the weights of two taps.
    for (int tap = 0; tap < taps; ++tap) {
      const auto weight = static_cast<std::int16_t>(placed[tap]);
      std::memcpy(weights + 4 * next_word + 2 * tap, &weight, sizeof weight);
    }
    next_word += taps / 2;
  }
}

}  // namespace layout
