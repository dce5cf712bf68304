#include "resize/passes.h"

#include <algorithm>
#include <cstring>

#include "bits/interleave.h"

// A pass down the columns takes 16 bytes that lie side by side from each of some rows, and sums them. A pass along the
// rows first turns rows into columns of 16 bytes, sums columns in the same way, and turns the results back: twice as
// fast as sums along a row. Columns are of 16 rows of single bytes, or of four rows of pixels of four bytes, which turn
// in half the time.

namespace layout {
namespace {

/// Columns of results that wait to be turned back.
constexpr int kResults = 1024;

/// The bytes of two taps, side by side in lanes of 16 bits: one dot product takes both weights.
struct Pairs {
  v128_t lanes[4];
  Pairs() = default;
  Pairs(const std::uint8_t* src, std::ptrdiff_t stride) {
    const v128_t a = load(src), b = load(src + stride);
    const v128_t front = zip_low<8>(a, b), back = zip_high<8>(a, b);
    lanes[0] = wasm_u16x8_extend_low_u8x16(front);
    lanes[1] = wasm_u16x8_extend_high_u8x16(front);
    lanes[2] = wasm_u16x8_extend_low_u8x16(back);
    lanes[3] = wasm_u16x8_extend_high_u8x16(back);
  }
};

/// LLVM moves the splat of a variable shift out of the loop, and then shifts lane by lane: 1.2 to 2 times as long.
inline void stay([[maybe_unused]] std::uint32_t& shift) {
#ifdef __EMSCRIPTEN__
  if (!__builtin_constant_p(shift)) __asm__ volatile("" : "+r"(shift));
#endif
}

/// Sums of 16 bytes.
struct Sum {
  v128_t lanes[4];
  explicit Sum(v128_t start) : lanes{start, start, start, start} {}
  void add(const Pairs& pairs, v128_t weights) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] =
        wasm_i32x4_add(lanes[i], wasm_i32x4_dot_i16x8(pairs.lanes[i], weights));
  }
  /// Makes sums of whole weights of those of their high bits.
  void shift_left(std::uint32_t bits) {
    stay(bits);
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] = wasm_i32x4_shl(lanes[i], bits);
  }
  void add(const Sum& other) {
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) lanes[i] = wasm_i32x4_add(lanes[i], other.lanes[i]);
  }
  /// The sums in whole numbers, from 0 to 255.
  v128_t bytes(std::uint32_t precision) const {
    stay(precision);
    v128_t whole[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) whole[i] = wasm_i32x4_shr(lanes[i], precision);
    return wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(whole[0], whole[1]),
                                   wasm_i16x8_narrow_i32x4(whole[2], whole[3]));
  }
};

/// The weights of one pixel's taps, how many pairs of taps there are, and what their sum begins with.
struct Weights {
  const std::int32_t* words;
  int pairs;
  const std::int32_t* half;
  Weights(const TapTable& table, const Taps& taps)
      : words(reinterpret_cast<const std::int32_t*>(table.weights()) + taps.weights),
        pairs((taps.count + 1) / 2),
        half(&taps.half) {}
};

/// Sums 16 bytes of each tap by one word of every kWords of the weights.
template <int kWords>
inline Sum sum_pairs(const std::uint8_t* src, std::ptrdiff_t stride, Weights weights) {
  Sum sum(wasm_v128_load32_splat(weights.half));
  const auto step = [&] {
    sum.add({src, stride}, wasm_v128_load32_splat(weights.words));
    weights.words += kWords;
    src += 2 * stride;
  };
  int pairs = weights.pairs;
  // Two steps a round take 0.95 of the time.
  for (; pairs > 1; pairs -= 2) {
    step();
    step();
  }
  for (; pairs > 0; --pairs) step();
  return sum;
}

/// Sums 16 bytes of each tap by both parts of Pillow's weights.
inline v128_t sum_parts(const std::uint8_t* src, std::ptrdiff_t stride, Weights weights, int shift) {
  Sum low(splat32(1u << kPillowPrecision >> 1)), high(splat32(0));
  for (; weights.pairs > 0; --weights.pairs, src += 2 * stride) {
    const Pairs bytes(src, stride);
    high.add(bytes, wasm_v128_load32_splat(weights.words++));
    low.add(bytes, wasm_v128_load32_splat(weights.words++));
  }
  high.shift_left(static_cast<std::uint32_t>(shift));
  low.add(high);
  return low.bytes(kPillowPrecision);
}

/// Whether the low parts of Pillow's weights may make a difference to a sum of the high ones.
struct RefineCheck {
  std::uint32_t precision;
  v128_t fraction, most;
  explicit RefineCheck(const Taps& taps)
      : precision(static_cast<std::uint32_t>(kPillowPrecision - taps.shift)),
        fraction(splat32((1u << precision) - 1)),
        most(splat32((1u << precision) - 1 - static_cast<std::uint32_t>(taps.doubt))) {}
  bool operator()(const Sum& sum) const {
    v128_t fractions[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) fractions[i] = wasm_v128_and(sum.lanes[i], fraction);
    const v128_t largest =
        wasm_i32x4_max(wasm_i32x4_max(fractions[0], fractions[1]), wasm_i32x4_max(fractions[2], fractions[3]));
    return wasm_v128_any_true(wasm_i32x4_gt(largest, most));
  }
};

/// Bits behind the point of torch's sums of few taps. Their bytes are multiplied so that all sums have as many: V8
/// shifts by a constant in one instruction, by a variable in four.
constexpr std::uint32_t kFewPrecision = 21;
/// Below it, a byte times what is lacking leaves 16 bits.
constexpr std::uint32_t kLeastFewPrecision = kFewPrecision - 7;

/// Rows of the result that have the same kPairs pairs of taps: unpacks the source once for all of them. Enlarging four
/// and a half times takes 0.6 of the time of row after row.
template <bool kIsPillow, int kPairs>
[[gnu::noinline]] void sum_few(const std::uint8_t* src, std::ptrdiff_t stride, const TapTable& table, int first,
                               int count, std::uint8_t* dst, std::ptrdiff_t dst_stride, std::size_t row_bytes) {
  const std::uint32_t raise = kIsPillow ? 0 : kFewPrecision - table.precision;
  const v128_t factor = splat16(1u << raise);
  constexpr int kWords = kIsPillow ? 2 : 1;
  for (std::size_t x = 0; x < row_bytes; x += 16) {
    const std::size_t at = std::min(x, row_bytes - 16);
    Pairs bytes[kPairs];
    LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) {
      bytes[i] = {src + at + 2 * i * stride, stride};
      if (!kIsPillow) LAYOUT_UNROLL for (auto& lanes : bytes[i].lanes) lanes = wasm_i16x8_mul(lanes, factor);
    }
    std::uint8_t* to = dst + at;
    for (int row = first; row < first + count; ++row, to += dst_stride) {
      const Taps& taps = table.taps()[row];
      const std::int32_t* words = Weights(table, taps).words;
      // Half a unit of the result; of Pillow before it is shifted left.
      Sum sum(splat32(1u << (kIsPillow ? kPillowPrecision - kPlainShift : kFewPrecision) >> 1));
      LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) sum.add(bytes[i], wasm_v128_load32_splat(words + kWords * i));
      if (kIsPillow) {
        sum.shift_left(kPlainShift);
        LAYOUT_UNROLL for (int i = 0; i < kPairs; ++i) sum.add(bytes[i], wasm_v128_load32_splat(words + 2 * i + 1));
      }
      store(to, sum.bytes(kIsPillow ? kPillowPrecision : kFewPrecision));
    }
  }
}

/// How many entries of the table from `taps` to `end` have the same pixels as the first, which are few; 0 if they are
/// not.
inline int few_alike(const TapTable& table, const Taps* taps, const Taps* end) {
  const auto pairs = [](const Taps* entry) { return (entry->count + 1) / 2; };
  if (taps->doubt >= 0 || pairs(taps) < 1 || pairs(taps) > 2) return 0;
  // torch has 14 to 17 bits here, whatever the filter.
  if (table.sums == Sums::kTorch && (table.precision < kLeastFewPrecision || table.precision > kFewPrecision)) return 0;
  const Taps* next = taps + 1;
  while (next < end && next->first == taps->first && pairs(next) == pairs(taps)) ++next;
  return static_cast<int>(next - taps);
}

/// Rows of the result that few_alike has found.
template <bool kIsPillow>
void sum_alike(const std::uint8_t* src, std::ptrdiff_t stride, const TapTable& table, int first, int count,
               std::uint8_t* dst, std::ptrdiff_t dst_stride, std::size_t row_bytes) {
  const auto sums = table.taps()[first].count <= 2 ? sum_few<kIsPillow, 1> : sum_few<kIsPillow, 2>;
  sums(src, stride, table, first, count, dst, dst_stride, row_bytes);
}

/// One row of the result. The last vector of a row may cover bytes for a second time.
template <bool kIsPillow>
[[gnu::noinline]] void sum_row(const std::uint8_t* src, std::ptrdiff_t stride, const TapTable& table, const Taps& taps,
                               std::uint8_t* dst, std::size_t row_bytes) {
  const Weights weights(table, taps);
  for (std::size_t x = 0; x < row_bytes; x += 16) {
    const std::size_t at = std::min(x, row_bytes - 16);
    store(dst + at, kIsPillow ? sum_parts(src + at, stride, weights, kPlainShift)
                              : sum_pairs<1>(src + at, stride, weights).bytes(table.precision));
  }
}

/// Vectors that are summed before those in doubt are summed again.
constexpr std::size_t kListed = 256;

/// One row of Pillow's result: by the high parts of the weights, and again where there is a doubt.
[[gnu::noinline]] void sum_high_row(const std::uint8_t* src, std::ptrdiff_t stride, const TapTable& table,
                                    const Taps& taps, std::uint8_t* dst, std::size_t row_bytes) {
  const Weights weights(table, taps);
  const RefineCheck doubt(taps);
  std::uint32_t listed[kListed];
  for (std::size_t x = 0; x < row_bytes;) {
    std::size_t count = 0;
    for (const std::size_t end = std::min(row_bytes, x + 16 * kListed); x < end; x += 16) {
      const std::size_t at = std::min(x, row_bytes - 16);
      const Sum sum = sum_pairs<2>(src + at, stride, weights);
      store(dst + at, sum.bytes(doubt.precision));
      // Without a branch, which would be guessed wrong.
      listed[count] = static_cast<std::uint32_t>(at);
      count += doubt(sum);
    }
    for (std::size_t i = 0; i < count; ++i)
      store(dst + listed[i], sum_parts(src + listed[i], stride, weights, taps.shift));
  }
}

/// Rows of the result, those that have the same few taps together.
template <bool kIsPillow>
void sum_down(const TapTable& table, int first, int count, int base, Rows src, std::size_t row_bytes, std::uint8_t* dst,
              std::ptrdiff_t dst_stride) {
  const Taps* taps = table.taps();
  for (int i = first; i < first + count && row_bytes < 16; ++i, dst += dst_stride) {
    std::uint8_t row[16];
    sum_down<kIsPillow>(table, i, 1, base, src, sizeof row, row, 0);
    std::memcpy(dst, row, row_bytes);
  }
  for (int i = first; i < first + count && row_bytes >= 16;) {
    const std::uint8_t* from = src.data + (taps[i].first - base) * src.stride;
    const int alike = few_alike(table, taps + i, taps + first + count);
    if (alike > 0) {
      sum_alike<kIsPillow>(from, src.stride, table, i, alike, dst, dst_stride, row_bytes);
    } else {
      const auto row = kIsPillow && taps[i].doubt >= 0 ? sum_high_row : sum_row<kIsPillow>;
      row(from, src.stride, table, taps[i], dst, row_bytes);
    }
    const int done = std::max(alike, 1);
    dst += done * dst_stride;
    i += done;
  }
}

/// Pixels of a table, as far as they end before pixel `limit` of the source.
struct Span {
  const Taps* taps;
  const Taps* end;
  std::int32_t limit;
  bool is_done() const { return taps == end || taps->first + taps->count > limit; }
};

/// Columns of results of columns of the source. `columns` begins with column `origin` of the source. Returns the first
/// pixel that is not made.
template <bool kIsPillow>
[[gnu::noinline]] const Taps* sum_columns(const std::uint8_t* columns, std::ptrdiff_t origin, std::ptrdiff_t channels,
                                          const TapTable& table, Span span, std::uint8_t* dst) {
  for (; !span.is_done(); ++span.taps) {
    const Weights weights(table, *span.taps);
    const std::uint8_t* src = columns + (span.taps->first * channels - origin) * 16;
    for (std::ptrdiff_t channel = 0; channel < channels; ++channel, src += 16, dst += 16)
      store(dst, kIsPillow ? sum_parts(src, channels * 16, weights, kPlainShift)
                           : sum_pairs<1>(src, channels * 16, weights).bytes(table.precision));
  }
  return span.taps;
}

/// The same of few taps. A column of pixels is a row of 16 bytes a channel.
template <bool kIsPillow>
[[gnu::noinline]] const Taps* sum_few_columns(const std::uint8_t* columns, std::ptrdiff_t origin,
                                              std::ptrdiff_t channels, const TapTable& table, Span span,
                                              std::uint8_t* dst) {
  const std::ptrdiff_t stride = 16 * channels;
  while (!span.is_done()) {
    int alike = few_alike(table, span.taps, span.end);
    if (alike == 0) break;
    while (span.taps[alike - 1].first + span.taps[alike - 1].count > span.limit) --alike;
    const std::uint8_t* src = columns + (span.taps->first * channels - origin) * 16;
    sum_alike<kIsPillow>(src, stride, table, static_cast<int>(span.taps - table.taps()), alike, dst, stride,
                         static_cast<std::size_t>(stride));
    span.taps += alike;
    dst += alike * stride;
  }
  return span.taps;
}

/// The same of Pillow: by the high parts of the weights, and again where there is a doubt.
[[gnu::noinline]] const Taps* sum_high_columns(const std::uint8_t* columns, std::ptrdiff_t origin,
                                               std::ptrdiff_t channels, const TapTable& table, Span span,
                                               std::uint8_t* dst) {
  struct Listed {
    const Taps* taps;
    const std::uint8_t* src;
    std::uint8_t* dst;
  } listed[kResults];
  std::size_t count = 0;
  for (; !span.is_done(); ++span.taps) {
    const Weights weights(table, *span.taps);
    const RefineCheck doubt(*span.taps);
    const std::uint8_t* src = columns + (span.taps->first * channels - origin) * 16;
    for (std::ptrdiff_t channel = 0; channel < channels; ++channel, src += 16, dst += 16) {
      const Sum sum = sum_pairs<2>(src, channels * 16, weights);
      store(dst, sum.bytes(doubt.precision));
      listed[count] = {span.taps, src, dst};
      count += doubt(sum);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [taps, src, to] = listed[i];
    store(to, sum_parts(src, channels * 16, {table, *taps}, taps->shift));
  }
  return span.taps;
}

/// How rows become columns of 16 bytes. A unit is what stays together: a byte, or a pixel of four.
template <int kUnitBytes>
struct Transpose {
  /// Rows of a column.
  static constexpr int kRows = 16 / kUnitBytes;
  /// Rows and units that one step takes on the way in.
  static constexpr int kHigh = kUnitBytes == 1 ? 8 : 4, kWide = 16 / kUnitBytes;

  /// Turns kHigh rows of 16 bytes into kWide columns of kHigh units, or kHigh columns of 16 bytes into rows.
  static void step(const std::uint8_t* src, std::ptrdiff_t src_stride, std::uint8_t* dst, std::ptrdiff_t dst_stride) {
    v128_t v[kHigh];
    LAYOUT_UNROLL for (int i = 0; i < kHigh; ++i) v[i] = load(src + i * src_stride);
    interleave<8 * kUnitBytes>(v);
    LAYOUT_UNROLL for (int i = 0; i < kHigh; ++i) {
      if constexpr (kUnitBytes == 4) {
        store(dst + i * dst_stride, v[i]);
      } else {
        store_part<8, 0>(dst + 2 * i * dst_stride, v[i]);
        store_part<8, 1>(dst + (2 * i + 1) * dst_stride, v[i]);
      }
    }
  }

  /// Turns `rows` rows, at most kRows, of `bytes` bytes into columns. Rows that are not there repeat the last one. The
  /// bytes are rounded up to whole vectors.
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

  /// Turns columns back into `rows` rows of `bytes` bytes.
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

/// Makes columns of some rows, as many at a time as the tile holds, sums them, and makes rows of the sums.
template <bool kIsPillow, int kUnitBytes>
void sum_across(const TapTable& table, int base, int extent, int pixel_bytes, Rows src, int rows, std::uint8_t* dst,
                std::ptrdiff_t dst_stride, std::uint8_t* tile, std::ptrdiff_t tile_bytes) {
  using Transpose = Transpose<kUnitBytes>;
  const Taps* taps = table.taps();
  const std::ptrdiff_t channels = pixel_bytes / kUnitBytes;
  std::uint8_t* results = tile;
  std::uint8_t* columns = tile + kResults * 16;
  // Columns of units, from the first pixel of `src` on.
  const std::ptrdiff_t capacity = (tile_bytes / 16 - kResults) / 16 * 16 - 16;
  const std::ptrdiff_t most = kResults / channels - 8;
  std::ptrdiff_t begin = 0, end = 0, pending = 0;
  // With fewer results than three of the same pixels, calls take longer than unpacking the pixels again.
  const bool shares = table.count >= 3 * (taps[table.count - 1].first - taps[0].first + 1);
  for (int i = 0; i < table.count;) {
    if ((taps[i].first + taps[i].count - base) * channels > end) {
      const std::ptrdiff_t first = (taps[i].first - base) * channels;
      const std::ptrdiff_t kept = std::max<std::ptrdiff_t>(end - first, 0);
      std::memmove(columns, columns + (first - begin) * 16, static_cast<std::size_t>(kept * 16));
      begin = first;
      end = begin + kept;
      const std::ptrdiff_t fill = std::min(extent * channels - end, (capacity - kept) / 16 * 16);
      Transpose::in({src.data + end * kUnitBytes, src.stride}, rows, fill * kUnitBytes, columns + kept * 16);
      end += fill;
    }
    const Span span = {taps + i, taps + std::min<std::ptrdiff_t>(table.count, i + most),
                       static_cast<std::int32_t>(base + end / channels)};
    const auto sums = shares && few_alike(table, taps + i, taps + i + 1) > 0 ? sum_few_columns<kIsPillow>
                      : kIsPillow && taps[i].doubt >= 0                      ? sum_high_columns
                                                                             : sum_columns<kIsPillow>;
    const auto next =
        static_cast<int>(sums(columns, base * channels + begin, channels, table, span, results + pending * 16) - taps);
    pending += (next - i) * channels;
    i = next;
    const std::ptrdiff_t whole = i == table.count ? pending : pending / 8 * 8;
    Transpose::out(results, whole * kUnitBytes, dst, dst_stride, rows);
    dst += whole * kUnitBytes;
    pending -= whole;
    std::memmove(results, results + whole * 16, static_cast<std::size_t>(pending * 16));
  }
}

/// Mode F. The sums are in double and in order.
void sum_floats(const std::uint8_t* src, std::ptrdiff_t stride, const Taps& taps, const std::uint8_t* weights,
                std::uint8_t* dst) {
  double sum = 0.0;
  for (int tap = 0; tap < taps.count; ++tap) {
    float number;
    double weight;
    std::memcpy(&number, src + tap * stride, 4);
    std::memcpy(&weight, weights + 8 * (taps.weights + tap), 8);
    sum += static_cast<double>(number) * weight;
  }
  const auto rounded = static_cast<float>(sum);
  std::memcpy(dst, &rounded, 4);
}

/// Copies the pixel that each entry names. An entry without a pixel gives 0.
template <std::size_t kBytes>
void pick(const Taps* taps, int count, int base, const std::uint8_t* src, std::uint8_t* dst) {
  for (int i = 0; i < count; ++i, dst += kBytes) {
    if (taps[i].count == 0)
      std::memset(dst, 0, kBytes);
    else
      std::memcpy(dst, src + static_cast<std::size_t>(taps[i].first - base) * kBytes, kBytes);
  }
}

}  // namespace

void resize_down(const TapTable& table, int first, int count, int base, Rows src, std::size_t row_bytes,
                 std::uint8_t* dst, std::ptrdiff_t dst_stride) {
  if (table.sums != Sums::kDouble) {
    const auto sums = table.sums == Sums::kPillow ? sum_down<true> : sum_down<false>;
    sums(table, first, count, base, src, row_bytes, dst, dst_stride);
    return;
  }
  for (int i = first; i < first + count; ++i, dst += dst_stride) {
    const std::uint8_t* from = src.data + (table.taps()[i].first - base) * src.stride;
    for (std::size_t x = 0; x < row_bytes; x += 4)
      sum_floats(from + x, src.stride, table.taps()[i], table.weights(), dst + x);
  }
}

std::size_t across_tile_bytes(int taps, int channels) {
  // A window or 16 kB of columns, the results, and room for whole vectors and for an odd tap's neighbor.
  return 16 * static_cast<std::size_t>(kResults + std::max(taps * channels, kResults) + 64);
}

void resize_across(const TapTable& table, int base, int extent, int channels, Rows src, int rows, std::uint8_t* dst,
                   std::ptrdiff_t dst_stride, std::uint8_t* tile, std::size_t tile_bytes) {
  const Taps* taps = table.taps();
  if (table.is_nearest || table.sums == Sums::kDouble) {
    for (int row = 0; row < rows; ++row, src.data += src.stride, dst += dst_stride) {
      if (!table.is_nearest) {
        for (int i = 0; i < table.count; ++i)
          sum_floats(src.data + 4 * (taps[i].first - base), 4, taps[i], table.weights(), dst + 4 * i);
      } else {
        const auto picks = channels == 1 ? pick<1> : channels == 2 ? pick<2> : channels == 3 ? pick<3> : pick<4>;
        picks(taps, table.count, base, src.data, dst);
      }
    }
    return;
  }
  const bool is_pillow = table.sums == Sums::kPillow;
  const auto sums = channels == 4 ? (is_pillow ? sum_across<true, 4> : sum_across<false, 4>)
                                  : (is_pillow ? sum_across<true, 1> : sum_across<false, 1>);
  const int group = channels == 4 ? Transpose<4>::kRows : Transpose<1>::kRows;
  for (int row = 0; row < rows; row += group)
    sums(table, base, extent, channels, {src.data + row * src.stride, src.stride}, std::min(rows - row, group),
         dst + row * dst_stride, dst_stride, tile, static_cast<std::ptrdiff_t>(tile_bytes));
}

}  // namespace layout
