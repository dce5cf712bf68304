// Packed codes of six, four and two bits: packing, unpacking, look-ups. Each struct is a kernel (steps.h); the numbers
// of StatelessKernel are elements, bytes read and bytes written by a call of operator().

#include "bits/packed.h"

#include <cassert>

#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

/// Packs the low four bits of each byte.
struct Pack4 : StatelessKernel<32, 32, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    store(dst, 0, pack_nibbles(load(src, 0), load(src, 1)));
  }
};

/// Packs the low two bits of each byte.
struct Pack2 : StatelessKernel<64, 64, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    store(dst, 0, pack_pairs(load(src, 0), load(src, 1), load(src, 2), load(src, 3)));
  }
};

/// Packs the low six bits of each byte.
struct Pack6 : StatelessKernel<16, 16, 12> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const { store_part<12>(dst, pack_sextets(load(src))); }
};

/// Unpacks codes of six bits to one a byte, the high bits zero.
struct Unpack6 : StatelessKernel<16, 12, 16> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const { store(dst, unpack_sextets(load_part<12>(src))); }
};

/// Unpacks integers of four bits to bytes. Signed ones have their sign bit flipped while they are packed, which adds 8,
/// and 8 subtracted once they are bytes: that extends the sign.
template <bool kSigned>
struct ExtendNibbles : StatelessKernel<64, 32, 64> {
  /// Takes the 8 off again.
  static v128_t unflipped(v128_t x) { return kSigned ? wasm_i8x16_sub(x, splat8(8)) : x; }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (int i = 0; i < 2; ++i) {
      const v128_t x = kSigned ? wasm_v128_xor(load(src, i), splat8(0x88)) : load(src, i);
      const auto [low, high] = unpack_nibbles(x);
      store(dst, 2 * i, unflipped(low));
      store(dst, 2 * i + 1, unflipped(high));
    }
  }
};

/// Unpacks integers of two bits to bytes. Extends signs as ExtendNibbles does, by 2. A call takes two vectors: with
/// one, the loop itself would take a seventh of the time (measured).
template <bool kSigned>
struct ExtendPairs : StatelessKernel<128, 32, 128> {
  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (int i = 0; i < 2; ++i) {
      v128_t x[4];
      unpack_pairs(kSigned ? wasm_v128_xor(load(src, i), splat8(0xaa)) : load(src, i), x);
      LAYOUT_UNROLL for (int k = 0; k < 4; ++k) {
        store(dst, 4 * i + k, kSigned ? wasm_i8x16_sub(x[k], splat8(2)) : x[k]);
      }
    }
  }
};

/// Looks packed codes of kBits (4 or 2) up in a table of at most 16 results of kOutBytes, which the context has as
/// planes of bytes (StepContext). Reads only the upper kBytes planes: of a float32 with few significant bits, the lower
/// two bytes are zero.
template <int kBits, int kBytes, int kOutBytes = kBytes>
struct LookupPacked {
  static constexpr std::size_t kElements = 128 / kBits, kIn = 16, kOut = kElements * kOutBytes;
  v128_t table[kBytes];

  explicit LookupPacked(const StepContext& context) {
    LAYOUT_UNROLL for (int i = 0; i < kBytes; ++i) table[i] = load(context.table, i + kOutBytes - kBytes);
  }

  /// Looks up sixteen codes, one to a byte. Writes their results after those of `index` times sixteen codes.
  ///   bytes 0 to 3 of the results -> zipped: 10 10 .., 32 32 .. -> zipped: 3210 3210 ..
  void put(std::uint8_t* dst, int index, v128_t codes) const {
    v128_t bytes[kBytes];  // of each result, one byte a vector
    LAYOUT_UNROLL for (int i = 0; i < kBytes; ++i) bytes[i] = wasm_i8x16_swizzle(table[i], codes);
    if constexpr (kBytes == 1) {
      store(dst, index, bytes[0]);
    } else {
      const v128_t first = zip_low<8>(bytes[kBytes - 2], bytes[kBytes - 1]),
                   second = zip_high<8>(bytes[kBytes - 2], bytes[kBytes - 1]);
      if constexpr (kOutBytes == 2) {
        store(dst, 2 * index, first);
        store(dst, 2 * index + 1, second);
      } else {
        v128_t first_low = splat16(0), second_low = splat16(0);  // the lower halves of the results
        if constexpr (kBytes == 4) {
          first_low = zip_low<8>(bytes[0], bytes[1]);
          second_low = zip_high<8>(bytes[0], bytes[1]);
        }
        store(dst, 4 * index, zip_low<16>(first_low, first));
        store(dst, 4 * index + 1, zip_high<16>(first_low, first));
        store(dst, 4 * index + 2, zip_low<16>(second_low, second));
        store(dst, 4 * index + 3, zip_high<16>(second_low, second));
      }
    }
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    if constexpr (kBits == 4) {
      const auto [low, high] = unpack_nibbles(load(src, 0));
      put(dst, 0, low);
      put(dst, 1, high);
    } else {
      v128_t codes[4];
      unpack_pairs(load(src, 0), codes);
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) put(dst, i, codes[i]);
    }
  }
};

/// Looks packed codes of two bits up in a table of four bytes. A nibble holds two codes, so two tables of 16 bytes give
/// both results of a nibble.
struct LookupPairs {
  static constexpr std::size_t kElements = 64, kIn = 16, kOut = 64;
  v128_t first, second;

  explicit LookupPairs(const StepContext& context) {
    // For each nibble, the results of its low code, `first`, and of its high code, `second`.
    std::uint8_t bytes[2][16];
    for (int pair = 0; pair < 16; ++pair) {
      bytes[0][pair] = context.table[pair & 3];
      bytes[1][pair] = context.table[pair >> 2];
    }
    first = load(bytes[0], 0);
    second = load(bytes[1], 0);
  }

  /// Looks up sixteen nibbles, one to a byte, and writes 32 results to the vectors `index` and `index + 1` of `dst`.
  void put(std::uint8_t* dst, int index, v128_t pairs) const {
    const v128_t even = wasm_i8x16_swizzle(first, pairs), odd = wasm_i8x16_swizzle(second, pairs);
    store(dst, index, zip_low<8>(even, odd));
    store(dst, index + 1, zip_high<8>(even, odd));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const auto [low, high] = unpack_nibbles(load(src, 0));
    put(dst, 0, low);
    put(dst, 2, high);
  }
};

/// The step of lookup_packed for codes of kBits, to results of at most 32 bits.
template <int kBits>
Step lookup_packed_of(const FormatRow& to) {
  // Few significant bits: the lower two of a float32's four bytes are zero and need no table.
  if (to.format == Format::kFloat32) return run<LookupPacked<kBits, 2, 4>>;
  if (to.bits == 32) return run<LookupPacked<kBits, 4>>;
  if (to.bits == 16) return run<LookupPacked<kBits, 2>>;
  // To a byte: LookupPairs takes two codes of two bits at a time.
  return kBits == 2 ? run<LookupPairs> : run<LookupPacked<4, 1>>;
}

/// Looks packed codes of four bits up in a table of 16 codes of four or two bits, and packs the results.
template <int kOutBits>
struct RepackNibbles {
  static constexpr std::size_t kElements = kOutBits == 4 ? 32 : 64, kIn = kElements / 2, kOut = 16;
  v128_t first, second;  // results of the low and of the high code of a byte; the latter lie kOutBits higher

  explicit RepackNibbles(const StepContext& context)
      : first(wasm_v128_and(load(context.table, 0), splat8((1u << kOutBits) - 1))),
        second(wasm_i16x8_shl(first, kOutBits)) {}

  /// Looks up both codes of each byte, and joins the two results in its low bits.
  v128_t joined(v128_t x) const {
    return wasm_v128_or(wasm_i8x16_swizzle(first, wasm_v128_and(x, splat8(0x0f))),
                        wasm_i8x16_swizzle(second, shr_bytes<4>(x)));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    if constexpr (kOutBits == 4) {
      store(dst, 0, joined(load(src, 0)));
    } else {
      store(dst, 0, pack_nibbles(joined(load(src, 0)), joined(load(src, 1))));
    }
  }
};

/// Looks packed codes of two bits up in a table of four codes of four bits, and packs the results. A nibble, which
/// holds two codes, looks up a byte, which holds both results.
struct RepackPairs {
  static constexpr std::size_t kElements = 64, kIn = 16, kOut = 32;
  v128_t pairs;

  explicit RepackPairs(const StepContext& context) {
    // For each nibble, the results of both codes in one byte.
    std::uint8_t bytes[16];
    for (int pair = 0; pair < 16; ++pair) {
      bytes[pair] = static_cast<std::uint8_t>((context.table[pair & 3] & 15) | context.table[pair >> 2] << 4);
    }
    pairs = load(bytes, 0);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x = load(src, 0);
    const v128_t even = wasm_i8x16_swizzle(pairs, wasm_v128_and(x, splat8(0x0f))),
                 odd = wasm_i8x16_swizzle(pairs, shr_bytes<4>(x));
    store(dst, 0, zip_low<8>(even, odd));
    store(dst, 1, zip_high<8>(even, odd));
  }
};

/// Whether the steps of this file cover the packed formats (fewer than 8 bits) of kFormatTable.
constexpr bool is_every_width_known() {
  for (const FormatRow& row : kFormatTable) {
    if (is_packed(row) && !is_packed_width(row.bits)) return false;
    if (row.bits == 6 && row.kind == Kind::kSigned) return false;
  }
  return true;
}
static_assert(is_every_width_known(), "packed formats have 6, 4 or 2 bits; no step extends the sign of 6");

}  // namespace

Step pack(int bits) {
  return pick_for_packed(bits, [](auto width) -> Step {
    if constexpr (width == 6) return run<Pack6>;
    if constexpr (width == 4) return run<Pack4>;
    if constexpr (width == 2) return run<Pack2>;
  });
}

/// Chooses the kernel that unpacks codes of this width to bytes. Codes of six bits are never signed: they are floats.
Step extend_packed(int from_bits, bool is_signed) {
  return pick_for_packed(from_bits, [&](auto width) -> Step {
    if constexpr (width == 6) return run<Unpack6>;
    if constexpr (width == 4) return is_signed ? run<ExtendNibbles<true>> : run<ExtendNibbles<false>>;
    if constexpr (width == 2) return is_signed ? run<ExtendPairs<true>> : run<ExtendPairs<false>>;
  });
}

Step lookup_packed(int from_bits, Format to) {
  return from_bits == 4 ? lookup_packed_of<4>(row_of(to)) : lookup_packed_of<2>(row_of(to));
}

Step repack(int from_bits, int to_bits) {
  assert(from_bits == 4 || to_bits == 4);
  return from_bits == 2 ? run<RepackPairs> : to_bits == 4 ? run<RepackNibbles<4>> : run<RepackNibbles<2>>;
}

}  // namespace layout
