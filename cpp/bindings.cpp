#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>

#include "convert/convert.h"
#include "image/pixels.h"
#include "pick/range.h"
#include "pick/scatter.h"
#include "pick/select.h"
#include "quantize/columns.h"
#include "quantize/quantize.h"
#include "resize/plan.h"
#include "transpose/plan.h"
#include "warp/warp.h"

namespace {

using layout::Axis;
using layout::kMaxRank;

// All memory that callers may use. JS moves pieces of tensors of any size through it, so the module never allocates.
constexpr std::size_t kScratchBytes = std::size_t{13} << 20;
alignas(64) std::uint8_t scratch_bytes[kScratchBytes];

// Three entries an axis: its extent, and its strides in the source and the destination in bits. Strides of whole
// tensors pass 2^32; doubles are exact up to 2^53. After the last axis: the element's bits that canonicalAxes left.
double axes_block[3 * kMaxRank + 1];

emscripten::val scratch() {
  return emscripten::val(emscripten::typed_memory_view(sizeof(scratch_bytes), scratch_bytes));
}

// The struct of a call with more than six numbers: JS writes its members, 32 bits each, in their order.
alignas(4) std::uint8_t call_block[128];

emscripten::val call() {
  return emscripten::val(
      emscripten::typed_memory_view(sizeof(call_block) / 4, reinterpret_cast<std::uint32_t*>(call_block)));
}

template <class Call>
const Call& call_of() {
  static_assert(sizeof(Call) <= sizeof(call_block) && alignof(Call) == 4);
  return reinterpret_cast<const Call&>(call_block);
}

// A table of 256 numbers of up to 32 bits for each channel, one behind the other.
alignas(16) std::uint8_t tables_block[4 * 256 * 4];

emscripten::val tables() { return emscripten::val(emscripten::typed_memory_view(sizeof(tables_block), tables_block)); }

emscripten::val axes() { return emscripten::val(emscripten::typed_memory_view(3 * kMaxRank + 1, axes_block)); }

void read_axes(int rank, Axis* to) {
  for (int i = 0; i < rank; ++i) {
    const double* from = axes_block + 3 * i;
    to[i] = {static_cast<std::int64_t>(from[0]), static_cast<std::int64_t>(from[1]),
             static_cast<std::int64_t>(from[2])};
  }
}

int canonical_axes(int element_bits, int rank, bool on_bytes) {
  Axis canonical[kMaxRank];
  read_axes(rank, canonical);
  std::int64_t bits = element_bits;
  rank = layout::canonical_axes(bits, rank, canonical, on_bytes);
  for (int i = 0; i < rank; ++i) {
    axes_block[3 * i] = static_cast<double>(canonical[i].extent);
    axes_block[3 * i + 1] = static_cast<double>(canonical[i].src_stride);
    axes_block[3 * i + 2] = static_cast<double>(canonical[i].dst_stride);
  }
  axes_block[3 * kMaxRank] = static_cast<double>(bits);
  return rank;
}

// Plans by their slots. JS decides which plan stands in which slot, so the module never allocates.
constexpr int kPlans = 64;
layout::Plan plans[kPlans];

void plan(int slot, int element_bits, int rank, bool on_bytes) {
  Axis box[kMaxRank];
  read_axes(rank, box);
  plans[slot].make(element_bits, rank, box, on_bytes);
}

// Addresses are in bits: 8 * address + phase. All of the module's memory lies below 2^29 bytes, so they fit.
void move(int slot, std::uint32_t src_bit, std::uint32_t dst_bit) {
  plans[slot].move(reinterpret_cast<const std::uint8_t*>(src_bit / 8), static_cast<int>(src_bit % 8),
                   reinterpret_cast<std::uint8_t*>(dst_bit / 8), static_cast<int>(dst_bit % 8));
}

// Formats come by their codes, addresses in bytes, and flags as options_of reads them.
void convert(int from, int to, std::uint32_t src, std::uint32_t dst, std::uint32_t count, int flags) {
  layout::convert(static_cast<layout::Format>(from), static_cast<layout::Format>(to),
                  reinterpret_cast<const std::uint8_t*>(src), reinterpret_cast<std::uint8_t*>(dst), count,
                  layout::options_of(flags));
}

void pixels() { layout::pixels(call_of<layout::PixelNumbers>()); }

void look_up() { layout::look_up(call_of<layout::PixelNumbers>(), tables_block); }

double sum_bytes(std::uint32_t count, bool is_squared) { return layout::sum_bytes(scratch_bytes, count, is_squared); }

// The plan stands at the start of the scratch memory; behind it, callers may use the last kEmitBytes.
constexpr std::size_t kEmitBytes = std::size_t{1} << 20;

int plan_resize() { return static_cast<int>(layout::plan_resize(scratch_bytes, kScratchBytes - kEmitBytes)); }

bool resize_step() { return layout::resize_step(scratch_bytes); }

// Samples a tile, or finds its part of the picture, whose edges then take the place of the result.
void warp(bool samples) {
  const auto& call = call_of<layout::Warp>();
  samples ? layout::warp(call) : layout::find_part(call, reinterpret_cast<std::int32_t*>(call.to));
}

// Of quantization: addresses are in bytes. See quantize/*.h.
std::uint8_t* bytes_at(std::uint32_t address) { return reinterpret_cast<std::uint8_t*>(address); }

void quantize() { layout::quantize(call_of<layout::Quantization>()); }

void dequantize() { layout::dequantize(call_of<layout::Quantization>()); }

void quantize_exactly() { layout::quantize_exactly(call_of<layout::ExactQuantization>()); }

void subtract_exactly(std::uint32_t count, std::uint32_t src, std::uint32_t zeros, std::uint32_t dst) {
  layout::subtract_exactly(count, reinterpret_cast<const std::int32_t*>(src), reinterpret_cast<const double*>(zeros),
                           reinterpret_cast<float*>(dst));
}

void widen_range(std::uint32_t count, std::uint32_t src, std::uint32_t range) {
  layout::widen_range(count, bytes_at(src), reinterpret_cast<float*>(range));
}

struct ColumnsCall {
  layout::ColumnRule rule;
  layout::Matrix matrix;
  float* scales;
  std::uint8_t* zeros;
  std::uint8_t* codes;
};

double quantize_columns() {
  const auto& [rule, matrix, scales, zeros, codes] = call_of<ColumnsCall>();
  return layout::quantize_columns(rule, matrix, scales, zeros, codes);
}

// Of picked elements: addresses are in bytes. See pick/*.h.
void range(int format, int math, double first, std::uint32_t count, std::uint32_t values, std::uint32_t dst) {
  layout::range(static_cast<layout::Format>(format), static_cast<layout::Format>(math), first, count, bytes_at(values),
                bytes_at(dst));
}

void select() { layout::select(call_of<layout::Selection>()); }

template <typename Number>
struct ScatterCall {
  layout::ScatterRows rows;
  const Number* numbers;
  const std::uint8_t* updates;
  std::uint8_t* current;
  std::uint8_t* work;
};

void scatter() {
  const auto& [rows, numbers, updates, current, work] = call_of<ScatterCall<double>>();
  layout::scatter(rows, numbers, updates, current, work);
}

void scatter_in_place() {
  const auto& [rows, numbers, updates, current, work] = call_of<ScatterCall<std::uint32_t>>();
  layout::scatter_in_place(rows, numbers, updates, current);
}

}  // namespace

EMSCRIPTEN_BINDINGS(layout) {
  emscripten::function("scratch", &scratch);
  emscripten::function("axes", &axes);
  emscripten::function("call", &call);
  emscripten::function("canonicalAxes", &canonical_axes);
  emscripten::function("plan", &plan);
  emscripten::function("move", &move);
  emscripten::function("convert", &convert);
  emscripten::function("pixels", &pixels);
  emscripten::function("tables", &tables);
  emscripten::function("lookUp", &look_up);
  emscripten::function("sumBytes", &sum_bytes);
  emscripten::function("planResize", &plan_resize);
  emscripten::function("resizeStep", &resize_step);
  emscripten::function("warp", &warp);
  emscripten::function("quantize", &quantize);
  emscripten::function("dequantize", &dequantize);
  emscripten::function("quantizeExactly", &quantize_exactly);
  emscripten::function("subtractExactly", &subtract_exactly);
  emscripten::function("widenRange", &widen_range);
  emscripten::function("quantizeColumns", &quantize_columns);
  emscripten::function("range", &range);
  emscripten::function("select", &select);
  emscripten::function("scatter", &scatter);
  emscripten::function("scatterInPlace", &scatter_in_place);

  // Constants that JS reads.
  emscripten::constant("maxRank", kMaxRank);
  emscripten::constant("plans", kPlans);
  emscripten::constant("saturateFlag", layout::kSaturateFlag);
  emscripten::constant("codesFlag", layout::kCodesFlag);
  emscripten::constant("scaleRoundingFlag", layout::kScaleRoundingFlag);
  emscripten::constant("up", static_cast<int>(layout::ScaleRounding::kUp));
  emscripten::constant("down", static_cast<int>(layout::ScaleRounding::kDown));
  emscripten::constant("nearest", static_cast<int>(layout::ScaleRounding::kNearest));
  emscripten::constant("endless", static_cast<int>(layout::Grid::kEndless));
  emscripten::constant("opaque", layout::kOpaque);
  emscripten::constant("luma", layout::kLuma);
  emscripten::constant("openCvLuma", layout::kOpenCvLuma);
  emscripten::constant("emitBytes", static_cast<int>(kEmitBytes));
  emscripten::constant("none", layout::kNone);
  emscripten::constant("sumPillow", static_cast<int>(layout::Sums::kPillow));
  emscripten::constant("sumTorch", static_cast<int>(layout::Sums::kTorch));
  emscripten::constant("sumDouble", static_cast<int>(layout::Sums::kDouble));
  emscripten::constant("sumRescaled", static_cast<int>(layout::Sums::kRescaled));
  emscripten::constant("sumOpenCv", static_cast<int>(layout::Sums::kOpenCv));
  emscripten::constant("premultiply", static_cast<int>(layout::Alpha::kPremultiply));
  emscripten::constant("onWhite", static_cast<int>(layout::Alpha::kOnWhite));
  emscripten::constant("reduceAdd", static_cast<int>(layout::Reduction::kAdd));
  emscripten::constant("reduceMul", static_cast<int>(layout::Reduction::kMul));
  emscripten::constant("reduceMax", static_cast<int>(layout::Reduction::kMax));
  emscripten::constant("reduceMin", static_cast<int>(layout::Reduction::kMin));
  emscripten::constant("reduceMulComplex", static_cast<int>(layout::Reduction::kMulComplex));
  emscripten::constant("scatterRows", layout::kScatterRows);
  emscripten::constant("scatterElements", layout::kScatterElements);
#define FILTER(name, code) emscripten::constant("filter" #name, code);
#include "resize/filters.def"
#undef FILTER
#define RULE(name, code) emscripten::constant("openCv" #name, code);
#include "resize/opencv.def"
#undef RULE
#define FLOAT_FILTER(name, code, ...) emscripten::constant("float" #name, code);
#include "resize/float_filters.def"
#undef FLOAT_FILTER
}
