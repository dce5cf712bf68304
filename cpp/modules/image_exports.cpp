// The functions of the module of images. It needs no glue: plain numbers go in and out. Its memory is that of
// layout.wasm, whose scratch area it shares: CMakeLists.txt puts its own data and stack at the end.
//
// A function without a comment calls a kernel, whose header says what it gives, with its numbers or with the struct of
// its call (call.h).

#include <cstddef>
#include <cstdint>

#include "image/pixels.h"
#include "modules/call.h"
#include "processors/blur.h"
#include "processors/chessboard.h"
#include "processors/nearest_colors.h"
#include "processors/scan.h"
#include "processors/zoom.h"
#include "resize/plan.h"
#include "warp/samples.h"
#include "warp/warp.h"

// A function, by the name that JS calls it by.
#define EXPORT(as, name) extern "C" __attribute__((export_name(#as))) auto name

// A number that JS reads when it loads the module.
#define CONSTANT(name, value) \
  extern "C" __attribute__((export_name("constant " #name))) int constant_##name() { return static_cast<int>(value); }

using layout::call_block;
using layout::call_of;
using layout::kScratchBytes;
using layout::of_call;
using std::int32_t;
using std::size_t;
using std::uint32_t;
using std::uint8_t;

// musl's reduction of angles above 2^20, 2 kB gzipped: those of filters are below 32.
extern "C" int __rem_pio2_large(double*, double*, int, int, int) { return 0; }

namespace {

// All memory that pieces of images pass through: the scratch area of layout.wasm.
uint8_t* scratch_bytes;

// A table of 256 numbers of up to 32 bits for each channel, one after the other.
constexpr size_t kTableBytes = size_t{4} * 256 * 4;
alignas(16) uint8_t tables_block[kTableBytes];

/// Calls `make(call)` for `groups` groups of pixels. The struct of the call describes the first one. Each next one
/// begins after the pixels and the planes of the one before it, and becomes planes of its own.
template <typename Make>
void for_groups(uint32_t groups, Make make) {
  auto call = call_of<layout::PixelNumbers>();
  for (; groups > 0; --groups) {
    make(call);
    call.src += call.count * static_cast<size_t>(call.src_channels);
    call.dst += call.plane_bytes * call.dst_channels;
  }
}

// The plan stands at the start of the scratch memory; after it, callers may use the last kEmitBytes.
constexpr size_t kEmitBytes = size_t{1} << 20;

}  // namespace

/// Says where the scratch area of layout.wasm is: called once, before all others.
EXPORT(useScratch, use_scratch)(uint8_t* scratch)->void { scratch_bytes = scratch; }
/// Where JS writes the struct of a call.
EXPORT(call, call)()->uint8_t* { return call_block; }
/// Where JS writes the tables of lookUp.
EXPORT(tables, tables)()->uint8_t* { return tables_block; }

EXPORT(pixels, make_pixels)(uint32_t groups)->void { for_groups(groups, layout::pixels); }
EXPORT(lookUp, look_up)
(uint32_t groups)->void {
  for_groups(groups, [](const auto& call) { layout::look_up(call, tables_block); });
}
EXPORT(rgba, make_rgba)()->void { of_call<layout::RgbaPixels, layout::write_rgba>(); }
/// The three planes lie at the front of the scratch area.
EXPORT(grayPlanes, gray_planes)
(uint32_t size, int is_fused)->int {
  return layout::gray_planes(reinterpret_cast<float*>(scratch_bytes), size, is_fused != 0);
}
EXPORT(sumBytes, sum_bytes)
(uint32_t count, int is_squared)->double { return layout::sum_bytes(scratch_bytes, count, is_squared != 0); }
EXPORT(planBlur, plan_blur)
(uint8_t* memory)->double { return static_cast<double>(layout::plan_blur(call_of<layout::Blur>(), memory)); }
EXPORT(blurStep, blur_step)(uint8_t* memory)->int { return layout::blur_step(memory); }
EXPORT(planZoom, plan_zoom)
(uint8_t* memory)->double { return static_cast<double>(layout::plan_zoom(call_of<layout::Zoom>(), memory)); }
EXPORT(zoomStep, zoom_step)(uint8_t* memory)->int { return layout::zoom_step(memory); }
EXPORT(nearestColors, nearest_colors)()->void { of_call<layout::NearestColors, layout::nearest_colors>(); }
EXPORT(chessboard, lay_on_board)()->void { of_call<layout::BoardRow, layout::lay_on_board>(); }
EXPORT(isGray, is_gray)(int32_t count)->int { return layout::is_gray(scratch_bytes, count); }
EXPORT(extremes, find_extremes)()->void { of_call<layout::Extremes, layout::find_extremes>(); }
EXPORT(planResize, plan_resize)
()->int { return static_cast<int>(layout::plan_resize(scratch_bytes, kScratchBytes - kEmitBytes)); }
EXPORT(resizeStep, resize_step)()->int { return layout::resize_step(scratch_bytes); }
/// Samples a tile, or, if `samples` is 0, finds the part of the picture that it needs and writes its four edges to
/// `to`, where the tile's pixels would go.
EXPORT(warp, warp_tile)
(int samples)->void {
  const auto& call = call_of<layout::Warp>();
  if (samples != 0) {
    layout::warp(call);
  } else {
    layout::find_part(call, reinterpret_cast<int32_t*>(call.to));
  }
}
EXPORT(sample, sample_tile)()->void { of_call<layout::Samples, layout::sample>(); }

CONSTANT(opaque, layout::kOpaque)
CONSTANT(luma, layout::kLuma)
CONSTANT(openCvLuma, layout::kOpenCvLuma)
CONSTANT(torchLuma, layout::kTorchLuma)
CONSTANT(emitBytes, kEmitBytes)
CONSTANT(none, layout::kNone)
CONSTANT(premultiply, layout::Alpha::kPremultiply)
CONSTANT(onWhite, layout::Alpha::kOnWhite)
#define FILTER(name, code, ...) CONSTANT(filter##name, code)
#include "resize/filters.def"
#undef FILTER
#define RULE(name, code) CONSTANT(openCv##name, code)
#include "resize/opencv.def"
#undef RULE
#define FLOAT_FILTER(name, code, ...) CONSTANT(float##name, code)
#include "resize/float_filters.def"
#undef FLOAT_FILTER
