// Boxes of all widths, to rank 8, with gaps, phases and source strides of any sign, also 0 and twice what they were,
// and patches of images, against a loop over bits.

#include <utility>

#include "../native/box.h"
#include "fuzz.h"

namespace {

constexpr int kWidths[] = {8, 16, 32, 64, 128, 4, 2, 24, 40, 48, 96, 136, 6};
constexpr std::int64_t kMostBits = 1 << 17;                // that move
constexpr std::int64_t kMostSpan = std::int64_t{8} << 20;  // in bits, of a memory

std::vector<int> permutation(std::size_t rank, FuzzedDataProvider& input) {
  std::vector<int> perm;
  for (std::size_t i = 0; i < rank; ++i) perm.push_back(static_cast<int>(i));
  for (std::size_t i = rank; i > 1; --i)
    std::swap(perm[i - 1], perm[input.ConsumeIntegralInRange<std::size_t>(0, i - 1)]);
  return perm;
}

/// Elements between rows: mostly none, some, or a whole page, so that lines meet in few sets of a cache.
std::int64_t gap(int bits, FuzzedDataProvider& input) {
  const int kind = input.ConsumeIntegralInRange(0, 255);
  if (kind < 192) return 0;
  return kind < 250 ? kind % 16 : 8 * 4096 / bits;
}

std::int64_t span(const Box& box, std::int64_t layout::Axis::*stride) {
  std::int64_t bits = box.element_bits;
  for (const layout::Axis& axis : box.axes) bits += (axis.extent - 1) * axis.*stride;
  return bits;
}

/// An image cut into patches, or put together of them: planes [c, h, p, w, q] on one side, patches [h, w, p, q, c] on
/// the other.
Box patches(int bits, FuzzedDataProvider& input) {
  const auto extent = [&](std::int64_t most) { return input.ConsumeIntegralInRange<std::int64_t>(1, most); };
  const std::int64_t c = extent(5);
  const std::int64_t q = extent(33);
  const std::int64_t p = extent(5);
  const std::int64_t h = extent(3);
  const std::int64_t w = extent(std::clamp<std::int64_t>(kMostBits / (bits * c * q * p * h), 1, 70));
  const std::int64_t extents[] = {c, h, p, w, q};
  const std::int64_t planes[] = {h * p * w * q, p * w * q, w * q, q, 1};
  const std::int64_t patch[] = {1, w * p * q * c, q * c, p * q * c, c};
  const bool puts_together = input.ConsumeBool();
  Box box{bits, {}, 0, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    const auto [from, to] = puts_together ? std::pair(patch[i], planes[i]) : std::pair(planes[i], patch[i]);
    box.axes.push_back({extents[i], from * bits, to * bits});
  }
  return box;
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  const int bits = input.PickValueInArray(kWidths);
  Random random(input.ConsumeIntegral<std::uint8_t>());
  std::vector<std::int64_t> extents(input.ConsumeIntegralInRange<std::size_t>(0, 8));
  std::int64_t room = kMostBits / bits;
  for (std::int64_t& extent : extents) {
    // Short extents more often, which leaves room for more axes.
    const std::int64_t most = input.ConsumeBool() ? 9 : 700;
    extent = input.ConsumeIntegralInRange<std::int64_t>(1, std::clamp<std::int64_t>(room, 1, most));
    room /= extent;
  }
  const std::vector<int> perm = permutation(extents.size(), input);
  Box box = box_of(bits, extents, perm, [&] { return gap(bits, input); });
  if (bits < 8) {
    box.src_phase = bits * input.ConsumeIntegralInRange(0, 3) % 8;
    box.dst_phase = bits * input.ConsumeIntegralInRange(0, 3) % 8;
  }
  if (span(box, &layout::Axis::src_stride) > kMostSpan || span(box, &layout::Axis::dst_stride) > kMostSpan) return;
  if (!extents.empty() && input.ConsumeIntegralInRange(0, 31) == 31) box.axes[0].extent = 0;
  // A bit for each axis. An input that ends before these draws has positive strides alone, and no patches.
  const int backward = input.ConsumeIntegralInRange(0, 255);
  const int repeated = input.ConsumeIntegralInRange(0, 255);
  const int stepped = input.ConsumeIntegralInRange(0, 255);
  if (input.ConsumeIntegralInRange(0, 7) == 7) box = patches(bits, input);
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    if (stepped >> i & 1) box.axes[i].src_stride *= 2;
    if (backward >> i & 1) box.axes[i].src_stride *= -1;
    if (repeated >> i & 1) box.axes[i].src_stride = 0;
  }

  const Moved moved = check_transpose(box, random);
  std::vector<double> block;
  for (const layout::Axis& axis : box.axes) {
    block.insert(block.end(), {static_cast<double>(axis.extent), static_cast<double>(axis.src_stride),
                               static_cast<double>(axis.dst_stride)});
  }
  record("transpose", block,
         {static_cast<double>(bits), static_cast<double>(box.axes.size()),
          static_cast<double>(8 * moved.src_first + box.src_phase), static_cast<double>(box.dst_phase)},
         moved);
}
