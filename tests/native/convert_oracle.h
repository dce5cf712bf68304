#pragma once

// The results of a conversion, from the definitions: the exact value of every code as a long double (64 bits of
// significand hold all of them), and the nearest value by search. Shares only the formats' codes with the code that it
// checks.

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "convert/convert.h"

namespace oracle {

using layout::Format;
using layout::ScaleRounding;

static_assert(LDBL_MANT_DIG >= 64, "exact values of 64-bit integers and float64 need a 64-bit significand");

enum class Type { kBool, kUnsigned, kSigned, kFloat, kScale };

struct FormatFacts {
  Format format;
  const char* name;
  Type type;
  int bits;
  int mantissa;
  int bias;
  std::uint64_t largest;   // the magnitude code of the largest number
  std::uint64_t infinity;  // a magnitude code, or 0 if there is none
  std::uint64_t nan;       // the code that NaN becomes, or the one NaN code
  bool nan_signed;
  bool negative_zero;
};

inline constexpr FormatFacts kFormats[] = {
    {Format::kBool, "bool", Type::kBool, 8, 0, 0, 0, 0, 0, false, false},
    {Format::kUint2, "uint2", Type::kUnsigned, 2, 0, 0, 0, 0, 0, false, false},
    {Format::kInt2, "int2", Type::kSigned, 2, 0, 0, 0, 0, 0, false, false},
    {Format::kUint4, "uint4", Type::kUnsigned, 4, 0, 0, 0, 0, 0, false, false},
    {Format::kInt4, "int4", Type::kSigned, 4, 0, 0, 0, 0, 0, false, false},
    {Format::kUint8, "uint8", Type::kUnsigned, 8, 0, 0, 0, 0, 0, false, false},
    {Format::kInt8, "int8", Type::kSigned, 8, 0, 0, 0, 0, 0, false, false},
    {Format::kUint16, "uint16", Type::kUnsigned, 16, 0, 0, 0, 0, 0, false, false},
    {Format::kInt16, "int16", Type::kSigned, 16, 0, 0, 0, 0, 0, false, false},
    {Format::kUint32, "uint32", Type::kUnsigned, 32, 0, 0, 0, 0, 0, false, false},
    {Format::kInt32, "int32", Type::kSigned, 32, 0, 0, 0, 0, 0, false, false},
    {Format::kUint64, "uint64", Type::kUnsigned, 64, 0, 0, 0, 0, 0, false, false},
    {Format::kInt64, "int64", Type::kSigned, 64, 0, 0, 0, 0, 0, false, false},
    {Format::kFloat64, "float64", Type::kFloat, 64, 52, 1023, 0x7fefffffffffffff, 0x7ff0000000000000,
     0x7ff8000000000000, true, true},
    {Format::kFloat32, "float32", Type::kFloat, 32, 23, 127, 0x7f7fffff, 0x7f800000, 0x7fc00000, true, true},
    {Format::kFloat16, "float16", Type::kFloat, 16, 10, 15, 0x7bff, 0x7c00, 0x7e00, true, true},
    {Format::kBfloat16, "bfloat16", Type::kFloat, 16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0, true, true},
    {Format::kFloat8E4m3fn, "float8e4m3fn", Type::kFloat, 8, 3, 7, 0x7e, 0, 0x7f, true, true},
    {Format::kFloat8E4m3fnuz, "float8e4m3fnuz", Type::kFloat, 8, 3, 8, 0x7f, 0, 0x80, false, false},
    {Format::kFloat8E5m2, "float8e5m2", Type::kFloat, 8, 2, 15, 0x7b, 0x7c, 0x7e, true, true},
    {Format::kFloat8E5m2fnuz, "float8e5m2fnuz", Type::kFloat, 8, 2, 16, 0x7f, 0, 0x80, false, false},
    {Format::kFloat8E8m0, "float8e8m0", Type::kScale, 8, 0, 127, 0xfe, 0, 0xff, false, false},
    {Format::kFloat6E2m3, "float6e2m3", Type::kFloat, 6, 3, 1, 0x1f, 0, 0x20, false, true},
    {Format::kFloat6E3m2, "float6e3m2", Type::kFloat, 6, 2, 3, 0x1f, 0, 0x20, false, true},
    {Format::kFloat4E2m1, "float4e2m1", Type::kFloat, 4, 1, 1, 0x7, 0, 0x8, false, true},
};

struct Value {
  bool nan = false;
  bool negative = false;
  long double magnitude = 0;  // may be infinite
};

inline std::uint64_t mask(int bits) { return bits == 64 ? ~0ull : (1ull << bits) - 1; }

/// The exact value of a magnitude code read as a number.
inline long double number(const FormatFacts& facts, std::uint64_t magnitude) {
  if (facts.type == Type::kScale) return std::ldexp(1.0L, static_cast<int>(magnitude) - facts.bias);
  const int field = static_cast<int>(magnitude >> facts.mantissa);
  const std::uint64_t fraction = magnitude & mask(facts.mantissa);
  if (field == 0) return std::ldexp(static_cast<long double>(fraction), 1 - facts.bias - facts.mantissa);
  return std::ldexp(static_cast<long double>(fraction + (1ull << facts.mantissa)), field - facts.bias - facts.mantissa);
}

inline Value decode(const FormatFacts& facts, std::uint64_t code) {
  Value value;
  const bool top = (code >> (facts.bits - 1) & 1) != 0;
  switch (facts.type) {
    case Type::kBool:
      value.magnitude = code != 0 ? 1 : 0;
      return value;
    case Type::kUnsigned:
      value.magnitude = static_cast<long double>(code);
      return value;
    case Type::kSigned:
      value.negative = top;
      value.magnitude = static_cast<long double>(top ? mask(facts.bits) - code + 1 : code);
      return value;
    case Type::kScale:
      value.nan = code == facts.nan;
      value.magnitude = value.nan ? 0 : number(facts, code);
      return value;
    case Type::kFloat:
      break;
  }
  const std::uint64_t magnitude = code & mask(facts.bits - 1);
  value.negative = top;
  if (code == facts.nan && !facts.negative_zero) {
    value.nan = true;
    value.negative = false;  // the only NaN has no sign
  } else if (facts.infinity != 0 && magnitude == facts.infinity) {
    value.magnitude = HUGE_VALL;
  } else if (magnitude > facts.largest) {
    value.nan = true;
  } else {
    value.magnitude = number(facts, magnitude);
  }
  return value;
}

/// The magnitude code nearest to a finite magnitude, ties to the even code, as if the exponents went on above the
/// largest number. A code above the largest number means overflow.
inline std::uint64_t nearest(const FormatFacts& facts, long double magnitude) {
  std::uint64_t below = 0, above = facts.largest + 1;  // value(below) <= magnitude < value(above), if it is at all
  if (magnitude >= number(facts, above)) return above;
  if (magnitude > 0) {  // the codes of its exponent alone
    const int field = std::max(std::ilogb(magnitude) + facts.bias, 0);
    below = field == 0 ? 0 : static_cast<std::uint64_t>(field) << facts.mantissa;
    above = std::min(above, static_cast<std::uint64_t>(std::max(field, 1) + (field > 0)) << facts.mantissa);
  }
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    if (number(facts, middle) <= magnitude)
      below = middle;
    else
      above = middle;
  }
  const long double low = number(facts, below), high = number(facts, above);
  const long double midpoint = low + (high - low) / 2;  // one bit more than the format has: exact
  if (magnitude < midpoint) return below;
  if (magnitude > midpoint) return above;
  return below % 2 == 0 ? below : above;
}

/// The Cast-25 table for float8e8m0. Zero, negative and tiny numbers lie below the range.
inline std::uint64_t encode_scale(const FormatFacts& facts, const Value& value, bool saturate, ScaleRounding rounding) {
  if (value.nan) return facts.nan;
  if (value.negative || value.magnitude < 0x1p-127L) return saturate ? 0 : facts.nan;
  if (value.magnitude > 0x1p127L) return saturate ? facts.largest : facts.nan;
  auto code = static_cast<std::uint64_t>(std::ilogb(value.magnitude) + facts.bias);
  const long double ratio = value.magnitude / number(facts, code);
  if (rounding == ScaleRounding::kUp && ratio > 1) ++code;
  if (rounding == ScaleRounding::kNearest && ratio >= 1.5L) ++code;
  return code;
}

inline std::uint64_t encode(const FormatFacts& facts, const Value& value, bool saturate, ScaleRounding rounding) {
  const bool finite = !value.nan && std::isfinite(value.magnitude);
  switch (facts.type) {
    case Type::kBool:
      return value.nan || value.magnitude != 0 ? 1 : 0;
    case Type::kUnsigned:
    case Type::kSigned: {
      if (!finite) return 0;
      const long double whole = std::floor(value.magnitude);
      const auto residue = static_cast<std::uint64_t>(std::fmod(whole, 0x1p64L));
      return (value.negative ? 0 - residue : residue) & mask(facts.bits);
    }
    case Type::kScale:
      return encode_scale(facts, value, saturate, rounding);
    case Type::kFloat:
      break;
  }
  const std::uint64_t sign = value.negative ? 1ull << (facts.bits - 1) : 0;
  if (value.nan) return facts.nan | (facts.nan_signed ? sign : 0);
  std::uint64_t magnitude = finite ? nearest(facts, value.magnitude) : facts.largest + 1;
  if (magnitude > facts.largest) {
    const bool clamp = facts.bits < 8 || (facts.bits == 8 && saturate);
    if (!clamp && facts.infinity == 0) return facts.nan | (facts.nan_signed ? sign : 0);
    magnitude = clamp ? facts.largest : facts.infinity;
  }
  return magnitude == 0 && !facts.negative_zero ? 0 : magnitude | sign;
}

/// The code that a code of format `from` becomes in format `to`.
inline std::uint64_t convert(const FormatFacts& from, const FormatFacts& to, std::uint64_t code,
                             layout::ConvertOptions options) {
  if (from.format == to.format && from.type != Type::kBool) return code;
  return encode(to, decode(from, code), options.saturate, options.scale_rounding);
}

}  // namespace oracle
