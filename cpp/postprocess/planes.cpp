// postprocess/planes.h says what these functions do.

#include "postprocess/planes.h"

#include "bits/vectors.h"
#include "postprocess/numbers.h"
#include "postprocess/resize.h"

namespace layout {

namespace {

/// Whether a number is greater than the best so far: NaN is greater than any number, and the first NaN stays.
bool wins(float value, float best) {
  const bool is_first_nan = (value != value) & (best == best);
  return (value > best) | is_first_nan;
}

constexpr std::int32_t kNoOwner = -1;

constexpr int kVectors = 4;
constexpr int kBlock = kVectors * kLanes<32>;

/// Writes the masks of kBlock numbers, lanes of all bits or none in kVectors vectors, as bytes of 1 and 0.
void store_flags(const v128_t* above, std::uint8_t* to) {
  const v128_t low = wasm_i16x8_narrow_i32x4(above[0], above[1]);
  const v128_t high = wasm_i16x8_narrow_i32x4(above[2], above[3]);
  store(to, wasm_v128_and(wasm_i8x16_narrow_i16x8(low, high), splat8(1)));
}

/// Tells where blends of two rows are above a threshold. A blend lies between its two numbers, up to 3.5 units of 2^-24
/// and what underflows. So where both are above the threshold by a margin, or both below, it need not be computed.
class BlendThreshold {
 public:
  /// The margin is 8 units of 2^-24 of the threshold, more than those 3.5.
  explicit BlendThreshold(float threshold) : threshold_(threshold) {
    const float margin = (threshold < 0 ? -threshold : threshold) * 0x1p-21F + 1e-30F;
    least_ = wasm_f32x4_splat(threshold + margin);
    most_ = wasm_f32x4_splat(threshold - margin);
  }

  /// Writes the masks of kBlock numbers, from column `x` on: all bits where the blend is above the threshold. Blends
  /// the rows only if the two numbers of a column do not decide it.
  void compare(const BlendedRow& from, int x, v128_t* above) const {
    const float* const rows[] = {from.rows[0] + x, from.rows[1] + x};
    v128_t decided = splat32(~0U);
    for (int i = 0; i < kVectors; ++i) {
      const v128_t a = load(rows[0], i);
      const v128_t b = load(rows[1], i);
      const v128_t below = wasm_v128_and(wasm_f32x4_lt(a, most_), wasm_f32x4_lt(b, most_));
      above[i] = wasm_v128_and(wasm_f32x4_gt(a, least_), wasm_f32x4_gt(b, least_));
      decided = wasm_v128_and(decided, wasm_v128_or(above[i], below));
    }
    // With a weight of 0, an infinite number gives NaN, which is not above the threshold.
    if (wasm_i32x4_all_true(decided) && from.weights[0] > 0 && from.weights[1] > 0) return;
    float blend[kBlock];
    blend_rows(rows, from.weights, 2, kBlock, blend);
    for (int i = 0; i < kVectors; ++i) above[i] = wasm_f32x4_gt(load(blend, i), wasm_f32x4_splat(threshold_));
  }

 private:
  float threshold_;
  v128_t least_;
  v128_t most_;
};

/// Writes 1 where the blend of two rows is above a threshold, else 0, block by block; most blocks need no blend.
/// `width` is at least kBlock: the last block moves back to end with the row, over columns that are done.
void threshold_blend(const BlendedRow& blend, const BlendThreshold& between, int width, std::uint8_t* to) {
  for (int x = 0; x < width; x += kBlock) {
    const int first = x + kBlock <= width ? x : width - kBlock;
    v128_t above[kVectors];
    between.compare(blend, first, above);
    store_flags(above, to + first);
  }
}

}  // namespace

void store_planes(PlaneRows& rows, float* to) {
  for (int plane = 0; plane < rows.planes; ++plane) {
    for (int y = 0; y < rows.height; ++y, to += rows.width) {
      const float* from = rows.row(plane, y);
      for (int x = 0; x < rows.width; ++x) to[x] = from[x];
    }
  }
}

void threshold_planes(PlaneRows& rows, float threshold, std::uint8_t* to) {
  const BlendThreshold between(threshold);
  BlendedRow blend{};
  for (int plane = 0; plane < rows.planes; ++plane) {
    for (int y = 0; y < rows.height; ++y, to += rows.width) {
      if (rows.width >= kBlock && rows.blended_row(plane, y, blend)) {
        threshold_blend(blend, between, rows.width, to);
        continue;
      }
      const float* from = rows.row(plane, y);
      for (int x = 0; x < rows.width; ++x) to[x] = from[x] > threshold ? 1 : 0;
    }
  }
}

void label_planes(PlaneRows& rows, std::int32_t* labels, float* scores, float* best) {
  const std::size_t size = static_cast<std::size_t>(rows.height) * static_cast<std::size_t>(rows.width);
  for (int y = 0; y < rows.height; ++y, labels += rows.width) {
    for (int plane = 0; plane < rows.planes; ++plane) {
      const float* from = rows.row(plane, y);
      for (int x = 0; x < rows.width; ++x) {
        const bool is_new = plane == 0 || wins(from[x], best[x]);
        best[x] = is_new ? from[x] : best[x];
        labels[x] = is_new ? plane : labels[x];
      }
      if (scores == nullptr) continue;
      const std::size_t row_start = static_cast<std::size_t>(y) * static_cast<std::size_t>(rows.width);
      float* to = scores + static_cast<std::size_t>(plane) * size + row_start;
      for (int x = 0; x < rows.width; ++x) to[x] = from[x];
    }
  }
}

/// Row by row: finds the greatest product of each pixel over all planes, then counts the areas of their owners.
void own_planes(PlaneRows& rows, const PlaneScores& plane_scores, std::int32_t* owners, SegmentAreas areas,
                float* best) {
  const auto [scores, threshold, is_product] = plane_scores;
  for (int plane = 0; plane < rows.planes; ++plane) areas.own[plane] = areas.whole[plane] = areas.common[plane] = 0;
  float* best_numbers = best + rows.width;
  for (int y = 0; y < rows.height; ++y, owners += rows.width) {
    for (int plane = 0; plane < rows.planes; ++plane) {
      const float* from = rows.row(plane, y);
      const float score = scores[plane];
      // `best` has the greatest product so far at each pixel, `best_numbers` its number, `owners` its plane.
      std::int32_t reaching = 0;  // the threshold
      for (int x = 0; x < rows.width; ++x) {
        const float product = from[x] * score;
        const bool is_new = plane == 0 || wins(product, best[x]);
        best[x] = is_new ? product : best[x];
        best_numbers[x] = is_new ? from[x] : best_numbers[x];
        owners[x] = is_new ? plane : owners[x];
        reaching += (is_product ? product : from[x]) >= threshold ? 1 : 0;
      }
      areas.whole[plane] += reaching;
    }
    for (int x = 0; x < rows.width; ++x) {
      const std::int32_t owner = owners[x];
      ++areas.own[owner];
      const bool reaches = (is_product ? best[x] : best_numbers[x]) >= threshold;
      if (reaches) ++areas.common[owner];
      if (!is_product && !reaches)
        owners[x] = kNoOwner;  // EoMT's rule alone; `own` has counted the pixel, as Python does
    }
  }
}

bool name_owners(std::int32_t* owners, std::size_t count, const std::int32_t* ids, std::size_t known) {
  for (std::size_t i = 0; i < count; ++i) {
    if (owners[i] < 0) continue;
    if (static_cast<std::size_t>(owners[i]) >= known) return false;
    owners[i] = ids[owners[i]];
  }
  return true;
}

int paint_plane(PlaneRows& rows, int plane, float threshold, bool first_wins, std::int32_t id, std::int32_t* to) {
  int painted = 0;
  for (int y = 0; y < rows.height; ++y, to += rows.width) {
    const float* from = rows.row(plane, y);
    for (int x = 0; x < rows.width; ++x) {
      const bool is_painted = (from[x] > threshold) & (!first_wins | (to[x] == kNoOwner));
      to[x] = is_painted ? id : to[x];
      painted += is_painted ? 1 : 0;
    }
  }
  return painted;
}

void mean_planes(PlaneRows& rows, float* means) {
  for (int plane = 0; plane < rows.planes; ++plane) {
    double sum = 0;
    int count = 0;
    for (int y = 0; y < rows.height; ++y) {
      const float* from = rows.row(plane, y);
      for (int x = 0; x < rows.width; ++x) {
        if (!(from[x] > 0)) continue;
        sum += static_cast<double>(logistic(from[x]));
        ++count;
      }
    }
    constexpr float kEpsilon = 1e-6F;  // Mask2Former's, against a division by 0
    means[plane] = static_cast<float>(sum) / (static_cast<float>(count) + kEpsilon);
  }
}

}  // namespace layout
