#pragma once

#include <cstddef>
#include <cstdint>

#include "bits/simd128.h"

// The words that every kernel uses on vectors of 128 bits: each intrinsic that many files need has its name here.

namespace layout {

/// The number of elements of `kBits` bits in a vector.
template <int kBits>
constexpr int kLanes = 128 / kBits;

/// Vector `index` of the vectors that lie side by side from `src` on. No address needs alignment.
inline v128_t load(const void* src, std::ptrdiff_t index = 0) {
  return wasm_v128_load(static_cast<const std::uint8_t*>(src) + 16 * index);
}
/// Writes vector `index` of the vectors that lie side by side from `dst` on.
inline void store(void* dst, std::ptrdiff_t index, v128_t value) {
  wasm_v128_store(static_cast<std::uint8_t*>(dst) + 16 * index, value);
}
inline void store(void* dst, v128_t value) { wasm_v128_store(dst, value); }

/// Reads 2, 4, 8, 12 or 16 bytes into the low bytes of a vector. The other bytes hold anything.
template <int kBytes>
v128_t load_part(const void* src) {
  if constexpr (kBytes == 16) return wasm_v128_load(src);
  if constexpr (kBytes == 12)
    return wasm_v128_load32_lane(static_cast<const std::uint8_t*>(src) + 8, wasm_v128_load64_zero(src), 2);
  if constexpr (kBytes == 8) return wasm_v128_load64_zero(src);
  if constexpr (kBytes == 4) return wasm_v128_load32_zero(src);
  if constexpr (kBytes == 2) return wasm_v128_load16_splat(src);
}

/// Writes kBytes bytes of a vector: lane `kLane` of its lanes of 2, 4, 8 or 16 bytes, or its first 12 bytes.
template <int kBytes, int kLane = 0>
void store_part(void* dst, v128_t value) {
  if constexpr (kBytes == 16) wasm_v128_store(dst, value);
  if constexpr (kBytes == 12) {
    wasm_v128_store64_lane(dst, value, 0);
    wasm_v128_store32_lane(static_cast<std::uint8_t*>(dst) + 8, value, 2);
  }
  if constexpr (kBytes == 8) wasm_v128_store64_lane(dst, value, kLane);
  if constexpr (kBytes == 4) wasm_v128_store32_lane(dst, value, kLane);
  if constexpr (kBytes == 2) wasm_v128_store16_lane(dst, value, kLane);
}

/// Puts the low bits of a number into every lane.
inline v128_t splat32(std::uint32_t bits) { return wasm_i32x4_splat(static_cast<std::int32_t>(bits)); }
inline v128_t splat16(std::uint32_t bits) { return wasm_i16x8_splat(static_cast<std::int16_t>(bits)); }
inline v128_t splat8(std::uint32_t bits) { return wasm_i8x16_splat(static_cast<std::int8_t>(bits)); }

/// Takes the lanes of two vectors in turn. V8 compiles no other shuffle of two vectors to one instruction, except
/// blends and shuffles of 32-bit lanes.
///   a0 a1 a2 a3, b0 b1 b2 b3 -> a0 b0 a1 b1 (zip_low)
///                               a2 b2 a3 b3 (zip_high)
template <int kBits>
inline v128_t zip_low(v128_t a, v128_t b) {
  if constexpr (kBits == 8) {
    return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  } else if constexpr (kBits == 16) {
    return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  } else if constexpr (kBits == 32) {
    return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
  } else {
    return wasm_i64x2_shuffle(a, b, 0, 2);
  }
}

/// Takes the lanes of the high halves in turn, as the picture at zip_low shows.
template <int kBits>
inline v128_t zip_high(v128_t a, v128_t b) {
  if constexpr (kBits == 8) {
    return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  } else if constexpr (kBits == 16) {
    return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  } else if constexpr (kBits == 32) {
    return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  } else {
    return wasm_i64x2_shuffle(a, b, 1, 3);
  }
}

/// Takes every second lane of two vectors.
///   a0 a1 a2 a3, b0 b1 b2 b3 -> a0 a2 b0 b2 (even32)
///                               a1 a3 b1 b3 (odd32)
inline v128_t even32(v128_t a, v128_t b) { return wasm_i32x4_shuffle(a, b, 0, 2, 4, 6); }
inline v128_t odd32(v128_t a, v128_t b) { return wasm_i32x4_shuffle(a, b, 1, 3, 5, 7); }

/// Makes bytes of the int32 lanes of four vectors, in order, saturated to 0..255 or to -128..127. The sign of a lane
/// stays the sign of its signed byte.
inline v128_t saturate_uint8(v128_t a, v128_t b, v128_t c, v128_t d) {
  return wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(a, b), wasm_i16x8_narrow_i32x4(c, d));
}
inline v128_t saturate_int8(v128_t a, v128_t b, v128_t c, v128_t d) {
  return wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(a, b), wasm_i16x8_narrow_i32x4(c, d));
}

/// The high 64 bits, in both halves.
inline v128_t high_half(v128_t a) { return wasm_i64x2_shuffle(a, a, 1, 1); }

/// Shifts each byte left by a constant: a shift of 16-bit lanes, and a mask for the bits that cross from byte to byte.
/// V8 compiles wasm's own shifts of bytes to five instructions, which build the mask each time.
template <int kBits>
v128_t shl_bytes(v128_t x) {
  return wasm_v128_and(wasm_i16x8_shl(x, kBits), splat8(0xffu << kBits & 0xff));
}
/// Shifts each byte right by a constant, with zeros from the left, in the way of shl_bytes.
template <int kBits>
v128_t shr_bytes(v128_t x) {
  return wasm_v128_and(wasm_u16x8_shr(x, kBits), splat8(0xffu >> kBits));
}

/// Returns `a` unchanged, and hides from LLVM what it knows about its sign bits. Where LLVM knows that they are clear,
/// it turns a signed comparison into an unsigned one, and V8 compiles that to four instructions instead of one. The
/// empty assembly could change `a` as far as LLVM knows. Native builds need none.
inline v128_t opaque(v128_t a) {
#ifdef __EMSCRIPTEN__
  __asm__("" : "+r"(a));
#endif
  return a;
}

/// All bits of the bytes whose top bit is set. LLVM turns a comparison with a zero that it knows into a shift, which
/// V8 compiles to five instructions.
inline v128_t negative(v128_t x) { return wasm_i8x16_gt(opaque(splat8(0)), x); }

}  // namespace layout
