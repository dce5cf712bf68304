// postprocess/rows.h says what these functions do.

#include "postprocess/rows.h"

#include <new>

#include "postprocess/plane_steps.h"

namespace layout {

namespace {

/// Reads the structs of a block one after the other.
class Block {
 public:
  explicit Block(const double* numbers) : next_(numbers) {}
  /// The struct that comes next.
  template <typename Struct>
  const Struct& next() {
    const auto* numbers = reinterpret_cast<const Struct*>(next_);
    next_ += sizeof(Struct) / sizeof(double);
    return *numbers;
  }
  Step step() { return static_cast<Step>(static_cast<int>(*next_++)); }

 private:
  const double* next_;
};

/// A whole number that JS wrote as a float64 number.
int int_of(double number) { return static_cast<int>(number); }

/// Makes a pointer of an address that JS wrote as a float64 number.
template <typename T>
const T* pointer_of(double address) {
  return reinterpret_cast<const T*>(static_cast<std::uintptr_t>(address));
}

/// Makes a step in the arena. Where the arena only counts, there is no memory: then all steps of a kind are one static
/// step, whose extents the next step reads.
template <typename T>
T* make_in(Arena& arena) {
  void* at = arena.take<T>(1);
  static T counted;
  return at == nullptr ? &counted : new (at) T();
}

/// Makes a step that reads the step `below`, with the extents of that one, which the caller may change.
template <typename T>
T* make_over(PlaneRows* below, Arena& arena) {
  T* step = make_in<T>(arena);
  step->planes = below->planes;
  step->channels = below->channels;
  step->height = below->height;
  step->width = below->width;
  step->below = below;
  return step;
}

// A bicubic resize looks at four rows of the step below it.
constexpr int kRowsKept = 4;

// Each of these functions makes one step in the arena from its struct in the block. plane_steps.h says what a step
// does.

/// Makes the planes in memory that the first step reads.
PlaneRows* make_source(const PlaneBlock& numbers, Arena& arena) {
  auto* source = make_in<Source>(arena);
  source->data = pointer_of<float>(numbers.source);
  source->planes = int_of(numbers.planes);
  source->channels = int_of(numbers.channels);
  source->height = int_of(numbers.height);
  source->width = int_of(numbers.width);
  return source;
}

/// How many neighbors make a number along one axis.
int tap_count_of(Mode mode) {
  switch (mode) {
    case Mode::kNearest:
    case Mode::kNearestExact:
      return 1;
    case Mode::kBilinear:
      return 2;
    case Mode::kBicubic:
      return 4;
  }
  return 1;
}

/// Makes kResize: the taps of both axes, and memory for the rows that it keeps.
PlaneRows* make_resized(PlaneRows* below, const ResizeNumbers& numbers, Arena& arena) {
  auto* step = make_over<Resized>(below, arena);
  step->height = int_of(numbers.height);
  step->width = int_of(numbers.width);
  step->mode = static_cast<Mode>(int_of(numbers.mode));
  step->align = numbers.align_corners != 0;
  // torch's kernel of small results; it and bicubic compute positions by a fused multiply-add.
  step->is_small = step->mode == Mode::kBilinear && step->height + step->width <= 128;
  const bool is_fused = step->is_small || step->mode == Mode::kBicubic;
  const int taps = tap_count_of(step->mode);
  const auto init_axis = [&](AxisTaps& axis, int length, int count) {
    axis.taps = taps;
    axis.count = count;
    const auto tap_total = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(taps);
    axis.indices = arena.take<std::int32_t>(tap_total);
    axis.factors = arena.take<float>(tap_total);
    if (!arena.counts()) make_taps(step->mode, length, step->align, is_fused, axis);
  };
  init_axis(step->columns, below->width, step->width);
  init_axis(step->rows, below->height, step->height);
  step->across.init(arena, step->planes, taps, step->width);
  step->done.init(arena, step->planes, kRowsKept, step->width);
  return step;
}

/// Makes kCrop: a part of each plane.
PlaneRows* make_cropped(PlaneRows* below, const CropNumbers& numbers, Arena& arena) {
  auto* step = make_over<Cropped>(below, arena);
  step->top = int_of(numbers.top);
  step->left = int_of(numbers.left);
  step->height = int_of(numbers.height);
  step->width = int_of(numbers.width);
  return step;
}

/// Makes kGather: picks planes of the step below by their indices. Each `channels` of the picked ones are one picture.
PlaneRows* make_gathered(PlaneRows* below, const GatherNumbers& numbers, Arena& arena) {
  auto* step = make_over<Gathered>(below, arena);
  step->indices = pointer_of<std::int32_t>(numbers.indices);
  step->planes = int_of(numbers.planes);
  step->channels = int_of(numbers.channels);
  return step;
}

/// Makes the steps kSigmoid, kScale, kClamp and kInvert, with the numbers of kScale and kClamp.
PlaneRows* make_mapped(PlaneRows* below, Step kind, double first, double second, Arena& arena) {
  auto* step = make_over<Mapped>(below, arena);
  step->step = kind;
  step->first = static_cast<float>(first);
  step->second = static_cast<float>(second);
  step->kept.init(arena, below->planes, kRowsKept, below->width);
  return step;
}

/// Makes kMix: a plane for each class, with memory for the rows that it keeps.
PlaneRows* make_mixed(PlaneRows* below, const MixNumbers& numbers, Arena& arena) {
  auto* step = make_over<Mixed>(below, arena);
  step->weights = pointer_of<float>(numbers.weights);
  step->stride = int_of(numbers.stride);
  step->planes = step->channels = int_of(numbers.classes);
  step->kept.init(arena, step->planes, kRowsKept, below->width);
  return step;
}

/// Reads the next step of a block and makes it, over the step `below`. Returns it.
PlaneRows* make_step(PlaneRows* below, Block& block, Arena& arena) {
  const Step kind = block.step();
  switch (kind) {
    case Step::kResize:
      return make_resized(below, block.next<ResizeNumbers>(), arena);
    case Step::kCrop:
      return make_cropped(below, block.next<CropNumbers>(), arena);
    case Step::kGather:
      return make_gathered(below, block.next<GatherNumbers>(), arena);
    case Step::kSigmoid:
    case Step::kInvert:
      return make_mapped(below, kind, 1, 1, arena);
    case Step::kScale: {
      const auto& [factor, divisor] = block.next<ScaleNumbers>();
      return make_mapped(below, kind, factor, divisor, arena);
    }
    case Step::kClamp: {
      const auto& [least, most] = block.next<ClampNumbers>();
      return make_mapped(below, kind, least, most, arena);
    }
    case Step::kMix:
      return make_mixed(below, block.next<MixNumbers>(), arena);
  }
  return below;
}

}  // namespace

PlaneRows* make_rows(const double* numbers, Arena& arena) {
  Block block(numbers);
  const auto& head = block.next<PlaneBlock>();
  PlaneRows* rows = make_source(head, arena);
  for (int left = int_of(head.steps); left > 0; --left) rows = make_step(rows, block, arena);
  return rows;
}

}  // namespace layout
