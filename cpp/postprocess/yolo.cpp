// postprocess/yolo.h says what these functions do.

#include "postprocess/yolo.h"

#include <cmath>

#include "elementary/elementary.h"

namespace layout {

namespace {

constexpr std::size_t kBox = 4;
constexpr std::size_t kRotatedBox = 5;
/// Anchors that are walked together: four vectors of scores, four of classes.
constexpr std::size_t kLanes = 16;
constexpr double kEpsilon = 1e-7;
constexpr float kHalfTurn = 3.14159274F;
constexpr float kQuarterTurn = 1.57079637F;

/// Finds the best class of each of `Lanes` neighboring anchors, and its score times `factor`. Goes class by class, so
/// that each number is read once and in order. An anchor with a NaN gets NaN: `unordered` keeps it, and is 0 otherwise.
template <std::size_t Lanes>
void best_classes(const float* scores, const Head& head, float factor, float* best, std::int32_t* labels) {
  float most[Lanes];
  float unordered[Lanes];
  std::int32_t at[Lanes];
  for (std::size_t lane = 0; lane < Lanes; ++lane) {
    most[lane] = scores[lane] * factor;
    unordered[lane] = most[lane] == most[lane] ? 0 : most[lane];
    at[lane] = 0;
  }
  for (std::size_t label = 1; label < head.classes; ++label) {
    scores += head.channel_stride;
    for (std::size_t lane = 0; lane < Lanes; ++lane) {
      const float score = scores[lane] * factor;
      const bool is_better = score > most[lane];
      most[lane] = is_better ? score : most[lane];
      at[lane] = is_better ? static_cast<std::int32_t>(label) : at[lane];
      unordered[lane] = score == score ? unordered[lane] : score;
    }
  }
  for (std::size_t lane = 0; lane < Lanes; ++lane) {
    best[lane] = most[lane] + unordered[lane];
    labels[lane] = at[lane];
  }
}

/// The form of a rotated box as a Gaussian: its covariance.
struct Covariance {
  double xx;
  double yy;
  double xy;
  double determinant() const { return xx * yy - xy * xy; }
};

/// Rotated boxes as Gaussians, and whether two of them overlap by ProbIoU.
class Gaussians {
 public:
  /// Computes the covariance of each box [count, 5] (center, size, angle) in `forms`, and `far_`.
  Gaussians(const float* boxes, std::size_t count, double threshold, double* forms)
      : boxes_(boxes), forms_(reinterpret_cast<Covariance*>(forms)), threshold_(threshold) {
    // The third term of `overlap` is 0 or more where the sum of the forms has a determinant of 1 or more: then the
    // first two decide most pairs, without a logarithm. Beyond a distance of `far_` no pair is above the threshold: 1 -
    // sqrt(1 - exp(-far)) is the threshold, and 0.01 is for rounding. Without such a bound the greatest distance is
    // 100.
    const double rest = 1 - threshold;
    const bool bounds = threshold > 0 && threshold < 1;
    far_ = bounds ? 0.01 - log_of(1 - rest * rest) : 100;
    // A box as large as w * h has the variances w^2 / 12 and h^2 / 12 along its sides.
    for (std::size_t i = 0; i < count; ++i) {
      const auto [cosine, sine] = rotation_of(static_cast<double>(boxes[kRotatedBox * i + 4]));
      const auto width = static_cast<double>(boxes[kRotatedBox * i + 2]);
      const auto height = static_cast<double>(boxes[kRotatedBox * i + 3]);
      const double u = width * width / 12;
      const double v = height * height / 12;
      forms_[i] = {u * cosine * cosine + v * sine * sine, u * sine * sine + v * cosine * cosine,
                   (u - v) * cosine * sine};
    }
  }

  /// Whether 1 less the Hellinger distance of two Gaussians is above the threshold.
  bool overlap(std::size_t i, std::size_t j) const {
    const Covariance& a = forms_[i];
    const Covariance& b = forms_[j];
    const Covariance sum{a.xx + b.xx, a.yy + b.yy, a.xy + b.xy};
    const double x = at(i, 0) - at(j, 0);
    const double y = at(i, 1) - at(j, 1);
    // Bhattacharyya's distance in three terms, as Ultralytics computes them: two of the centers, one of the forms
    // alone.
    const double determinant = sum.determinant();
    const double first = (sum.xx * y * y + sum.yy * x * x) / (determinant + kEpsilon) / 4;
    const double second = -sum.xy * x * y / (determinant + kEpsilon) / 2;
    if (determinant >= 1 && first + second > far_) return false;
    const double own = std::fmax(a.determinant(), 0) * std::fmax(b.determinant(), 0);
    const double third = log_of(determinant / (4 * std::sqrt(own) + kEpsilon) + kEpsilon) / 2;
    const double distance = std::fmin(std::fmax(first + second + third, kEpsilon), 100);
    const double similarity = 1 - std::sqrt(1 - exp_of(-distance) + kEpsilon);
    return static_cast<double>(static_cast<float>(similarity)) > threshold_;
  }

 private:
  double at(std::size_t box, std::size_t side) const { return static_cast<double>(boxes_[kRotatedBox * box + side]); }

  const float* boxes_;
  Covariance* forms_;
  double threshold_;
  double far_ = 0;
};

/// The remainder of a division by a positive divisor, 0 or more, as Python's %.
float remainder_of(float x, float divisor) {
  const float rest = std::fmod(x, divisor);
  return rest < 0 ? rest + divisor : rest;
}

}  // namespace

std::size_t find_candidates(const Head& head, float threshold, bool all, const std::uint8_t* allowed,
                            const Candidates& to, float* best) {
  auto* labels = reinterpret_cast<std::int32_t*>(best + head.anchors);
  const std::size_t first = head.has_objectness ? kBox + 1 : kBox;
  const float* scores = head.data + first * head.channel_stride;
  const auto objectness_of = [&](std::size_t anchor) {
    return head.has_objectness ? head.data[anchor * head.anchor_stride + kBox * head.channel_stride] : 1;
  };
  // The best class of each anchor: sixteen at a time where anchors lie side by side.
  std::size_t done = 0;
  if (head.anchor_stride == 1 && !head.has_objectness) {
    for (; done + kLanes <= head.anchors; done += kLanes)
      best_classes<kLanes>(scores + done, head, 1, best + done, labels + done);
  }
  for (; done < head.anchors; ++done) {
    const float objectness = objectness_of(done);
    best[done] = objectness;  // not above the threshold, so no candidate below
    if (head.has_objectness && !(objectness > threshold)) continue;
    best_classes<1>(scores + done * head.anchor_stride, head, objectness, best + done, labels + done);
  }

  // The candidates: the best class of each anchor, or all that are above the threshold.
  std::size_t count = 0;
  for (std::size_t anchor = 0; anchor < head.anchors; ++anchor) {
    if (!(best[anchor] > threshold)) continue;
    const auto only = static_cast<std::size_t>(labels[anchor]);
    for (std::size_t label = all ? 0 : only; label < (all ? head.classes : only + 1); ++label) {
      const float score = scores[anchor * head.anchor_stride + label * head.channel_stride] * objectness_of(anchor);
      if (!(score > threshold) || (allowed != nullptr && allowed[label] == 0)) continue;
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

std::size_t find_scored_rows(const BoxRows& from, float threshold, const AllowedClasses& classes, std::int32_t* to) {
  auto [rows, count, width] = from;
  std::size_t length = 0;
  for (std::size_t i = 0; i < count; ++i, rows += width) {
    if (!(rows[kBox] > threshold)) continue;
    const float label = rows[kBox + 1];
    const bool is_known = label >= 0 && label < static_cast<float>(classes.count);
    if (classes.allowed != nullptr && !(is_known && classes.allowed[static_cast<std::size_t>(label)] != 0)) continue;
    to[length++] = static_cast<std::int32_t>(i);
  }
  return length;
}

void shift_boxes(const BoxRows& from, std::size_t shifted, const std::int32_t* classes, float distance, float* to) {
  auto [boxes, count, width] = from;
  for (std::size_t i = 0; i < count; ++i) {
    const float shift = static_cast<float>(classes[i]) * distance;
    for (std::size_t k = 0; k < width; ++k, ++to) *to = k < shifted ? *boxes++ + shift : *boxes++;
  }
}

std::size_t suppress_rotated(const float* boxes, std::size_t count, double threshold, double* forms,
                             std::int32_t* kept) {
  const Gaussians gaussians(boxes, count, threshold, forms);
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
    const float angle = boxes[kBox];
    if (remainder_of(angle, kHalfTurn) >= kQuarterTurn) {
      const float width = boxes[2];
      boxes[2] = boxes[3];
      boxes[3] = width;
    }
    boxes[kBox] = remainder_of(angle, kQuarterTurn);
  }
}

void leave_letterbox(float* rows, std::size_t count, std::size_t stride, LetterboxRow kind, const Letterbox& from) {
  const auto clipped = [](float value, float most) { return value < 0 ? 0 : value > most ? most : value; };
  const std::size_t pairs = kind == LetterboxRow::kPoint ? 1 : 2;
  for (std::size_t i = 0; i < count; ++i, rows += stride) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      float& x = rows[2 * pair];
      float& y = rows[2 * pair + 1];
      const bool is_size = kind == LetterboxRow::kCenterAndSize && pair == 1;
      x = (is_size ? x : x - from.left) / from.gain_x;
      y = (is_size ? y : y - from.top) / from.gain_y;
      if (kind == LetterboxRow::kCenterAndSize) continue;
      x = clipped(x, from.width);
      y = clipped(y, from.height);
    }
  }
}

void cut_masks(std::uint8_t* masks, std::size_t count, std::size_t height, std::size_t width, const float* boxes) {
  for (std::size_t i = 0; i < count; ++i, boxes += kBox) {
    for (std::size_t y = 0; y < height; ++y) {
      const auto row = static_cast<float>(y);
      const bool is_inside = row >= boxes[1] && row < boxes[3];
      for (std::size_t x = 0; x < width; ++x, ++masks) {
        const auto column = static_cast<float>(x);
        if (!(is_inside && column >= boxes[0] && column < boxes[2])) *masks = 0;
      }
    }
  }
}

}  // namespace layout
