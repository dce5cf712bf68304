#pragma once

#include <cstdint>

namespace layout {

/// The kinds of windows. Torch's compute each step in their own type; Povey's are Hann's to the power .85.
enum class Window : int {
  kBoxcar = 0,
  kHann = 1,
  kHamming = 2,
  kPovey = 3,
  kTorchHann = 4,
  kTorchHamming = 5,
  kTorchPovey = 6,
  kTorchHannWide = 7,     // in float64
  kTorchHammingWide = 8,  // in float64
  kGemma3n = 9,
};

/// Writes a window of `length` numbers. A periodic window is one of a point more, without its last.
void make_window(Window kind, int length, bool periodic, double* to);

enum class Precision : int { kFloat64 = 0, kFloat32 = 1, kFloat16 = 2, kBfloat16 = 3 };

/// Rounds numbers in place, to nearest even; float16 and bfloat16 by way of float32.
void round_numbers(Precision precision, double* x, int count);

enum class MelScale : int { kHtk = 0, kSlaney = 1, kKaldi = 2 };

/// Converts a frequency to mels. Slaney's scale is linear up to 1000 Hz, and logarithmic above; the others are
/// logarithmic.
double hertz_to_mel(MelScale scale, double hertz);
/// Converts mels to a frequency: the inverse of hertz_to_mel.
double mel_to_hertz(MelScale scale, double mel);

enum class BankKind : int {
  kAudioUtils = 0,
  kTorchaudio = 1,       // melscale_fbanks, htk, in float32 steps
  kTorchaudioKaldi = 2,  // compliance.kaldi, in float32 steps; the last bin has no weight
  kGemma3n = 3,
  kLasr = 4,
  kChroma = 5,
};

/// A filter bank before it is made.
struct Bank {
  BankKind kind;
  int bins, filters;
  double low, high, rate;
  bool slaney_norm;
  MelScale scale;
  bool in_mel_space;
  bool narrow;  // rounded to float32, before the norm and after
};

/// Writes a filter bank: the weights [bins, filters]. `scratch` has bins + filters + 2 numbers.
void make_bank(const Bank& bank, double* scratch, double* to);

/// Writes the matrix of the orthonormal DCT-II of `size` numbers, its first `count` rows: [count, size].
void make_dct(int size, int count, double* to);

/// Packs a bank [bins, filters] without the zeros at each filter's ends. Writes the first bin and the number of bins of
/// each filter to `bands`, 0 and 0 where all its weights are 0, and those bins' weights to `weights`, filter by filter.
/// Returns how many weights there are. With null for `weights` it only counts and writes nothing.
int pack_bank(const double* bank, int bins, int filters, std::int32_t* bands, double* weights);

}  // namespace layout
