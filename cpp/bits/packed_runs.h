#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "bits/packed.h"
#include "bits/runs.h"

namespace layout {

/// Unpacks runs of packed elements to one element a byte, the high bits zero, and packs them again. A packed run may
/// begin at any element: `phase`, 0 to 7, is the number of bits before it in its first byte. A group is the fewest
/// elements that fill whole bytes.
template <int kBits>
class PackedRun {
 public:
  /// Writes `count` elements to `dst`, one a byte. Reads only bytes of `src` that hold elements of the run.
  static void unpack(int count, const std::uint8_t* src, int phase, std::uint8_t* dst) {
    // The elements before the first one that begins on a byte.
    const int head = std::min(count, elements_to_byte(phase));
    unpack_few(head, src, phase, dst);
    src += bytes_of(phase + head * kBits);
    dst += head;
    count -= head;
    // Whole groups in vectors. Without vectors, where the run is short: group by group. Then the last, shorter group.
    int done =
        for_each_step(count, [=](int at, auto step) { unpack_step(src + bytes_of(at * kBits), dst + at, step); });
    for (; done < count; done += kGroup)
      unpack_few(std::min(kGroup, count - done), src + bytes_of(done * kBits), 0, dst + done);
  }

  /// Packs `count` bytes into `dst`, from bit `phase` of its first byte on. Bits of the first and the last byte that
  /// hold no element of the run stay as they are. The high bits of the source's bytes must be zero.
  static void pack(int count, const std::uint8_t* src, std::uint8_t* dst, int phase) {
    // The same three parts as in unpack.
    const int head = std::min(count, elements_to_byte(phase));
    pack_few(head, src, dst, phase);
    src += head;
    dst += bytes_of(phase + head * kBits);
    count -= head;
    int done = for_each_step(count, [=](int at, auto step) { pack_step(src + at, dst + bytes_of(at * kBits), step); });
    for (; done < count; done += kGroup)
      pack_few(std::min(kGroup, count - done), src + done, dst + bytes_of(done * kBits), 0);
  }

 private:
  static constexpr int kGroup = kPackedGroup<kBits>;
  static constexpr unsigned kMask = (1u << kBits) - 1;
  // Elements of a long and of a short step: packed, they fill a vector and a quarter of one. Sextets have one step, of
  // three quarters.
  static constexpr int kShort = kBits == 4 ? 8 : 16, kLong = kBits == 6 ? kShort : 4 * kShort;

  template <int elements>
  using Elements = std::integral_constant<int, elements>;

  static int bytes_of(int bits) { return (bits + 7) / 8; }

  /// How many elements, the first one at bit `phase` of a byte, lie before the next one that begins on a byte; 0 if it
  /// does itself. `phase` is a multiple of 2, and of 4 for nibbles, so there is such an element.
  static int elements_to_byte(int phase) {
    int count = 0;
    while ((phase + count * kBits) % 8 != 0) ++count;
    return count;
  }

  /// Calls step(at, Elements<n>()) for all whole groups of a run; each call handles the `n` elements that begin at
  /// element `at`. Uses the long step if the run has room for one, and the short step otherwise. Returns the number of
  /// elements in these groups. A run that is shorter than the short step gets no call, and the result is 0.
  template <typename Step>
  static int for_each_step(int count, const Step& step) {
    const int whole = count / kGroup * kGroup;
    if (whole < kShort) return 0;
    if (kLong != kShort && whole >= kLong)
      run_steps<kLong>(whole, step);
    else
      run_steps<kShort>(whole, step);
    return whole;
  }

  /// Calls `step` for each `elements` of `count` elements, at least as many. Where these do not divide `count`, the
  /// last call ends with the run and does some elements once more.
  template <int elements, typename Step>
  static void run_steps(int count, const Step& step) {
    int at = 0;
    for (; at + elements <= count; at += elements) step(at, Elements<elements>());
    if (at < count) step(count - elements, Elements<elements>());
  }

  /// How many bytes hold `count` >= 1 elements from bit `phase` on, for unpack_few. It is called with elements of one
  /// byte only, except for sextets.
  static int few_bytes(int count, int phase) { return 8 % kBits == 0 ? 1 : bytes_of(phase + count * kBits); }

  /// Unpacks a group or fewer elements: collects their bytes in one word, whose low bits are the next element.
  static void unpack_few(int count, const std::uint8_t* src, int phase, std::uint8_t* dst) {
    if (count == 0) return;
    unsigned word = 0;
    for (int i = 0; i < few_bytes(count, phase); ++i) word |= static_cast<unsigned>(src[i]) << 8 * i;
    word >>= phase;
    for (int i = 0; i < count; ++i) {
      dst[i] = static_cast<std::uint8_t>(word & kMask);
      word >>= kBits;
    }
  }

  /// Packs a group or fewer elements: joins them in one word, then writes its bits, a byte at a time, from bit `phase`
  /// of `dst` on. The bits of the first and the last byte beside the elements stay.
  static void pack_few(int count, const std::uint8_t* src, std::uint8_t* dst, int phase) {
    if (count == 0) return;
    unsigned word = 0;
    for (int i = count - 1; i >= 0; --i) word = word << kBits | src[i];
    // The first byte takes the bits from `phase` on; later ones begin at bit 0.
    int begin = phase;
    for (int bits_left = count * kBits; bits_left > 0;) {
      const int bits = std::min(8 - begin, bits_left);
      put_bits(dst, begin, bits, word);
      ++dst;
      word >>= bits;
      bits_left -= bits;
      begin = 0;
    }
  }

  /// A long step: unpacks one vector of packed nibbles or pairs. Sextets have no long step.
  static void unpack_step(const std::uint8_t* src, std::uint8_t* dst, Elements<4 * kShort>) {
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

  /// A short step: unpacks a quarter of a vector of packed nibbles or pairs, or three quarters of one of sextets.
  static void unpack_step(const std::uint8_t* src, std::uint8_t* dst, Elements<kShort>) {
    const v128_t x = load_part<kShort * kBits / 8>(src);
    if constexpr (kBits == 4) {
      store_part<8>(dst, unpack_nibbles(x).low);
    } else if constexpr (kBits == 2) {
      v128_t pairs[4];
      unpack_pairs(x, pairs);
      store(dst, pairs[0]);
    } else {
      store(dst, unpack_sextets(x));
    }
  }

  /// A long step: packs nibbles or pairs into one vector. Sextets have no long step.
  static void pack_step(const std::uint8_t* src, std::uint8_t* dst, Elements<4 * kShort>) {
    if constexpr (kBits == 4) {
      store(dst, pack_nibbles(load(src, 0), load(src, 1)));
    } else {
      store(dst, pack_pairs(load(src, 0), load(src, 1), load(src, 2), load(src, 3)));
    }
  }

  /// A short step: packs nibbles or pairs into a quarter of a vector, or sextets into three quarters.
  static void pack_step(const std::uint8_t* src, std::uint8_t* dst, Elements<kShort>) {
    if constexpr (kBits == 4) {
      const v128_t x = load_part<8>(src);
      store_part<4>(dst, pack_nibbles(x, x));
    } else if constexpr (kBits == 2) {
      store_part<4>(dst, second_bytes<0>(join_pairs(load(src))));
    } else {
      store_part<12>(dst, pack_sextets(load(src)));
    }
  }
};

}  // namespace layout
