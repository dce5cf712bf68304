// resize/opencv.h says what these functions do.

#include "resize/opencv.h"

#include <algorithm>
#include <cstring>

#include "bits/interleave.h"
#include "bits/packed.h"

// OpenCV sums along the rows first, without rounding, so that sums in the middle have 32 bits. A pixel's channels share
// a vector, and four rows share each look at the table. Four rows of gray pixels lie side by side as channels. An entry
// of the table (Taps) names the pixels of a row that one pixel of the result is the sum of, its taps, and their
// weights.

namespace layout {
namespace {

/// Loads two pixels, channel by channel in lanes of 16 bits: one dot product takes both weights.
///   r0 g0 b0 r1 g1 b1 .. -> r0 r1 g0 g1 b0 b1 0 0
template <int kChannels>
v128_t load_pair(const std::uint8_t* src) {
  return pick_bytes(load_part<8>(src), [](int byte) {
    // A channel has four bytes: two lanes, one for each pixel, with the number in the lane's first byte.
    const int channel = byte / 4, pixel = byte / 2 % 2;
    const bool is_zero = byte % 2 > 0 || channel >= kChannels;
    return static_cast<std::int8_t>(is_zero ? -1 : pixel * kChannels + channel);  // -1 picks 0
  });
}

/// Makes float32 of the channels of pixel kPixel of a vector, one in each lane; lanes without a channel are 0.
template <int kChannels, int kPixel>
v128_t pixel_floats(v128_t pixels) {
  return wasm_f32x4_convert_i32x4(pick_bytes(pixels, [](int byte) {
    const int channel = byte / 4;  // in the first of the lane's four bytes
    const bool is_zero = byte % 4 > 0 || channel >= kChannels;
    return static_cast<std::int8_t>(is_zero ? -1 : kPixel * kChannels + channel);  // -1 picks 0
  }));
}

/// The rows that are made together: four rows of the source and four of the result. Of gray pixels, `src[0]` is a row
/// whose pixels have the pixels of all four rows as channels, and the functions below have kRows = 1, kChannels = 4.
struct Step {
  const std::uint8_t* src[4];
  std::uint8_t* dst[4];

  /// Writes the sums of pixel `pixel` of the result to each row: a vector of all channels; of gray a lane to each row.
  template <int kChannels, int kRows>
  void put(const v128_t (&sums)[kRows], std::ptrdiff_t pixel) const {
    if constexpr (kRows == 4) {
      LAYOUT_UNROLL for (int i = 0; i < kRows; ++i) store(dst[i] + 4 * kChannels * pixel, sums[i]);
    } else {
      store_part<4, 0>(dst[0] + 4 * pixel, sums[0]);
      store_part<4, 1>(dst[1] + 4 * pixel, sums[0]);
      store_part<4, 2>(dst[2] + 4 * pixel, sums[0]);
      store_part<4, 3>(dst[3] + 4 * pixel, sums[0]);
    }
  }
};

/// Finds four rows of `src` and `dst`, from row `row` of `rows` on. Rows that are not there repeat the last one. Not
/// inlined, as the next function is not, because LLVM would make a copy of both for each number of channels.
[[gnu::noinline]] Step find_rows(Rows src, ResultRows dst, int row, int rows) {
  Step step;
  for (int i = 0; i < 4; ++i) {
    const int at = std::min(row + i, rows - 1);
    step.src[i] = src.data + at * src.stride;
    step.dst[i] = dst.data + at * dst.stride;
  }
  return step;
}

/// Writes the gray pixels of four rows to the tile as pixels of four channels.
[[gnu::noinline]] void lay_side_by_side(const Step& step, std::ptrdiff_t extent, std::uint8_t* tile) {
  for (std::ptrdiff_t x = 0; x < extent; x += 16) {
    v128_t v[4];
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) v[i] = load(step.src[i] + x);
    interleave<8>(v);
    LAYOUT_UNROLL for (int i = 0; i < 4; ++i) store(tile + 4 * x, i, v[i]);
  }
}

/// Makes the rows of a step by a rule whose weights are whole numbers, of which a word has two, for two pixels side by
/// side: with 11 fraction bits, or 8 for kLinearExact. The sums keep these bits, as int32 for kLanczos4, kLinearExact
/// and kLinearOnce, and as float32 for kCubic; for kLinear and kAreaLinear they are int32 that keep 7 of the bits. The
/// rows of the step begin at pixel `base` of the source. One function for all rules: the loop over the words and the
/// branches take no time that can be measured, and a function for each rule is 1 kB.
template <int kChannels, int kRows>
[[gnu::noinline]] void across_whole(Rule rule, const TapTable& table, int base, const Step& rows) {
  const Step step = rows;  // a copy, which nothing that is written can change
  const int pairs = taps_of(rule) / 2;
  const bool is_linear = rule == Rule::kLinear || rule == Rule::kAreaLinear, is_cubic = rule == Rule::kCubic;
  for (int i = 0; i < table.count; ++i) {
    const Taps& taps = table.taps()[i];
    const std::uint8_t* words = table.weights() + 4 * taps.weights;
    std::ptrdiff_t at = (taps.first - base) * std::ptrdiff_t{kChannels};
    v128_t sums[kRows];
    const auto products = [&](int row) {
      return wasm_i32x4_dot_i16x8(load_pair<kChannels>(step.src[row] + at), wasm_v128_load32_splat(words));
    };
    LAYOUT_UNROLL for (int row = 0; row < kRows; ++row) sums[row] = products(row);
    if (is_linear) {
      // OpenCV's linear drops 4 bits of its one pair's sum, so that DownLinear multiplies in 16 bits.
      LAYOUT_UNROLL for (int row = 0; row < kRows; ++row) sums[row] = wasm_i32x4_shr(sums[row], 4);
      step.template put<kChannels>(sums, i);
      continue;
    }
    for (int left = pairs; left > 1; --left) {
      words += 4;
      at += 2 * kChannels;
      LAYOUT_UNROLL for (int row = 0; row < kRows; ++row) sums[row] = wasm_i32x4_add(sums[row], products(row));
    }
    if (is_cubic) {
      // DownCubic takes float32, which is exact: the sums have 20 bits.
      LAYOUT_UNROLL for (int row = 0; row < kRows; ++row) sums[row] = wasm_f32x4_convert_i32x4(sums[row]);
    }
    step.template put<kChannels>(sums, i);
  }
}

/// Makes the rows of a step by kArea: sums bytes times float32 weights from the first pixel to the last, each product
/// and sum rounded. Takes four pixels at a time, from one vector.
template <int kChannels, int kRows>
[[gnu::noinline]] void across_cells(const TapTable& table, int base, const Step& rows) {
  const Step step = rows;  // a copy, which nothing that is written can change
  for (int i = 0; i < table.count; ++i) {
    const Taps& taps = table.taps()[i];
    const std::uint8_t* weights = table.weights() + 4 * taps.weights;
    std::ptrdiff_t at = (taps.first - base) * std::ptrdiff_t{kChannels};
    v128_t sums[kRows];
    LAYOUT_UNROLL for (int row = 0; row < kRows; ++row) sums[row] = splat32(0);
    const auto add = [&](int row, v128_t pixel, int tap) {
      sums[row] = wasm_f32x4_add(sums[row], wasm_f32x4_mul(pixel, wasm_v128_load32_splat(weights + 4 * tap)));
    };
    int left = taps.count;
    for (; left >= 4; left -= 4, at += 4 * kChannels, weights += 16) {
      LAYOUT_UNROLL for (int row = 0; row < kRows; ++row) {
        const v128_t pixels = load(step.src[row] + at);
        add(row, pixel_floats<kChannels, 0>(pixels), 0);
        add(row, pixel_floats<kChannels, 1>(pixels), 1);
        add(row, pixel_floats<kChannels, 2>(pixels), 2);
        add(row, pixel_floats<kChannels, 3>(pixels), 3);
      }
    }
    for (; left > 0; --left, at += kChannels, weights += 4) {
      LAYOUT_UNROLL for (int row = 0; row < kRows; ++row)
          add(row, pixel_floats<kChannels, 0>(load_part<4>(step.src[row] + at)), 0);
    }
    step.template put<kChannels>(sums, i);
  }
}

/// Makes the rows of a step by any rule but kNearest.
template <int kChannels, int kRows>
void across(Rule rule, const TapTable& table, int base, const Step& step) {
  if (rule == Rule::kArea)
    across_cells<kChannels, kRows>(table, base, step);
  else
    across_whole<kChannels, kRows>(rule, table, base, step);
}

}  // namespace

std::size_t opencv_tile_bytes(int extent, int channels) {
  // For lay_side_by_side: four rows of gray pixels in whole vectors, and 16 more pixels, which the kernels may read.
  return channels == 1 ? 4 * static_cast<std::size_t>((extent + 15) / 16 * 16 + 16) : 0;
}

void opencv_across(Rule rule, const AcrossPass& pass) {
  const auto& [table, src, base, extent, channels, rows, dst, tile, tile_bytes] = pass;
  for (int row = 0; row < rows; row += 4) {
    Step step = find_rows(src, dst, row, rows);
    if (channels == 3) {
      across<3, 4>(rule, table, base, step);
    } else if (channels == 4) {
      across<4, 4>(rule, table, base, step);
    } else {  // gray
      lay_side_by_side(step, extent, tile);
      step.src[0] = tile;
      across<4, 1>(rule, table, base, step);
    }
  }
}

}  // namespace layout
