#pragma once

#include <cstddef>
#include <cstdint>

#include "convert/convert.h"

namespace layout {

/// Writes elements `first`, first + 1 and so on of start + i * delta, `count` of them, in `format`.
///
/// `values` holds start and delta: as int64 for an integer format, whose arithmetic is modulo 2^64, and as float64
/// otherwise. Floats are computed in `math`, kFloat32 or kFloat64, where the product and the sum are rounded, and the
/// result is rounded once more to the format. Packed elements begin at a byte, and the bits after the last one are
/// zero. No side needs alignment. Not for kBool.
void range(Format format, Format math, double first, std::size_t count, const std::uint8_t* values, std::uint8_t* dst);

}  // namespace layout
