#pragma once

#include <cstddef>
#include <cstdint>

#include "resize/passes.h"
#include "resize/plan.h"

// The passes of the library whose sums a request asks for.

namespace layout {

/// Whether the pass across leaves pairs of numbers, which the pass down sums.
bool has_pairs(const ResizeRequest& request);

/// Bytes of a pixel of the result.
int result_bytes(const ResizeRequest& request);

/// Bytes of a number of pixels between both passes.
std::int64_t middle_bytes(const ResizeRequest& request, int pixels);

/// The least bytes of the tile of a pass across `pixels` pixels of the source, with at most `support` for one of the
/// result.
std::size_t tile_bytes(const ResizeRequest& request, int pixels, int support);

/// Makes `columns` columns of the result. Where columns are the source's there is nothing to do.
void pass_across(const ResizeRequest& request, const AcrossPass& pass, int columns);

/// Makes rows of the result, from column `column` on. `columns`: the table of the pass across, which came before.
void pass_down(const ResizeRequest& request, const DownPass& pass, const TapTable& columns, int column);

/// Rounds, scales and normalizes rows of float32, or divides colors by alpha, after both passes.
void finish_rows(const ResizeRequest& request, std::uint8_t* pixels, int rows, int columns);

}  // namespace layout
