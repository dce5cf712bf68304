/// The energies of the bins of a transform.
#pragma once

#include "audio/frames.h"
#include "elementary/pairs.h"

namespace layout {

/// Makes the energies of all bins from half-complex numbers, in place: bin k reads numbers 2k - 1 and 2k and writes
/// number k.
void make_energies(const Spectrum& spectrum, Pair* x);

/// a * b + c of float32 numbers, rounded once to float32.
Pair fused_float32(Pair a, Pair b, Pair c);

}  // namespace layout
