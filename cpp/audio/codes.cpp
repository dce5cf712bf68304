// audio/codes.h says what these functions do.

#include "audio/codes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace layout {
namespace {

/// The divisor that makes a sample from -1 to 1 of a decoded number of G.711, an int16.
constexpr float kRange = 32768;

/// A byte of G.711: a small float.
struct G711Byte {
  bool sign;
  int exponent;  // 3 bits
  int mantissa;  // 4 bits
};
G711Byte split_byte(int byte) { return {(byte & 0x80) != 0, byte >> 4 & 7, byte & 15}; }

/// Decodes a byte of G.711 mu-law, whose bits are all inverted, to a sample from -1 to 1. Its numbers are biased, so
/// that the least ones have the leading 1 (128) of a float, too, and lie in the middle of their steps of 8.
float decode_mu_law(int byte) {
  constexpr int kBias = 128 + 4;
  const auto [is_negative, exponent, mantissa] = split_byte(~byte);
  const int biased = ((mantissa << 3) + kBias) << exponent;
  const int size = biased - kBias;
  return static_cast<float>(is_negative ? -size : size) / kRange;
}

/// Decodes a byte of G.711 A-law, of which every other bit is inverted, to a sample from -1 to 1: the middle of a step
/// of 16. Exponent 0 has no leading 1 and, like subnormal floats, the unit of exponent 1.
float decode_a_law(int byte) {
  constexpr int kInverted = 0x55, kHalfStep = 8, kLeadingOne = 256;
  const auto [is_positive, exponent, mantissa] = split_byte(byte ^ kInverted);
  const int middle = (mantissa << 4) + kHalfStep;
  const int size = exponent == 0 ? middle : (middle + kLeadingOne) << (exponent - 1);
  return static_cast<float>(is_positive ? size : -size) / kRange;
}

/// Reads an unsigned integer of `bytes` bytes.
template <int bytes>
std::uint64_t read_word(const std::uint8_t* from, bool big_endian) {
  std::uint64_t bits = 0;
  for (int i = 0; i < bytes; ++i) {
    const int lower_bytes = big_endian ? bytes - 1 - i : i;
    bits |= std::uint64_t{from[i]} << 8 * lower_bytes;
  }
  return bits;
}

/// Makes a sample from -1 to 1 of a signed PCM integer that was shifted up to bit 31.
float from_high_bits(std::uint64_t bits) {
  const auto integer = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
  return static_cast<float>(integer) * 0x1p-31f;
}

/// Reads the low 32 bits as a float32.
float from_float32(std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float x;
  std::memcpy(&x, &low, 4);
  return x;
}

/// Reads the bits as a float64, and rounds it to float32.
float from_float64(std::uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, 8);
  return static_cast<float>(x);
}

/// Decodes `count` interleaved samples of each channel, of `bytes` bytes each, by decode(address). Channel c begins c *
/// stride numbers after `to`.
template <int bytes, typename Decode>
void decode_all(int channels, const std::uint8_t* from, std::size_t count, float* to, std::size_t stride,
                const Decode& decode) {
  const auto frame_bytes = static_cast<std::size_t>(bytes * channels);
  for (int c = 0; c < channels; ++c) {
    const std::uint8_t* sample = from + bytes * c;
    float* channel = to + static_cast<std::size_t>(c) * stride;
    for (std::size_t i = 0; i < count; ++i, sample += frame_bytes) channel[i] = decode(sample);
  }
}

/// Makes a signed PCM integer of `bits` bits of a sample: x * 2^(bits - 1), rounded to nearest even, saturated; NaN
/// gives 0.
std::int64_t quantize_sample(float x, int bits) {
  const double limit = std::ldexp(1.0, bits - 1);
  const double nearest = std::nearbyint(static_cast<double>(x) * limit);
  return std::isnan(nearest) ? 0 : static_cast<std::int64_t>(std::clamp(nearest, -limit, limit - 1));
}

/// Encodes a sample: its code is the low code_bytes of the result. PCM of 8 bits is unsigned.
std::uint64_t encode_sample(Code code, float x) {
  switch (code) {
    case Code::kPcm8:
      return static_cast<std::uint64_t>(quantize_sample(x, 8) + 128);
    case Code::kPcm16:
      return static_cast<std::uint64_t>(quantize_sample(x, 16));
    case Code::kPcm24:
      return static_cast<std::uint64_t>(quantize_sample(x, 24));
    case Code::kPcm32:
      return static_cast<std::uint64_t>(quantize_sample(x, 32));
    case Code::kFloat32: {
      std::uint32_t bits;
      std::memcpy(&bits, &x, 4);
      return bits;
    }
    case Code::kFloat64: {
      const auto wide = static_cast<double>(x);
      std::uint64_t bits;
      std::memcpy(&bits, &wide, 8);
      return bits;
    }
    case Code::kAlaw:
    case Code::kMulaw:
      break;  // read only
  }
  return 0;
}

}  // namespace

int code_bytes(Code code) {
  switch (code) {
    case Code::kPcm8:
    case Code::kAlaw:
    case Code::kMulaw:
      return 1;
    case Code::kPcm16:
      return 2;
    case Code::kPcm24:
      return 3;
    case Code::kPcm32:
    case Code::kFloat32:
      return 4;
    case Code::kFloat64:
      return 8;
  }
  return 0;
}

void decode_samples(const SampleFormat& format, const std::uint8_t* from, std::size_t count, float* to,
                    std::size_t stride) {
  using Bytes = const std::uint8_t*;
  const int channels = format.channels;
  const bool big = format.big_endian;
  switch (format.code) {
    case Code::kPcm8:
      return decode_all<1>(channels, from, count, to, stride,
                           [](Bytes sample) { return static_cast<float>(*sample - 128) * 0x1p-7f; });
    case Code::kPcm16:
      if (!big) {  // the most common code: one load of two bytes, as wasm is little-endian
        return decode_all<2>(channels, from, count, to, stride, [](Bytes sample) {
          std::int16_t x;
          std::memcpy(&x, sample, 2);
          return static_cast<float>(x) * 0x1p-15f;
        });
      }
      return decode_all<2>(channels, from, count, to, stride,
                           [](Bytes sample) { return from_high_bits(read_word<2>(sample, true) << 16); });
    case Code::kPcm24:
      return decode_all<3>(channels, from, count, to, stride,
                           [=](Bytes sample) { return from_high_bits(read_word<3>(sample, big) << 8); });
    case Code::kPcm32:
      return decode_all<4>(channels, from, count, to, stride,
                           [=](Bytes sample) { return from_high_bits(read_word<4>(sample, big)); });
    case Code::kFloat32:
      return decode_all<4>(channels, from, count, to, stride,
                           [=](Bytes sample) { return from_float32(read_word<4>(sample, big)); });
    case Code::kFloat64:
      return decode_all<8>(channels, from, count, to, stride,
                           [=](Bytes sample) { return from_float64(read_word<8>(sample, big)); });
    case Code::kAlaw:
      return decode_all<1>(channels, from, count, to, stride, [](Bytes sample) { return decode_a_law(*sample); });
    case Code::kMulaw:
      return decode_all<1>(channels, from, count, to, stride, [](Bytes sample) { return decode_mu_law(*sample); });
  }
}

void encode_samples(Code code, int channels, const float* from, std::size_t stride, std::size_t count,
                    std::uint8_t* to) {
  const int bytes = code_bytes(code);
  for (std::size_t i = 0; i < count; ++i) {
    for (int c = 0; c < channels; ++c) {
      const std::uint64_t bits = encode_sample(code, from[static_cast<std::size_t>(c) * stride + i]);
      for (int b = 0; b < bytes; ++b) *to++ = static_cast<std::uint8_t>(bits >> 8 * b);  // the lowest byte first
    }
  }
}

}  // namespace layout
