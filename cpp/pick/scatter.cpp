// pick/scatter.h says what these functions do.

#include "pick/scatter.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "convert/steps.h"

namespace layout {
namespace {

// A byte that is true where it is not 0.
enum class Flag : std::uint8_t { kFalse, kTrue };

/// The quiet NaN without a sign where a number is NaN, which differs from itself; else the number.
template <typename T>
[[gnu::always_inline]] inline T with_plain_nan(T x) {
  return x != x ? std::numeric_limits<T>::quiet_NaN() : x;
}

/// Joins an element with an update, in their own type, by ScatterReduction's rules (scatter.h), and returns the new
/// element. kMulComplex, which join_run does, is there for floats only.
template <typename T>
T join(ScatterReduction reduction, T current, T update) {
  if constexpr (std::is_same_v<T, Flag>) {
    const bool a = current != Flag::kFalse;
    const bool b = update != Flag::kFalse;
    const bool is_or = reduction == ScatterReduction::kAdd || reduction == ScatterReduction::kMax;
    const bool is_true = is_or ? a || b : a && b;
    return is_true ? Flag::kTrue : Flag::kFalse;
  } else if constexpr (std::is_integral_v<T>) {
    // Unsigned, because signed overflow is undefined, and wide, because small types become int.
    const auto a = static_cast<std::uint64_t>(current);
    const auto b = static_cast<std::uint64_t>(update);
    switch (reduction) {
      case ScatterReduction::kAdd:
        return static_cast<T>(a + b);
      case ScatterReduction::kMul:
      case ScatterReduction::kMulComplex:
        return static_cast<T>(a * b);
      case ScatterReduction::kMax:
        return std::max(current, update);
      case ScatterReduction::kMin:
        return std::min(current, update);
    }
  } else {
    T result = current;
    switch (reduction) {
      case ScatterReduction::kAdd:
        result = current + update;
        break;
      case ScatterReduction::kMul:
      case ScatterReduction::kMulComplex:
        result = current * update;
        break;
      case ScatterReduction::kMax:
        result = update > current || update != update ? update : current;
        break;
      case ScatterReduction::kMin:
        result = update < current || update != update ? update : current;
        break;
    }
    return with_plain_nan(result);
  }
}

/// Joins a row of `run` elements, `current`, with an update for each, in place. Complex numbers are pairs of elements:
/// re, im.
template <typename T>
void join_run(ScatterReduction reduction, std::uint32_t run, const T* update, T* current) {
  if constexpr (std::is_floating_point_v<T>) {
    if (reduction == ScatterReduction::kMulComplex) {
      for (std::uint32_t i = 0; i < run; i += 2) {
        const T re = current[i] * update[i] - current[i + 1] * update[i + 1];
        const T im = current[i] * update[i + 1] + current[i + 1] * update[i];
        current[i] = with_plain_nan(re);
        current[i + 1] = with_plain_nan(im);
      }
      return;
    }
  }
  for (std::uint32_t i = 0; i < run; ++i) current[i] = join(reduction, current[i], update[i]);
}

/// Finds, for each of `rows` rows, the first row that has the same number (numbers[row]). An open hash table, `table`,
/// holds rows by their numbers: a multiplication by 2^64 divided by the golden ratio spreads the numbers, and rows of
/// equal hashes take the next free places. The table has a power of two of places, at least twice as many as rows, so
/// that a free one is near.
class FirstRows {
 public:
  FirstRows(std::uint32_t rows, const double* numbers, std::uint32_t* table) : numbers_(numbers), table_(table) {
    while (mask_ + 1 < 2 * rows) mask_ = 2 * mask_ + 1;
    std::memset(table, 0xff, (mask_ + 1) * sizeof(*table));  // kNone in each place
  }

  /// The first row that has the number of `row`: an earlier one, or `row` itself, which is then in the table.
  std::uint32_t first_of(std::uint32_t row) {
    const auto number = static_cast<std::uint64_t>(numbers_[row]);
    constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15u;  // 2^64 divided by it
    auto at = static_cast<std::uint32_t>(number * kGoldenRatio >> 32) & mask_;
    while (table_[at] != kNone && numbers_[table_[at]] != numbers_[row]) at = (at + 1) & mask_;
    if (table_[at] == kNone) table_[at] = row;
    return table_[at];
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  const double* numbers_;
  std::uint32_t* table_;
  std::uint32_t mask_ = 1;  // the table's size, a power of two, less one
};

/// Does scatter in type T: joins all updates of a number with its first row in `current`, in their order, then copies
/// that row to the other rows of the number. `round(list, count)` rounds elements of T to the tensor's format, between
/// two updates of a row. Works in the table and the list `firsts` of `work`.
template <typename T, typename Round>
void join_rows(const ScatterRows& rows, const double* numbers, const T* updates, T* current, ScatterWork* work,
               const Round& round) {
  const std::uint32_t run = rows.run;
  std::uint32_t* firsts = work->firsts;
  FirstRows known(rows.rows, numbers, work->table);
  for (std::uint32_t row = 0; row < rows.rows; ++row) {
    firsts[row] = known.first_of(row);
    T* to = current + firsts[row] * run;
    if (firsts[row] != row) round(to, run);
    join_run(rows.reduction, run, updates + row * run, to);
  }
  for (std::uint32_t row = 0; row < rows.rows; ++row) {
    if (firsts[row] != row) std::memcpy(current + row * run, current + firsts[row] * run, run * sizeof(T));
  }
}

/// Does scatter for a format whose elements are of type T in memory: there is nothing to convert or to round.
template <typename T>
void join_plain(const ScatterRows& rows, const double* numbers, const std::uint8_t* updates, std::uint8_t* current,
                ScatterWork* work) {
  join_rows(rows, numbers, reinterpret_cast<const T*>(updates), reinterpret_cast<T*>(current), work,
            [](T*, std::uint32_t) {});
}

/// Does scatter for rows.format by way of a wider format, `math`, which is that of T and holds every number of
/// rows.format: converts updates and rows to it in the memory of `work`, joins them there, and converts the rows back.
template <typename T>
void join_converted(const ScatterRows& rows, Format math, const double* numbers, const std::uint8_t* updates,
                    std::uint8_t* current, ScatterWork* work) {
  T* wide_updates = reinterpret_cast<T*>(work->updates);
  T* wide = reinterpret_cast<T*>(work->current);
  const std::size_t count = std::size_t{rows.rows} * rows.run;
  const auto bytes = [](T* list) { return reinterpret_cast<std::uint8_t*>(list); };
  convert(rows.format, math, updates, bytes(wide_updates), count, {});
  convert(rows.format, math, current, bytes(wide), count, {});
  join_rows(rows, numbers, wide_updates, wide, work, [&](T* list, std::uint32_t run) {
    // To rows.format and back, piece by piece.
    constexpr std::uint32_t kPiece = 32;
    std::uint8_t codes[2 * kPiece];  // of at most 16 bits each
    for (std::uint32_t done = 0; done < run; done += kPiece) {
      const std::uint32_t size = std::min(kPiece, run - done);
      convert(math, rows.format, bytes(list + done), codes, size, {});
      convert(rows.format, math, codes, bytes(list + done), size, {});
    }
  });
  convert(math, rows.format, bytes(wide), current, count, {});
}

/// The C++ type of a format's elements in memory, as a std::type_identity; that of void if there is none, for packed
/// elements and floats of at most 16 bits.
template <Format format>
auto plain_type() {
  constexpr FormatRow row = row_of(format);
  if constexpr (row.kind == Kind::kBool) {
    return std::type_identity<Flag>{};
  } else if constexpr (format == Format::kFloat32) {
    return std::type_identity<float>{};
  } else if constexpr (format == Format::kFloat64) {
    return std::type_identity<double>{};
  } else if constexpr (!is_integer(row) || row.bits < 8) {
    return std::type_identity<void>{};
  } else if constexpr (row.bits == 8) {
    return std::type_identity<std::conditional_t<row.kind == Kind::kSigned, std::int8_t, std::uint8_t>>{};
  } else if constexpr (row.bits == 16) {
    return std::type_identity<std::conditional_t<row.kind == Kind::kSigned, std::int16_t, std::uint16_t>>{};
  } else if constexpr (row.bits == 32) {
    return std::type_identity<std::conditional_t<row.kind == Kind::kSigned, std::int32_t, std::uint32_t>>{};
  } else {
    return std::type_identity<std::conditional_t<row.kind == Kind::kSigned, std::int64_t, std::uint64_t>>{};
  }
}

}  // namespace

void scatter(const ScatterRows& rows, const double* numbers, const std::uint8_t* updates, std::uint8_t* current,
             ScatterWork* work) {
  pick_for(rows.format, [&](auto format) {
    using T = typename decltype(plain_type<format()>())::type;
    if constexpr (!std::is_void_v<T>) {
      join_plain<T>(rows, numbers, updates, current, work);
    } else if constexpr (is_float(row_of(format()))) {
      join_converted<float>(rows, Format::kFloat32, numbers, updates, current, work);
    } else if constexpr (row_of(format()).kind == Kind::kSigned) {
      join_converted<std::int8_t>(rows, Format::kInt8, numbers, updates, current, work);
    } else {
      join_converted<std::uint8_t>(rows, Format::kUint8, numbers, updates, current, work);
    }
  });
}

void scatter_in_place(const ScatterRows& rows, const std::uint32_t* numbers, const std::uint8_t* updates,
                      std::uint8_t* current) {
  pick_for(rows.format, [&](auto format) {
    using T = typename decltype(plain_type<format()>())::type;
    // Callers pass no format without such a type.
    if constexpr (!std::is_void_v<T>) {
      const auto* from = reinterpret_cast<const T*>(updates);
      auto* to = reinterpret_cast<T*>(current);
      for (std::size_t row = 0; row < rows.rows; ++row) {
        join_run(rows.reduction, rows.run, from + row * rows.run, to + std::size_t{numbers[row]} * rows.run);
      }
    }
  });
}

}  // namespace layout
