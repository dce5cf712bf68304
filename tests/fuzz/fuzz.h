#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <vector>

#include "../native/check.h"

/// Each target defines it: makes one call from `input` and compares it with the oracle of the tests. A difference ends
/// the process.
void fuzz(FuzzedDataProvider& input);

/// Records a call and what it did, as the wasm module would take it: `block` is its axes or channels, `arguments` are
/// the function's without addresses. A transpose has, instead of these, the bits of `moved.src` and `moved.before` at
/// which the element at index 0 begins. replay.cpp prints the record; libfuzzer.cpp ignores it.
void record(const char* function, const std::vector<double>& block, const std::vector<double>& arguments,
            const Moved& moved);
