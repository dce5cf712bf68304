// audio/tables.h says what these functions do.

#include "audio/tables.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "audio/energies.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

constexpr double kPi = 3.14159265358979323846;

double narrow(double x) { return static_cast<double>(static_cast<float>(x)); }

/// NumPy's cos of float32: a multiple of pi/2 is taken off in three parts, then a polynomial, all with fused products.
double numpy_cos32(double x) {
  const auto fused = [](double a, double b, double c) { return fused_float32(splat(a), splat(b), splat(c))[0]; };
  const double round = 1.5 * (1 << 23);                             // a sum with it is rounded to a whole number
  const double k = narrow(fused(x, 0x1.45f306p-1, round) - round);  // x / (pi / 2)
  for (const double part : {-0x1.921fb0p+0, -0x1.5110b4p-22, -0x1.846988p-48}) x = fused(k, part, x);
  const double y = narrow(x * x);
  double c = 0x1.98e616p-16, s = 0x1.7d3bbcp-19;
  for (const double term : {-0x1.6c06dcp-10, 0x1.55553cp-5, -0x1p-1, 0x1p+0}) c = fused(c, y, term);
  for (const double term : {-0x1.a06bbap-13, 0x1.11119ap-7, -0x1.555556p-3, 0.0}) s = fused(s, y, term);
  s = fused(s, x, x);
  switch (static_cast<int>(k) & 3) {
    case 0:
      return c;
    case 1:
      return -s;
    case 2:
      return -c;
    default:
      return s;
  }
}

bool is_torch(Window kind) { return kind >= Window::kTorchHann && kind <= Window::kTorchHammingWide; }

/// Number i of torch's window of a period: a + (a - 1) cos(2 pi i / period), in float32 steps unless it is wide.
double torch_window_at(Window kind, int period, int i) {
  const bool wide = kind == Window::kTorchHannWide || kind == Window::kTorchHammingWide;
  const auto step = [&](double x) { return wide ? x : narrow(x); };
  const bool hamming = kind == Window::kTorchHamming || kind == Window::kTorchHammingWide;
  const double a = hamming ? 0.54 : 0.5;
  const double angle = step(i * step(2 * kPi / period));
  const double value = step(step(step(cosine(angle)) * step(a - 1)) + step(a));
  return kind == Window::kTorchPovey ? narrow(power(value, 0.85)) : value;
}

double window_at(Window kind, int points, int i) {  // a + (1 - a) cos(x) with x from -pi to pi, as NumPy has it
  const double cosine_at = cosine(kPi * (2 * i + 1 - points) / (points - 1));
  const bool hamming = kind == Window::kHamming;
  const double value = (hamming ? 0.54 : 0.5) + (hamming ? 0.46 : 0.5) * cosine_at;
  return kind == Window::kPovey ? power(value, 0.85) : value;
}

/// Point i of np.linspace(first, last, count).
double line(double first, double last, int count, int i) {
  return i == count - 1 ? last : i * ((last - first) / (count - 1)) + first;
}

/// Point i of torch.linspace(first, last, count) as torchaudio's banks have it, in float32 steps.
double narrow_line(double first, double last, int count, int i) {
  return narrow(narrow(i * narrow((last - first) / (count - 1))) + narrow(first));
}

/// The weight of a triangle at a bin: it rises from 0 at edge 0 to 1 at edge 1, and falls to 0 at edge 2.
double triangle(double bin, const double* edges) {
  const double up = -(edges[0] - bin) / (edges[1] - edges[0]);
  const double down = (edges[2] - bin) / (edges[2] - edges[1]);
  return std::max(0.0, std::min(up, down));
}

double narrow_triangle(double bin, const double* edges) {  // does `triangle` in float32 steps
  const double up = narrow(-narrow(edges[0] - bin) / narrow(edges[1] - edges[0]));
  const double down = narrow(narrow(edges[2] - bin) / narrow(edges[2] - edges[1]));
  return std::max(0.0, std::min(up, down));
}

/// Edge i of a bank's triangles, in hertz, or in mels where it is `in_mel_space`. Edges lie evenly on the mel scale.
double edge_at(const Bank& bank, int i) {
  const int count = bank.filters + 2;
  const double low = hertz_to_mel(bank.scale, bank.low), high = hertz_to_mel(bank.scale, bank.high);
  switch (bank.kind) {
    case BankKind::kTorchaudio: {
      const double mel = narrow_line(low, high, count, i);
      return narrow(700 * narrow(narrow(power(10, narrow(mel / 2595))) - 1));
    }
    case BankKind::kAudioUtils:
    case BankKind::kGemma3n:
    case BankKind::kLasr:
    case BankKind::kTorchaudioKaldi:
    case BankKind::kChroma:
      break;
  }
  const double mel = line(low, high, count, i);
  return bank.in_mel_space ? mel : mel_to_hertz(bank.scale, mel);
}

/// Where bin k of a bank lies: its frequency in hertz or in mels, as edge_at, by the steps of the bank's library.
double bin_at(const Bank& bank, int k) {
  switch (bank.kind) {
    case BankKind::kAudioUtils:
      if (bank.in_mel_space) return hertz_to_mel(bank.scale, bank.rate / ((bank.bins - 1) * 2) * k);
      return line(0, std::floor(bank.rate / 2), bank.bins, k);
    case BankKind::kTorchaudio:
      return narrow_line(0, std::floor(bank.rate / 2), bank.bins, k);
    case BankKind::kTorchaudioKaldi: {
      const double hertz = narrow(narrow(bank.rate / ((bank.bins - 1) * 2)) * k);
      return narrow(1127 * narrow(natural_log(narrow(1 + narrow(hertz / 700)))));
    }
    case BankKind::kGemma3n:
      return narrow(k * narrow(bank.rate / ((bank.bins - 1) * 2)));
    case BankKind::kLasr:
      return hertz_to_mel(bank.scale, line(0, bank.rate / 2, bank.bins, k));
    case BankKind::kChroma:
      break;
  }
  return 0;
}

/// The weight of a Kaldi filter at `mel` mels, in torchaudio's float32 steps. Edge n lies n times `delta` above `low`.
double kaldi_weight(const Bank& bank, double mel, int filter) {
  const double low = hertz_to_mel(MelScale::kKaldi, bank.low), high = hertz_to_mel(MelScale::kKaldi, bank.high);
  const double delta = narrow((high - low) / (bank.filters + 1));
  double edges[3];
  for (int i = 0; i < 3; ++i) edges[i] = narrow(narrow(low) + narrow((filter + i) * delta));
  const double up = narrow(narrow(mel - edges[0]) / narrow(edges[1] - edges[0]));
  const double down = narrow(narrow(edges[2] - mel) / narrow(edges[2] - edges[1]));
  return std::max(0.0, std::min(up, down));
}

/// exp of moderate numbers, within some ulps: exp(x / 1024) by its series, squared ten times.
double quick_exp(double x) {
  const double part = x / 1024;
  double sum = 1;
  for (int k = 8; k > 0; --k) sum = 1 + sum * part / k;
  for (int i = 0; i < 10; ++i) sum *= sum;
  return x < -700 ? 0 : sum;
}

/// Writes transformers' chroma_filter_bank with its defaults, [bins, filters]. `octaves`: scratch of bins + 1 numbers.
void make_chroma(const Bank& bank, double* octaves, double* to) {
  const int n = 2 * (bank.bins - 1), chroma = bank.filters;
  for (int k = 1; k <= bank.bins; ++k) octaves[k] = chroma * binary_log(k * (bank.rate / n) / (440.0 / 16));
  octaves[0] = octaves[1] - 1.5 * chroma;  // bin 0, whose logarithm would be infinite, lies 1.5 octaves below bin 1
  const double half = std::nearbyint(chroma / 2.0);
  const int roll = 3 * (chroma / 12);  // the first row is C, three semitones above A
  for (int k = 0; k < bank.bins; ++k) {
    const double width = std::max(octaves[k + 1] - octaves[k], 1.0);
    double* row = to + k * chroma;
    double squares = 0;
    for (int c = 0; c < chroma; ++c) {
      const double x = octaves[k] - c + half + 10 * chroma;         // 10 octaves up, as in librosa: above 0
      const double d = x - std::floor(x / chroma) * chroma - half;  // the distance from pitch c, within an octave
      const double f = quick_exp(-0.5 * (2 * d / width) * (2 * d / width));  // a Gaussian around the bin
      squares += f * f;
      row[(c + chroma - roll) % chroma] = f;
    }
    const double far = (octaves[k] / chroma - 5) / 2, weight = quick_exp(-0.5 * far * far);  // around octave 5
    for (int c = 0; c < chroma; ++c) row[c] = narrow(row[c] / std::sqrt(squares) * weight);
  }
}

double half_precision(double x) {  // rounded to float16, halves to even
  // 11 bits of significand, but numbers below 2^-14 are multiples of 2^-24. Tables hold none above 65504.
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent, -13) - 11);
  return std::nearbyint(x / unit) * unit;
}

double brain_float(double x) {  // rounded to bfloat16: 8 bits of significand
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, exponent - 8);
  return std::nearbyint(x / unit) * unit;
}

}  // namespace

void make_window(Window kind, int length, bool periodic, double* to) {
  const int points = periodic ? length + 1 : length;
  for (int i = 0; i < length; ++i) {
    if (kind == Window::kBoxcar || (points == 1 && kind < Window::kTorchHann) || (length == 1 && is_torch(kind))) {
      to[i] = 1;  // also the only point of a window, as in NumPy and torch
    } else if (kind == Window::kGemma3n) {
      const double angle = narrow(narrow(i * narrow(2 * kPi)) / length);
      to[i] = narrow(0.5 * narrow(1 - numpy_cos32(angle)));
    } else {
      to[i] = is_torch(kind) ? torch_window_at(kind, points - 1, i) : window_at(kind, points, i);
    }
  }
}

void round_numbers(Precision precision, double* x, int count) {
  for (int i = 0; i < count; ++i) {
    switch (precision) {
      case Precision::kFloat64:
        break;
      case Precision::kFloat32:
        x[i] = narrow(x[i]);
        break;
      case Precision::kFloat16:
        x[i] = half_precision(narrow(x[i]));
        break;
      case Precision::kBfloat16:
        x[i] = brain_float(narrow(x[i]));
        break;
    }
  }
}

double hertz_to_mel(MelScale scale, double hertz) {
  switch (scale) {
    case MelScale::kHtk:
      return 2595 * decimal_log(1 + hertz / 700);
    case MelScale::kKaldi:
      return 1127 * natural_log(1 + hertz / 700);
    case MelScale::kSlaney:
      break;
  }
  if (hertz < 1000) return 3 * hertz / 200;  // linear up to 1000 Hz, 15 mels; 27 mels more at 6.4 times that
  return 15 + natural_log(hertz / 1000) * (27 / natural_log(6.4));
}

double mel_to_hertz(MelScale scale, double mel) {
  switch (scale) {
    case MelScale::kHtk:
      return 700 * (power(10, mel / 2595) - 1);
    case MelScale::kKaldi:
      return 700 * (exponential(mel / 1127) - 1);
    case MelScale::kSlaney:
      break;
  }
  if (mel < 15) return 200 * mel / 3;
  return 1000 * exponential(natural_log(6.4) / 27 * (mel - 15));
}

void make_bank(const Bank& bank, double* scratch, double* to) {
  if (bank.kind == BankKind::kChroma) return make_chroma(bank, scratch, to);
  double* bins = scratch;
  double* edges = scratch + bank.bins;
  for (int k = 0; k < bank.bins; ++k) bins[k] = bin_at(bank, k);
  for (int i = 0; i < bank.filters + 2; ++i) edges[i] = edge_at(bank, i);
  for (int k = 0; k < bank.bins; ++k) {
    for (int f = 0; f < bank.filters; ++f) {
      double weight = 0;
      switch (bank.kind) {
        case BankKind::kTorchaudio:
          weight = narrow_triangle(bins[k], edges + f);
          break;
        case BankKind::kTorchaudioKaldi:
          weight = k < bank.bins - 1 ? kaldi_weight(bank, bins[k], f) : 0;  // the last bin has none
          break;
        case BankKind::kLasr:
          weight = k > 0 ? triangle(bins[k], edges + f) : 0;  // nor has bin 0, the constant part
          break;
        case BankKind::kAudioUtils:
        case BankKind::kGemma3n:
        case BankKind::kChroma:
          weight = triangle(bins[k], edges + f);
          break;
      }
      if (bank.narrow) weight = narrow(weight);
      if (bank.slaney_norm) weight *= 2 / (edges[f + 2] - edges[f]);  // triangles of an area of 1
      to[k * bank.filters + f] = bank.narrow ? narrow(weight) : weight;
    }
  }
}

int pack_bank(const double* bank, int bins, int filters, std::int32_t* bands, double* weights) {
  int count = 0;
  for (int f = 0; f < filters; ++f) {
    int first = 0, end = bins;  // of the weights that are not 0
    while (first < end && bank[first * filters + f] == 0) ++first;
    while (first < end && bank[(end - 1) * filters + f] == 0) --end;
    if (weights) {
      bands[2 * f] = first < end ? first : 0;
      bands[2 * f + 1] = end - first;
      for (int k = first; k < end; ++k) weights[count + k - first] = bank[k * filters + f];
    }
    count += end - first;
  }
  return count;
}

void make_dct(int size, int count, double* to) {
  for (int k = 0; k < count; ++k) {
    const double scale = __builtin_sqrt((k == 0 ? 1.0 : 2.0) / size);
    for (int m = 0; m < size; ++m) *to++ = scale * cosine(3.141592653589793 / size * (m + 0.5) * k);
  }
}

}  // namespace layout
