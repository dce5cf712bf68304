#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>

#include "convert/convert.h"
#include "modules/call.h"
#include "pick/indices.h"
#include "pick/range.h"
#include "pick/scatter.h"
#include "pick/select.h"
#include "quantize/bnb4.h"
#include "quantize/columns.h"
#include "quantize/quantize.h"
#include "transpose/plan.h"

// The functions of layout.wasm, which embind binds at the end. Numbers come as embind passes them: addresses, in bytes
// unless it says bits, as uint32, formats as their codes. A kernel's header says what it gives.

namespace {

using layout::Axis;
using layout::call_of;
using layout::kMaxRank;
using layout::of_call;

alignas(64) std::uint8_t scratch_bytes[layout::kScratchBytes];

// Three entries an axis: its extent, and its strides in the source and the destination in bits. Strides of whole
// tensors pass 2^32; doubles are exact up to 2^53. After the last axis: the element's bits that canonicalAxes left.
double axes_block[3 * kMaxRank + 1];

/// A view of the scratch area for JS.
emscripten::val scratch() {
  return emscripten::val(emscripten::typed_memory_view(sizeof(scratch_bytes), scratch_bytes));
}

/// A view, of 32-bit words, of the block where JS writes the struct of a call (call.h).
emscripten::val call() {
  return emscripten::val(emscripten::typed_memory_view(sizeof(layout::call_block) / 4,
                                                       reinterpret_cast<std::uint32_t*>(layout::call_block)));
}

/// A view of axes_block, where JS writes axes.
emscripten::val axes() { return emscripten::val(emscripten::typed_memory_view(3 * kMaxRank + 1, axes_block)); }

/// Reads the `rank` axes that JS wrote to axes_block.
void read_axes(int rank, Axis* to) {
  for (int i = 0; i < rank; ++i) {
    const double* from = axes_block + 3 * i;
    to[i] = {.extent = static_cast<std::int64_t>(from[0]),
             .src_stride = static_cast<std::int64_t>(from[1]),
             .dst_stride = static_cast<std::int64_t>(from[2])};
  }
}

/// Replaces the `rank` axes of axes_block by canonical ones, and writes the element's bits after the last axis
/// (transpose/axes.h). Returns how many axes there are. `on_bytes`: the box starts on a byte in both memories.
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

/// Plans, in a slot, the box of the axes that JS wrote (Plan::make). Plans are kept until the slot is used again.
void plan(int slot, int element_bits, int rank, bool on_bytes) {
  Axis box[kMaxRank];
  read_axes(rank, box);
  plans[slot].make(element_bits, rank, box, on_bytes);
}

/// Moves the box of a slot's plan. Positions are in bits: 8 * address + phase. All of the module's memory lies below
/// 2^29 bytes, so they fit.
void move(int slot, std::uint32_t src_bit, std::uint32_t dst_bit) {
  plans[slot].move(reinterpret_cast<const std::uint8_t*>(src_bit / 8), static_cast<int>(src_bit % 8),
                   reinterpret_cast<std::uint8_t*>(dst_bit / 8), static_cast<int>(dst_bit % 8));
}

/// Converts `count` elements between two addresses. `flags` are those that options_of reads.
void convert(int from, int to, std::uint32_t src, std::uint32_t dst, std::uint32_t count, int flags) {
  layout::convert(static_cast<layout::Format>(from), static_cast<layout::Format>(to),
                  reinterpret_cast<const std::uint8_t*>(src), reinterpret_cast<std::uint8_t*>(dst), count,
                  layout::options_of(flags));
}

/// Returns both counts of Fitted as one number, clipped * 2^26 + raised: those of a piece are below 2^26.
double fit_float16(std::uint32_t count, std::uint32_t numbers) {
  const auto [clipped, raised] = layout::fit_float16(count, reinterpret_cast<std::uint8_t*>(numbers));
  return clipped * 0x1p26 + raised;
}

std::uint8_t* bytes_at(std::uint32_t address) { return reinterpret_cast<std::uint8_t*>(address); }

/// `zeros` is the address of one float64 for each number (quantize/quantize.h).
void subtract_exactly(std::uint32_t count, std::uint32_t src, std::uint32_t zeros, std::uint32_t dst) {
  layout::subtract_exactly(count, reinterpret_cast<const std::int32_t*>(src), reinterpret_cast<const double*>(zeros),
                           reinterpret_cast<float*>(dst));
}

/// `range` is the address of a Range, which is read and written (quantize/quantize.h).
void widen_range(std::uint32_t count, std::uint32_t src, std::uint32_t range) {
  layout::widen_range(count, bytes_at(src), *reinterpret_cast<layout::Range*>(range));
}

/// `values` is the address of start and delta (pick/range.h).
void range(int format, int math, double first, std::uint32_t count, std::uint32_t values, std::uint32_t dst) {
  layout::range(static_cast<layout::Format>(format), static_cast<layout::Format>(math), first, count, bytes_at(values),
                bytes_at(dst));
}

/// Calls scatter (pick/scatter.h) with the struct that JS wrote to the block of a call; `numbers` are float64.
void scatter() {
  const auto& [rows, numbers, updates, current, work] = call_of<layout::ScatterCall>();
  layout::scatter(rows, static_cast<const double*>(numbers), updates, current, work);
}

/// Calls scatter_in_place (pick/scatter.h) with the same struct; `numbers` are uint32.
void scatter_in_place() {
  const auto& [rows, numbers, updates, current, work] = call_of<layout::ScatterCall>();
  layout::scatter_in_place(rows, static_cast<const std::uint32_t*>(numbers), updates, current);
}

}  // namespace

// Embind formats the names of types that are not bound, which no binding has: 2 kB gzipped.
extern "C" int siprintf(char* text, const char*, ...) { return text[0] = 0; }

EMSCRIPTEN_BINDINGS(layout) {
  emscripten::function("scratch", &scratch);
  emscripten::function("axes", &axes);
  emscripten::function("call", &call);
  emscripten::function("canonicalAxes", &canonical_axes);
  emscripten::function("plan", &plan);
  emscripten::function("move", &move);
  emscripten::function("convert", &convert);
  emscripten::function("fitFloat16", &fit_float16);
  emscripten::function("quantize", &of_call<layout::Quantization, layout::quantize>);
  emscripten::function("dequantize", &of_call<layout::Quantization, layout::dequantize>);
  emscripten::function("quantizeExactly", &of_call<layout::ExactQuantization, layout::quantize_exactly>);
  emscripten::function("subtractExactly", &subtract_exactly);
  emscripten::function("widenRange", &widen_range);
  emscripten::function("blockRanges", &of_call<layout::BlockRanges, layout::block_ranges>);
  emscripten::function("quantizeColumns", &of_call<layout::QuantizedColumns, layout::quantize_columns>);
  emscripten::function("encodeBnb4", &of_call<layout::Bnb4, layout::encode_bnb4>);
  emscripten::function("range", &range);
  emscripten::function("nameRows", &of_call<layout::IndexTuples, layout::name_rows>);
  emscripten::function("select", &of_call<layout::Selection, layout::select>);
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
  emscripten::constant("scatterRows", layout::kScatterRows);
  emscripten::constant("scatterElements", layout::kScatterElements);
}
