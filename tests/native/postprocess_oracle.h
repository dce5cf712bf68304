#pragma once

// Checks of answers that the native tests and the fuzzer share: selection against libstdc++ itself, labels of cells
// against all classes computed, thresholds against stored numbers, and steps of planes with memory of exactly the size
// that they ask for.

#include <cmath>
#include <set>
#include <vector>

#include "check.h"
#include "postprocess/approximate.h"
#include "postprocess/axis_resize.h"
#include "postprocess/boxes.h"
#include "postprocess/keypoints.h"
#include "postprocess/labels.h"
#include "postprocess/maps.h"
#include "postprocess/planes.h"
#include "postprocess/rows.h"
#include "postprocess/runs.h"
#include "postprocess/select.h"

inline std::vector<float> numbers(std::size_t count, int values, Random& random) {
  std::vector<float> made(count);
  for (float& value : made) value = static_cast<float>(random.below(values)) / 8 - 4;
  return made;
}

/// torch selects by partial_sort where few are wanted, else by nth_element and sort.
inline void check_top_k(Random& random) {
  const int length = 1 + random.below(400);
  const int count = 1 + random.below(length);
  const auto x = numbers(static_cast<std::size_t>(length), 1 + random.below(900), random);
  std::vector<layout::Ranked> items(x.size()), wanted;
  layout::top_k(x.data(), x.size(), static_cast<std::size_t>(count), true, items.data());
  for (std::size_t i = 0; i < x.size(); ++i) wanted.push_back({x[i], static_cast<std::int32_t>(i)});
  const auto before = [](const layout::Ranked& a, const layout::Ranked& b) { return a.value > b.value; };
  if (64 * count <= length) {
    std::partial_sort(wanted.begin(), wanted.begin() + count, wanted.end(), before);
  } else {
    std::nth_element(wanted.begin(), wanted.begin() + count - 1, wanted.end(), before);
    std::sort(wanted.begin(), wanted.begin() + count - 1, before);
  }
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    check(items[at].value == wanted[at].value, "value %d of %d of %d", i, count, length);
#ifdef __GLIBCXX__
    check(items[at].index == wanted[at].index, "index %d of %d of %d", i, count, length);
#endif
  }
}

/// The block of planes and its steps; addresses pass as float64.
inline double address(const void* at) { return static_cast<double>(reinterpret_cast<std::uintptr_t>(at)); }

inline std::vector<std::uint8_t> scratch_of(const std::vector<double>& block) {
  layout::Arena counter(nullptr);
  layout::make_rows(block.data(), counter);
  return std::vector<std::uint8_t>(counter.used());
}

/// Moves numbers by up to 8 ULP.
inline void nudge(std::vector<float>& x, Random& random) {
  for (float& value : x) {
    for (int i = random.below(9); i > 0; --i) value = std::nextafter(value, 100.0F);
  }
}

inline void check_labels(Random& random) {
  const int classes = 1 + random.below(40), height = 1 + random.below(12), width = 1 + random.below(12);
  const int to_height = 60 + random.below(80), to_width = 70 + random.below(80);
  auto x = numbers(static_cast<std::size_t>(classes * height * width), 1 + random.below(60), random);
  if (random.below(2) == 0) nudge(x, random);
  const auto size = static_cast<std::size_t>(to_height * to_width);
  std::vector<std::int32_t> labels(size), wanted(size);
  layout::Arena counter(nullptr);
  layout::label_cells({nullptr, classes, height, width}, to_height, to_width, counter, nullptr);
  std::vector<std::uint8_t> memory(counter.used());
  layout::Arena arena(memory.data());
  check(layout::label_cells({x.data(), classes, height, width}, to_height, to_width, arena, labels.data()), "cells");
  const std::vector<double> block{address(x.data()),
                                  double(classes),
                                  double(classes),
                                  double(height),
                                  double(width),
                                  1,
                                  0,
                                  double(to_height),
                                  double(to_width),
                                  2,
                                  0};
  auto scratch = scratch_of(block);
  layout::Arena steps(scratch.data());
  std::vector<float> best(static_cast<std::size_t>(to_width));
  layout::label_planes(*layout::make_rows(block.data(), steps), wanted.data(), nullptr, best.data());
  check(labels == wanted, "%d x %d x %d to %d x %d", classes, height, width, to_height, to_width);
}

/// Numbers above a threshold beside the stored numbers: near it, equal to it, and without an order.
inline void check_thresholds(Random& random) {
  const int height = 1 + random.below(9), width = 1 + random.below(9);
  const int to_height = 90 + random.below(40), to_width = 1 + random.below(140);
  auto x = numbers(static_cast<std::size_t>(height * width), 1 + random.below(60), random);
  if (random.below(9) == 0) {
    for (float& value : x) value *= 0x1p-149F;  // what underflows when it is weighted
  }
  const float threshold = random.below(4) == 0 ? 0 : x[0];
  if (random.below(2) == 0) nudge(x, random);
  for (const float special : {std::nanf(""), INFINITY, -INFINITY, 1e-45F, -1e-45F}) {
    if (random.below(4) == 0) x[static_cast<std::size_t>(random.below(height * width))] = special;
  }
  const std::vector<double> block{
      address(x.data()),      1, 1, double(height), double(width), 1, 0, double(to_height), double(to_width), 2,
      double(random.below(2))};
  const auto size = static_cast<std::size_t>(to_height * to_width);
  std::vector<float> stored(size);
  std::vector<std::uint8_t> bytes(size);
  auto scratch = scratch_of(block);
  const auto rows = [&] {
    layout::Arena arena(scratch.data());
    return layout::make_rows(block.data(), arena);
  };
  layout::store_planes(*rows(), stored.data());
  layout::threshold_planes(*rows(), threshold, bytes.data());
  for (std::size_t i = 0; i < size; ++i) {
    const int above = stored[i] > threshold ? 1 : 0;
    check(bytes[i] == above, "%d x %d to %d x %d at %d", height, width, to_height, to_width, static_cast<int>(i));
  }
}

/// Chains of all steps: only the sanitizers judge them.
inline void check_steps(Random& random) {
  const int planes = 1 + random.below(5), height = 2 + random.below(9), width = 2 + random.below(9);
  const auto x = numbers(static_cast<std::size_t>(planes * height * width), 70, random);
  const auto weights = numbers(static_cast<std::size_t>(8 * 3), 70, random);
  std::vector<std::int32_t> picked(static_cast<std::size_t>(1 + random.below(6)));
  for (auto& plane : picked) plane = random.below(planes);
  const auto count = static_cast<double>(picked.size());
  const double to_height = 2 + random.below(90), to_width = 2 + random.below(90), mode = random.below(4);
  const double align = mode >= 2 ? random.below(2) : 0;
  const std::vector<double> block{address(x.data()),
                                  double(planes),
                                  double(planes),
                                  double(height),
                                  double(width),
                                  8,
                                  2,
                                  address(picked.data()),
                                  count,
                                  count,  // gathered
                                  0,
                                  to_height,
                                  to_width,
                                  mode,
                                  align,  // resized
                                  3,      // sigmoid
                                  1,
                                  1,
                                  1,
                                  to_height - 1,
                                  to_width - 1,  // cut
                                  5,
                                  0.1,
                                  0.9,  // clamped
                                  4,
                                  3,
                                  7,  // scaled
                                  7,
                                  address(weights.data()),
                                  3,
                                  2,  // mixed
                                  0,
                                  40,
                                  30,
                                  2,
                                  0};  // resized
  auto scratch = scratch_of(block);
  layout::Arena arena(scratch.data());
  layout::PlaneRows& rows = *layout::make_rows(block.data(), arena);
  check(rows.planes == 2 && rows.height == 40 && rows.width == 30, "%d x %d", rows.height, rows.width);
  std::vector<float> made(2 * 40 * 30);
  layout::store_planes(rows, made.data());
  for (const float value : made) check(std::isfinite(value), "%g", static_cast<double>(value));
}

inline void check_runs(Random& random) {
  const auto height = static_cast<std::size_t>(1 + random.below(9)),
             width = static_cast<std::size_t>(1 + random.below(9));
  std::vector<std::uint8_t> mask(height * width), again(height * width);
  for (auto& byte : mask) byte = static_cast<std::uint8_t>(random.below(2));
  std::vector<std::uint32_t> counts(height * width + 1);
  const std::size_t length = layout::count_runs(mask.data(), height, width, counts.data());
  layout::fill_runs(counts.data(), length, height, width, again.data());
  check(mask == again, "%zu x %zu", height, width);
}

/// Suppression beside a loop over the kept boxes: equal boxes, empty ones, some without order, classes. Boxes begin at
/// -1, so that those of the next class touch the last ones where they are shifted by one more than the largest side.
inline void check_suppression(Random& random) {
  const auto count = static_cast<std::size_t>(1 + random.below(60));
  const bool by_class = random.below(2) == 0;
  std::vector<float> boxes(4 * count), shifted(4 * count), blocks(6 * (count + 3));
  std::vector<std::int32_t> order(count), classes(count), kept(count), wanted;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t side = 0; side < 4; ++side)
      boxes[4 * i + side] = static_cast<float>(random.below(6)) + (side < 2 ? -1 : boxes[4 * i + side - 2]);
    if (!by_class && random.below(9) == 0) boxes[4 * i + static_cast<std::size_t>(random.below(4))] = NAN;
    order[i] = static_cast<std::int32_t>(count - 1 - i);
    classes[i] = random.below(3);
  }
  const double threshold = double(random.below(6) - 1) / 4;
  const auto most = static_cast<std::size_t>(random.below(70));
  const auto overlaps = [&](std::int32_t p, std::int32_t q) {
    const float* a = boxes.data() + 4 * p;
    const float* b = boxes.data() + 4 * q;
    const float width = std::fmax(std::fmin(a[2], b[2]) - std::fmax(a[0], b[0]), 0.0F);
    const float height = std::fmax(std::fmin(a[3], b[3]) - std::fmax(a[1], b[1]), 0.0F);
    const float both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - width * height;
    const bool is_same = !by_class || classes[static_cast<std::size_t>(p)] == classes[static_cast<std::size_t>(q)];
    // A box of another class lies apart: shifted.
    return double((is_same ? width * height : 0) / (is_same ? both : both + width * height)) > threshold;
  };
  for (const std::int32_t box : order) {
    if (wanted.size() == most) break;
    bool is_kept = true;
    for (const std::int32_t better : wanted) is_kept = is_kept && !overlaps(better, box);
    if (is_kept) wanted.push_back(box);
  }
  kept.resize(layout::suppress({boxes.data(), order.data(), count, threshold}, by_class ? classes.data() : nullptr,
                               most, shifted.data(), blocks.data(), kept.data()));
  check(kept == wanted, "%d boxes above %g", static_cast<int>(count), threshold);
}

/// Peaks at the edges, maps without any, positions of a mesh that are no numbers.
inline void check_peaks_and_samples(Random& random) {
  const layout::Maps extents{1 + random.below(4), 1 + random.below(8), 1 + random.below(8)};
  const auto size = static_cast<std::size_t>(extents.count * extents.height * extents.width);
  auto maps = numbers(size, random.below(2) == 0 ? 20 : 90, random);
  const int radius = random.below(7);
  const std::vector<double> weights(static_cast<std::size_t>(radius + 1), 0.1);
  std::vector<double> line(static_cast<std::size_t>(std::max(extents.height, extents.width) + 2 * radius));
  std::vector<float> places(2 * static_cast<std::size_t>(extents.count)),
      values(static_cast<std::size_t>(extents.count));
  layout::find_peaks(maps.data(), extents, places.data(), values.data());
  const auto edge = random.below(2) == 0 ? layout::Edge::kMirror : layout::Edge::kZero;
  layout::blur_maps(maps.data(), extents, weights.data(), radius, edge, line.data());
  layout::refine_peaks(maps.data(), extents, places.data());
  std::vector<float> picture(3 * size), mesh(2 * size);
  for (float& position : mesh) position = random.below(9) == 0 ? NAN : static_cast<float>(random.below(99) - 49) / 20;
  std::vector<std::uint8_t> bytes(3 * size);
  layout::sample_picture({picture.data(), 3, extents.count * extents.height, extents.width}, mesh.data(), 255,
                         bytes.data());
}

/// The square of a point's distance from a line between two points.
inline double distance_to_line(const layout::Point& p, const layout::Point& a, const layout::Point& b) {
  const double dx = double(b.x) - double(a.x), dy = double(b.y) - double(a.y);
  const double x = double(p.x) - double(a.x), y = double(p.y) - double(a.y), square = dx * dx + dy * dy;
  const double along = square > 0 ? std::fmin(1, std::fmax(0, (x * dx + y * dy) / square)) : 0;
  return std::hypot(x - along * dx, y - along * dy);
}

/// Points that stay are some of the curve's, once each, and the others are near the lines between them: within the
/// distance of one that stayed first, which is within .71 of it of another line, as that line's end may be.
inline void check_approximation(Random& random) {
  const int count = 1 + random.below(40);
  std::vector<layout::Point> curve(static_cast<std::size_t>(count));
  const int values = 2 + random.below(90);
  for (auto& point : curve) point = {float(random.below(values)) / 4, float(random.below(values)) / 4};
  const double distance = double(random.below(40)) / 8;
  const bool is_closed = random.below(2) == 0;
  std::vector<std::int32_t> indices(5 * curve.size());
  const std::size_t kept = layout::approximate_polygon(curve.data(), curve.size(), distance, is_closed, indices.data());
  check(kept >= 1 && kept <= curve.size(), "%d of %d points", static_cast<int>(kept), count);
  indices.resize(kept);
  check(std::set<std::int32_t>(indices.begin(), indices.end()).size() == kept, "twice in %d points", count);
  const auto at = [&](std::size_t i) { return curve[static_cast<std::size_t>(indices[i % kept])]; };
  for (const auto& point : curve) {
    double least = distance_to_line(point, at(0), at(0));
    for (std::size_t i = 0; i + (is_closed ? 0 : 1) < kept; ++i)
      least = std::fmin(least, distance_to_line(point, at(i), at(i + 1)));
    check(least <= 3 * distance + 1e-6, "%g beyond %g in %d points", least, distance, count);
  }
}

/// A resize along an axis beside sums over all neighbors; of nearest neighbors, how near they are.
inline void check_axis_resize(Random& random) {
  layout::AxisResize by{};
  by.interpolation = random.below(3);
  by.coordinate = random.below(7);
  by.nearest = random.below(5);
  by.antialias = random.below(2);
  by.exclude_outside = random.below(2);
  by.length = 1 + random.below(20);
  by.count = 1 + random.below(30);
  by.scale = static_cast<double>(static_cast<float>(by.count) / static_cast<float>(by.length));
  by.start = double(random.below(9) - 2) / 4;
  by.end = double(random.below(9)) / 4;
  by.cubic = -0.75;
  by.extrapolation = 7;
  const auto length = static_cast<std::size_t>(by.length), count = static_cast<std::size_t>(by.count);
  const auto outer = static_cast<std::size_t>(1 + random.below(3)),
             inner = static_cast<std::size_t>(1 + random.below(40));
  const auto x = numbers(outer * length * inner, 64, random);
  std::vector<float> to(outer * count * inner);
  std::vector<std::int32_t> firsts(count);
  std::vector<double> weights(count * static_cast<std::size_t>(layout::count_taps(by)));
  layout::make_axis_taps(by, firsts.data(), weights.data());
  layout::resize_axis(by, firsts.data(), weights.data(), {x.data(), outer, inner}, to.data());
  const double n = by.length, m = by.count;
  for (std::size_t i = 0; i < count; ++i) {
    const double half = (double(i) + 0.5) * n / m;
    const double crop = m > 1 ? by.start * (n - 1) + double(i) * (by.end - by.start) * (n - 1) / (m - 1)
                              : 0.5 * (by.start + by.end) * (n - 1);
    const double corner = m > 1 ? double(i) * (n - 1) / (m - 1) : 0;
    const double places[] = {half - 0.5, half - 0.5, m > 1 ? half - 0.5 : 0, corner, double(i) * n / m, half, crop};
    const double place = places[static_cast<std::size_t>(by.coordinate)];
    if (by.coordinate == 6 && (std::fabs(place) < 1e-4 || std::fabs(place - n + 1) < 1e-4)) continue;  // either side
    const bool leaves = by.coordinate == 6 && (place < 0 || place > n - 1);
    check((firsts[i] < 0) == leaves, "place %g of %g", place, n);
    if (leaves) continue;
    const double shrink = by.antialias != 0 && by.interpolation != 0 && by.scale < 1 ? by.scale : 1;
    double sum = 0, total = 0;
    for (int k = -100; k < 200 && by.interpolation != 0; ++k) {
      const double d = std::fabs(k - place) * shrink, a = by.cubic;
      const double cubic = d < 1   ? (a + 2) * d * d * d - (a + 3) * d * d + 1
                           : d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a
                                   : 0;
      const double weight = by.interpolation == 2 ? cubic : std::fmax(0, 1 - d);
      if (by.exclude_outside != 0 && (k < 0 || k >= n)) continue;
      const auto from = static_cast<std::size_t>(std::fmin(n - 1, std::fmax(0, k)));
      sum += weight * double(x[from * inner]);
      total += weight;
    }
    const double got = double(to[i * inner]);
    if (by.interpolation != 0) {
      check(std::fabs(got - sum / total) < 1e-3, "%g instead of %g at %g of %g", got, sum / total, place, n);
    } else {
      const double near = double(firsts[i]), clamped = std::fmin(n - 1, std::fmax(0, place));
      check(std::fabs(near - clamped) < (by.nearest < 2 ? 0.501 : 1.001), "%g at %g of %g", near, place, n);
      check(got == double(x[static_cast<std::size_t>(firsts[i]) * inner]), "%g at %g", got, place);
    }
  }
}
