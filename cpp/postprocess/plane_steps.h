/// The steps that planes of numbers are made in: each is a kind of PlaneRows over another one.
#pragma once

#include "postprocess/numbers.h"
#include "postprocess/resize.h"
#include "postprocess/rows.h"

namespace layout {

/// The planes in memory.
class Source final : public PlaneRows {
 public:
  const float* data = nullptr;
  /// Returns row `y` of a plane, in place.
  const float* row(int plane, int y) override {
    const std::size_t rows_before =
        static_cast<std::size_t>(plane) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y);
    return data + rows_before * static_cast<std::size_t>(width);
  }
};

/// A part of each plane.
class Cropped final : public PlaneRows {
 public:
  PlaneRows* below = nullptr;
  int top = 0;
  int left = 0;
  const float* row(int plane, int y) override { return below->row(plane, y + top) + left; }
};

/// Some planes, by their indices.
class Gathered final : public PlaneRows {
 public:
  PlaneRows* below = nullptr;
  const std::int32_t* indices = nullptr;
  const float* row(int plane, int y) override { return below->row(indices[plane], y); }
};

/// Keeps the latest `rows` rows of each plane, in slots that rows take in turn. A slot has the number of its row, -1
/// for none.
class LatestRows {
 public:
  /// Takes the memory for `rows` rows of each plane.
  void init(Arena& arena, int planes, int rows, int width) {
    rows_ = rows;
    width_ = width;
    const auto slots = static_cast<std::uint64_t>(planes) * static_cast<std::uint64_t>(rows);
    numbers_ = arena.take<std::int32_t>(slots);
    data_ = arena.take<float>(slots * static_cast<std::uint64_t>(width));
    if (!arena.counts()) {
      for (std::uint64_t i = 0; i < slots; ++i) numbers_[i] = -1;
    }
  }
  /// The memory of a row; `is_new` where it held another row, so that the caller has to make this one.
  struct Slot {
    float* row;
    bool is_new;
  };
  /// Gives row `y` of a plane its slot. Neighboring rows have different slots.
  [[gnu::always_inline]] Slot slot(int plane, int y) {
    const int index = plane * rows_ + y % rows_;
    const bool is_new = numbers_[index] != y;
    numbers_[index] = y;
    return {data_ + static_cast<std::size_t>(index) * static_cast<std::size_t>(width_), is_new};
  }

 private:
  int rows_ = 0;
  int width_ = 0;
  std::int32_t* numbers_ = nullptr;
  float* data_ = nullptr;
};

/// Planes whose numbers are changed one by one. Rows are kept, because a resize looks at two or four neighbors.
class Mapped final : public PlaneRows {
 public:
  PlaneRows* below = nullptr;
  Step step = Step::kSigmoid;
  float first = 1;   // kScale: the factor; kClamp: the least number
  float second = 1;  // kScale: the divisor; kClamp: the greatest number
  LatestRows kept;
  /// Returns row `y` of a plane, which it makes by `step` from the row below where it is not kept.
  const float* row(int plane, int y) override {
    const auto [to, is_new] = kept.slot(plane, y);
    if (!is_new) return to;
    const float* from = below->row(plane, y);
    if (step == Step::kSigmoid) {
      sigmoid(from, static_cast<std::size_t>(width), to);
    } else if (step == Step::kScale) {
      for (int x = 0; x < width; ++x) to[x] = from[x] * first / second;
    } else if (step == Step::kClamp) {
      const auto clamped = [least = first, most = second](float value) {
        return value < least ? least : value > most ? most : value;
      };
      for (int x = 0; x < width; ++x) to[x] = clamped(from[x]);
    } else {
      for (int x = 0; x < width; ++x) to[x] = 1 / from[x];
    }
    return to;
  }
};

/// A plane for each class: a sum over the planes below, each times its weight for that class.
class Mixed final : public PlaneRows {
 public:
  PlaneRows* below = nullptr;
  const float* weights = nullptr;  // [planes below, stride]
  int stride = 0;
  LatestRows kept;
  /// Returns row `y` of a class' plane, which it sums over the planes below in float32 where it is not kept.
  const float* row(int plane, int y) override {
    const auto [to, is_new] = kept.slot(plane, y);
    if (!is_new) return to;
    for (int x = 0; x < width; ++x) to[x] = 0;
    for (int summand = 0; summand < below->planes; ++summand) {
      const float weight = weights[summand * stride + plane];
      const float* from = below->row(summand, y);
      for (int x = 0; x < width; ++x) to[x] += weight * from[x];
    }
    return to;
  }
};

/// Planes at another size. Keeps rows of the result, and the rows below that are resized along their columns already.
class Resized final : public PlaneRows {
 public:
  PlaneRows* below = nullptr;
  Mode mode = Mode::kBilinear;
  bool align = false;
  bool is_small = false;
  AxisTaps columns{};
  AxisTaps rows{};
  LatestRows across;
  LatestRows done;

  /// Returns row `y` of a plane at the new size, and makes it where it is not kept.
  const float* row(int plane, int y) override {
    const auto [to, is_new] = done.slot(plane, y);
    if (is_new) make_row(plane, y, to);
    return to;
  }
  bool blended_row(int plane, int y, BlendedRow& to) override {
    const bool blends_two_rows = rows.taps == 2 && !is_small;  // small results do both axes at once
    if (!blends_two_rows) return false;
    to = {{across_row(plane, rows.at(y, 0)), across_row(plane, rows.at(y, 1))}, rows.weights(y)};
    return true;
  }

 private:
  /// Makes row `y` of a plane of the result: nearest copies numbers; bilinear of small results sums both axes at once;
  /// else it blends two or four rows that are resized along their columns.
  void make_row(int plane, int y, float* to) {
    const float* weights = rows.weights(y);
    if (rows.taps == 1) {
      const float* from = below->row(plane, rows.at(y, 0));
      for (int x = 0; x < width; ++x) to[x] = from[columns.at(x, 0)];
    } else if (is_small) {
      const float* top = below->row(plane, rows.at(y, 0));
      const float* bottom = below->row(plane, rows.at(y, 1));
      // torch sums eight channels of a picture at a time in vectors, and the channels that are left in another order.
      constexpr int kLanes = 8;
      const int channel = plane % channels;
      const bool is_in_vector = channel < channels / kLanes * kLanes;
      resize_small_row(top, bottom, columns, weights, is_in_vector, to);
    } else {
      const float* sources[4] = {};
      for (int tap = 0; tap < rows.taps; ++tap) sources[tap] = across_row(plane, rows.at(y, tap));
      blend_rows(sources, weights, rows.taps, width, to);
    }
  }

  /// Returns row `y` of the step below, resized to `width` columns. Makes it where it is not kept.
  const float* across_row(int plane, int y) {
    const auto [to, is_new] = across.slot(plane, y);
    if (is_new) resize_row(below->row(plane, y), columns, to);
    return to;
  }
};

}  // namespace layout
