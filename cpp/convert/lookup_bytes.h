#pragma once

#include <cstdint>

#include "bits/vectors.h"
#include "convert/steps.h"

// Look-ups of 8-bit codes in a table of what the 256 codes become, by one of two steps.

namespace layout {

/// A table of 256 results of 8, 6, 4 or 2 bits for look-up in registers. Row h of the table has the results of the 16
/// codes whose high half is h. Saturation, truncation and symmetry leave few different rows, and each row is the
/// exclusive or of a few of these; a byte holds 8 / bits results side by side, in `places`, each for another row.
///   result of code hl = xor over k of (results[k][l] & places[k][h]), then xor of the byte's places
struct ByteLookup {
  /// Each vector takes 0.04 ns an element, a look-up in memory 0.33 in all (measured).
  static constexpr int kMaxVectors = 8;
  v128_t results[kMaxVectors];
  v128_t places[kMaxVectors];
  int count = 0;        // of vectors; more than kMaxVectors: not worth it, and the vectors are not set
  bool negate = false;  // codes with the top bit set take the negative result
};

/// Makes the ByteLookup of a table of 256 results of `bits` bits, in the low bits of a byte each, the high bits zero.
ByteLookup lookup_of(const std::uint8_t* table, int bits);

// Measured on 2^19 elements in a second-level cache, in times of the other steps' speed, what each of the two gains:
// - lookup_rows over lookup_memory: to 4 and 2 bits 2.4 to 4.4; to 8 bits 1.2 to 3.5, within kMaxVectors. Without it,
//   casts of float8 to 4 and 2 bits fall below a tenth of memcpy's speed.
// - lookup_memory over arithmetic: float8 to int64 2.6 to 5.6, to int16 1.3 to 1.8, to float16 1.1 to 1.2. Without it,
//   casts of float8e8m0 to int64 fall below a tenth of memcpy's speed.
Step lookup_rows(const ByteLookup& rows, int to_bits);  // to 8 and 6 bits, not packed; to 4 and 2, packed
Step lookup_memory(int to_bits);                        // to 8, 16 or 64 bits

}  // namespace layout
