// Sums, changes, resampling and WAV's codes against plain loops. Every memory has exactly the size that the contract
// allows.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "audio/codes.h"
#include "audio/numbers.h"
#include "audio/resample.h"
#include "check.h"

namespace {

float unit(Random& random) { return static_cast<float>(static_cast<double>(random.bits() >> 11) * 0x1p-53 - 0.5); }

std::vector<float> numbers(std::size_t count, Random& random) {
  std::vector<float> list(count);
  for (float& x : list) x = unit(random);
  return list;
}

void check_sums(Random& random) {
  for (std::size_t count = 0; count < 700; ++count) {
    const std::vector<float> x = numbers(count, random);
    long double sum = 0, squares = 0;
    float in_order = 0, most = -1;
    for (const float value : x) {
      sum += static_cast<long double>(value);
      squares += static_cast<long double>(value) * static_cast<long double>(value);
      in_order += value;
      most = std::max(most, std::fabs(value));
    }
    using layout::Reduction;
    const auto reduced = [&](Reduction how, double start) {
      return layout::reduce_numbers(how, x.data(), count, 0, start);
    };
    check(std::fabs(reduced(Reduction::kPairwise, 0) - static_cast<double>(sum)) < 1e-4, "pairwise %zu", count);
    check(std::fabs(reduced(Reduction::kWide, 0) - static_cast<double>(sum)) < 1e-12, "wide %zu", count);
    check(std::fabs(reduced(Reduction::kWideSquares, 0) - static_cast<double>(squares)) < 1e-12, "squares %zu", count);
    check(reduced(Reduction::kInOrder, 0) == static_cast<double>(in_order), "in order %zu", count);
    check(reduced(Reduction::kLargest, -1) == static_cast<double>(most), "largest %zu", count);
  }
  const float list[] = {1, NAN, 3, 2};
  check(std::isnan(layout::reduce_numbers(layout::Reduction::kMaximum, list, 4, 0, -INFINITY)), "NaN");
  check(layout::reduce_numbers(layout::Reduction::kMaximum, list + 2, 2, 0, -INFINITY) == 3, "maximum");
}

void check_flip(Random& random) {
  for (int i = 0; i < 200; ++i) {
    const auto rows = static_cast<std::size_t>(random.below(9)), columns = static_cast<std::size_t>(random.below(9));
    const std::vector<float> from = numbers(rows * columns, random);
    std::vector<float> to(rows * columns);
    layout::flip_numbers(from.data(), rows, columns, to.data(), rows);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) check(to[c * rows + r] == from[r * columns + c], "flip %zu %zu", r, c);
    }
  }
}

/// Rows by the table against one output after the other, to the bit.
void check_resampling(Random& random) {
  using layout::Sinc;
  for (int i = 0; i < 300; ++i) {
    const int up = 1 + random.below(7), down = 1 + random.below(7), rows = 1 + random.below(40);
    layout::Resampling r{static_cast<Sinc>(random.below(4)), up, down, 3, 0.9, 5, 1};
    if (r.sinc == Sinc::kScipy) r.width = 10 * std::max(up, down);
    if (r.sinc == Sinc::kScipy) r.scale = layout::sum_of_weights(r);
    const int taps = layout::tap_count(r);
    std::vector<float> weights(static_cast<std::size_t>(up * taps));
    std::vector<std::int32_t> firsts;
    for (int phase = 0; phase < up; ++phase)
      firsts.push_back(layout::make_phase(r, phase, &weights[static_cast<std::size_t>(phase * taps)]));
    const int earliest = *std::min_element(firsts.begin(), firsts.end());
    for (std::int32_t& first : firsts) first -= earliest;
    const int span = *std::max_element(firsts.begin(), firsts.end()) + taps;
    // Whole vectors are read behind the last row of a plane; without planes these lie behind the samples.
    const auto length = static_cast<std::size_t>((rows - 1) * down + span);
    const std::vector<float> from = numbers(length + (down > 1 ? 0 : 16), random);
    std::vector<float> planes(static_cast<std::size_t>(down > 1 ? down * layout::plane_length(rows, down, span) : 1));
    std::vector<float> to(static_cast<std::size_t>(rows * up));
    layout::resample_rows(firsts.data(), weights.data(), up, down, taps, from.data(), rows, planes.data(), to.data());
    for (int row = 0; row < rows; ++row) {
      for (int phase = 0; phase < up; ++phase) {
        const float one = layout::resample_one(
            &weights[static_cast<std::size_t>(phase * taps)],
            &from[static_cast<std::size_t>(row * down + firsts[static_cast<std::size_t>(phase)])], taps);
        check(to[static_cast<std::size_t>(row * up + phase)] == one, "%d/%d row %d phase %d", up, down, row, phase);
      }
    }
  }
}

/// Every code comes back; integers of 24 bits and less to the bit.
void check_codes(Random& random) {
  using layout::Code;
  for (int code = 0; code < 6; ++code) {
    const auto bytes = static_cast<std::size_t>(layout::code_bytes(static_cast<Code>(code)));
    for (std::size_t channels = 1; channels < 5; ++channels) {
      const std::size_t count = 37;
      Memory data(static_cast<std::int64_t>(count * channels * bytes), random);
      std::vector<float> planes(count * channels);
      const auto given = static_cast<int>(channels);
      layout::decode_samples(static_cast<Code>(code), false, given, data.data.get(), count, planes.data(), count);
      if (code > 2) {
        planes = numbers(count * channels, random);
        for (float& x : planes) x = std::round(x * 1024) / 1024;
      }
      Memory back(static_cast<std::int64_t>(data.size), random);
      layout::encode_samples(static_cast<Code>(code), given, planes.data(), count, count, back.data.get());
      if (code <= 2) check(first_difference(data, back) < 0, "code %d of %zu channels", code, channels);
      std::vector<float> again(planes.size());
      layout::decode_samples(static_cast<Code>(code), false, given, back.data.get(), count, again.data(), count);
      check(again == planes, "code %d of %zu channels, decoded again", code, channels);
      for (std::size_t at = 0; at < back.size; at += bytes)
        std::reverse(&back.data[at], &back.data[at + bytes - 1] + 1);
      std::vector<float> turned(planes.size());
      layout::decode_samples(static_cast<Code>(code), true, given, back.data.get(), count, turned.data(), count);
      check(turned == planes, "code %d of %zu channels, big endian", code, channels);
    }
  }
}

}  // namespace

int main() {
  Random random(6);
  check_sums(random);
  check_flip(random);
  check_resampling(random);
  check_codes(random);
}
