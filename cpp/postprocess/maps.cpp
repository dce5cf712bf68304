// postprocess/maps.h says what these functions do.

#include "postprocess/maps.h"

#include <cmath>
#include <limits>

#include "postprocess/numbers.h"

namespace layout {

namespace {

constexpr std::size_t kColors = 3;

/// Limits a number to 0..1.
float unit(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/// Limits a number to 0..255 and cuts it; NaN gives 0.
std::uint8_t byte_of(float x) {
  if (!(x > 0)) return 0;
  return static_cast<std::uint8_t>(x < 255 ? x : 255);
}

/// The number of a channel in row y and column x, 0 outside of the picture.
float number_at(const PlanarPicture& from, int channel, int y, int x) {
  if (x < 0 || y < 0 || x >= from.width || y >= from.height) return 0;
  const auto height = static_cast<std::size_t>(from.height), width = static_cast<std::size_t>(from.width);
  const std::size_t row = static_cast<std::size_t>(channel) * height + static_cast<std::size_t>(y);
  return from.data[row * width + static_cast<std::size_t>(x)];
}

/// The floor of a position, which is clamped to 10^6 on both sides so that it is an int; NaN gives -10^6.
int floor_of(float position) {
  constexpr float kMost = 1e6F;
  if (!(position > -kMost)) return -static_cast<int>(kMost);
  return static_cast<int>(std::floor(position < kMost ? position : kMost));
}

float square(float x) { return x * x; }

}  // namespace

void normalize_vectors(const float* x, std::size_t size, float least, float* to) {
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t plane = 0; plane < kColors; ++plane) {
      const auto value = static_cast<double>(x[plane * size + i]);
      sum += value * value;
    }
    const auto norm = static_cast<float>(std::sqrt(sum));
    const float divisor = norm < least ? least : norm;
    for (std::size_t plane = 0; plane < kColors; ++plane) to[plane * size + i] = x[plane * size + i] / divisor;
  }
}

void average_mirrored(const float* x, const float* mirrored, std::size_t rows, std::size_t width, float* to) {
  for (std::size_t row = 0; row < rows; ++row, x += width, mirrored += width, to += width) {
    for (std::size_t i = 0; i < width; ++i) to[i] = (x[i] + mirrored[width - 1 - i]) / 2;
  }
}

namespace {

struct Color {
  float r, g, b;
};

[[gnu::always_inline]] inline float square_distance(const Color& color, const float* other) {
  return square(color.r - other[0]) + square(color.g - other[1]) + square(color.b - other[2]);
}

/// The index of the nearest of `count` colors, at least one; the first of equals.
[[gnu::always_inline]] inline std::size_t nearest_color(const Color& color, const float* colors, std::size_t count) {
  std::size_t nearest = 0;
  float least = square_distance(color, colors);
  for (std::size_t k = 1; k < count; ++k) {
    const float other = square_distance(color, colors + kColors * k);
    if (!(other < least)) continue;
    least = other;
    nearest = k;
  }
  return nearest;
}

/// The mean of a color, cut to a whole number as NumPy does, which makes int32's least of NaN.
std::int32_t mean_of(const Color& color) {
  const float mean = (color.r + color.g + color.b) / 3;
  return std::isnan(mean) ? std::numeric_limits<std::int32_t>::min() : static_cast<std::int32_t>(mean);
}

}  // namespace

void name_colors(const float* rgb, std::size_t size, const Normalization& normalization, const float* colors,
                 std::size_t count, std::int32_t* to) {
  const auto painted = [&](std::size_t plane, std::size_t i) {
    const float value = (rgb[plane * size + i] * normalization.deviation[plane] + normalization.mean[plane]) * 255;
    return value < 0 ? 0 : value > 255 ? 255 : value;
  };
  for (std::size_t i = 0; i < size; ++i) {
    const Color color{painted(0, i), painted(1, i), painted(2, i)};
    to[i] = count > 0 ? static_cast<std::int32_t>(nearest_color(color, colors, count)) : mean_of(color);
  }
}

void separate_planes(float* x, std::size_t count, std::size_t size) {
  constexpr float kMostOfOthers = -10;  // SAM 2's
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t best = 0;
    for (std::size_t plane = 1; plane < count; ++plane) {
      if (x[plane * size + i] > x[best * size + i]) best = plane;
    }
    for (std::size_t plane = 0; plane < count; ++plane) {
      float& value = x[plane * size + i];
      if (plane != best && value > kMostOfOthers) value = kMostOfOthers;
    }
  }
}

void blend_background(const float* foreground, const float* alpha, const float* background, std::size_t size,
                      std::uint8_t* to) {
  // torchvision's factor: 1 becomes 255, and each byte has an equal share of 0 to 1.
  constexpr float kScale = 256 - 1e-3F;
  for (std::size_t plane = 0; plane < kColors; ++plane) {
    for (std::size_t i = 0; i < size; ++i) {
      const float behind = (1 - alpha[i]) * *background++;
      *to++ = byte_of(unit(*foreground++ + behind) * kScale);
    }
  }
}

void sample_picture(const PlanarPicture& from, const float* mesh, float scale, std::uint8_t* to) {
  const std::size_t size = static_cast<std::size_t>(from.height) * static_cast<std::size_t>(from.width);
  for (std::size_t i = 0; i < size; ++i) {
    // A position of -1 is the middle of the first pixel, and 1 that of the last.
    const float x = (mesh[i] + 1) * (static_cast<float>(from.width - 1) / 2);
    const float y = (mesh[size + i] + 1) * (static_cast<float>(from.height - 1) / 2);
    const int left = floor_of(x);
    const int top = floor_of(y);
    const float right_share = x - static_cast<float>(left);
    const float bottom_share = y - static_cast<float>(top);
    const float left_share = 1 - right_share;
    const float top_share = 1 - bottom_share;
    for (int channel = from.channels - 1; channel >= 0; --channel) {
      float sum = number_at(from, channel, top, left) * (left_share * top_share);
      sum = fused(number_at(from, channel, top, left + 1), right_share * top_share, sum);
      sum = fused(number_at(from, channel, top + 1, left), left_share * bottom_share, sum);
      sum = fused(number_at(from, channel, top + 1, left + 1), right_share * bottom_share, sum);
      *to++ = byte_of(sum * scale);
    }
  }
}

void paint_labels(const std::int32_t* labels, std::size_t count, const std::uint32_t* colors, std::size_t known,
                  std::uint32_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::uint32_t>(labels[i]);
    to[i] = label < known ? colors[label] : 0;
  }
}

namespace {

/// The alpha of number i of a mask.
std::uint8_t alpha_of(const void* mask, MaskKind kind, std::size_t i) {
  switch (kind) {
    case MaskKind::kUint8:
      return static_cast<const std::uint8_t*>(mask)[i];
    case MaskKind::kBool:
      return static_cast<const std::uint8_t*>(mask)[i] == 0 ? 0 : 255;
    case MaskKind::kFloat32:
      break;
  }
  // Exact in double but for numbers next to 0.
  const double rounded = double{static_cast<const float*>(mask)[i]} * 255 + 0.5;
  if (!(rounded > 0)) return 0;
  return rounded >= 255 ? 255 : static_cast<std::uint8_t>(rounded);
}

}  // namespace

void join_alpha(const std::uint8_t* pixels, std::size_t count, std::size_t channels, const void* mask, MaskKind kind,
                std::uint8_t* to) {
  for (std::size_t i = 0; i < count; ++i, pixels += channels) {
    for (std::size_t channel = 0; channel < kColors; ++channel) *to++ = pixels[channel];
    *to++ = alpha_of(mask, kind, i);
  }
}

}  // namespace layout
