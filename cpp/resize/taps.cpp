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

/// A row of filters.def: a curve and the distance from which on it is 0, or a number of taps, otherwise 0.
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
    if (kind_.taps == 1) return single_tap(std::floor(torch_nearest_place(i)), weights);
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
  /// The place on the source of pixel `i` of the result, rounded to float32 where the torch kernel of this nearest
  /// filter does. Cut to a whole number, it is the pixel that is copied.
  double torch_nearest_place(int i) const {
    const float step = static_cast<float>(axis_.extent) / static_cast<float>(axis_.size);  // on the source
    if (axis_.filter == Filter::kTorchNearest) return static_cast<double>(static_cast<float>(i) * step);
    const double middle = step * (i + 0.5);
    if (axis_.filter == Filter::kTorchNearestExact) return static_cast<double>(static_cast<float>(middle));
    // kTorchNearestExactFused subtracts the half before it rounds, and adds it after.
    return static_cast<double>(static_cast<float>(middle - 0.5) + 0.5f);
  }

  /// Makes a single tap of weight 1, which `peak_` then is: pixel `pixel`, but at most the source's last.
  Taps single_tap(double pixel, double* weights) {
    weights[0] = peak_ = 1.0;
    return {static_cast<std::int32_t>(std::min(pixel, axis_.extent - 1.0)), 1, 0, 0};
  }

  /// Finds the taps of Pillow's filters, and of torch's with antialiasing. The filter's curve lies around the place on
  /// the source of the middle of pixel `i`, as many times wider as the picture shrinks. Its weights are divided by
  /// their sum.
  Taps find_antialiased(int i, double* weights) {
    const double stretch = std::max(scale_, 1.0), inverse = 1.0 / stretch;
    const double center = axis_.from + (i + 0.5) * scale_, reach = kind_.support * stretch;
    const int first = std::max(0, static_cast<int>(center - reach + 0.5));
    const int end = std::min(axis_.extent, static_cast<int>(center + reach + 0.5));
    const int count = std::max(0, end - first);
    double sum = 0.0;
    for (int j = 0; j < count; ++j) {
      const double distance = first + j - center + 0.5;
      weights[j] = kind_.curve(distance * inverse);
      sum += weights[j];
    }
    if (sum != 0.0) {  // Pillow's condition; 0 without taps
      for (int j = 0; j < count; ++j) {
        weights[j] /= sum;
        peak_ = std::max(peak_, weights[j]);
      }
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
    // The place lies `fraction` of the way from pixel `before` to the next one. Half of the taps lie on each side.
    const int before = std::min(static_cast<int>(std::floor(static_cast<float>(center))), axis_.extent - 1);
    const double fraction = std::clamp(center - before, 0.0, 1.0);
    const int begin = before + 1 - kTaps / 2;
    const int first = std::max(begin, 0), end = std::min(begin + kTaps, axis_.extent);
    std::fill_n(weights, end - first, 0.0);
    for (int pixel = begin; pixel < begin + kTaps; ++pixel) {
      const double distance = pixel - before - fraction;
      double& weight = weights[std::clamp(pixel, first, end - 1) - first];
      weight += kTaps == 2 ? bilinear(distance) : torch_cubic(distance, -0.75);
      peak_ = std::max(peak_, weight);
    }
    return {first, end - first, 0, 0};
  }

  const ResizeAxis& axis_;
  const Kind& kind_ = kind_of(axis_.filter);
  double scale_ = static_cast<double>(static_cast<float>(axis_.to - axis_.from)) / axis_.size;
  double peak_ = 0.0;
};

/// Rounds a weight to a fixed-point number with `precision` fraction bits: to nearest, halves away from 0.
std::int32_t to_fixed_point(double weight, int precision) {
  const double scaled = weight * static_cast<double>(1 << precision);
  return static_cast<std::int32_t>(scaled + (weight < 0.0 ? -0.5 : 0.5));
}

/// Finds torch's precision: the most fraction bits, up to 22, with which the largest weight of an axis (`peak`)
/// is below 2^15, so that it fits into 16 bits with a sign.
int torch_precision(double peak) {
  int precision = 0;
  while (precision < kPillowPrecision && to_fixed_point(peak, precision + 1) < 1 << 15) ++precision;
  return precision;
}

/// The high part of a weight: the weight divided by 2^shift, rounded to nearest.
std::int32_t high_part(std::int32_t weight, int shift) {
  const std::int32_t half = (1 << shift) / 2;
  return (weight + half) >> shift;
}

/// The low part of a weight: the rest that its high part, times 2^shift, leaves. Negative where that was rounded up.
std::int32_t low_part(std::int32_t weight, int shift) { return weight - high_part(weight, shift) * (1 << shift); }

/// Half a unit of the result, with which the sums of weights of `precision` fraction bits begin, so that they round.
std::int32_t half_unit(int precision) { return (1 << precision) / 2; }

/// Sets how Pillow's weights of one entry are split: `shift`, the fewest low bits with which all high parts fit into 16
/// bits with a sign. `half` becomes the least that the low parts and the half unit add to a sum for any bytes, and
/// `doubt` how much larger they can be; both in units of 2^shift.
void split(const double* weights, Taps& taps) {
  const auto weight_at = [&](int i) { return to_fixed_point(weights[i], kPillowPrecision); };
  // No filter has a negative weight as large as its largest.
  std::int32_t peak = 0;
  for (int i = 0; i < taps.count; ++i) peak = std::max(peak, weight_at(i));
  int shift = 0;
  while (high_part(peak, shift) >= 1 << 15) ++shift;
  // Bytes of 255 where low parts are negative, and of 0 elsewhere, give the least; the other way round, the most.
  constexpr std::int64_t kMostByte = 255;
  std::int64_t least = half_unit(kPillowPrecision), most = least;
  for (int i = 0; i < taps.count; ++i) {
    const std::int32_t low = low_part(weight_at(i), shift);
    if (low < 0) {
      least += kMostByte * low;
    } else {
      most += kMostByte * low;
    }
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
  // Instructions, counted: for 16 sums of a pair of taps, and once for the check and for what is summed again.
  constexpr double kBothParts = 26.0, kHighParts = 17.0, kCheck = 17.0, kAgain = 30.0;
  const double saved = (kBothParts - kHighParts) * pairs - kCheck;
  const double added = doubts * (kBothParts * pairs + kAgain);
  if (added < saved) return;
  for (int i = 0; i < count; ++i) {
    taps[i].half = half_unit(kPillowPrecision);
    taps[i].shift = kPlainShift;
    taps[i].doubt = -1;
  }
}

/// Writes the weights of one entry to `words`, as fixed-point numbers with `precision` fraction bits: for each pair
/// of taps a word, or Pillow's two. Returns the place after the words. They may lie where the entry's `weights` do,
/// since they have no more bytes.
std::uint8_t* write_words(Sums sums, int precision, const double* weights, const Taps& taps, std::uint8_t* words) {
  // An odd last tap has a 0 beside it.
  const auto weight_at = [&](int i) { return i < taps.count ? to_fixed_point(weights[i], precision) : 0; };
  const auto put_word = [&](std::int32_t first, std::int32_t second) {
    const std::uint32_t word = (static_cast<std::uint32_t>(first) & 0xffff) | static_cast<std::uint32_t>(second) << 16;
    std::memcpy(words, &word, 4);
    words += 4;
  };
  for (int i = 0; i < taps.count; i += 2) {
    const std::int32_t a = weight_at(i), b = weight_at(i + 1);
    if (sums == Sums::kTorch) {
      put_word(a, b);
    } else {
      put_word(high_part(a, taps.shift), high_part(b, taps.shift));
      put_word(low_part(a, taps.shift), low_part(b, taps.shift));
    }
  }
  return words;
}

/// Writes the words of all `count` entries in the place of their weights, which are read before. `weights` of an entry
/// becomes an index of words.
void replace_by_words(Sums sums, int precision, double* weights, Taps* taps, int count) {
  auto* words = reinterpret_cast<std::uint8_t*>(weights);
  std::uint8_t* next_word = words;
  for (int i = 0; i < count; ++i) {
    const double* entry_weights = weights + taps[i].weights;
    taps[i].weights = static_cast<std::int32_t>((next_word - words) / 4);
    next_word = write_words(sums, precision, entry_weights, taps[i], next_word);
  }
}

}  // namespace

int max_taps(const ResizeAxis& axis) {
  const Kind& kind = kind_of(axis.filter);
  if (kind.taps > 0) return kind.taps;
  const double stretch = std::max(1.0, (axis.to - axis.from) / axis.size), reach = kind.support * stretch;
  // Both ends are rounded, and the extent is a float32 number.
  return std::min(axis.extent, 2 * static_cast<int>(std::ceil(reach)) + 3);
}

std::size_t table_bytes(const ResizeAxis& axis, int count) {
  // Weights are doubles at first, those of one pixel more while make_taps looks for the peak. Words replace them.
  const auto pixels = static_cast<std::size_t>(count), taps = static_cast<std::size_t>(max_taps(axis));
  return sizeof(TapTable) + pixels * sizeof(Taps) + (pixels + 1) * taps * sizeof(double);
}

/// Finds all taps with weights of double, which fixed-point words then replace where the sums need these.
int make_taps(const ResizeAxis& axis, Sums sums, int first, int count, int precision, std::uint8_t* at) {
  auto* table = reinterpret_cast<TapTable*>(at);
  *table = {count, sums, kind_of(axis.filter).taps == 1, 0};
  auto* taps = reinterpret_cast<Taps*>(table + 1);
  Sampler sampler(axis);
  if (axis.filter == Filter::kNearest) {
    sampler.find_nearest(first, count, taps);
    return 0;
  }
  auto* weights = reinterpret_cast<double*>(taps + count);
  std::int32_t weight_count = 0;
  for (int i = 0; i < count; ++i) {
    taps[i] = sampler.find_taps(first + i, weights + weight_count);
    taps[i].weights = weight_count;
    weight_count += taps[i].count;
  }
  if (table->is_nearest || sums == Sums::kDouble) return 0;
  if (sums == Sums::kPillow) precision = kPillowPrecision;
  // torch's precision is that of the whole axis. An axis' first table, unless it has all pixels, makes the weights of
  // all of them for their peak, each pixel's in the same memory after its own.
  if (precision < 0) {
    const bool has_all_pixels = count >= axis.size;
    for (int i = 0; i < axis.size && !has_all_pixels; ++i) sampler.find_taps(i, weights + weight_count);
    precision = torch_precision(sampler.peak());
  }
  for (int i = 0; i < count; ++i) taps[i].half = half_unit(precision);
  if (sums == Sums::kPillow) split_all(weights, taps, count);
  replace_by_words(sums, precision, weights, taps, count);
  table->precision = static_cast<std::uint32_t>(precision);
  return precision;
}

}  // namespace layout
