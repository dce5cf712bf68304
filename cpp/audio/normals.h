#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Normally distributed numbers as torch.randn makes them with a CPU generator: MT19937, 24 bits a number, Box-Muller
/// on blocks of 16.
class Normals {
 public:
  /// Sets MT19937's state from a seed, which comes before all other calls.
  void seed(std::uint32_t seed);
  /// Writes the next `count` normal numbers, a multiple of 16.
  void fill(float* to, std::size_t count);
  /// Draws `count` uniform numbers and drops them. torch draws these for the up to 15 numbers after the last block of
  /// 16, and then makes the last 16 numbers anew.
  void skip(std::size_t count);

 private:
  /// Draws a uniform number in [0, 1).
  double next();
  /// Makes the next kWords words, which replace the state, by MT19937's recurrence.
  void make_words();
  static constexpr int kWords = 624;
  std::uint32_t state_[kWords];
  int words_left_ = 0;  // of the state that `next` has not used yet
};

}  // namespace layout
