// Warps in tiles, each with the part of the picture that it asks for, in allocations of the exact size: they give what
// one call gives. tests/image compares that with OpenCV's bytes. A whole picture is what a tile of its size is, and
// turned where it is upright. Samples of parts are compared with sums over whole pictures.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "check.h"
#include "warp/perspective.h"
#include "warp/samples.h"
#include "warp/warp.h"

using layout::Warp;

namespace {

std::vector<std::uint8_t> warped(Warp call, const std::vector<std::uint8_t>& picture) {
  std::int32_t edges[4];
  layout::find_part(call, edges);
  const auto [left, top, right, bottom] = edges;
  check(left >= 0 && top >= 0 && left < right && top < bottom && right <= call.width && bottom <= call.height,
        "%d %d %d %d", left, top, right, bottom);
  std::vector<std::uint8_t> part;
  for (int y = top; y < bottom; ++y)
    for (int i = left * call.channels; i < right * call.channels; ++i)
      part.push_back(picture[static_cast<std::size_t>(y * call.width * call.channels + i)]);
  std::vector<std::uint8_t> to(static_cast<std::size_t>(call.columns * call.rows * call.channels));
  call.part = part.data();
  call.to = to.data();
  call.left = left;
  call.top = top;
  call.part_width = right - left;
  layout::warp(call);
  return to;
}

std::vector<std::uint8_t> whole(const layout::PixelPicture& from, const float* matrix, int height, int width,
                                bool upright) {
  std::vector<std::uint8_t> to(static_cast<std::size_t>(height * width * from.channels));
  layout::warp_picture(from, matrix, height, width, upright, to.data());
  return to;
}

void compare_wholes(Random& random) {
  const int picture_width = 1 + random.below(60), picture_height = 1 + random.below(60);
  const int channels = 3 + random.below(2);
  std::vector<std::uint8_t> picture(static_cast<std::size_t>(picture_width * picture_height * channels));
  for (std::uint8_t& byte : picture) byte = static_cast<std::uint8_t>(random.below(256));
  const layout::PixelPicture from{picture.data(), picture_height, picture_width, channels};
  Warp call{};
  call.taps = 4;
  call.channels = channels;
  call.width = picture_width;
  call.height = picture_height;
  call.result_width = call.columns = 1 + random.below(40);
  call.rows = 1 + random.below(20);
  call.is_perspective = call.repeats_edges = 1;
  const int size = random.below(8) == 0 ? 1 << 30 : 40;
  for (float& entry : call.matrix) entry = static_cast<float>(random.below(size) - size / 2) / 16;
  const auto plain = whole(from, call.matrix, call.rows, call.columns, false);
  const auto upright = whole(from, call.matrix, call.rows, call.columns, true);
  check(plain == warped(call, picture), "%d x %d", call.columns, call.rows);
  for (int i = 0; i < call.rows * call.columns * channels; ++i) {
    const int pixel = i / channels, row = pixel / call.columns, column = pixel % call.columns;
    const int turned = ((call.columns - 1 - column) * call.rows + row) * channels + i % channels;
    check(plain[static_cast<std::size_t>(i)] == upright[static_cast<std::size_t>(turned)], "%d", i);
  }
  // The weights of a sample add up to 1.
  const std::vector<std::uint8_t> even(picture.size(), picture[0]);
  const layout::PixelPicture one{even.data(), picture_height, picture_width, channels};
  for (const std::uint8_t byte : whole(one, call.matrix, call.rows, call.columns, false))
    check(byte == picture[0], "%d instead of %d", byte, picture[0]);
}

double weight(double place, int pixel, bool is_cubic) {
  const double d = std::abs(place - pixel), e = 2 - d;
  if (!is_cubic) return std::max(0.0, 1 - d);
  return d < 1 ? 1 - d * d * (2.25 - 1.25 * d) : d < 2 ? 0.75 * e * e * (e - 1) : 0;
}

void compare_samples(Random& random) {
  const int width = 1 + random.below(20), height = 1 + random.below(20), channels = 1 + random.below(4);
  const int columns = 1 + random.below(9), rows = 1 + random.below(9), is_cubic = random.below(2);
  std::vector<double> numbers{0.5, 1, 2, 3, 1, 2, 4};
  int first[2], end[2];
  for (int k = 0; k < 2; ++k) {
    double place = random.below(60) / 2.0 - 5;
    const int last = (k ? height : width) - 1;
    first[k] = std::clamp(static_cast<int>(std::floor(place)) - 1, 0, last);
    for (int i = 0; i < (k ? rows : columns); ++i) numbers.push_back(place += random.below(16) / 16.0);
    end[k] = std::clamp(static_cast<int>(std::floor(place)) + 2, 0, last) + 1;
  }
  std::vector<std::uint8_t> picture, part;
  for (int i = 0; i < width * height * channels; ++i) {
    picture.push_back(static_cast<std::uint8_t>(random.below(256)));
    const int x = i / channels % width, y = i / channels / width;
    if (x >= first[0] && x < end[0] && y >= first[1] && y < end[1]) part.push_back(picture.back());
  }
  const std::vector<double> given = numbers;
  numbers.resize(static_cast<std::size_t>(layout::sample_bytes(columns, rows) / 8));
  std::vector<float> to(static_cast<std::size_t>(3 * columns * rows));
  layout::sample({is_cubic, channels, first[0], first[1], end[0] - first[0], end[1] - first[1], columns, rows,
                  part.data(), numbers.data(), to.data()});
  for (int i = 0; i < 3 * columns * rows; ++i) {
    const int c = i / (columns * rows), color = std::min(c, channels - 1);
    const double *x = &given[7] + i % columns, *y = &given[7] + columns + i / columns % rows;
    double sum = 0;
    for (int k = 0; k < width * height; ++k)
      sum += picture[static_cast<std::size_t>(k * channels + color)] * weight(*x, k % width, is_cubic) *
             weight(*y, k / width, is_cubic);
    const double off = to[static_cast<std::size_t>(i)] - (sum * given[0] - (&given[1])[c]) / (&given[4])[c];
    check(std::abs(off) < 1e-3, "%g", off);
  }
}

}  // namespace

int main() {
  Random random(1);
  for (int i = 0; i < 1000; ++i) compare_samples(random);
  for (int i = 0; i < 1000; ++i) compare_wholes(random);
  const auto number = [&](int size) {
    return static_cast<float>(random.below(2001) - 1000) / 1000 * static_cast<float>(size);
  };
  int cases = 0;
  for (; cases < 4000; ++cases) {
    Warp call{};
    call.taps = 1 << random.below(3);
    call.channels = 1 + random.below(4);
    call.width = 1 + random.below(40);
    call.height = 1 + random.below(40);
    call.result_width = call.columns = 1 + random.below(40);
    call.rows = 1 + random.below(20);
    call.is_perspective = random.below(2);
    call.repeats_edges = random.below(2);
    for (std::uint8_t& byte : call.background) byte = static_cast<std::uint8_t>(random.below(256));
    for (float& entry : call.matrix) entry = number(random.below(4) == 0 ? 40 : 1);
    if (random.below(20) == 0) call.matrix[random.below(9)] = random.below(2) == 0 ? 1e30F : 0;
    std::vector<std::uint8_t> picture(static_cast<std::size_t>(call.width * call.height * call.channels));
    for (std::uint8_t& byte : picture) byte = static_cast<std::uint8_t>(random.below(256));
    const std::vector<std::uint8_t> whole = warped(call, picture);
    const int columns = call.columns, rows = call.rows;
    for (call.row = 0; call.row < rows; call.row += call.rows) {
      call.rows = 1 + random.below(rows - call.row);
      for (call.column = 0; call.column < columns; call.column += call.columns) {
        call.columns = 1 + random.below(columns - call.column);
        const std::vector<std::uint8_t> tile = warped(call, picture);
        for (int y = 0; y < call.rows; ++y)
          for (int i = 0; i < call.columns * call.channels; ++i)
            check(tile[static_cast<std::size_t>(y * call.columns * call.channels + i)] ==
                      whole[static_cast<std::size_t>(((call.row + y) * columns + call.column) * call.channels + i)],
                  "case %d", cases);
      }
    }
  }
  std::printf("%d cases\n", cases);
}
