// resize/passes.h says what these functions do.

#include "resize/sums.h"

// A pass along the rows first turns rows into columns of 16 bytes, sums columns as the pass down the columns does, and
// turns the results back: twice as fast as sums along a row. Columns are of 16 rows of single bytes, or of four rows of
// pixels of four bytes, which turn in half the time. An entry of a table (Taps) names the pixels of the source that one
// pixel of the result is the sum of, its taps, and their weights.

namespace layout {
namespace {

/// A column has 16 bytes.
constexpr std::ptrdiff_t kColumnBytes = 16;
/// The most columns of results that the tile holds before they are turned back into rows.
constexpr int kResults = 1024;

/// The entries of a table from `taps` to `end`, as far as their pixels lie before pixel `limit` of the source: only
/// those have columns yet.
struct Span {
  const Taps* taps;
  const Taps* end;
  std::int32_t limit;
  bool is_done() const { return taps == end || taps->first + taps->count > limit; }
};

/// Sums columns of the source into columns of results, for each entry of `span`. A column is 16 bytes: the same unit of
/// each row of the group (see Transpose). A pixel has `channels` columns, side by side. `columns` begins with column
/// `origin` of the source, and `dst` gets the results from its start on. Returns the first entry that is not summed.
template <bool kIsPillow>
[[gnu::noinline]] const Taps* sum_columns(const std::uint8_t* columns, std::ptrdiff_t origin, std::ptrdiff_t channels,
                                          const TapTable& table, Span span, std::uint8_t* dst) {
  const std::ptrdiff_t stride = channels * kColumnBytes;  // from a pixel to the next one
  for (; !span.is_done(); ++span.taps) {
    const Weights weights(table, *span.taps);
    const std::uint8_t* src = columns + (span.taps->first * channels - origin) * kColumnBytes;
    // Pillow: tables that have a `doubt` go to sum_high_columns, and all others are split at kPlainShift.
    for (std::ptrdiff_t channel = 0; channel < channels; ++channel, src += kColumnBytes, dst += kColumnBytes)
      store(dst, kIsPillow ? sum_parts(src, stride, weights, kPlainShift)
                           : sum_pairs<1>(src, stride, weights).bytes(table.precision));
  }
  return span.taps;
}

/// Does sum_columns for entries of at most four taps: sums all neighbors that begin at the same pixel together, so that
/// this pixel is unpacked once. To sum_alike each pixel is a row of 16 * channels bytes. Stops at an entry of more
/// taps.
template <bool kIsPillow>
[[gnu::noinline]] const Taps* sum_few_columns(const std::uint8_t* columns, std::ptrdiff_t origin,
                                              std::ptrdiff_t channels, const TapTable& table, Span span,
                                              std::uint8_t* dst) {
  const std::ptrdiff_t stride = channels * kColumnBytes;  // from a pixel to the next one
  while (!span.is_done()) {
    int alike = few_alike(table, span.taps, span.end);
    if (alike == 0) break;
    // Entries that begin at the same pixel may still differ by one tap: leave those that end past the columns, which
    // the first one does not.
    while (span.taps[alike - 1].first + span.taps[alike - 1].count > span.limit) --alike;
    const std::uint8_t* src = columns + (span.taps->first * channels - origin) * kColumnBytes;
    sum_alike<kIsPillow>({src, stride}, table, static_cast<int>(span.taps - table.taps()), alike, {dst, stride},
                         static_cast<std::size_t>(stride));
    span.taps += alike;
    dst += alike * stride;
  }
  return span.taps;
}

/// Does sum_columns for Pillow: sums with the weights' high halves, then once more with both halves where the low ones
/// could change a byte. `span` has at most kResults columns.
[[gnu::noinline]] const Taps* sum_high_columns(const std::uint8_t* columns, std::ptrdiff_t origin,
                                               std::ptrdiff_t channels, const TapTable& table, Span span,
                                               std::uint8_t* dst) {
  const std::ptrdiff_t stride = channels * kColumnBytes;  // from a pixel to the next one
  struct Doubtful {
    const Taps* taps;
    const std::uint8_t* src;
    std::uint8_t* dst;
  } doubtful[kResults];
  std::size_t count = 0;
  for (; !span.is_done(); ++span.taps) {
    const Weights weights(table, *span.taps);
    const RefineCheck is_in_doubt(*span.taps);
    const std::uint8_t* src = columns + (span.taps->first * channels - origin) * kColumnBytes;
    for (std::ptrdiff_t channel = 0; channel < channels; ++channel, src += kColumnBytes, dst += kColumnBytes) {
      const Sum sum = sum_pairs<2>(src, stride, weights);
      store(dst, sum.bytes(is_in_doubt.precision));
      // Without a branch, which would be mispredicted: an entry that is not in doubt is overwritten by the next one.
      doubtful[count] = {span.taps, src, dst};
      count += is_in_doubt(sum);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [taps, src, to] = doubtful[i];
    store(to, sum_parts(src, stride, {table, *taps}, taps->shift));
  }
  return span.taps;
}

/// Turns a group of kRows rows into columns of 16 bytes, and back. A unit is a single byte, or a whole pixel of four
/// bytes, whose bytes stay together. A column has one unit of each row.
template <int kUnitBytes>
struct Transpose {
  static constexpr int kRows = kColumnBytes / kUnitBytes;
  /// A step on the way in takes kHigh rows of kWide units: 8 rows of 16 bytes, or 4 rows of 4 pixels.
  static constexpr int kHigh = kUnitBytes == 1 ? 8 : 4, kWide = kColumnBytes / kUnitBytes;

  /// Transposes kHigh vectors of 16 bytes, which lie `src_stride` bytes apart. On the way in, rows of kWide units
  /// become kWide columns, of which it writes kHigh units each. On the way out, columns of kRows units become kRows
  /// rows of kHigh units.
  static void step(const std::uint8_t* src, std::ptrdiff_t src_stride, std::uint8_t* dst, std::ptrdiff_t dst_stride) {
    v128_t v[kHigh];
    LAYOUT_UNROLL for (int i = 0; i < kHigh; ++i) v[i] = load(src + i * src_stride);
    interleave<8 * kUnitBytes>(v);
    LAYOUT_UNROLL for (int i = 0; i < kHigh; ++i) {
      if constexpr (kUnitBytes == 4) {
        store(dst + i * dst_stride, v[i]);
      } else {
        // A vector has two columns, or rows, of 8 bytes.
        store_part<8, 0>(dst + 2 * i * dst_stride, v[i]);
        store_part<8, 1>(dst + (2 * i + 1) * dst_stride, v[i]);
      }
    }
  }

  /// Turns `rows` rows, at most kRows, of `bytes` bytes into columns of 16 bytes. A step that lacks rows repeats the
  /// last one; a column's bytes of steps without any row are left as they are. `bytes` is rounded up to whole vectors,
  /// so up to 15 bytes past each row are read and become columns too.
  [[gnu::noinline]] static void in(Rows src, int rows, std::ptrdiff_t bytes, std::uint8_t* columns) {
    for (int top = 0; top < std::min(kRows, rows); top += kHigh) {
      std::uint8_t* to = columns + top * kUnitBytes;
      for (std::ptrdiff_t x = 0; x < bytes; x += 16, to += 16 * kWide) {
        if (top + kHigh <= rows) {
          step(src.data + top * src.stride + x, src.stride, to, 16);
        } else {
          std::uint8_t block[kHigh * 16];
          for (int i = 0; i < kHigh; ++i)
            store(block, i, load(src.data + std::min(top + i, rows - 1) * src.stride + x));
          step(block, 16, to, 16);
        }
      }
    }
  }

  /// Turns columns back into `rows` rows of `bytes` bytes. A step that would write beyond them writes to a block first.
  [[gnu::noinline]] static void out(const std::uint8_t* columns, std::ptrdiff_t bytes, std::uint8_t* dst,
                                    std::ptrdiff_t stride, int rows) {
    constexpr std::ptrdiff_t kBytes = kHigh * kUnitBytes;
    for (std::ptrdiff_t x = 0; x < bytes; x += kBytes, columns += 16 * kHigh) {
      if (rows == kRows && x + kBytes <= bytes) {
        step(columns, 16, dst + x, stride);
      } else {
        std::uint8_t block[kRows * kBytes];
        step(columns, 16, block, kBytes);
        for (int i = 0; i < rows; ++i)
          std::memcpy(dst + i * stride + x, block + kBytes * i, static_cast<std::size_t>(std::min(kBytes, bytes - x)));
      }
    }
  }
};

/// Does resize_across for one group of at most Transpose::kRows rows. In turns, fills the tile with columns of the
/// source, sums all pixels of the result that these reach, and turns the sums into rows. The tile has kResults columns
/// of results, and columns of the source after them.
template <bool kIsPillow, int kUnitBytes>
class GroupAcross {
 public:
  explicit GroupAcross(const AcrossPass& pass) : pass_(pass) {}

  /// Makes the rows of the result.
  void run() {
    const TapTable& table = pass_.table;
    const Taps* taps = table.taps();
    for (int i = 0; i < table.count;) {
      const bool needs_columns = (taps[i].first + taps[i].count - pass_.base) * channels_ > end_;
      if (needs_columns) fill_tile(taps[i]);
      // Sum as many pixels as the columns in the tile allow.
      const Span span = {.taps = taps + i,
                         .end = taps + std::min<std::ptrdiff_t>(table.count, i + max_pixels_),
                         .limit = static_cast<std::int32_t>(pass_.base + end_ / channels_)};
      const std::ptrdiff_t origin = pass_.base * channels_ + begin_;
      const auto sum = choose_sum(taps + i);
      const Taps* next = sum(columns_, origin, channels_, table, span, results_ + pending_ * kColumnBytes);
      const auto done = static_cast<int>(next - (taps + i));
      pending_ += done * channels_;
      i += done;
      write_rows(i == table.count);
    }
  }

 private:
  using UnitTranspose = Transpose<kUnitBytes>;
  using SumColumns = decltype(sum_columns<kIsPillow>);

  /// Whether at least three results share their pixels, on average: for fewer, a call takes longer than unpacking
  /// again.
  static bool shares_pixels(const TapTable& table) {
    const Taps *first = table.taps(), *last = first + table.count - 1;
    return table.count >= 3 * (last->first - first->first + 1);
  }

  /// The function that sums the entries from `taps` on the fastest.
  SumColumns* choose_sum(const Taps* taps) const {
    if (shares_pixels_ && few_alike(pass_.table, taps, taps + 1) > 0) return sum_few_columns<kIsPillow>;
    return kIsPillow && taps->doubt >= 0 ? sum_high_columns : sum_columns<kIsPillow>;
  }

  /// Keeps the columns of the source that entry `next` shares with the one before it, and fills up the tile.
  void fill_tile(const Taps& next) {
    const std::ptrdiff_t first = (next.first - pass_.base) * channels_;
    const std::ptrdiff_t shared = std::max<std::ptrdiff_t>(end_ - first, 0);
    std::memmove(columns_, columns_ + (first - begin_) * kColumnBytes, static_cast<std::size_t>(shared * kColumnBytes));
    begin_ = first;
    end_ = first + shared;
    const std::ptrdiff_t fresh = std::min(pass_.extent * channels_ - end_, (capacity_ - shared) / 16 * 16);
    UnitTranspose::in({pass_.src.data + end_ * kUnitBytes, pass_.src.stride}, pass_.rows, fresh * kUnitBytes,
                      columns_ + shared * kColumnBytes);
    end_ += fresh;
  }

  /// Turns columns of results into rows: all of them, or whole groups of 8, a step of bytes. The others wait.
  void write_rows(bool is_last) {
    const std::ptrdiff_t ready = is_last ? pending_ : pending_ / 8 * 8;
    UnitTranspose::out(results_, ready * kUnitBytes, dst_, pass_.dst.stride, pass_.rows);
    dst_ += ready * kUnitBytes;
    pending_ -= ready;
    std::memmove(results_, results_ + ready * kColumnBytes, static_cast<std::size_t>(pending_ * kColumnBytes));
  }

  const AcrossPass& pass_;
  const std::ptrdiff_t channels_ = pass_.channels / kUnitBytes;  // columns of a pixel
  const bool shares_pixels_ = shares_pixels(pass_.table);
  std::uint8_t* const results_ = pass_.tile;
  std::uint8_t* const columns_ = pass_.tile + kResults * kColumnBytes;
  // How many columns of the source fit: whole steps of 16, and 16 spare ones, since an odd tap reads the next pixel.
  const std::ptrdiff_t capacity_ =
      (static_cast<std::ptrdiff_t>(pass_.tile_bytes) / kColumnBytes - kResults) / 16 * 16 - 16;
  // The most pixels to sum at once: up to 8 columns of results wait from the turn before.
  const std::ptrdiff_t max_pixels_ = kResults / channels_ - 8;
  // The tile has columns [begin_, end_) of the source, counted from the first pixel of pass_.src on.
  std::ptrdiff_t begin_ = 0, end_ = 0;
  std::ptrdiff_t pending_ = 0;  // columns of results that are not in rows yet
  std::uint8_t* dst_ = pass_.dst.data;
};

/// Makes the rows of one group.
template <bool kIsPillow, int kUnitBytes>
void sum_across(const AcrossPass& pass) {
  GroupAcross<kIsPillow, kUnitBytes>(pass).run();
}

/// Makes a row of the nearest filter: copies the pixel of kBytes bytes that each of `count` entries names. `src` begins
/// with pixel `base` of the source. An entry without a pixel, which lies past the source, gives 0.
template <std::size_t kBytes>
void pick_pixels(const Taps* taps, int count, int base, const std::uint8_t* src, std::uint8_t* dst) {
  for (int i = 0; i < count; ++i, dst += kBytes) {
    if (taps[i].count == 0)
      std::memset(dst, 0, kBytes);
    else
      std::memcpy(dst, src + static_cast<std::size_t>(taps[i].first - base) * kBytes, kBytes);
  }
}

}  // namespace

std::size_t across_tile_bytes(int taps, int channels) {
  // In columns of 16 bytes: the results; the source's, at least those of one entry; and 64 more, since GroupAcross
  // rounds down to whole steps and keeps spare columns for an odd tap's neighbor.
  const int columns = kResults + std::max(taps * channels, kResults) + 64;
  return kColumnBytes * static_cast<std::size_t>(columns);
}

/// Makes rows of the result: picks pixels, sums float32 numbers, or sums bytes a group of rows at a time.
void resize_across(const AcrossPass& pass) {
  const auto& [table, src, base, extent, channels, rows, dst, tile, tile_bytes] = pass;
  const Taps* taps = table.taps();
  // Without sums of bytes there is nothing to transpose: go row by row.
  if (table.is_nearest || table.sums == Sums::kDouble) {
    const auto pick_row = channels == 1   ? pick_pixels<1>
                          : channels == 2 ? pick_pixels<2>
                          : channels == 3 ? pick_pixels<3>
                                          : pick_pixels<4>;
    for (int row = 0; row < rows; ++row) {
      const std::uint8_t* from = src.data + row * src.stride;
      std::uint8_t* to = dst.data + row * dst.stride;
      if (table.is_nearest) {
        pick_row(taps, table.count, base, from, to);
        continue;
      }
      for (int i = 0; i < table.count; ++i)
        sum_floats(from + 4 * (taps[i].first - base), 4, taps[i], table.weights(), to + 4 * i);
    }
    return;
  }
  const bool is_pillow = table.sums == Sums::kPillow;
  const auto sum_group = channels == 4 ? (is_pillow ? sum_across<true, 4> : sum_across<false, 4>)
                                       : (is_pillow ? sum_across<true, 1> : sum_across<false, 1>);
  const int group = channels == 4 ? Transpose<4>::kRows : Transpose<1>::kRows;
  for (int row = 0; row < rows; row += group) {
    AcrossPass group_pass = pass;
    group_pass.src.data += row * src.stride;
    group_pass.dst.data += row * dst.stride;
    group_pass.rows = std::min(rows - row, group);
    sum_group(group_pass);
  }
}

}  // namespace layout
