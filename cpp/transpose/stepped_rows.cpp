// transpose/stepped_rows.h says what these functions do.

#include "transpose/stepped_rows.h"

#include "bits/runs.h"
#include "bits/vectors.h"

namespace layout {
namespace {

using std::ptrdiff_t;
using std::uint8_t;

/// Takes every second lane of two vectors, from the first one on: lanes 0, 2, .. of `a`, then those of `b`.
template <int kBits>
v128_t even_lanes(v128_t a, v128_t b) {
  // V8 compiles narrowing to one instruction, and a shuffle of two vectors of bytes to five. The mask, which clears the
  // odd lanes, keeps narrowing from saturating.
  if constexpr (kBits == 8)
    return wasm_u8x16_narrow_i16x8(wasm_v128_and(a, splat16(0xff)), wasm_v128_and(b, splat16(0xff)));
  if constexpr (kBits == 16)
    return wasm_u16x8_narrow_i32x4(wasm_v128_and(a, splat32(0xffff)), wasm_v128_and(b, splat32(0xffff)));
  if constexpr (kBits == 32) return even32(a, b);
  if constexpr (kBits == 64) return zip_low<64>(a, b);
}

/// Reverses the lanes of a vector.
template <int kBits>
v128_t reverse_lanes(v128_t a) {
  if constexpr (kBits == 8) return wasm_i8x16_shuffle(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  if constexpr (kBits == 16) return wasm_i16x8_shuffle(a, a, 7, 6, 5, 4, 3, 2, 1, 0);
  if constexpr (kBits == 32) return wasm_i32x4_shuffle(a, a, 3, 2, 1, 0);
  if constexpr (kBits == 64) return wasm_i64x2_shuffle(a, a, 1, 0);
}

/// Does SteppedRow a vector of elements at a time: `vector_at(src)` gathers as many elements as a vector has lanes,
/// from the element at `src` on. At least the last `left` elements, and those that fill no vector, are copied one by
/// one.
template <int kBits, typename VectorAt>
void move_vectors(ptrdiff_t count, ptrdiff_t left, const uint8_t* src, ptrdiff_t stride, uint8_t* dst,
                  const VectorAt& vector_at) {
  ptrdiff_t at = 0;
  for (; at + kLanes<kBits> + left <= count; at += kLanes<kBits>)
    store(dst + at * kBits / 8, vector_at(src + at * stride));
  copy_rows(count - at, kBits / 8, src + at * stride, stride, dst + at * kBits / 8, kBits / 8);
}

/// The SteppedRow for a stride of two elements.
template <int kBits>
void every_second(ptrdiff_t count, const uint8_t* src, ptrdiff_t stride, uint8_t* dst) {
  // The two loads of a vector also read the gap after its last element. After the last element of the row, that gap
  // may lie outside the memory: so one element is left.
  move_vectors<kBits>(count, 1, src, stride, dst,
                      [](const uint8_t* from) { return even_lanes<kBits>(load(from), load(from, 1)); });
}

/// The SteppedRow for a stride of one element backwards. The last of a vector's elements has the lowest address, so the
/// vector is loaded from there.
template <int kBits>
void reversed(ptrdiff_t count, const uint8_t* src, ptrdiff_t stride, uint8_t* dst) {
  move_vectors<kBits>(count, 0, src, stride, dst, [stride](const uint8_t* from) {
    return reverse_lanes<kBits>(load(from + (kLanes<kBits> - 1) * stride));
  });
}

/// The SteppedRow for a stride of 0: one element again and again.
template <int kBits>
void repeated(ptrdiff_t count, const uint8_t* src, ptrdiff_t stride, uint8_t* dst) {
  v128_t value;
  if constexpr (kBits == 8) value = wasm_v128_load8_splat(src);
  if constexpr (kBits == 16) value = wasm_v128_load16_splat(src);
  if constexpr (kBits == 32) value = wasm_v128_load32_splat(src);
  if constexpr (kBits == 64) value = wasm_v128_load64_splat(src);
  move_vectors<kBits>(count, 0, src, stride, dst, [value](const uint8_t*) { return value; });
}

/// Does find_stepped_row for elements of kBits; `stride` is in bytes.
template <int kBits>
SteppedRow* find(ptrdiff_t stride) {
  if (stride == 2 * kBits / 8) return every_second<kBits>;
  if (stride == -kBits / 8) return reversed<kBits>;
  return stride == 0 ? repeated<kBits> : nullptr;
}

}  // namespace

SteppedRow* find_stepped_row(ptrdiff_t bytes, ptrdiff_t stride) {
  switch (bytes) {
    case 1:
      return find<8>(stride);
    case 2:
      return find<16>(stride);
    case 4:
      return find<32>(stride);
    case 8:
      return find<64>(stride);
    default:
      return nullptr;
  }
}

}  // namespace layout
