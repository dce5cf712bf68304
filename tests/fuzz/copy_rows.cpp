// Strided rows of whole bytes and of bits, and pieces of a run, against a loop over bits. The wasm module copies such
// rows as boxes of two axes.

#include "bits/runs.h"

#include "../native/box.h"
#include "fuzz.h"

namespace {

using layout::Axis;

constexpr std::int64_t kMostBits = 1 << 16;

Moved copy_rows(const Box& box, Random& random) {
  const Axis rows = box.axes[0];
  return check_box(box, random, [&](const std::uint8_t* src, std::uint8_t* dst) {
    layout::copy_rows(rows.extent, box.axes[1].extent, src, rows.src_stride / 8, dst, rows.dst_stride / 8);
  });
}

Moved copy_bits(const Box& box, Random& random) {
  const Axis rows = box.axes[0];
  return check_box(box, random, [&](const std::uint8_t* src, std::uint8_t* dst) {
    for (std::int64_t row = 0; row < rows.extent; ++row) {
      const std::int64_t from = box.src_phase + row * rows.src_stride;
      const std::int64_t to = box.dst_phase + row * rows.dst_stride;
      layout::copy_bits(box.axes[1].extent * box.element_bits, src + from / 8, static_cast<int>(from % 8), dst + to / 8,
                        static_cast<int>(to % 8));
    }
  });
}

Moved scatter(const Box& box, Random& random) {
  const Axis pieces = box.axes[0];
  std::vector<std::ptrdiff_t> offsets;
  for (std::int64_t i = 0; i < pieces.extent; ++i) offsets.push_back(i * pieces.dst_stride / 8);
  return check_box(box, random, [&](const std::uint8_t* src, std::uint8_t* dst) {
    layout::scatter(static_cast<int>(pieces.extent), box.axes[1].extent, src, dst, offsets.data());
  });
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  const int bits = input.PickValueInArray({8, 4, 2, 6});
  Random random(input.ConsumeIntegral<std::uint8_t>());
  const auto run = input.ConsumeIntegralInRange<std::int64_t>(1, 1200);
  const auto rows =
      input.ConsumeIntegralInRange<std::int64_t>(1, std::clamp<std::int64_t>(kMostBits / (run * bits), 1, 40));
  const bool scatters = bits == 8 && input.ConsumeBool();
  const auto stride = [&](bool has_gap) {
    return (run + (has_gap ? input.ConsumeIntegralInRange<std::int64_t>(0, 40) : 0)) * bits;
  };
  Box box{bits, {{rows, stride(!scatters), stride(true)}, {run, bits, bits}}, 0, 0};
  if (bits < 8) {
    box.src_phase = bits * input.ConsumeIntegralInRange(0, 3) % 8;
    box.dst_phase = bits * input.ConsumeIntegralInRange(0, 3) % 8;
  }
  const Moved moved = scatters ? scatter(box, random) : bits == 8 ? copy_rows(box, random) : copy_bits(box, random);
  const Axis axis = box.axes[0];
  record("transpose",
         {static_cast<double>(rows), static_cast<double>(axis.src_stride), static_cast<double>(axis.dst_stride),
          static_cast<double>(run), static_cast<double>(bits), static_cast<double>(bits)},
         {static_cast<double>(bits), 2, static_cast<double>(8 * moved.src_first + box.src_phase),
          static_cast<double>(box.dst_phase)},
         moved);
}
