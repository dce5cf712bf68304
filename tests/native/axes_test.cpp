// Canonical axes, by examples. Strides are in bits.

#include "transpose/axes.h"

#include <vector>

#include "check.h"

namespace {

using layout::Axis;

struct Box {
  std::int64_t element_bits;
  std::vector<Axis> axes;
};

void expect(const char* what, Box box, const Box& expected, bool fold = true) {
  box.axes.reserve(1);
  const int rank = layout::canonical_axes(box.element_bits, static_cast<int>(box.axes.size()), box.axes.data(), fold);
  check(box.element_bits == expected.element_bits, "%s: %lld bits", what, static_cast<long long>(box.element_bits));
  check(rank == static_cast<int>(expected.axes.size()), "%s: rank %d", what, rank);
  for (int i = 0; i < rank; ++i) {
    const Axis& axis = box.axes[static_cast<std::size_t>(i)];
    const Axis& want = expected.axes[static_cast<std::size_t>(i)];
    check(axis.extent == want.extent && axis.src_stride == want.src_stride && axis.dst_stride == want.dst_stride,
          "%s: axis %d is %lld, %lld, %lld", what, i, static_cast<long long>(axis.extent),
          static_cast<long long>(axis.src_stride), static_cast<long long>(axis.dst_stride));
  }
}

}  // namespace

int main() {
  expect("a scalar stays", {32, {}}, {32, {}});
  expect("unit axes go", {32, {{1, 7, 9}, {1, 0, 0}}}, {32, {}});
  expect("a box without elements is one empty axis", {32, {{3, 0, 0}, {0, 96, 96}, {5, 32, 32}}}, {32, {{0, 0, 0}}});
  expect("a copy becomes one element", {32, {{2, 12 * 32, 12 * 32}, {3, 4 * 32, 4 * 32}, {4, 32, 32}}}, {24 * 32, {}});
  expect("a 2-D transpose stays, in output order", {32, {{2, 96, 32}, {3, 32, 64}}}, {32, {{3, 32, 64}, {2, 96, 32}}});
  expect("neighbors on both sides fuse", {8, {{2, 96, 8}, {3, 32, 64}, {4, 8, 16}}}, {8, {{12, 8, 16}, {2, 96, 8}}});
  expect("neighbors on one side do not", {8, {{2, 96, 224}, {3, 32, 64}, {4, 8, 8}}},
         {32, {{2, 96, 224}, {3, 32, 64}}});
  expect("the inner run becomes the element", {8, {{5, 48, 24}, {2, 24, 120}, {3, 8, 8}}},
         {24, {{2, 24, 120}, {5, 48, 24}}});
  expect("4 bits: a run of whole bytes becomes the element", {4, {{3, 16, 80}, {5, 48, 16}, {4, 4, 4}}},
         {16, {{3, 16, 80}, {5, 48, 16}}});
  expect("4 bits: a run of 12 bits does not", {4, {{2, 12, 60}, {5, 24, 12}, {3, 4, 4}}},
         {4, {{2, 12, 60}, {5, 24, 12}, {3, 4, 4}}});
  expect("4 bits: nor does a byte at strides of 12 bits", {4, {{2, 12, 60}, {5, 24, 12}, {2, 4, 4}}},
         {4, {{2, 12, 60}, {5, 24, 12}, {2, 4, 4}}});
  expect("nothing is folded off a byte", {4, {{8, 4, 4}}}, {4, {{8, 4, 4}}}, false);
  expect("a unit axis goes whatever its stride", {32, {{1, -96, 32}, {4, -32, 32}}}, {32, {{4, -32, 32}}});
  expect("axes that both run backward fuse", {8, {{2, -32, 32}, {4, -8, 8}}}, {8, {{8, -8, 8}}});
  expect("a backward axis and a forward one do not", {8, {{2, 32, 32}, {4, -8, 8}}}, {8, {{2, 32, 32}, {4, -8, 8}}});
  expect("axes that both repeat an element fuse", {8, {{2, 0, 32}, {4, 0, 8}}}, {8, {{8, 0, 8}}});
  expect("an element that is read again stays an axis", {8, {{2, 8, 32}, {4, 0, 8}}}, {8, {{2, 8, 32}, {4, 0, 8}}});
  expect("a run below a backward axis becomes the element", {8, {{5, -24, 24}, {3, 8, 8}}}, {24, {{5, -24, 24}}});
  expect("4 bits: so does one below a repeated axis", {4, {{5, 0, 16}, {4, 4, 4}}}, {16, {{5, 0, 16}}});
  expect("4 bits: but not at strides of -12 bits", {4, {{5, -12, 8}, {2, 4, 4}}}, {4, {{5, -12, 8}, {2, 4, 4}}});
  expect("3 GB in one run", {8, {{3000, 8000000, 8000000}, {1000000, 8, 8}}}, {24000000000, {}});
  std::puts("axes");
}
