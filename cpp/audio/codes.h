#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// How WAV files hold a sample.
enum class Code : int {
  kPcm8 = 0,
  kPcm16 = 1,
  kPcm24 = 2,
  kPcm32 = 3,
  kFloat32 = 4,
  kFloat64 = 5,
  kAlaw = 6,
  kMulaw = 7
};

/// How many bytes a sample of a code has.
int code_bytes(Code code);

/// Interleaved samples.
struct SampleFormat {
  Code code;
  bool big_endian;
  int channels;
};

/// Decodes `count` frames, each one sample of every channel in turn, to float32 from -1 to 1 (floats may exceed that),
/// as soundfile does. Channel c begins c * stride numbers after `to`.
void decode_samples(const SampleFormat& format, const std::uint8_t* from, std::size_t count, float* to,
                    std::size_t stride);

/// Encodes `count` frames to `to`, one sample of every channel in turn, little endian; channel c begins c * stride
/// numbers after `from`. PCM is rounded to nearest even and saturated, NaN is 0. Encoding what decode_samples made from
/// PCM of up to 24 bits or kFloat32 gives the same bytes again; from kPcm32 and kFloat64 only if float32 holds the
/// numbers, to which decode_samples rounds them. A-law and mu-law are not encoded: their bytes become 0.
void encode_samples(Code code, int channels, const float* from, std::size_t stride, std::size_t count,
                    std::uint8_t* to);

}  // namespace layout
