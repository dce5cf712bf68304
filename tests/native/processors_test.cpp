// Kernels of processors beside loops in the order of their sums.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "check.h"
#include "processors/blur.h"
#include "processors/chessboard.h"
#include "processors/filter_rows.h"
#include "processors/gaussian.h"
#include "processors/nearest_colors.h"
#include "processors/scan.h"
#include "processors/zoom.h"

namespace {

/// The rows that a filter makes of a picture, one behind the other, in memory of the exact size.
template <class Call, class T>
std::vector<T> filtered(std::uint64_t (*plan)(const Call&, std::uint8_t*), std::int32_t (*step)(std::uint8_t*),
                        const Call& call, const std::vector<T>& picture, int rows, int row_numbers, Random& random) {
  const Memory memory(static_cast<std::int64_t>(plan(call, nullptr)), random);
  std::uint8_t* at = memory.data.get();
  plan(call, at);
  const auto& lie = *reinterpret_cast<const layout::FilterRows*>(at);
  const auto source_bytes = static_cast<std::size_t>(3 * call.width) * sizeof(T);
  std::vector<T> result;
  while (static_cast<int>(result.size()) < rows * row_numbers) {
    const std::int32_t row = step(at);
    if (row < 0) {
      const T* from = static_cast<const T*>(lie.result);
      result.insert(result.end(), from, from + row_numbers);
      continue;
    }
    check(row < call.height, "row %d of %d", row, call.height);
    std::memcpy(lie.source, picture.data() + 3 * call.width * row, source_bytes);
  }
  return result;
}

/// The element at a place beyond the ends, reflected as often as it takes.
int reflected(int at, int extent) {
  if (extent == 1) return 0;
  while (at < 0 || at >= extent) at = at < 0 ? -at : 2 * (extent - 1) - at;
  return at;
}

/// Numbers from 0 to 255, all equal for one picture in four; of float32 half are negated, 0 too.
template <class T>
std::vector<T> random_numbers(int count, Random& random) {
  const bool is_flat = random.below(4) == 0;
  const int level = random.below(256);
  const float sign = random.below(2) == 0 && sizeof(T) > 1 ? -1.0f : 1.0f;
  std::vector<T> numbers;
  for (int i = 0; i < count; ++i)
    numbers.push_back(static_cast<T>(sign * static_cast<float>(is_flat ? level : random.below(256))));
  return numbers;
}

void check_blur(Random& random) {
  const int width = 1 + random.below(20), height = 1 + random.below(6);
  const auto sigma = [&] { return static_cast<float>(1 + random.below(80)) / 16; };
  const layout::Blur call{width, height, sigma(), sigma()};
  const int reach_x = layout::torch_reach(call.sigma_x), reach_y = layout::torch_reach(call.sigma_y);
  std::vector<float> across(static_cast<std::size_t>(2 * reach_x + 1)), down(static_cast<std::size_t>(2 * reach_y + 1));
  layout::torch_gaussian(call.sigma_x, across.data());
  layout::torch_gaussian(call.sigma_y, down.data());
  const std::vector<std::uint8_t> picture = random_numbers<std::uint8_t>(3 * width * height, random);
  const auto bytes = filtered(layout::plan_blur, layout::blur_step, call, picture, height, 3 * width, random);
  for (int k = 0; k < 3 * width * height; ++k) {
    const int y = k / 3 / width, x = k / 3 % width;
    float sum = 0;
    for (int i = -reach_y; i <= reach_y; ++i)
      for (int j = -reach_x; j <= reach_x; ++j) {
        const int pixel = reflected(y + i, height) * width + reflected(x + j, width);
        const float weight =
            across[static_cast<std::size_t>(j + reach_x)] * down[static_cast<std::size_t>(i + reach_y)];
        sum = static_cast<float>(1.0 * picture[static_cast<std::size_t>(3 * pixel + k % 3)] * weight + sum);
      }
    check(bytes[static_cast<std::size_t>(k)] == std::rint(sum), "byte %d, not %f", k, sum);
  }
}

/// scipy's gaussian_filter along an axis of `extent` steps.
template <class T>
std::vector<T> blurred(const std::vector<T>& numbers, int extent, int step, double scale) {
  const double sigma = (scale - 1) / 2;
  if (!(sigma > 0)) return numbers;
  const int reach = layout::scipy_reach(sigma);
  std::vector<double> weights(static_cast<std::size_t>(reach + 1));
  layout::scipy_gaussian(sigma, weights.data());
  std::vector<T> result;
  for (int k = 0; k < static_cast<int>(numbers.size()); ++k) {
    const int at = k / step % extent;
    const auto number = [&](int i) {
      return static_cast<double>(numbers[static_cast<std::size_t>(k + (reflected(i, extent) - at) * step)]);
    };
    double sum = number(at) * weights[0];
    for (int i = reach; i > 0; --i) sum += (number(at - i) + number(at + i)) * weights[static_cast<std::size_t>(i)];
    result.push_back(static_cast<T>(sum));
  }
  return result;
}

template <class T>
void check_zoom(Random& random) {
  const int width = 1 + random.below(40), height = 1 + random.below(12), to_width = 1 + random.below(20),
            to_height = 1 + random.below(8), first = random.below(to_width), count = 1 + random.below(to_width - first);
  const bool blurs = random.below(4) > 0;
  const std::vector<T> picture = random_numbers<T>(3 * width * height, random);
  const auto [least, most] = std::minmax_element(picture.begin(), picture.end());
  const double lowest = *least, highest = *most;
  const double scale_x = 1.0 * width / to_width, scale_y = 1.0 * height / to_height;
  std::vector<T> soft = picture;
  if (blurs) soft = blurred(blurred(picture, height, 3 * width, scale_y), width, 3, scale_x);
  const layout::Zoom call{sizeof(T),
                          width,
                          height,
                          to_width,
                          to_height,
                          blurs,
                          first,
                          count,
                          static_cast<float>(lowest),
                          static_cast<float>(highest)};
  const auto numbers = filtered(layout::plan_zoom, layout::zoom_step, call, picture, to_height, 3 * count, random);
  for (int k = 0; k < 3 * count * to_height; ++k) {
    const double y = std::fabs((k / 3 / count + 0.5) * scale_y - 0.5),
                 x = std::fabs((first + k / 3 % count + 0.5) * scale_x - 0.5);
    const double v = y - std::floor(y), h = x - std::floor(x);
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      const int pixel =
          reflected(static_cast<int>(y) + i / 2, height) * width + reflected(static_cast<int>(x) + i % 2, width);
      sum += soft[static_cast<std::size_t>(3 * pixel + k % 3)] * (i < 2 ? 1 - v : v) * (i % 2 == 0 ? 1 - h : h);
    }
    const double rounded = sizeof(T) == 1 ? std::trunc(sum + 0.5) : sum;
    const T number = static_cast<T>(std::clamp(rounded, lowest, highest));
    check(std::memcmp(&numbers[static_cast<std::size_t>(k)], &number, sizeof(T)) == 0, "number %d, not %f", k, rounded);
  }
}

/// Both Gaussians beside those of long double.
void check_gaussian(Random& random) {
  const float sigma = static_cast<float>(1 + random.below(4000)) / 128;
  const int reach = layout::torch_reach(sigma), scipy = layout::scipy_reach(sigma);
  check(reach == static_cast<int>(std::ceil(3 * sigma)) && scipy == std::floor(4 * sigma + 0.5), "the reach of %f",
        sigma);
  std::vector<float> weights(static_cast<std::size_t>(2 * reach + 1));
  std::vector<double> half(static_cast<std::size_t>(scipy + 1));
  layout::torch_gaussian(sigma, weights.data());
  layout::scipy_gaussian(sigma, half.data());
  const long double wide = sigma;
  // torchvision's pixels are 1 / sqrt(2) apart.
  const auto square = [&](int k) { return std::exp(-(k / wide) * (k / wide) / 2); };
  long double sum = 0, scipy_sum = 0;
  for (int k = -reach; k <= reach; ++k) sum += square(k);
  for (int k = -scipy; k <= scipy; ++k) scipy_sum += square(k);
  const auto is_near = [](long double weight, long double exact, long double share) {
    return std::fabs(weight - exact) <= share * exact + 1e-37L;
  };
  for (int k = -reach; k <= reach; ++k)
    check(is_near(weights[static_cast<std::size_t>(k + reach)], square(k) / sum, 2e-5L), "tap %d of %f", k, sigma);
  for (int k = 0; k <= scipy; ++k)
    check(is_near(half[static_cast<std::size_t>(k)], square(k) / scipy_sum, 1e-13L), "tap %d of %f", k, sigma);
}

/// Compares the nearest colors with the first ones at the least distance, of whole numbers.
void check_nearest(int count, Random& random) {
  const int size = 1 + random.below(9);
  std::vector<float> pixels(static_cast<std::size_t>(3 * count + 3));
  for (float& number : pixels) number = static_cast<float>(random.below(5)) - 2;
  std::vector<double> colors;
  for (int i = 0; i < size; ++i) {
    const double r = random.below(5) - 2, g = random.below(5) - 2, b = random.below(5) - 2;
    for (const double number : {r, g, b, r * r + g * g + b * b}) colors.push_back(number);
  }
  std::vector<std::int64_t> to(static_cast<std::size_t>(count + 3));
  layout::nearest_colors({count, size, pixels.data(), colors.data(), to.data()});
  for (int k = 0; k < count; ++k) {
    std::vector<std::pair<double, int>> ranks;
    for (int i = 0; i < size; ++i) {
      double sum = 0;
      for (int c = 0; c < 3; ++c) {
        const double off =
            pixels[static_cast<std::size_t>(c * count + k)] - colors[static_cast<std::size_t>(4 * i + c)];
        sum += off * off;
      }
      ranks.push_back({sum, i});
    }
    check(to[static_cast<std::size_t>(k)] == std::min_element(ranks.begin(), ranks.end())->second, "pixel %d", k);
  }
}

template <class T>
void check_extremes(Random& random) {
  const int count = 2 + random.below(99);
  std::vector<T> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(static_cast<T>(random.below(256)));
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const T expected[] = {*least, *most};
  numbers.resize(numbers.size() + 16 / sizeof(T));
  layout::find_extremes({sizeof(T), count, numbers.data()});
  check(numbers[0] == expected[0] && numbers[1] == expected[1], "the extremes of %d numbers", count);
}

void check_is_gray(Random& random) {
  const int pixels = 1 + random.below(60), changed = random.below(3 * pixels);
  const Memory bytes(3 * pixels + 64, random);
  for (int i = 0; i < 3 * pixels; ++i) bytes.data[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i / 3 * 77);
  check(layout::is_gray(bytes.data.get(), 3 * pixels), "%d pixels are gray", pixels);
  bytes.data[static_cast<std::size_t>(changed)] ^= 1;
  check(!layout::is_gray(bytes.data.get(), 3 * pixels), "byte %d of %d pixels is of a color", changed, pixels);
}

void check_board(std::int32_t channels, std::int32_t row, Random& random) {
  const std::int32_t width = 1 + random.below(40);
  const Memory pixels(channels * width, random);
  std::vector<std::uint8_t> to(static_cast<std::size_t>(3 * width));
  layout::lay_on_board({channels, width, row, pixels.data.get(), to.data()});
  for (std::int32_t i = 0; i < 3 * width; ++i) {
    const std::uint8_t* pixel = pixels.data.get() + i / 3 * channels;
    const double alpha = pixel[channels - 1] / 255.0, color = pixel[channels == 2 ? 0 : i % 3];
    const double board = (row / 8 + i / 3 / 8) % 2 == 0 ? 204 : 153;
    const double expected = std::floor(color * alpha + board * (1 - alpha) + 0.5 - 1e-9);
    check(to[static_cast<std::size_t>(i)] == expected, "byte %d of row %d, not %f", i, row, expected);
  }
}

}  // namespace

int main() {
  Random random(1);
  constexpr int kCases = 1000;
  for (int i = 0; i < kCases; ++i) {
    check_zoom<float>(random);
    check_zoom<std::uint8_t>(random);
    check_gaussian(random);
    check_nearest(1 + random.below(40), random);
    check_is_gray(random);
    check_board(random.below(2) == 0 ? 2 : 4, i, random);
    check_extremes<float>(random);
    check_extremes<std::uint8_t>(random);
    if (i % 20 == 0) check_blur(random);
  }
  std::printf("%d cases\n", kCases);
}
