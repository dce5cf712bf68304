#pragma once

#include <cstdint>

#include "transpose/axes.h"

namespace layout {

/// Moves a box: for every index i of it, the element at bit `src_phase` + sum(i * src_stride) of `src` goes to bit
/// `dst_phase` + sum(i * dst_stride) of `dst`.
///
/// `element_bits` is 2, 4 or whole bytes, 0 <= rank <= kMaxRank, extents may be 0 or 1, strides are not negative, the
/// phases are in 0..7. Elements of whole bytes lie on bytes: their strides are whole bytes, their phases 0. Packed
/// elements lie on multiples of their width. Nothing else is aligned. The elements of the destination are distinct, the
/// two memories do not overlap. No byte is read that lies before the first or after the last element of the source,
/// none is written that has no element of the destination; bits beside the elements stay as they are.
///
/// What follows from the axes is kept until a call with others: not for several threads at once.
void transpose(std::int64_t element_bits, int rank, const Axis* axes, const std::uint8_t* src, int src_phase,
               std::uint8_t* dst, int dst_phase);

}  // namespace layout
