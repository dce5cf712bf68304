#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "check.h"
#include "transpose/axes.h"
#include "transpose/plan.h"

/// A box that moves. Source strides may be negative or 0. The functions below compare the move with a loop over bits
/// that shares nothing with the code under test.
struct Box {
  int element_bits;
  std::vector<layout::Axis> axes;
  int src_phase;
  int dst_phase;
};

/// Calls visit(source bit, destination bit) for every element. The bits count from the byte in which the element at
/// index 0 begins, so negative strides lead to source bits below 0.
template <typename Visit>
void for_each_element(const Box& box, const Visit& visit) {
  for (const layout::Axis& axis : box.axes) {
    if (axis.extent == 0) return;
  }
  const std::size_t outer = std::max<std::size_t>(box.axes.size(), 1) - 1;
  const layout::Axis last = box.axes.empty() ? layout::Axis{1, 0, 0} : box.axes.back();
  std::vector<std::int64_t> index(outer, 0);
  for (;;) {
    std::int64_t src = box.src_phase;
    std::int64_t dst = box.dst_phase;
    for (std::size_t i = 0; i < outer; ++i) {
      src += index[i] * box.axes[i].src_stride;
      dst += index[i] * box.axes[i].dst_stride;
    }
    for (std::int64_t k = 0; k < last.extent; ++k) visit(src + k * last.src_stride, dst + k * last.dst_stride);
    std::size_t i = outer;
    while (i > 0 && ++index[i - 1] == box.axes[i - 1].extent) index[--i] = 0;
    if (i == 0) return;
  }
}

inline bool bit_at(const Memory& memory, std::int64_t at) {
  return memory.data[static_cast<std::size_t>(at / 8)] >> at % 8 & 1;
}

inline void set_bit(const Memory& memory, std::int64_t at, bool to) {
  std::uint8_t& byte = memory.data[static_cast<std::size_t>(at / 8)];
  byte = static_cast<std::uint8_t>((byte & ~(1u << at % 8)) | static_cast<unsigned>(to) << at % 8);
}

inline void print(const Box& box) {
  std::fprintf(stderr, "%d bits, phases %d and %d:", box.element_bits, box.src_phase, box.dst_phase);
  for (const layout::Axis& axis : box.axes) {
    std::fprintf(stderr, " {%lld, %lld, %lld}", static_cast<long long>(axis.extent),
                 static_cast<long long>(axis.src_stride), static_cast<long long>(axis.dst_stride));
  }
  std::fprintf(stderr, "\n");
}

/// Moves random bytes by `move(src, dst)` and compares all bits of the destination, those beside the elements included.
/// The source has the bytes from its lowest element to its highest and no others; `src` is the byte in which the
/// element at index 0 begins.
template <typename Move>
Moved check_box(const Box& box, Random& random, const Move& move) {
  std::int64_t src_begin = 0;
  std::int64_t src_end = 0;
  std::int64_t dst_end = 0;
  for_each_element(box, [&](std::int64_t src, std::int64_t dst) {
    src_begin = std::min(src_begin, src);
    src_end = std::max(src_end, src + box.element_bits);
    dst_end = std::max(dst_end, dst + box.element_bits);
  });
  const std::int64_t src_first = (-src_begin + 7) / 8;
  const Memory src(src_first + (src_end + 7) / 8, random);
  const Memory before((dst_end + 7) / 8, random);
  const Memory actual(before);
  const Memory expected(before);
  for_each_element(box, [&](std::int64_t from, std::int64_t to) {
    const std::int64_t first = 8 * src_first + from;
    if (((box.element_bits | first | to) & 7) == 0) {
      std::copy_n(src.data.get() + first / 8, box.element_bits / 8, expected.data.get() + to / 8);
      return;
    }
    for (int b = 0; b < box.element_bits; ++b) set_bit(expected, to + b, bit_at(src, first + b));
  });
  move(src.data.get() + src_first, actual.data.get());
  const std::int64_t at = first_difference(expected, actual);
  if (at >= 0) print(box);
  check(at < 0, "byte %lld of %zu", static_cast<long long>(at), actual.size);
  return {src, before, actual, src_first};
}

inline Moved check_transpose(const Box& box, Random& random) {
  return check_box(box, random, [&](const std::uint8_t* src, std::uint8_t* dst) {
    static layout::Plan plan;
    plan.make(box.element_bits, static_cast<int>(box.axes.size()), box.axes.data(),
              (box.src_phase | box.dst_phase) == 0);
    plan.move(src, box.src_phase, dst, box.dst_phase);
  });
}

/// A box of these extents: axis i of the result is axis perm[i] of the source. `gap()` elements lie between the rows of
/// each axis.
template <typename Gap>
Box box_of(int element_bits, const std::vector<std::int64_t>& extents, const std::vector<int>& perm, const Gap& gap) {
  Box box{element_bits, std::vector<layout::Axis>(extents.size()), 0, 0};
  std::int64_t src = element_bits;
  std::int64_t dst = element_bits;
  for (std::size_t i = extents.size(); i-- > 0;) {
    box.axes[i].extent = extents[i];
    box.axes[i].src_stride = src;
    src = src * extents[i] + gap() * element_bits;
    const auto moved = static_cast<std::size_t>(perm[i]);
    box.axes[moved].dst_stride = dst;
    dst = dst * extents[moved] + gap() * element_bits;
  }
  return box;
}
