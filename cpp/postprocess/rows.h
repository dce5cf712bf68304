/// Planes of numbers that are made row by row, in steps: resized as torch.nn.functional.interpolate does, cut, mapped.
/// No step stores its result: each keeps the rows that the next one looks at, so masks of any size take a few rows of
/// memory. Rows of a plane are asked for in rising order, each any number of times.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layout {

/// Memory that steps take, one behind the other. Without a base it only counts, in 64 bits: more than there is to
/// address can be asked for.
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

/// A row that is a[x] * weights[0] + b[x] * weights[1], in the arithmetic of `blend_rows`.
struct BlendedRow {
  const float* rows[2];
  const float* weights;
};

class PlaneRows {
 public:
  int planes = 0;
  int height = 0;
  int width = 0;
  /// How many planes are one picture: torch rounds in two orders, by the place of a channel in its picture.
  int channels = 1;
  /// Not pure: the library's function for pure calls needs an import.
  virtual const float* row(int /*plane*/, int /*y*/) { return nullptr; }
  /// False where the last step does not blend two rows.
  virtual bool blended_row(int /*plane*/, int /*y*/, BlendedRow& /*to*/) { return false; }

 protected:
  ~PlaneRows() = default;
};

enum class Mode : std::uint8_t { kNearest, kNearestExact, kBilinear, kBicubic };

/// The kind of a step; its numbers follow it in the block.
enum class Step : std::uint8_t {
  kResize,   // height, width, mode, align_corners
  kCrop,     // top, left, height, width
  kGather,   // address of int32 planes, their count, channels
  kSigmoid,  // none
  kScale,    // factor, divisor: x * factor / divisor in float32 steps
  kClamp,    // least, most
  kInvert,   // none: 1 / x
  kMix,      // address of [planes, stride] weights, stride, classes: sums over the planes for the first classes
};

/// The last step of a block: source address, planes, channels, height, width, count of steps, then the steps.
/// Null where the arena only counts.
PlaneRows* make_rows(const double* block, Arena& arena);

}  // namespace layout
