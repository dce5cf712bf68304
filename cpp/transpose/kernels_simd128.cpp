// transpose/kernels.h says what these functions do.

#include <algorithm>
#include <type_traits>

#include "transpose/kernels.h"
#include "transpose/tiles.h"

// A strip is a few rows of the source, in all their columns. It is transposed in tiles of that many rows (tiles.h).
// Where tiles do not divide the columns, or strips the rows, the last one begins in elements that are done already.

namespace layout {
namespace {

/// Transposes a strip of kRows rows and at least 2, but fewer than 2 * kColumns columns: by the widest tile that fits,
/// of kColumns or half as many and so on, and by the same tile once more, which ends with the last column.
template <int kBits, int kRows, int kColumns>
void narrow_strip(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  if constexpr (kColumns > 2) {
    if (columns < kColumns) return narrow_strip<kBits, kRows, kColumns / 2>(columns, src, src_rows, dst, dst_rows);
  }
  tile<kBits, kRows, kColumns>(AnyRows(src, src_rows), AnyRows(dst, dst_rows));
  const int at = columns - kColumns;
  if (at > 0) tile<kBits, kRows, kColumns>(AnyRows(src + at * (kBits / 8), src_rows), AnyRows(dst, dst_rows + at));
}

/// Transposes a strip, kRows rows of at least two columns, in tiles. `Rows` walks the rows on both sides (tiles.h).
template <int kBits, int kRows, template <typename> typename Rows = AnyRows>
void strip(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kBytes = kBits / 8;
  // Sixteen rows of sixteen bytes would not fit the registers.
  constexpr int kColumns = kRows == 16 ? 8 : kLanes<kBits>;
  // Too narrow for a tile: narrow_strip has tiles of half the columns and fewer. Sixteen rows are two halves of
  // eight, whose code strips of eight rows have too. Columns are two or more, so vectors of two lanes never come here;
  // max(2, ..) is for the compiler alone, because a tile has two columns at least.
  if (columns < kColumns) {
    constexpr int kHalf = std::min(kRows, 8);
    for (int r = 0; r < kRows; r += kHalf) {
      narrow_strip<kBits, kHalf, std::max(2, kColumns / 2)>(columns, src, src_rows + r, dst + r * kBytes, dst_rows);
    }
    return;
  }
  const int done = tiles<kBits, kRows, kColumns>(columns, Rows(src, src_rows), Rows(dst, dst_rows));
  if (done == columns) return;
  const int at = columns - kColumns;  // the last tile ends with the last column
  tile<kBits, kRows, kColumns>(Rows(src + at * kBytes, src_rows), Rows(dst, dst_rows + at));
}

/// Transposes a strip of eight rows of elements of 32 or 64 bits, with as many columns as a vector has lanes or more.
/// Each row of the destination gets eight elements at a time, half a cache line or a whole one: a strip of as many rows
/// as lanes would write 16 bytes.
template <int kBits, template <typename> typename Rows>
void tall_strip(int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kColumns = kLanes<kBits>;
  Bytes from[8];
  LAYOUT_UNROLL for (int r = 0; r < 8; ++r) from[r] = src + src_rows[r];
  // Transposes eight rows at the columns from `c` on; `row` walks the destination's rows from there.
  const auto tall_tile = [&](int c, Rows<std::uint8_t>& row) __attribute__((always_inline)) {
    std::uint8_t* to[kColumns];
    LAYOUT_UNROLL for (int i = 0; i < kColumns; ++i, row += 1) to[i] = *row;
    LAYOUT_UNROLL for (int r = 0; r < 8; r += kColumns) {
      v128_t v[kColumns];
      LAYOUT_UNROLL for (int i = 0; i < kColumns; ++i) v[i] = load(from[r + i] + c * (kBits / 8));
      interleave<kBits, kColumns>(v);
      LAYOUT_UNROLL for (int i = 0; i < kColumns; ++i) store(to[i] + r * (kBits / 8), v[i]);
    }
  };
  Rows<std::uint8_t> row(dst, dst_rows);
  int c = 0;
  for (; c + kColumns <= columns; c += kColumns) tall_tile(c, row);
  if (c == columns) return;
  // The last tile ends with the last column.
  row += columns - kColumns - c;
  tall_tile(columns - kColumns, row);
}

/// Transposes the rows from `done` on, fewer than kRows, which is a power of two: by the lowest strip of kRows, kRows /
/// 2 and so on that holds them and ends with the last row. Where there are fewer rows in all than that strip has, two
/// strips of half its height do it. `strip_at(height, at)` transposes `height` rows from row `at` on.
template <int kRows, typename StripAt>
void last_rows(int rows, int done, const StripAt& strip_at) {
  if constexpr (kRows > 2) {
    constexpr std::integral_constant<int, kRows / 2> kHalf;
    const bool fits_half = rows - done <= kHalf;
    if (fits_half) return last_rows<kHalf>(rows, done, strip_at);
    if (rows < kRows) {
      strip_at(kHalf, 0);
      return strip_at(kHalf, rows - kHalf);
    }
  }
  strip_at(std::integral_constant<int, kRows>(), rows - kRows);
}

/// Whether the rows crowd each other out of a first-level cache: their distance, that of the first two rows, is a
/// multiple of 2048 bytes. Addresses 4096 bytes apart share a set, so one column of all rows lies in two of the 64
/// sets.
bool is_crowded(Offsets src_rows) { return (src_rows[1] - src_rows[0]) % 2048 == 0; }

/// Transposes as many rows as fill whole strips. Returns their number; the caller transposes the other rows.
template <int kBits, template <typename> typename Rows>
int whole_strips(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  constexpr int kBytes = kBits / 8;
  int r = 0;
  // Eight rows at a time write longer runs, but crowded rows would evict each other.
  const bool fits_tall = kBits >= 32 && columns >= kLanes<kBits>;
  if (fits_tall && !is_crowded(src_rows)) {
    for (; r + 8 <= rows; r += 8) tall_strip<kBits, Rows>(columns, src, src_rows + r, dst + r * kBytes, dst_rows);
  }
  if constexpr (kBits == 8) {
    // Eight rows of sixteen bytes instead of sixteen of eight: 1.7x on crowded rows, 0.85x on others.
    if (is_crowded(src_rows)) {
      for (; r + 8 <= rows; r += 8) strip<kBits, 8, Rows>(columns, src, src_rows + r, dst + r * kBytes, dst_rows);
    }
  }
  for (; r + kLanes<kBits> <= rows; r += kLanes<kBits>) {
    strip<kBits, kLanes<kBits>, Rows>(columns, src, src_rows + r, dst + r * kBytes, dst_rows);
  }
  return r;
}

/// Transposes elements of 8 to 64 bits: whole strips of rows, then the last rows. A single row or column goes to the
/// scalar kernel, because tiles have at least two of both.
template <int kBits, Kernel* kScalar>
void transpose(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  if (rows == 1 || columns == 1) return kScalar(rows, columns, src, src_rows, dst, dst_rows);
  // Rows at one stride on both sides are walked without their tables of offsets.
  const bool is_regular = is_even(rows, src_rows) && is_even(columns, dst_rows);
  const auto whole = is_regular ? whole_strips<kBits, EvenRows> : whole_strips<kBits, AnyRows>;
  const int done = whole(rows, columns, src, src_rows, dst, dst_rows);
  if (done == rows) return;
  last_rows<kLanes<kBits>>(
      rows, done, [&](auto height, int at) __attribute__((noinline)) {
        strip<kBits, height>(columns, src, src_rows + at, dst + at * (kBits / 8), dst_rows);
      });
}

}  // namespace

/// An element fills a vector, so nothing is shuffled. Four rows at a time write a whole cache line of each destination
/// row.
void transpose_x128_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, Offsets dst_rows) {
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    Bytes from[] = {src + src_rows[r], src + src_rows[r + 1], src + src_rows[r + 2], src + src_rows[r + 3]};
    for (int c = 0; c < columns; ++c) {
      std::uint8_t* to = dst + dst_rows[c] + r * 16;
      LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(to, i, load(from[i], c));
    }
  }
  for (; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) store(dst + dst_rows[c], r, load(src + src_rows[r], c));
  }
}

#define DEFINE(bits)                                                                                      \
  void transpose_x##bits##_simd128(int rows, int columns, Bytes src, Offsets src_rows, std::uint8_t* dst, \
                                   Offsets dst_rows) {                                                    \
    transpose<bits, transpose_x##bits##_scalar>(rows, columns, src, src_rows, dst, dst_rows);             \
  }
DEFINE(8)
DEFINE(16)
DEFINE(32)
DEFINE(64)
#undef DEFINE

}  // namespace layout
