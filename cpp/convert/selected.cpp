// Codes of 8 bits to packed ones, by tables of what few of their rows differ in.

#include "convert/packed.h"

#include <algorithm>
#include <cassert>

namespace layout {
namespace {

template <int kOutBits, bool kNegate>
struct LookupSelected {
  static constexpr std::size_t kElements = 64, kIn = 64, kOut = 8 * kOutBits;
  const SelectTable& table;
  const int count;

  explicit LookupSelected(const StepContext& context) : table(*context.selects), count(context.selects->count) {
    assert(kOutBits == 4 || count == 1);
  }

  void operator()(const std::uint8_t* src, std::uint8_t* dst) const {
    v128_t lower[4], upper[4], y[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      const v128_t x = load(src, i);
      lower[i] = wasm_v128_and(x, splat8(0x0f));
      upper[i] = shr_bytes<4>(x);
      y[i] = splat8(0);
    }
    for (int k = 0; k < (kOutBits == 2 ? 1 : count); ++k) {
      const v128_t results = table.results[k], places = table.places[k];
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
        y[i] = wasm_v128_xor(
            y[i], wasm_v128_and(wasm_i8x16_swizzle(results, lower[i]), wasm_i8x16_swizzle(places, upper[i])));
      }
    }
    // The places of a byte come together in its lowest bits; what the byte above shifts in stays clear of them.
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) {
      y[i] = wasm_v128_xor(y[i], wasm_u16x8_shr(y[i], 4));
      if (kOutBits == 2) y[i] = wasm_v128_xor(y[i], wasm_u16x8_shr(y[i], 2));
    }
    if constexpr (kNegate) {
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) y[i] = with_sign(y[i], load(src, i));
    }
    if constexpr (kOutBits == 2) {
      store(dst, 0, packed_pairs(y));
    } else {
      store(dst, 0, packed_nibbles(y));
      store(dst, 1, packed_nibbles(y + 2));
    }
  }
};

/// Rows of sixteen results, all different, of which each row of a table is the exclusive or of those that `terms` has
/// bits for.
struct Basis {
  std::uint8_t rows[17][16];
  std::uint32_t terms[16] = {};
  int count = 0;

  /// `flip` is what the upper eight rows have besides.
  Basis(const std::uint8_t* table, std::uint8_t flip) {
    for (int row = 0; row < 16; ++row) {
      std::uint8_t results[16];
      for (int i = 0; i < 16; ++i) results[i] = table[16 * row + i] ^ (row < 8 ? 0 : flip);
      add(row, results);
      for (std::uint8_t& result : results) result = row < 8 ? 0 : flip;
      add(row, results);
    }
  }

 private:
  void add(int row, const std::uint8_t* results) {
    constexpr std::uint8_t kZeros[16] = {};
    if (std::memcmp(results, kZeros, 16) == 0) return;
    int index = 0;
    while (index < count && std::memcmp(rows[index], results, 16) != 0) ++index;
    if (index == count) std::memcpy(rows[count++], results, 16);
    terms[row] ^= 1u << index;
  }
};

/// Whether each code with the top bit set has the negative result of the code without.
bool is_odd(const std::uint8_t* table, int bits) {
  int sums = 0;
  for (int i = 0; i < 128; ++i) sums |= table[i] + table[128 + i];
  return sums % (1 << bits) == 0;
}

}  // namespace

SelectTable selects_of(const std::uint8_t* table, int bits) {
  std::uint8_t magnitudes[256];
  std::memcpy(magnitudes, table, 128);
  std::memcpy(magnitudes + 128, table, 128);
  // Where the sign is a bit of the result, the code 8 shows which.
  const Basis plain(table, 0), flipped(table, table[8] ^ table[128 + 8]), unsigned_rows(magnitudes, 0);
  SelectTable selects;
  selects.negate = is_odd(table, bits) && unsigned_rows.count < std::min(plain.count, flipped.count);
  const Basis& basis = selects.negate ? unsigned_rows : flipped.count < plain.count ? flipped : plain;
  const int places = 8 / bits;
  selects.count = (basis.count + places - 1) / places;
  assert(selects.count <= SelectTable::kMost);
  for (int k = 0; k < selects.count; ++k) {
    std::uint8_t results[16] = {}, counts[16] = {};
    for (int place = 0; place < places && k * places + place < basis.count; ++place) {
      const int index = k * places + place, up = place * bits;
      for (int i = 0; i < 16; ++i) {
        results[i] |= static_cast<std::uint8_t>(basis.rows[index][i] << up);
        if (basis.terms[i] >> index & 1) counts[i] |= static_cast<std::uint8_t>(((1 << bits) - 1) << up);
      }
    }
    selects.results[k] = load(results, 0);
    selects.places[k] = load(counts, 0);
  }
  return selects;
}

Step lookup_selected(const SelectTable& selects, int to_bits) {
  if (selects.negate) return to_bits == 4 ? run<LookupSelected<4, true>> : run<LookupSelected<2, true>>;
  return to_bits == 4 ? run<LookupSelected<4, false>> : run<LookupSelected<2, false>>;
}

}  // namespace layout
