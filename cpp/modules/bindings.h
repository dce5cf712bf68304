#pragma once

#include <cstddef>
#include <cstdint>

// The memory of a module, which its functions and JS share.

namespace layout {

// All memory that callers may use. JS moves pieces of tensors of any size through it, so the module never allocates.
constexpr std::size_t kScratchBytes = std::size_t{13} << 20;
alignas(64) inline std::uint8_t scratch_bytes[kScratchBytes];

// The struct of a call with more than six numbers: JS writes its members, 32 bits each, in their order.
alignas(4) inline std::uint8_t call_block[128];

template <class Call>
const Call& call_of() {
  static_assert(sizeof(Call) <= sizeof(call_block) && alignof(Call) == 4);
  return reinterpret_cast<const Call&>(call_block);
}

/// A function of JS that takes its struct from the call's block.
template <class Call, auto kFunction>
auto of_call() {
  return kFunction(call_of<Call>());
}

}  // namespace layout
