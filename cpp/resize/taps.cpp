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

/// A box: 1 within half a pixel, otherwise 0.
double box(double x) { return -0.5 < x && x <= 0.5 ? 1.0 : 0.0; }

/// A sinc under a Hamming window (0.54 + 0.46 cos), 0 from a distance of 1 on.
double hamming(double x) {
  x = std::fabs(x);
  if (x == 0.0) return 1.0;
  if (x >= 1.0) return 0.0;
  x *= kPi;
  // The two factors are float32 constants in Pillow.
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

/// Finds which pixels of the source each pixel of the result is made of, and with which weights of double.
class Sampler {
 public:
  explicit Sampler(const ResizeAxis& axis) : axis_(axis) {}

  /// Finds the taps of pixel `i` of the result, as `first` and `count` of an entry, and writes their weights to
  /// `weights`. Not for Pillow's nearest filter. Raises `peak_` to the largest weight.
  Taps find_taps(int i, double* weights) {
    // torch's nearest filters: the place rounded to float32 as each kernel does, then cut.
    if (axis_.filter == Filter::kTorchNearest)
      return single_tap(std::floor(static_cast<double>(static_cast<float>(i) * step())), weights);
    if (axis_.filter == Filter::kTorchNearestExact)
      return single_tap(std::floor(static_cast<double>(static_cast<float>(step() * (i + 0.5)))), weights);
    if (axis_.filter == Filter::kTorchNearestExactFused)
      return single_tap(std::floor(static_cast<double>(static_cast<float>(step() * (i + 0.5) - 0.5) + 0.5f)), weights);
    // torch without antialiasing has 2 or 4 taps, however much the picture shrinks.
    if (kind_.taps == 2) return find_around_point<2>(i, weights);
    if (kind_.taps == 4) return find_around_point<4>(i, weights);
    return find_antialiased(i, weights);
  }

  /// Finds the taps of Pillow's nearest filter for pixels `first` to `first + count` of the result. Pillow adds the
  /// step again and again in double, so each place depends on all before it.
  void find_nearest(int first, int count, Taps* taps) const {
    double at = axis_.from + scale_ * 0.5;
    for (int i = 0; i < first + count; ++i, at += scale_) {
      const auto pixel = static_cast<std::int32_t>(at);
      // The sum may end one pixel past the source. Pillow leaves 0 there.
      if (i >= first) taps[i - first] = {pixel, pixel < axis_.extent ? 1 : 0, 0, 0};
    }
  }

  /// The largest weight of all taps found so far.
  double peak() const { return peak_; }

 private:
  /// Pixels of the source for one of the result, in float32 as torch's nearest kernels have it.
  float step() const { return static_cast<float>(axis_.extent) / static_cast<float>(axis_.size); }

  /// Makes a single tap of weight 1, which `peak_` then is: the pixel at the whole number `at`, but at most the
  /// source's last.
  Taps single_tap(double at, double* weights) {
    weights[0] = peak_ = 1.0;
    return {static_cast<std::int32_t>(std::min(at, axis_.extent - 1.0)), 1, 0, 0};
  }

  /// Finds the taps of Pillow's filters, and of torch's with antialiasing. The filter's curve lies around the place on
  /// the source of the middle of pixel `i`, as many times wider as the picture shrinks. Its weights are divided by
  /// their sum.
  Taps find_antialiased(int i, double* weights) {
    const double stretch = std::max(scale_, 1.0), reach = kind_.support * stretch, inverse = 1.0 / stretch;
    const double center = axis_.from + (i + 0.5) * scale_;
    const int first = std::max(0, static_cast<int>(center - reach + 0.5));
    const int end = std::min(axis_.extent, static_cast<int>(center + reach + 0.5));
    const int count = std::max(0, end - first);
    double sum = 0.0;
    for (int j = 0; j < count; ++j) sum += weights[j] = kind_.curve((first + j - center + 0.5) * inverse);
    if (sum != 0.0) {  // Pillow's condition; 0 without taps
      for (int j = 0; j < count; ++j) peak_ = std::max(peak_, weights[j] /= sum);
    }
    return {first, count, 0, 0};
  }

  /// Finds the taps of torch's filters without antialiasing: kTaps pixels around a place on the source, between two
  /// pixels. Taps beyond an edge add their weight to the pixel at the edge. As in torch, the peak counts each sum on
  /// the way.
  template <int kTaps>
  Taps find_around_point(int i, double* weights) {
    // In pixels of the source: 0 is the middle of its first pixel. Bilinear has no places before it; cubic has.
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

/// Rounds a weight to a whole number with `precision` fraction bits: to nearest, halves away from 0.
std::int32_t whole(double weight, int precision) {
  const double scaled = weight * static_cast<double>(1 << precision);
  return static_cast<std::int32_t>(scaled + (weight < 0.0 ? -0.5 : 0.5));
}

/// Finds torch's precision: the most fraction bits, up to 22, with which the largest weight of an axis (`peak`)
/// is below 2^15, so that it fits into 16 bits with a sign.
int torch_precision(double peak) {
  int precision = 0;
  while (precision < kPillowPrecision && whole(peak, precision + 1) < 1 << 15) ++precision;
  return precision;
}

/// The high part of a weight: the weight divided by 2^shift, rounded to nearest.
std::int32_t high_part(std::int32_t weight, int shift) { return (weight + (1 << shift >> 1)) >> shift; }

/// Sets how Pillow's weights of one entry are split: `shift`, the fewest low bits with which all high parts fit into 16
/// bits with a sign. `half` becomes the least that the low parts and the half unit add to a sum for any bytes, and
/// `doubt` how much larger they can be; both in units of 2^shift.
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
    (low < 0 ? least : most) += 255 * low;  // a byte is at most 255
  }
  taps.half = static_cast<std::int32_t>(least >> shift);
  taps.shift = shift;
  taps.doubt = static_cast<std::int32_t>((most >> shift) - (least >> shift));
}

/// Sets how Pillow's weights of all `count` entries are split: as split does, or at kPlainShift with a `doubt` of -1,
/// where sums of the high parts alone would be in doubt too often. Shrinking 5 to 18 times takes 0.87 to 0.95 of the
/// time of summing both parts.
void split_all(const double* weights, Taps* taps, int count) {
  // On average: how many of 16 sums are in doubt, and pairs of taps. A fraction is in doubt with probability doubt /
  // 2^p where sums of high parts have p fraction bits.
  double doubts = 0.0, pairs = 0.0;
  for (int i = 0; i < count; ++i) {
    split(weights + taps[i].weights, taps[i]);
    doubts += 16.0 * taps[i].doubt / (1 << (kPillowPrecision - taps[i].shift)) / count;
    pairs += 0.5 * taps[i].count / count;
  }
  // Counts instructions for 16 sums: both parts take 26 a pair, high parts 17 and once 17 for the check. So high parts
  // save 9 a pair less 17, and a sum in doubt costs 26 a pair and about 30.
  if (doubts * (26.0 * pairs + 30.0) < 9.0 * pairs - 17.0) return;
  for (int i = 0; i < count; ++i) {
    taps[i].half = 1 << kPillowPrecision >> 1;
    taps[i].shift = kPlainShift;
    taps[i].doubt = -1;
  }
}

/// Writes the weights of one entry to `words`, as whole numbers with `precision` fraction bits: for each pair
/// of taps a word, or Pillow's two. Returns the place after the words. They may lie where the entry's `weights` do,
/// since they have no more bytes.
std::uint8_t* write_words(Sums sums, int precision, const double* weights, const Taps& taps, std::uint8_t* words) {
  // An odd last tap has a 0 beside it.
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
  // Weights are doubles at first, those of one pixel more while make_taps looks for the peak. Words replace them.
  const auto pixels = static_cast<std::size_t>(count), taps = static_cast<std::size_t>(most_taps(axis));
  return sizeof(TapTable) + pixels * sizeof(Taps) + (pixels + 1) * taps * sizeof(double);
}

int make_taps(const ResizeAxis& axis, Sums sums, int first, int count, int precision, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, sums, kind_of(axis.filter).taps == 1, 0};
  auto* taps = reinterpret_cast<Taps*>(table + 1);
  Sampler sampler(axis);
  if (axis.filter == Filter::kNearest) {
    sampler.find_nearest(first, count, taps);
    return 0;
  }
  auto* words = reinterpret_cast<std::uint8_t*>(taps + count);
  auto* weights = reinterpret_cast<double*>(words);
  std::int32_t next = 0;
  for (int i = 0; i < count; ++i) {
    taps[i] = sampler.find_taps(first + i, weights + next);
    taps[i].weights = next;
    next += taps[i].count;
  }
  if (table->is_nearest || sums == Sums::kDouble) return 0;
  if (sums == Sums::kPillow) precision = kPillowPrecision;
  // torch's precision is that of the whole axis. An axis' first table, unless it has all pixels, makes the weights of
  // all of them for their peak, each pixel's in the same memory after its own.
  if (precision < 0) {
    for (int i = 0; i < axis.size && count < axis.size; ++i) sampler.find_taps(i, weights + next);
    precision = torch_precision(sampler.peak());
  }
  for (int i = 0; i < count; ++i) taps[i].half = 1 << precision >> 1;
  if (sums == Sums::kPillow) split_all(weights, taps, count);
  // Words take the place of the doubles, which are read before. `weights` of an entry becomes an index of words.
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
