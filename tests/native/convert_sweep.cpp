// All 2^32 float32 patterns to every format of at most 16 bits. A command of its own: minutes, without sanitizers.
// Rounding is monotonic, so all patterns that give one code lie side by side: the oracle finds the end of each such run
// by bisection, and the sweep compares every element with its run.

#include <chrono>
#include <cstring>
#include <string>

#include "convert_oracle.h"

namespace {

using layout::ConvertOptions;
using layout::Format;
using layout::ScaleRounding;
using oracle::FormatFacts;
using oracle::Type;

constexpr std::size_t kBlock = 1 << 16;

struct Run {
  std::uint32_t last;
  std::uint16_t code;
};

const FormatFacts& facts_of(Format format) {
  for (const FormatFacts& facts : oracle::kFormats) {
    if (facts.format == format) return facts;
  }
  std::abort();
}

std::vector<Run> runs_of(const FormatFacts& to, ConvertOptions options) {
  const FormatFacts& from = facts_of(Format::kFloat32);
  const auto code_of = [&](std::uint64_t pattern) {
    return static_cast<std::uint16_t>(
        oracle::encode(to, oracle::decode(from, pattern), options.saturate, options.scale_rounding));
  };
  std::vector<Run> runs;
  // Numbers and infinity, then NaN; then both with a sign. Codes are monotonic within each of these parts.
  for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{0x80000000}}) {
    for (const auto& [first, last] :
         {std::pair<std::uint64_t, std::uint64_t>{0, 0x7f800000}, {0x7f800001, 0x7fffffff}}) {
      for (std::uint64_t start = first | sign; start <= (last | sign);) {
        const std::uint16_t code = code_of(start);
        std::uint64_t inside = start, outside = (last | sign) + 1;
        for (std::uint64_t step = 1; inside + step < outside; step *= 2) {
          if (code_of(inside + step) == code)
            inside += step;
          else
            outside = inside + step;
        }
        while (outside - inside > 1) {
          const std::uint64_t middle = inside + (outside - inside) / 2;
          (code_of(middle) == code ? inside : outside) = middle;
        }
        runs.push_back({static_cast<std::uint32_t>(inside), code});
        start = inside + 1;
      }
    }
  }
  return runs;
}

/// The low bits of the integer part of each element. Numbers from 2^63 on are multiples of 2^16.
void fill_integers(const std::vector<float>& numbers, std::vector<std::uint16_t>& codes) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    const float x = numbers[i];
    codes[i] = std::fabs(x) < 0x1p63f ? static_cast<std::uint16_t>(static_cast<std::int64_t>(x)) : 0;
  }
}

std::vector<std::uint8_t> packed(const std::vector<std::uint16_t>& codes, int bits) {
  std::vector<std::uint8_t> bytes(kBlock * static_cast<std::size_t>(bits) / 8);
  std::uint32_t stream = 0;
  int length = 0;
  auto at = bytes.begin();
  for (const unsigned code : codes) {
    stream |= (code & ((1u << bits) - 1)) << length;
    for (length += bits; length >= 8; length -= 8, stream >>= 8) *at++ = static_cast<std::uint8_t>(stream);
  }
  return bytes;
}

/// Returns the number of blocks with an error.
long sweep(const FormatFacts& to, ConvertOptions options) {
  const bool integer = to.type == Type::kUnsigned || to.type == Type::kSigned;
  const std::vector<Run> runs = integer ? std::vector<Run>{} : runs_of(to, options);
  std::size_t run = 0;
  std::vector<std::uint32_t> patterns(kBlock);
  std::vector<float> numbers(kBlock);
  std::vector<std::uint16_t> codes(kBlock);
  std::vector<std::uint8_t> got(kBlock * static_cast<std::size_t>(to.bits) / 8);
  long wrong = 0;
  for (std::uint64_t first = 0; first < 1ull << 32; first += kBlock) {
    for (std::size_t i = 0; i < kBlock; ++i) patterns[i] = static_cast<std::uint32_t>(first + i);
    std::memcpy(numbers.data(), patterns.data(), kBlock * 4);
    layout::convert(Format::kFloat32, to.format, reinterpret_cast<const std::uint8_t*>(patterns.data()), got.data(),
                    kBlock, options);
    if (integer) {
      fill_integers(numbers, codes);
    } else {
      for (std::size_t i = 0; i < kBlock;) {
        const std::size_t end = std::min<std::uint64_t>(kBlock, runs[run].last + 1ull - first);
        std::fill(codes.begin() + static_cast<std::ptrdiff_t>(i), codes.begin() + static_cast<std::ptrdiff_t>(end),
                  runs[run].code);
        if (runs[run].last + 1ull - first <= kBlock) ++run;
        i = end;
      }
    }
    if (got != packed(codes, to.bits) && ++wrong <= 3) {
      std::printf("%s: wrong between %08llx and %08llx\n", to.name, static_cast<unsigned long long>(first),
                  static_cast<unsigned long long>(first + kBlock - 1));
    }
  }
  return wrong;
}

}  // namespace

/// Takes the names of formats as arguments; all formats without arguments.
int main(int argc, char** argv) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const std::vector<std::string> names(argv + 1, argv + argc);
  long sweeps = 0, wrong = 0;
  for (const FormatFacts& to : oracle::kFormats) {
    if (to.bits > 16 || (!names.empty() && std::find(names.begin(), names.end(), to.name) == names.end())) continue;
    const bool saturates = to.type == Type::kScale || (to.type == Type::kFloat && to.bits == 8);
    for (const bool saturate : saturates ? std::vector<bool>{true, false} : std::vector<bool>{true}) {
      for (const ScaleRounding rounding : {ScaleRounding::kUp, ScaleRounding::kDown, ScaleRounding::kNearest}) {
        if (rounding != ScaleRounding::kUp && to.type != Type::kScale) continue;
        const long blocks = sweep(to, {saturate, rounding});
        ++sweeps;
        wrong += blocks;
        std::printf("float32 -> %s, saturate %d, rounding %d: %s, %.0f s\n", to.name, saturate,
                    static_cast<int>(rounding), blocks == 0 ? "ok" : "WRONG", seconds());
        std::fflush(stdout);
      }
    }
  }
  std::printf("convert_sweep: %ld sweeps of 2^32 patterns, %ld blocks wrong, %.0f s\n", sweeps, wrong, seconds());
  return wrong == 0 ? 0 : 1;
}
