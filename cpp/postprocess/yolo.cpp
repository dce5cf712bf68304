// postprocess/yolo.h says what these functions do.

#include "postprocess/yolo.h"

#include <cmath>
#include <utility>

#include "elementary/elementary.h"
#include "postprocess/boxes.h"

namespace layout {

namespace {

// The numbers after a box: of an anchor's channels, and of a row [box, score, class].
constexpr std::size_t kObjectnessChannel = kSides;
constexpr std::size_t kScoreColumn = kSides, kClassColumn = kSides + 1;
// The columns of a rotated box: center, size, angle.
constexpr std::size_t kXColumn = 0, kYColumn = 1, kWidthColumn = 2, kHeightColumn = 3, kAngleColumn = 4;
constexpr std::size_t kRotatedBox = 5;
/// Anchors that are walked together: four vectors of scores, four of classes.
constexpr std::size_t kLanes = 16;
constexpr double kEpsilon = 1e-7;
constexpr float kHalfTurn = 3.14159274F;
constexpr float kQuarterTurn = 1.57079637F;

/// Finds the best class of each of `Lanes` neighboring anchors, and its score times `factor`. Goes class by class, so
/// that each number is read once and in order. An anchor with a NaN gets NaN: `nan_or_zero` keeps it.
template <std::size_t Lanes>
void best_classes(const float* scores, const Head& head, float factor, float* best, std::int32_t* labels) {
  float most[Lanes];
  float nan_or_zero[Lanes];
  std::int32_t winner[Lanes];
  for (std::size_t lane = 0; lane < Lanes; ++lane) {
    most[lane] = scores[lane] * factor;
    const bool is_nan = most[lane] != most[lane];
    nan_or_zero[lane] = is_nan ? most[lane] : 0;
    winner[lane] = 0;
  }
  for (std::size_t label = 1; label < head.classes; ++label) {
    scores += head.channel_stride;
    for (std::size_t lane = 0; lane < Lanes; ++lane) {
      const float score = scores[lane] * factor;
      const bool is_better = score > most[lane];
      most[lane] = is_better ? score : most[lane];
      winner[lane] = is_better ? static_cast<std::int32_t>(label) : winner[lane];
      const bool is_nan = score != score;
      nan_or_zero[lane] = is_nan ? score : nan_or_zero[lane];
    }
  }
  for (std::size_t lane = 0; lane < Lanes; ++lane) {
    best[lane] = most[lane] + nan_or_zero[lane];
    labels[lane] = winner[lane];
  }
}

/// The shape of a rotated box as a Gaussian.
struct Covariance {
  double xx;
  double yy;
  double xy;
  double determinant() const { return xx * yy - xy * xy; }
};

/// Rotated boxes as Gaussians, and whether two of them overlap by ProbIoU.
class Gaussians {
 public:
  /// Computes the covariance of each box [count, 5] (center, size, angle) in `covariances`, 3 numbers a box.
  Gaussians(const float* boxes, std::size_t count, double threshold, double* covariances)
      : boxes_(boxes),
        covariances_(reinterpret_cast<Covariance*>(covariances)),
        threshold_(threshold),
        far_(far_of(threshold)) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto [cosine, sine] = rotation_of(at(i, kAngleColumn));
      const double width = at(i, kWidthColumn);
      const double height = at(i, kHeightColumn);
      // The variances of a uniform box along its sides, turned by its angle.
      const double along = width * width / 12;
      const double across = height * height / 12;
      covariances_[i] = {along * cosine * cosine + across * sine * sine, along * sine * sine + across * cosine * cosine,
                         (along - across) * cosine * sine};
    }
  }

  /// Whether 1 less the Hellinger distance of two Gaussians is above the threshold.
  bool overlap(std::size_t i, std::size_t j) const {
    const Covariance& a = covariances_[i];
    const Covariance& b = covariances_[j];
    const Covariance sum{a.xx + b.xx, a.yy + b.yy, a.xy + b.xy};
    const double x = at(i, kXColumn) - at(j, kXColumn);
    const double y = at(i, kYColumn) - at(j, kYColumn);
    // Bhattacharyya's distance in three terms, as Ultralytics computes them: two of the centers, one of the shapes
    // alone. The latter is 0 or more where the determinant is 1 or more: then the centers decide most pairs, without a
    // logarithm.
    const double determinant = sum.determinant();
    const double center_squares = (sum.xx * y * y + sum.yy * x * x) / (determinant + kEpsilon) / 4;
    const double center_product = -sum.xy * x * y / (determinant + kEpsilon) / 2;
    if (determinant >= 1 && center_squares + center_product > far_) return false;
    const double both_determinants = std::fmax(a.determinant(), 0) * std::fmax(b.determinant(), 0);
    const double shapes = log_of(determinant / (4 * std::sqrt(both_determinants) + kEpsilon) + kEpsilon) / 2;
    const double distance = std::fmin(std::fmax(center_squares + center_product + shapes, kEpsilon), kMostDistance);
    const double similarity = 1 - std::sqrt(1 - exp_of(-distance) + kEpsilon);
    return to_float32(similarity) > threshold_;
  }

 private:
  static constexpr double kMostDistance = 100;

  /// A distance beyond which no pair is above the threshold, by 0.01 for rounding: the similarity 1 - sqrt(1 -
  /// exp(-distance)) is the threshold where exp(-distance) is 1 - (1 - threshold)^2.
  static double far_of(double threshold) {
    const bool has_bound = threshold > 0 && threshold < 1;
    if (!has_bound) return kMostDistance;
    const double hellinger = 1 - threshold;
    return 0.01 - log_of(1 - hellinger * hellinger);
  }

  double at(std::size_t box, std::size_t column) const {
    return static_cast<double>(boxes_[kRotatedBox * box + column]);
  }

  const float* boxes_;
  Covariance* covariances_;
  double threshold_;
  double far_;
};

/// The remainder of a division by a positive divisor, 0 or more, as Python's %.
float remainder_of(float x, float divisor) {
  const float rest = std::fmod(x, divisor);
  return rest < 0 ? rest + divisor : rest;
}

/// The channels of a head behind the box: objectness, 1 where it has none, and the scores of classes, of which those of
/// an anchor lie head.channel_stride apart.
struct Scores {
  const Head& head;
  const float* first = head.data + (head.has_objectness ? kObjectnessChannel + 1 : kSides) * head.channel_stride;

  float objectness(std::size_t anchor) const {
    return head.has_objectness ? head.data[anchor * head.anchor_stride + kObjectnessChannel * head.channel_stride] : 1;
  }
  const float* of(std::size_t anchor) const { return first + anchor * head.anchor_stride; }
};

/// Finds the best class and its score of each anchor: sixteen anchors at a time where they lie side by side. Anchors
/// whose objectness is not above the threshold get that as their score, which is then no candidate's.
void best_of_anchors(const Scores& scores, float threshold, float* best, std::int32_t* labels) {
  const Head& head = scores.head;
  std::size_t anchor = 0;
  if (head.anchor_stride == 1 && !head.has_objectness) {
    for (; anchor + kLanes <= head.anchors; anchor += kLanes)
      best_classes<kLanes>(scores.of(anchor), head, 1, best + anchor, labels + anchor);
  }
  for (; anchor < head.anchors; ++anchor) {
    const float objectness = scores.objectness(anchor);
    if (head.has_objectness && !(objectness > threshold)) {
      best[anchor] = objectness;
    } else {
      best_classes<1>(scores.of(anchor), head, objectness, best + anchor, labels + anchor);
    }
  }
}

}  // namespace

/// Finds each anchor's best class first: most anchors have none above the threshold.
std::size_t find_candidates(const Head& head, float threshold, bool all_classes, const std::uint8_t* allowed,
                            const Candidates& to, float* best) {
  auto* best_labels = reinterpret_cast<std::int32_t*>(best + head.anchors);
  const Scores scores{head};
  best_of_anchors(scores, threshold, best, best_labels);
  std::size_t count = 0;
  for (std::size_t anchor = 0; anchor < head.anchors; ++anchor) {
    if (!(best[anchor] > threshold)) continue;
    const auto best_label = static_cast<std::size_t>(best_labels[anchor]);
    const std::size_t first = all_classes ? 0 : best_label;
    const std::size_t end = all_classes ? head.classes : best_label + 1;
    for (std::size_t label = first; label < end; ++label) {
      const float score = scores.of(anchor)[label * head.channel_stride] * scores.objectness(anchor);
      const bool is_allowed = allowed == nullptr || allowed[label] != 0;
      if (!(score > threshold) || !is_allowed) continue;
      to.anchors[count] = static_cast<std::int32_t>(anchor);
      to.classes[count] = static_cast<std::int32_t>(label);
      to.scores[count++] = score;
    }
  }
  return count;
}

void gather_channels(const Head& head, const Channels& which, const std::int32_t* anchors, std::size_t count,
                     float* to) {
  for (std::size_t i = 0; i < count; ++i, to += which.stride) {
    const float* from = head.data + static_cast<std::size_t>(anchors[i]) * head.anchor_stride;
    for (std::size_t k = 0; k < which.width; ++k) to[k] = from[(which.first + k) * head.channel_stride];
  }
}

namespace {

/// Whether a class, as a float of a row, is one of the allowed ones.
bool is_allowed(float label, const AllowedClasses& classes) {
  if (classes.allowed == nullptr) return true;
  const bool is_known = label >= 0 && label < static_cast<float>(classes.count);
  return is_known && classes.allowed[static_cast<std::size_t>(label)] != 0;
}

}  // namespace

std::size_t find_scored_rows(const BoxRows& from, float threshold, const AllowedClasses& classes, std::int32_t* to) {
  auto [row, count, width] = from;
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i, row += width) {
    const bool has_score = row[kScoreColumn] > threshold;
    if (has_score && is_allowed(row[kClassColumn], classes)) to[found++] = static_cast<std::int32_t>(i);
  }
  return found;
}

void shift_boxes(const BoxRows& from, std::size_t shifted, const std::int32_t* classes, float distance, float* to) {
  auto [boxes, count, width] = from;
  for (std::size_t i = 0; i < count; ++i) {
    const float shift = static_cast<float>(classes[i]) * distance;
    for (std::size_t k = 0; k < width; ++k) to[k] = k < shifted ? boxes[k] + shift : boxes[k];
    boxes += width;
    to += width;
  }
}

std::size_t suppress_rotated(const float* boxes, std::size_t count, double threshold, double* covariances,
                             std::int32_t* kept) {
  const Gaussians gaussians(boxes, count, threshold, covariances);
  std::size_t length = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bool is_kept = true;
    for (std::size_t better = 0; better < i && is_kept; ++better) is_kept = !gaussians.overlap(better, i);
    if (is_kept) kept[length++] = static_cast<std::int32_t>(i);
  }
  return length;
}

void regularize_boxes(float* boxes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, boxes += kRotatedBox) {
    float& angle = boxes[kAngleColumn];
    const bool lies_across = remainder_of(angle, kHalfTurn) >= kQuarterTurn;
    if (lies_across) std::swap(boxes[kWidthColumn], boxes[kHeightColumn]);
    angle = remainder_of(angle, kQuarterTurn);
  }
}

void leave_letterbox(float* rows, std::size_t count, std::size_t stride, LetterboxRow kind, const Letterbox& from) {
  const auto clipped = [](float value, float most) { return value < 0 ? 0 : value > most ? most : value; };
  const std::size_t pairs = kind == LetterboxRow::kPoint ? 1 : 2;
  const bool has_size = kind == LetterboxRow::kCenterAndSize;
  for (std::size_t i = 0; i < count; ++i, rows += stride) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      float& x = rows[2 * pair];
      float& y = rows[2 * pair + 1];
      const bool is_size = has_size && pair == 1;
      const float left = is_size ? 0 : from.left;
      const float top = is_size ? 0 : from.top;
      x = (x - left) / from.gain_x;
      y = (y - top) / from.gain_y;
      if (has_size) continue;
      x = clipped(x, from.width);
      y = clipped(y, from.height);
    }
  }
}

void cut_masks(std::uint8_t* masks, std::size_t count, std::size_t height, std::size_t width, const float* boxes) {
  for (std::size_t i = 0; i < count; ++i, boxes += kSides) {
    for (std::size_t y = 0; y < height; ++y) {
      const auto row = static_cast<float>(y);
      const bool has_row = row >= boxes[kTop] && row < boxes[kBottom];
      for (std::size_t x = 0; x < width; ++x, ++masks) {
        const auto column = static_cast<float>(x);
        if (!(has_row && column >= boxes[kLeft] && column < boxes[kRight])) *masks = 0;
      }
    }
  }
}

}  // namespace layout
