#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "convert/convert.h"

namespace layout {

enum class Kind : std::uint8_t { kBool, kUnsigned, kSigned, kFloat };

/// The meaning of codes that are not plain numbers.
enum class Special : std::uint8_t {
  kNone,    // not a float
  kIeee,    // the top exponent holds infinities and NaNs
  kFn,      // no infinity; NaN is the all-ones code of either sign
  kFnuz,    // no infinity, no -0; the code of -0 is the only NaN
  kFinite,  // every code is a number
  kScale,   // an unsigned power of two; the all-ones code is NaN
};

/// One row of formats.def.
struct FormatRow {
  Format format;
  Kind kind;
  int bits;
  int exponent = 0;  // in bits, as the mantissa
  int mantissa = 0;
  int bias = 0;
  Special special = Special::kNone;
};

inline constexpr FormatRow kFormatTable[] = {
#define FORMAT(name, code, ...) {Format::name, __VA_ARGS__},
#include "convert/formats.def"
#undef FORMAT
};

/// The row of kFormatTable for a format. Traps on a number that is no format's code.
constexpr const FormatRow& row_of(Format format) {
  const FormatRow* row = kFormatTable;
  while (row->format != format) {
    if (++row == std::end(kFormatTable)) __builtin_trap();
  }
  return *row;
}

/// Returns pick(std::integral_constant<Format, format>()) for a format of the table, so that `pick` can choose code by
/// the format's row when it is compiled. A row for which `pick` has no code does not compile.
template <typename Pick>
auto pick_for(Format format, const Pick& pick) {
  switch (format) {
#define FORMAT(name, code, ...) \
  case Format::name:            \
    return pick(std::integral_constant<Format, Format::name>());
#include "convert/formats.def"
#undef FORMAT
  }
}

constexpr bool is_float(const FormatRow& row) { return row.kind == Kind::kFloat; }
constexpr bool is_integer(const FormatRow& row) { return row.kind == Kind::kUnsigned || row.kind == Kind::kSigned; }

/// Whether a table of what all codes become fits the 16 bytes of a vector.
constexpr bool has_short_table(const FormatRow& row) { return row.bits <= 4; }

/// Whether several codes share a byte in memory.
constexpr bool is_packed(const FormatRow& row) { return row.bits < 8; }

/// The width of one code that is not packed.
constexpr int unpacked_bits(const FormatRow& row) { return is_packed(row) ? 8 : row.bits; }

inline constexpr std::uint32_t kFloat32Nan = 0x7fc00000;
inline constexpr std::uint32_t kFloat32Infinity = 0x7f800000;

/// The float32 bits of the number with magnitude code `code` (no sign bit) in a float format of at most 16 bits. Reads
/// codes of infinity and NaN as numbers too: the code after the largest number is the next number up.
constexpr std::uint32_t float32_of_magnitude(const FormatRow& row, std::uint32_t code) {
  if (code == 0) return 0;
  const std::uint32_t hidden_bit = 1u << row.mantissa, exponent_field = code >> row.mantissa;
  std::uint32_t mantissa = code & (hidden_bit - 1);
  int exponent = static_cast<int>(exponent_field) - row.bias;
  if (exponent_field == 0) {
    // Subnormal: no hidden bit, and the exponent of field 1. Moves the highest bit up to where the hidden bit belongs.
    ++exponent;
    while (mantissa < hidden_bit) {
      mantissa <<= 1;
      --exponent;
    }
    mantissa -= hidden_bit;
  }
  constexpr int kBias = 127, kMantissa = 23;  // of float32
  return static_cast<std::uint32_t>(exponent + kBias) << kMantissa | mantissa << (kMantissa - row.mantissa);
}

// The functions below are not for float8e8m0, whose kernels know its only special code.

/// The magnitude code (no sign bit) of a float format's largest finite number.
constexpr std::uint32_t largest_code(const FormatRow& row) {
  const std::uint32_t codes = 1u << (row.exponent + row.mantissa);
  switch (row.special) {
    case Special::kIeee:
      return codes - (1u << row.mantissa) - 1;  // the top exponent has 2^mantissa codes
    case Special::kFn:
      return codes - 2;
    case Special::kNone:
    case Special::kFnuz:
    case Special::kFinite:
    case Special::kScale:
      return codes - 1;
  }
}

/// The code that NaN becomes in a float format, before its sign bit is set: the quiet NaN for kIeee, the all-ones
/// magnitude for kFn. It is the sign bit alone for kFnuz, whose only NaN it is, and for kFinite, where NaN becomes -0.
constexpr std::uint32_t nan_code(const FormatRow& row) {
  switch (row.special) {
    case Special::kIeee:
      return (largest_code(row) + 1) | 1u << (row.mantissa - 1);
    case Special::kFn:
      return largest_code(row) + 1;
    case Special::kNone:
    case Special::kFnuz:
    case Special::kFinite:
    case Special::kScale:
      return 1u << (row.bits - 1);
  }
}

/// The number that a code of an integer or float format of at most 8 bits stands for, as float32 bits. Infinities and
/// NaNs are included.
constexpr std::uint32_t float32_of_code(const FormatRow& row, std::uint32_t code) {
  const std::uint32_t sign = row.kind == Kind::kUnsigned ? 0 : code >> (row.bits - 1) & 1;
  const std::uint32_t magnitude = code & ((1u << (row.bits - 1)) - 1);
  if (row.kind != Kind::kFloat) {
    const std::int32_t integer = static_cast<std::int32_t>(code) - (sign != 0 ? 1 << row.bits : 0);  // two's complement
    return __builtin_bit_cast(std::uint32_t, static_cast<float>(integer));
  }
  if (row.special == Special::kFnuz && code == nan_code(row)) return kFloat32Nan;
  // Beyond the largest number there are infinity (the first such code of kIeee) and NaNs.
  if (row.special != Special::kFinite && magnitude > largest_code(row)) {
    return (row.special == Special::kIeee && magnitude == largest_code(row) + 1 ? kFloat32Infinity : kFloat32Nan) |
           sign << 31;
  }
  return float32_of_magnitude(row, magnitude) | sign << 31;
}

}  // namespace layout
