// image/pixels.h says what these functions do.

#include "image/pixels.h"

#include <algorithm>
#include <cstring>

#include "bits/interleave.h"
#include "bits/runs.h"
#include "convert/steps.h"
#include "image/fetches.h"

namespace layout {
namespace {

/// The pixels of a tile: they and their numbers fit in a first-level cache. A multiple of 16.
constexpr std::size_t kTile = 512;
constexpr std::size_t kMaxChannels = 4;

/// The numbers of Channel's formula, for the four lanes of a vector.
struct Formula {
  v128_t scale, low, mean, std;
};

/// Bytes from one quad to the next.
struct QuadSteps {
  std::size_t src, dst;
};

/// Makes one vector of float32 numbers of each of `quads` quads: fetches its four bytes from the quad (fetches.h), and
/// applies Channel's formula, without the division where all `std` are 1. The division takes half of the time.
/// Multiplying by the reciprocal would round differently, and mending that takes longer (measured: in two parts 1.3
/// times the time, in float64 1.2 times).
template <class Fetch, bool kDivides>
void make_numbers(const Fetch fetch, const Formula formula, const QuadSteps steps, const std::uint8_t* src,
                  std::uint8_t* dst, std::size_t quads) {
  const auto put = [&] {
    const v128_t x = wasm_f32x4_convert_i32x4(fetch(load(src)));
    const v128_t scaled = wasm_f32x4_add(wasm_f32x4_mul(x, formula.scale), wasm_f32x4_mul(x, formula.low));
    const v128_t difference = wasm_f32x4_sub(scaled, formula.mean);
    store(dst, kDivides ? wasm_f32x4_div(difference, formula.std) : difference);
    src += steps.src;
    dst += steps.dst;
  };
  for (; quads >= 4; quads -= 4) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) put();
  }
  for (; quads > 0; --quads) put();
}

/// The kernel (convert/steps.h) that rounds sixteen float32 numbers to the nearest byte, uint8 or int8: ties to even,
/// saturated; NaN gives 0.
template <bool kSigned>
struct RoundToByte : StatelessKernel<16, 64, 16> {
  static v128_t rounded(v128_t x) { return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x)); }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t first = wasm_i16x8_narrow_i32x4(rounded(load(src, 0)), rounded(load(src, 1)));
    const v128_t second = wasm_i16x8_narrow_i32x4(rounded(load(src, 2)), rounded(load(src, 3)));
    store(dst, 0, kSigned ? wasm_i8x16_narrow_i16x8(first, second) : wasm_u8x16_narrow_i16x8(first, second));
  }
};

/// The step (convert/steps.h) from float32 to float32.
void copy_floats(const std::uint8_t* src, std::uint8_t* dst, std::size_t count, const StepContext&) {
  std::memcpy(dst, src, 4 * count);
}

/// The step from bytes to bytes.
void copy_bytes(const std::uint8_t* src, std::uint8_t* dst, std::size_t count, const StepContext&) {
  std::memcpy(dst, src, count);
}

/// The step (convert/steps.h) that encodes float32 in a format of PixelNumbers.
Step from_float32(Format to) {
  if (to == Format::kFloat32) return copy_floats;
  if (to == Format::kUint8) return run<RoundToByte<false>>;
  if (to == Format::kInt8) return run<RoundToByte<true>>;
  return float32_to_float(to);
}

/// Which pixel and channel give one of the numbers of a quad.
struct Place {
  std::size_t first;  // byte of the pixel, in the quad
  const Channel* channel;
};

/// The channels of the source and of the result, and how quads, four pixels each, become numbers: 4 * dst_channels of
/// them, in dst_channels vectors. In planes, vector i has channel i of the four pixels; otherwise all numbers lie in
/// the order of the pixels.
class Picture {
 public:
  Picture(std::size_t src_channels, std::size_t dst_channels, const Channel* channels, bool is_planar)
      : src_channels_(src_channels), dst_channels_(dst_channels), channels_(channels), is_planar_(is_planar) {}

  bool is_luma() const { return channels_[0].source >= kLuma; }

  /// Whether the numbers are the bytes themselves: each channel is a byte of the source or 255, and its formula gives
  /// x.
  bool is_identity() const {
    return std::all_of(channels_, channels_ + dst_channels_, [](const Channel& c) {
      return c.source < kLuma && c.scale == 1 && c.low == 0 && c.mean == 0 && c.std == 1;
    });
  }

  /// Makes the float32 numbers of `quads` quads, in planes `plane_bytes` apart or side by side. Reads 16 bytes at each
  /// quad, also where its pixels have fewer.
  void to_floats(const std::uint8_t* src, std::uint8_t* dst, std::ptrdiff_t plane_bytes, std::size_t quads) const {
    const QuadSteps steps = {4 * src_channels_, is_planar_ ? 16 : 16 * dst_channels_};
    // One vector of all quads at a time.
    for (std::size_t i = 0; i < dst_channels_; ++i, dst += is_planar_ ? plane_bytes : 16) {
      float scale[4], low[4], mean[4], std[4];
      bool divides = false;
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const Channel& channel = *place(4 * i + lane).channel;
        scale[lane] = channel.scale;
        low[lane] = channel.low;
        mean[lane] = channel.mean;
        std[lane] = channel.std;
        divides |= channel.std != 1;
      }
      const Formula formula = {load(scale), load(low), load(mean), load(std)};
      with_fetch(i, [&](const auto fetch) {
        using Fetch = decltype(fetch);
        (divides ? make_numbers<Fetch, true> : make_numbers<Fetch, false>)(fetch, formula, steps, src, dst, quads);
      });
    }
  }

  /// Copies the bytes of `groups` groups of 16 pixels, four quads each; those above `most` become `most`. Planes are
  /// `plane_bytes` apart. Reads 16 bytes at each quad, and writes as many where pixels lie side by side, also where the
  /// quad has fewer: the next quad overwrites them.
  void to_bytes(const std::uint8_t* src, std::uint8_t* dst, std::ptrdiff_t plane_bytes, std::size_t groups,
                std::uint8_t most) const {
    // One order for all bytes of a quad's result.
    std::uint8_t order[16], opaque[16] = {};
    std::memset(order, kNone, sizeof order);
    for (std::size_t i = 0; i < 4 * dst_channels_; ++i) {
      const auto [first, channel] = place(i);
      if (channel->source == kOpaque)
        opaque[i] = 255;
      else
        order[i] = static_cast<std::uint8_t>(first + static_cast<std::size_t>(channel->source));
    }
    const Select select{load(order), load(opaque)};
    for (; groups > 0; --groups, src += 16 * src_channels_) {
      v128_t v[4];
      LAYOUT_UNROLL for (std::size_t i = 0; i < 4; ++i) v[i] =
          wasm_u8x16_min(select(load(src + 4 * i * src_channels_)), splat8(most));
      if (is_planar_) {
        interleave<32>(v);  // v[i] has four bytes of each channel of quad i, then v[c] channel c of all quads
        LAYOUT_UNROLL for (std::size_t c = 0; c < 4; ++c) {
          if (c < dst_channels_) store(dst + static_cast<std::ptrdiff_t>(c) * plane_bytes, v[c]);
        }
        dst += 16;
      } else {
        LAYOUT_UNROLL for (std::size_t i = 0; i < 4; ++i) store(dst + 4 * i * dst_channels_, v[i]);
        dst += 16 * dst_channels_;
      }
    }
  }

 private:
  /// Which pixel and channel give number i of a quad's 4 * dst_channels_ numbers.
  Place place(std::size_t i) const {
    const std::size_t pixel = is_planar_ ? i % 4 : i / dst_channels_;
    return {pixel * src_channels_, channels_ + (is_planar_ ? i / 4 : i % dst_channels_)};
  }

  /// Calls `use` with the fetch (fetches.h) of vector i of a quad's numbers.
  template <typename Use>
  void with_fetch(std::size_t i, const Use& use) const {
    const bool is_constant = is_planar_ && !is_luma() && with_constant_fetch(channels_[i].source, use);
    if (!is_constant) with_computed_fetch(i, use);
  }

  /// Calls `use` with the fetch of a plane by a constant order (see Pick), which there is for each source of one, three
  /// or four channels. Returns whether there is one: not of two channels, and not of a source of 255.
  template <typename Use>
  bool with_constant_fetch(int source, const Use& use) const {
    constexpr auto key = [](int step, int of) { return 8 * step + of; };
    switch (key(static_cast<int>(src_channels_), source)) {
      case key(1, 0):
        use(Pick<1, 0>{});
        break;
      case key(3, 0):
        use(Pick<3, 0>{});
        break;
      case key(3, 1):
        use(Pick<3, 1>{});
        break;
      case key(3, 2):
        use(Pick<3, 2>{});
        break;
      case key(4, 0):
        use(Pick<4, 0>{});
        break;
      case key(4, 1):
        use(Pick<4, 1>{});
        break;
      case key(4, 2):
        use(Pick<4, 2>{});
        break;
      case key(4, 3):
        use(Pick<4, 3>{});
        break;
      default:
        return false;
    }
    return true;
  }

  /// Calls `use` with the fetch of vector i of a quad's numbers by orders of its four lanes.
  template <typename Use>
  void with_computed_fetch(std::size_t i, const Use& use) const {
    // `order`: the bytes of the lanes; of luma, red and green, and in `other` green and blue.
    std::uint8_t order[16], other[16], opaque[16] = {};
    std::memset(order, kNone, sizeof order);
    std::memset(other, kNone, sizeof other);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const auto [first, channel] = place(4 * i + lane);
      if (channel->source >= kLuma) {
        order[4 * lane] = static_cast<std::uint8_t>(first);
        order[4 * lane + 2] = other[4 * lane] = static_cast<std::uint8_t>(first + 1);
        other[4 * lane + 2] = static_cast<std::uint8_t>(first + 2);
      } else if (channel->source == kOpaque) {
        opaque[4 * lane] = 255;
      } else {
        order[4 * lane] = static_cast<std::uint8_t>(first + static_cast<std::size_t>(channel->source));
      }
    }
    if (channels_[0].source == kTorchLuma)
      use(TorchLuma{load(order), load(other)});
    else if (is_luma())
      use(Luma{load(order), load(other), channels_[0].source == kOpenCvLuma ? 1u : 0u});
    else
      use(Select{load(order), load(opaque)});
  }

  std::size_t src_channels_, dst_channels_;
  const Channel* channels_;
  bool is_planar_;
};

}  // namespace

/// Tile by tile: bytes that stay as they are are copied, others become float32 numbers, which are then encoded.
void pixels(const PixelNumbers& asked) {
  const auto [to, src_channels, dst_channels, plane_bytes, src, dst, count, channels] = asked;
  const auto src_bytes = static_cast<std::size_t>(src_channels), dst_count = static_cast<std::size_t>(dst_channels);
  // A single channel is a plane in both layouts.
  const bool is_planar = plane_bytes != 0 || dst_channels == 1;
  const Picture picture(src_bytes, dst_count, channels, is_planar);
  const bool copies = (to == Format::kUint8 || to == Format::kInt8) && picture.is_identity();
  const Step encode = copies ? copy_bytes : from_float32(to);
  const std::uint8_t most = to == Format::kInt8 ? 127 : 255;
  const std::size_t staged_bytes = copies ? 1 : sizeof(float);
  const std::size_t element_bytes = static_cast<std::size_t>(row_of(to).bits) / 8;
  const std::size_t planes = is_planar ? dst_count : 1, per_plane = is_planar ? 1 : dst_count;
  alignas(16) std::uint8_t padded[kTile * kMaxChannels + 16];
  alignas(16) std::uint8_t staged[kTile * kMaxChannels * 4];
  for (std::size_t at = 0; at < count; at += kTile) {
    const std::size_t tile_pixels = std::min(kTile, count - at);
    const std::uint8_t* tile = src + at * src_bytes;
    std::uint8_t* target = dst + at * element_bytes * per_plane;
    // Loads and stores of whole vectors may reach 12 bytes past a tile. So a tile with fewer than 16 bytes of pixels,
    // or of numbers, after it is read from a padded copy.
    const bool is_last = (count - at - tile_pixels) * std::min(src_bytes, dst_count) < 16;
    if (is_last) {
      // memcpy leaves the module from 512 bytes on, which takes longer.
      copy_rows(1, static_cast<std::ptrdiff_t>(tile_pixels * src_bytes), tile, 0, padded, 0);
      tile = padded;
    }
    // Straight to the result where whole groups or quads fit.
    if (copies && !is_last) {
      picture.to_bytes(tile, target, plane_bytes, tile_pixels / 16, most);
      continue;
    }
    if (to == Format::kFloat32 && tile_pixels % 4 == 0) {
      picture.to_floats(tile, target, plane_bytes, tile_pixels / 4);
      continue;
    }
    // Otherwise by `staged`, whose planes are kTile numbers apart, and from there plane by plane.
    if (copies)
      picture.to_bytes(tile, staged, kTile, (tile_pixels + 15) / 16, most);
    else
      picture.to_floats(tile, staged, 4 * kTile, (tile_pixels + 3) / 4);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      std::uint8_t* to_plane = target + static_cast<std::ptrdiff_t>(plane) * plane_bytes;
      encode(staged + plane * kTile * staged_bytes, to_plane, tile_pixels * per_plane, {});
    }
  }
}

}  // namespace layout
