#pragma once

#include <cstddef>
#include <cstdint>

#include "convert/convert.h"

namespace layout {

/// One channel of the result: its byte x, and the number that it becomes: (x * scale + x * low - mean) / std, each step
/// rounded to float32.
struct Channel {
  /// The index of the byte in a pixel of the source, or one of the constants below.
  std::int32_t source;
  float scale;
  float mean;
  float std;
  /// The rest of a factor of float64 below `scale`; -0, which changes no product, where the factor is float32.
  float low = -0.0f;
};

/// A channel's source: 255, whatever the pixel.
inline constexpr int kOpaque = 4;
/// A channel's source: (19595 * r + 38470 * g + 7471 * b + 2^15) >> 16 of the first three bytes. BT.601's weights, as
/// Pillow has them.
inline constexpr int kLuma = 5;
/// The same with OpenCV's weights: (9798 * r + 19235 * g + 3735 * b + 2^14) >> 15, or twice each over 2^16. Not for
/// tables.
inline constexpr int kOpenCvLuma = 6;
/// 0.2989f * r + 0.587f * g + 0.114f * b in float32, each step rounded, cut to a whole number, as torchvision has it.
/// Not for tables.
inline constexpr int kTorchLuma = 7;

/// `count` pixels of `src_channels` interleaved bytes (1 to 4), each of which becomes `dst_channels` (1 to 4)
/// numbers in a format.
///
/// `plane_bytes` other than 0: channel c is a plane of `count` numbers that begins c * plane_bytes after `dst`. 0: the
/// numbers of a pixel lie side by side. Exactly these bytes are read and written. Nothing needs alignment. The two
/// memories do not overlap.
struct PixelNumbers {
  alignas(4) Format to;
  std::int32_t src_channels, dst_channels;
  std::ptrdiff_t plane_bytes;
  const std::uint8_t* src;
  std::uint8_t* dst;
  std::size_t count;
  Channel channels[4];
};

/// Makes numbers by each channel's formula, in float32, float16 or bfloat16 (rounded to nearest even), or in uint8 or
/// int8 (rounded to nearest even, saturated; NaN gives 0). kLuma and its kin may be the source of a single channel,
/// from pixels of three or four.
void pixels(const PixelNumbers& numbers);

/// Looks pixels up in tables: number c of the result is entry x of table c, where x is the byte of the channel's source
/// (the index of a byte, kOpaque or kLuma). Each table has 256 entries of the format, of 1, 2 or 4 bytes, and the next
/// one begins after it.
void look_up(const PixelNumbers& numbers, const std::uint8_t* tables);

/// A byte of an RGBA pixel: the nearest one, ties to even, of (t * std + mean) / scale, each step rounded to float32.
/// Numbers below 0 and NaN give 0, numbers above 255 give 255. Neighbors of the same numbers have the same formula.
struct RgbaByte {
  /// Of the first pixel; null: the byte is 255.
  const float* numbers;
  float scale, mean, std;
};

/// `count` pixels of four bytes, whose numbers lie `step` numbers apart.
struct RgbaPixels {
  std::uint8_t* dst;
  std::size_t count, step;
  RgbaByte bytes[4];
};

/// Undoes normalization: writes the RGBA bytes of pixels by each byte's formula.
void write_rgba(const RgbaPixels& pixels);

/// Replaces the first of three planes of `size` numbers, red, green and blue one after the other, by the gray of each
/// pixel: 0.2989f * r + 0.587f * g + 0.114f * b, from the left on, as torchvision has it. Each product and sum is
/// rounded to float32; where `is_fused`, a sum is rounded once with its product. Returns whether the three planes were
/// equal.
bool gray_planes(float* planes, std::size_t size, bool is_fused);

/// The sum of `count` bytes, or of their squares if `is_squared`.
double sum_bytes(const std::uint8_t* bytes, std::size_t count, bool is_squared);

}  // namespace layout
