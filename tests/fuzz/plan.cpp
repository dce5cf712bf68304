// Resizing of whole pictures by plans, against each pass over the whole picture.

#include "../native/plan_oracle.h"
#include "fuzz.h"

namespace {

/// The numbers of a request that is not rescaled, in the order of its members.
std::vector<double> numbers_of(const layout::ResizeRequest& r) {
  std::vector<double> numbers = {static_cast<double>(r.sums),       static_cast<double>(r.channels),
                                 static_cast<double>(r.is_nearest), static_cast<double>(r.is_down_first),
                                 static_cast<double>(r.alpha),      static_cast<double>(r.counted),
                                 static_cast<double>(r.is_bgr)};
  for (const layout::PlanAxis* axis : {&r.columns, &r.rows}) {
    for (const double number : {static_cast<double>(axis->filter), static_cast<double>(axis->extent), axis->from,
                                axis->to, static_cast<double>(axis->size), static_cast<double>(axis->first),
                                static_cast<double>(axis->count), axis->factor})
      numbers.push_back(number);
  }
  for (const int number : {r.factor_x, r.factor_y, r.left, r.top, r.right, r.bottom}) numbers.push_back(number);
  return numbers;
}

using layout::Filter;
using layout::kNone;
using layout::PlanAxis;
using layout::ResizeRequest;
using layout::Rule;
using layout::Sums;

constexpr Filter kPillow[] = {Filter::kBox, Filter::kBilinear, Filter::kHamming, Filter::kBicubic, Filter::kLanczos};

/// A number from 1 on: often a small one.
int side(FuzzedDataProvider& input, int most) {
  return input.ConsumeIntegralInRange(1, input.ConsumeBool() ? std::min(most, 40) : most);
}

/// Asks for a part of the result of an axis.
void cut(FuzzedDataProvider& input, PlanAxis& axis) {
  if (axis.filter == kNone) axis.size = axis.extent - static_cast<int>(axis.from);
  axis.first = input.ConsumeBool() ? 0 : input.ConsumeIntegralInRange(0, axis.size - 1);
  axis.count = axis.first == 0 ? axis.size : input.ConsumeIntegralInRange(1, axis.size - axis.first);
}

PlanAxis axis_of(FuzzedDataProvider& input, Sums sums, int filter, int extent, int most) {
  PlanAxis axis = {filter, extent, 0, static_cast<double>(extent), side(input, most), 0, 0, 1};
  if (sums == Sums::kRescaled) {
    const auto kind = static_cast<layout::FloatFilter>(filter);
    const bool has_corners =
        kind == layout::FloatFilter::kBilinearCorners || kind == layout::FloatFilter::kBicubicCorners;
    const bool is_point = kind == layout::FloatFilter::kBilinearPoint || kind == layout::FloatFilter::kBicubicPoint;
    const int beyond = has_corners || is_point ? input.ConsumeIntegralInRange(0, extent - 1) : 0;
    if (has_corners) axis.from = -beyond;
    axis.to = extent + beyond;
    axis.factor = is_point ? input.ConsumeIntegralInRange(0, 40) / 10.0 : 0;
  } else if (sums == Sums::kOpencv) {
    if (filter == static_cast<int>(Rule::kArea)) axis.size = std::min(axis.size, extent);
    axis.factor = static_cast<double>(axis.size) / extent;
  } else if (filter != kNone && filter < static_cast<int>(Filter::kTorchNearest) && input.ConsumeBool()) {
    axis.from = input.ConsumeIntegralInRange(0, 2 * extent) / 2.0;
    axis.to = input.ConsumeIntegralInRange(static_cast<int>(2 * axis.from), 2 * extent) / 2.0;
  } else if (filter == kNone) {
    axis.from = input.ConsumeIntegralInRange(0, extent - 1);
  }
  cut(input, axis);
  return axis;
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  Random random(input.ConsumeIntegral<std::uint8_t>());
  ResizeRequest request = {};
  request.sums = input.PickValueInArray({Sums::kPillow, Sums::kTorch, Sums::kDouble, Sums::kOpencv, Sums::kRescaled});
  const bool is_float = request.sums == Sums::kDouble, is_opencv = request.sums == Sums::kOpencv;
  const bool is_rescaled = request.sums == Sums::kRescaled;
  request.channels = is_float ? 4 : is_opencv ? input.PickValueInArray({1, 3, 4}) : input.ConsumeIntegralInRange(1, 4);
  request.counted = input.ConsumeIntegralInRange(request.channels == 1 ? 1 : request.channels - 1, request.channels);
  request.is_nearest = !is_rescaled && input.ConsumeIntegralInRange(0, 7) == 0;
  request.is_down_first = !is_opencv && !is_rescaled && !request.is_nearest && input.ConsumeBool();
  request.alpha = !is_opencv && !is_float && request.channels % 2 == 0 ? input.PickValueInArray({kNone, 0, 2}) : kNone;
  if (is_rescaled && request.alpha == 0) request.alpha = kNone;
  for (int i = 0; i < 3 * 256; ++i)
    request.rescaling.numbers[i / 256][i % 256] = static_cast<float>(random.below(1000)) / 999.0f;
  request.rescaling.finish = {
      -1e9f, 1e9f, 1.0f, 1.0f, {0.5f, 0.625f, 0.75f}, {0.5f, 0.625f, 0.75f}, random.below(4) == 0};
  for (int c = 0; c < 3; ++c) request.rescaling.sources[c] = random.below(3);
  request.factor_x = request.factor_y = kNone;
  // Pictures are large where the plan has to go piece by piece.
  const int most = input.ConsumeBool() ? 60 : 900;
  Picture picture(side(input, most), side(input, most), request.channels);
  for (std::uint8_t& byte : picture.data) byte = static_cast<std::uint8_t>(random.bits() & (is_float ? 0xbf : 0xff));
  int width = picture.width, height = picture.height;
  int filter = is_opencv             ? static_cast<int>(input.PickValueInArray(kRules))
               : request.is_nearest  ? static_cast<int>(Filter::kNearest)
               : input.ConsumeBool() ? static_cast<int>(input.PickValueInArray(kPillow))
                                     : input.ConsumeIntegralInRange(static_cast<int>(Filter::kTorchBilinearPoint),
                                                                    static_cast<int>(Filter::kTorchBicubicPoint));
  if (is_opencv && request.is_nearest) filter = static_cast<int>(Rule::kNearest);
  if (is_opencv && filter == static_cast<int>(Rule::kNearest)) request.is_nearest = true;
  if (is_rescaled) filter = static_cast<int>(input.PickValueInArray(kFloatFilters));
  if (!request.is_nearest && !is_rescaled && input.ConsumeBool()) {
    request.factor_x = input.ConsumeIntegralInRange(1, std::min(width, 9));
    request.factor_y = input.ConsumeIntegralInRange(1, std::min(height, 9));
    // OpenCV's cells are whole.
    request.right = is_opencv ? width / request.factor_x * request.factor_x : width;
    request.bottom = is_opencv ? height / request.factor_y * request.factor_y : height;
    if (!is_opencv) request.left = input.ConsumeIntegralInRange(0, width - 1);
    if (!is_opencv) request.top = input.ConsumeIntegralInRange(0, height - 1);
    width = (request.right - request.left + request.factor_x - 1) / request.factor_x;
    height = (request.bottom - request.top + request.factor_y - 1) / request.factor_y;
    if (is_opencv) filter = kNone;
  }
  const auto filter_of = [&] {
    return !is_opencv && !is_rescaled && !request.is_nearest && input.ConsumeBool() ? kNone : filter;
  };
  request.columns = axis_of(input, request.sums, filter_of(), width, most);
  request.rows = axis_of(input, request.sums, filter_of(), height, most);
  const std::size_t size = input.ConsumeBool() ? 4 << 20 : 12 << 20;
  request.is_bgr = is_opencv && input.ConsumeBool();
  const Picture result = resize_rule(picture, request, random);
  check_plan(picture, request, result, size, random);
  // Tests of processors show what the module makes of rescaled pictures.
  if (is_rescaled) return;
  if (picture.data.size() + result.data.size() > 100'000) return;
  const auto memory_of = [&](const Picture& from) {
    Memory memory(static_cast<std::int64_t>(from.data.size()), random);
    std::copy(from.data.begin(), from.data.end(), memory.data.get());
    return memory;
  };
  const Memory after = memory_of(result);
  record("resize", numbers_of(request), {static_cast<double>(picture.width)},
         {memory_of(picture), Memory(static_cast<std::int64_t>(after.size), random), after});
}
