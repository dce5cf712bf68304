// image/pixels.h says what these functions do.

#include <algorithm>
#include <cstring>

#include "bits/vectors.h"
#include "convert/steps.h"
#include "image/pixels.h"

namespace layout {
namespace {

constexpr std::size_t kTile = 512;  // pixels at a time, so that bytes of a channel stay in a first-level cache

/// Looks up `count` bytes, which lie `src_step` bytes apart, in a table of 256 entries of kBytes bytes, and writes the
/// entries `dst_step` bytes apart.
template <std::size_t kBytes>
void look_up_bytes(const std::uint8_t* table, const std::uint8_t* src, std::size_t src_step, std::uint8_t* dst,
                   std::size_t dst_step, std::size_t count) {
  const auto put = [&] {
    std::memcpy(dst, table + kBytes * *src, kBytes);
    src += src_step;
    dst += dst_step;
  };
  for (; count >= 4; count -= 4) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) put();
  }
  for (; count > 0; --count) put();
}

/// The gray of a pixel by kLuma's formula (pixels.h): BT.601's weights times 2^16, rounded.
std::uint8_t luma_of(const std::uint8_t* rgb) {
  return static_cast<std::uint8_t>((19595u * rgb[0] + 38470u * rgb[1] + 7471u * rgb[2] + 0x8000u) >> 16);
}

}  // namespace

/// Tile by tile and channel by channel, so that the bytes of a channel stay in the cache.
void look_up(const PixelNumbers& numbers, const std::uint8_t* tables) {
  const auto [to_format, src_channels, dst_channels, plane_bytes, src, dst, count, channels] = numbers;
  const auto entry_bytes = static_cast<std::size_t>(row_of(to_format).bits) / 8;
  const auto src_bytes = static_cast<std::size_t>(src_channels);
  const bool is_planar = plane_bytes != 0;
  const std::size_t dst_step = is_planar ? entry_bytes : entry_bytes * static_cast<std::size_t>(dst_channels);
  const std::ptrdiff_t channel_step = is_planar ? plane_bytes : static_cast<std::ptrdiff_t>(entry_bytes);
  const auto look_up_entries = entry_bytes == 1   ? look_up_bytes<1>
                               : entry_bytes == 2 ? look_up_bytes<2>
                                                  : look_up_bytes<4>;
  std::uint8_t channel_bytes[kTile];
  for (std::size_t at = 0; at < count; at += kTile) {
    const std::size_t tile_pixels = std::min(kTile, count - at);
    for (int c = 0; c < dst_channels; ++c) {
      // The bytes to look up lie from `from` on, `src_step` apart: in the source, or in `channel_bytes`.
      const std::uint8_t* from = src + at * src_bytes;
      std::size_t src_step = src_bytes;
      const int source = channels[c].source;
      if (source == kOpaque) {
        std::memset(channel_bytes, 255, tile_pixels);
      } else if (source == kLuma) {
        for (std::size_t i = 0; i < tile_pixels; ++i, from += src_bytes) channel_bytes[i] = luma_of(from);
      }
      const bool is_byte_of_pixel = source < kOpaque;
      if (!is_byte_of_pixel) {
        from = channel_bytes;
        src_step = 1;
      } else {
        from += source;
      }
      std::uint8_t* to = dst + at * dst_step + c * channel_step;
      const std::uint8_t* table = tables + 256 * entry_bytes * static_cast<std::size_t>(c);
      look_up_entries(table, from, src_step, to, dst_step, tile_pixels);
    }
  }
}

bool gray_planes(float* planes, std::size_t size, bool is_fused) {
  constexpr float kRed = 0.2989f, kGreen = 0.587f, kBlue = 0.114f;
  bool is_gray = true;
  for (std::size_t i = 0; i < size; ++i) {
    const float r = planes[i], g = planes[i + size], b = planes[i + 2 * size];
    is_gray &= r == g && r == b;
    const float red = r * kRed;
    if (is_fused) {
      // In float64 a product of two float32 numbers is exact, so only the sum is rounded.
      const auto red_green = static_cast<float>(double{g} * kGreen + red);
      planes[i] = static_cast<float>(double{b} * kBlue + red_green);
    } else {
      const float green = g * kGreen, blue = b * kBlue;
      const float red_green = red + green;
      planes[i] = red_green + blue;
    }
  }
  return is_gray;
}

double sum_bytes(const std::uint8_t* bytes, std::size_t count, bool is_squared) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::uint32_t{bytes[i]} * (is_squared ? bytes[i] : 1u);
  return static_cast<double>(sum);
}

}  // namespace layout
