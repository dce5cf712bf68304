#include "pixels.h"

#include <algorithm>
#include <cstring>

#include "convert_formats.h"
#include "convert_steps.h"
#include "weave.h"

// Four pixels lie in one vector, whatever their channels. A constant order of its bytes, with zeros between, is at once the choice of
// the channels, planar or interleaved, and the widening to 32 bits: one instruction for each vector of the result. So the passes
// below know nothing of channels; what they do to one vector of the result is a Lane.

namespace layout {
namespace {

/// Pixels that go through the passes together: they and their numbers stay in the first cache.
constexpr std::size_t kTile = 512;
constexpr std::size_t kMaxChannels = 4;
/// What swizzle reads as zero, in one instruction where the order is a constant or not.
constexpr std::uint8_t kZero = 0x80;

/// The order of four pixels' bytes that puts those of `source(lane)` into 32-bit lanes, `pixel(lane)` naming the pixel.
struct Select {
  v128_t order;
  v128_t constant;  // ored: 255 for an opaque alpha

  v128_t operator()(v128_t quad) const { return wasm_v128_or(wasm_i8x16_swizzle(quad, order), constant); }
};

/// The green weight does not fit 16 bits with a sign, so that its half is taken twice: (r, g) and (g, b) in the lanes of 32.
struct Luma {
  v128_t red_green;
  v128_t green_blue;

  v128_t operator()(v128_t quad) const {
    const v128_t first = wasm_i32x4_dot_i16x8(wasm_i8x16_swizzle(quad, red_green), splat32(19235u << 16 | 19595));
    const v128_t second = wasm_i32x4_dot_i16x8(wasm_i8x16_swizzle(quad, green_blue), splat32(7471u << 16 | 19235));
    return wasm_u32x4_shr(wasm_i32x4_add(wasm_i32x4_add(first, second), splat32(0x8000)), 16);
  }
};

/// The arithmetic of one vector of the result.
struct Formula {
  v128_t scale, mean, std;
};

/// `count` pixels, a multiple of four, each quad to one vector; 16 bytes may be read at every quad.
template <class Fetch, bool kDivides>
void numbers(const Fetch fetch, const Formula formula, const std::uint8_t* src, std::size_t src_step, std::uint8_t* dst, std::size_t dst_step,
             std::size_t count) {
  for (; count > 0; count -= 4) {
    v128_t x = wasm_f32x4_convert_i32x4(fetch(wasm_v128_load(src)));
    x = wasm_f32x4_sub(wasm_f32x4_mul(x, formula.scale), formula.mean);
    if constexpr (kDivides) x = wasm_f32x4_div(x, formula.std);
    wasm_v128_store(dst, x);
    src += src_step;
    dst += dst_step;
  }
}

/// Float32 to the nearest byte, ties to even, saturated; NaN gives 0.
template <bool kSigned>
struct RoundToByte : StatelessKernel {
  static constexpr std::size_t kElements = 16, kIn = 64, kOut = 16;
  using StatelessKernel::StatelessKernel;

  static v128_t rounded(v128_t x) { return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x)); }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t low = wasm_i16x8_narrow_i32x4(rounded(load(src, 0)), rounded(load(src, 1)));
    const v128_t high = wasm_i16x8_narrow_i32x4(rounded(load(src, 2)), rounded(load(src, 3)));
    store(dst, 0, kSigned ? wasm_i8x16_narrow_i16x8(low, high) : wasm_u8x16_narrow_i16x8(low, high));
  }
};

void copy_floats(const std::uint8_t* src, std::uint8_t* dst, std::size_t count, const StepContext&) { std::memcpy(dst, src, 4 * count); }

Step from_float32(Format to) {
  switch (to) {
    case Format::kFloat32: return copy_floats;
    case Format::kUint8: return run<RoundToByte<false>>;
    case Format::kInt8: return run<RoundToByte<true>>;
    default: return float32_to_float(to);
  }
}

/// What there is to do for each quad of pixels: vectors of four numbers, of which vector i has `lane(4 * i + j)` in lane j.
class Plan {
 public:
  Plan(int src_channels, int dst_channels, const Channel* channels, bool planar)
      : src_channels_(static_cast<std::size_t>(src_channels)), vectors_(static_cast<std::size_t>(dst_channels)), is_luma_(channels[0].source == kLuma) {
    for (std::size_t i = 0; i < vectors_; ++i) {
      std::uint8_t order[16], second[16], constant[16] = {};
      float scale[4], mean[4], std[4];
      std::memset(order, kZero, sizeof order);
      std::memset(second, kZero, sizeof second);
      for (std::size_t j = 0; j < 4; ++j) {
        const std::size_t pixel = planar ? j : (4 * i + j) / vectors_;
        const Channel& channel = channels[planar ? i : (4 * i + j) % vectors_];
        const std::size_t first = pixel * src_channels_;
        if (is_luma_) {
          order[4 * j] = static_cast<std::uint8_t>(first);
          order[4 * j + 2] = second[4 * j] = static_cast<std::uint8_t>(first + 1);
          second[4 * j + 2] = static_cast<std::uint8_t>(first + 2);
        } else if (channel.source == kOpaque) {
          constant[4 * j] = 255;
        } else {
          order[4 * j] = static_cast<std::uint8_t>(first + static_cast<std::size_t>(channel.source));
        }
        scale[j] = channel.scale;
        mean[j] = channel.mean;
        std[j] = channel.std;
        divides_ |= channel.std != 1;
      }
      orders_[i] = wasm_v128_load(order);
      others_[i] = wasm_v128_load(is_luma_ ? second : constant);
      formulas_[i] = {wasm_v128_load(scale), wasm_v128_load(mean), wasm_v128_load(std)};
    }
  }

  /// The float32 numbers of `count` pixels, a multiple of four; vector i of quad q goes to dst + i * dst_offset + q * dst_step.
  void operator()(const std::uint8_t* src, std::uint8_t* dst, std::size_t dst_offset, std::size_t dst_step, std::size_t count) const {
    const std::size_t src_step = 4 * src_channels_;
    for (std::size_t i = 0; i < vectors_; ++i, dst += dst_offset) {
      const auto pass = [&](const auto fetch) {
        if (divides_) numbers<decltype(fetch), true>(fetch, formulas_[i], src, src_step, dst, dst_step, count);
        else numbers<decltype(fetch), false>(fetch, formulas_[i], src, src_step, dst, dst_step, count);
      };
      if (is_luma_) pass(Luma{orders_[i], others_[i]});
      else pass(Select{orders_[i], others_[i]});
    }
  }

 private:
  std::size_t src_channels_;
  std::size_t vectors_;
  bool is_luma_;
  bool divides_ = false;
  v128_t orders_[kMaxChannels], others_[kMaxChannels];
  Formula formulas_[kMaxChannels];
};

}  // namespace

void pixels(Format to, int src_channels, int dst_channels, const Channel* channels, std::ptrdiff_t plane_bytes, const std::uint8_t* src,
            std::uint8_t* dst, std::size_t count) {
  const bool planar = plane_bytes != 0 && dst_channels > 1;
  const Plan plan(src_channels, dst_channels, channels, planar);
  const Step encode = from_float32(to);
  const auto src_bytes = static_cast<std::size_t>(src_channels), dst_count = static_cast<std::size_t>(dst_channels);
  const std::size_t element_bytes = static_cast<std::size_t>(row_of(to).bits) / 8;
  alignas(16) std::uint8_t padded[kTile * kMaxChannels + 16];
  alignas(16) std::uint8_t floats[kTile * kMaxChannels * 4];
  for (std::size_t at = 0; at < count; at += kTile) {
    const std::size_t some = std::min(kTile, count - at), whole = (some + 3) / 4 * 4;
    const std::uint8_t* tile = src + at * src_bytes;
    if ((count - at - some) * src_bytes < 16) {
      std::memcpy(padded, tile, some * src_bytes);
      tile = padded;
    }
    std::uint8_t* to_tile = dst + at * element_bytes * (planar ? 1 : dst_count);
    const std::size_t planes = planar ? dst_count : 1;
    const std::size_t dst_step = planar ? 16 : 16 * dst_count;
    if (to == Format::kFloat32 && some == whole) {
      plan(tile, to_tile, planar ? static_cast<std::size_t>(plane_bytes) : 16, dst_step, whole);
      continue;
    }
    plan(tile, floats, planar ? 4 * kTile : 16, dst_step, whole);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      encode(floats + plane * 4 * kTile, to_tile + static_cast<std::ptrdiff_t>(plane) * plane_bytes, some * (planar ? 1 : dst_count), {});
    }
  }
}

}  // namespace layout
