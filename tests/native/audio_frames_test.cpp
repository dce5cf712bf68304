// The FFT against a naive sum in long double, frames against a naive transform, and against the same frames made one by
// one: a frame's bits depend neither on its neighbor nor on its lane. Every memory has exactly the size that the
// contract allows.

#include <cmath>

#include "audio_oracle.h"

namespace {

void check_fused() {
  Random random(4);
  for (int i = 0; i < 200000; ++i) {
    const auto number = [&] { return static_cast<float>(std::ldexp(unit(random), random.below(40) - 20)); };
    const float a = number(), b = number(), c = number();
    const Pair result = layout::fused_float32(Pair{static_cast<double>(a), 1}, Pair{static_cast<double>(b), 1},
                                              Pair{static_cast<double>(c), 1});
    check(result[0] == static_cast<double>(std::fmaf(a, b, c)), "fma %a %a %a", static_cast<double>(a),
          static_cast<double>(b), static_cast<double>(c));
  }
}

}  // namespace

int main() {
  Random random(5);
  for (int length = 1; length <= 130; ++length) check_fft(length, random);
  for (const int length : {400, 480, 512, 600, 1009}) check_fft(length, random);
  // Convolutions: primes, of a factor of 1 too, and their even and odd multiples.
  for (const int length : {211, 257, 263, 509, 514, 526, 789, 1018, 2039}) check_fft(length, random);
  for (int i = 0; i < 3000; ++i) check_frames(random);
  for (int i = 0; i < 3000; ++i) check_values(random);
  for (int length = 2; length <= 40; ++length) check_overlap(length, 1 + length / 3, 1 + length % 4, random);
  check_fused();
}
