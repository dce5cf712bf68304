// Alpha against the rules: every color with every alpha at every place of a vector, and every number of pixels to 40.

#include "alpha_oracle.h"

using layout::Alpha;

int main() {
  Random random(1);
  for (const Alpha change : {Alpha::kPremultiply, Alpha::kUnpremultiply, Alpha::kOnWhite}) {
    for (const int channels : {2, 4}) {
      for (int shift = 0; shift < 16 / channels; ++shift) {
        // All pairs, in a row of pixels that `shift` pixels more begin.
        const Memory pixels((65536 + shift) * channels, random);
        for (int pair = 0; pair < 65536; ++pair) {
          std::uint8_t* pixel = pixels.data.get() + (pair + shift) * channels;
          for (int c = 0; c < channels - 1; ++c) pixel[c] = static_cast<std::uint8_t>((pair + 85 * c) % 256);
          pixel[channels - 1] = static_cast<std::uint8_t>(pair / 256);
        }
        check_alpha(change, channels, pixels);
      }
      for (int count = 0; count <= 40; ++count) check_alpha(change, channels, Memory(count * channels, random));
    }
  }
}
