#include "postprocess/labels.h"

#include <initializer_list>
#include <limits>

#include "postprocess/numbers.h"
#include "postprocess/resize.h"

namespace layout {

namespace {

constexpr float kMargin = 1e-6F;

/// The largest magnitude, or infinity where a number is not finite.
float magnitude(const float* x, std::size_t count) {
  float most = 0;
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float size = x[i] < 0 ? -x[i] : x[i];
    wrong |= size <= std::numeric_limits<float>::max() ? 0 : 1;
    most = size > most ? size : most;
  }
  return wrong != 0 ? std::numeric_limits<float>::infinity() : most;
}

float lesser(float a, float b) { return a < b ? a : b; }
float greater(float a, float b) { return a > b ? a : b; }

class CellLabels {
 public:
  const float* x;
  int classes;
  int height;
  int width;
  float margin;
  AxisTaps columns;
  AxisTaps rows;
  std::int32_t* starts;  // of each cell, the first column of the result
  float* floor;          // of each cell, the best of the smallest corners
  float* corners;        // extremes of both rows
  std::int32_t* lengths;
  std::int32_t* lists;  // of each cell, the classes that can win
  float* tops;          // of the classes of one column, the numbers of both rows
  float* bottoms;

  /// Labels of the result's rows `first` to `end`, which lie between the same two rows.
  void label_band(int first, int end, std::int32_t* labels) {
    find_candidates(rows.at(first, 0), rows.at(first, 1));
    for (int cell = 0; cell < width; ++cell) {
      if (starts[cell] == starts[cell + 1]) continue;
      if (lengths[cell] == 1) {
        fill(cell, first, end, labels);
      } else {
        compare(cell, first, end, labels);
      }
    }
  }

 private:
  const float* row_of(int klass, int y) const {
    return x + (static_cast<std::size_t>(klass) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(width);
  }

  void find_candidates(int upper, int lower) {
    const int last = width - 1;
    for (int i = 0; i < width; ++i) {
      floor[i] = -std::numeric_limits<float>::infinity();
      lengths[i] = 0;
    }
    for (int klass = 0; klass < classes; ++klass) {
      const float* a = row_of(klass, upper);
      const float* b = row_of(klass, lower);
      for (int i = 0; i < width; ++i) corners[i] = lesser(a[i], b[i]);
      for (int i = 0; i < last; ++i) floor[i] = greater(floor[i], lesser(corners[i], corners[i + 1]));
      floor[last] = greater(floor[last], corners[last]);
    }
    for (int i = 0; i < width; ++i) floor[i] -= margin;
    for (int klass = 0; klass < classes; ++klass) {
      const float* a = row_of(klass, upper);
      const float* b = row_of(klass, lower);
      for (int i = 0; i < width; ++i) corners[i] = greater(a[i], b[i]);
      corners[width] = corners[last];
      for (int i = 0; i < width; ++i) {
        if (greater(corners[i], corners[i + 1]) >= floor[i]) lists[i * classes + lengths[i]++] = klass;
      }
    }
  }

  void fill(int cell, int first, int end, std::int32_t* labels) const {
    const std::int32_t label = lists[cell * classes];
    for (int y = first; y < end; ++y) {
      std::int32_t* to = labels + static_cast<std::size_t>(y) * static_cast<std::size_t>(columns.count);
      for (int at = starts[cell]; at < starts[cell + 1]; ++at) to[at] = label;
    }
  }

  void compare(int cell, int first, int end, std::int32_t* labels) {
    const std::int32_t* list = lists + cell * classes;
    const int length = lengths[cell];
    for (int at = starts[cell]; at < starts[cell + 1]; ++at) {
      const float* u = columns.weights(at);
      const int left = columns.at(at, 0);
      const int right = columns.at(at, 1);
      for (int k = 0; k < length; ++k) {
        const float* a = row_of(list[k], rows.at(first, 0));
        const float* b = row_of(list[k], rows.at(first, 1));
        tops[k] = fused(a[left], u[0], a[right] * u[1]);
        bottoms[k] = fused(b[left], u[0], b[right] * u[1]);
      }
      for (int y = first; y < end; ++y) {
        const float* v = rows.weights(y);
        int best = 0;
        float value = fused(tops[0], v[0], bottoms[0] * v[1]);
        for (int k = 1; k < length; ++k) {
          const float other = fused(tops[k], v[0], bottoms[k] * v[1]);
          if (other > value) {
            best = k;
            value = other;
          }
        }
        labels[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns.count) + static_cast<std::size_t>(at)] =
            list[best];
      }
    }
  }
};

}  // namespace

bool label_cells(const ClassMaps& from, int to_height, int to_width, Arena& arena, std::int32_t* labels) {
  const auto [x, classes, height, width] = from;
  const auto cells = static_cast<std::size_t>(width);
  const auto count = static_cast<std::size_t>(classes);
  CellLabels work{};
  for (AxisTaps* axis : {&work.columns, &work.rows}) {
    axis->taps = 2;
    axis->count = axis == &work.columns ? to_width : to_height;
    const auto taps = 2 * static_cast<std::size_t>(axis->count);
    axis->indices = arena.take<std::int32_t>(taps);
    axis->factors = arena.take<float>(taps);
  }
  work.starts = arena.take<std::int32_t>(cells + 1);
  work.floor = arena.take<float>(cells);
  work.corners = arena.take<float>(cells + 1);
  work.lengths = arena.take<std::int32_t>(cells);
  work.lists = arena.take<std::int32_t>(cells * count);
  work.tops = arena.take<float>(count);
  work.bottoms = arena.take<float>(count);
  if (arena.counts() || to_height + to_width <= 128) return false;
  const float largest = magnitude(x, count * static_cast<std::size_t>(height) * cells);
  if (largest > std::numeric_limits<float>::max()) return false;
  work.x = x;
  work.classes = classes;
  work.height = height;
  work.width = width;
  work.margin = kMargin * largest;
  make_taps(Mode::kBilinear, width, false, false, work.columns);
  make_taps(Mode::kBilinear, height, false, false, work.rows);
  for (int cell = 0, at = 0; cell <= width; ++cell) {
    while (at < to_width && work.columns.at(at, 0) < cell) ++at;
    work.starts[cell] = at;
  }
  for (int first = 0, end = 0; first < to_height; first = end) {
    while (end < to_height && work.rows.at(end, 0) == work.rows.at(first, 0)) ++end;
    work.label_band(first, end, labels);
  }
  return true;
}

}  // namespace layout
