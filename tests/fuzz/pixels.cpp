// Pixels of all layouts and any finite normalization, against the formula.

#include "../native/pixel_formula.h"
#include "fuzz.h"

namespace {

/// A usual number, or any finite one.
float number(FuzzedDataProvider& input) {
  constexpr float kUsual[] = {1, 0, 0.5f, 1 / 255.f, 1 / 127.5f, 0.485f, 0.229f, -3, 255, 1e-40f, 1e30f};
  const auto kind = input.ConsumeIntegralInRange<std::size_t>(0, 15);
  if (kind < std::size(kUsual)) return kUsual[kind];
  const auto bits = input.ConsumeIntegral<std::uint32_t>();
  float any;
  std::memcpy(&any, &bits, sizeof any);
  return std::isfinite(any) ? any : 1;
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  using layout::Format;
  const Format to =
      input.PickValueInArray({Format::kFloat32, Format::kFloat16, Format::kBfloat16, Format::kUint8, Format::kInt8});
  const int src_channels = input.PickValueInArray({1, 3, 4});
  const int dst_channels = input.PickValueInArray({1, 3, 4});
  const bool is_planar = input.ConsumeBool();
  // A tile has 512 pixels.
  const int count = input.ConsumeIntegralInRange(1, input.ConsumeBool() ? 70 : 1600);
  const bool is_plain = input.ConsumeBool();
  const bool is_luma = dst_channels == 1 && src_channels > 1 && input.ConsumeBool();
  std::vector<layout::Channel> channels;
  std::vector<double> block;
  for (int c = 0; c < dst_channels; ++c) {
    const int source = is_luma ? layout::kLuma : input.ConsumeIntegralInRange(0, src_channels);
    layout::Channel channel = {source == src_channels ? layout::kOpaque : source, 1, 0, 1};
    if (!is_plain) {
      channel.scale = number(input);
      channel.mean = number(input);
      const float std = number(input);
      channel.std = std == 0 ? 1 : std;
      if (input.ConsumeBool()) channel.low = number(input);
    }
    channels.push_back(channel);
    block.insert(block.end(),
                 {static_cast<double>(channel.source), channel.scale, channel.mean, channel.std, channel.low});
  }
  Random random(input.ConsumeIntegral<std::uint8_t>());
  const int gap = input.ConsumeIntegralInRange(0, 20);
  const Moved moved = check_pixels(to, src_channels, channels, is_planar, gap, count, random);
  const int plane = is_planar ? count * bytes_of(to) + gap : 0;
  record("pixels", block,
         {static_cast<double>(to), static_cast<double>(src_channels), static_cast<double>(dst_channels),
          static_cast<double>(plane), static_cast<double>(count)},
         moved);
}
