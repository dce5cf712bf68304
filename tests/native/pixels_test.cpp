// Pixels against the formula, one number at a time, in allocations of the exact size.

#include "pixels.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

namespace {

using layout::Channel;
using layout::Format;

float number_of(const Channel& channel, const std::uint8_t* pixel) {
  const int luma = channel.source == layout::kLuma ? (19595 * pixel[0] + 38470 * pixel[1] + 7471 * pixel[2] + 32768) / 65536 : 0;
  const int byte = channel.source == layout::kLuma ? luma : channel.source == layout::kOpaque ? 255 : pixel[channel.source];
  const float product = static_cast<float>(byte) * channel.scale;
  const float difference = product - channel.mean;
  return difference / channel.std;
}

/// The nearest whole number, the even one of two, saturated.
int rounded(float value, int least, int most) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<float>(least)) return least;
  if (value >= static_cast<float>(most)) return most;
  const float below = std::floor(value);
  const int code = static_cast<int>(below);
  const float rest = value - below;
  return rest > 0.5f || (rest == 0.5f && code % 2 != 0) ? code + 1 : code;
}

std::uint32_t code_of(Format to, float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  switch (to) {
    case Format::kUint8: return static_cast<std::uint8_t>(rounded(value, 0, 255));
    case Format::kInt8: return static_cast<std::uint8_t>(rounded(value, -128, 127));
    case Format::kFloat32: return bits;
    default: {
      // convert_test checks these conversions themselves.
      std::uint8_t result[2];
      layout::convert(Format::kFloat32, to, reinterpret_cast<const std::uint8_t*>(&value), result, 1, {});
      return static_cast<std::uint32_t>(result[0] | result[1] << 8);
    }
  }
}

int bytes_of(Format to) { return to == Format::kFloat32 ? 4 : to == Format::kFloat16 || to == Format::kBfloat16 ? 2 : 1; }

void compare(Format to, int src_channels, const std::vector<Channel>& channels, bool planar, int count, Random& random) {
  const int width = bytes_of(to), dst_channels = static_cast<int>(channels.size());
  const int gap = random.below(5), plane = planar ? count * width + gap : 0;
  const Memory src(count * src_channels, random);
  const Memory before(planar ? (dst_channels - 1) * plane + count * width : dst_channels * count * width, random);
  const Memory expected(before);
  const Memory actual(before);
  for (int i = 0; i < count; ++i) {
    for (int c = 0; c < dst_channels; ++c) {
      const std::uint32_t code = code_of(to, number_of(channels[static_cast<std::size_t>(c)], src.data.get() + i * src_channels));
      std::memcpy(expected.data.get() + (planar ? c * plane + i * width : (i * dst_channels + c) * width), &code, static_cast<std::size_t>(width));
    }
  }
  layout::pixels(to, src_channels, dst_channels, channels.data(), plane, src.data.get(), actual.data.get(), static_cast<std::size_t>(count));
  const auto at = first_difference(expected, actual);
  check(at < 0, "format %d, %d to %d channels, planar %d, %d pixels: byte %d", static_cast<int>(to), src_channels, dst_channels, planar, count,
        static_cast<int>(at));
}

}  // namespace

int main() {
  Random random(1);
  std::vector<int> counts = {511, 512, 513, 515, 516, 528, 1023, 1024, 1027, 1540};
  for (int count = 1; count <= 70; ++count) counts.push_back(count);
  const float numbers[] = {1, 0.5f, 1 / 255.f, -3, 255, 0.229f, 1e-30f, 1e30f};
  const auto any = [&] { return numbers[random.below(static_cast<int>(std::size(numbers)))]; };
  int cases = 0;
  for (const Format to : {Format::kFloat32, Format::kFloat16, Format::kBfloat16, Format::kUint8, Format::kInt8}) {
    for (const int src_channels : {1, 3, 4}) {
      for (const int dst_channels : {1, 3, 4}) {
        for (const bool planar : {true, false}) {
          for (const int count : counts) {
            for (int kind = 0; kind < 4; ++kind) {
              std::vector<Channel> channels;
              for (int c = 0; c < dst_channels; ++c) {
                const int source = random.below(8) == 0 ? layout::kOpaque : random.below(src_channels);
                const bool is_luma = dst_channels == 1 && src_channels > 1 && kind % 2 == 1;
                const Channel plain = {is_luma ? layout::kLuma : source, 1, 0, 1};
                channels.push_back(kind < 2 ? plain : Channel{plain.source, any(), any(), any()});
              }
              compare(to, src_channels, channels, planar, count, random);
              ++cases;
            }
          }
        }
      }
    }
  }
  std::printf("%d cases\n", cases);
}
