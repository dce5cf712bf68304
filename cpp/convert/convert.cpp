#include "convert/convert.h"

#include <array>
#include <cassert>
#include <cstring>

#include "convert/formats.h"
#include "convert/steps.h"

namespace layout {
namespace {

/// A conversion as steps through intermediate formats.
class Chain {
 public:
  /// `bits` is the width of what the step gives.
  void add(Step step, int bits) {
    assert(length_ < kMostSteps);
    steps_[length_] = step;
    bits_[length_++] = bits;
  }

  /// Without a step, a copy. With more than one, in blocks, so that what lies between the steps stays in the
  /// first-level cache.
  void run(const std::uint8_t* src, int src_bits, std::uint8_t* dst, std::size_t count,
           const StepContext& context) const {
    if (length_ == 0) {
      std::memcpy(dst, src, (count * static_cast<std::size_t>(src_bits) + 7) / 8);
      return;
    }
    if (length_ == 1) return steps_[0](src, dst, count, context);
    constexpr std::size_t kBlock = 512;  // elements; whole bytes of any format
    alignas(16) std::uint8_t between[2][kBlock * 8];
    const std::size_t src_step = kBlock * static_cast<std::size_t>(src_bits) / 8;
    const std::size_t dst_step = kBlock * static_cast<std::size_t>(bits_[length_ - 1]) / 8;
    for (; count > 0; src += src_step, dst += dst_step) {
      const std::size_t size = count < kBlock ? count : kBlock;
      const std::uint8_t* from = src;
      for (std::size_t i = 0; i < length_; ++i) {
        std::uint8_t* to = i == length_ - 1 ? dst : between[i % 2];
        steps_[i](from, to, size, context);
        from = to;
      }
      count -= size;
    }
  }

 private:
  static constexpr std::size_t kMostSteps = 4;
  std::array<Step, kMostSteps> steps_{};
  std::array<int, kMostSteps> bits_{};
  std::size_t length_ = 0;
};

bool is_float(const FormatRow& row) { return row.kind == Kind::kFloat; }
bool is_integer(const FormatRow& row) { return row.kind == Kind::kUnsigned || row.kind == Kind::kSigned; }
/// Of a code that is not packed.
int unpacked_bits(const FormatRow& row) { return row.bits < 8 ? 8 : row.bits; }

// In what follows `from` is float32, float64 or an integer of at least 8 bits. Packed results come as one code a byte.

/// Rounds once: whatever is inexact on the way is sticky.
void add_to_float(Chain& chain, const FormatRow& from, const FormatRow& to) {
  Format wide = from.format;
  if (to.bits == 64) {
    if (from.bits < 32) {
      chain.add(number_to_float32(wide), 32);
      wide = Format::kFloat32;
    }
    chain.add(number_to_float64(wide), 64);
    return;
  }
  if (from.bits == 64 && !is_float(from)) {
    chain.add(integer_to_sticky_float64(wide), 64);
    wide = Format::kFloat64;
  }
  if (wide != Format::kFloat32) chain.add(to.bits == 32 ? number_to_float32(wide) : number_to_sticky_float32(wide), 32);
  if (to.bits < 32) chain.add(float32_to_float(to.format), unpacked_bits(to));
}

/// Adds nothing where the low bits are all there is to take.
void add_to_integer(Chain& chain, const FormatRow& from, const FormatRow& to) {
  if (to.bits == 64) {
    if (from.format == Format::kFloat32) chain.add(number_to_float64(from.format), 64);
    if (from.bits < 32) chain.add(number_to_int32(from.format), 32);
    const Format integer = from.kind == Kind::kSigned ? Format::kInt32 : Format::kUint32;
    chain.add(number_to_int64(is_float(from) ? Format::kFloat64 : integer), 64);
    return;
  }
  const int bits = unpacked_bits(to);
  if (!is_float(from) && from.bits == bits) return;
  if (from.format == Format::kFloat32 && bits == 8) {
    chain.add(float32_to_int8(to.kind == Kind::kSigned), 8);
    return;
  }
  if (is_float(from) || from.bits != 32) chain.add(number_to_int32(from.format), 32);
  if (bits < 32) chain.add(narrow_int32(bits), bits);
}

/// The conversion by arithmetic; `from` of at least 8 bits.
void add_arithmetic(Chain& chain, const FormatRow& from, const FormatRow& to) {
  Format wide = from.format;
  if (wide == Format::kFloat16 && is_integer(to) && to.bits <= 16) {
    chain.add(float16_to_short(unpacked_bits(to)), unpacked_bits(to));
    return;
  }
  if (is_float(from) && from.bits < 32) {
    chain.add(float_to_float32(wide), 32);
    wide = Format::kFloat32;
  } else if (from.kind == Kind::kBool) {
    chain.add(number_to_bool(wide), 8);
    wide = Format::kUint8;
  }
  if (to.kind == Kind::kFloat)
    add_to_float(chain, row_of(wide), to);
  else if (to.kind != Kind::kBool)
    add_to_integer(chain, row_of(wide), to);
  else if (from.kind != Kind::kBool)
    chain.add(number_to_bool(wide), 8);
}

constexpr std::size_t kTableBytes = 256 * 8;

/// What the 16 codes of a packed format become, found by arithmetic: byte k of code c at table[16 * k + c].
void fill_table16(const FormatRow& from, const FormatRow& to, const StepContext& context, std::uint8_t* table) {
  std::uint32_t numbers[16] = {};
  for (std::uint32_t code = 0; code < 1u << from.bits; ++code) numbers[code] = float32_of_code(from, code);
  std::uint8_t src[sizeof numbers], dst[sizeof numbers];
  std::memcpy(src, numbers, sizeof numbers);
  Chain chain;
  add_arithmetic(chain, row_of(Format::kFloat32), to);
  chain.run(src, 32, dst, 16, context);
  const std::size_t bytes = to.bits < 8 ? 1 : static_cast<std::size_t>(to.bits) / 8;
  for (std::size_t i = 0; i < 16 * bytes; ++i) table[i % bytes * 16 + i / bytes] = dst[i];
}

/// What the 256 codes of an 8-bit format become; see StepContext.
void fill_table256(const FormatRow& from, const FormatRow& to, const StepContext& context, std::uint8_t* table) {
  std::uint8_t codes[256];
  for (int code = 0; code < 256; ++code) codes[code] = static_cast<std::uint8_t>(code);
  Chain chain;
  add_arithmetic(chain, from, to);
  chain.run(codes, 8, table, 256, context);
  if (to.bits >= 8) return;
  for (int code = 0; code < 256; ++code) table[code] &= static_cast<std::uint8_t>((1u << to.bits) - 1);
}

bool same_bits(const FormatRow& from, const FormatRow& to) {
  if (from.format == to.format) return from.kind != Kind::kBool;
  return from.bits == to.bits && is_integer(from) && is_integer(to);
}

/// Whether a table of all codes beats arithmetic: where that takes more than a step or two for little output.
bool worth_table256(const FormatRow& from, const FormatRow& to, std::size_t count) {
  if (from.bits != 8 || count < 1024) return false;
  return to.bits == 64 ? is_float(from) && !is_float(to) : to.bits <= 16 && (is_float(from) || is_float(to));
}

/// Rows that are worth their work: 0.03 ns an element each, where the look-up in memory takes 0.36 (measured).
constexpr int kFewRows = 12;

}  // namespace

void convert(Format from_format, Format to_format, const std::uint8_t* src, std::uint8_t* dst, std::size_t count,
             ConvertOptions options) {
  if (count == 0) return;
  const FormatRow& from = row_of(from_format);
  const FormatRow& to = row_of(to_format);
  alignas(16) std::uint8_t table[kTableBytes];
  RowTable rows;
  SelectTable selects;
  StepContext context{options};
  Chain chain;
  if (same_bits(from, to)) {
    // no step: a copy
  } else if (from.bits < 8 && to.bits < 8) {
    fill_table16(from, to, context, table);
    context.table = table;
    chain.add(repack(from.bits, to.bits), to.bits);
  } else {
    bool packed = false;
    if (worth_table256(from, to, count)) {
      fill_table256(from, to, context, table);
      context.table = table;
      if (to.bits < 8) {
        selects = selects_of(table, to.bits);
        context.selects = &selects;
        chain.add(lookup_selected(selects, to.bits), to.bits);
        packed = true;
      } else {
        if (to.bits == 8) rows = rows_of(table, from.kind == Kind::kSigned);
        context.rows = &rows;
        chain.add(to.bits == 8 && rows.count <= kFewRows ? lookup_rows(rows) : lookup256(to.bits), to.bits);
      }
    } else if (from.bits < 8 && is_integer(from) && is_integer(to) && to.bits == 8) {
      chain.add(extend_packed(from.bits, from.kind == Kind::kSigned), 8);
    } else if (from.bits < 8) {
      // Of 64-bit numbers, float32 holds all that codes of 4 bits can mean.
      const FormatRow& looked_up = to.bits == 64 ? row_of(Format::kFloat32) : to;
      fill_table16(from, looked_up, context, table);
      context.table = table;
      chain.add(lookup_packed(from.bits, looked_up.format), looked_up.bits);
      if (to.bits == 64) add_arithmetic(chain, looked_up, to);
    } else {
      add_arithmetic(chain, from, to);
    }
    if (to.bits < 8 && !packed) chain.add(pack(to.bits), to.bits);
  }
  chain.run(src, from.bits, dst, count, context);
  const std::size_t bits = count * static_cast<std::size_t>(to.bits);
  if (bits % 8 != 0) dst[bits / 8] &= static_cast<std::uint8_t>((1u << bits % 8) - 1);
}

}  // namespace layout
