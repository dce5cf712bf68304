// postprocess/labels.h says what these functions do.

#include "postprocess/labels.h"

#include <initializer_list>
#include <limits>

#include "bits/vectors.h"
#include "postprocess/numbers.h"
#include "postprocess/resize.h"

namespace layout {
namespace {

constexpr float kMargin = 1e-6F;  // of the largest magnitude; rounding moves at most 7.8e-7 of it
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kFloats = kLanes<32>;

/// The largest absolute value of `count` numbers, or infinity where one is not finite.
float largest_size(const float* x, std::size_t count) {
  float largest = 0;
  int not_finite = 0;  // 1 where a number is not
  for (std::size_t i = 0; i < count; ++i) {
    const float size = x[i] < 0 ? -x[i] : x[i];
    not_finite |= size <= std::numeric_limits<float>::max() ? 0 : 1;
    largest = size > largest ? size : largest;
  }
  return not_finite != 0 ? kInfinity : largest;
}

float lesser(float a, float b) { return a < b ? a : b; }
float greater(float a, float b) { return a > b ? a : b; }

int whole_vectors(int count) { return (count + kFloats - 1) / kFloats * kFloats; }

/// The greatest of four float32, by halves.
float greatest_lane(v128_t x) {
  const v128_t half = wasm_f32x4_pmax(x, high_half(x));
  return greater(wasm_f32x4_extract_lane(half, 0), wasm_f32x4_extract_lane(half, 1));
}

/// Calls `take` with the index of each lane whose bits are set. Lanes have the indices from `first` on, before `end`.
template <typename Take>
void each_lane(v128_t lanes, int first, int end, Take take) {
  for (std::uint32_t bits = wasm_i32x4_bitmask(lanes); bits != 0; bits &= bits - 1) {
    const int place = first + __builtin_ctz(bits);
    if (place < end) take(place);
  }
}

/// a * u + b * v in float32 steps: within 4 units of 2^-24 of what `fused` makes of numbers and weights up to 1.
v128_t about(v128_t a, v128_t u, v128_t b, v128_t v) {
  return wasm_f32x4_add(wasm_f32x4_mul(a, u), wasm_f32x4_mul(b, v));
}

/// Labels a result by cells, each between four neighboring numbers; a band is the result's rows in one row of cells.
class CellLabels {
 public:
  static constexpr int kTopLeft = 0, kTopRight = 1, kBottomLeft = 2, kBottomRight = 3;
  const float* x;
  int classes, height, width;
  float margin;
  AxisTaps columns, rows;
  std::int32_t* starts;  // of each cell, the first column of the result
  float* floor;          // of each cell, the best of the smallest corners
  float* lows;           // the lesser of both rows
  float* highs;          // the greater of both rows
  float* ceilings;       // of each class and cell, the largest corner
  std::int32_t* lengths;
  std::int32_t* lists;      // of each cell, the classes that can win
  float* corners[4];        // of the classes of a cell, by kTopLeft and so on
  float* peaks;             // of the classes of a column, the greater of both rows
  std::int32_t* finalists;  // of a column, the classes that can win
  float *tops, *bottoms;    // of these, the numbers of both rows
  float *uppers, *lowers;   // of the rows of a band, the weights of both rows
  std::int32_t* labels;

  /// Takes the memory of all members above. Rows are padded to whole vectors.
  void take_memory(Arena& arena) {
    const auto cells = static_cast<std::uint64_t>(whole_vectors(width + 1));
    const auto count = static_cast<std::uint64_t>(classes);
    const auto padded = static_cast<std::uint64_t>(whole_vectors(classes));
    for (AxisTaps* axis : {&columns, &rows}) {
      const auto taps = 2 * static_cast<std::uint64_t>(axis->count);
      axis->taps = 2;
      axis->indices = arena.take<std::int32_t>(taps);
      axis->factors = arena.take<float>(taps);
    }
    for (float** floats : {&floor, &lows, &highs}) *floats = arena.take<float>(cells);
    for (std::int32_t** integers : {&starts, &lengths}) *integers = arena.take<std::int32_t>(cells);
    ceilings = arena.take<float>(cells * count);
    lists = arena.take<std::int32_t>(cells * count);
    for (float*& corner : corners) corner = arena.take<float>(padded);
    for (float** floats : {&peaks, &tops, &bottoms}) *floats = arena.take<float>(padded);
    finalists = arena.take<std::int32_t>(padded);
    const auto result_rows = static_cast<std::uint64_t>(whole_vectors(rows.count));
    uppers = arena.take<float>(result_rows);
    lowers = arena.take<float>(result_rows);
  }

  /// Writes the labels of the result's rows `first` to `end`, a band, which lie between the same two rows of numbers.
  void label_band(int first, int end) {
    find_ceilings(rows.at(first, 0), rows.at(first, 1));
    find_candidates();
    for (int i = 0; i < whole_vectors(end - first); ++i) {
      const bool is_row = first + i < end;  // the last vector is filled up with zeros
      uppers[i] = is_row ? rows.weights(first + i)[0] : 0;
      lowers[i] = is_row ? rows.weights(first + i)[1] : 0;
    }
    int cell = 0;
    while (cell < width) {
      if (lengths[cell] > 1) {
        label_cell(cell, first, end);
        ++cell;
        continue;
      }
      // Neighboring cells in which the same class alone can win are filled at once.
      const std::int32_t label = lists[cell * classes];
      int next = cell + 1;
      while (next < width && lengths[next] == 1 && lists[next * classes] == label) ++next;
      fill(first, end, starts[cell], starts[next], label);
      cell = next;
    }
  }

 private:
  const float* row_of(int label, int y) const {
    return x + (static_cast<std::size_t>(label) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(width);
  }

  /// The ceilings of a class, one for each cell.
  float* ceilings_of(int label) const {
    return ceilings + static_cast<std::size_t>(label) * static_cast<std::size_t>(whole_vectors(width + 1));
  }

  /// Finds, for each cell between two rows of numbers, the largest corner of each class (its ceiling) and the best of
  /// all smallest corners (the floor): a class whose ceiling is below the floor cannot win. Reads each class once,
  /// because rows of all classes often lie at a power of two, in the same lines of the cache.
  void find_ceilings(int upper, int lower) {
    float* __restrict low = lows;
    float* __restrict high = highs;
    float* __restrict cell_floor = floor;
    for (int i = 0; i < width; ++i) cell_floor[i] = -kInfinity;
    for (int label = 0; label < classes; ++label) {
      const float* top = row_of(label, upper);
      const float* bottom = row_of(label, lower);
      float* __restrict ceiling = ceilings_of(label);
      for (int i = 0; i < width; ++i) {
        low[i] = lesser(top[i], bottom[i]);
        high[i] = greater(top[i], bottom[i]);
      }
      low[width] = low[width - 1];  // the last cell has the edge's numbers on both sides
      high[width] = high[width - 1];
      for (int i = 0; i < width; ++i) {
        cell_floor[i] = greater(cell_floor[i], lesser(low[i], low[i + 1]));
        ceiling[i] = greater(high[i], high[i + 1]);
      }
    }
  }

  /// Lists, for each cell, the classes whose ceiling reaches the floor, less the margin.
  void find_candidates() {
    for (int i = 0; i < width; ++i) {
      floor[i] -= margin;
      lengths[i] = 0;
    }
    for (int label = 0; label < classes; ++label) {
      const float* ceiling = ceilings_of(label);
      for (int i = 0; i < width; i += kFloats) {
        const v128_t reaches = wasm_f32x4_ge(load(ceiling + i), load(floor + i));
        each_lane(reaches, i, width, [&](int cell) { lists[cell * classes + lengths[cell]++] = label; });
      }
    }
  }

  /// Writes one label to rows `first` to `end` of columns `left` to `right`.
  void fill(int first, int end, int left, int right, std::int32_t label) const {
    for (int y = first; y < end; ++y) {
      std::int32_t* to = row_of_labels(y);
      for (int column = left; column < right; ++column) to[column] = label;
    }
  }

  std::int32_t* row_of_labels(int y) const {
    return labels + static_cast<std::size_t>(y) * static_cast<std::size_t>(columns.count);
  }

  /// Labels a band's rows in a cell that several classes can win.
  void label_cell(int cell, int first, int end) {
    const std::int32_t* list = lists + cell * classes;
    const int length = lengths[cell];
    if (starts[cell] == starts[cell + 1]) return;  // no column of the result lies in it
    const int left = columns.at(starts[cell], 0);
    const int right = columns.at(starts[cell], 1);
    for (int k = 0; k < whole_vectors(length); ++k) {
      const int label = list[k < length ? k : length - 1];  // the last vector is filled up with the last class
      const float* top = row_of(label, rows.at(first, 0));
      const float* bottom = row_of(label, rows.at(first, 1));
      corners[kTopLeft][k] = top[left];
      corners[kTopRight][k] = top[right];
      corners[kBottomLeft][k] = bottom[left];
      corners[kBottomRight][k] = bottom[right];
    }
    for (int column = starts[cell]; column < starts[cell + 1]; ++column) {
      const int count = find_finalists(list, length, columns.weights(column));
      if (count == 1) {
        fill(first, end, column, column + 1, finalists[0]);
      } else {
        for (int y = first; y < end; y += kFloats) label_pixels(count, first, y, end, column);
      }
    }
  }

  /// Lists in `finalists` which of a cell's classes can win in a column with the weights `u`, with their exact numbers
  /// in `tops` and `bottoms`: those whose greater number, of two rows, reaches the best of the lesser ones, less the
  /// margin. These numbers are within 4 units of 2^-24 of the exact ones, which a pixel passes by at most 2.5: 13 units
  /// for two classes, 7.8e-7. Returns how many classes are listed: of noise, a fifth.
  int find_finalists(const std::int32_t* list, int length, const float* u) {
    const v128_t u0 = wasm_f32x4_splat(u[0]);
    const v128_t u1 = wasm_f32x4_splat(u[1]);
    v128_t best = wasm_f32x4_splat(-kInfinity);
    for (int k = 0; k < length; k += kFloats) {
      const v128_t top = about(load(corners[kTopLeft] + k), u0, load(corners[kTopRight] + k), u1);
      const v128_t bottom = about(load(corners[kBottomLeft] + k), u0, load(corners[kBottomRight] + k), u1);
      best = wasm_f32x4_pmax(best, wasm_f32x4_pmin(top, bottom));
      store(peaks + k, wasm_f32x4_pmax(top, bottom));
    }
    const v128_t limit = wasm_f32x4_splat(greatest_lane(best) - margin);
    int count = 0;
    for (int k = 0; k < length; k += kFloats) {
      each_lane(wasm_f32x4_ge(load(peaks + k), limit), k, length, [&](int place) {
        finalists[count] = list[place];
        tops[count] = fused(corners[kTopLeft][place], u[0], corners[kTopRight][place] * u[1]);
        bottoms[count++] = fused(corners[kBottomLeft][place], u[0], corners[kBottomRight][place] * u[1]);
      });
    }
    return count;
  }

  /// Writes the labels of four pixels of a column, from row `y` on, by numbers within 4 units of 2^-24 of the exact
  /// ones, of `count` finalists. Where the best two are nearer than the margin, the exact ones decide.
  void label_pixels(int count, int first, int y, int end, int column) {
    const v128_t v0 = load(uppers + y - first);
    const v128_t v1 = load(lowers + y - first);
    v128_t best = wasm_f32x4_splat(-kInfinity);
    v128_t second = best;
    v128_t winner = wasm_i32x4_splat(0);
    for (int k = 0; k < count; ++k) {
      const v128_t value = about(wasm_f32x4_splat(tops[k]), v0, wasm_f32x4_splat(bottoms[k]), v1);
      winner = wasm_v128_bitselect(wasm_i32x4_splat(finalists[k]), winner, wasm_f32x4_gt(value, best));
      second = wasm_f32x4_pmax(second, wasm_f32x4_pmin(value, best));
      best = wasm_f32x4_pmax(best, value);
    }
    const v128_t gap = wasm_f32x4_sub(best, second);
    const std::uint32_t close = wasm_i32x4_bitmask(wasm_f32x4_le(gap, wasm_f32x4_splat(margin)));
    std::int32_t winners[kFloats];
    store(winners, winner);
    for (int lane = 0; lane < kFloats && y + lane < end; ++lane) {
      const bool is_close = (close >> lane & 1) != 0;
      row_of_labels(y + lane)[column] = is_close ? exact_label(count, rows.weights(y + lane)) : winners[lane];
    }
  }

  /// The first finalist with the greatest exact number, of a pixel whose row has the weights `v`.
  std::int32_t exact_label(int count, const float* v) const {
    int best = 0;
    float value = fused(tops[0], v[0], bottoms[0] * v[1]);
    for (int k = 1; k < count; ++k) {
      const float other = fused(tops[k], v[0], bottoms[k] * v[1]);
      if (!(other > value)) continue;
      best = k;
      value = other;
    }
    return finalists[best];
  }
};

}  // namespace

/// Finds the columns of the result that lie in each cell, then labels one row of cells after the other.
bool label_cells(const ClassMaps& from, int to_height, int to_width, Arena& arena, std::int32_t* labels) {
  CellLabels work{};
  work.x = from.x;
  work.classes = from.classes;
  work.height = from.height;
  work.width = from.width;
  work.columns.count = to_width;
  work.rows.count = to_height;
  work.labels = labels;
  work.take_memory(arena);
  const bool is_small = to_height + to_width <= 128;  // torch then takes other weights
  if (arena.counts() || is_small) return false;
  const auto size = static_cast<std::size_t>(from.height) * static_cast<std::size_t>(from.width);
  const float largest = largest_size(from.x, static_cast<std::size_t>(from.classes) * size);
  if (largest > std::numeric_limits<float>::max()) return false;
  work.margin = kMargin * largest;
  make_taps(Mode::kBilinear, from.width, false, false, work.columns);
  make_taps(Mode::kBilinear, from.height, false, false, work.rows);
  for (int cell = 0, column = 0; cell <= from.width; ++cell) {
    while (column < to_width && work.columns.at(column, 0) < cell) ++column;
    work.starts[cell] = column;  // the result's first column past the cell's left number
  }
  for (int first = 0, end = 0; first < to_height; first = end) {  // a band has the same upper row of numbers
    while (end < to_height && work.rows.at(end, 0) == work.rows.at(first, 0)) ++end;
    work.label_band(first, end);
  }
  return true;
}

}  // namespace layout
