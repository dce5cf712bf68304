#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// How the pixels of a result depend on those of the source, along one axis.
enum class Filter {
#define FILTER(name, code, ...) k##name = code,
#include "resize/filters.def"
#undef FILTER
};

/// How a pass sums.
enum class Sums {
  /// Bytes times whole weights of 22 fraction bits, as Pillow.
  kPillow = 0,
  /// Bytes times weights of 16 bits, with as many fraction bits as the largest weight allows, as torch.
  kTorch = 1,
  /// float32 times double, as Pillow's mode F.
  kDouble = 2,
  /// OpenCV's ways, which opencv_taps.h describes.
  kOpencv = 3,
  /// Bytes that a table makes float32 of, as torch resizes it by float_taps.h: three planes of float32.
  kRescaled = 4,
};

/// Fraction bits of Pillow's weights.
inline constexpr int kPillowPrecision = 22;
/// Bits of the low parts of Pillow's weights where both parts are always summed.
inline constexpr int kPlainShift = 8;

/// One axis of a picture, and of its result.
struct ResizeAxis {
  Filter filter;
  /// Pixels of the source.
  std::int32_t extent;
  /// The part of the source that becomes the result: float32 numbers. For torch's filters all of it: 0 and the extent.
  double from, to;
  /// Pixels of the result.
  std::int32_t size;
};

/// The pixels of the source that one pixel of the result is made of: `count` from `first` on. Without any, the result
/// is 0.
struct Taps {
  std::int32_t first;
  std::int32_t count;
  /// Where the weights begin among those of the table: an index of doubles for Sums::kDouble, of Terms (float_taps.h)
  /// for kRescaled, of float32 numbers for kOpencv's Rule::kArea, else of words, which have four bytes. A word is two
  /// weights of 16 bits, for two taps; an odd last tap has a 0 beside it. Sums::kTorch has a word for each two taps.
  /// Sums::kPillow, whose weights have up to 23 bits, has two: the weights are 2^shift times the first one's, the high
  /// parts, plus the second's, the low parts.
  std::int32_t weights;
  /// Of Sums::kPillow and kTorch: the start of the sum, half a unit of the result, so that it is rounded. Where there
  /// is a doubt, the least that this half and the low parts give for any bytes, in units of 2^shift. Other sums use it
  /// by the names of the functions below.
  std::int32_t half;
  /// Of Sums::kPillow: the bits of the low parts.
  std::int32_t shift = 0;
  /// Of Sums::kPillow alone: how much larger, in units of 2^shift, the start of the sum of the high parts may have to
  /// be. If that can carry the sum into the next whole number, both parts have to be summed. -1 in all entries of a
  /// table where this would happen too often; their shift is kPlainShift.
  std::int32_t doubt = -1;

  /// Of Sums::kRescaled: how many terms there are, and how many of them, from the first on, are not fused
  /// (float_taps.h).
  std::int32_t term_count() const { return half; }
  std::int32_t unfused_count() const { return shift; }
  void set_terms(std::int32_t terms, std::int32_t unfused) {
    half = terms;
    shift = unfused;
  }
  /// Of kOpencv, down the columns: the pixel, counted from `first`, of the first weight (opencv_taps.h).
  std::int32_t weight_origin() const { return half; }
};

/// The taps of some pixels of an axis that lie side by side. They follow this head, and their weights follow them. From
/// one pixel to the next, neither `first` nor `first + count` goes back.
struct TapTable {
  std::int32_t count;
  Sums sums;
  /// Whether each pixel of the result is a pixel of the source, so that there are no weights.
  std::int32_t is_nearest;
  /// Fraction bits of the weights. The sizes of a pixel's weights add up to less than 4.
  std::uint32_t precision;

  const Taps* taps() const { return reinterpret_cast<const Taps*>(this + 1); }
  const std::uint8_t* weights() const { return reinterpret_cast<const std::uint8_t*>(taps() + count); }
};

/// The most taps that a pixel of the result may have.
int max_taps(const ResizeAxis& axis);

/// The bytes of a table of `count` pixels of the result, with those that make_taps needs to work in.
std::size_t table_bytes(const ResizeAxis& axis, int count);

/// Writes the table of the result's pixels `first` to `first + count` to `at`, a multiple of 8 with table_bytes.
/// Returns the fraction bits of the weights, or 0 where weights are no whole numbers. All tables of an axis
/// have as many: `precision` is what its first call returned, or -1 in this first call.
int make_taps(const ResizeAxis& axis, Sums sums, int first, int count, int precision, std::uint8_t* at);

}  // namespace layout
