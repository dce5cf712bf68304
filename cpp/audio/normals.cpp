// audio/normals.h says what these functions do.

#include "audio/normals.h"

#include <cmath>

#include "elementary/elementary.h"

namespace layout {

void Normals::seed(std::uint32_t seed) {
  // MT19937's init_genrand.
  state_[0] = seed;
  for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
  words_left_ = 0;
}

void Normals::make_words() {
  constexpr int kAhead = 397;
  constexpr std::uint32_t kHighBit = 0x80000000u, kOtherBits = 0x7fffffffu, kMatrix = 0x9908b0dfu;
  for (int i = 0; i < kWords; ++i) {
    const std::uint32_t joined = (state_[i] & kHighBit) | (state_[(i + 1) % kWords] & kOtherBits);
    state_[i] = state_[(i + kAhead) % kWords] ^ joined >> 1 ^ (joined & 1 ? kMatrix : 0);
  }
  words_left_ = kWords;
}

double Normals::next() {
  if (words_left_ == 0) make_words();
  std::uint32_t word = state_[kWords - words_left_];
  --words_left_;
  // MT19937's tempering.
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680u;
  word ^= word << 15 & 0xefc60000u;
  word ^= word >> 18;
  constexpr std::uint32_t kLow24Bits = 0xffffffu;
  return static_cast<double>(word & kLow24Bits) * 0x1p-24;
}

void Normals::fill(float* to, std::size_t count) {
  constexpr double kTwoPi = 6.283185307179586;
  constexpr int kBlock = 16, kHalf = kBlock / 2;
  for (std::size_t i = 0; i < count; i += kBlock, to += kBlock) {
    double uniform[kBlock];
    for (double& number : uniform) number = next();
    // Box-Muller: numbers j and j + 8 make normals j and j + 8. 1 - u is never 0, whose logarithm is infinite.
    for (int j = 0; j < kHalf; ++j) {
      const double radius = std::sqrt(-2 * natural_log(splat(1 - uniform[j]))[0]);
      const double angle = kTwoPi * uniform[j + kHalf];
      to[j] = static_cast<float>(radius * cosine(angle));
      to[j + kHalf] = static_cast<float>(radius * sine(angle));
    }
  }
}

void Normals::skip(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) next();
}

}  // namespace layout
