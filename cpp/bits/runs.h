#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bits/vectors.h"

namespace layout {

/// Copies one Word between addresses of any alignment.
template <typename Word>
inline void copy_word(const std::uint8_t* src, std::uint8_t* dst) {
  Word word;
  std::memcpy(&word, src, sizeof(word));
  std::memcpy(dst, &word, sizeof(word));
}

/// Copies `bytes` >= sizeof(Word) bytes in words. The last word overlaps the one before it where words do not divide
/// the run.
template <typename Word>
inline void copy_words(std::ptrdiff_t bytes, const std::uint8_t* src, std::uint8_t* dst) {
  constexpr std::ptrdiff_t kBytes = sizeof(Word);
  std::ptrdiff_t at = 0;
  for (; at + 4 * kBytes <= bytes; at += 4 * kBytes) {
    copy_word<Word>(src + at, dst + at);
    copy_word<Word>(src + at + kBytes, dst + at + kBytes);
    copy_word<Word>(src + at + 2 * kBytes, dst + at + 2 * kBytes);
    copy_word<Word>(src + at + 3 * kBytes, dst + at + 3 * kBytes);
  }
  for (; at + kBytes <= bytes; at += kBytes) copy_word<Word>(src + at, dst + at);
  if (at < bytes) copy_word<Word>(src + bytes - kBytes, dst + bytes - kBytes);
}

/// Does copy_rows for rows of at least one Word: rows of one word, of up to two, which may overlap, or of more.
template <typename Word>
inline void copy_rows_in_words(std::ptrdiff_t rows, std::ptrdiff_t row_bytes, const std::uint8_t* src,
                               std::ptrdiff_t src_stride, std::uint8_t* dst, std::ptrdiff_t dst_stride) {
  constexpr std::ptrdiff_t kBytes = sizeof(Word);
  // The branches lie outside the loops: for a short row, a branch would take longer than the copy.
  if (row_bytes == kBytes) {
    for (; rows > 0; --rows, src += src_stride, dst += dst_stride) copy_word<Word>(src, dst);
  } else if (row_bytes <= 2 * kBytes) {
    const std::ptrdiff_t second = row_bytes - kBytes;
    for (; rows > 0; --rows, src += src_stride, dst += dst_stride) {
      copy_word<Word>(src, dst);
      copy_word<Word>(src + second, dst + second);
    }
  } else {
    for (; rows > 0; --rows, src += src_stride, dst += dst_stride) copy_words<Word>(row_bytes, src, dst);
  }
}

/// Copies `rows` rows of `row_bytes` bytes; strides are the bytes from one row to the next. The two memories do not
/// overlap, and neither do the rows of the destination. Reads and writes no byte outside the rows. The copy goes in the
/// longest words, up to 16 bytes, that are no longer than a row.
inline void copy_rows(std::ptrdiff_t rows, std::ptrdiff_t row_bytes, const std::uint8_t* src, std::ptrdiff_t src_stride,
                      std::uint8_t* dst, std::ptrdiff_t dst_stride) {
  const auto copy = row_bytes >= 16  ? copy_rows_in_words<v128_t>
                    : row_bytes >= 8 ? copy_rows_in_words<std::uint64_t>
                    : row_bytes >= 4 ? copy_rows_in_words<std::uint32_t>
                    : row_bytes >= 2 ? copy_rows_in_words<std::uint16_t>
                                     : copy_rows_in_words<std::uint8_t>;
  copy(rows, row_bytes, src, src_stride, dst, dst_stride);
}

/// Does scatter for pieces of at least one Word, which copies them in words.
template <typename Word>
inline void scatter_in_words(int count, std::ptrdiff_t bytes, const std::uint8_t* src, std::uint8_t* dst,
                             const std::ptrdiff_t* offsets) {
  for (int i = 0; i < count; ++i) copy_rows_in_words<Word>(1, bytes, src + i * bytes, 0, dst + offsets[i], 0);
}

/// Cuts a run into `count` pieces of `bytes` bytes and writes piece i to `dst + offsets[i]`.
inline void scatter(int count, std::ptrdiff_t bytes, const std::uint8_t* src, std::uint8_t* dst,
                    const std::ptrdiff_t* offsets) {
  const auto copy = bytes >= 16  ? scatter_in_words<v128_t>
                    : bytes >= 8 ? scatter_in_words<std::uint64_t>
                    : bytes >= 4 ? scatter_in_words<std::uint32_t>
                    : bytes >= 2 ? scatter_in_words<std::uint16_t>
                                 : scatter_in_words<std::uint8_t>;
  copy(count, bytes, src, dst, offsets);
}

/// Does scatter_with_overrun for pieces shorter than a Word: copies one word for each.
template <typename Word>
inline void scatter_in_long_words(int count, std::ptrdiff_t bytes, const std::uint8_t* src, std::uint8_t* dst,
                                  const std::ptrdiff_t* offsets) {
  for (int i = 0; i < count; ++i, src += bytes) copy_word<Word>(src, dst + offsets[i]);
}

/// Does scatter for pieces of 3 to 15 bytes by one copy of a longer word each, which is faster: it reads and writes up
/// to as many bytes past a piece as the piece has. These bytes must be there, and the caller writes those of the
/// destination later.
inline void scatter_with_overrun(int count, std::ptrdiff_t bytes, const std::uint8_t* src, std::uint8_t* dst,
                                 const std::ptrdiff_t* offsets) {
  const auto copy = bytes > 8   ? scatter_in_long_words<v128_t>
                    : bytes > 4 ? scatter_in_long_words<std::uint64_t>
                                : scatter_in_long_words<std::uint32_t>;
  copy(count, bytes, src, dst, offsets);
}

/// Returns, in the low bits, the `count` <= 8 bits that begin `phase` < 8 bits into `src`. Reads the second byte only
/// if it holds some of them.
inline unsigned bits_at(const std::uint8_t* src, int phase, int count) {
  unsigned bits = src[0];
  if (phase + count > 8) bits |= static_cast<unsigned>(src[1]) << 8;
  return bits >> phase & ((1u << count) - 1);
}

/// Writes the low `count` bits into the byte at `dst`, `phase` bits up, and keeps the byte's other bits. phase + count
/// is at most 8.
inline void put_bits(std::uint8_t* dst, int phase, int count, unsigned bits) {
  const unsigned mask = ((1u << count) - 1) << phase;
  *dst = static_cast<std::uint8_t>((*dst & ~mask) | (bits << phase & mask));
}

/// Copies 8 * `bytes` bits that begin `phase` in 1..7 bits into `src` to the bytes from `dst` on. Reads bytes + 1
/// bytes.
inline void shift_bytes(std::ptrdiff_t bytes, const std::uint8_t* src, int phase, std::uint8_t* dst) {
  const auto shift_16_bytes = [=](std::ptrdiff_t at) {
    // Shifts of bytes are slow on x86: shift 16-bit lanes and mask the bits that cross over.
    const v128_t low = wasm_u16x8_shr(load(src + at), static_cast<std::uint32_t>(phase));
    const v128_t high = wasm_i16x8_shl(load(src + at + 1), static_cast<std::uint32_t>(8 - phase));
    const v128_t low_bits = splat8(0xffu >> phase);
    store(dst + at, wasm_v128_or(wasm_v128_and(low, low_bits), wasm_v128_andnot(high, low_bits)));
  };
  const auto shift_8_bytes = [=](std::ptrdiff_t at) {
    std::uint64_t word;
    std::memcpy(&word, src + at, 8);
    word = word >> phase | static_cast<std::uint64_t>(src[at + 8]) << (64 - phase);
    std::memcpy(dst + at, &word, 8);
  };
  // In the longest words that are no longer than the run. The last one may overlap the one before it.
  if (bytes >= 16) {
    std::ptrdiff_t at = 0;
    for (; at + 16 <= bytes; at += 16) shift_16_bytes(at);
    if (at < bytes) shift_16_bytes(bytes - 16);
  } else if (bytes >= 8) {
    shift_8_bytes(0);
    shift_8_bytes(bytes - 8);
  } else {
    for (std::ptrdiff_t at = 0; at < bytes; ++at) {
      const int both = src[at] | src[at + 1] << 8;
      dst[at] = static_cast<std::uint8_t>(both >> phase);
    }
  }
}

/// Copies a run of `bits` bits that begins `src_phase` < 8 bits into `src` to `dst_phase` < 8 bits into `dst`. Keeps
/// the destination's bits beside the run. Reads and writes no byte without a bit of the run.
inline void copy_bits(std::ptrdiff_t bits, const std::uint8_t* src, int src_phase, std::uint8_t* dst, int dst_phase) {
  // The bits up to the first whole byte of the destination, or all bits if they fill no byte.
  if (dst_phase != 0 || bits < 8) {
    const int bits_left_in_byte = 8 - dst_phase;
    const int head = static_cast<int>(bits < bits_left_in_byte ? bits : bits_left_in_byte);
    put_bits(dst, dst_phase, head, bits_at(src, src_phase, head));
    bits -= head;
    src += (src_phase + head) / 8;
    src_phase = (src_phase + head) % 8;
    if (bits == 0) return;
    dst += 1;
  }
  // Whole bytes, then the bits of the last one.
  const std::ptrdiff_t bytes = bits / 8;
  if (src_phase == 0) {
    if (bytes > 0) copy_rows(1, bytes, src, 0, dst, 0);
  } else {
    shift_bytes(bytes, src, src_phase, dst);
  }
  const int tail = static_cast<int>(bits % 8);
  if (tail != 0) put_bits(dst + bytes, 0, tail, bits_at(src + bytes, src_phase, tail));
}

}  // namespace layout
