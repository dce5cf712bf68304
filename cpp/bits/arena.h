#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Memory of arrays that are taken one behind the other, each at a multiple of 16 bytes. Without a base it only counts,
/// in 64 bits: more than there is to address can be asked for.
class Arena {
 public:
  explicit Arena(std::uint8_t* base) : base_(base) {}
  template <typename T>
  T* take(std::uint64_t count) {
    const std::uint64_t at = used_;
    used_ += (count * sizeof(T) + 15) / 16 * 16;
    return base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + at);
  }
  bool counts() const { return base_ == nullptr; }
  std::uint64_t used() const { return used_; }

 private:
  std::uint8_t* base_;
  std::uint64_t used_ = 0;
};

}  // namespace layout
