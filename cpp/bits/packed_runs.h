#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "bits/packed.h"
#include "bits/runs.h"

namespace layout {

/// Unpacks runs of 4- and 2-bit elements to one element a byte, the high bits zero, and packs them again. A packed run
/// may begin at any element of a byte: `phase` is the number of bits before it.
template <int kBits>
class PackedRun {
 public:
  static constexpr int kPerByte = 8 / kBits;

  /// Reads only bytes that hold elements of the run.
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

  /// Keeps the bits beside the run. The high bits of the source's bytes must be zero.
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

  /// Calls step(at, Bytes<packed bytes>) for all whole bytes. The last step moves back over elements that are done
  /// where steps do not divide the run. Returns the number of elements done: 0 for less than a step.
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

  static void unpack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<16>) {
    if constexpr (kBits == 4) {
      const auto [low, high] = unpack_nibbles(load(src));
      store(dst, 0, low);
      store(dst, 1, high);
    } else {
      v128_t pairs[4];
      unpack_pairs(load(src), pairs);
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(dst, i, pairs[i]);
    }
  }

  static void unpack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<4>) {
    const v128_t x = load_part<4>(src);
    if constexpr (kBits == 4) {
      store_part<8>(dst, unpack_nibbles(x).low);
    } else {
      v128_t pairs[4];
      unpack_pairs(x, pairs);
      store(dst, pairs[0]);
    }
  }

  static void pack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<16>) {
    if constexpr (kBits == 4) {
      store(dst, pack_nibbles(load(src, 0), load(src, 1)));
    } else {
      store(dst, pack_pairs(load(src, 0), load(src, 1), load(src, 2), load(src, 3)));
    }
  }

  static void pack_step(const std::uint8_t* src, std::uint8_t* dst, Bytes<4>) {
    if constexpr (kBits == 4) {
      const v128_t x = load_part<8>(src);
      store_part<4>(dst, pack_nibbles(x, x));
    } else {
      store_part<4>(dst, second_bytes<0>(join_pairs(load(src))));
    }
  }
};

}  // namespace layout
