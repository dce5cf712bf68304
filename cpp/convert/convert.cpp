// convert/convert.h says what these functions do.

#include "convert/convert.h"

#include <array>
#include <cassert>
#include <cstring>

#include "convert/formats.h"
#include "convert/lookup_bytes.h"
#include "convert/steps.h"

namespace layout {
namespace {

/// A conversion as a list of steps (steps.h), of which each converts the result of the one before it.
class Chain {
 public:
  /// Adds the last step so far; `bits` is the width of one element of its result.
  void add(Step step, int bits) {
    assert(step != nullptr && length_ < kMaxSteps);
    steps_[length_] = step;
    bits_[length_++] = bits;
  }

  /// Runs the steps over `count` elements of `src_bits` bits; copies if there is no step. With several steps, each
  /// block of elements goes through all of them before the next one, so that intermediate results stay in the
  /// first-level cache.
  void run(const std::uint8_t* src, int src_bits, std::uint8_t* dst, std::size_t count,
           const StepContext& context) const {
    if (length_ == 0) {
      std::memcpy(dst, src, (count * static_cast<std::size_t>(src_bits) + 7) / 8);
      return;
    }
    if (length_ == 1) return steps_[0](src, dst, count, context);
    constexpr std::size_t kBlock = 512;               // elements; whole bytes of any format
    alignas(16) std::uint8_t buffers[2][kBlock * 8];  // results of at most 64 bits: one is read, the other written
    const std::size_t src_block_bytes = kBlock * static_cast<std::size_t>(src_bits) / 8;
    const std::size_t dst_block_bytes = kBlock * static_cast<std::size_t>(bits_[length_ - 1]) / 8;
    while (count > 0) {
      const std::size_t size = count < kBlock ? count : kBlock;
      const std::uint8_t* from = src;
      for (std::size_t i = 0; i < length_; ++i) {
        const bool is_last = i == length_ - 1;
        std::uint8_t* to = is_last ? dst : buffers[i % 2];
        steps_[i](from, to, size, context);
        from = to;
      }
      count -= size;
      src += src_block_bytes;
      dst += dst_block_bytes;
    }
  }

 private:
  static constexpr std::size_t kMaxSteps = 4;
  std::array<Step, kMaxSteps> steps_{};
  std::array<int, kMaxSteps> bits_{};
  std::size_t length_ = 0;
};

// In the next two functions `from` is float32, float64 or an integer of at least 8 bits. Results of a packed format
// have one code to a byte. A step is sticky if it cuts a number off toward zero and sets its last bit where that
// changed it, so that rounding the result once more is right (steps.h).

/// Adds the steps from `from` to the float format `to`. They round once: all but the last are exact or sticky.
void add_to_float(Chain& chain, const FormatRow& from, const FormatRow& to) {
  Format current = from.format;
  // To float64: integers of 8 or 16 bits become float32 first, which is exact.
  if (to.bits == 64) {
    if (from.bits < 32) {
      chain.add(number_to_float32(current), 32);
      current = Format::kFloat32;
    }
    return chain.add(number_to_float64(current), 64);
  }
  // To shorter floats: integers of 64 bits become a sticky float64 first. Then all become float32, which is sticky
  // unless it is the result.
  if (from.bits == 64 && !is_float(from)) {
    chain.add(integer_to_sticky_float64(current), 64);
    current = Format::kFloat64;
  }
  if (current != Format::kFloat32) {
    const bool is_result = to.bits == 32;
    chain.add(is_result ? number_to_float32(current) : number_to_sticky_float32(current), 32);
  }
  if (to.bits < 32) chain.add(float32_to_float(to.format), unpacked_bits(to));
}

/// Adds the steps from `from` to the integer format `to`; none where the result has the bits of `from`. Truncates
/// floats, and takes the result modulo 2^bits. Signs matter only where an integer gets wider.
void add_to_integer(Chain& chain, const FormatRow& from, const FormatRow& to) {
  if (to.bits == 64) {
    if (is_float(from)) {
      if (from.format == Format::kFloat32) chain.add(number_to_float64(from.format), 64);
      return chain.add(number_to_int64(Format::kFloat64), 64);
    }
    if (from.bits < 32) chain.add(number_to_int32(from.format), 32);
    return chain.add(number_to_int64(from.kind == Kind::kSigned ? Format::kInt32 : Format::kUint32), 64);
  }
  const int to_bits = unpacked_bits(to);
  if (!is_float(from) && from.bits == to_bits) return;
  // A step of its own, faster than the two below. Others go by int32, which integers of 32 bits are already.
  if (from.format == Format::kFloat32 && to_bits == 8) return chain.add(float32_to_int8(to.kind == Kind::kSigned), 8);
  if (is_float(from) || from.bits != 32) chain.add(number_to_int32(from.format), 32);
  if (to_bits < 32) chain.add(narrow_int32(to_bits), to_bits);
}

/// Adds the steps that convert any format to any other by arithmetic. Formats of fewer than 8 bits have one code to a
/// byte on both sides. First brings `from` to float32, float64 or an integer (`current`), without rounding.
void add_arithmetic(Chain& chain, const FormatRow& from, const FormatRow& to) {
  Format current = from.format;
  // A step of its own, faster than by float32.
  if (current == Format::kFloat16 && is_integer(to) && to.bits <= 16)
    return chain.add(float16_to_short(unpacked_bits(to)), unpacked_bits(to));
  if (is_float(from) && from.bits < 32) {
    chain.add(float_to_float32(current), 32);
    current = Format::kFloat32;
  } else if (from.kind == Kind::kBool) {
    chain.add(number_to_bool(current), 8);  // bytes other than 0 become 1
    current = Format::kUint8;
  }
  if (is_float(to)) {
    add_to_float(chain, row_of(current), to);
  } else if (is_integer(to)) {
    add_to_integer(chain, row_of(current), to);
  } else if (from.kind != Kind::kBool) {  // a bool is 0 or 1 by now
    chain.add(number_to_bool(current), 8);
  }
}

constexpr std::size_t kTableBytes = 256 * 8;  // 256 results of at most 64 bits

/// Converts all codes of `from`, a format of at most 4 bits, to `to`, by way of float32, and writes the results as
/// planes of bytes: byte k of the result for code c to table[16 * k + c]. `to` has at most 32 bits; results of fewer
/// than 8 have a byte each.
void fill_table16(const FormatRow& from, const FormatRow& to, const StepContext& context, std::uint8_t* table) {
  std::uint32_t numbers[16] = {};
  for (std::uint32_t code = 0; code < 1u << from.bits; ++code) numbers[code] = float32_of_code(from, code);
  std::uint8_t src[sizeof numbers], dst[sizeof numbers];
  std::memcpy(src, numbers, sizeof numbers);
  Chain chain;
  add_arithmetic(chain, row_of(Format::kFloat32), to);
  chain.run(src, 32, dst, 16, context);
  // From results side by side to planes.
  const std::size_t bytes = static_cast<std::size_t>(unpacked_bits(to)) / 8;  // of a result
  for (std::size_t code = 0; code < 16; ++code) {
    for (std::size_t k = 0; k < bytes; ++k) table[16 * k + code] = dst[code * bytes + k];
  }
}

/// Converts all codes of `from`, a format of 6 or 8 bits, to `to`, and writes 256 results side by side. Those of the 64
/// codes of 6 bits are there four times: lookup_of reads 256 results. Results of fewer than 8 bits have a byte each,
/// the high bits zero.
void fill_table256(const FormatRow& from, const FormatRow& to, const StepContext& context, std::uint8_t* table) {
  std::uint8_t codes[256];
  const unsigned highest_code = (1u << from.bits) - 1;
  for (unsigned i = 0; i < 256; ++i) codes[i] = static_cast<std::uint8_t>(i & highest_code);
  Chain chain;
  add_arithmetic(chain, from, to);
  chain.run(codes, 8, table, 256, context);
  if (!is_packed(to)) return;
  const auto result_mask = static_cast<std::uint8_t>((1u << to.bits) - 1);
  for (int i = 0; i < 256; ++i) table[i] &= result_mask;
}

/// Whether a conversion keeps all bits, so that a copy is enough: of a format to itself, except for bools, of which
/// some have to become 1, and of integers to integers of the same width, modulo 2^bits.
bool keeps_bits(const FormatRow& from, const FormatRow& to) {
  if (from.format == to.format) return from.kind != Kind::kBool;
  return from.bits == to.bits && is_integer(from) && is_integer(to);
}

/// Whether a table of the results for all 256 codes of `from` converts `count` elements faster than arithmetic does
/// (lookup_bytes.h has measurements): where arithmetic takes several steps for little output. Fewer than 1024 elements
/// do not pay for the table.
bool is_table256_faster(const FormatRow& from, const FormatRow& to, std::size_t count) {
  if (unpacked_bits(from) != 8 || count < 1024) return false;
  if (to.bits <= 8) return is_float(from) || is_float(to);
  return is_float(from) && (to.bits == 16 || (to.bits == 64 && !is_float(to)));
}

/// The row of a format as the options ask for it: with `codes`, a float of fewer than 8 bits counts as an unsigned
/// integer.
FormatRow row_of(Format format, ConvertOptions options) {
  FormatRow row = row_of(format);
  if (options.codes && is_packed(row) && is_float(row)) row.kind = Kind::kUnsigned;
  return row;
}

/// The tables that the steps of a chain read, through the context, when it runs.
struct Tables {
  alignas(16) std::uint8_t results[kTableBytes];
  ByteLookup rows;
};

/// Adds the steps from a format of 6 bits or more whose codes are bytes: a look-up where it is faster, else arithmetic.
/// Returns whether the results still have one code to a byte and must be packed.
bool add_from_bytes(Chain& chain, const FormatRow& from, const FormatRow& to, std::size_t count,
                    const StepContext& context, Tables& tables) {
  if (!is_table256_faster(from, to, count)) {
    add_arithmetic(chain, from, to);
    return is_packed(to);
  }
  fill_table256(from, to, context, tables.results);
  if (to.bits <= 8) tables.rows = lookup_of(tables.results, to.bits);
  // Look up in registers where the table has few different rows, else in memory.
  const bool fits_registers = to.bits <= 8 && tables.rows.count <= ByteLookup::kMaxVectors;
  if (!fits_registers) {
    chain.add(lookup_memory(unpacked_bits(to)), unpacked_bits(to));
    return is_packed(to);
  }
  // lookup_rows packs results of 4 and 2 bits, but not those of 6.
  const bool must_pack = is_packed(to) && !has_short_table(to);
  chain.add(lookup_rows(tables.rows, to.bits), must_pack ? unpacked_bits(to) : to.bits);
  return must_pack;
}

/// Adds the steps from one format to another, and fills the tables that they read. Returns whether the results still
/// have one code to a byte and must be packed.
bool add_steps(Chain& chain, const FormatRow& from, const FormatRow& to, std::size_t count, const StepContext& context,
               Tables& tables) {
  if (keeps_bits(from, to)) return false;  // no step: a copy
  if (is_packed(from) && is_integer(from) && is_integer(to) && to.bits == 8) {
    chain.add(extend_packed(from.bits, from.kind == Kind::kSigned), 8);
    return false;
  }
  if (has_short_table(from) && has_short_table(to)) {
    fill_table16(from, to, context, tables.results);
    chain.add(repack(from.bits, to.bits), to.bits);
    return false;
  }
  if (has_short_table(from)) {
    // float32 holds every number that a code of 4 bits can mean, so it does for 64-bit results too.
    const FormatRow& looked_up = to.bits == 64 ? row_of(Format::kFloat32) : to;
    fill_table16(from, looked_up, context, tables.results);
    chain.add(lookup_packed(from.bits, looked_up.format), unpacked_bits(looked_up));
    if (to.bits == 64) add_arithmetic(chain, looked_up, to);
    return is_packed(to);
  }
  if (is_packed(from)) chain.add(extend_packed(from.bits, false), 8);  // codes of 6 bits
  return add_from_bytes(chain, from, to, count, context, tables);
}

}  // namespace

/// Converts elements by the chain of steps of their two formats.
void convert(Format from_format, Format to_format, const std::uint8_t* src, std::uint8_t* dst, std::size_t count,
             ConvertOptions options) {
  if (count == 0) return;
  const FormatRow from = row_of(from_format, options), to = row_of(to_format, options);
  assert(!options.codes || (is_integer(from) && is_integer(to) && (from.bits == 8 || to.bits == 8)));
  Tables tables;
  const StepContext context{options, tables.results, &tables.rows};
  Chain chain;
  const bool must_pack = add_steps(chain, from, to, count, context, tables);
  if (must_pack) chain.add(pack(to.bits), to.bits);
  chain.run(src, from.bits, dst, count, context);
  // The bits after the last element become zero.
  const std::size_t bits = count * static_cast<std::size_t>(to.bits), last_bits = bits % 8;
  if (last_bits != 0) dst[bits / 8] &= static_cast<std::uint8_t>((1u << last_bits) - 1);
}

}  // namespace layout
