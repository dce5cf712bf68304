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
  /// before and behind the source, which mirror it at its outermost pixels. The others have 0 behind it.
  std::int32_t wide, border;
  /// Of the filters of points: the deviation of a Gaussian that blurs before, with mirrored edges; 0 for none.
  double sigma;
};

/// The most taps that a pixel of the result may have.
int most_float_taps(const FloatAxis& axis);

/// The bytes of a table of `count` pixels, and of what make_float_taps works in.
std::size_t float_table_bytes(const FloatAxis& axis, int count);

/// Writes the table of the result's pixels `first` to `first + count` to `at`, a multiple of 8 with float_table_bytes.
/// Its sums are Sums::kDouble.
void make_float_taps(const FloatAxis& axis, int first, int count, std::uint8_t* at);

}  // namespace layout
