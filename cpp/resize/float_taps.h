#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// How torch and torchvision resize float32.
enum class FloatFilter {
#define FLOAT_FILTER(name, code, ...) k##name = code,
#include "resize/float_filters.def"
#undef FLOAT_FILTER
};

/// One axis of a picture, and of its result.
struct FloatAxis {
  FloatFilter filter;
  /// Pixels of the source, and of the result.
  std::int32_t extent, size;
  /// Pixels of the axis that is resized, of which the source is a part. The filters of corners have `border` pixels
  /// before and after the source, which mirror it at its outermost pixels. The others have 0 after it.
  std::int32_t padded_extent, border;
  /// Of the filters of points: the deviation of a Gaussian that blurs before, with mirrored edges; 0 for none.
  double sigma;
  /// Whether the result is so small that torch takes other kernels of kNearest and kBilinearPoint.
  bool is_small;
};

/// The largest sum of a result's width and height for which torch takes its kernel of small results.
inline constexpr int kSmallSides = 128;

/// Whether a filter is torch's bilinear without antialiasing, which has two pixels along an axis.
constexpr bool is_two_pixels(FloatFilter filter) {
  return filter == FloatFilter::kBilinearPoint || filter == FloatFilter::kBilinearCorners;
}

/// One product of a sum: pixel `at` of an entry's window times `weight`.
struct Term {
  std::int32_t at;
  float weight;
};

/// The most taps that a pixel of the result may have.
int max_float_taps(const FloatAxis& axis);

/// The bytes of a table of `count` pixels, and of what make_float_taps works in.
std::size_t float_table_bytes(const FloatAxis& axis, int count);

/// Writes the table of the result's pixels `first` to `first + count` to `at`, a multiple of 8 with float_table_bytes.
/// Its sums are Sums::kRescaled: the weights of an entry are `term_count` Terms in torch's order, from number `weights`
/// on. After the first product, those before number `unfused_count` are rounded before they are added, and the rest are
/// not.
void make_float_taps(const FloatAxis& axis, int first, int count, std::uint8_t* at);

/// `a * b + c` rounded once, as by the instruction that torch's kernels take. Here the product is exact in double, and
/// the sum is rounded twice, to double and to float, which gives another result about once in 2^29 sums.
inline float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

}  // namespace layout
