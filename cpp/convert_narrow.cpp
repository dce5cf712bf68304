// Codes of at most 8 bits: packing, lookups, low bits, and bool.

#include <cassert>

#include "convert_formats.h"
#include "convert_steps.h"

namespace layout {
namespace {

struct Pack4 : StatelessKernel {
  static constexpr std::size_t kElements = 32, kIn = 32, kOut = 16;
  using StatelessKernel::StatelessKernel;

  static v128_t joined(v128_t x) {
    const v128_t low = wasm_v128_and(x, splat16(0x0f));
    return wasm_v128_or(low, wasm_u16x8_shr(wasm_v128_and(x, splat16(0x0f00)), 4));
  }

  static v128_t packed(const v128_t* x) { return wasm_u8x16_narrow_i16x8(joined(x[0]), joined(x[1])); }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x[] = {load(src, 0), load(src, 1)};
    store(dst, 0, packed(x));
  }
};

struct Pack2 : StatelessKernel {
  static constexpr std::size_t kElements = 64, kIn = 64, kOut = 16;
  using StatelessKernel::StatelessKernel;

  /// Four codes into the low byte of each 32-bit lane.
  static v128_t joined(v128_t x) {
    const v128_t codes = wasm_v128_and(x, splat8(3));
    const v128_t pairs = wasm_v128_or(codes, wasm_u32x4_shr(codes, 6));
    return wasm_v128_and(wasm_v128_or(pairs, wasm_u32x4_shr(pairs, 12)), splat32(0xff));
  }

  static v128_t packed(const v128_t* x) {
    return wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(joined(x[0]), joined(x[1])), wasm_i16x8_narrow_i32x4(joined(x[2]), joined(x[3])));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x[] = {load(src, 0), load(src, 1), load(src, 2), load(src, 3)};
    store(dst, 0, packed(x));
  }
};

/// The halves of sixteen bytes in order, one a byte: those of the first eight bytes, and those of the others.
struct Nibbles {
  v128_t low, high;
};

Nibbles nibbles(v128_t x) {
  const v128_t even = wasm_v128_and(x, splat8(0x0f)), odd = shr_bytes<4>(x);
  return {zip_low8(even, odd), zip_high8(even, odd)};
}

/// Packed codes to what a table of at most 16 entries has for them. Entries of two bytes may become the upper halves of four:
/// that is all that a float32 of so few significant bits needs.
template <int kBits, int kBytes, int kOutBytes = kBytes>
struct LookupPacked {
  static constexpr std::size_t kElements = 128 / kBits, kIn = 16, kOut = kElements * kOutBytes;
  v128_t table[kBytes];

  explicit LookupPacked(const StepContext& context) {
    LAYOUT_UNROLL for (int i = 0; i < kBytes; ++i) table[i] = load(context.table, i + kOutBytes - kBytes);
  }

  /// Sixteen codes, one a byte.
  void put(std::uint8_t* dst, int index, v128_t codes) const {
    v128_t bytes[kBytes];
    LAYOUT_UNROLL for (int i = 0; i < kBytes; ++i) bytes[i] = wasm_i8x16_swizzle(table[i], codes);
    if constexpr (kBytes == 1) {
      store(dst, index, bytes[0]);
    } else {
      const v128_t first = zip_low8(bytes[kBytes - 2], bytes[kBytes - 1]), second = zip_high8(bytes[kBytes - 2], bytes[kBytes - 1]);
      if constexpr (kOutBytes == 2) {
        store(dst, 2 * index, first);
        store(dst, 2 * index + 1, second);
      } else {
        v128_t first_low = splat16(0), second_low = splat16(0);
        if constexpr (kBytes == 4) {
          first_low = zip_low8(bytes[0], bytes[1]);
          second_low = zip_high8(bytes[0], bytes[1]);
        }
        store(dst, 4 * index, zip_low16(first_low, first));
        store(dst, 4 * index + 1, zip_high16(first_low, first));
        store(dst, 4 * index + 2, zip_low16(second_low, second));
        store(dst, 4 * index + 3, zip_high16(second_low, second));
      }
    }
  }

  /// Sixteen pairs of 2-bit codes, one pair a byte.
  void put_pairs(std::uint8_t* dst, int index, v128_t pairs) const {
    const v128_t even = wasm_v128_and(pairs, splat8(3)), odd = wasm_u16x8_shr(wasm_v128_and(pairs, splat8(0x0c)), 2);
    put(dst, index, zip_low8(even, odd));
    put(dst, index + 1, zip_high8(even, odd));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const auto [low, high] = nibbles(load(src, 0));
    if constexpr (kBits == 4) {
      put(dst, 0, low);
      put(dst, 1, high);
    } else {
      put_pairs(dst, 0, low);
      put_pairs(dst, 2, high);
    }
  }
};

/// Packed codes of two bits to bytes: two of them look up both of theirs.
struct LookupPairs {
  static constexpr std::size_t kElements = 64, kIn = 16, kOut = 64;
  v128_t first, second;

  explicit LookupPairs(const StepContext& context) {
    std::uint8_t bytes[2][16];
    for (int pair = 0; pair < 16; ++pair) {
      bytes[0][pair] = context.table[pair & 3];
      bytes[1][pair] = context.table[pair >> 2];
    }
    first = load(bytes[0], 0);
    second = load(bytes[1], 0);
  }

  /// Sixteen pairs, one a byte.
  void put(std::uint8_t* dst, int index, v128_t pairs) const {
    const v128_t even = wasm_i8x16_swizzle(first, pairs), odd = wasm_i8x16_swizzle(second, pairs);
    store(dst, index, zip_low8(even, odd));
    store(dst, index + 1, zip_high8(even, odd));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const auto [low, high] = nibbles(load(src, 0));
    put(dst, 0, low);
    put(dst, 2, high);
  }
};

template <int kBits>
Step lookup_packed_of(Format to) {
  if (to == Format::kFloat32) return run<LookupPacked<kBits, 2, 4>>;
  switch (row_of(to).bits) {
    case 32: return run<LookupPacked<kBits, 4>>;
    case 16: return run<LookupPacked<kBits, 2>>;
    default: return kBits == 2 ? run<LookupPairs> : run<LookupPacked<4, 1>>;
  }
}

/// Packed codes of four bits to packed ones of four or two.
template <int kOutBits>
struct RepackNibbles {
  static constexpr std::size_t kElements = kOutBits == 4 ? 32 : 64, kIn = kElements / 2, kOut = 16;
  v128_t first, second;

  explicit RepackNibbles(const StepContext& context)
      : first(wasm_v128_and(load(context.table, 0), splat8((1u << kOutBits) - 1))), second(wasm_i16x8_shl(first, kOutBits)) {}

  /// Both codes of each byte.
  v128_t joined(v128_t x) const {
    return wasm_v128_or(wasm_i8x16_swizzle(first, wasm_v128_and(x, splat8(0x0f))), wasm_i8x16_swizzle(second, shr_bytes<4>(x)));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    if constexpr (kOutBits == 4) {
      store(dst, 0, joined(load(src, 0)));
    } else {
      store(dst, 0, wasm_u8x16_narrow_i16x8(Pack4::joined(joined(load(src, 0))), Pack4::joined(joined(load(src, 1)))));
    }
  }
};

/// Packed codes of two bits to packed ones of four: two of them look up a byte.
struct RepackPairs {
  static constexpr std::size_t kElements = 64, kIn = 16, kOut = 32;
  v128_t pairs;

  explicit RepackPairs(const StepContext& context) {
    std::uint8_t bytes[16];
    for (int pair = 0; pair < 16; ++pair) {
      bytes[pair] = static_cast<std::uint8_t>((context.table[pair & 3] & 15) | context.table[pair >> 2] << 4);
    }
    pairs = load(bytes, 0);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t x = load(src, 0);
    const v128_t even = wasm_i8x16_swizzle(pairs, wasm_v128_and(x, splat8(0x0f))), odd = wasm_i8x16_swizzle(pairs, shr_bytes<4>(x));
    store(dst, 0, zip_low8(even, odd));
    store(dst, 1, zip_high8(even, odd));
  }
};

template <bool kTwosComplement, bool kNegate, int kOutBits>
struct LookupRows {
  static constexpr std::size_t kElements = 64, kIn = 64, kOut = 8 * kOutBits;
  const RowTable& rows;
  const v128_t base, mirror;
  const int magnitudes, count;

  explicit LookupRows(const StepContext& context)
      : rows(*context.rows), base(rows.base), mirror(rows.flip), magnitudes(rows.magnitudes), count(rows.count) {}

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t codes[4], y[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      const v128_t x = load(src, i);
      codes[i] = kTwosComplement ? wasm_i8x16_abs(x) : wasm_v128_and(x, splat8(0x7f));
      y[i] = kNegate ? base : wasm_v128_xor(base, wasm_v128_and(negative(x), mirror));
    }
    int row = 0;
    for (; row < magnitudes; ++row) flip(row, codes, y);
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      codes[i] = load(src, i);
      if (kNegate) y[i] = wasm_i8x16_sub(wasm_v128_xor(y[i], negative(codes[i])), negative(codes[i]));
    }
    for (; row < count; ++row) flip(row, codes, y);
    if constexpr (kOutBits == 2) {
      store(dst, 0, Pack2::packed(y));
    } else if constexpr (kOutBits == 4) {
      store(dst, 0, Pack4::packed(y));
      store(dst, 1, Pack4::packed(y + 2));
    } else {
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(dst, i, y[i]);
    }
  }

  static v128_t negative(v128_t x) { return wasm_i8x16_gt(splat8(0), x); }

  /// Beyond 15, a swizzle gives 0.
  void flip(int row, const v128_t* codes, v128_t* y) const {
    const v128_t bits = rows.bits[row], first = rows.first[row];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) y[i] = wasm_v128_xor(y[i], wasm_i8x16_swizzle(bits, wasm_v128_xor(codes[i], first)));
  }
};

/// The byte that most of eight rows consist of.
v128_t commonest(const std::uint8_t* rows) {
  v128_t best = splat8(0);
  int most = -1;
  for (int i = 0; i < 8; ++i) {
    const v128_t candidate = splat8(rows[16 * i]);
    int alike = 0;
    for (int row = 0; row < 8; ++row) alike += wasm_i8x16_all_true(wasm_i8x16_eq(load(rows, row), candidate)) ? 1 : 0;
    if (alike > most) best = candidate;
    most = alike > most ? alike : most;
  }
  return best;
}

/// A table in memory: two loads an element.
template <int kBytes>
struct Lookup256 {
  static constexpr std::size_t kElements = 8, kIn = 8, kOut = 8 * kBytes;
  const std::uint8_t* table;

  explicit Lookup256(const StepContext& context) : table(context.table) {}

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (std::size_t i = 0; i < kElements; ++i) std::memcpy(dst + kBytes * i, table + kBytes * src[i], kBytes);
  }
};

struct NarrowTo16 : StatelessKernel {
  static constexpr std::size_t kElements = 8, kIn = 32, kOut = 16;
  using StatelessKernel::StatelessKernel;

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t mask = splat32(0xffff);
    store(dst, 0, wasm_u16x8_narrow_i32x4(wasm_v128_and(load(src, 0), mask), wasm_v128_and(load(src, 1), mask)));
  }
};

struct NarrowTo8 : StatelessKernel {
  static constexpr std::size_t kElements = 16, kIn = 64, kOut = 16;
  using StatelessKernel::StatelessKernel;

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    const v128_t mask = splat32(0xff);
    v128_t x[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) x[i] = wasm_v128_and(load(src, i), mask);
    store(dst, 0, wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(x[0], x[1]), wasm_i16x8_narrow_i32x4(x[2], x[3])));
  }
};

/// Whether each lane is nonzero; of a float, whether anything but the sign is.
template <int kBits, bool kFloat>
struct NonZero : StatelessKernel {
  static constexpr std::size_t kElements = 16, kIn = 2 * kBits, kOut = 16;
  using StatelessKernel::StatelessKernel;

  /// All-ones in the 32-bit lanes of zeros.
  static v128_t zeros32(const std::uint8_t* src, int index) {
    if constexpr (kBits == 32) {
      const v128_t x = load(src, index);
      return wasm_i32x4_eq(kFloat ? wasm_i32x4_shl(x, 1) : x, splat32(0));
    } else {
      const v128_t a = load(src, 2 * index), b = load(src, 2 * index + 1);
      const v128_t high = odd32(a, b);
      return wasm_i32x4_eq(wasm_v128_or(even32(a, b), kFloat ? wasm_i32x4_shl(high, 1) : high), splat32(0));
    }
  }

  static v128_t zeros16(const std::uint8_t* src, int index) {
    if constexpr (kBits == 16) return wasm_i16x8_eq(load(src, index), splat16(0));
    else return wasm_i16x8_narrow_i32x4(zeros32(src, 2 * index), zeros32(src, 2 * index + 1));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t zeros;
    if constexpr (kBits == 8) zeros = wasm_i8x16_eq(load(src, 0), splat8(0));
    else zeros = wasm_i8x16_narrow_i16x8(zeros16(src, 0), zeros16(src, 1));
    store(dst, 0, wasm_v128_andnot(splat8(1), zeros));
  }
};

}  // namespace

Step number_to_bool(Format from) {
  switch (from) {
    case Format::kFloat32: return run<NonZero<32, true>>;
    case Format::kFloat64: return run<NonZero<64, true>>;
    default:
      switch (row_of(from).bits) {
        case 8: return run<NonZero<8, false>>;
        case 16: return run<NonZero<16, false>>;
        case 32: return run<NonZero<32, false>>;
        default: return run<NonZero<64, false>>;
      }
  }
}

Step narrow_int32(int bits) { return bits == 16 ? run<NarrowTo16> : run<NarrowTo8>; }
Step pack(int bits) { return bits == 4 ? run<Pack4> : run<Pack2>; }
Step lookup_packed(int from_bits, Format to) { return from_bits == 4 ? lookup_packed_of<4>(to) : lookup_packed_of<2>(to); }

RowTable rows_of(const std::uint8_t* table, bool twos_complement, std::uint8_t mask) {
  RowTable rows;
  rows.twos_complement = twos_complement;
  const auto keep = [mask](RowTable& to, int row, v128_t difference) {
    const v128_t bits = wasm_v128_and(difference, splat8(mask));
    if (!wasm_v128_any_true(bits)) return;
    to.bits[to.count] = bits;
    to.first[to.count++] = splat8(static_cast<std::uint32_t>(16 * row));
  };
  rows.base = commonest(table);
  for (int row = 0; row < 8; ++row) keep(rows, row, wasm_v128_xor(load(table, row), rows.base));
  rows.magnitudes = rows.count;

  // What those rows give for the codes with the top bit set, and two ways to go on from there.
  const std::uint8_t* upper = table + 128;
  std::uint8_t mirrored[128], flips[128];
  for (int code = 0; code < 128; ++code) {
    const int magnitude = twos_complement ? 128 - code : code;
    mirrored[code] = magnitude < 128 ? table[magnitude] : wasm_u8x16_extract_lane(rows.base, 0);
    flips[code] = mirrored[code] ^ upper[code];
  }
  RowTable negated = rows;
  negated.negate = true;
  rows.flip = commonest(flips);
  for (int row = 0; row < 8; ++row) {
    keep(rows, 8 + row, wasm_v128_xor(load(flips, row), rows.flip));
    keep(negated, 8 + row, wasm_v128_xor(load(upper, row), wasm_i8x16_neg(load(mirrored, row))));
  }
  // Integers with a sign become floats here, and a float's sign is a bit.
  return !twos_complement && negated.count < rows.count ? negated : rows;
}

template <int kOutBits>
Step lookup_rows_of(const RowTable& rows) {
  if (rows.twos_complement) return run<LookupRows<true, false, kOutBits>>;
  return rows.negate ? run<LookupRows<false, true, kOutBits>> : run<LookupRows<false, false, kOutBits>>;
}

Step lookup_rows(const RowTable& rows, int bits) { return bits == 8 ? lookup_rows_of<8>(rows) : bits == 4 ? lookup_rows_of<4>(rows) : lookup_rows_of<2>(rows); }
Step lookup256(int bits) { return bits == 8 ? run<Lookup256<1>> : bits == 16 ? run<Lookup256<2>> : run<Lookup256<8>>; }

Step repack(int from_bits, int to_bits) {
  assert(from_bits == 4 || to_bits == 4);
  return from_bits == 2 ? run<RepackPairs> : to_bits == 4 ? run<RepackNibbles<4>> : run<RepackNibbles<2>>;
}

}  // namespace layout
