// FFTs and their inverse, frames with mel banks, matrices, resampling and WAV's codes, of sizes and numbers that the
// fuzzer chooses, against the oracles of the native tests. Every memory has exactly the size that the contract allows.

#include "../native/audio_matrices_oracle.h"

#include "fuzz.h"

namespace {

/// A bank of any settings: its weights are finite, and packed it is the same bank.
void fuzz_bank(FuzzedDataProvider& input) {
  layout::Bank bank{};
  bank.kind = static_cast<layout::BankKind>(input.ConsumeIntegralInRange(0, 4));
  bank.bins = input.ConsumeIntegralInRange(2, 90);
  bank.filters = input.ConsumeIntegralInRange(1, 40);
  bank.rate = input.ConsumeIntegralInRange(1, 96000);
  bank.low = input.ConsumeIntegralInRange(0, 500);
  bank.high = bank.low + input.ConsumeIntegralInRange(1, 48000);
  bank.slaney_norm = input.ConsumeBool();
  bank.scale = static_cast<layout::MelScale>(input.ConsumeIntegralInRange(0, 2));
  bank.in_mel_space = input.ConsumeBool();
  bank.narrow = input.ConsumeBool();
  const auto count = static_cast<std::size_t>(bank.bins * bank.filters);
  std::vector<double> scratch(static_cast<std::size_t>(bank.bins + bank.filters + 4)), made(count), again(count);
  layout::make_bank(bank, scratch.data(), made.data());
  const int total = layout::pack_bank(made.data(), bank.bins, bank.filters, nullptr, nullptr);
  std::vector<double> weights(static_cast<std::size_t>(total) + 1);
  std::vector<std::int32_t> bands(2 * static_cast<std::size_t>(bank.filters));
  layout::pack_bank(made.data(), bank.bins, bank.filters, bands.data(), weights.data());
  const double* next = weights.data();
  for (int f = 0; f < bank.filters; ++f) {
    const int first = bands[static_cast<std::size_t>(2 * f)], some = bands[static_cast<std::size_t>(2 * f + 1)];
    for (int k = first; k < first + some; ++k) again[static_cast<std::size_t>(k * bank.filters + f)] = *next++;
  }
  for (std::size_t i = 0; i < count; ++i)
    check(made[i] == again[i] || (std::isnan(made[i]) && std::isnan(again[i])), "weight %zu", i);
}

}  // namespace

void fuzz(FuzzedDataProvider& input) {
  const int kind = input.ConsumeIntegralInRange(0, 6);
  if (kind == 0) return fuzz_bank(input);
  const auto any = [&](int least, int most) { return input.ConsumeIntegralInRange(least, most); };
  Random random(input.ConsumeIntegral<std::uint16_t>());
  if (kind == 1) return check_fft(any(1, 300), random);
  if (kind == 2) {
    check_frames(random);
    return check_values(random);
  }
  if (kind == 3) {
    const int length = any(2, 90), hop = any(1, 100);
    return check_overlap(length, hop, any(1, 7), random);
  }
  if (kind == 4) {
    const auto sinc = static_cast<layout::Sinc>(any(0, 3));
    const int up = any(1, 40), down = any(1, 40);
    return check_resampling(sinc, up, down, any(1, 60), random);
  }
  if (kind == 6) return check_matrices(random);
  const int code = any(0, 5);
  const auto channels = static_cast<std::size_t>(any(1, 9));
  check_code(code, channels, static_cast<std::size_t>(any(0, 90)), random);
}
