#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "resize/float_taps.h"
#include "resize/opencv.h"
#include "resize/plan.h"

namespace layout {

/// Whether the result's width and height add up to at most kSmallSides: torch takes other kernels for such results,
/// which round their steps differently.
inline bool has_small_sides(const ResizeRequest& request) {
  return request.columns.size + request.rows.size <= kSmallSides;
}

/// How the pixels of an axis are made, by the library whose sums a request asks for.
class AxisRule {
 public:
  static AxisRule of_columns(const ResizeRequest& request) { return {request, request.columns, true}; }
  static AxisRule of_rows(const ResizeRequest& request) { return {request, request.rows, false}; }

  /// Whether the pixels of the result are the source's.
  bool keeps_pixels() const { return axis.filter == kNone; }

  /// The most pixels of the source that one pixel of the result is made of.
  int support() const {
    if (keeps_pixels()) return 1;
    if (sums == Sums::kRescaled) return max_float_taps(float_axis());
    if (sums == Sums::kOpencv) return max_opencv_taps(opencv_axis());
    return max_taps(resize_axis());
  }

  /// How many pixels of the source one pixel of the result advances: above 1 where the axis shrinks.
  double scale() const { return sums == Sums::kOpencv ? 1.0 / axis.factor : (axis.to - axis.from) / axis.size; }

  /// The most pixels of the source that `pixels` pixels of the result side by side need: as far as they advance, those
  /// of the last one, and one more for rounding.
  std::int64_t span(int pixels) const {
    if (keeps_pixels()) return pixels;
    const auto reached = static_cast<std::int64_t>(std::ceil(pixels * scale())) + support() + 1;
    return std::min<std::int64_t>(axis.extent, reached);
  }

  /// The bytes of a table for `pixels` pixels of the result; 0 where the axis has no filter and so no table.
  std::int64_t coefficient_bytes(int pixels) const {
    if (keeps_pixels()) return 0;
    if (sums == Sums::kRescaled) return static_cast<std::int64_t>(float_table_bytes(float_axis(), pixels));
    if (sums == Sums::kOpencv) return static_cast<std::int64_t>(opencv_table_bytes(opencv_axis(), pixels));
    return static_cast<std::int64_t>(table_bytes(resize_axis(), pixels));
  }

  /// Writes the table of `count` pixels of the result to `to`. Pixel `first` counts from the first one that the request
  /// asks for. All tables of an axis have weights with the same number of fraction bits: `precision` is what
  /// the axis' first table returned, and kNone for this first one. Returns kNone where the weights have no such bits.
  int make_coefficients(int first, int count, int precision, std::uint8_t* to) const {
    if (keeps_pixels()) return kNone;
    const int first_pixel = axis.first + first;
    if (sums == Sums::kRescaled) {
      make_float_taps(float_axis(), first_pixel, count, to);
      return kNone;
    }
    if (sums == Sums::kOpencv) {
      make_opencv_taps(opencv_axis(), is_across, first_pixel, count, to);
      return kNone;
    }
    return make_taps(resize_axis(), sums, first_pixel, count, precision, to);
  }

 private:
  AxisRule(const ResizeRequest& request, const PlanAxis& of, bool runs_across)
      : axis(of), sums(request.sums), is_across(runs_across), is_small(has_small_sides(request)) {}

  /// The axis as Pillow's filters and torch's for bytes read it.
  ResizeAxis resize_axis() const {
    return {static_cast<Filter>(axis.filter), axis.extent, axis.from, axis.to, axis.size};
  }
  OpenCvAxis opencv_axis() const { return {static_cast<Rule>(axis.filter), axis.extent, axis.size, axis.factor}; }
  /// The axis that torch resizes: the source with pixels before and after it, where `from` and `to` lie beyond it.
  FloatAxis float_axis() const {
    return {.filter = static_cast<FloatFilter>(axis.filter),
            .extent = axis.extent,
            .size = axis.size,
            .padded_extent = static_cast<std::int32_t>(axis.to - axis.from),
            .border = static_cast<std::int32_t>(-axis.from),
            .sigma = axis.factor,
            .is_small = is_small};
  }

  const PlanAxis& axis;
  const Sums sums;
  const bool is_across, is_small;
};

}  // namespace layout
