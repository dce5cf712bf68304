#pragma once

#include <cstddef>
#include <cstdint>

#include "convert/convert.h"

namespace layout {

/// How an update joins the element that is there. `kMulComplex` is of pairs of floats: re and im in turn.
enum class ScatterReduction : std::uint8_t { kAdd, kMul, kMax, kMin, kMulComplex };

/// The most rows of one call of `scatter`, and the most elements of all of them.
inline constexpr std::uint32_t kScatterRows = 16384;
inline constexpr std::uint32_t kScatterElements = 65536;
/// The memory that `scatter` works in. Its bytes are not set.
struct ScatterWork {
  std::uint32_t table[2 * kScatterRows];  // rows, by a hash of their numbers
  std::uint32_t firsts[kScatterRows];     // for each row, the first one of its number
  // Elements in the format that they are joined in: float32, or bytes of integers of fewer bits.
  std::uint32_t updates[kScatterElements];
  std::uint32_t current[kScatterElements];
};

/// The shape of a call, and its format.
struct ScatterRows {
  alignas(4) Format format;
  alignas(4) ScatterReduction reduction;
  std::uint32_t rows;
  std::uint32_t run;  // elements of a row
};

/// Rows to join, and the memories of their call.
struct ScatterCall {
  ScatterRows rows;
  const void* numbers;  // of float64; of uint32 in place
  const std::uint8_t* updates;
  std::uint8_t* current;
  ScatterWork* work;  // not used in place
};

/// Joins updates with what they name, one row after the other.
///
/// Row k of `updates` is for the row of the result whose number is numbers[k]. Row k of `current` is a copy of that row
/// of the result, so rows of one number are equal. Afterwards each is that row with all updates of its number joined,
/// so it does not matter in which order the caller writes them back. All memories are aligned to the element, `work`
/// to 4.
///
/// - Integers wrap; those of fewer than 8 bits, too. kBool: kAdd and kMax are or, kMul and kMin are and.
/// - Floats of up to 16 bits are computed as float32, and rounded to the format after each update, to nearest even. The
///   floats of up to 8 bits saturate.
/// - kMax and kMin keep the element where the two are equal; where one is NaN the result is. Every NaN that is made is
///   the quiet one without a sign.
/// - kMulComplex takes kFloat32 and kFloat64, and an even run.
void scatter(const ScatterRows& rows, const double* numbers, const std::uint8_t* updates, std::uint8_t* current,
             ScatterWork* work);

/// Joins row k of `updates` with row numbers[k] of `current`, which is the result itself, as `scatter` does. Any number
/// of rows, in formats that are computed as they are: kBool, kFloat32, kFloat64, and integers of at least 8 bits.
void scatter_in_place(const ScatterRows& rows, const std::uint32_t* numbers, const std::uint8_t* updates,
                      std::uint8_t* current);

}  // namespace layout
