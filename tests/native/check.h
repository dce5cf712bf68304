#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

/// Ends the test with the place and the values unless `condition` holds: check(a == b, "rank %d", rank).
#define check(condition, ...)                                              \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      std::fprintf(stderr, __VA_ARGS__);                                   \
      std::fprintf(stderr, "\n");                                          \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

/// The same numbers on every machine (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  /// A number in [0, end).
  int below(int end) { return static_cast<int>(bits() % static_cast<std::uint64_t>(end)); }

 private:
  std::uint64_t state_;
};

/// Random bytes in memory of exactly this size: AddressSanitizer reports the first byte beyond it.
struct Memory {
  Memory(std::int64_t bytes, Random& random) : size(static_cast<std::size_t>(bytes)), data(new std::uint8_t[size]) {
    for (std::size_t i = 0; i < size; i += 8) {
      const std::uint64_t bits = random.bits();
      std::memcpy(data.get() + i, &bits, std::min<std::size_t>(size - i, 8));
    }
  }

  Memory(const Memory& other) : size(other.size), data(new std::uint8_t[size]) {
    std::copy_n(other.data.get(), size, data.get());
  }

  std::size_t size;
  std::unique_ptr<std::uint8_t[]> data;
};

/// The source of a call, and its destination before and after.
struct Moved {
  Memory src;
  Memory before;
  Memory after;
  std::int64_t src_first = 0;  // the byte of `src` whose address the call gets: others may lie before it
};

/// The first byte in which two memories of one size differ, or -1.
inline std::int64_t first_difference(const Memory& a, const Memory& b) {
  if (std::memcmp(a.data.get(), b.data.get(), a.size) == 0) return -1;
  for (std::size_t i = 0; i < a.size; ++i) {
    if (a.data[i] != b.data[i]) return static_cast<std::int64_t>(i);
  }
  return -1;
}
