// Passes against sums of whole numbers, with tables of the filters and tables made by hand.

#include "passes_oracle.h"

using layout::Filter;
using layout::ResizeAxis;
using layout::Sums;
using layout::Taps;
using layout::TapTable;

namespace {

int cases = 0;

/// A table of any weights, as taps.h describes it: entries of up to `most` taps whose first ones and whose ends never
/// go back, with gaps between some, and some without taps. One of `pace` entries moves on.
class HandTable {
 public:
  HandTable(Sums sums, int count, int most, Random& random, int pace = 2) {
    std::vector<Taps> taps;
    std::vector<std::int16_t> parts;
    int first = random.below(5), end = first;
    const std::uint32_t precision = sums == Sums::kPillow ? 22u : static_cast<std::uint32_t>(random.below(23));
    const bool doubts = sums == Sums::kPillow && random.below(2) == 0;
    const int shift = doubts ? random.below(9) : 8;
    for (int i = 0; i < count; ++i) {
      if (random.below(pace) == 0) first += random.below(random.below(8) == 0 ? 3 * most : 3);
      const int least = std::max(end - first, random.below(8) == 0 ? 0 : 1);
      const int size = std::min(std::max(least, 1 + random.below(most)), std::max(least, most));
      const int taken = least == 0 && random.below(2) == 0 ? 0 : size;
      end = first + taken;
      const int words = static_cast<int>(parts.size() / 2);
      taps.push_back({first, taken, words, static_cast<std::int32_t>(1u << precision >> 1)});
      if (sums == Sums::kPillow) taps.back().shift = shift;
      append(sums, shift, precision, taken, parts, random);
      if (doubts) doubt(taps.back(), parts);
    }
    end_ = end;
    const TapTable head = {count, sums, 0, precision};
    const auto append_bytes = [&](const void* from, std::size_t bytes) {
      const auto* begin = static_cast<const std::uint8_t*>(from);
      bytes_.insert(bytes_.end(), begin, begin + bytes);
    };
    append_bytes(&head, sizeof head);
    append_bytes(taps.data(), taps.size() * sizeof(Taps));
    append_bytes(parts.data(), parts.size() * sizeof parts[0]);
    bytes_.shrink_to_fit();
  }

  const TapTable& table() const { return *reinterpret_cast<const TapTable*>(bytes_.data()); }
  int first() const { return table().taps()[0].first; }
  /// The pixel behind all taps.
  int end() const { return end_; }

 private:
  /// Appends the weights of `count` taps. Their sizes, times 255, stay within 32 bits, and add up to less than 4 units.
  static void append(Sums sums, int shift, std::uint32_t precision, int count, std::vector<std::int16_t>& parts,
                     Random& random) {
    const int room = std::min(7'900'000, 4 << precision) / std::max(count, 1), low_half = 1 << shift >> 1;
    // The high part has 16 bits.
    const int most = std::max(1, std::min(room, sums == Sums::kPillow ? (1 << (15 + shift)) - low_half : 1 << 15) - 1);
    std::vector<int> weights;
    for (int tap = 0; tap < count; ++tap) {
      const int size = random.below(4) == 0 ? most : random.below(most);
      weights.push_back(tap % 2 == 0 ? size : -size);
    }
    weights.resize(static_cast<std::size_t>((count + 1) / 2 * 2));
    for (std::size_t tap = 0; tap < weights.size(); tap += 2) {
      const int a = weights[tap], b = weights[tap + 1];
      if (sums == Sums::kPillow) {
        // With a shift of 8, the low part is from -128 to 127.
        const auto low = [&](int weight) { return ((weight + low_half) & ((1 << shift) - 1)) - low_half; };
        for (const int part : {(a - low(a)) / (1 << shift), (b - low(b)) / (1 << shift), low(a), low(b)})
          parts.push_back(static_cast<std::int16_t>(part));
      } else {
        for (const int part : {a, b}) parts.push_back(static_cast<std::int16_t>(part));
      }
    }
  }

  /// The start of the sum of the high parts, and the most that it may lack.
  static void doubt(Taps& entry, const std::vector<std::int16_t>& parts) {
    std::int64_t least = 1 << 21, most = least;
    for (auto i = 2 * static_cast<std::size_t>(entry.weights) + 2; i < parts.size(); i += 4) {
      for (const int low : {parts[i], parts[i + 1]}) (low < 0 ? least : most) += 255 * low;
    }
    entry.half = static_cast<std::int32_t>(least >> entry.shift);
    entry.doubt = static_cast<std::int32_t>((most >> entry.shift) - (least >> entry.shift));
  }

  std::vector<std::uint8_t> bytes_;
  int end_ = 0;
};

/// All taps of a hand-made table, down and across.
void check_hand_tables(Random& random) {
  // More vectors than are summed before those in doubt are summed again.
  for (int i = 0; i < 24; ++i, ++cases) {
    const HandTable hand(Sums::kPillow, 3, 9, random);
    check_down(hand.table(), 0, 3, hand.first(), 4090 + 1500 * (i % 4) + i, 0, 0, kFills[random.below(4)], random);
  }
  for (const Sums sums : {Sums::kPillow, Sums::kTorch}) {
    for (int row_bytes = 1; row_bytes <= 70; ++row_bytes) {
      for (const int most : {1, 2, 3, 4, 5, 9, 40}) {
        const HandTable hand(sums, 1 + random.below(12), most, random);
        const int first = random.below(hand.table().count), count = 1 + random.below(hand.table().count - first);
        const int base = random.below(hand.table().taps()[first].first + 1);
        check_down(hand.table(), first, count, base, row_bytes, random.below(3), random.below(3),
                   kFills[random.below(4)], random);
        ++cases;
      }
    }
    // Many results of the same pixels, and more columns of these than the tile holds.
    for (int i = 0; i < 24; ++i, ++cases) {
      const HandTable hand(sums, 2500, 4, random, 8);
      check_across(hand.table(), 0, hand.end(), 3, 1 + i, 0, 0, 0, kFills[random.below(4)], random);
    }
    for (int channels = 1; channels <= 4; ++channels) {
      for (int rows = 1; rows <= 35; ++rows) {
        for (const int most : {1, 2, 3, 8, 60}) {
          const HandTable hand(sums, 1 + random.below(70), most, random);
          const int base = random.below(hand.first() + 1), extent = hand.end() - base + random.below(20);
          check_across(hand.table(), base, extent, channels, rows, random.below(3), random.below(3),
                       16 * random.below(40), kFills[random.below(4)], random);
          ++cases;
        }
      }
    }
  }
}

/// A part of an axis, down the columns and across the rows.
void check_axis(const ResizeAxis& axis, Sums sums, int channels, int rows, Random& random) {
  const bool is_float = sums == Sums::kDouble;
  const int first = random.below(axis.size), count = 1 + random.below(axis.size - first);
  const MadeTable made(axis, sums, first, count, -1, random);
  const TapTable& table = made.table();
  const Taps& last = table.taps()[count - 1];
  const Fill fill = kFills[random.below(4)];
  const int pixel_bytes = is_float ? 4 : channels;
  const int base = random.below(table.taps()[0].first + 1);
  check_across(table, base, last.first + last.count - base, pixel_bytes, rows, random.below(3), random.below(3),
               16 * random.below(40), fill, random);
  ++cases;
  if (table.is_nearest) return;
  const int row = random.below(count), more = 1 + random.below(count - row);
  check_down(table, row, more, random.below(table.taps()[row].first + 1), pixel_bytes * rows, 4 * random.below(3),
             random.below(3), fill, random);
  ++cases;
}

void check_filters(Random& random) {
  const int extents[] = {1, 2, 3, 7, 8, 16, 17, 40, 97};
  for (const Filter filter : kFilters) {
    for (const Sums sums : {Sums::kPillow, Sums::kTorch, Sums::kDouble}) {
      for (const int extent : extents) {
        for (const int size : extents) {
          for (int channels = 1; channels <= 4; ++channels)
            check_axis({filter, extent, 0, static_cast<double>(extent), size}, sums, channels, 1 + random.below(35),
                       random);
        }
      }
    }
  }
}

/// Windows that fill the smallest tile, results that fill it, and both at once: whole axes.
void check_tiles(Random& random) {
  const int sides[][2] = {{5000, 2},    {3000, 40}, {1100, 1090}, {40, 3000},
                          {2100, 1500}, {2, 1100},  {1030, 1},    {9000, 1200}};
  const Filter filters[] = {Filter::kBox, Filter::kLanczos, Filter::kTorchBicubicPoint, Filter::kNearest};
  for (const Filter filter : filters) {
    for (const Sums sums : {Sums::kPillow, Sums::kTorch, Sums::kDouble}) {
      for (const auto& [extent, size] : sides) {
        const MadeTable made({filter, extent, 0, static_cast<double>(extent), size}, sums, 0, size, -1, random);
        for (int channels = 1; channels <= 4; ++channels, ++cases) {
          check_across(made.table(), 0, extent, sums == Sums::kDouble ? 4 : channels, 1 + random.below(20), 0, 0, 0,
                       kFills[random.below(4)], random);
        }
      }
    }
  }
}

/// Parts of a source without a width leave some results without taps: these are 0.
void check_no_taps(Random& random) {
  for (const Filter filter : {Filter::kBox, Filter::kNearest}) {
    for (const Sums sums : {Sums::kPillow, Sums::kDouble}) {
      const MadeTable made({filter, 9, 9, 9, 5}, sums, 0, 5, -1, random);
      check(made.table().taps()[4].count == 0, "filter %d", static_cast<int>(filter));
      check_across(made.table(), 9, 0, 4, 3, 0, 0, 0, Fill::kNoise, random);
      if (filter == Filter::kBox) check_down(made.table(), 0, 5, 9, 20, 0, 0, Fill::kNoise, random);
    }
  }
}

}  // namespace

int main() {
  Random random(1);
  check_hand_tables(random);
  check_filters(random);
  check_tiles(random);
  check_no_taps(random);
  std::printf("%d passes\n", cases);
}
