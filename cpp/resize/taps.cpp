// resize/taps.h says what these functions do.

#include "resize/taps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "resize/curves.h"

// The rules of Pillow (src/libImaging/Resample.c, Geometry.c) and of torch
// (aten/src/ATen/native/cpu/UpSampleKernel.cpp). All is in double. The order of the operations counts, since results
// have to be equal to the bit.

namespace layout {
namespace {

/// 1 within half a pixel.
double box(double x) { return -0.5 < x && x <= 0.5 ? 1.0 : 0.0; }

/// A sinc under a Hamming window, to a distance of 1.
double hamming(double x) {
  x = std::fabs(x);
  if (x == 0.0) return 1.0;
  if (x >= 1.0) return 0.0;
  x *= kPi;
  // float32 in Pillow too.
  return std::sin(x) / x * (static_cast<double>(0.54f) + static_cast<double>(0.46f) * std::cos(x));
}

/// Cubic convolution with a = -0.5. Pillow multiplies by it in another order, which changes no bit of a power of two.
double bicubic(double x) { return torch_cubic(x, -0.5); }

/// A row of filters.def.
struct Kind {
  double (*curve)(double);
  double support;
  int taps;
  bool keeps_corners;
};

constexpr Kind kKinds[] = {
#define FILTER(name, code, ...) {__VA_ARGS__},
#include "resize/filters.def"
#undef FILTER
};

const Kind& kind_of(Filter filter) { return kKinds[static_cast<int>(filter)]; }

/// Makes the taps of one pixel after the other.
class Sampler {
 public:
  explicit Sampler(const ResizeAxis& axis) : axis_(axis) {}

  /// Makes the taps of pixel `i`; their weights go to `weights`.
  Taps taps_of(int i, double* weights) {
    // torch's nearest filters: the place rounded to float32 as each kernel does, then cut.
    if (axis_.filter == Filter::kTorchNearest)
      return single_tap(std::floor(static_cast<double>(static_cast<float>(i) * step())), weights);
    if (axis_.filter == Filter::kTorchNearestExact)
      return single_tap(std::floor(static_cast<double>(static_cast<float>(step() * (i + 0.5)))), weights);
    if (axis_.filter == Filter::kTorchNearestExactFused)
      return single_tap(std::floor(static_cast<double>(static_cast<float>(step() * (i + 0.5) - 0.5) + 0.5f)), weights);
    // torch without antialiasing has 2 or 4 taps, however much the picture shrinks.
    if (kind_.taps == 2) return point<2>(i, weights);
    if (kind_.taps == 4) return point<4>(i, weights);
    return antialiased(i, weights);
  }

  /// Makes the taps of Pillow's nearest filter for pixels `first` to `first + count`. Pillow adds the step again and
  /// again, so each place depends on all before it.
  void nearest(int first, int count, Taps* taps) const {
    double at = axis_.from + scale_ * 0.5;
    for (int i = 0; i < first + count; ++i, at += scale_) {
      const auto pixel = static_cast<std::int32_t>(at);
      // The sum may end one pixel behind the source. Pillow leaves 0 there.
      if (i >= first) taps[i - first] = {pixel, pixel < axis_.extent ? 1 : 0, 0, 0};
    }
  }

  /// The largest weight so far.
  double peak() const { return peak_; }

 private:
  float step() const { return static_cast<float>(axis_.extent) / static_cast<float>(axis_.size); }

  /// Makes a single tap of weight 1.
  Taps single_tap(double at, double* weights) {
    weights[0] = peak_ = 1.0;
    return {static_cast<std::int32_t>(std::min(at, axis_.extent - 1.0)), 1, 0, 0};
  }

  /// Makes the taps of Pillow's filters, and of torch's with antialiasing: the filter around the pixel's center, as
  /// many times wider as the picture shrinks, its weights divided by their sum.
  Taps antialiased(int i, double* weights) {
    const double stretch = std::max(scale_, 1.0), reach = kind_.support * stretch, inverse = 1.0 / stretch;
    const double center = axis_.from + (i + 0.5) * scale_;
    const int first = std::max(0, static_cast<int>(center - reach + 0.5));
    const int end = std::min(axis_.extent, static_cast<int>(center + reach + 0.5));
    const int count = std::max(0, end - first);
    double sum = 0.0;
    for (int j = 0; j < count; ++j) sum += weights[j] = kind_.curve((first + j - center + 0.5) * inverse);
    if (sum != 0.0) {
      for (int j = 0; j < count; ++j) peak_ = std::max(peak_, weights[j] /= sum);
    }
    return {first, count, 0, 0};
  }

  /// Makes the taps of torch's filters without antialiasing: kTaps pixels around a point of the source. Taps beyond an
  /// edge add their weight to the pixel at the edge. As in torch, the peak counts each sum on the way.
  template <int kTaps>
  Taps point(int i, double* weights) {
    double center = scale_ * (i + 0.5) - 0.5;
    if (kind_.keeps_corners) center = axis_.size == 1 ? 0.0 : (axis_.extent - 1.0) / (axis_.size - 1.0) * i;
    if (kTaps == 2 && center < 0.0) center = 0.0;
    const int floor = std::min(static_cast<int>(std::floor(static_cast<float>(center))), axis_.extent - 1);
    const double fraction = std::clamp(center - floor, 0.0, 1.0);
    const int begin = floor + 1 - kTaps / 2;
    const int first = std::max(begin, 0), count = std::min(floor + 1 + kTaps / 2, axis_.extent) - first;
    std::fill_n(weights, count, 0.0);
    for (int j = 0; j < kTaps; ++j) {
      const double x = j + 1 - kTaps / 2 - fraction;
      double& weight = weights[std::clamp(begin + j, first, first + count - 1) - first];
      weight += kTaps == 2 ? bilinear(x) : torch_cubic(x, -0.75);
      peak_ = std::max(peak_, weight);
    }
    return {first, count, 0, 0};
  }

  const ResizeAxis& axis_;
  const Kind& kind_ = kind_of(axis_.filter);
  double scale_ = static_cast<double>(static_cast<float>(axis_.to - axis_.from)) / axis_.size;
  double peak_ = 0.0;
};

/// Makes a whole number of a weight, with `precision` bits behind the point: to nearest, halves away from 0.
std::int32_t whole(double weight, int precision) {
  const double scaled = weight * static_cast<double>(1 << precision);
  return static_cast<std::int32_t>(scaled + (weight < 0.0 ? -0.5 : 0.5));
}

/// The most bits behind the point with which the largest weight fits into 16 bits.
int torch_precision(double peak) {
  int precision = 0;
  while (precision < kPillowPrecision && whole(peak, precision + 1) < 1 << 15) ++precision;
  return precision;
}

/// The high part of a weight: the weight divided by 2^shift, rounded to nearest.
std::int32_t high_part(std::int32_t weight, int shift) { return (weight + (1 << shift >> 1)) >> shift; }

/// Sets how Pillow's weights of one pixel are split: the least `shift` with which high parts have 16 bits, and by
/// `half` and `doubt` the least and the range of what the low parts can add to a sum.
void split(const double* weights, Taps& taps) {
  const auto weight_at = [&](int i) { return whole(weights[i], kPillowPrecision); };
  // No filter has a negative weight as large as its largest.
  std::int32_t peak = 0;
  for (int i = 0; i < taps.count; ++i) peak = std::max(peak, weight_at(i));
  int shift = 0;
  while ((peak + (1 << shift >> 1)) >> shift >= 1 << 15) ++shift;
  std::int64_t least = 1 << kPillowPrecision >> 1, most = least;
  for (int i = 0; i < taps.count; ++i) {
    const std::int32_t low = weight_at(i) - high_part(weight_at(i), shift) * (1 << shift);
    (low < 0 ? least : most) += 255 * low;
  }
  taps.half = static_cast<std::int32_t>(least >> shift);
  taps.shift = shift;
  taps.doubt = static_cast<std::int32_t>((most >> shift) - (least >> shift));
}

/// Sets how the weights of all pixels are split. Sums of both parts at once are faster where sums of the high parts
/// would too often be in doubt. The bound compares instructions: for 16 sums, 26 a pair of taps against 17, and 17 more
/// for the doubt. Shrinking 5 to 18 times takes 0.87 to 0.95 of the time of both parts.
void split_all(const double* weights, Taps* taps, int count) {
  double doubts = 0.0, pairs = 0.0;
  for (int i = 0; i < count; ++i) {
    split(weights + taps[i].weights, taps[i]);
    doubts += 16.0 * taps[i].doubt / (1 << (kPillowPrecision - taps[i].shift)) / count;
    pairs += 0.5 * taps[i].count / count;
  }
  if (doubts * (26.0 * pairs + 30.0) < 9.0 * pairs - 17.0) return;
  for (int i = 0; i < count; ++i) {
    taps[i].half = 1 << kPillowPrecision >> 1;
    taps[i].shift = kPlainShift;
    taps[i].doubt = -1;
  }
}

/// Writes the words of the weights of one pixel. Returns the place behind them. The words may replace weights from the
/// first one on: they have at most as many bytes.
std::uint8_t* write_words(Sums sums, int precision, const double* weights, const Taps& taps, std::uint8_t* words) {
  const auto weight_at = [&](int i) { return i < taps.count ? whole(weights[i], precision) : 0; };
  const auto put = [&](std::int32_t a, std::int32_t b) {
    const std::uint32_t word = (static_cast<std::uint32_t>(a) & 0xffff) | static_cast<std::uint32_t>(b) << 16;
    std::memcpy(words, &word, 4);
    words += 4;
  };
  for (int i = 0; i < taps.count; i += 2) {
    const std::int32_t a = weight_at(i), b = weight_at(i + 1);
    if (sums == Sums::kTorch) {
      put(a, b);
    } else {
      const std::int32_t high_a = high_part(a, taps.shift), high_b = high_part(b, taps.shift);
      put(high_a, high_b);
      put(a - high_a * (1 << taps.shift), b - high_b * (1 << taps.shift));
    }
  }
  return words;
}

}  // namespace

int most_taps(const ResizeAxis& axis) {
  if (kind_of(axis.filter).taps > 0) return kind_of(axis.filter).taps;
  const double reach = kind_of(axis.filter).support * std::max(1.0, (axis.to - axis.from) / axis.size);
  // Both ends are rounded, and the extent is a float32 number.
  return std::min(axis.extent, 2 * static_cast<int>(std::ceil(reach)) + 3);
}

std::size_t table_bytes(const ResizeAxis& axis, int count) {
  // Doubles, and those of one pixel more. Words replace them.
  const auto pixels = static_cast<std::size_t>(count), taps = static_cast<std::size_t>(most_taps(axis));
  return sizeof(TapTable) + pixels * sizeof(Taps) + (pixels + 1) * taps * sizeof(double);
}

int make_taps(const ResizeAxis& axis, Sums sums, int first, int count, int precision, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, sums, kind_of(axis.filter).taps == 1, 0};
  auto* taps = reinterpret_cast<Taps*>(table + 1);
  Sampler sampler(axis);
  if (axis.filter == Filter::kNearest) {
    sampler.nearest(first, count, taps);
    return 0;
  }
  auto* words = reinterpret_cast<std::uint8_t*>(taps + count);
  auto* weights = reinterpret_cast<double*>(words);
  std::int32_t next = 0;
  for (int i = 0; i < count; ++i) {
    taps[i] = sampler.taps_of(first + i, weights + next);
    taps[i].weights = next;
    next += taps[i].count;
  }
  if (table->is_nearest || sums == Sums::kDouble) return 0;
  if (sums == Sums::kPillow) precision = kPillowPrecision;
  // The precision is that of the whole axis: the first table makes the weights of all pixels for their peak.
  if (precision < 0) {
    for (int i = 0; i < axis.size && count < axis.size; ++i) sampler.taps_of(i, weights + next);
    precision = torch_precision(sampler.peak());
  }
  for (int i = 0; i < count; ++i) taps[i].half = 1 << precision >> 1;
  if (sums == Sums::kPillow) split_all(weights, taps, count);
  // Words take the place of the doubles.
  std::uint8_t* word = words;
  for (int i = 0; i < count; ++i) {
    const double* from = weights + taps[i].weights;
    taps[i].weights = static_cast<std::int32_t>((word - words) / 4);
    word = write_words(sums, precision, from, taps[i], word);
  }
  table->precision = static_cast<std::uint32_t>(precision);
  return precision;
}

}  // namespace layout
