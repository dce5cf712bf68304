#pragma once

#include <cstring>
#include <vector>

#include "alpha_oracle.h"
#include "float_taps_oracle.h"
#include "opencv_oracle.h"
#include "passes_oracle.h"
#include "reduce_oracle.h"
#include "resize/plan.h"

// A resize of a whole picture: each pass over all of it at once, number by number. Its tables are made in one piece.

struct Picture {
  int width, height, channels;
  std::vector<std::uint8_t> data;
  Picture(int columns, int rows, int bytes)
      : width(columns), height(rows), channels(bytes), data(static_cast<std::size_t>(columns * rows * bytes)) {}
  std::uint8_t* at(int x, int y) { return data.data() + (y * width + x) * channels; }
  const std::uint8_t* at(int x, int y) const { return data.data() + (y * width + x) * channels; }
};

/// A picture whose rows are another one's columns.
inline Picture turned(const Picture& picture) {
  Picture result(picture.height, picture.width, picture.channels);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) std::copy_n(picture.at(x, y), picture.channels, result.at(y, x));
  return result;
}

inline layout::OpenCvAxis opencv_axis_of(const layout::PlanAxis& axis) {
  return {static_cast<layout::Rule>(axis.filter), axis.extent, axis.size, axis.factor};
}

/// The pixels of an axis, each made of a picture's columns.
inline Picture columns_rule(const Picture& picture, const layout::PlanAxis& axis, layout::Sums sums, bool is_nearest,
                            Random& random) {
  Picture result(axis.count, picture.height, picture.channels);
  if (axis.filter == layout::kNone || (is_nearest && sums == layout::Sums::kOpencv)) {
    for (int x = 0; x < axis.count; ++x) {
      const int i = axis.first + x;
      const int from = axis.filter == layout::kNone ? static_cast<int>(axis.from) + i
                                                    : opencv_taps_rule(opencv_axis_of(axis), true, i)[0].pixel;
      for (int y = 0; y < picture.height; ++y) std::copy_n(picture.at(from, y), picture.channels, result.at(x, y));
    }
    return result;
  }
  const layout::ResizeAxis whole = {static_cast<layout::Filter>(axis.filter), axis.extent, axis.from, axis.to,
                                    axis.size};
  const MadeTable made(whole, sums, axis.first, axis.count, -1, random);
  for (int x = 0; x < axis.count; ++x) {
    const layout::Taps& taps = made.table().taps()[x];
    for (int y = 0; y < picture.height && taps.count > 0; ++y) {
      const std::uint8_t* from = picture.at(taps.first, y);
      if (is_nearest) std::copy_n(from, picture.channels, result.at(x, y));
      for (int c = 0; c < picture.channels && !is_nearest; c += sums == layout::Sums::kDouble ? 4 : 1)
        number_rule(made.table(), x, from + c, picture.channels, result.at(x, y) + c);
    }
  }
  return result;
}

inline Picture opencv_picture_rule(const Picture& picture, const layout::ResizeRequest& request) {
  const layout::PlanAxis &columns = request.columns, &rows = request.rows;
  Picture result(columns.count, rows.count, picture.channels);
  const int grouped = columns.size * request.counted / 8 * 8;
  for (int y = 0; y < rows.count; ++y) {
    const auto down = opencv_taps_rule(opencv_axis_of(rows), false, rows.first + y);
    for (int x = 0; x < columns.count; ++x) {
      const auto across = opencv_taps_rule(opencv_axis_of(columns), true, columns.first + x);
      for (int c = 0; c < picture.channels; ++c) {
        const int pixel = columns.first + x, whole = grouped / request.counted;
        const int place = request.is_bgr ? request.counted - 1 - c : c;
        const bool is_grouped = pixel < whole || (pixel == whole && place >= 0 && place < grouped % request.counted);
        result.at(x, y)[c] = opencv_number(static_cast<layout::Rule>(columns.filter), across, down, is_grouped,
                                           [&](int row, int column) { return picture.at(column, row)[c]; });
      }
    }
  }
  return result;
}

inline Picture cells_rule(const Picture& picture, const layout::ResizeRequest& request) {
  const bool is_float = request.sums == layout::Sums::kDouble;
  const int wide = request.factor_x, high = request.factor_y;
  const layout::Cells cells = {wide,
                               high,
                               request.right - request.left,
                               is_float ? 1 : picture.channels,
                               is_float,
                               request.sums == layout::Sums::kOpencv};
  Picture result((request.right - request.left + wide - 1) / wide, (request.bottom - request.top + high - 1) / high,
                 picture.channels);
  const int stride = picture.width * picture.channels;
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      const int left = request.left + x * wide, top = request.top + y * high;
      const int width = std::min(wide, request.right - left), height = std::min(high, request.bottom - top);
      const std::uint8_t* corner = picture.at(left, top);
      const float mean = is_float ? mean_rule(cells, corner, stride, width, height) : 0;
      if (is_float) std::memcpy(result.at(x, y), &mean, 4);
      for (int c = 0; c < picture.channels && !is_float; ++c)
        result.at(x, y)[c] = cells.is_opencv ? opencv_mean_rule(cells, corner + c, picture.channels, stride)
                                             : mean_rule(cells, corner + c, picture.channels, stride, width, height);
    }
  }
  return result;
}

inline void alpha_rule(layout::Alpha change, Picture& picture) {
  layout::change_alpha(change, picture.channels, picture.data.data(),
                       static_cast<std::size_t>(picture.width * picture.height));
}

/// Four products of two weights each, the later pixel's first. A pixel that is not there is 0.
template <typename Number>
float pairs_rule(const FloatRule& columns, const FloatRule& rows, const Number& number_at) {
  FloatRule rule;
  std::vector<float> numbers;
  const auto add = [&](std::size_t row, std::size_t column) {
    if (row >= rows.taps.size() || column >= columns.taps.size()) return;
    volatile float weight = rows.taps[row].weight * columns.taps[column].weight;
    rule.taps.push_back({static_cast<int>(numbers.size()), weight});
    numbers.push_back(number_at(columns.taps[column].pixel, rows.taps[row].pixel));
  };
  // Where one of two pixels is not there, the other one is the earlier.
  const std::size_t left = columns.taps.size() - 1, upper = rows.taps.size() - 1;
  if (columns.taps.empty() || rows.taps.empty()) return 0;
  if (columns.taps.size() == 2) add(upper, 0);
  add(upper, left);
  if (rows.taps.size() == 2) add(0, left);
  if (rows.taps.size() == 2 && columns.taps.size() == 2) add(0, 0);
  return rule.sum([&](int k) { return numbers[static_cast<std::size_t>(k)]; });
}

/// Three numbers of float32 for each pixel.
inline Picture rescaled_rule(const Picture& picture, const layout::ResizeRequest& request) {
  const bool is_small = request.columns.size + request.rows.size <= 128;
  const auto axis_of = [&](const layout::PlanAxis& axis) {
    return layout::FloatAxis{static_cast<layout::FloatFilter>(axis.filter),
                             axis.extent,
                             axis.size,
                             static_cast<int>(axis.to - axis.from),
                             static_cast<int>(-axis.from),
                             axis.factor,
                             is_small};
  };
  using layout::FloatFilter;
  const auto filter = static_cast<FloatFilter>(request.columns.filter);
  const bool is_bilinear = filter == FloatFilter::kBilinearPoint || filter == FloatFilter::kBilinearCorners;
  const bool has_pairs = is_small && is_bilinear && request.rows.filter == request.columns.filter &&
                         request.columns.factor == 0 && request.rows.factor == 0;
  std::vector<FloatRule> rows;
  for (int y = 0; y < request.rows.count; ++y)
    rows.push_back(float_axis_rule(axis_of(request.rows), request.rows.first + y));
  Picture result(request.columns.count, request.rows.count, 12);
  for (int x = 0; x < result.width; ++x) {
    const FloatRule columns = float_axis_rule(axis_of(request.columns), request.columns.first + x);
    for (int c = 0; c < 3; ++c) {
      const int channel = picture.channels < 3 ? 0 : request.rescaling.sources[c];
      const auto number_at = [&](int pixel, int row) {
        return request.rescaling.numbers[c][picture.at(pixel, row)[channel]];
      };
      std::vector<float> middle;
      for (int y = 0; y < picture.height; ++y)
        middle.push_back(columns.sum([&](int pixel) { return number_at(pixel, y); }));
      for (int y = 0; y < result.height; ++y) {
        const FloatRule& own = rows[static_cast<std::size_t>(y)];
        float number = own.sum([&](int row) { return middle[static_cast<std::size_t>(row)]; });
        if (has_pairs) number = pairs_rule(columns, own, number_at);
        const layout::FloatNumbers& finish = request.rescaling.finish;
        if (finish.is_rounded) number = std::rint(number);
        number = std::min(std::max(number, finish.low), finish.high);
        number = (number * finish.scale / finish.divisor - finish.mean[c]) / finish.std[c];
        std::memcpy(result.at(x, y) + 4 * c, &number, 4);
      }
    }
  }
  return result;
}

inline Picture resize_rule(Picture picture, const layout::ResizeRequest& request, Random& random) {
  using layout::Alpha;
  if (request.alpha != layout::kNone) alpha_rule(static_cast<Alpha>(request.alpha), picture);
  if (request.sums == layout::Sums::kRescaled) return rescaled_rule(picture, request);
  if (request.factor_x != layout::kNone) picture = cells_rule(picture, request);
  if (request.sums == layout::Sums::kOpencv && request.columns.filter != layout::kNone && !request.is_nearest)
    return opencv_picture_rule(picture, request);
  const auto across = [&] {
    picture = columns_rule(picture, request.columns, request.sums, request.is_nearest, random);
  };
  if (!request.is_down_first) across();
  picture = turned(columns_rule(turned(picture), request.rows, request.sums, request.is_nearest, random));
  if (request.is_down_first) across();
  if (request.alpha == static_cast<int>(Alpha::kPremultiply)) alpha_rule(Alpha::kUnpremultiply, picture);
  return picture;
}

/// A memory of plans. AddressSanitizer reports what lies behind it.
struct PlanMemory {
  std::vector<double> bytes;
  explicit PlanMemory(std::size_t size) : bytes(size / 8 + 8) {}
  std::uint8_t* start() {
    auto* first = reinterpret_cast<std::uint8_t*>(bytes.data());
    return first + (64 - reinterpret_cast<std::uintptr_t>(first) % 64) % 64;
  }
};

/// Goes through the steps of a plan, as a caller does.
inline Picture run_steps(std::uint8_t* memory, std::size_t size, const Picture& picture,
                         const layout::ResizeRequest& request) {
  const bool is_rescaled = request.sums == layout::Sums::kRescaled;
  Picture result(request.columns.count, request.rows.count, is_rescaled ? 12 : picture.channels);
  const auto check_place = [&](std::int64_t at, std::int64_t bytes) {
    check(at > 0 && at + bytes <= static_cast<std::int64_t>(size), "%d bytes at %d", static_cast<int>(bytes),
          static_cast<int>(at));
  };
  while (layout::resize_step(memory)) {
    const auto& step = *reinterpret_cast<const layout::ResizeStep*>(memory);
    const int bytes = step.columns * result.channels, staged = step.staged_columns * picture.channels;
    for (int i = 0; i < step.rows; ++i) {
      check_place(step.at + i * bytes, bytes);
      const std::uint8_t* from = memory + step.at + i * bytes;
      if (!is_rescaled) std::copy_n(from, bytes, result.at(step.column, step.row + i));
      for (int k = 0; is_rescaled && k < 3 * step.columns; ++k)
        std::copy_n(from + 4 * k, 4, result.at(step.column + k % step.columns, step.row + i) + k / step.columns * 4);
    }
    for (int run = 0; run < step.runs; ++run) {
      const auto [at, row, rows] = step.run[run];
      check(row >= 0 && row + rows <= picture.height && step.staged_column >= 0 &&
                step.staged_column + step.staged_columns <= picture.width,
            "rows %d to %d, columns from %d", row, row + rows, step.staged_column);
      for (int i = 0; i < rows; ++i) {
        check_place(at + i * staged, staged);
        std::copy_n(picture.at(step.staged_column, row + i), staged, memory + at + i * staged);
      }
    }
  }
  return result;
}

/// Resizes a picture by a plan, and once more by a copy of it. `expected`: what the rule makes of it.
inline void check_plan(const Picture& picture, const layout::ResizeRequest& request, const Picture& expected,
                       std::size_t size, Random& random) {
  PlanMemory memory(size);
  std::memcpy(memory.start(), &request, sizeof request);
  const std::size_t kept = layout::plan_resize(memory.start(), size);
  PlanMemory copy(size);
  for (double& number : copy.bytes) number = static_cast<double>(random.bits());
  std::copy_n(memory.start(), kept, copy.start());
  for (PlanMemory* each : {&memory, &copy}) {
    if (each == &copy && kept == 0) continue;
    const Picture actual = run_steps(each->start(), size, picture, request);
    const auto [differs, same] = std::mismatch(actual.data.begin(), actual.data.end(), expected.data.begin());
    const auto at = static_cast<int>(differs - actual.data.begin());
    check(differs == actual.data.end(),
          "sums %d, filters %d and %d, %d channels, %d x %d to %d x %d in %d bytes, copy %d: byte %d of row %d",
          static_cast<int>(request.sums), request.columns.filter, request.rows.filter, picture.channels, picture.width,
          picture.height, request.columns.size, request.rows.size, static_cast<int>(size), each == &copy,
          at % (expected.width * expected.channels), at / (expected.width * expected.channels));
  }
}
