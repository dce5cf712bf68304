#pragma once

// The one place that knows where the wasm intrinsics come from: the compiler, or SIMDe for the sanitizers on the host.
#ifdef __EMSCRIPTEN__
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif

/// Before a loop over the vectors of an array: without it, the build leaves the loop and the array in memory.
#define LAYOUT_UNROLL _Pragma("clang loop unroll(full)")
