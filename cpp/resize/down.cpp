// resize/passes.h says what these functions do.

#include "resize/sums.h"

// A pass down the columns takes 16 bytes that lie side by side from each of some rows, and sums them. An entry of a
// table (Taps) names the rows of the source that one row of the result is the sum of, its taps, and their weights.

namespace layout {
namespace {

/// Makes one row of the result, of `row_bytes` bytes, at least 16: sums the rows of the source that `taps` names, from
/// `src` on and `stride` bytes apart. The row's last vector ends with the row, so it may make some bytes a second time.
template <bool kIsPillow>
[[gnu::noinline]] void sum_row(const std::uint8_t* src, std::ptrdiff_t stride, const TapTable& table, const Taps& taps,
                               std::uint8_t* dst, std::size_t row_bytes) {
  const Weights weights(table, taps);
  for (std::size_t x = 0; x < row_bytes; x += 16) {
    const std::size_t at = std::min(x, row_bytes - 16);
    // Pillow: tables that have a `doubt` go to sum_high_row, and all others are split at kPlainShift.
    store(dst + at, kIsPillow ? sum_parts(src + at, stride, weights, kPlainShift)
                              : sum_pairs<1>(src + at, stride, weights).bytes(table.precision));
  }
}

/// How many vectors of a row sum_high_row makes before it sums those in doubt again.
constexpr std::size_t kDoubtful = 256;

/// Does sum_row for Pillow: sums with the weights' high parts, then once more with both parts where the low ones could
/// change a byte.
[[gnu::noinline]] void sum_high_row(const std::uint8_t* src, std::ptrdiff_t stride, const TapTable& table,
                                    const Taps& taps, std::uint8_t* dst, std::size_t row_bytes) {
  const Weights weights(table, taps);
  const RefineCheck is_in_doubt(taps);
  std::uint32_t doubtful[kDoubtful];
  for (std::size_t x = 0; x < row_bytes;) {
    std::size_t count = 0;
    for (const std::size_t end = std::min(row_bytes, x + 16 * kDoubtful); x < end; x += 16) {
      const std::size_t at = std::min(x, row_bytes - 16);
      const Sum sum = sum_pairs<2>(src + at, stride, weights);
      store(dst + at, sum.bytes(is_in_doubt.precision));
      // Without a branch, which would be mispredicted: a vector that is not in doubt is overwritten by the next one.
      doubtful[count] = static_cast<std::uint32_t>(at);
      count += is_in_doubt(sum);
    }
    for (std::size_t i = 0; i < count; ++i)
      store(dst + doubtful[i], sum_parts(src + doubtful[i], stride, weights, taps.shift));
  }
}

/// Does resize_down for rows of bytes. Neighbors that have the same few taps are made together, from one unpacking of
/// the source.
template <bool kIsPillow>
void sum_down(const DownPass& pass) {
  const auto& [table, first, count, src, base, row_bytes, to] = pass;
  const Taps* taps = table.taps();
  const int end = first + count;
  std::uint8_t* dst = to.data;
  if (row_bytes < 16) {
    // Rows shorter than a vector: make 16 bytes of each in a copy.
    for (int i = first; i < end; ++i, dst += to.stride) {
      std::uint8_t row[16];
      sum_down<kIsPillow>({table, i, 1, src, base, sizeof row, {row, 0}});
      std::memcpy(dst, row, row_bytes);
    }
    return;
  }
  for (int i = first; i < end;) {
    const std::uint8_t* from = src.data + (taps[i].first - base) * src.stride;
    const int alike = few_alike(table, taps + i, taps + end);
    if (alike > 0) {
      sum_alike<kIsPillow>({from, src.stride}, table, i, alike, {dst, to.stride}, row_bytes);
    } else {
      const auto make_row = kIsPillow && taps[i].doubt >= 0 ? sum_high_row : sum_row<kIsPillow>;
      make_row(from, src.stride, table, taps[i], dst, row_bytes);
    }
    const int done = std::max(alike, 1);
    dst += done * to.stride;
    i += done;
  }
}

}  // namespace

/// Makes rows of the result from sums of rows of the source.
void resize_down(const DownPass& pass) {
  const auto& [table, first, count, src, base, row_bytes, to] = pass;
  if (table.sums == Sums::kPillow) return sum_down<true>(pass);
  if (table.sums != Sums::kDouble) return sum_down<false>(pass);  // torch
  // Rows of float32: one number of 4 bytes after the other.
  std::uint8_t* dst = to.data;
  for (int i = first; i < first + count; ++i, dst += to.stride) {
    const std::uint8_t* from = src.data + (table.taps()[i].first - base) * src.stride;
    for (std::size_t x = 0; x < row_bytes; x += 4)
      sum_floats(from + x, src.stride, table.taps()[i], table.weights(), dst + x);
  }
}

}  // namespace layout
