#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Memory of arrays that are taken one after the other, each at a multiple of 16 bytes. Without a base (nullptr) it
/// only counts bytes, in 64 bits, because a caller may ask for more than 32 bits can address.
class Arena {
 public:
  explicit Arena(std::uint8_t* base) : base_(base) {}

  /// Takes an array of `count` elements after those that are taken. Returns its address, or nullptr without a base.
  template <typename T>
  T* take(std::uint64_t count) {
    const std::uint64_t begin = used_, bytes = count * sizeof(T);
    used_ += (bytes + 15) / 16 * 16;
    return base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + begin);
  }
  /// Whether there is no memory: bytes are only counted.
  bool counts() const { return base_ == nullptr; }
  std::uint64_t used() const { return used_; }

 private:
  std::uint8_t* base_;
  std::uint64_t used_ = 0;
};

}  // namespace layout
