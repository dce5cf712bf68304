#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"
#include "image/pixels.h"

inline int torch_luma(const std::uint8_t* pixel) {
  const float red = pixel[0] * 0.2989f, green = pixel[1] * 0.587f, blue = pixel[2] * 0.114f;
  const float sum = red + green;
  return static_cast<int>(sum + blue);
}

inline float number_of(const layout::Channel& channel, const std::uint8_t* pixel) {
  const int luma =
      channel.source == layout::kLuma         ? (19595 * pixel[0] + 38470 * pixel[1] + 7471 * pixel[2] + 32768) / 65536
      : channel.source == layout::kOpenCvLuma ? (9798 * pixel[0] + 19235 * pixel[1] + 3735 * pixel[2] + 16384) / 32768
      : channel.source == layout::kTorchLuma  ? torch_luma(pixel)
                                              : 0;
  const int byte = channel.source >= layout::kLuma     ? luma
                   : channel.source == layout::kOpaque ? 255
                                                       : pixel[channel.source];
  const float product = static_cast<float>(byte) * channel.scale;
  const float rest = static_cast<float>(byte) * channel.low;
  const float sum = product + rest;
  const float difference = sum - channel.mean;
  return difference / channel.std;
}

/// The nearest whole number, ties to even, saturated.
inline int rounded(float value, int least, int most) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<float>(least)) return least;
  if (value >= static_cast<float>(most)) return most;
  const float below = std::floor(value);
  const int code = static_cast<int>(below);
  const float rest = value - below;
  return rest > 0.5f || (rest == 0.5f && code % 2 != 0) ? code + 1 : code;
}

inline std::uint32_t code_of(layout::Format to, float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (to == layout::Format::kFloat32) return bits;
  if (to == layout::Format::kUint8) return static_cast<std::uint8_t>(rounded(value, 0, 255));
  if (to == layout::Format::kInt8) return static_cast<std::uint8_t>(rounded(value, -128, 127));
  // convert_test checks the conversions to float16 and bfloat16.
  std::uint8_t result[2];
  layout::convert(layout::Format::kFloat32, to, reinterpret_cast<const std::uint8_t*>(&value), result, 1, {});
  return static_cast<std::uint32_t>(result[0] | result[1] << 8);
}

inline int bytes_of(layout::Format to) {
  return to == layout::Format::kFloat32 ? 4 : to == layout::Format::kFloat16 || to == layout::Format::kBfloat16 ? 2 : 1;
}

/// Looks random pixels up in random tables, and compares with loops.
inline Moved check_look_up(int element, int src_channels, const std::vector<int>& sources, bool planar, int gap,
                           int count, Random& random) {
  const int dst_channels = static_cast<int>(sources.size()), plane = planar ? count * element + gap : 0;
  const Memory src(count * src_channels, random);
  const Memory tables(dst_channels * 256 * element, random);
  const Memory before(planar ? (dst_channels - 1) * plane + count * element : dst_channels * count * element, random);
  const Memory expected(before);
  const Memory actual(before);
  for (int i = 0; i < count; ++i) {
    for (int c = 0; c < dst_channels; ++c) {
      const std::uint8_t* pixel = src.data.get() + i * src_channels;
      const int source = sources[static_cast<std::size_t>(c)];
      const int byte = source == layout::kLuma ? (19595 * pixel[0] + 38470 * pixel[1] + 7471 * pixel[2] + 32768) / 65536
                       : source == layout::kOpaque ? 255
                                                   : pixel[source];
      std::memcpy(expected.data.get() + (planar ? c * plane + i * element : (i * dst_channels + c) * element),
                  tables.data.get() + (c * 256 + byte) * element, static_cast<std::size_t>(element));
    }
  }
  const auto format = element == 1   ? layout::Format::kUint8
                      : element == 2 ? layout::Format::kFloat16
                                     : layout::Format::kFloat32;
  layout::PixelNumbers asked = {
      format, src_channels, dst_channels, plane, src.data.get(), actual.data.get(), static_cast<std::size_t>(count),
      {}};
  for (std::size_t c = 0; c < sources.size(); ++c) asked.channels[c].source = sources[c];
  layout::look_up(asked, tables.data.get());
  const auto at = first_difference(expected, actual);
  check(at < 0, "look up %d bytes, %d to %d channels, planar %d, %d pixels: byte %d", element, src_channels,
        dst_channels, planar, count, static_cast<int>(at));
  return {src, before, actual};
}

/// Compares random pixels with the formula, one number at a time, and checks that the `gap` bytes between planes stay.
inline Moved check_pixels(layout::Format to, int src_channels, const std::vector<layout::Channel>& channels,
                          bool planar, int gap, int count, Random& random) {
  const int width = bytes_of(to), dst_channels = static_cast<int>(channels.size());
  const int plane = planar ? count * width + gap : 0;
  const Memory src(count * src_channels, random);
  const Memory before(planar ? (dst_channels - 1) * plane + count * width : dst_channels * count * width, random);
  const Memory expected(before);
  const Memory actual(before);
  for (int i = 0; i < count; ++i) {
    for (int c = 0; c < dst_channels; ++c) {
      const std::uint32_t code =
          code_of(to, number_of(channels[static_cast<std::size_t>(c)], src.data.get() + i * src_channels));
      std::memcpy(expected.data.get() + (planar ? c * plane + i * width : (i * dst_channels + c) * width), &code,
                  static_cast<std::size_t>(width));
    }
  }
  layout::PixelNumbers asked = {
      to, src_channels, dst_channels, plane, src.data.get(), actual.data.get(), static_cast<std::size_t>(count), {}};
  std::copy(channels.begin(), channels.end(), asked.channels);
  layout::pixels(asked);
  const auto at = first_difference(expected, actual);
  check(at < 0, "format %d, %d to %d channels, planar %d, %d pixels: byte %d", static_cast<int>(to), src_channels,
        dst_channels, planar, count, static_cast<int>(at));
  return {src, before, actual};
}

/// Compares RGBA bytes of random numbers with the formula, byte by byte. `channels` of the numbers, -1 for 255.
inline void check_rgba(const std::vector<int>& channels, bool planar, int count, Random& random) {
  const int numbers_of_pixel = 3;
  std::vector<float> numbers(static_cast<std::size_t>(count * numbers_of_pixel));
  for (float& number : numbers) number = static_cast<float>(random.below(1200) - 80) / 4;
  numbers[static_cast<std::size_t>(random.below(count))] = NAN;
  const Memory actual(4 * count, random);
  layout::RgbaPixels asked = {actual.data.get(), static_cast<std::size_t>(count), planar ? 1u : 3u, {}};
  const float scales[] = {1, -0.5f, 3, 1e-3f}, means[] = {0, 0.1f, 7, -200}, stds[] = {1, -3, 0, 0.229f};
  for (std::size_t i = 0; i < 4; ++i) {
    const float* first = channels[i] < 0 ? nullptr : numbers.data() + channels[i] * (planar ? count : 1);
    asked.bytes[i] = {first, scales[i], means[i], stds[i]};
  }
  layout::write_rgba(asked);
  for (int pixel = 0; pixel < count; ++pixel) {
    for (std::size_t i = 0; i < 4; ++i) {
      const float* first = asked.bytes[i].numbers;
      const float product = first ? first[pixel * (planar ? 1 : 3)] * stds[i] : 0;
      const float sum = product + means[i];
      const int expected = first ? rounded(sum / scales[i], 0, 255) : 255;
      const int made = actual.data.get()[4 * static_cast<std::size_t>(pixel) + i];
      check(made == expected, "rgba, planar %d, pixel %d of %d, byte %d: %d, not %d", planar, pixel, count,
            static_cast<int>(i), made, expected);
    }
  }
}

/// Compares the gray of random planes with torchvision's sums, and of planes that are gray.
inline void check_gray(int count, Random& random) {
  const auto size = static_cast<std::size_t>(count);
  std::vector<float> planes(3 * size);
  for (float& number : planes) number = static_cast<float>(random.below(256)) / 255.f;
  for (const bool is_fused : {false, true}) {
    std::vector<float> actual = planes;
    const bool equal = layout::gray_planes(actual.data(), size, is_fused);
    check(!equal || count == 1, "gray, %d numbers", count);
    for (std::size_t i = 0; i < size; ++i) {
      const float r = planes[i], g = planes[i + size], b = planes[i + 2 * size];
      const float red = r * 0.2989f, green = g * 0.587f, blue = b * 0.114f, two = red + green;
      const float expected = is_fused ? std::fma(b, 0.114f, std::fma(g, 0.587f, red)) : two + blue;
      check(actual[i] == expected, "gray, fused %d: %a, not %a", is_fused, actual[i], expected);
    }
    std::vector<float> gray(3 * size, 0.5f);
    check(layout::gray_planes(gray.data(), size, is_fused), "gray planes of %d numbers are equal", count);
  }
}
