#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "bits/runs.h"
#include "bits/simd128.h"
#include "bits/weave.h"

namespace layout {

/// Runs of 4- and 2-bit elements that begin anywhere in a byte, to one element a byte (the high bits zero) and back.
template <int kBits>
class PackedRun {
 public:
  static constexpr int kPerByte = 8 / kBits;

  /// Reads the bytes that hold elements of the run, and no others.
  static void unpack(int count, const std::uint8_t* src, int phase, std::uint8_t* dst) {
    const int head = std::min(count, (8 - phase) % 8 / kBits);
    unpack_byte(head, src, phase, dst);
    src += (phase + 7) / 8;
    dst += head;
    count -= head;
    int done = for_each_step(count, [=](int at, auto step) { unpack_step(src + at / kPerByte, dst + at, step); });
    for (; done < count; done += kPerByte)
      unpack_byte(std::min(kPerByte, count - done), src + done / kPerByte, 0, dst + done);
  }

  /// Keeps the bits beside the run. The high bits of the source's bytes are zero.
  static void pack(int count, const std::uint8_t* src, std::uint8_t* dst, int phase) {
    const int head = std::min(count, (8 - phase) % 8 / kBits);
    pack_byte(head, src, dst, phase);
    src += head;
    dst += (phase + 7) / 8;
    count -= head;
    int done = for_each_step(count, [=](int at, auto step) { pack_step(src + at, dst + at / kPerByte, step); });
    for (; done < count; done += kPerByte)
      pack_byte(std::min(kPerByte, count - done), src + done, dst + done / kPerByte, 0);
  }

 private:
  template <int bytes>
  using Bytes = std::integral_constant<int, bytes>;

  /// Whole bytes by step(at, Bytes<packed bytes>), the last ones again where they do not divide; returns the number of
  /// elements done, which is 0 for less than a step.
  template <typename Step>
  static int for_each_step(int count, const Step& step) {
    const int whole = count / kPerByte * kPerByte;
    if (whole >= 16 * kPerByte) {
      steps<16>(whole, step);
    } else if (whole >= 4 * kPerByte) {
      steps<4>(whole, step);
    } else {
      return 0;
    }
    return whole;
  }

  template <int bytes, typename Step>
  static void steps(int count, const Step& step) {
    constexpr int kElements = bytes * kPerByte;
    int at = 0;
    for (; at + kElements <= count; at += kElements) step(at, Bytes<bytes>());
    if (at < count) step(count - kElements, Bytes<bytes>());
  }

  static constexpr unsigned kMask = (1u << kBits) - 1;

  static void unpack_byte(int count, const std::uint8_t* src, int phase, std::uint8_t* dst) {
    if (count == 0) return;
    unsigned bits = static_cast<unsigned>(*src) >> phase;
    for (int i = 0; i < count; ++i, bits >>= kBits) dst[i] = static_cast<std::uint8_t>(bits & kMask);
  }

  static void pack_byte(int count, const std::uint8_t* src, std::uint8_t* dst, int phase) {
    if (count == 0) return;
    unsigned bits = 0;
    for (int i = count - 1; i >= 0; --i) bits = bits << kBits | src[i];
    put_bits(dst, phase, count * kBits, bits);
  }

  /// The two halves of `bits` bits of each byte, as bytes of their own: those of the low eight bytes and of the high
  /// eight.
  template <int bits>
  static void split(v128_t v, v128_t& first, v128_t& second) {
    const v128_t mask = wasm_i8x16_splat((1 << bits) - 1);
    const v128_t even = wasm_v128_and(v, mask);
    const v128_t odd = wasm_v128_and(wasm_u16x8_shr(v, bits), mask);
    first = low<8>(even, odd);
    second = high<8>(even, odd);
  }

  /// The way back.
  template <int bits>
  static v128_t join(v128_t first, v128_t second) {
    const v128_t mask = wasm_i16x8_splat((1 << 2 * bits) - 1);
    return wasm_u8x16_narrow_i16x8(wasm_v128_and(wasm_v128_or(first, wasm_u16x8_shr(first, 8 - bits)), mask),
                                   wasm_v128_and(wasm_v128_or(second, wasm_u16x8_shr(second, 8 - bits)), mask));
  }

  static void unpack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<16>) {
    v128_t v[4];
    split<4>(wasm_v128_load(src), v[0], v[2]);
    if constexpr (kBits == 2) {
      split<2>(v[2], v[2], v[3]);
      split<2>(v[0], v[0], v[1]);
      wasm_v128_store(dst + 16, v[1]);
      wasm_v128_store(dst + 48, v[3]);
    }
    wasm_v128_store(dst, v[0]);
    wasm_v128_store(dst + 8 * kPerByte, v[2]);
  }

  static void unpack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<4>) {
    v128_t v = wasm_v128_load32_zero(src);
    v128_t none;
    split<4>(v, v, none);
    if constexpr (kBits == 2) {
      split<2>(v, v, none);
      wasm_v128_store(dst, v);
    } else {
      wasm_v128_store64_lane(dst, v, 0);
    }
  }

  static void pack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<16>) {
    if constexpr (kBits == 4) {
      wasm_v128_store(dst, join<4>(wasm_v128_load(src), wasm_v128_load(src + 16)));
    } else {
      wasm_v128_store(dst, join<4>(join<2>(wasm_v128_load(src), wasm_v128_load(src + 16)),
                                   join<2>(wasm_v128_load(src + 32), wasm_v128_load(src + 48))));
    }
  }

  static void pack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<4>) {
    v128_t v;
    if constexpr (kBits == 4) {
      v = wasm_v128_load64_zero(src);
    } else {
      v = wasm_v128_load(src);
      v = join<2>(v, v);
    }
    wasm_v128_store32_lane(dst, join<4>(v, v), 0);
  }
};

}  // namespace layout
