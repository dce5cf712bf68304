// Quantization to every integer of at most 16 bits and to float32, and back to every float, on grids of every kind.

#include "quantize_oracle.h"

#include <iterator>

using layout::Format;
using layout::Grid;

namespace {

constexpr Format kIntegers[] = {Format::kUint8, Format::kInt8, Format::kUint16, Format::kInt16,
                                Format::kUint4, Format::kInt4, Format::kUint2,  Format::kInt2};
constexpr Format kFloats[] = {Format::kFloat32, Format::kFloat16, Format::kBfloat16};

std::uint64_t code_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// Numbers, scales and zero points for a grid.
QuantizeCase case_of(Format from, Format to, const Grid& grid, std::uint32_t count, Random& random) {
  QuantizeCase c = {from, to, grid, {}, {}, {}};
  const float special[] = {NAN, INFINITY, -INFINITY, -0.0f, 3e9f, 0.5f, 1.5f, 2.5f};
  for (std::uint32_t i = 0; i < count; ++i) {
    const float x =
        random.below(9) == 0 ? special[random.below(8)] : static_cast<float>(random.below(801) - 400) * 0.25f;
    c.codes.push_back(from == Format::kFloat32 ? code_of(x) : random.bits() & oracle::mask(facts_of(from).bits));
  }
  std::uint32_t most = 0;
  for (const std::uint32_t index : scale_indices(grid, count)) most = std::max(most, index + 1);
  const oracle::FormatFacts& codes = facts_of(from == Format::kFloat32 ? to : from);
  const bool is_float = codes.type == oracle::Type::kFloat;
  for (std::uint32_t i = 0; i < most; ++i) {
    c.scales.push_back(random.below(9) == 0 ? 0 : static_cast<float>(1 + random.below(40)) * 0.125f);
    const auto whole = static_cast<float>(random.below(is_float ? 9 : 1 << codes.bits));
    c.zeros.push_back(is_float ? whole * 0.3f : whole + lowest_of(codes));
  }
  return c;
}

Grid random_grid(Random& random) {
  const auto below = [&](int end) { return static_cast<std::uint32_t>(random.below(end)); };
  const std::uint32_t width = below(2) == 0 ? 1 : 2 + below(40), rows = 1 + below(70), block = 1 + below(40);
  const std::uint32_t column = below(static_cast<int>(width));
  if (below(4) == 0) return {width, Grid::kEndless, Grid::kEndless, 0, column};
  return {width, rows, block, below(static_cast<int>(rows)), column};
}

/// The exact quotients of 32-bit integers, one by one.
void check_exact() {
  const double scales[] = {3, 3, 3, 3, 2, -7, 0, 0}, zeros[] = {5, 5, -5, 0, 0, 100, 1, 1};
  const double given[] = {7, 1e9, -1e9, -2, 5, 49, 0, 9};
  const auto made = [&](Format to, bool has_zeros, int i) {
    double number = given[i];
    layout::quantize_exactly({to, has_zeros, 1, &number, scales + i, zeros + i});
    return number;
  };
  // 7 / 3 + 5; both ends; -2 / 3; 5 / 2, to even; 49 / -7 + 100; 0 / 0, the lowest; 9 / 0, the highest.
  const double bytes[] = {7, 255, 0, 0, 2, 93, 0, 255}, chars[] = {7, 127, -128, -1, 2, 93, -128, 127};
  for (int i = 0; i < 8; ++i) {
    check(made(Format::kUint8, true, i) == bytes[i], "exact uint8 %d: %f", i, made(Format::kUint8, true, i));
    check(made(Format::kInt8, true, i) == chars[i], "exact int8 %d: %f", i, made(Format::kInt8, true, i));
  }
  const double plain = made(Format::kFloat8E4m3fn, false, 0), cut = made(Format::kFloat8E4m3fn, true, 0);
  check(plain == 7.0 / 3 && cut == 7, "exact floats: %f, %f", plain, cut);
  const double none = made(Format::kFloat8E4m3fn, true, 3);
  check(none == 0 && !std::signbit(none), "exact: -0");
  const std::int32_t whole[] = {2147483647, -5};
  const double points[] = {-1, 2};
  float differences[2];
  layout::subtract_exactly(2, whole, points, differences);
  check(differences[0] == 2147483648.0f && differences[1] == -7, "differences");
}

}  // namespace

int main() {
  Random random(1);
  int cases = 0;
  const auto check_pair = [&](Format from, Format to, bool forward) {
    for (int round = 0; round < 120; ++round, ++cases) {
      const Grid grid = random_grid(random);
      check_quantize(case_of(from, to, grid, 1 + static_cast<std::uint32_t>(random.below(1200)), random), forward);
    }
  };
  for (const Format integer : kIntegers) {
    check_pair(Format::kFloat32, integer, true);
    for (const Format to : kFloats) check_pair(integer, to, false);
  }
  check_pair(Format::kFloat32, Format::kFloat32, true);
  for (const Format to : kFloats) check_pair(Format::kFloat32, to, false);
  check_exact();
  layout::Range range{0, 0};
  const float numbers[] = {NAN, 3, -2, INFINITY, 5, NAN, 1, 1, 1, -9, 1, 1, 1, 1, 1, 1, -7, NAN};
  layout::widen_range(18, reinterpret_cast<const std::uint8_t*>(numbers), range);
  check(range.low == -9 && range.high == INFINITY, "%f to %f", static_cast<double>(range.low),
        static_cast<double>(range.high));
  // The last row of a block and a short one, then both of the next axis.
  float blocks[] = {4, -1, 5, 2, 3, 0, -2, 7};
  layout::Range ranges[4];
  const layout::BlockRanges asked = {8, {1, 6, 5, 4, 0}, reinterpret_cast<const std::uint8_t*>(blocks), ranges};
  const layout::Range wanted[] = {{4, 4}, {-1, -1}, {-2, 5}, {7, 7}};
  check(layout::block_ranges(asked) == 4, "blocks");
  for (int i = 0; i < 4; ++i) check(ranges[i].low == wanted[i].low && ranges[i].high == wanted[i].high, "block %d", i);
  blocks[7] = NAN;
  check(layout::block_ranges(asked) == -1, "a block with NaN");
  std::printf("%d cases\n", cases);
}
