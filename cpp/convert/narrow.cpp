// Codes of 8 bits by look-up, low bits, and bool.

#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

template <bool kTwosComplement, bool kNegate>
struct LookupRows {
  static constexpr std::size_t kElements = 64, kIn = 64, kOut = 64;
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
      if (kNegate) y[i] = with_sign(y[i], codes[i]);
    }
    for (; row < count; ++row) flip(row, codes, y);
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(dst, i, y[i]);
  }

  /// Beyond 15, a swizzle gives 0.
  void flip(int row, const v128_t* codes, v128_t* y) const {
    const v128_t bits = rows.bits[row], first = rows.first[row];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) y[i] =
        wasm_v128_xor(y[i], wasm_i8x16_swizzle(bits, wasm_v128_xor(codes[i], first)));
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
    LAYOUT_UNROLL for (std::size_t i = 0; i < kElements; ++i)
        std::memcpy(dst + kBytes * i, table + kBytes * src[i], kBytes);
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
    if constexpr (kBits == 16)
      return wasm_i16x8_eq(load(src, index), splat16(0));
    else
      return wasm_i16x8_narrow_i32x4(zeros32(src, 2 * index), zeros32(src, 2 * index + 1));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t zeros;
    if constexpr (kBits == 8)
      zeros = wasm_i8x16_eq(load(src, 0), splat8(0));
    else
      zeros = wasm_i8x16_narrow_i16x8(zeros16(src, 0), zeros16(src, 1));
    store(dst, 0, wasm_v128_andnot(splat8(1), zeros));
  }
};

}  // namespace

Step number_to_bool(Format from) {
  switch (from) {
    case Format::kFloat32:
      return run<NonZero<32, true>>;
    case Format::kFloat64:
      return run<NonZero<64, true>>;
    default:
      switch (row_of(from).bits) {
        case 8:
          return run<NonZero<8, false>>;
        case 16:
          return run<NonZero<16, false>>;
        case 32:
          return run<NonZero<32, false>>;
        default:
          return run<NonZero<64, false>>;
      }
  }
}

Step narrow_int32(int bits) { return bits == 16 ? run<NarrowTo16> : run<NarrowTo8>; }
RowTable rows_of(const std::uint8_t* table, bool twos_complement) {
  RowTable rows;
  rows.twos_complement = twos_complement;
  const auto keep = [](RowTable& to, int row, v128_t difference) {
    if (!wasm_v128_any_true(difference)) return;
    to.bits[to.count] = difference;
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

Step lookup_rows(const RowTable& rows) {
  if (rows.twos_complement) return run<LookupRows<true, false>>;
  return rows.negate ? run<LookupRows<false, true>> : run<LookupRows<false, false>>;
}

Step lookup256(int bits) { return bits == 8 ? run<Lookup256<1>> : bits == 16 ? run<Lookup256<2>> : run<Lookup256<8>>; }

}  // namespace layout
