// Selection against libstdc++ itself, labels of cells against all classes computed, and steps of planes with memory of
// exactly the size that they ask for.

#include <cmath>
#include <vector>

#include "check.h"
#include "postprocess/keypoints.h"
#include "postprocess/labels.h"
#include "postprocess/maps.h"
#include "postprocess/planes.h"
#include "postprocess/rows.h"
#include "postprocess/runs.h"
#include "postprocess/select.h"

namespace {

std::vector<float> numbers(std::size_t count, int values, Random& random) {
  std::vector<float> made(count);
  for (float& value : made) value = static_cast<float>(random.below(values)) / 8 - 4;
  return made;
}

/// torch selects by partial_sort where few are wanted, else by nth_element and sort.
void check_top_k(Random& random) {
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
double address(const void* at) { return static_cast<double>(reinterpret_cast<std::uintptr_t>(at)); }

std::vector<std::uint8_t> scratch_of(const std::vector<double>& block) {
  layout::Arena counter(nullptr);
  layout::make_rows(block.data(), counter);
  return std::vector<std::uint8_t>(counter.used());
}

/// Moves numbers by up to 8 ULP.
void nudge(std::vector<float>& x, Random& random) {
  for (float& value : x) {
    for (int i = random.below(9); i > 0; --i) value = std::nextafter(value, 100.0F);
  }
}

void check_labels(Random& random) {
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
void check_thresholds(Random& random) {
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
  std::vector<float> stored(size), floats(size);
  std::vector<std::uint8_t> bytes(size);
  std::vector<std::int32_t> integers(size);
  auto scratch = scratch_of(block);
  const auto rows = [&] {
    layout::Arena arena(scratch.data());
    return layout::make_rows(block.data(), arena);
  };
  layout::store_planes(*rows(), stored.data());
  layout::threshold_planes(*rows(), threshold, floats.data());
  layout::threshold_planes(*rows(), threshold, bytes.data());
  layout::threshold_planes(*rows(), threshold, integers.data());
  for (std::size_t i = 0; i < size; ++i) {
    const int above = stored[i] > threshold ? 1 : 0;
    check(floats[i] == static_cast<float>(above) && bytes[i] == above && integers[i] == above,
          "%d x %d to %d x %d at %d", height, width, to_height, to_width, static_cast<int>(i));
  }
}

/// Chains of all steps: only the sanitizers judge them.
void check_steps(Random& random) {
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

void check_runs(Random& random) {
  const auto height = static_cast<std::size_t>(1 + random.below(9)),
             width = static_cast<std::size_t>(1 + random.below(9));
  std::vector<std::uint8_t> mask(height * width), again(height * width);
  for (auto& byte : mask) byte = static_cast<std::uint8_t>(random.below(2));
  std::vector<std::uint32_t> counts(height * width + 1);
  const std::size_t length = layout::count_runs(mask.data(), height, width, counts.data());
  layout::fill_runs(counts.data(), length, height, width, again.data());
  check(mask == again, "%zu x %zu", height, width);
}

/// Peaks at the edges, maps without any, positions of a mesh that are no numbers.
void check_peaks_and_samples(Random& random) {
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

}  // namespace

int main() {
  Random random(42);
  for (int i = 0; i < 3000; ++i) check_top_k(random);
  for (int i = 0; i < 2000; ++i) check_thresholds(random);
  for (int i = 0; i < 200; ++i) check_labels(random);
  for (int i = 0; i < 500; ++i) check_steps(random);
  for (int i = 0; i < 3000; ++i) check_runs(random);
  for (int i = 0; i < 2000; ++i) check_peaks_and_samples(random);
}
