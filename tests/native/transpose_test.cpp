// Boxes of all widths and ranks, random ones too, against a loop over bits that shares nothing with the code under
// test.

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "box.h"
#include "convert/formats.h"

namespace {

void run(const Box& box, Random& random) { check_transpose(box, random); }

std::vector<int> identity(std::size_t rank) {
  std::vector<int> perm;
  for (std::size_t i = 0; i < rank; ++i) perm.push_back(static_cast<int>(i));
  return perm;
}

constexpr int kWidths[] = {2, 4, 6, 8, 16, 32, 64, 128, 24, 96};
constexpr int kPackedWidths[] = {2, 4, 6};

constexpr bool is_every_format_here() {
  for (const layout::FormatRow& row : layout::kFormatTable) {
    if (std::find(std::begin(kWidths), std::end(kWidths), row.bits) == std::end(kWidths)) return false;
  }
  return true;
}
static_assert(is_every_format_here(), "elements of every number format move");

/// The bits of a byte at which packed elements begin are the multiples of this.
int phase_step(int bits) { return std::gcd(bits, 8); }

/// Any extents, 0 included, any order, gaps and phases.
Box random_box(int bits, std::size_t rank, Random& random) {
  std::vector<std::int64_t> extents;
  std::int64_t size = 1;
  const std::int64_t most = random.below(20) == 0 ? 20000 : 600;
  for (std::size_t i = 0; i < rank; ++i) {
    std::int64_t extent = random.below(8) == 0 ? random.below(150) : 1 + random.below(7);
    if (size * extent > most) extent = 1;
    size *= extent;
    extents.push_back(extent);
  }
  std::vector<int> perm = identity(rank);
  for (std::size_t i = rank; i > 1; --i)
    std::swap(perm[i - 1], perm[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
  const int rarely = 1 + random.below(8);
  Box box = box_of(bits, extents, perm, [&] { return random.below(rarely) == 0 ? random.below(9) : 0; });
  if (bits < 8 && random.below(2) == 0) {
    box.src_phase = bits * random.below(8) % 8;
    box.dst_phase = bits * random.below(8) % 8;
  }
  return box;
}

void run_random_boxes(Random& random) {
  for (int round = 0; round < 30000; ++round) {
    const int bits = kWidths[random.below(static_cast<int>(std::size(kWidths)))];
    run(random_box(bits, static_cast<std::size_t>(random.below(9)), random), random);
  }
}

/// A box whose source strides keep their values, change their signs or become 0: the digits of `ways` in base 3 say
/// which, for the last axis first.
Box with_source_strides(Box box, int ways) {
  for (std::size_t i = box.axes.size(); i-- > 0; ways /= 3)
    box.axes[i].src_stride *= ways % 3 == 2 ? 0 : 1 - 2 * (ways % 3);
  return box;
}

/// Random boxes of every width and rank, with source strides of any sign.
void run_random_source_strides(Random& random) {
  for (const int bits : kWidths) {
    for (std::size_t rank = 0; rank <= 8; ++rank) {
      for (int round = 0; round < 120; ++round) {
        const Box box = random_box(bits, rank, random);
        run(with_source_strides(box, random.below(6561)), random);
      }
    }
  }
}

/// Every order of three axes, with every choice of signs and zeros for their source strides.
void run_every_source_stride(Random& random) {
  for (const std::vector<std::int64_t>& extents : {std::vector<std::int64_t>{3, 17, 5}, {32, 3, 20}, {64, 4, 4}}) {
    for (const int bits : kWidths) {
      std::vector<int> perm = identity(extents.size());
      do {
        const Box box = box_of(bits, extents, perm, [&] { return random.below(4) == 0 ? random.below(3) : 0; });
        for (int ways = 0; ways < 27; ++ways) run(with_source_strides(box, ways), random);
      } while (std::next_permutation(perm.begin(), perm.end()));
    }
  }
}

/// Boxes for each way to move, with source strides that are negative or 0.
void run_ways_with_source_strides(Random& random) {
  for (const int bits : kWidths) {
    // A row of small blocks whose elements lie before and after their block: 0, 8, -2, 6, 1, 9, -1 and 7.
    run({bits, {{64, 8 * bits, 8 * bits}, {2, bits, 4 * bits}, {2, -2 * bits, 2 * bits}, {2, 8 * bits, bits}}, 0, 0},
        random);
    // Rows of the source in reverse, and one row again and again, with few rows and with more than a block of them.
    for (const int rows : {2, 3, 4, 7, 40, 300}) {
      for (const int stride : {-70 * bits, 0}) {
        run({bits, {{rows, stride, bits}, {70, bits, rows * bits}}, 0, 0}, random);
        run({bits, {{5, 70 * rows * bits, 70 * rows * bits}, {rows, stride, bits}, {70, bits, rows * bits}}, 0, 0},
            random);
      }
      run({bits, {{3, -70 * rows * bits, 70 * rows * bits}, {70, rows * bits, bits}, {rows, bits, 70 * bits}}, 0, 0},
          random);
    }
    // Rows of the destination that meet in few sets of a cache.
    const int elements = 8 * 4096 / bits;
    run({bits, {{33, -elements * bits, bits}, {21, bits, elements * bits}}, 0, 0}, random);
  }
}

/// Packed elements that lie before the element at index 0, and runs of them, at every phase.
void run_phases_backward(Random& random) {
  for (const int bits : kPackedWidths) {
    for (int src_phase = 0; src_phase < 8; src_phase += phase_step(bits)) {
      for (int dst_phase = 0; dst_phase < 8; dst_phase += phase_step(bits)) {
        for (int extent = 1; extent < 150; extent += extent < 20 ? 1 : 13) {
          run({bits, {{extent, -bits, bits}}, src_phase, dst_phase}, random);
          for (const int gap : {0, 1, 5}) {
            const int row = (extent + gap) * bits;
            run({bits, {{3, -row, extent * bits}, {extent, bits, bits}}, src_phase, dst_phase}, random);
            run({bits, {{5, -row, bits}, {extent, bits, 7 * bits}}, src_phase, dst_phase}, random);
          }
        }
      }
    }
  }
}

void run_every_permutation(Random& random) {
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{3, 17, 5, 9, 31}, {2, 3, 4, 5, 6}, {8, 4, 3, 2, 16}}) {
    for (const int bits : kWidths) {
      std::vector<int> perm = identity(extents.size());
      do {
        run(box_of(bits, extents, perm, [] { return 0; }), random);
      } while (std::next_permutation(perm.begin(), perm.end()));
      if (extents[1] == 17 && bits >= 64) break;  // takes seconds, and the other widths cover it
    }
  }
}

/// 2-D boxes longer than a block on each side, and boxes whose strides meet in few sets of a cache.
void run_long_sides(Random& random) {
  for (const int bits : kWidths) {
    for (const auto& [rows, columns] : {std::pair{300, 5}, {5, 300}, {257, 259}, {513, 20}, {64, 300}, {70, 600}}) {
      run(box_of(bits, {rows, columns}, {1, 0}, [] { return 0; }), random);
      run(box_of(bits, {rows, columns}, {1, 0}, [&] { return random.below(5); }), random);
    }
    const int elements = 8 * 4096 / bits;
    run({bits, {{33, elements * bits, bits}, {21, bits, elements * bits}}, 0, 0}, random);
    run({bits, {{70, elements * bits, bits}, {90, bits, 70 * bits}}, 0, 0}, random);
    run({bits, {{70, 90 * bits, bits}, {90, bits, elements * bits}}, 0, 0}, random);
  }
}

/// Long rows of blocks, of up to 64 bytes and a little more.
void run_small_blocks(Random& random) {
  for (const int bits : kWidths) {
    for (const std::int64_t count : {1, 2, 7, 64, 131}) {
      for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 3}, {3, 3}, {4, 4}, {5, 3}, {3, 7}, {8, 8}, {2, 33}}) {
        run(box_of(bits, {count, rows, columns}, {0, 2, 1}, [] { return 0; }), random);
      }
      run(box_of(bits, {3, count, 2, 3, 2}, {1, 0, 4, 3, 2}, [] { return 0; }), random);
      run(box_of(bits, {count, 2, 2, 3}, {0, 2, 1, 3}, [] { return 0; }), random);
    }
  }
}

/// Patches of pictures: short runs of a few planes make up one run of pixels, and the way back. The patches' rows lie
/// apart in the planes, run backwards there, or are one row again and again.
void run_patches(Random& random) {
  for (const int bits : kWidths) {
    for (const int planes : {2, 3, 4, 7}) {
      for (const int width : {1, 7, 8, 14, 16, 18, 33, 90}) {
        for (const int rows : {2, 5, 16, 70, 200}) {
          const int row = (width + random.below(3)) * bits;
          const int plane = (rows * row) + random.below(3) * bits;
          const int pixel = planes * bits;
          run({bits, {{rows, row, width * pixel}, {width, bits, pixel}, {planes, plane, bits}}, 0, 0}, random);
          run({bits, {{rows, -row, width * pixel}, {width, bits, pixel}, {planes, -plane, bits}}, 0, 0}, random);
          run({bits, {{rows, 0, width * pixel}, {width, bits, pixel}, {planes, row, bits}}, 0, 0}, random);
          run({bits, {{planes, bits, plane}, {rows, width * pixel, row}, {width, pixel, bits}}, 0, 0}, random);
          if (rows > 16) continue;
          // Rows and planes that begin on bytes, whatever the width is, and pictures behind one another.
          const int whole = (row + 7) / 8 * 8, far = rows * whole + 8, image = planes * far;
          const int pixels = (rows * width * pixel + 7) / 8 * 8;
          run({bits,
               {{2, image, pixels}, {rows, whole, width * pixel}, {width, bits, pixel}, {planes, far, bits}},
               0,
               0},
              random);
          run({bits,
               {{2, pixels, image}, {planes, bits, far}, {rows, width * pixel, whole}, {width, pixel, bits}},
               0,
               0},
              random);
        }
      }
      const int image = planes * 3 * 9 * 2 * 17 * bits;
      run({bits,
           {{2, image, image},
            {3, 9 * 2 * 17 * bits, 9 * 2 * 17 * planes * bits},
            {2, 17 * bits, 9 * 17 * planes * bits},
            {9, 2 * 17 * bits, 17 * planes * bits},
            {17, bits, planes * bits},
            {planes, 3 * 9 * 2 * 17 * bits, bits}},
           0,
           0},
          random);
    }
  }
}

/// Runs of packed elements, from every phase to every phase.
void run_phases(Random& random) {
  for (const int bits : kPackedWidths) {
    for (int src_phase = 0; src_phase < 8; src_phase += phase_step(bits)) {
      for (int dst_phase = 0; dst_phase < 8; dst_phase += phase_step(bits)) {
        for (int extent = 1; extent < 300; extent += extent < 140 ? 1 : 13) {
          run({bits, {{extent, bits, bits}}, src_phase, dst_phase}, random);
          run({bits, {{3, (extent + 5) * bits, extent * bits}, {extent, bits, bits}}, src_phase, dst_phase}, random);
          run({bits, {{5, extent * bits, bits}, {extent, bits, 7 * bits}}, src_phase, dst_phase}, random);
        }
      }
    }
  }
}

/// Boxes whose elements do not lie side by side on one side or on both.
void run_gathers(Random& random) {
  for (const int bits : kWidths) {
    run({bits, {{7, 3 * bits, 5 * bits}, {5, 21 * bits, bits}}, 0, 0}, random);
    run({bits, {{7, bits, 5 * bits}, {5, 7 * bits, 35 * bits}}, 0, 0}, random);
    run({bits, {{7, 2 * bits, 15 * bits}, {5, 21 * bits, 3 * bits}}, 0, 0}, random);
    // A stride of 0: several elements of the result are one element of the source.
    run({bits, {{7, 0, bits}, {5, bits, 7 * bits}}, 0, 0}, random);
    run({bits, {{40, 0, bits}, {3, bits, 40 * bits}}, 0, 0}, random);
    run({bits, {}, 0, 0}, random);
    run({bits, {{0, bits, bits}}, 0, 0}, random);
  }
}

/// Boxes that differ in one thing from the box before: what is kept of one box must not serve another.
void run_neighbors(Random& random) {
  const Box first{8, {{9, 40, 32}, {2, 8, 16}}, 0, 0};
  Box extent = first, source = first, destination = first, rank = first, bits = first;
  extent.axes[1].extent = 3;
  source.axes[1].src_stride = 16;
  destination.axes[1].dst_stride = 8;
  rank.axes.pop_back();
  bits.element_bits = 16;
  for (const Box& second : {extent, source, destination, rank, bits}) {
    for (const Box& box : {first, second, second, first}) run(box, random);
  }
  const Box packed{4, {{9, 24, 32}, {2, 4, 4}}, 0, 0};
  for (const auto& [src_phase, dst_phase] : {std::pair{0, 0}, {4, 0}, {0, 4}, {4, 4}, {0, 0}}) {
    Box box = packed;
    box.src_phase = src_phase;
    box.dst_phase = dst_phase;
    run(box, random);
  }
}

}  // namespace

int main() {
  Random random(3);
  run_neighbors(random);
  run_gathers(random);
  run_phases(random);
  run_small_blocks(random);
  run_patches(random);
  run_long_sides(random);
  run_every_permutation(random);
  run_random_boxes(random);
  run_ways_with_source_strides(random);
  run_phases_backward(random);
  run_every_source_stride(random);
  run_random_source_strides(random);
  std::puts("boxes");
}
