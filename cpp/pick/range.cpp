// pick/range.h says what these functions do.

#include "pick/range.h"

#include <algorithm>
#include <cstring>

#include "convert/steps.h"

namespace layout {
namespace {

// A multiple of 8, so that every piece of a packed result begins at a byte.
constexpr std::size_t kPiece = 512;

/// Reads both numbers of `values`, which need no alignment.
template <typename T>
void read_values(const std::uint8_t* values, T& start, T& delta) {
  std::memcpy(&start, values, sizeof(T));
  std::memcpy(&delta, values + sizeof(T), sizeof(T));
}

/// Writes numbers make(0) to make(count - 1) of type T, whose format is `from`, in format `to`, piece by piece.
template <typename T, typename Make>
void write_pieces(Format from, Format to, std::size_t count, std::uint8_t* dst, const Make& make) {
  T piece[kPiece];
  const auto bits = static_cast<std::size_t>(row_of(to).bits);
  for (std::size_t done = 0; done < count; done += kPiece) {
    const std::size_t size = std::min(kPiece, count - done);
    for (std::size_t i = 0; i < size; ++i) piece[i] = make(done + i);
    std::uint8_t* at = dst + done * bits / 8;
    if (from == to) {
      std::memcpy(at, piece, size * sizeof(T));
    } else {
      convert(from, to, reinterpret_cast<const std::uint8_t*>(piece), at, size, {});
    }
  }
}

/// Does range for a float format `to`, with arithmetic in T, whose format is `math`.
template <typename T>
void write_floats(Format math, Format to, double first, std::size_t count, const std::uint8_t* values,
                  std::uint8_t* dst) {
  double exact_start, exact_delta;
  read_values(values, exact_start, exact_delta);
  const auto start = static_cast<T>(exact_start);
  const auto delta = static_cast<T>(exact_delta);
  write_pieces<T>(math, to, count, dst, [&](std::size_t i) {
    // Two statements, so that product and sum are rounded one by one.
    const T product = static_cast<T>(first + static_cast<double>(i)) * delta;
    return static_cast<T>(start + product);
  });
}

}  // namespace

void range(Format format, Format math, double first, std::size_t count, const std::uint8_t* values, std::uint8_t* dst) {
  if (is_float(row_of(format))) {
    if (math == Format::kFloat64) {
      write_floats<double>(math, format, first, count, values, dst);
    } else {
      write_floats<float>(math, format, first, count, values, dst);
    }
    return;
  }
  std::uint64_t start = 0;
  std::uint64_t delta = 0;
  read_values(values, start, delta);
  const auto index = static_cast<std::uint64_t>(first);
  // The low bits of an int64 are the result, whatever the format's width and sign.
  write_pieces<std::uint64_t>(Format::kInt64, format, count, dst,
                              [&](std::size_t i) { return start + (index + i) * delta; });
}

}  // namespace layout
