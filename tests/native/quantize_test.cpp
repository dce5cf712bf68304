// Quantization against loops over single numbers, in allocations of the exact size.

#include "quantize/quantize.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

using layout::Format;
using layout::Grid;

namespace {

/// Scales and zero points of each element, by the definition of a grid.
std::vector<std::uint32_t> scale_indices(const Grid& grid, std::uint32_t count) {
  std::vector<std::uint32_t> indices;
  std::uint32_t row = grid.row, column = grid.column, first = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    indices.push_back(first + column);
    if (++column < grid.width) continue;
    column = 0;
    if (grid.block == Grid::kEndless) continue;
    ++row;
    if (row == grid.rows) row = 0;
    if (row % grid.block == 0) first += grid.width;
  }
  return indices;
}

struct Case {
  Format format;
  int lowest, highest, bits;
};

constexpr Case kCases[] = {
    {Format::kUint8, 0, 255, 8},         {Format::kInt8, -128, 127, 8}, {Format::kUint16, 0, 65535, 16},
    {Format::kInt16, -32768, 32767, 16}, {Format::kUint4, 0, 15, 4},    {Format::kInt4, -8, 7, 4},
    {Format::kUint2, 0, 3, 2},           {Format::kInt2, -2, 1, 2},
};

std::uint32_t code_at(const std::uint8_t* data, int bits, std::uint32_t i) {
  if (bits == 16) return data[2 * i] | static_cast<std::uint32_t>(data[2 * i + 1]) << 8;
  const std::uint32_t bit = i * static_cast<std::uint32_t>(bits);
  return data[bit / 8] >> (bit % 8) & ((1u << bits) - 1);
}

void check_case(const Case& own, const Grid& grid, std::uint32_t count, Random& random) {
  const std::vector<std::uint32_t> indices = scale_indices(grid, count);
  std::uint32_t most = 0;
  for (const std::uint32_t index : indices) most = std::max(most, index + 1);
  std::vector<float> x(count), scales(most), zeros(most);
  const float special[] = {NAN, INFINITY, -INFINITY, -0.0f, 3e9f, 0.5f, 1.5f, 2.5f};
  for (float& value : x)
    value = random.below(9) == 0 ? special[random.below(8)] : static_cast<float>(random.below(801) - 400) * 0.25f;
  for (float& scale : scales) scale = random.below(9) == 0 ? 0 : static_cast<float>(1 + random.below(40)) * 0.125f;
  for (float& zero : zeros) zero = static_cast<float>(own.lowest + random.below(own.highest - own.lowest + 1));
  Memory src(4 * count, random), dst((count * static_cast<std::uint32_t>(own.bits) + 7) / 8, random);
  std::memcpy(src.data.get(), x.data(), src.size);
  layout::quantize(own.format, count, grid, src.data.get(), scales.data(), zeros.data(), dst.data.get());
  Memory back(4 * count, random);
  layout::dequantize(own.format, Format::kFloat32, count, grid, dst.data.get(), scales.data(), zeros.data(),
                     back.data.get());
  for (std::uint32_t i = 0; i < count; ++i) {
    const float scale = scales[indices[i]], zero = zeros[indices[i]], quotient = x[i] / scale;
    const float sum = std::nearbyint(std::fmin(std::fmax(quotient, -1e6f), 1e6f)) + zero;
    const float low = static_cast<float>(own.lowest), high = static_cast<float>(own.highest);
    const float expected = std::isnan(quotient) ? low : std::fmin(std::fmax(sum, low), high);
    const auto code = static_cast<std::uint32_t>(static_cast<int>(expected)) & ((1u << own.bits) - 1);
    check(code_at(dst.data.get(), own.bits, i) == code, "%d bits, element %u of %u", own.bits, i, count);
    const float number = (expected - zero) * scale;
    float given;
    std::memcpy(&given, back.data.get() + 4 * i, 4);
    check(given == number, "back from %d bits, element %u of %u", own.bits, i, count);
  }
}

}  // namespace

int main() {
  Random random(1);
  int cases = 0;
  for (const Case& own : kCases) {
    for (int round = 0; round < 400; ++round) {
      const auto below = [&](int end) { return static_cast<std::uint32_t>(random.below(end)); };
      const std::uint32_t width = below(2) == 0 ? 1 : 2 + below(40), rows = 1 + below(70), block = 1 + below(40);
      const bool endless = below(4) == 0;
      const Grid grid{width, endless ? Grid::kEndless : rows, endless ? Grid::kEndless : block,
                      endless ? 0 : below(static_cast<int>(rows)), below(static_cast<int>(width))};
      check_case(own, grid, 1 + below(1200), random);
      ++cases;
    }
  }
  float range[2] = {0, 0};
  const float numbers[] = {NAN, 3, -2, INFINITY, 5, NAN, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -7, NAN};
  layout::widen_range(18, reinterpret_cast<const std::uint8_t*>(numbers), range);
  check(range[0] == -7 && range[1] == INFINITY, "%f to %f", static_cast<double>(range[0]),
        static_cast<double>(range[1]));
  std::printf("%d cases\n", cases);
}
