// Numbers brought into the range of float16, and codes of bnb4, against their rules, in allocations of the exact size.

#include <cmath>
#include <vector>

#include "check.h"
#include "convert/convert.h"
#include "quantize/bnb4.h"

namespace {

float random_number(Random& random) {
  const auto bits = static_cast<std::uint32_t>(random.bits());
  float number;
  std::memcpy(&number, &bits, 4);
  const float special[] = {0.0f,     -0.0f,   65504.0f, 65505.0f, -1e30f,  5.96e-8f,
                           5.95e-8f, -1e-20f, INFINITY, NAN,      0x1p-24f};
  return random.below(2) == 0 ? number : special[random.below(11)];
}

void check_float16(std::uint32_t count, Random& random) {
  Memory memory(4 * count, random);
  std::vector<float> before(count);
  for (float& x : before) x = random_number(random);
  if (count > 0) std::memcpy(memory.data.get(), before.data(), memory.size);
  const layout::Fitted fitted = layout::fit_float16(count, memory.data.get());
  std::uint32_t clipped = 0, raised = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    float want = before[i];
    if (std::fabs(want) > 65504.0f && std::isfinite(want)) {
      want = std::copysign(65504.0f, want);
      ++clipped;
    } else if (want != 0 && std::fabs(want) < 5.96e-8f) {
      want = std::copysign(0x1p-24f, want);
      ++raised;
    }
    check(std::memcmp(memory.data.get() + 4 * i, &want, 4) == 0, "%g of %u numbers", static_cast<double>(before[i]),
          count);
  }
  check(fitted.clipped == clipped && fitted.raised == raised, "%u and %u", fitted.clipped, fitted.raised);
}

int code_of(bool is_fp4, float x) {
  constexpr float kNf4[] = {-0.8480964303016663f,  -0.6106328964233398f,  -0.4599952697753906f,   -0.33967941999435425f,
                            -0.23460739850997925f, -0.13791173696517944f, -0.045525018125772476f, 0.03979014977812767f,
                            0.1202552542090416f,   0.2035212516784668f,   0.2920137643814087f,    0.3893125355243683f,
                            0.5016633868217468f,   0.6427869200706482f,   0.8614783883094788f};
  constexpr float kFp4[] = {0.00260417f, 0.0859375f, 0.20833333f, 0.29166667f, 0.4166667f, 0.583333f, 0.8333333f};
  constexpr int kFp4Codes[] = {0, 1, 6, 7, 4, 5, 2, 3};
  int below = 0;
  if (!is_fp4) {
    for (const float cut : kNf4) below += x > cut ? 1 : 0;
    return below;
  }
  for (const float cut : kFp4) below += std::fabs(x) > cut ? 1 : 0;
  return kFp4Codes[below] + (x < 0 ? 8 : 0);
}

void check_bnb4(std::uint32_t count, std::uint32_t block, bool is_fp4, float most, Random& random) {
  Memory src(4 * count, random);
  std::vector<float> numbers(count), largest((count + block - 1) / block);
  for (std::uint32_t i = 0; i < count; ++i) {
    numbers[i] = (static_cast<float>(random.below(2001)) - 1000) / 1000 * most;
    float& block_most = largest[i / block];
    block_most = std::max(block_most, std::fabs(numbers[i]));
  }
  if (count > 0) std::memcpy(src.data.get(), numbers.data(), src.size);
  const Memory dst((count + 1) / 2, random);
  layout::encode_bnb4({count, block, is_fp4, src.data.get(), largest.data(), dst.data.get()});
  for (std::uint32_t i = 0; i < count + count % 2; ++i) {
    const float own = i < count ? largest[i / block] : 0;
    const int want = code_of(is_fp4, i < count ? numbers[i] * (own == 0 ? 0 : 1 / own) : 0);
    const int code = i % 2 == 0 ? dst.data[i / 2] >> 4 : dst.data[i / 2] & 15;
    check(code == want, "number %u of %u is %d, not %d", i, count, code, want);
  }
}

}  // namespace

int main() {
  Random random(1);
  for (std::uint32_t count = 0; count < 300; ++count) check_float16(count, random);
  for (const bool is_fp4 : {false, true})
    for (const float most : {0.0f, 1.0f, 3e38f, 1e-40f})
      for (const std::uint32_t block : {16u, 32u, 64u})
        for (std::uint32_t count = 0; count < 150; ++count) check_bnb4(count, block, is_fp4, most, random);
  std::printf("%d cases\n", 300 + 2 * 4 * 3 * 150);
}
