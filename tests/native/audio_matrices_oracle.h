#pragma once

#include "audio_oracle.h"

/// [rows, columns] to [columns, rows], where the last row may lack some numbers; between rows of the result are gaps.
inline void check_flip(Random& random) {
  const int columns = 1 + random.below(9), count = 1 + random.below(80);
  const int rows = (count + columns - 1) / columns, stride = rows + random.below(3);
  const std::vector<float> from = numbers(static_cast<std::size_t>(count), random);
  std::vector<float> to(static_cast<std::size_t>(std::max(0, stride * (std::min(columns, count) - 1) + rows)), 9);
  layout::flip_numbers(from.data(), count, columns, to.data(), stride);
  int written = 0;
  for (int k = 0; k < count; ++k, ++written) {
    const auto at = static_cast<std::size_t>(k % columns * stride + k / columns);
    check(to[at] == from[static_cast<std::size_t>(k)], "flip %d of %d columns", k, columns);
  }
  const auto gaps = static_cast<int>(std::count(to.begin(), to.end(), 9.0f));
  check(gaps == static_cast<int>(to.size()) - written, "flip of %d columns wrote between rows", columns);
}

/// A row between two, by the formula in float64.
inline void check_blend(Random& random) {
  const int columns = 1 + random.below(20), width = 1 + random.below(40);
  const auto part = static_cast<float>(unit(random) + 0.5);
  const auto a = numbers(static_cast<std::size_t>(columns), random), b = numbers(a.size(), random);
  std::vector<float> to(static_cast<std::size_t>(width));
  layout::blend_rows(a.data(), b.data(), part, columns, width, to.data());
  for (int i = 0; i < width; ++i) {
    const double center = std::fmax(0, static_cast<double>(columns) / width * (i + 0.5) - 0.5);
    const auto left = static_cast<std::size_t>(center);
    const std::size_t right = std::min(left + 1, a.size() - 1);
    const auto across = [&](const std::vector<float>& row) {
      const auto low = static_cast<double>(row[left]), high = static_cast<double>(row[right]);
      return low + (high - low) * (center - static_cast<double>(left));
    };
    const double wanted = across(a) + (across(b) - across(a)) * static_cast<double>(part);
    check(std::fabs(static_cast<double>(to[static_cast<std::size_t>(i)]) - wanted) < 1e-5, "blend %d of %d", i, width);
  }
}

/// The slope over frames on both sides, the ends repeated.
inline void check_deltas(Random& random) {
  const int count = 1 + random.below(40), half = 1 + random.below(9);
  const auto x = numbers(static_cast<std::size_t>(count), random);
  std::vector<float> to(x.size());
  layout::make_deltas(x.data(), x.size(), half, to.data());
  for (int i = 0; i < count; ++i) {
    double sum = 0, squares = 0;
    for (int k = 1; k <= half; ++k) {
      const auto after = static_cast<std::size_t>(std::min(i + k, count - 1));
      const auto before = static_cast<std::size_t>(std::max(i - k, 0));
      sum += k * (static_cast<double>(x[after]) - static_cast<double>(x[before]));
      squares += 2.0 * k * k;
    }
    check(std::fabs(static_cast<double>(to[static_cast<std::size_t>(i)]) - sum / squares) < 1e-6, "delta %d", i);
  }
}

/// Rows times a DCT whose cosines are the host's.
inline void check_cepstra(Random& random) {
  const int rows = random.below(4), size = 1 + random.below(30), count = 1 + random.below(size);
  const auto length = static_cast<std::size_t>(size);
  std::vector<double> table(static_cast<std::size_t>(count) * length);
  layout::make_dct(size, count, table.data());
  const auto from = numbers(static_cast<std::size_t>(rows) * length, random);
  std::vector<float> to(static_cast<std::size_t>(rows * count));
  layout::multiply_rows(from.data(), static_cast<std::size_t>(rows), length, table.data(),
                        static_cast<std::size_t>(count), to.data());
  for (int i = 0; i < rows * count; ++i) {
    const int k = i % count;
    double sum = 0;
    for (std::size_t m = 0; m < length; ++m) {
      const double angle = 3.141592653589793 * (static_cast<double>(m) + 0.5) * k / size;
      sum += static_cast<double>(from[static_cast<std::size_t>(i / count) * length + m]) * std::cos(angle);
    }
    const double wanted = sum * std::sqrt((k == 0 ? 1.0 : 2.0) / size);
    check(std::fabs(static_cast<double>(to[static_cast<std::size_t>(i)]) - wanted) < 1e-6, "cepstrum %d of %d", k,
          size);
  }
}

/// Means over channels that lie apart.
inline void check_means(Random& random) {
  const auto channels = static_cast<std::size_t>(1 + random.below(12)),
             count = static_cast<std::size_t>(random.below(30));
  const std::size_t stride = count + static_cast<std::size_t>(random.below(3));
  const auto from = numbers((channels - 1) * stride + count, random);
  const std::vector<double> wide(from.begin(), from.end());
  std::vector<float> to(count);
  std::vector<double> wide_to(count);
  const auto given = static_cast<int>(channels);
  layout::mean_of_channels(from.data(), given, stride, count, to.data());
  layout::mean_of_wide_channels(wide.data(), given, stride, count, wide_to.data());
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += wide[c * stride + i];
    const double mean = sum / static_cast<double>(channels);
    check(std::fabs(static_cast<double>(to[i]) - mean) < 1e-6, "mean %zu of %zu channels", i, channels);
    check(std::fabs(wide_to[i] - mean) < 1e-15 * 16, "wide mean %zu of %zu channels", i, channels);
  }
}

inline void check_matrices(Random& random) {
  check_flip(random);
  check_blend(random);
  check_deltas(random);
  check_cepstra(random);
  check_means(random);
}
