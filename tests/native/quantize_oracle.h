#pragma once

// Quantization, number by number: which scale an element has, quotients and products, and how these are rounded.

#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"
#include "convert_oracle.h"
#include "packed_codes.h"
#include "quantize/quantize.h"

inline const oracle::FormatFacts& facts_of(layout::Format format) {
  const oracle::FormatFacts* facts = oracle::kFormats;
  while (facts->format != format) ++facts;
  return *facts;
}

inline float float_of(std::uint64_t code) {
  const auto bits = static_cast<std::uint32_t>(code);
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

inline float number_of(const oracle::FormatFacts& facts, std::uint64_t code) {
  if (facts.format == layout::Format::kFloat32) return float_of(code);
  const oracle::Value value = oracle::decode(facts, code);
  const auto magnitude = static_cast<float>(value.magnitude);
  return value.nan ? NAN : value.negative ? -magnitude : magnitude;
}

/// The code of a number in a float format.
inline std::uint64_t float_code(const oracle::FormatFacts& facts, float x) {
  const oracle::Value value = {std::isnan(x), std::signbit(x), std::fabs(static_cast<long double>(x))};
  return oracle::encode(facts, value, false, layout::ScaleRounding::kUp);
}

/// A number as a float format holds it.
inline float rounded_to(layout::Format format, float x) {
  const oracle::FormatFacts& facts = facts_of(format);
  return number_of(facts, float_code(facts, x));
}

/// The scale of each element, by the definition of a grid.
inline std::vector<std::uint32_t> scale_indices(const layout::Grid& grid, std::uint32_t count) {
  std::vector<std::uint32_t> indices;
  std::uint32_t row = grid.row, column = grid.column, first = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    indices.push_back(first + column);
    if (++column < grid.width) continue;
    column = 0;
    if (grid.block == layout::Grid::kEndless) continue;
    ++row;
    if (row == grid.rows) row = 0;
    if (row % grid.block == 0) first += grid.width;
  }
  return indices;
}

inline float lowest_of(const oracle::FormatFacts& facts) {
  return facts.type == oracle::Type::kSigned ? -std::ldexp(1.0f, facts.bits - 1) : 0;
}

/// The code of a number that was divided by its scale.
inline std::uint64_t quantized(const oracle::FormatFacts& to, float x, float scale, float zero) {
  const float quotient = x / scale;
  if (to.type == oracle::Type::kFloat) return float_code(to, quotient + zero);
  const float lowest = lowest_of(to), highest = lowest + std::ldexp(1.0f, to.bits) - 1;
  const float sum = std::nearbyint(std::fmin(std::fmax(quotient, -1e6f), 1e6f)) + zero;
  const float code = std::isnan(quotient) ? lowest : std::fmin(std::fmax(sum, lowest), highest);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(code)) & oracle::mask(to.bits);
}

inline Memory memory_of(Packed& codes) {
  Random random(0);
  Memory memory(static_cast<std::int64_t>(codes.bytes()), random);
  std::copy_n(codes.data(), codes.bytes(), memory.data.get());
  return memory;
}

/// A call: formats, a grid, and the codes of the elements; as many scales and zero points as the grid asks for.
struct QuantizeCase {
  layout::Format from, to;
  layout::Grid grid;
  std::vector<std::uint64_t> codes;
  std::vector<float> scales, zeros;
};

/// Compares a call with the formulas.
inline Moved check_quantize(const QuantizeCase& c, bool forward) {
  const oracle::FormatFacts &from = facts_of(c.from), &to = facts_of(c.to);
  const std::vector<std::uint32_t> indices = scale_indices(c.grid, static_cast<std::uint32_t>(c.codes.size()));
  Packed src(from.bits, c.codes.size(), 0xff), dst(to.bits, c.codes.size(), 0xff);
  for (std::size_t i = 0; i < c.codes.size(); ++i) src.set(i, c.codes[i]);
  const Memory before = memory_of(dst);
  const auto count = static_cast<std::uint32_t>(c.codes.size());
  (forward ? layout::quantize : layout::dequantize)(
      {c.from, c.to, count, c.grid, src.data(), c.scales.data(), c.zeros.data(), dst.data()});
  for (std::size_t i = 0; i < c.codes.size(); ++i) {
    const float x = number_of(from, c.codes[i]), scale = c.scales[indices[i]], zero = c.zeros[indices[i]];
    const std::uint64_t want = forward ? quantized(to, x, scale, zero) : float_code(to, (x - zero) * scale);
    const std::uint64_t got = dst.get(i);
    // Processors differ in the sign of a NaN that they make.
    const bool is_same = to.type == oracle::Type::kFloat && std::isnan(number_of(to, want))
                             ? std::isnan(number_of(to, got))
                             : got == want;
    check(is_same, "%s -> %s, element %zu of %zu: %g by %g and %g must give %llx, got %llx", from.name, to.name, i,
          c.codes.size(), static_cast<double>(x), static_cast<double>(scale), static_cast<double>(zero),
          static_cast<unsigned long long>(want), static_cast<unsigned long long>(got));
  }
  const std::size_t tail = c.codes.size() * static_cast<std::size_t>(to.bits) % 8;
  check(tail == 0 || dst.data()[dst.bytes() - 1] >> tail == 0, "%s -> %s: bits behind the last one", from.name,
        to.name);
  return {memory_of(src), before, memory_of(dst)};
}
