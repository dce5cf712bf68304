#include "image/pixels.h"

namespace layout {

namespace {

template <class T>
void sum(const Neighbors& call) {
  constexpr int kBlock = 8;
  T* to = static_cast<T*>(call.numbers);
  const T* from = to + call.reach * call.stride;
  for (std::int32_t k = 0; k < call.count; k += kBlock) {
    double sums[kBlock];
    for (int b = 0; b < kBlock; ++b) sums[b] = static_cast<double>(from[k + b]) * call.weights[0];
    for (std::int32_t i = call.reach; i > 0; --i) {
      const T *before = from + k - i * call.stride, *behind = from + k + i * call.stride;
      for (int b = 0; b < kBlock; ++b)
        sums[b] += (static_cast<double>(before[b]) + static_cast<double>(behind[b])) * call.weights[i];
    }
    for (int b = 0; b < kBlock; ++b) to[k + b] = static_cast<T>(sums[b]);
  }
}

}  // namespace

void sum_neighbors(const Neighbors& call) { call.element == 1 ? sum<std::uint8_t>(call) : sum<float>(call); }

}  // namespace layout
