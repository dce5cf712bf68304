/// torchvision's blur of bytes, before OWLv2's pictures shrink.
#pragma once

#include <cstdint>

namespace layout {

/// gaussian_blur of a picture of pixels of three bytes, at most 2^16 a side, mirrored at its edges. To a sum come the
/// pixels of each row in turn, from the left to the right. A weight is the product of both axes' in float32, its
/// product with a byte and their sum are of float64, rounded to float32. The bytes are rounded half to even.
struct Blur {
  std::int32_t width, height;
  float sigma_x, sigma_y;
};

/// Prepares the steps in memory that begins with FilterRows and is aligned to 16. Returns how many bytes it takes;
/// without memory nothing is written.
std::uint64_t plan_blur(const Blur& blur, std::uint8_t* memory);

/// Takes one step in memory that plan_blur has prepared, as FilterRows says: returns the number of the row of the
/// picture that it needs next, or -1 where a row of the result is ready.
std::int32_t blur_step(std::uint8_t* memory);

}  // namespace layout
