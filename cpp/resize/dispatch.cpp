// resize/dispatch.h says what these functions do.

#include "resize/dispatch.h"

#include <algorithm>

#include "resize/axis_rule.h"
#include "resize/float_passes.h"
#include "resize/float_taps.h"
#include "resize/opencv.h"

namespace layout {
namespace {

/// Runs torch's pass across rows of bytes, which become float32 first. For each of three planes it writes one channel
/// of a row to the tile as float32, by the request's table of 256 numbers, and resizes these to `columns` pixels. A row
/// of the result has its three planes one after the other.
void rescale_across(const ResizeRequest& request, const AcrossPass& pass, int columns) {
  auto* numbers = reinterpret_cast<float*>(pass.tile);  // of one channel of a row
  const bool is_paired = has_pairs(request);
  const auto make_row = is_paired ? float_pairs_across : float_across;
  const int plane_width = is_paired ? 2 * columns : columns;
  for (int y = 0; y < pass.rows; ++y) {
    const std::uint8_t* row = pass.src.data + y * pass.src.stride;
    auto* planes = reinterpret_cast<float*>(pass.dst.data + y * pass.dst.stride);
    for (int plane = 0; plane < 3; ++plane) {
      const float* number_of_byte = request.rescaling.numbers[plane];
      const bool is_gray = pass.channels < 3;
      const std::uint8_t* src = row + (is_gray ? 0 : request.rescaling.sources[plane]);
      for (int x = 0; x < pass.extent; ++x, src += pass.channels) numbers[x] = number_of_byte[*src];
      make_row(pass.table, pass.base, numbers, planes + plane * plane_width);
    }
  }
}

/// Finds the numbers of a pass's rows that OpenCV's cubic rounds in another way. OpenCV takes groups of eight numbers
/// of a row of the whole result, of the `counted` channels that the caller keeps; up to seven numbers at the row's end
/// are left over, and these it rounds in another way. The pass's rows begin with column `column` of those asked for.
RowRest row_rest(const ResizeRequest& request, const DownPass& pass, int column) {
  const int counted = request.counted;
  const int grouped = request.columns.size * counted / 8 * 8;  // numbers in groups
  // Groups end in or before this pixel, of which they have the first `shared` numbers.
  const int pixel = grouped / counted, shared = grouped % counted;
  const std::ptrdiff_t pixel_begin = std::ptrdiff_t{pixel - request.columns.first - column} * request.channels;
  // A block of columns may end before that pixel, or begin past it.
  const auto within_row = [&](std::ptrdiff_t at) {
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(pass.row_bytes)));
  };
  if (!request.is_bgr) return {.begin = within_row(pixel_begin + shared), .grouped_begin = 0, .grouped_end = 0};
  // OpenCV's picture has blue first, ours has it last: the `shared` numbers are the last ones of the pixel.
  const std::ptrdiff_t pixel_end = pixel_begin + counted;
  return {.begin = within_row(pixel_begin),
          .grouped_begin = within_row(pixel_end - shared),
          .grouped_end = within_row(pixel_end)};
}

}  // namespace

bool has_pairs(const ResizeRequest& request) {
  const PlanAxis &columns = request.columns, &rows = request.rows;
  if (request.sums != Sums::kRescaled || !has_small_sides(request)) return false;
  const bool is_bilinear = is_two_pixels(static_cast<FloatFilter>(columns.filter)) && rows.filter == columns.filter;
  // The factor of these filters is the blur's sigma. A blurred pixel has more than two terms.
  const bool is_blurred = columns.factor != 0.0 || rows.factor != 0.0;
  return is_bilinear && !is_blurred;
}

int result_bytes(const ResizeRequest& request) {
  constexpr int kThreeFloats = 3 * sizeof(float);
  return request.sums == Sums::kRescaled ? kThreeFloats : request.channels;
}

std::int64_t middle_bytes(const ResizeRequest& request, int pixels) {
  const std::int64_t bytes = std::int64_t{pixels} * result_bytes(request);
  // OpenCV's sums have four bytes. A pixel of three is written as a vector of 16 bytes, so the last one ends later.
  if (request.sums == Sums::kOpencv) return 4 * bytes + 16;
  return has_pairs(request) ? 2 * bytes : bytes;
}

std::size_t tile_bytes(const ResizeRequest& request, int pixels, int support) {
  // rescale_across writes one plane of a row at a time: a float32 for each pixel.
  if (request.sums == Sums::kRescaled) return sizeof(float) * static_cast<std::size_t>(pixels);
  if (request.sums == Sums::kOpencv) return opencv_tile_bytes(pixels, request.channels);
  return across_tile_bytes(support, request.channels);
}

void pass_across(const ResizeRequest& request, const AcrossPass& pass, int columns) {
  const int filter = request.columns.filter;
  if (filter == kNone) return;
  if (request.sums == Sums::kRescaled)
    rescale_across(request, pass, columns);
  else if (request.sums == Sums::kOpencv && !request.is_nearest)  // resize_across picks the pixels of nearest
    opencv_across(static_cast<Rule>(filter), pass);
  else
    resize_across(pass);
}

void pass_down(const ResizeRequest& request, const DownPass& pass, const TapTable& columns, int column) {
  if (has_pairs(request)) return float_pairs_down(pass, columns);
  if (request.sums == Sums::kRescaled) return float_down(pass);
  if (request.sums != Sums::kOpencv) return resize_down(pass);
  opencv_down(static_cast<Rule>(request.rows.filter), pass, row_rest(request, pass, column));
}

void finish_rows(const ResizeRequest& request, std::uint8_t* pixels, int rows, int columns) {
  if (request.sums == Sums::kRescaled)  // a row is a row of each of three planes
    finish_floats(request.rescaling.finish, reinterpret_cast<float*>(pixels), 3 * rows, columns);
  if (request.alpha == static_cast<int>(Alpha::kPremultiply))
    change_alpha(Alpha::kUnpremultiply, request.channels, pixels, static_cast<std::size_t>(rows * columns));
}

}  // namespace layout
