// Rows that indices name, by the definition; ranges and scattered reductions in every format, against long doubles and
// 128-bit integers, one element at a time.

#include "pick/indices.h"
#include "pick/range.h"
#include "pick/scatter.h"
#include "pick/select.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "check.h"
#include "convert_oracle.h"
#include "packed_codes.h"

using layout::Format;
using layout::ScatterReduction;
using oracle::FormatFacts;
using oracle::Type;
using oracle::Value;

namespace {

bool is_float(const FormatFacts& facts) { return facts.type == Type::kFloat || facts.type == Type::kScale; }

long double number_of(const Value& value) {
  if (value.nan) return NAN;
  return value.negative ? -value.magnitude : value.magnitude;
}

/// The code of a number, rounded once. Every NaN is the one without a sign.
std::uint64_t code_of(const FormatFacts& facts, long double x) {
  const Value value{std::isnan(x), !std::isnan(x) && std::signbit(x), std::isnan(x) ? 0 : std::fabs(x)};
  return oracle::encode(facts, value, true, layout::ScaleRounding::kUp);
}

long double joined(ScatterReduction reduction, long double a, long double b) {
  if (std::isnan(a) || std::isnan(b)) return NAN;
  switch (reduction) {
    case ScatterReduction::kAdd:
      return a + b;
    case ScatterReduction::kMul:
    case ScatterReduction::kMulComplex:
      return a * b;
    case ScatterReduction::kMax:
      return b > a ? b : a;
    case ScatterReduction::kMin:
      return b < a ? b : a;
  }
  return 0;
}

std::uint64_t joined_codes(const FormatFacts& facts, ScatterReduction reduction, std::uint64_t a, std::uint64_t b) {
  const bool adds = reduction == ScatterReduction::kAdd, takes_max = reduction == ScatterReduction::kMax;
  if (facts.type == Type::kBool) return (adds || takes_max ? a != 0 || b != 0 : a != 0 && b != 0) ? 1 : 0;
  const long double x = number_of(oracle::decode(facts, a)), y = number_of(oracle::decode(facts, b));
  if (facts.format == Format::kFloat64) {
    // A long double would be rounded twice.
    const auto p = static_cast<double>(x), q = static_cast<double>(y);
    if (adds) return code_of(facts, static_cast<long double>(p + q));
    if (reduction == ScatterReduction::kMul) return code_of(facts, static_cast<long double>(p * q));
  }
  if (facts.type == Type::kScale) {
    // Float32 rounds before the format does, which goes up from anything above a power of two.
    return code_of(facts, static_cast<float>(joined(reduction, x, y)));
  }
  if (is_float(facts) || takes_max || reduction == ScatterReduction::kMin) {
    return is_float(facts) ? code_of(facts, joined(reduction, x, y)) : joined(reduction, x, y) == x ? a : b;
  }
  return (adds ? a + b : a * b) & oracle::mask(facts.bits);
}

/// Aligned memory of exactly as many bytes as the codes have.
struct Codes {
  Codes(const FormatFacts& facts, const std::vector<std::uint64_t>& list)
      : bits(facts.bits),
        bytes((list.size() * static_cast<std::size_t>(bits) + 7) / 8),
        data(new std::uint64_t[bytes / 8 + 1]) {
    Packed packed(bits, list.size(), 0);
    for (std::size_t i = 0; i < list.size(); ++i) packed.set(i, list[i]);
    std::memcpy(data.get(), packed.data(), bytes);
  }
  std::uint8_t* at() { return reinterpret_cast<std::uint8_t*>(data.get()); }
  int bits;
  std::size_t bytes;
  std::unique_ptr<std::uint64_t[]> data;
};

std::uint64_t random_code(const FormatFacts& facts, Random& random) {
  if (facts.type == Type::kBool) return static_cast<std::uint64_t>(random.below(3));
  const long double plain[] = {0, -0.0L, 1, -1, 2, 3, 0.5L, 100, -7};
  if (is_float(facts) && random.below(2) == 0) return code_of(facts, plain[random.below(9)]);
  return random.bits() & oracle::mask(facts.bits);
}

layout::ScatterWork work;

void check_scatter(const FormatFacts& facts, ScatterReduction reduction, std::uint32_t rows, std::uint32_t run,
                   int numbers, Random& random) {
  std::vector<double> named;
  std::vector<std::uint64_t> updates, current;
  std::map<double, std::vector<std::uint64_t>> result;
  for (std::uint32_t row = 0; row < rows; ++row) {
    named.push_back(static_cast<double>(random.below(numbers)) * 4294967296.0);
    std::vector<std::uint64_t>& held = result[named[row]];
    if (held.empty()) {
      for (std::uint32_t i = 0; i < run; ++i) held.push_back(random_code(facts, random));
    }
  }
  for (const double number : named) current.insert(current.end(), result[number].begin(), result[number].end());
  for (const double number : named) {
    for (std::uint32_t i = 0; i < run; ++i) {
      updates.push_back(random_code(facts, random));
      std::uint64_t& held = result[number][i];
      held = joined_codes(facts, reduction, held, updates.back());
    }
  }
  std::vector<std::uint64_t> wanted;
  for (const double number : named) wanted.insert(wanted.end(), result[number].begin(), result[number].end());
  Codes from(facts, updates), to(facts, current), expected(facts, wanted);
  layout::scatter({facts.format, reduction, rows, run}, named.data(), from.at(), to.at(), &work);
  check(std::memcmp(to.at(), expected.at(), to.bytes) == 0, "%s, reduction %d, %u rows of %u, %d numbers", facts.name,
        static_cast<int>(reduction), rows, run, numbers);
  if (facts.bits < 8 || (is_float(facts) && facts.bits < 32)) return;
  // Once more in a result of its own, whose rows lie in the order of their first updates.
  std::map<double, std::uint32_t> places;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint64_t> before, after;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const auto place = places.emplace(named[row], static_cast<std::uint32_t>(places.size()));
    indices.push_back(place.first->second);
    if (!place.second) continue;
    before.insert(before.end(), current.begin() + row * run, current.begin() + (row + 1) * run);
    after.insert(after.end(), result[named[row]].begin(), result[named[row]].end());
  }
  Codes own(facts, before), own_expected(facts, after);
  layout::scatter_in_place({facts.format, reduction, rows, run}, indices.data(), from.at(), own.at());
  check(std::memcmp(own.at(), own_expected.at(), own.bytes) == 0, "%s in place, reduction %d, %u rows of %u",
        facts.name, static_cast<int>(reduction), rows, run);
}

void check_complex() {
  // (1 + 2i)(3 + 4i) = -5 + 10i, then times i.
  const double numbers[] = {7, 7};
  const float updates[] = {3, 4, 0, 1};
  float current[] = {1, 2, 1, 2};
  layout::scatter({Format::kFloat32, ScatterReduction::kMulComplex, 2, 2}, numbers,
                  reinterpret_cast<const std::uint8_t*>(updates), reinterpret_cast<std::uint8_t*>(current), &work);
  for (int row = 0; row < 2; ++row) {
    check(current[2 * row] == -10 && current[2 * row + 1] == -5, "row %d: %f %f", row,
          static_cast<double>(current[2 * row]), static_cast<double>(current[2 * row + 1]));
  }
}

std::uint64_t range_code(const FormatFacts& facts, Format math, double index, const double* values) {
  if (math == Format::kFloat64) {
    const double product = index * values[1];
    return code_of(facts, static_cast<long double>(values[0] + product));
  }
  const float product = static_cast<float>(index) * static_cast<float>(values[1]);
  return code_of(facts, static_cast<long double>(static_cast<float>(values[0]) + product));
}

void check_range(const FormatFacts& facts, Format math, double first, std::size_t count, Random& random) {
  double values[2] = {0.1 * random.below(100), 0.037 * (random.below(100) - 50)};
  std::uint64_t whole[2] = {random.bits(), random.bits()};
  std::vector<std::uint64_t> wanted;
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::uint64_t>(first) + i;
    wanted.push_back(is_float(facts) ? range_code(facts, math, static_cast<double>(index), values)
                                     : (whole[0] + index * whole[1]) & oracle::mask(facts.bits));
  }
  Codes expected(facts, wanted), made(facts, std::vector<std::uint64_t>(count, ~0ull));
  const void* given = is_float(facts) ? static_cast<const void*>(values) : whole;
  layout::range(facts.format, math, first, count, static_cast<const std::uint8_t*>(given), made.at());
  check(std::memcmp(made.at(), expected.at(), made.bytes) == 0, "%s, math %d, %zu from %f", facts.name,
        static_cast<int>(math), count, first);
}

/// Each input either has its own elements or repeats one.
void check_select(std::size_t bytes, std::uint32_t count, int steps, Random& random) {
  alignas(16) static std::uint8_t memories[4][16 * 100];
  std::uint8_t before[3][16 * 100];
  for (int k = 0; k < 3; ++k) {
    for (std::uint8_t& byte : memories[k]) byte = static_cast<std::uint8_t>(random.below(k == 0 ? 3 : 256));
    std::memcpy(before[k], memories[k], sizeof before[k]);
  }
  const auto step = [=](int k) { return static_cast<std::uint32_t>(steps >> k & 1); };
  layout::select({static_cast<std::uint32_t>(bytes), count, step(0), step(1), step(2), memories[0], memories[1],
                  memories[2], memories[3]});
  for (std::uint32_t i = 0; i < count; ++i) {
    const int k = before[0][i * step(0)] != 0 ? 1 : 2;
    check(std::memcmp(memories[3] + i * bytes, before[k] + i * step(k) * bytes, bytes) == 0,
          "select of %zu bytes, steps %d: element %u", bytes, steps, i);
  }
}

/// Rows by the definition, one tuple at a time. `refused`: the first wrong index, or -1.
struct Named {
  std::vector<double> rows;
  int refused = -1;
};

template <typename Index>
Named name_one_by_one(const layout::IndexTuples& tuples, const std::vector<Index>& indices) {
  Named named;
  for (std::uint32_t k = 0; k < tuples.count; ++k) {
    double row = 0;
    auto place = static_cast<std::int64_t>(tuples.axes[0]) + k;
    const double* axis = tuples.axes + 2 * (tuples.length + tuples.rank) - 1;
    for (std::uint32_t i = 0; i < tuples.rank; ++i, axis -= 2) {
      row += axis[1] * static_cast<double>(place % static_cast<std::int64_t>(axis[0]));
      place /= static_cast<std::int64_t>(axis[0]);
    }
    bool is_within = true;
    for (std::uint32_t i = 0; i < tuples.length; ++i) {
      const std::size_t at = k * tuples.length + i;
      const double extent = tuples.axes[1 + 2 * i], stride = tuples.axes[2 + 2 * i];
      double index = std::trunc(static_cast<double>(indices[at]));
      if (tuples.format == Format::kBool) index = indices[at] != 0 ? 0 : extent;
      if (tuples.is_signed && index < 0) index += extent;
      const bool fits = index >= 0 && index < extent;
      if (!fits && named.refused < 0) named.refused = static_cast<int>(at);
      is_within = is_within && fits;
      row += index * stride;
    }
    if (is_within) named.rows.push_back(row);
  }
  return named;
}

template <typename Index>
void check_rows(Format format, Random& random) {
  layout::IndexTuples tuples{};
  tuples.format = format;
  tuples.is_signed = random.below(2) == 0;
  tuples.skips = random.below(2) == 0;
  tuples.is_wide = random.below(2) == 0;
  tuples.length = 1 + static_cast<std::uint32_t>(random.below(3));
  tuples.rank = 1 + static_cast<std::uint32_t>(random.below(3));
  tuples.count = static_cast<std::uint32_t>(random.below(100));
  std::vector<double> axes{static_cast<double>(random.below(40))};
  for (std::uint32_t i = 0; i < tuples.length + tuples.rank; ++i) {
    // The outermost place has no end.
    axes.push_back(i == tuples.length ? 1000 : i > tuples.length ? 1 + random.below(5) : random.below(6));
    axes.push_back(random.below(90) - (i < tuples.length ? 0 : 30));
  }
  // Indices between both ends of their axes, floats with a fraction; one of thirty beyond, or at the type's own end.
  std::vector<Index> indices;
  for (std::uint32_t i = 0; i < tuples.count * tuples.length; ++i) {
    const double extent = axes[1 + 2 * (i % tuples.length)];
    const double low = tuples.is_signed ? -extent : 0, part = format == Format::kFloat64 ? 0.5 : 0;
    double index = low + std::floor(random.below(1000) * (extent - low) / 1000);
    if (random.below(30) == 0) index = random.below(2) == 0 ? extent + random.below(3) : low - 1 - random.below(3);
    if (format == Format::kBool) index = random.below(3);
    indices.push_back(static_cast<Index>(index + part));
    if (random.below(200) == 0) indices.back() = std::numeric_limits<Index>::lowest();
  }
  const auto rows = std::make_unique<double[]>(tuples.count);
  tuples.indices = reinterpret_cast<const std::uint8_t*>(indices.data());
  tuples.axes = axes.data();
  tuples.rows = rows.get();
  const Named wanted = name_one_by_one(tuples, indices);
  const bool is_refused = wanted.refused >= 0 && !tuples.skips;
  const int count = is_refused ? -1 - wanted.refused : static_cast<int>(wanted.rows.size());
  const int made = layout::name_rows(tuples);
  check(made == count, "format %d: %d rows, not %d", static_cast<int>(format), made, count);
  for (std::size_t k = 0; k < (is_refused ? 0 : wanted.rows.size()); ++k) {
    const double row = tuples.is_wide ? rows[k] : reinterpret_cast<const std::int32_t*>(rows.get())[k];
    check(row == wanted.rows[k], "format %d: row %zu is %f, not %f", static_cast<int>(format), k, row, wanted.rows[k]);
  }
}

}  // namespace

int main() {
  Random random(1);
  int cases = 0;
  for (const FormatFacts& facts : oracle::kFormats) {
    for (const ScatterReduction reduction :
         {ScatterReduction::kAdd, ScatterReduction::kMul, ScatterReduction::kMax, ScatterReduction::kMin}) {
      for (const std::uint32_t run : {1u, 2u, 3u, 33u, 100u}) {
        for (const int numbers : {1, 3, 50, 100000}) {
          check_scatter(facts, reduction, 1 + static_cast<std::uint32_t>(random.below(60)), run, numbers, random);
          ++cases;
        }
      }
    }
    if (facts.type == Type::kBool) continue;
    for (const Format math : {Format::kFloat32, Format::kFloat64}) {
      for (const std::size_t count : {0u, 1u, 7u, 512u, 513u, 1300u}) {
        check_range(facts, math, 0, count, random);
        check_range(facts, math, 16777215, count, random);
        cases += 2;
      }
    }
  }
  for (int round = 0; round < 2000; ++round, cases += 4) {
    check_rows<std::int32_t>(Format::kInt32, random);
    check_rows<std::int64_t>(Format::kInt64, random);
    check_rows<double>(Format::kFloat64, random);
    check_rows<std::uint8_t>(Format::kBool, random);
  }
  for (const std::size_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    for (int steps = 0; steps < 8; ++steps) {
      for (const std::uint32_t count : {1u, 2u, 17u, 100u}) {
        check_select(bytes, count, steps, random);
        ++cases;
      }
    }
  }
  // The most rows, the most elements.
  const FormatFacts& half = oracle::kFormats[15];
  check(half.format == Format::kFloat16, "%s", half.name);
  check_scatter(half, ScatterReduction::kAdd, layout::kScatterRows, layout::kScatterElements / layout::kScatterRows,
                9000, random);
  check_scatter(half, ScatterReduction::kAdd, 1, layout::kScatterElements, 1, random);
  check_complex();
  std::printf("pick: %d cases\n", cases);
}
