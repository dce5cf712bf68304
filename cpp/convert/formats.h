#pragma once

#include <cstdint>

#include "convert/convert.h"

namespace layout {

enum class Kind : std::uint8_t { kBool, kUnsigned, kSigned, kFloat };

/// What the codes mean that are not plain numbers.
enum class Special : std::uint8_t {
  kNone,    // not a float
  kIeee,    // the top exponent holds infinities and NaNs
  kFn,      // no infinity; NaN is the all-ones code of either sign
  kFnuz,    // no infinity, no -0; the code of -0 is the only NaN
  kFinite,  // every code is a number
  kScale,   // an unsigned power of two; the all-ones code is NaN
};

struct FormatRow {
  Format format;
  Kind kind;
  int bits;
  int exponent = 0;  // in bits, as the mantissa
  int mantissa = 0;
  int bias = 0;
  Special special = Special::kNone;
};

/// THE format table. Sources: IEEE 754-2019; "FP8 Formats for Deep Learning" (arXiv 2209.05433); "8-bit Numerical
/// Formats" (arXiv 2206.02915); OCP Microscaling Formats 1.0.
inline constexpr FormatRow kFormatTable[] = {
    {Format::kBool, Kind::kBool, 8},
    {Format::kUint2, Kind::kUnsigned, 2},
    {Format::kInt2, Kind::kSigned, 2},
    {Format::kUint4, Kind::kUnsigned, 4},
    {Format::kInt4, Kind::kSigned, 4},
    {Format::kUint8, Kind::kUnsigned, 8},
    {Format::kInt8, Kind::kSigned, 8},
    {Format::kUint16, Kind::kUnsigned, 16},
    {Format::kInt16, Kind::kSigned, 16},
    {Format::kUint32, Kind::kUnsigned, 32},
    {Format::kInt32, Kind::kSigned, 32},
    {Format::kUint64, Kind::kUnsigned, 64},
    {Format::kInt64, Kind::kSigned, 64},
    {Format::kFloat64, Kind::kFloat, 64, 11, 52, 1023, Special::kIeee},
    {Format::kFloat32, Kind::kFloat, 32, 8, 23, 127, Special::kIeee},
    {Format::kFloat16, Kind::kFloat, 16, 5, 10, 15, Special::kIeee},
    {Format::kBfloat16, Kind::kFloat, 16, 8, 7, 127, Special::kIeee},
    {Format::kFloat8E4m3fn, Kind::kFloat, 8, 4, 3, 7, Special::kFn},
    {Format::kFloat8E4m3fnuz, Kind::kFloat, 8, 4, 3, 8, Special::kFnuz},
    {Format::kFloat8E5m2, Kind::kFloat, 8, 5, 2, 15, Special::kIeee},
    {Format::kFloat8E5m2fnuz, Kind::kFloat, 8, 5, 2, 16, Special::kFnuz},
    {Format::kFloat8E8m0, Kind::kFloat, 8, 8, 0, 127, Special::kScale},
    {Format::kFloat4E2m1, Kind::kFloat, 4, 2, 1, 1, Special::kFinite},
};

constexpr const FormatRow& row_of(Format format) {
  const FormatRow* row = kFormatTable;
  while (row->format != format) ++row;
  return *row;
}

inline constexpr std::uint32_t kFloat32Nan = 0x7fc00000;
inline constexpr std::uint32_t kFloat32Infinity = 0x7f800000;

/// The float32 bits of a magnitude code (no sign bit) of a float format of at most 16 bits, read as a number even where
/// the format means something special by it: one past the largest number is the next number up.
constexpr std::uint32_t float32_of_magnitude(const FormatRow& row, std::uint32_t code) {
  if (code == 0) return 0;
  std::uint32_t significand = code & ((1u << row.mantissa) - 1);
  int exponent = static_cast<int>(code >> row.mantissa) - row.bias;
  if (code >> row.mantissa == 0) {
    for (++exponent; significand >> row.mantissa == 0; --exponent) significand <<= 1;
    significand &= (1u << row.mantissa) - 1;
  }
  return static_cast<std::uint32_t>(exponent + 127) << 23 | significand << (23 - row.mantissa);
}

// Of float8e8m0 what follows knows nothing: its only special code is dealt with where it is converted.

/// The magnitude code of the largest number.
constexpr std::uint32_t largest_code(const FormatRow& row) {
  const std::uint32_t codes = 1u << (row.exponent + row.mantissa);
  switch (row.special) {
    case Special::kIeee:
      return codes - (1u << row.mantissa) - 1;
    case Special::kFn:
      return codes - 2;
    default:
      return codes - 1;
  }
}

/// What NaN becomes, before the sign is set; the sign bit itself where that code is NaN, or where there is none (-0).
constexpr std::uint32_t nan_code(const FormatRow& row) {
  switch (row.special) {
    case Special::kIeee:
      return (largest_code(row) + 1) | 1u << (row.mantissa - 1);
    case Special::kFn:
      return largest_code(row) + 1;
    default:
      return 1u << (row.bits - 1);
  }
}

/// The float32 bits of any code of an integer or float format of at most 8 bits.
constexpr std::uint32_t float32_of_code(const FormatRow& row, std::uint32_t code) {
  const std::uint32_t sign = row.kind == Kind::kUnsigned ? 0 : code >> (row.bits - 1) & 1;
  std::uint32_t magnitude = code & ((1u << (row.bits - 1)) - 1);
  if (row.kind != Kind::kFloat) {
    // An integer of b bits is a float with b explicit mantissa bits and no exponent field: all its codes are subnormal.
    magnitude = sign != 0 ? (1u << row.bits) - code : code;
    const FormatRow integer{row.format, row.kind, 16, 1, row.bits + 1, 1 - (row.bits + 1), Special::kFinite};
    return float32_of_magnitude(integer, magnitude) | sign << 31;
  }
  if (row.special == Special::kFnuz && code == nan_code(row)) return kFloat32Nan;
  if (row.special != Special::kFinite && magnitude > largest_code(row)) {
    return (row.special == Special::kIeee && magnitude == largest_code(row) + 1 ? kFloat32Infinity : kFloat32Nan) |
           sign << 31;
  }
  return float32_of_magnitude(row, magnitude) | sign << 31;
}

}  // namespace layout
