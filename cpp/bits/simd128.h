#pragma once

// The wasm intrinsics: the compiler's own, or SIMDe's where the same sources are built for the host.
#ifdef __EMSCRIPTEN__
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif

/// Stands before a loop over an array of vectors. Without it, the loop stays and the array lies in memory, not in
/// registers.
#define LAYOUT_UNROLL _Pragma("clang loop unroll(full)")
