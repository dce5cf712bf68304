// convert/lookup_bytes.h says what these functions do.

#include "convert/lookup_bytes.h"

#include <algorithm>
#include <cassert>

#include "bits/packed.h"

namespace layout {
namespace {

/// Looks 8-bit codes up in the context's ByteLookup, 64 at a time. Its formula stands at ByteLookup: a code is its
/// upper half h and its lower half l. With kOutBits 4 or 2, packs the results; results of 6 bits have a byte each, as
/// of 8.
template <int kOutBits, bool kNegate>
struct LookupRows {
  static constexpr std::size_t kElements = 64, kIn = 64, kOut = 8 * kOutBits;
  const ByteLookup& lookup;
  const int count;

  /// Of 2 bits, a byte has places for four rows of the basis; no format gives a table with more.
  explicit LookupRows(const StepContext& context) : lookup(*context.rows), count(context.rows->count) {
    assert(count <= ByteLookup::kMaxVectors && (kOutBits > 2 || count == 1));
  }

  /// Returns bytes `x`, negated where `codes` have the top bit set.
  static v128_t with_sign(v128_t x, v128_t codes) {
    return wasm_i8x16_sub(wasm_v128_xor(x, negative(codes)), negative(codes));
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t lower[4], upper[4], y[4];  // l, h and results of 64 codes
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      const v128_t x = load(src, i);
      lower[i] = wasm_v128_and(x, splat8(0x0f));
      upper[i] = shr_bytes<4>(x);
      y[i] = splat8(0);
    }
    for (int k = 0; k < (kOutBits == 2 ? 1 : count); ++k) {
      const v128_t results = lookup.results[k], places = lookup.places[k];
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
        y[i] = wasm_v128_xor(
            y[i], wasm_v128_and(wasm_i8x16_swizzle(results, lower[i]), wasm_i8x16_swizzle(places, upper[i])));
      }
    }
    // The exclusive or of a byte's places, in its lowest bits. A shift of 16-bit lanes also moves bits of one byte into
    // the high bits of its neighbor, which packing ignores.
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      if constexpr (kOutBits < 8) y[i] = wasm_v128_xor(y[i], wasm_u16x8_shr(y[i], 4));
      if constexpr (kOutBits == 2) y[i] = wasm_v128_xor(y[i], wasm_u16x8_shr(y[i], 2));
      if constexpr (kNegate) y[i] = with_sign(y[i], load(src, i));
    }
    if constexpr (kOutBits == 8) {
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(dst, i, y[i]);
    } else if constexpr (kOutBits == 4) {
      store(dst, 0, pack_nibbles(y[0], y[1]));
      store(dst, 1, pack_nibbles(y[2], y[3]));
    } else {
      store(dst, 0, pack_pairs(y[0], y[1], y[2], y[3]));
    }
  }
};

/// Looks 8-bit codes up in the context's table of 256 results of kBytes bytes: two loads an element.
template <int kBytes>
struct LookupMemory {
  static constexpr std::size_t kElements = 8, kIn = 8, kOut = 8 * kBytes;
  const std::uint8_t* table;

  explicit LookupMemory(const StepContext& context) : table(context.table) {}

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    LAYOUT_UNROLL for (std::size_t i = 0; i < kElements; ++i)
        std::memcpy(dst + kBytes * i, table + kBytes * src[i], kBytes);
  }
};

/// A few rows of sixteen results, such that each row of a table is the exclusive or of some of them. Row h of the table
/// has the results of the 16 codes whose upper half is h.
struct Basis {
  std::uint8_t rows[17][16];     // at most those of the table, and one of `flip`
  std::uint32_t terms[16] = {};  // for each row of the table: a bit for each row of the basis
  int count = 0;

  /// Collects the different rows of a table of 256 results. Where the upper eight rows are the lower eight with the
  /// bits `flip` (such as a sign bit) flipped, flipping them back leaves fewer different rows: each upper row is the
  /// exclusive or of its flipped form, which a lower row has too, and of a row of 16 times `flip`. 0 flips nothing.
  Basis(const std::uint8_t* table, std::uint8_t flip) {
    for (int row = 0; row < 16; ++row) {
      const std::uint8_t flipped_bits = row < 8 ? 0 : flip;
      std::uint8_t results[16], flips[16];
      for (int i = 0; i < 16; ++i) {
        results[i] = table[16 * row + i] ^ flipped_bits;
        flips[i] = flipped_bits;
      }
      add(row, results);
      add(row, flips);
    }
  }

 private:
  /// Adds `results` to the terms of row `row` of the table, and to the basis unless it is there. Zeros change nothing.
  void add(int row, const std::uint8_t* results) {
    constexpr std::uint8_t kZeros[16] = {};
    if (std::memcmp(results, kZeros, 16) == 0) return;
    int index = 0;
    while (index < count && std::memcmp(rows[index], results, 16) != 0) ++index;
    if (index == count) std::memcpy(rows[count++], results, 16);
    terms[row] ^= 1u << index;
  }
};

/// Whether each code with the top bit set has the negative result, modulo 2^bits, of the code without.
bool is_odd(const std::uint8_t* table, int bits) {
  for (int i = 0; i < 128; ++i) {
    if ((table[i] + table[128 + i]) % (1 << bits) != 0) return false;
  }
  return true;
}

}  // namespace

/// Splits a table of 256 results into a few rows that registers hold: chooses a basis of rows, then lays as many of its
/// rows side by side in each vector as a byte has places.
ByteLookup lookup_of(const std::uint8_t* table, int bits) {
  std::uint8_t magnitudes[256];
  std::memcpy(magnitudes, table, 128);
  std::memcpy(magnitudes + 128, table, 128);
  // Where the sign is a bit of the result, code 8 and its negative show which.
  const std::uint8_t sign_bit = table[8] ^ table[128 + 8];
  // Three tables to choose from, by which has the fewest rows: as it is; with the upper half flipped; the lower half
  // alone, whose results are negated.
  const Basis plain(table, 0), flipped(table, sign_bit), unsigned_rows(magnitudes, 0);
  ByteLookup lookup;
  lookup.negate = is_odd(table, bits) && unsigned_rows.count < std::min(plain.count, flipped.count);
  const Basis& signed_rows = flipped.count < plain.count ? flipped : plain;
  const Basis& basis = lookup.negate ? unsigned_rows : signed_rows;
  const int places = 8 / bits, all_ones = (1 << bits) - 1;
  lookup.count = (basis.count + places - 1) / places;
  if (lookup.count > ByteLookup::kMaxVectors) return lookup;
  for (int k = 0; k < lookup.count; ++k) {
    const int begin = k * places, end = std::min(begin + places, basis.count);
    // The results of these rows side by side; and, for each row of the table, ones at the places of its terms.
    std::uint8_t results[16] = {}, masks[16] = {};
    for (int row = begin; row < end; ++row) {
      const int shift = (row - begin) * bits;  // to the place of this row of the basis
      for (int i = 0; i < 16; ++i) {
        results[i] |= static_cast<std::uint8_t>(basis.rows[row][i] << shift);
        const bool is_term = (basis.terms[i] >> row & 1) != 0;
        if (is_term) masks[i] |= static_cast<std::uint8_t>(all_ones << shift);
      }
    }
    lookup.results[k] = load(results);
    lookup.places[k] = load(masks);
  }
  return lookup;
}

Step lookup_rows(const ByteLookup& rows, int to_bits) {
  const auto step = [&](auto bits) -> Step {
    return rows.negate ? run<LookupRows<bits, true>> : run<LookupRows<bits, false>>;
  };
  if (to_bits == 2) return step(std::integral_constant<int, 2>());
  return to_bits == 4 ? step(std::integral_constant<int, 4>()) : step(std::integral_constant<int, 8>());
}

Step lookup_memory(int to_bits) {
  return to_bits == 8 ? run<LookupMemory<1>> : to_bits == 16 ? run<LookupMemory<2>> : run<LookupMemory<8>>;
}

}  // namespace layout
