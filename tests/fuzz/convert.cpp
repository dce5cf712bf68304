// Conversions between every pair of formats, of codes that the fuzzer chooses, against exact arithmetic.

#include <algorithm>

#include "../native/convert_oracle.h"
#include "../native/packed_codes.h"
#include "fuzz.h"

namespace {

/// A copy of the codes' bytes. The memory of Packed begins one byte before them.
Memory bytes_of(Packed& codes) {
  Random random(0);
  Memory memory(static_cast<std::int64_t>(codes.bytes()), random);
  std::copy_n(codes.data(), codes.bytes(), memory.data.get());
  return memory;
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  const auto format = [&]() -> const oracle::FormatFacts& {
    return oracle::kFormats[input.ConsumeIntegralInRange<std::size_t>(0, std::size(oracle::kFormats) - 1)];
  };
  const oracle::FormatFacts& from = format();
  const oracle::FormatFacts& to = format();
  const layout::ConvertOptions options = {
      input.ConsumeBool(), input.PickValueInArray({layout::ScaleRounding::kUp, layout::ScaleRounding::kDown,
                                                   layout::ScaleRounding::kNearest})};
  // From 1024 codes of 8 bits on, a table replaces the arithmetic.
  const auto count = input.ConsumeIntegralInRange<std::size_t>(0, 1300);
  Packed src(from.bits, count, 0xff), dst(to.bits, count, 0xff);
  const std::vector<std::uint8_t> chosen = input.ConsumeRemainingBytes<std::uint8_t>();
  if (!chosen.empty()) {
    for (std::size_t i = 0; i < src.bytes(); ++i) src.data()[i] = chosen[i % chosen.size()];
  }
  const Memory before = bytes_of(dst);
  layout::convert(from.format, to.format, src.data(), dst.data(), count, options);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t code = src.get(i), want = oracle::convert(from, to, code, options), got = dst.get(i);
    check(got == want, "%s -> %s, saturate %d, rounding %d, element %zu of %zu: %llx must give %llx, got %llx",
          from.name, to.name, options.saturate, static_cast<int>(options.scale_rounding), i, count,
          static_cast<unsigned long long>(code), static_cast<unsigned long long>(want),
          static_cast<unsigned long long>(got));
  }
  const std::size_t tail = count * static_cast<std::size_t>(to.bits) % 8;
  check(tail == 0 || dst.data()[dst.bytes() - 1] >> tail == 0, "%s -> %s, %zu elements: bits behind the last one",
        from.name, to.name, count);
  const int flags = (options.saturate ? layout::kSaturateFlag : 0) +
                    static_cast<int>(options.scale_rounding) * layout::kScaleRoundingFlag;
  record("convert", {},
         {static_cast<double>(from.format), static_cast<double>(to.format), static_cast<double>(count),
          static_cast<double>(flags)},
         {bytes_of(src), before, bytes_of(dst)});
}
