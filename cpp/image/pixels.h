#pragma once

#include <cstddef>
#include <cstdint>

#include "convert/convert.h"

namespace layout {

/// One channel of the result: where its byte x comes from, and what is made of it: (x * scale - mean) / std, each step
/// rounded to float32.
struct Channel {
  /// The byte's index in a pixel of the source, or one of the two below.
  int source;
  float scale;
  float mean;
  float std;
};

/// 255, whatever the pixel.
inline constexpr int kOpaque = 4;
/// (19595 * r + 38470 * g + 7471 * b + 2^15) >> 16 of the first three bytes: BT.601's weights, as Pillow has them.
inline constexpr int kLuma = 5;

/// Pixels of `src_channels` interleaved bytes (1, 3 or 4) to `dst_channels` (1, 3 or 4) numbers each: float32, float16,
/// bfloat16 (rounded to nearest even), or uint8, int8 (rounded to nearest even, saturated; NaN gives 0). kLuma is for a
/// single channel, of a source with three or four.
///
/// `plane_bytes` other than 0: channel c is a plane of `count` numbers that begins c * plane_bytes after `dst`. 0: the
/// numbers of a pixel lie side by side. Exactly those bytes are read and written; nothing is aligned, the two memories
/// do not overlap.
void pixels(Format to, int src_channels, int dst_channels, const Channel* channels, std::ptrdiff_t plane_bytes,
            const std::uint8_t* src, std::uint8_t* dst, std::size_t count);

}  // namespace layout
