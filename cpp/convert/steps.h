#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bits/simd128.h"
#include "convert/convert.h"

namespace layout {

/// What the 256 codes of an 8-bit format become. The rows below `magnitudes` look at a code without its sign, the
/// others at the code; a row is sixteen codes for which what was found so far is not all. Saturation, truncation and
/// symmetry leave few.
struct RowTable {
  v128_t base;                   // where no row has anything
  v128_t flip;                   // after the rows of magnitudes, in codes with the top bit set, unless `negate`
  v128_t bits[16];               // to flip
  v128_t first[16];              // code of each row
  bool negate = false;           // codes with the top bit set take the negative
  bool twos_complement = false;  // how codes hold their sign
  int magnitudes = 0;
  int count = 0;
};

RowTable rows_of(const std::uint8_t* table, bool twos_complement);

/// What they become in a packed format. Few rows of sixteen codes differ, and a byte holds the results of several: by
/// the lower half of a code its results in all rows, by the upper half which of them count.
struct SelectTable {
  static constexpr int kMost = 4;  // float8e4m3fn to float4e2m1
  v128_t results[kMost];
  v128_t places[kMost];
  int count = 0;        // 1 for 2 bits
  bool negate = false;  // codes with the top bit set take the negative
};

/// `bits` of a result: 4 or 2.
SelectTable selects_of(const std::uint8_t* table, int bits);

struct StepContext {
  ConvertOptions options;
  /// For the lookups. lookup_packed, repack: byte k of the result for code c at table[16 * k + c]. lookup256: the
  /// results in order. lookup_rows: `rows` of them. lookup_selected: `selects` of them.
  const std::uint8_t* table = nullptr;
  const RowTable* rows = nullptr;
  const SelectTable* selects = nullptr;
};

/// One pass over `count` elements, as `convert` about sizes, alignment and aliasing; the bits beyond a packed tail are
/// left as they fall. A conversion is a chain of at most four steps.
using Step = void (*)(const std::uint8_t* src, std::uint8_t* dst, std::size_t count, const StepContext& context);

// The steps, each for the formats named. int32 and int64 stand for a residue modulo 2^32 or 2^64.
//
// "Sticky" is rounded to odd: cut toward zero, with the last bit set if anything was cut off. A sticky float32 rounds
// on to any format of at most 16 bits as the exact number would (two spare bits of significand suffice), so that two
// steps round once.

// convert_decode.cpp
Step float_to_float32(Format from);  // float16, bfloat16, float8

// convert_encode.cpp
Step float32_to_float(Format to);  // float16, bfloat16, float8; float4e2m1 as one code a byte

// convert_to_floats.cpp
Step number_to_float32(Format from);          // 8-, 16- and 32-bit integers, float64: to nearest even
Step number_to_sticky_float32(Format from);   // 8-, 16- and 32-bit integers, float64
Step number_to_float64(Format from);          // 32- and 64-bit integers, float32: to nearest even
Step integer_to_sticky_float64(Format from);  // int64, uint64

// convert_to_integers.cpp
Step number_to_int32(Format from);     // 8-, 16- and 64-bit integers, float32, float64
Step float32_to_int8(bool is_signed);  // modulo 2^8; faster where nothing overflows
Step float16_to_short(int bits);       // modulo 2^8 or 2^16
Step number_to_int64(Format from);     // int32, uint32, float64

// convert_narrow.cpp
Step number_to_bool(Format from);        // integers of 8 bits and more, bool, float32, float64
Step narrow_int32(int bits);             // to the low 8 or 16
Step lookup256(int bits);                // codes of 8 bits to 8, 16 or 64
Step lookup_rows(const RowTable& rows);  // codes of 8 bits to 8, by these

// convert_packed.cpp
Step pack(int bits);                                // 4 or 2: the low bits of each byte
Step extend_packed(int from_bits, bool is_signed);  // integers of 4 or 2 bits, packed, to bytes
Step lookup_packed(int from_bits, Format to);       // 4 or 2 bits, packed, to at most 32 (4 and 2: one code a byte)
Step repack(int from_bits, int to_bits);            // 4 to 4, 4 to 2 and 2 to 4, packed

// convert_selected.cpp
Step lookup_selected(const SelectTable& selects, int to_bits);  // codes of 8 bits to 4 or 2, packed, by these

/// The step of a kernel, a function object that maps kElements elements (kIn bytes) to kOut bytes. What is left at the
/// end goes through it in a zero-filled copy, so that there is one definition of each conversion and no access beyond
/// the ends.
template <class Kernel>
void run(const std::uint8_t* src, std::uint8_t* dst, std::size_t count, const StepContext& context) {
  const Kernel kernel(context);
  for (; count >= Kernel::kElements; count -= Kernel::kElements) {
    kernel(src, dst);
    src += Kernel::kIn;
    dst += Kernel::kOut;
  }
  if (count == 0) return;
  std::uint8_t in[Kernel::kIn] = {};
  std::uint8_t out[Kernel::kOut];
  constexpr std::size_t kInBits = Kernel::kIn * 8 / Kernel::kElements;
  constexpr std::size_t kOutBits = Kernel::kOut * 8 / Kernel::kElements;
  std::memcpy(in, src, (count * kInBits + 7) / 8);
  kernel(in, out);
  std::memcpy(dst, out, (count * kOutBits + 7) / 8);
}

/// What most kernels are: no state.
struct StatelessKernel {
  explicit StatelessKernel(const StepContext&) {}
};

inline v128_t load(const std::uint8_t* src, int index) { return wasm_v128_load(src + 16 * index); }
inline void store(std::uint8_t* dst, int index, v128_t value) { wasm_v128_store(dst + 16 * index, value); }

// Unpack-low and unpack-high are, with swizzles, the shuffles that V8 compiles to one instruction.
inline v128_t zip_low8(v128_t a, v128_t b) {
  return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline v128_t zip_high8(v128_t a, v128_t b) {
  return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
inline v128_t zip_low16(v128_t a, v128_t b) { return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
inline v128_t zip_high16(v128_t a, v128_t b) { return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
inline v128_t even32(v128_t a, v128_t b) { return wasm_i32x4_shuffle(a, b, 0, 2, 4, 6); }
inline v128_t odd32(v128_t a, v128_t b) { return wasm_i32x4_shuffle(a, b, 1, 3, 5, 7); }
inline v128_t high_half(v128_t a) { return wasm_i64x2_shuffle(a, a, 1, 1); }

/// Hides what LLVM knows of the sign bits: where it knows them clear, it makes signed comparisons unsigned ones, of
/// which V8 makes four instructions instead of one.
inline v128_t opaque(v128_t a) {
#ifdef __EMSCRIPTEN__
  __asm__("" : "+r"(a));
#endif
  return a;
}

inline v128_t splat32(std::uint32_t bits) { return wasm_i32x4_splat(static_cast<std::int32_t>(bits)); }
inline v128_t splat16(std::uint32_t bits) { return wasm_i16x8_splat(static_cast<std::int16_t>(bits)); }
inline v128_t splat8(std::uint32_t bits) { return wasm_i8x16_splat(static_cast<std::int8_t>(bits)); }

/// All bits of the bytes whose top bit is set. With a zero that it knows, LLVM makes this a shift, of which V8 makes
/// five instructions.
inline v128_t negative(v128_t x) { return wasm_i8x16_gt(opaque(splat8(0)), x); }

/// Bytes, negated where `codes` have the top bit set.
inline v128_t with_sign(v128_t x, v128_t codes) {
  return wasm_i8x16_sub(wasm_v128_xor(x, negative(codes)), negative(codes));
}

// Bytes shifted by a constant. Of the shifts of bytes that wasm has, V8 makes five instructions, which build the mask
// each time.
template <int kBits>
v128_t shl_bytes(v128_t x) {
  return wasm_v128_and(wasm_i16x8_shl(x, kBits), splat8(0xffu << kBits & 0xff));
}
template <int kBits>
v128_t shr_bytes(v128_t x) {
  return wasm_v128_and(wasm_u16x8_shr(x, kBits), splat8(0xffu >> kBits));
}

/// `Kernel` for the 8- and 16-bit integers.
template <template <int, bool> class Kernel>
Step step_from_short_integer(Format from) {
  switch (from) {
    case Format::kUint8:
      return run<Kernel<8, false>>;
    case Format::kInt8:
      return run<Kernel<8, true>>;
    case Format::kUint16:
      return run<Kernel<16, false>>;
    default:
      assert(from == Format::kInt16);
      return run<Kernel<16, true>>;
  }
}

}  // namespace layout
