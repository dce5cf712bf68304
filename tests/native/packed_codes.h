#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

/// Codes in memory, from an odd address to the end of an allocation.
class Packed {
 public:
  Packed(int bits, std::size_t count, int fill)
      : bits_(bits), bytes_((count * static_cast<std::size_t>(bits) + 7) / 8), memory_(new std::uint8_t[bytes_ + 1]) {
    std::memset(memory_.get(), fill, bytes_ + 1);
  }
  std::uint8_t* data() { return memory_.get() + 1; }
  std::size_t bytes() const { return bytes_; }
  void set(std::size_t index, std::uint64_t code) {
    if (bits_ % 8 == 0) return void(std::memcpy(data() + index * width(), &code, width()));
    for (int bit = 0; bit < bits_; ++bit) {
      const std::size_t at = index * static_cast<std::size_t>(bits_) + static_cast<std::size_t>(bit);
      const int value = static_cast<int>(code >> bit & 1) << at % 8;
      data()[at / 8] = static_cast<std::uint8_t>((data()[at / 8] & ~(1 << at % 8)) | value);
    }
  }
  std::uint64_t get(std::size_t index) {
    std::uint64_t code = 0;
    if (bits_ % 8 == 0) {
      std::memcpy(&code, data() + index * width(), width());
      return code;
    }
    for (int bit = 0; bit < bits_; ++bit) {
      const std::size_t at = index * static_cast<std::size_t>(bits_) + static_cast<std::size_t>(bit);
      code |= static_cast<std::uint64_t>(data()[at / 8] >> at % 8 & 1) << bit;
    }
    return code;
  }

 private:
  std::size_t width() const { return static_cast<std::size_t>(bits_) / 8; }

  int bits_;
  std::size_t bytes_;
  std::unique_ptr<std::uint8_t[]> memory_;
};
