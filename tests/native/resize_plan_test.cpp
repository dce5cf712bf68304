// Plans of resizing: that the memory holds every picture, and pictures that go through it piece by piece.

#include "plan_oracle.h"

namespace {

using layout::Filter;
using layout::FloatFilter;
using layout::kNone;
using layout::PlanAxis;
using layout::ResizeRequest;
using layout::Rule;
using layout::Sums;

constexpr std::size_t kBytes = std::size_t{12} << 20;

PlanAxis axis_of(int filter, int extent, int size) {
  return {filter, extent, 0, static_cast<double>(extent), size, 0, size, static_cast<double>(size) / extent};
}

ResizeRequest request_of(Sums sums, int channels, const PlanAxis& columns, const PlanAxis& rows) {
  ResizeRequest request = {};
  request.sums = sums;
  request.channels = request.counted = channels;
  request.alpha = request.factor_x = request.factor_y = kNone;
  request.columns = columns;
  request.rows = rows;
  request.rescaling.finish = {-1e9f, 1e9f, 1.0f, 1.0f, {0.5f, 0.25f, 0.75f}, {0.5f, 2.0f, 0.25f}, false};
  for (int c = 0; c < 3; ++c) {
    request.rescaling.sources[c] = 2 - c;
    for (int i = 0; i < 256; ++i) request.rescaling.numbers[c][i] = static_cast<float>(i + c) / 255.0f;
  }
  return request;
}

/// Plans ask by assertions whether they fit. One column of the result shows the same as all of them.
void check_fit(ResizeRequest request, std::uint8_t* memory) {
  request.columns.count = 1;
  for (const bool has_cells : {false, true}) {
    if (has_cells && request.sums == Sums::kRescaled) continue;
    if (has_cells) {
      request.factor_x = request.factor_y = 2;
      request.right = request.columns.extent;
      request.bottom = request.rows.extent;
      request.columns = axis_of(request.columns.filter, (request.right + 1) / 2, request.columns.size);
      request.rows = axis_of(request.rows.filter, (request.bottom + 1) / 2, request.rows.size);
      request.columns.count = 1;
    }
    std::memcpy(memory, &request, sizeof request);
    layout::plan_resize(memory, kBytes);
  }
}

void check_sizes() {
  PlanMemory memory(kBytes);
  const int sides[] = {1, 16, 3000, 65536};
  for (const int width : sides) {
    for (const int height : sides) {
      for (const int to_width : sides) {
        for (const int to_height : sides) {
          for (const Sums sums : {Sums::kPillow, Sums::kDouble}) {
            const int filter = static_cast<int>(Filter::kLanczos);
            check_fit(request_of(sums, 4, axis_of(filter, width, to_width), axis_of(filter, height, to_height)),
                      memory.start());
          }
          for (const Rule rule : {Rule::kLanczos4, Rule::kArea}) {
            if (rule == Rule::kArea && (to_width > width || to_height > height)) continue;
            const int code = static_cast<int>(rule);
            check_fit(request_of(Sums::kOpencv, 4, axis_of(code, width, to_width), axis_of(code, height, to_height)),
                      memory.start());
          }
          for (const FloatFilter filter : {FloatFilter::kLanczos, FloatFilter::kBilinearPoint}) {
            const int code = static_cast<int>(filter);
            PlanAxis columns = axis_of(code, width, to_width), rows = axis_of(code, height, to_height);
            for (PlanAxis* axis : {&columns, &rows})
              axis->factor = std::max(0.0, (static_cast<double>(axis->extent) / axis->size - 1) / 2);
            if (filter == FloatFilter::kLanczos) columns.factor = rows.factor = 0;
            check_fit(request_of(Sums::kRescaled, 4, columns, rows), memory.start());
          }
        }
      }
    }
  }
}

void check_pictures(Random& random) {
  struct Case {
    int channels, width, height, to_width, to_height;
  };
  // Many rows, long rows, blocks of columns, tables in pieces.
  const Case cases[] = {{3, 1200, 700, 150, 90}, {1, 3000, 400, 900, 30}, {4, 90, 2500, 300, 20},
                        {3, 60, 40, 700, 500},   {4, 9000, 60, 8000, 3},  {2, 40, 4000, 5, 2000}};
  for (const auto& [channels, width, height, to_width, to_height] : cases) {
    Picture picture(width, height, channels);
    for (std::uint8_t& byte : picture.data) byte = static_cast<std::uint8_t>(random.bits());
    for (const Filter filter : {Filter::kBilinear, Filter::kLanczos}) {
      const int code = static_cast<int>(filter);
      ResizeRequest request =
          request_of(Sums::kPillow, channels, axis_of(code, width, to_width), axis_of(code, height, to_height));
      for (const bool is_down_first : {false, true}) {
        request.is_down_first = is_down_first;
        const Picture expected = resize_rule(picture, request, random);
        for (const std::size_t size : {kBytes, kBytes / 3}) check_plan(picture, request, expected, size, random);
      }
    }
    const int code = static_cast<int>(Filter::kTorchBilinearPoint);
    const ResizeRequest torch =
        request_of(Sums::kTorch, channels, axis_of(code, width, to_width), axis_of(code, height, to_height));
    check_plan(picture, torch, resize_rule(picture, torch, random), kBytes, random);
    for (const FloatFilter filter :
         {FloatFilter::kBicubic, FloatFilter::kBilinearPoint, FloatFilter::kBilinearCorners}) {
      const int float_code = static_cast<int>(filter);
      for (const bool is_small : {false, true}) {
        PlanAxis columns = axis_of(float_code, width, is_small ? 70 : to_width);
        PlanAxis rows = axis_of(float_code, height, is_small ? 58 : to_height);
        columns.factor = rows.factor = filter == FloatFilter::kBilinearPoint && !is_small ? 0.7 : 0;
        ResizeRequest request = request_of(Sums::kRescaled, channels, columns, rows);
        if (channels < 4)
          request.rescaling.finish = {0.25f, 0.75f, 3.0f, 7.0f, {0.0f, 0.5f, 1.0f}, {1.0f, 2.0f, 4.0f}, is_small};
        check_plan(picture, request, resize_rule(picture, request, random), kBytes, random);
      }
    }
  }
}

/// Random parts of results of OpenCV's rules hold the bytes of all of a result, also where blue comes first.
void check_opencv_parts(Random& random) {
  PlanMemory memory(kBytes);
  for (int i = 0; i < 2000; ++i) {
    const Rule rule = kRules[random.below(std::size(kRules))];
    const int code = static_cast<int>(rule), most = rule == Rule::kArea ? 1 : 2;
    Picture picture(1 + random.below(60), 1 + random.below(60), 4);
    for (std::uint8_t& byte : picture.data) byte = static_cast<std::uint8_t>(random.bits());
    ResizeRequest request =
        request_of(Sums::kOpencv, 4, axis_of(code, picture.width, 1 + random.below(most * picture.width)),
                   axis_of(code, picture.height, 1 + random.below(most * picture.height)));
    request.counted = 3;
    request.is_nearest = rule == Rule::kNearest;
    const Picture all = resize_rule(picture, request, random);
    request.is_bgr = random.below(2) > 0;
    for (PlanAxis* axis : {&request.columns, &request.rows}) {
      axis->first = random.below(axis->size);
      axis->count = 1 + random.below(axis->size - axis->first);
    }
    const auto swap_colors = [](std::uint8_t* pixel) { std::swap(pixel[0], pixel[2]); };
    Picture part(request.columns.count, request.rows.count, 4);
    for (int y = 0; y < part.height; ++y) {
      for (int x = 0; x < part.width; ++x) {
        std::copy_n(all.at(request.columns.first + x, request.rows.first + y), 4, part.at(x, y));
        if (request.is_bgr) swap_colors(part.at(x, y));
      }
    }
    for (int pixel = 0; request.is_bgr && pixel < picture.width * picture.height; ++pixel)
      swap_colors(picture.at(pixel, 0));
    std::memcpy(memory.start(), &request, sizeof request);
    layout::plan_resize(memory.start(), kBytes);
    const Picture actual = run_steps(memory.start(), kBytes, picture, request);
    check(actual.data == part.data, "rule %d, %d x %d to %d x %d, bgr %d", code, picture.width, picture.height,
          request.columns.size, request.rows.size, request.is_bgr);
  }
}

}  // namespace

int main() {
  Random random(1);
  check_sizes();
  check_pictures(random);
  check_opencv_parts(random);
  return 0;
}
