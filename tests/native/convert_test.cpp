// Every pair of formats against exact arithmetic: all codes of sources of at most 16 bits; of wider sources every
// pattern of the top 12 bits, which has every exponent, and all ties of the target with their neighbors. Then every
// count to 70 at every pair, in allocations of the exact size.

#include <random>

#include "convert/formats.h"
#include "convert_oracle.h"
#include "packed_codes.h"

namespace {

using layout::ConvertOptions;
using oracle::FormatFacts;
using oracle::Type;
using Codes = std::vector<std::uint64_t>;

static_assert(std::size(oracle::kFormats) == std::size(layout::kFormatTable), "the oracle has a row for each format");

long checked = 0;
long failed = 0;

void check(const FormatFacts& from, const FormatFacts& to, const Codes& codes, ConvertOptions options) {
  Packed src(from.bits, codes.size(), 0xff), dst(to.bits, codes.size(), 0xff);
  for (std::size_t i = 0; i < codes.size(); ++i) src.set(i, codes[i]);
  layout::convert(from.format, to.format, src.data(), dst.data(), codes.size(), options);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::uint64_t want = oracle::convert(from, to, codes[i], options), got = dst.get(i);
    ++checked;
    if (got == want || ++failed > 50) continue;
    std::printf("%s -> %s, saturate %d, rounding %d, element %zu of %zu: %llx must give %llx, got %llx\n", from.name,
                to.name, options.saturate, static_cast<int>(options.scale_rounding), i, codes.size(),
                static_cast<unsigned long long>(codes[i]), static_cast<unsigned long long>(want),
                static_cast<unsigned long long>(got));
  }
  const std::size_t tail = codes.size() * static_cast<std::size_t>(to.bits) % 8;
  if (tail != 0 && dst.data()[dst.bytes() - 1] >> tail != 0 && ++failed <= 50) {
    std::printf("%s -> %s, %zu elements: bits behind the last one must be 0\n", from.name, to.name, codes.size());
  }
}

/// float32_of_code, of which the compiler makes tables, for every code.
void check_codes(const FormatFacts& from, const FormatFacts& float32) {
  for (std::uint64_t code = 0; code <= oracle::mask(from.bits); ++code) {
    const std::uint64_t want = oracle::convert(from, float32, code, {});
    const std::uint32_t got = layout::float32_of_code(layout::row_of(from.format), static_cast<std::uint32_t>(code));
    ++checked;
    if (got == want || ++failed > 50) continue;
    std::printf("float32_of_code, %s: %llx must give %llx, got %x\n", from.name, static_cast<unsigned long long>(code),
                static_cast<unsigned long long>(want), got);
  }
}

/// The codes of floats of fewer than 8 bits, packed and not.
void check_packing(const FormatFacts& packed, std::size_t count, std::mt19937_64& random) {
  constexpr ConvertOptions kCodes{true, layout::ScaleRounding::kUp, true};
  for (const layout::Format byte : {layout::Format::kUint8, layout::Format::kInt8}) {
    Packed bytes(8, count, 0xff), dst(packed.bits, count, 0xff), back(8, count, 0xff);
    for (std::size_t i = 0; i < count; ++i) bytes.set(i, random() & 0xff);
    layout::convert(byte, packed.format, bytes.data(), dst.data(), count, kCodes);
    layout::convert(packed.format, byte, dst.data(), back.data(), count, kCodes);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t want = bytes.get(i) & oracle::mask(packed.bits);
      ++checked;
      if ((dst.get(i) == want && back.get(i) == want) || ++failed > 50) continue;
      std::printf("%s, element %zu of %zu: the code is %llx\n", packed.name, i, count,
                  static_cast<unsigned long long>(want));
    }
    const std::size_t tail = count * static_cast<std::size_t>(packed.bits) % 8;
    if (tail != 0 && dst.data()[dst.bytes() - 1] >> tail != 0) ++failed;
  }
}

void check_options(const FormatFacts& from, const FormatFacts& to, const Codes& codes) {
  using layout::ScaleRounding;
  for (const bool saturate : {true, false}) {
    for (const ScaleRounding rounding : {ScaleRounding::kUp, ScaleRounding::kDown, ScaleRounding::kNearest}) {
      if (!saturate && (to.bits != 8 || to.mantissa + to.bias == 0)) continue;
      if (rounding != ScaleRounding::kUp && to.type != Type::kScale) continue;
      check(from, to, codes, {saturate, rounding});
    }
  }
}

/// All codes, or patterns of the top 12 bits with various others below.
Codes strata(const FormatFacts& from) {
  Codes codes;
  if (from.bits <= 16) {
    for (std::uint64_t code = 0; code <= oracle::mask(from.bits); ++code) codes.push_back(code);
    return codes;
  }
  std::mt19937_64 random(static_cast<unsigned>(from.bits));
  const int low = from.bits - 12;
  const std::uint64_t ones = oracle::mask(low);
  for (std::uint64_t top = 0; top < 4096; ++top) {
    for (const std::uint64_t rest : {std::uint64_t{0}, std::uint64_t{1}, ones >> 1, (ones >> 1) + 1, (ones >> 1) + 2,
                                     ones - 1, ones, random() & ones, random() & ones}) {
      codes.push_back(top << low | rest);
    }
    codes.push_back(top << low | 1ull << top % static_cast<unsigned>(low));
  }
  // Integers, and floats as integers, of every length.
  for (int bit = 0; bit < from.bits; ++bit) {
    for (int trial = 0; trial < 40; ++trial) {
      const std::uint64_t magnitude =
          1ull << bit |
          (random() & oracle::mask(bit) & (trial % 2 == 0 ? ~0ull : oracle::mask(bit) << (bit * trial / 40)));
      codes.push_back(magnitude);
      codes.push_back((0 - magnitude) & oracle::mask(from.bits));
    }
  }
  return codes;
}

/// Extreme codes, each among fifteen ones: a single code in any quarter of a step must make a kernel take its slower
/// path.
Codes alone(const FormatFacts& from) {
  Codes extremes = {0, from.infinity, from.infinity + 1, from.largest, from.largest + 1, from.nan};
  for (int bit = 0; bit < from.bits; ++bit) {
    extremes.push_back(1ull << bit);
    extremes.push_back(oracle::mask(from.bits) >> bit);
    extremes.push_back(oracle::mask(from.bits) << bit);
  }
  // Where integers of few bits end.
  for (int bit = 1; bit <= 16; ++bit) {
    for (const int near : {-1, 0, 1})
      extremes.push_back(oracle::encode(from, {false, false, static_cast<long double>((1 << bit) + near)}, true, {}));
  }
  const std::uint64_t one = oracle::encode(from, {false, false, 1}, true, {}), sign = 1ull << (from.bits - 1);
  Codes codes;
  for (const std::uint64_t extreme : extremes) {
    for (const std::uint64_t code : {extreme, extreme ^ sign}) {
      for (const std::size_t lane : {0u, 5u, 10u, 15u}) {
        codes.insert(codes.end(), 16, one);
        codes[codes.size() - 16 + lane] = code & oracle::mask(from.bits);
      }
    }
  }
  return codes;
}

/// The midpoints between neighboring numbers of the target, and the source's numbers on either side of them, at all
/// distances.
Codes ties(const FormatFacts& from, const FormatFacts& to) {
  Codes codes;
  if (from.bits <= 16) return codes;
  std::mt19937_64 random(7);
  const bool exhaustive = to.bits <= 16;
  const std::uint64_t trials = exhaustive ? to.largest + 1 : 40000;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const std::uint64_t below = exhaustive ? trial : random() % to.largest;
    const long double low = oracle::number(to, below), high = oracle::number(to, below + 1);
    for (const long double point : {low, low + (high - low) / 2}) {
      for (const bool negative : {false, true}) {
        const oracle::Value value{false, negative, point};
        if (point > (from.type == Type::kFloat ? oracle::number(from, from.largest) : 0x1p64L - 1)) continue;
        const std::uint64_t code = oracle::encode(from, value, false, {});
        const std::uint64_t bit = 1ull << trial % static_cast<unsigned>(from.bits);
        for (const std::uint64_t near : {code - bit, code - 1, code, code + 1, code + bit})
          codes.push_back(near & oracle::mask(from.bits));
      }
    }
  }
  return codes;
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  const auto float32 = std::find_if(std::begin(oracle::kFormats), std::end(oracle::kFormats),
                                    [](const FormatFacts& facts) { return facts.format == layout::Format::kFloat32; });
  for (const FormatFacts& from : oracle::kFormats) {
    if (from.bits <= 8 && (from.type == Type::kUnsigned || from.type == Type::kSigned || from.type == Type::kFloat))
      check_codes(from, *float32);
    if (from.bits < 8 && from.type == Type::kFloat)
      for (std::size_t count = 0; count <= 300; ++count) check_packing(from, count, random);
    const Codes all = strata(from);
    for (const FormatFacts& to : oracle::kFormats) {
      check_options(from, to, all);
      check_options(from, to, alone(from));
      if (from.bits <= 8) {  // again, with so many codes that convert makes a table
        Codes many;
        while (many.size() < 1500) many.insert(many.end(), all.begin(), all.end());
        many.push_back(all[7 % all.size()]);
        check_options(from, to, many);
      }
      if (to.type == Type::kFloat || to.type == Type::kScale) check_options(from, to, ties(from, to));
      for (std::size_t count = 0; count <= 70; ++count) {
        Codes codes(count);
        for (std::uint64_t& code : codes) code = all[random() % all.size()];
        check(from, to, codes, {});
      }
    }
  }
  std::printf("convert: %ld conversions checked, %ld failed\n", checked, failed);
  return failed == 0 ? 0 : 1;
}
