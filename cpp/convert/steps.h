#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "convert/convert.h"
#include "convert/formats.h"

namespace layout {

struct ByteLookup;

/// The settings of a step's kernels.
struct StepContext {
  ConvertOptions options;
  /// For the look-ups. lookup_packed, repack: byte k of the result for code c at table[16 * k + c]. lookup_memory: the
  /// results in order.
  const std::uint8_t* table = nullptr;
  /// For lookup_rows.
  const ByteLookup* rows = nullptr;
};

/// One pass over `count` elements, with convert's rules for sizes, alignment and aliasing; but the bits after a packed
/// tail may hold anything. A conversion is a chain of at most four steps.
using Step = void (*)(const std::uint8_t* src, std::uint8_t* dst, std::size_t count, const StepContext& context);

// The steps. The functions below return the step for a format, or nullptr for a format that the comment does not name.
// int32 and int64 stand for a residue modulo 2^32 or 2^64.
//
// "Sticky" means rounded to odd: cut off toward zero, with the last bit set if anything was cut off. Rounding a sticky
// float32 to any format of at most 16 bits gives what rounding the exact number gives (two spare bits of significand
// suffice), so two steps round once.

// small_floats_to_float32.cpp
Step float_to_float32(Format from);  // float16, bfloat16, float8; float6 as one code to a byte

// float32_to_small_floats.cpp
Step float32_to_float(Format to);  // float16, bfloat16, float8; float6 and float4 as one code to a byte

// to_floats.cpp
Step number_to_float32(Format from);          // 8-, 16- and 32-bit integers, float64: to nearest even
Step number_to_sticky_float32(Format from);   // 8-, 16- and 32-bit integers, float64
Step number_to_float64(Format from);          // 32- and 64-bit integers, float32: to nearest even
Step integer_to_sticky_float64(Format from);  // int64, uint64

// to_integers.cpp
Step number_to_int32(Format from);     // 8-, 16- and 64-bit integers, float32, float64
Step number_to_int64(Format from);     // int32, uint32, float64
Step narrow_int32(int bits);           // to the low 8 or 16 bits
Step float32_to_int8(bool is_signed);  // modulo 2^8; faster where nothing overflows
Step float16_to_short(int bits);       // modulo 2^8 or 2^16

// to_bool.cpp
Step number_to_bool(Format from);  // integers of 8 bits and more, bool, float32, float64

// packed.cpp
Step pack(int bits);                                // 6, 4 or 2: the low bits of each byte
Step extend_packed(int from_bits, bool is_signed);  // packed integers of 4 or 2 bits to bytes; unsigned ones of 6
Step lookup_packed(int from_bits, Format to);       // packed codes of 4 or 2 bits to at most 32 bits, not packed
Step repack(int from_bits, int to_bits);            // packed codes: 4 bits to 4 or 2, 2 bits to 4

/// The base of kernels without state: one call takes kElements elements, which have kIn bytes in all, and writes kOut
/// bytes.
template <std::size_t kElementCount, std::size_t kInBytes, std::size_t kOutBytes>
struct StatelessKernel {
  static constexpr std::size_t kElements = kElementCount, kIn = kInBytes, kOut = kOutBytes;
};

/// Makes a kernel: from the context where it has a constructor for that, which reads options or tables, else by
/// default.
template <class Kernel>
Kernel kernel_for(const StepContext& context) {
  if constexpr (std::is_constructible_v<Kernel, const StepContext&>)
    return Kernel(context);
  else
    return Kernel();
}

/// The step of a kernel: a function object that maps kElements elements (kIn bytes) to kOut bytes. A remainder goes
/// through the same kernel in a zero-filled copy, so no access lies past the end.
template <class Kernel>
void run(const std::uint8_t* src, std::uint8_t* dst, std::size_t count, const StepContext& context) {
  const auto kernel = kernel_for<Kernel>(context);
  for (; count >= Kernel::kElements; count -= Kernel::kElements) {
    kernel(src, dst);
    src += Kernel::kIn;
    dst += Kernel::kOut;
  }
  if (count == 0) return;
  // Fewer elements than a call takes. They may be packed, so their bytes are rounded up.
  std::uint8_t in[Kernel::kIn] = {};
  std::uint8_t out[Kernel::kOut];
  constexpr std::size_t kInBits = Kernel::kIn * 8 / Kernel::kElements;
  constexpr std::size_t kOutBits = Kernel::kOut * 8 / Kernel::kElements;
  std::memcpy(in, src, (count * kInBits + 7) / 8);
  kernel(in, out);
  std::memcpy(dst, out, (count * kOutBits + 7) / 8);
}

}  // namespace layout
