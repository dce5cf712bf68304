#pragma once

// Blocks of weights, number by number, as onnxruntime's quantizer rounds them.

#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"
#include "quantize/columns.h"
#include "quantize_oracle.h"

struct ColumnsCase {
  layout::ColumnRule rule;
  std::uint32_t rows, columns, stride, block;
};

/// The scale and the zero point of a column of a block.
struct ColumnScale {
  float scale, zero;
};

inline ColumnScale scale_of(const layout::ColumnRule& rule, const std::vector<float>& column) {
  float low = column[0], high = column[0];
  for (const float x : column) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  const auto top = static_cast<float>((1 << rule.bits) - 1);
  if (rule.symmetric) {
    const float most = std::fabs(high) > std::fabs(low) ? high : low;
    return {rounded_to(rule.rounded, -most / static_cast<float>(1 << (rule.bits - 1))), static_cast<float>(rule.zero)};
  }
  low = std::fmin(low, 0.0f);
  high = std::fmax(high, 0.0f);
  const float scale = (high - low) / top;
  const float zero = scale == 0 ? 0 : std::fmin(std::fmax(std::round(0 - low / scale), 0.0f), top);
  return {rounded_to(rule.rounded, scale), zero};
}

inline float code_of(const layout::ColumnRule& rule, const ColumnScale& own, float x) {
  const float reciprocal = own.scale == 0 ? 0 : 1 / own.scale;
  float product = x * reciprocal;
  if (std::isnan(product)) product = 0;
  const float sum = rule.after ? std::round(product + own.zero) : std::round(product) + own.zero;
  const auto lowest = static_cast<float>(rule.lowest), highest = lowest + static_cast<float>((1 << rule.bits) - 1);
  return std::fmin(std::fmax(sum, lowest), highest);
}

/// Scales, zero points and codes, one behind the other.
struct ColumnsResult {
  std::vector<float> scales;
  std::vector<std::uint8_t> bytes;
  double squares;
};

inline ColumnsResult columns_result(const ColumnsCase& c, const std::vector<float>& numbers) {
  const std::uint32_t blocks = (c.rows + c.block - 1) / c.block;
  const auto bits = static_cast<std::uint32_t>(c.rule.bits), joined = c.rule.joined ? 8 / bits : 1;
  ColumnsResult result = {std::vector<float>(blocks * c.columns), std::vector<std::uint8_t>(blocks * c.columns), 0};
  std::vector<std::uint8_t> codes((c.rows + joined - 1) / joined * c.columns);
  for (std::uint32_t at = 0; at < blocks * c.columns; ++at) {
    const std::uint32_t first = at / c.columns * c.block, column = at % c.columns;
    std::vector<float> own;
    for (std::uint32_t row = first; row < std::min(first + c.block, c.rows); ++row)
      own.push_back(numbers[row * c.stride + column]);
    const ColumnScale scale = scale_of(c.rule, own);
    result.scales[at] = scale.scale;
    result.bytes[at] = static_cast<std::uint8_t>(static_cast<int>(scale.zero));
    for (std::uint32_t i = 0; i < own.size(); ++i) {
      const std::uint32_t row = first + i;
      const float code = code_of(c.rule, scale, own[i]);
      const auto byte = static_cast<std::uint8_t>(static_cast<int>(code));
      std::uint8_t& to = codes[row / joined * c.columns + column];
      to = static_cast<std::uint8_t>(to | byte << (row % joined * bits));
      const float number = (code - scale.zero) * scale.scale, error = number - own[i];
      if (c.rule.measured) result.squares += static_cast<double>(error) * static_cast<double>(error);
    }
  }
  result.bytes.insert(result.bytes.end(), codes.begin(), codes.end());
  return result;
}

/// Numbers of a matrix: of one kind in each block, and now and then NaN or infinite where `adversarial`.
inline std::vector<float> column_numbers(const ColumnsCase& c, bool adversarial, Random& random) {
  std::vector<float> numbers(c.rows > 0 ? (c.rows - 1) * c.stride + c.columns : 0);
  int kind = 0;
  // Beside it, the number below a half is a quotient.
  const auto middle = static_cast<float>(1 << (c.rule.bits - 1));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % (c.block * c.stride) == 0 || random.below(50) == 0) kind = random.below(8);
    const auto whole = static_cast<float>(random.below(65) - 32);
    const float kinds[] = {
        whole * 0.25f, whole * 0.037f,           whole * 1e37f, whole * (random.below(2) == 0 ? 1e-40f : 1.4e-45f),
        whole * 3e-8f, whole < 0 ? -0.0f : 0.0f, 1.5f,          whole < 28 ? 0x1.fffffep-2f : middle};
    numbers[i] = kinds[kind];
  }
  const float special[] = {NAN, INFINITY, -INFINITY};
  if (adversarial) {
    const int row = random.below(static_cast<int>(c.rows)), column = random.below(static_cast<int>(c.columns));
    numbers[static_cast<std::size_t>(row) * c.stride + static_cast<std::size_t>(column)] = special[random.below(3)];
  }
  return numbers;
}

/// Compares scales, zero points, codes and errors with the rules.
inline Moved check_columns(const ColumnsCase& c, bool adversarial, Random& random) {
  const std::vector<float> numbers = column_numbers(c, adversarial, random);
  const ColumnsResult expected = columns_result(c, numbers);
  const std::size_t scales = 4 * expected.scales.size();
  Memory src(static_cast<std::int64_t>(4 * numbers.size()), random);
  std::copy_n(reinterpret_cast<const std::uint8_t*>(numbers.data()), src.size, src.data.get());
  const Memory before(static_cast<std::int64_t>(scales + expected.bytes.size()), random);
  const Memory after(before);
  std::uint8_t* zeros = after.data.get() + scales;
  const double squares = layout::quantize_columns({c.rule,
                                                   {src.data.get(), c.rows, c.columns, c.stride, c.block},
                                                   reinterpret_cast<float*>(after.data.get()),
                                                   zeros,
                                                   zeros + expected.scales.size()});
  if (adversarial) {
    check(squares == -1, "%f where a number is not finite", squares);
    return {src, before, before};
  }
  const char* const format = "bits %d, symmetric %d, after %d, joined %d, %u x %u, block %u: %s %zu";
  for (std::size_t i = 0; i < scales + expected.bytes.size(); ++i) {
    const std::uint8_t want =
        i < scales ? reinterpret_cast<const std::uint8_t*>(expected.scales.data())[i] : expected.bytes[i - scales];
    check(after.data[i] == want, format, c.rule.bits, c.rule.symmetric, c.rule.after, c.rule.joined, c.rows, c.columns,
          c.block, i < scales ? "byte of scales" : "byte", i < scales ? i : i - scales);
  }
  check(std::isnan(expected.squares)
            ? std::isnan(squares)
            : squares == expected.squares || std::fabs(squares - expected.squares) <= 1e-9 * expected.squares,
        "squares %g, not %g", squares, expected.squares);
  return {src, before, after};
}
