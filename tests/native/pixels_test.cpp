// Pixels against the formula, one number at a time, in allocations of the exact size.

#include <vector>

#include "pixel_formula.h"

using layout::Channel;
using layout::Format;

int main() {
  Random random(1);
  std::vector<int> counts = {511, 512, 513, 515, 516, 528, 1023, 1024, 1027, 1540};
  for (int count = 1; count <= 70; ++count) counts.push_back(count);
  const float numbers[] = {1, 0.5f, 1 / 255.f, -3, 255, 0.229f, 1e-30f, 1e30f};
  const auto any = [&] { return numbers[random.below(static_cast<int>(std::size(numbers)))]; };
  int cases = 0;
  for (const Format to : {Format::kFloat32, Format::kFloat16, Format::kBfloat16, Format::kUint8, Format::kInt8}) {
    for (const int src_channels : {1, 2, 3, 4}) {
      for (const int dst_channels : {1, 2, 3, 4}) {
        for (const bool planar : {true, false}) {
          for (const int count : counts) {
            for (int kind = 0; kind < 6; ++kind) {
              std::vector<Channel> channels;
              for (int c = 0; c < dst_channels; ++c) {
                const int source = random.below(8) == 0 ? layout::kOpaque : random.below(src_channels);
                const bool is_luma = dst_channels == 1 && src_channels > 2 && kind % 2 == 1;
                const int luma = layout::kLuma + random.below(3);
                const Channel plain = {is_luma ? luma : source, 1, 0, 1};
                const Channel divided = {plain.source, 1, 0, any()};
                const Channel raised = {plain.source, 1, 0, 1, 0.25f};
                const Channel scaled = {plain.source, any(), any(), any(), kind == 3 ? any() : -0.0f};
                channels.push_back(kind < 2 ? plain : kind == 4 ? divided : kind == 5 ? raised : scaled);
              }
              check_pixels(to, src_channels, channels, planar, random.below(5), count, random);
              ++cases;
            }
          }
        }
      }
    }
  }
  for (const int element : {1, 2, 4}) {
    for (const int src_channels : {1, 2, 3, 4}) {
      for (const int dst_channels : {1, 2, 3, 4}) {
        for (const bool planar : {true, false}) {
          for (const int count : counts) {
            std::vector<int> sources;
            for (int c = 0; c < dst_channels; ++c) {
              const bool is_luma = src_channels > 2 && random.below(6) == 0;
              const int source = random.below(8) == 0 ? layout::kOpaque : random.below(src_channels);
              sources.push_back(is_luma ? layout::kLuma : source);
            }
            check_look_up(element, src_channels, sources, planar, random.below(5), count, random);
            ++cases;
          }
        }
      }
    }
  }
  for (const int count : counts) {
    for (const bool planar : {true, false}) {
      check_rgba({0, 1, 2, -1}, planar, count, random);
      check_rgba({2, 1, -1, 0}, planar, count, random);
    }
    check_gray(count, random);
    const Memory bytes(count, random);
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      sum += bytes.data[static_cast<std::size_t>(i)];
      squares += bytes.data[static_cast<std::size_t>(i)] * bytes.data[static_cast<std::size_t>(i)];
    }
    const auto size = static_cast<std::size_t>(count);
    check(layout::sum_bytes(bytes.data.get(), size, false) == sum, "the sum of %d bytes", count);
    check(layout::sum_bytes(bytes.data.get(), size, true) == squares, "the squares of %d bytes", count);
  }
  std::printf("%d cases\n", cases);
}
