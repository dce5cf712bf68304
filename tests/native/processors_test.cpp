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
#include "processors/nearest_colors.h"
#include "processors/scan.h"

namespace {

template <class T>
void check_neighbors(Random& random) {
  const int count = 1 + random.below(70), reach = random.below(9), stride = 1 + random.below(5),
            whole = (count + 7) / 8 * 8;
  std::vector<double> weights;
  for (int i = 0; i <= reach; ++i) weights.push_back((1 + random.below(99)) / 100.0 / (1 + 2 * reach));
  std::vector<T> from;
  for (int i = 0; i < whole + 2 * reach * stride; ++i) from.push_back(static_cast<T>(random.below(256)));
  std::vector<T> to = from;
  const T* first = from.data() + reach * stride;
  layout::sum_neighbors({sizeof(T), count, stride, reach, to.data(), weights.data()});
  for (int k = 0; k < count; ++k) {
    double sum = first[k] * weights[0];
    for (int i = reach; i > 0; --i)
      sum += (1.0 * first[k - i * stride] + 1.0 * first[k + i * stride]) * weights[static_cast<std::size_t>(i)];
    check(to[static_cast<std::size_t>(k)] == static_cast<T>(sum), "neighbors of number %d of %d", k, count);
  }
}

void check_blur(Random& random) {
  const int count = 1 + random.below(70), taps = 1 + random.below(9), lines = 1 + random.below(3);
  // The last numbers are rounded up to sixteen.
  const Memory memory(4 * layout::kBlurBlock + 8 * ((count + 15) / 16 * 16 + 3 * (taps - 1)), random);
  std::vector<float> sums(static_cast<std::size_t>(count));
  for (int line = 0; line < lines; ++line) {
    float weights[9];
    for (float& weight : weights) weight = static_cast<float>(1 + random.below(99)) / 1500;
    std::memcpy(memory.data.get() + layout::kBlurBlock, weights, sizeof weights);
    for (int k = 0; k < count; ++k)
      for (int j = 0; j < taps; ++j) {
        float& sum = sums[static_cast<std::size_t>(k)];
        const float byte = memory.data[static_cast<std::size_t>(k + 3 * j)], weight = weights[j] * 0.3f;
        sum = std::fma(byte, weight, sum);
      }
    layout::blur_line({count, taps, line, lines, reinterpret_cast<layout::BlurMemory*>(memory.data.get()), 0.3f});
  }
  for (int k = 0; k < count; ++k) {
    const float sum = sums[static_cast<std::size_t>(k)];
    check(memory.data[static_cast<std::size_t>(3 * layout::kBlurBlock + k)] == std::rint(sum), "byte %d of %d", k,
          count);
  }
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
    check_neighbors<float>(random);
    check_neighbors<std::uint8_t>(random);
    check_nearest(1 + random.below(40), random);
    check_is_gray(random);
    check_board(random.below(2) == 0 ? 2 : 4, i, random);
    check_extremes<float>(random);
    check_extremes<std::uint8_t>(random);
    if (i % 20 == 0) check_blur(random);
  }
  std::printf("%d cases\n", kCases);
}
