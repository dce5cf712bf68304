#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/passes.h"
#include "resize/plan.h"

// The passes of the library whose sums a request asks for.

namespace layout {

/// Whether the result is made by torch's bilinear of small results, which multiplies the weights of both axes first.
/// The pass across then only picks two numbers for each pixel of the result, and the pass down sums them.
bool has_pairs(const ResizeRequest& request);

/// Bytes of a pixel of the result: `channels`, or the 12 of three float32 numbers where bytes are rescaled.
int result_bytes(const ResizeRequest& request);

/// Bytes of a row of `pixels` pixels of the result between the pass across and the pass down.
std::int64_t middle_bytes(const ResizeRequest& request, int pixels);

/// The least bytes of the tile, the work memory of a pass across (AcrossPass), for rows of `pixels` pixels of the
/// source, of which at most `support` are summed to one of the result.
std::size_t tile_bytes(const ResizeRequest& request, int pixels, int support);

/// Runs the pass across, which makes `columns` columns of the result. Does nothing where the columns have no filter.
void pass_across(const ResizeRequest& request, const AcrossPass& pass, int columns);

/// Runs the pass down after the pass across, whose table is `columns`. The rows of the pass begin with column `column`
/// of the result.
void pass_down(const ResizeRequest& request, const DownPass& pass, const TapTable& columns, int column);

/// Finishes `rows` rows of `columns` pixels in place, after both passes: rounds, scales and normalizes float32; divides
/// colors by alpha where they were multiplied by it. Leaves other pixels as they are.
void finish_rows(const ResizeRequest& request, std::uint8_t* pixels, int rows, int columns);

}  // namespace layout
