// Codes of 8 bits to packed ones, by tables of what few of their rows differ in.

#include "convert_packed.h"

#include <cassert>

namespace layout {
namespace {

template <int kOutBits>
struct LookupSelected {
  static constexpr std::size_t kElements = 64, kIn = 64, kOut = 8 * kOutBits;
  const SelectTable& table;
  const int count;

  explicit LookupSelected(const StepContext& context) : table(*context.selects), count(context.selects->count) { assert(kOutBits == 4 || count == 1); }

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
        y[i] = wasm_v128_xor(y[i], wasm_v128_and(wasm_i8x16_swizzle(results, lower[i]), wasm_i8x16_swizzle(places, upper[i])));
      }
    }
    // The halves of a byte come together in its lower one; what the byte above shifts in stays clear of that.
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) y[i] = wasm_v128_xor(y[i], wasm_u16x8_shr(y[i], 4));
    if constexpr (kOutBits == 2) {
      const v128_t last = table.last;
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) y[i] = wasm_i8x16_swizzle(last, wasm_v128_and(y[i], splat8(0x0f)));
      store(dst, 0, packed_pairs(y));
    } else {
      store(dst, 0, packed_nibbles(y));
      store(dst, 1, packed_nibbles(y + 2));
    }
  }
};

/// Rows of sixteen results, all different, of which each row of a table is the exclusive or of those that `terms` has bits for.
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

/// Places for results of two bits where a code with the top bit set has the negative one. All are in one byte: two rows, up to two more of which only
/// one bit ever is set, and the sign. False where a format has more. Measured beside a basis of both signs: float8e4m3fn to int2 1.5 times as fast.
bool select_with_sign(const std::uint8_t* table, SelectTable& selects) {
  for (int i = 0; i < 128; ++i) {
    if ((table[i] + table[128 + i]) % 4 != 0) return false;
  }
  std::uint8_t results[16], counts[16], last[16];
  std::memset(results, 1 << 3, 16);
  for (int i = 0; i < 16; ++i) counts[i] = i < 8 ? 0 : 1 << 3;
  int whole = 0, single = 0;
  std::uint8_t bit = 0;  // of the single ones
  for (int row = 0; row < 8; ++row) {
    const std::uint8_t* from = table + 16 * row;
    std::uint8_t all = 0;
    for (int i = 0; i < 16; ++i) all |= from[i] & 3;
    if (all == 0) continue;
    const bool is_single = all != 3 && (bit == 0 || all == bit) && single < 2;
    if (is_single) bit = all;
    else if (whole == 2) return false;
    const int up = is_single ? 4 * single++ + 2 : 4 * whole++;
    for (int i = 0; i < 16; ++i) results[i] |= static_cast<std::uint8_t>((is_single ? (from[i] & 3) != 0 : from[i] & 3) << up);
    const auto place = static_cast<std::uint8_t>((is_single ? 1 : 3) << up);
    counts[row] |= place;
    counts[row + 8] |= place;
  }
  for (int i = 0; i < 16; ++i) {
    const int magnitude = (i & 3) ^ (i & 4 ? bit : 0);
    last[i] = static_cast<std::uint8_t>((i & 8 ? -magnitude : magnitude) & 3);
  }
  selects.count = 1;
  selects.results[0] = load(results, 0);
  selects.places[0] = load(counts, 0);
  selects.last = load(last, 0);
  return true;
}

}  // namespace

SelectTable selects_of(const std::uint8_t* table, int bits) {
  SelectTable selects;
  if (bits == 2 && select_with_sign(table, selects)) return selects;
  // Where the sign is a bit of the result, the code 8 shows which.
  const Basis plain(table, 0), flipped(table, table[8] ^ table[128 + 8]);
  const Basis& basis = flipped.count < plain.count ? flipped : plain;
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
  std::uint8_t last[16];
  for (int i = 0; i < 16; ++i) last[i] = static_cast<std::uint8_t>((i & 3) ^ (i >> 2));
  selects.last = load(last, 0);
  return selects;
}

Step lookup_selected(int to_bits) { return to_bits == 4 ? run<LookupSelected<4>> : run<LookupSelected<2>>; }

}  // namespace layout
