#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <vector>

#include "../native/check.h"

/// Each target defines it: one call, made of `input`, against the scalar kernels and the loops of the tests. A
/// difference ends the process.
void fuzz(FuzzedDataProvider& input);

/// What a call was and did, in the words of the wasm module: `block` is its axes or channels, `arguments` those of the
/// function without addresses (transpose: the phases in their places). replay.cpp prints it; while fuzzing, nothing
/// happens.
void record(const char* function, const std::vector<double>& block, const std::vector<double>& arguments,
            const Moved& moved);
