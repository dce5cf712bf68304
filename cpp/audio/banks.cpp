// Filter banks and the mel scale: audio/tables.h says what these functions do.

#include <algorithm>
#include <cmath>

#include "audio/tables.h"
#include "elementary/elementary.h"

namespace layout {
namespace {

// Slaney's scale is linear up to here, 200 / 3 Hz a mel, and has 27 mels more at 6.4 times this frequency.
constexpr double kLinearHertz = 1000, kLinearMels = 15;

/// Point i of np.linspace(first, last, count).
double linspace_at(double first, double last, int count, int i) {
  const double step = (last - first) / (count - 1);
  return i == count - 1 ? last : i * step + first;
}

/// Point i of torch.linspace(first, last, count) as torchaudio's banks have it, in float32 steps.
double float32_linspace_at(double first, double last, int count, int i) {
  const double step = to_float32((last - first) / (count - 1));
  return to_float32(to_float32(i * step) + to_float32(first));
}

/// The corners of a triangle: it rises from 0 at `first` to 1 at `top`, and falls to 0 at `last`.
struct Triangle {
  double first, top, last;
};

/// The weight of a triangle at a bin.
double weight_at(double bin, const Triangle& triangle) {
  const double up = -(triangle.first - bin) / (triangle.top - triangle.first);
  const double down = (triangle.last - bin) / (triangle.last - triangle.top);
  return std::max(0.0, std::min(up, down));
}

/// Does weight_at in torchaudio's float32 steps.
double float32_weight_at(double bin, const Triangle& triangle) {
  const double up = to_float32(to_float32(bin - triangle.first) / to_float32(triangle.top - triangle.first));
  const double down = to_float32(to_float32(triangle.last - bin) / to_float32(triangle.last - triangle.top));
  return std::max(0.0, std::min(up, down));
}

/// Does mel_to_hertz of kHtk in torchaudio's float32 steps: 700 * (10^(mel / 2595) - 1).
double float32_htk_to_hertz(double mel) {
  const double power_of_10 = to_float32(power(10, to_float32(mel / 2595)));
  return to_float32(700 * to_float32(power_of_10 - 1));
}

/// Does hertz_to_mel of kKaldi in torchaudio's float32 steps: 1127 * ln(1 + hertz / 700).
double float32_hertz_to_kaldi(double hertz) {
  const double sum = to_float32(1 + to_float32(hertz / 700));
  return to_float32(1127 * to_float32(natural_log(sum)));
}

/// Edge i of a bank's triangles, in hertz, or in mels for torchaudio's Kaldi and where another bank is `in_mel_space`.
/// Filter f is the triangle of edges f, f + 1 and f + 2, which lie evenly on the mel scale from `low` to `high`.
double edge_at(const Bank& bank, int i) {
  const int count = bank.filters + 2;
  const double low = hertz_to_mel(bank.scale, bank.low), high = hertz_to_mel(bank.scale, bank.high);
  if (bank.kind == BankKind::kTorchaudio) return float32_htk_to_hertz(float32_linspace_at(low, high, count, i));
  if (bank.kind == BankKind::kTorchaudioKaldi) {
    const double step = to_float32((high - low) / (bank.filters + 1));
    return to_float32(to_float32(low) + to_float32(i * step));
  }
  const double mel = linspace_at(low, high, count, i);
  return bank.in_mel_space ? mel : mel_to_hertz(bank.scale, mel);
}

/// Where bin k of a bank lies: its frequency in hertz or in mels, as edge_at, by the steps of the bank's library.
double bin_at(const Bank& bank, int k) {
  const double bin_hertz = bank.rate / ((bank.bins - 1) * 2);
  const double half_rate = bank.rate / 2;
  switch (bank.kind) {
    case BankKind::kAudioUtils:
      if (bank.in_mel_space) return hertz_to_mel(bank.scale, bin_hertz * k);
      return linspace_at(0, std::floor(half_rate), bank.bins, k);
    case BankKind::kTorchaudio:
      return float32_linspace_at(0, std::floor(half_rate), bank.bins, k);
    case BankKind::kTorchaudioKaldi:
      return float32_hertz_to_kaldi(to_float32(to_float32(bin_hertz) * k));
    case BankKind::kGemma3n:
      return to_float32(k * to_float32(bin_hertz));
    case BankKind::kLasr:
      return hertz_to_mel(bank.scale, linspace_at(0, half_rate, bank.bins, k));
    case BankKind::kChroma:
      break;
  }
  return 0;
}

/// exp of moderate numbers, within some ulps: exp(x / 1024) by its series, squared ten times (1024 = 2^10).
double quick_exp(double x) {
  if (x < -700) return 0;
  const double part = x / 1024;
  double sum = 1;
  for (int k = 8; k > 0; --k) sum = 1 + sum * part / k;
  for (int i = 0; i < 10; ++i) sum *= sum;
  return sum;
}

/// A Gaussian of deviation 1, whose top is 1.
double gaussian(double x) { return quick_exp(-0.5 * x * x); }

/// How far a pitch lies from pitch class c in the nearest octave, where both count in classes, `classes` an octave:
/// from minus half an octave to half of one.
double class_distance(double pitch, int c, int classes) {
  const double half = std::nearbyint(classes / 2.0);
  const double raised = pitch - c + half + 10 * classes;  // 10 octaves up, as in librosa: above 0
  const double in_octave = raised - std::floor(raised / classes) * classes;
  return in_octave - half;
}

/// Writes transformers' chroma_filter_bank with its defaults, [bins, filters]: a filter for each pitch class, from C
/// on. `pitches`: scratch of bins + 1 numbers.
void make_chroma(const Bank& bank, double* pitches, double* to) {
  constexpr double kLowestA = 440.0 / 16;
  const int classes = bank.filters;
  const double bin_hertz = bank.rate / (2 * (bank.bins - 1));
  // The pitch of each bin above the lowest A, in classes. Bin 0, whose logarithm would be infinite, lies 1.5 octaves
  // below bin 1.
  for (int k = 1; k <= bank.bins; ++k) pitches[k] = classes * binary_log(k * bin_hertz / kLowestA);
  pitches[0] = pitches[1] - 1.5 * classes;
  const int a_to_c = 3 * (classes / 12);  // three semitones
  for (int k = 0; k < bank.bins; ++k) {
    const double width = std::max(pitches[k + 1] - pitches[k], 1.0);
    double* row = to + k * classes;
    double squares = 0;
    for (int c = 0; c < classes; ++c) {
      const double weight = gaussian(2 * class_distance(pitches[k], c, classes) / width);
      squares += weight * weight;
      row[(c + classes - a_to_c) % classes] = weight;
    }
    // A row has the norm 1, times a Gaussian over octaves around the fifth, of deviation 2.
    const double octave = pitches[k] / classes;
    const double octave_weight = gaussian((octave - 5) / 2);
    for (int c = 0; c < classes; ++c) row[c] = to_float32(row[c] / std::sqrt(squares) * octave_weight);
  }
}

/// The weight of bin k, which lies at `bin`, in a filter of a bank.
double weight_of(const Bank& bank, int k, double bin, const Triangle& filter) {
  switch (bank.kind) {
    case BankKind::kTorchaudio:
      return float32_weight_at(bin, filter);
    case BankKind::kTorchaudioKaldi: {
      const bool is_last = k == bank.bins - 1;  // which has no weight
      return is_last ? 0 : float32_weight_at(bin, filter);
    }
    case BankKind::kLasr:
      return k > 0 ? weight_at(bin, filter) : 0;  // bin 0, the constant part, has no weight
    case BankKind::kAudioUtils:
    case BankKind::kGemma3n:
    case BankKind::kChroma:
      break;
  }
  return weight_at(bin, filter);
}

}  // namespace

double hertz_to_mel(MelScale scale, double hertz) {
  switch (scale) {
    case MelScale::kHtk:
      return 2595 * decimal_log(1 + hertz / 700);
    case MelScale::kKaldi:
      return 1127 * natural_log(1 + hertz / 700);
    case MelScale::kSlaney:
      if (hertz < kLinearHertz) return 3 * hertz / 200;
      return kLinearMels + natural_log(hertz / kLinearHertz) * (27 / natural_log(6.4));
  }
  return 0;
}

double mel_to_hertz(MelScale scale, double mel) {
  switch (scale) {
    case MelScale::kHtk:
      return 700 * (power(10, mel / 2595) - 1);
    case MelScale::kKaldi:
      return 700 * (exponential(mel / 1127) - 1);
    case MelScale::kSlaney:
      if (mel < kLinearMels) return 200 * mel / 3;
      return kLinearHertz * exponential(natural_log(6.4) / 27 * (mel - kLinearMels));
  }
  return 0;
}

void make_bank(const Bank& bank, double* scratch, double* to) {
  if (bank.kind == BankKind::kChroma) return make_chroma(bank, scratch, to);
  double* bins = scratch;               // where each bin lies, in hertz or mels
  double* edges = scratch + bank.bins;  // filters + 2, likewise
  for (int k = 0; k < bank.bins; ++k) bins[k] = bin_at(bank, k);
  for (int i = 0; i < bank.filters + 2; ++i) edges[i] = edge_at(bank, i);
  for (int k = 0; k < bank.bins; ++k) {
    for (int f = 0; f < bank.filters; ++f) {
      const Triangle filter{edges[f], edges[f + 1], edges[f + 2]};
      double weight = weight_of(bank, k, bins[k], filter);
      if (bank.narrow) weight = to_float32(weight);
      if (bank.slaney_norm) weight *= 2 / (filter.last - filter.first);  // triangles of an area of 1
      if (bank.narrow) weight = to_float32(weight);
      to[k * bank.filters + f] = weight;
    }
  }
}

int pack_bank(const double* bank, int bins, int filters, std::int32_t* bands, double* weights) {
  int count = 0;
  for (int f = 0; f < filters; ++f) {
    const auto weight_at_bin = [&](int k) { return bank[k * filters + f]; };
    int first = 0, end = bins;  // of the weights that are not 0
    while (first < end && weight_at_bin(first) == 0) ++first;
    while (first < end && weight_at_bin(end - 1) == 0) --end;
    const int length = end - first;
    if (weights) {
      bands[2 * f] = length > 0 ? first : 0;
      bands[2 * f + 1] = length;
      for (int i = 0; i < length; ++i) weights[count + i] = weight_at_bin(first + i);
    }
    count += length;
  }
  return count;
}

}  // namespace layout
