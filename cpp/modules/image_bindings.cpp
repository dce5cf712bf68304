// The functions that image.wasm has beside those of layout.wasm, which it holds too.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>

#include "image/pixels.h"
#include "modules/bindings.h"
#include "processors/blur.h"
#include "processors/chessboard.h"
#include "processors/nearest_colors.h"
#include "processors/scan.h"
#include "resize/plan.h"
#include "warp/samples.h"
#include "warp/warp.h"

namespace {

using layout::call_of;
using layout::of_call;
using layout::scratch_bytes;

// A table of 256 numbers of up to 32 bits for each channel, one behind the other.
alignas(16) std::uint8_t tables_block[4 * 256 * 4];

emscripten::val tables() { return emscripten::val(emscripten::typed_memory_view(sizeof(tables_block), tables_block)); }

// Groups of pixels lie side by side, and each becomes planes of its own.
template <typename Make>
void for_groups(std::uint32_t groups, Make make) {
  auto call = call_of<layout::PixelNumbers>();
  for (; groups > 0; --groups) {
    make(call);
    call.src += call.count * static_cast<std::size_t>(call.src_channels);
    call.dst += call.plane_bytes * call.dst_channels;
  }
}

void pixels(std::uint32_t groups) { for_groups(groups, layout::pixels); }

void look_up(std::uint32_t groups) {
  for_groups(groups, [](const auto& call) { layout::look_up(call, tables_block); });
}

bool gray_planes(std::uint32_t size, bool is_fused) {
  return layout::gray_planes(reinterpret_cast<float*>(scratch_bytes), size, is_fused);
}

double sum_bytes(std::uint32_t count, bool is_squared) { return layout::sum_bytes(scratch_bytes, count, is_squared); }

bool is_gray(std::int32_t count) { return layout::is_gray(scratch_bytes, count); }

// The plan stands at the start of the scratch memory; behind it, callers may use the last kEmitBytes.
constexpr std::size_t kEmitBytes = std::size_t{1} << 20;

int plan_resize() { return static_cast<int>(layout::plan_resize(scratch_bytes, layout::kScratchBytes - kEmitBytes)); }

bool resize_step() { return layout::resize_step(scratch_bytes); }

// Samples a tile, or finds its part of the picture, whose edges then take the place of the result.
void warp(bool samples) {
  const auto& call = call_of<layout::Warp>();
  samples ? layout::warp(call) : layout::find_part(call, reinterpret_cast<std::int32_t*>(call.to));
}

}  // namespace

EMSCRIPTEN_BINDINGS(image) {
  emscripten::function("pixels", &pixels);
  emscripten::function("tables", &tables);
  emscripten::function("lookUp", &look_up);
  emscripten::function("rgba", &of_call<layout::RgbaPixels, layout::rgba>);
  emscripten::function("grayPlanes", &gray_planes);
  emscripten::function("sumBytes", &sum_bytes);
  emscripten::function("sumNeighbors", &of_call<layout::Neighbors, layout::sum_neighbors>);
  emscripten::function("blurLine", &of_call<layout::BlurredLine, layout::blur_line>);
  emscripten::function("nearestColors", &of_call<layout::NearestColors, layout::nearest_colors>);
  emscripten::function("chessboard", &of_call<layout::BoardRow, layout::lay_on_board>);
  emscripten::function("isGray", &is_gray);
  emscripten::function("extremes", &of_call<layout::Extremes, layout::find_extremes>);
  emscripten::function("planResize", &plan_resize);
  emscripten::function("resizeStep", &resize_step);
  emscripten::function("warp", &warp);
  emscripten::function("sample", &of_call<layout::Samples, layout::sample>);

  // Constants that JS reads.
  emscripten::constant("opaque", layout::kOpaque);
  emscripten::constant("luma", layout::kLuma);
  emscripten::constant("openCvLuma", layout::kOpenCvLuma);
  emscripten::constant("torchLuma", layout::kTorchLuma);
  emscripten::constant("emitBytes", static_cast<int>(kEmitBytes));
  emscripten::constant("none", layout::kNone);
  emscripten::constant("sumPillow", static_cast<int>(layout::Sums::kPillow));
  emscripten::constant("sumTorch", static_cast<int>(layout::Sums::kTorch));
  emscripten::constant("sumDouble", static_cast<int>(layout::Sums::kDouble));
  emscripten::constant("sumRescaled", static_cast<int>(layout::Sums::kRescaled));
  emscripten::constant("sumOpenCv", static_cast<int>(layout::Sums::kOpenCv));
  emscripten::constant("premultiply", static_cast<int>(layout::Alpha::kPremultiply));
  emscripten::constant("onWhite", static_cast<int>(layout::Alpha::kOnWhite));
#define FILTER(name, code, ...) emscripten::constant("filter" #name, code);
#include "resize/filters.def"
#undef FILTER
#define RULE(name, code) emscripten::constant("openCv" #name, code);
#include "resize/opencv.def"
#undef RULE
#define FLOAT_FILTER(name, code, ...) emscripten::constant("float" #name, code);
#include "resize/float_filters.def"
#undef FLOAT_FILTER
}
