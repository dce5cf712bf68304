#pragma once

#include <cstddef>
#include <cstdint>

// The parts that layout.wasm and image.wasm have in common: the size of the scratch area, and the block of a call.

namespace layout {

// The scratch area, which layout.wasm holds: pieces of tensors and images of any size pass through it, so no module
// allocates.
constexpr std::size_t kScratchBytes = std::size_t{13} << 20;

// The struct of a call with more than six numbers: JS writes its members, 32 bits each, in their order. Each module has
// its own.
alignas(4) inline std::uint8_t call_block[128];

/// The struct that JS wrote to call_block.
template <class Call>
const Call& call_of() {
  static_assert(sizeof(Call) <= sizeof(call_block) && alignof(Call) == 4);
  return reinterpret_cast<const Call&>(call_block);
}

/// Calls kFunction with the struct that JS wrote to call_block, and returns its result.
template <class Call, auto kFunction>
auto of_call() {
  return kFunction(call_of<Call>());
}

}  // namespace layout
