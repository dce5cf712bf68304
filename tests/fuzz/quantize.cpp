// Quantization and back, of bits that the fuzzer chooses, and blocks of weights, against the formulas.

#include "../native/columns_oracle.h"
#include "fuzz.h"

namespace {

using layout::Format;
using layout::Grid;

constexpr Format kIntegers[] = {Format::kUint8, Format::kInt8, Format::kUint16, Format::kInt16,
                                Format::kUint4, Format::kInt4, Format::kUint2,  Format::kInt2};
constexpr Format kFloats[] = {Format::kFloat32, Format::kFloat16, Format::kBfloat16};

Grid grid_of(FuzzedDataProvider& input) {
  const auto most = [&](std::uint32_t end) { return input.ConsumeIntegralInRange<std::uint32_t>(0, end); };
  const std::uint32_t width = input.ConsumeBool() ? 1 : 2 + most(70), rows = 1 + most(90), block = 1 + most(70);
  const std::uint32_t column = most(width - 1), row = most(rows - 1);
  if (input.ConsumeBool()) return {width, Grid::kEndless, Grid::kEndless, 0, column};
  return {width, rows, block, row, column};
}

bool are_finite(const std::vector<float>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

/// Whether a float that the call gives is NaN: of these the sign may be any.
bool has_nan(const QuantizeCase& c, const Memory& result) {
  const oracle::FormatFacts& facts = facts_of(c.to);
  const auto bytes = static_cast<std::size_t>(facts.bits) / 8;
  if (facts.type != oracle::Type::kFloat) return false;
  for (std::size_t at = 0; at < result.size; at += bytes) {
    std::uint32_t code = 0;
    std::memcpy(&code, result.data.get() + at, bytes);
    if (std::isnan(number_of(facts, code))) return true;
  }
  return false;
}

void fuzz_quantize(FuzzedDataProvider& input) {
  const bool forward = input.ConsumeBool();
  const bool is_float = input.ConsumeIntegralInRange(0, 8) == 0;
  const Format integer = is_float ? Format::kFloat32 : input.PickValueInArray(kIntegers);
  const Format to = forward ? integer : input.PickValueInArray(kFloats), from = forward ? Format::kFloat32 : integer;
  const Grid grid = grid_of(input);
  const auto count = input.ConsumeIntegralInRange<std::uint32_t>(1, input.ConsumeBool() ? 70 : 1200);
  QuantizeCase c = {from, to, grid, {}, {}, {}};
  // Without bits left there are usual numbers.
  Random random(input.ConsumeIntegral<std::uint8_t>());
  const auto any = [&](float usual) {
    return input.remaining_bytes() >= 4 ? float_of(input.ConsumeIntegral<std::uint32_t>()) : usual;
  };
  std::uint32_t most = 0;
  for (const std::uint32_t index : scale_indices(grid, count)) most = std::max(most, index + 1);
  const oracle::FormatFacts& codes = facts_of(integer);
  for (std::uint32_t i = 0; i < most; ++i) {
    c.scales.push_back(any(static_cast<float>(random.below(90) - 10) * 0.037f));
    c.zeros.push_back(is_float ? any(-0.0f) : lowest_of(codes) + static_cast<float>(random.below(1 << codes.bits)));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const float number = any(static_cast<float>(random.below(4001) - 2000) * 0.0185f);
    std::uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    c.codes.push_back(from == Format::kFloat32 ? bits : random.bits() & oracle::mask(codes.bits));
  }
  const Moved moved = check_quantize(c, forward);
  if (!are_finite(c.scales) || !are_finite(c.zeros) || has_nan(c, moved.after)) return;
  std::vector<double> block(c.scales.begin(), c.scales.end());
  block.insert(block.end(), c.zeros.begin(), c.zeros.end());
  std::vector<double> arguments = {static_cast<double>(to), static_cast<double>(count)};
  if (!forward) arguments.insert(arguments.begin(), static_cast<double>(from));
  for (const std::uint32_t part : {grid.width, grid.rows, grid.block, grid.row, grid.column}) arguments.push_back(part);
  record(forward ? "quantize" : "dequantize", block, arguments, moved);
}

void fuzz_columns(FuzzedDataProvider& input) {
  const int bits = input.PickValueInArray({8, 4, 2}), middle = 1 << (bits - 1);
  const bool symmetric = input.ConsumeBool(), joined = input.ConsumeBool(), after = input.ConsumeBool();
  const bool is_signed = symmetric && !joined, measured = input.ConsumeBool();
  const Format rounded = input.ConsumeBool() ? Format::kFloat16 : Format::kFloat32;
  const int lowest = is_signed ? -middle : 0, zero = is_signed ? 0 : middle;
  const std::uint32_t columns = 16 * input.ConsumeIntegralInRange(1u, 5u);
  const std::uint32_t stride = columns + 16 * input.ConsumeIntegralInRange(0u, 2u);
  const std::uint32_t rows = input.ConsumeIntegralInRange(1u, 140u), block = 16u << input.ConsumeIntegralInRange(0, 4);
  const bool adversarial = input.ConsumeIntegralInRange(0, 9) == 0;
  Random random(input.ConsumeIntegral<std::uint16_t>());
  const layout::ColumnRule rule = {bits, symmetric, after, joined, measured, lowest, zero, rounded};
  const Moved moved = check_columns({rule, rows, columns, stride, block}, adversarial, random);
  if (adversarial) return;
  std::vector<double> arguments = {static_cast<double>(bits), static_cast<double>(lowest), static_cast<double>(zero),
                                   static_cast<double>(rounded)};
  for (const std::uint32_t part : {rows, columns, stride, block}) arguments.push_back(part);
  const auto flag = [](bool is_set) { return is_set ? 1.0 : 0.0; };
  record("columns", {flag(symmetric), flag(after), flag(joined), flag(measured)}, arguments, moved);
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  if (input.ConsumeBool()) return fuzz_quantize(input);
  fuzz_columns(input);
}
