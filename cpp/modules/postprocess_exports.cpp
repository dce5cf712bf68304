// The functions of the postprocess module. It needs no glue: plain numbers go in and out, and JS reads and writes the
// memory, which begins to be free at `heap`. Enumerations cross as their numbers, steps of rows as a block of float64
// numbers; js/engines/results names both. Those of masks are in mask_exports.cpp.
//
// A function without a comment calls the kernel of its name, whose header says what it gives: it makes enumerations,
// flags and structs of numbers, and passes the rest on.

#include <cstddef>
#include <cstdint>

#include "postprocess/axis_resize.h"
#include "postprocess/boxes.h"
#include "postprocess/keypoints.h"
#include "postprocess/labels.h"
#include "postprocess/maps.h"
#include "postprocess/numbers.h"
#include "postprocess/pick.h"
#include "postprocess/planes.h"
#include "postprocess/rows.h"
#include "postprocess/select.h"
#include "postprocess/yolo.h"

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

using std::int32_t;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint8_t;

extern "C" uint8_t __heap_base;

/// Where the memory that JS may use begins.
EXPORT(heap)()->uint8_t* { return &__heap_base; }

EXPORT(widen)(const uint16_t* codes, size_t count, float* to)->void { layout::widen(codes, count, to); }
EXPORT(narrow)(const float* x, size_t count, uint16_t* to)->void { layout::narrow(x, count, to); }
EXPORT(softmax_doubles)
(const double* x, size_t outer, size_t length, size_t inner, int is_log, double* to)->void {
  layout::softmax_doubles(x, {outer, length, inner}, is_log != 0, to);
}
EXPORT(multiply)(const float* a, const float* b, size_t count, float* to)->void { layout::multiply(a, b, count, to); }
EXPORT(sigmoid)(const float* x, size_t count, float* to)->void { layout::sigmoid(x, count, to); }
EXPORT(softmax)(const float* x, size_t rows, size_t length, float* to)->void { layout::softmax(x, rows, length, to); }
EXPORT(softmax_outer)(const float* x, size_t length, size_t inner, float* to)->void {
  layout::softmax_outer(x, length, inner, to);
}
EXPORT(find_extreme)
(int kind, int tie, const float* x, size_t outer, size_t length, size_t inner, int32_t* indices, float* values)->void {
  layout::find_extreme(static_cast<layout::Extreme>(kind), static_cast<layout::Tie>(tie), x, {outer, length, inner},
                       indices, values);
}
EXPORT(top_k)(const float* x, size_t length, size_t count, int sorted, layout::Ranked* items)->void {
  layout::top_k(x, length, count, sorted != 0, items);
}
EXPORT(sort_rows)
(const float* x, size_t rows, size_t length, size_t count, int least, layout::Ranked* items, float* values,
 int32_t* indices)
    ->void {
  layout::sort_rows({x, rows, length}, count, least != 0, items, values, indices);
}
EXPORT(swap_axes)(const float* x, size_t outer, size_t rows, size_t columns, float* to)->void {
  layout::swap_axes(x, outer, rows, columns, to);
}

EXPORT(convert_boxes)(const float* boxes, size_t count, int in, int out, float* to)->void {
  layout::convert_boxes(boxes, count, static_cast<layout::BoxFormat>(in), static_cast<layout::BoxFormat>(out), to);
}
EXPORT(scale_boxes)(float* boxes, size_t count, float x, float y)->void { layout::scale_boxes(boxes, count, x, y); }
EXPORT(sort_corners)(float* boxes, size_t count)->void { layout::sort_corners(boxes, count); }
EXPORT(clip_boxes)(float* boxes, size_t count, float width, float height)->void {
  layout::clip_boxes(boxes, count, width, height);
}
EXPORT(box_areas)(const float* boxes, size_t count, float* areas)->void { layout::box_areas(boxes, count, areas); }
EXPORT(box_overlaps)
(const float* a, size_t count_a, const float* b, size_t count_b, int generalized, float* to)->void {
  layout::box_overlaps(a, count_a, b, count_b, generalized != 0, to);
}
EXPORT(large_boxes)(const float* boxes, size_t count, float side, int32_t* to)->size_t {
  return layout::large_boxes(boxes, count, side, to);
}
EXPORT(suppress)
(const float* boxes, const int32_t* classes, const int32_t* order, size_t count, size_t most, double threshold,
 float* shifted, float* blocks, int32_t* kept)
    ->size_t {
  return layout::suppress({boxes, order, count, threshold}, classes, most, shifted, blocks, kept);
}
EXPORT(suppress_scores)(const float* boxes, const int32_t* order, size_t count, double threshold, float* scores)->void {
  layout::suppress_scores(boxes, order, count, threshold, scores);
}

EXPORT(find_above)(const float* x, size_t count, float threshold, int inclusive, int32_t* indices)->size_t {
  return layout::find_above(x, count, threshold, inclusive != 0, indices);
}
EXPORT(count_above)(const float* x, size_t rows, size_t length, float threshold, int32_t* counts)->void {
  layout::count_above(x, rows, length, threshold, counts);
}
EXPORT(gather_rows)
(const uint32_t* x, size_t rows, size_t width, const int32_t* indices, size_t count, uint32_t* to)->int {
  return layout::gather_rows({x, rows, width}, indices, count, to) ? 1 : 0;
}
EXPORT(cut_rows)(const float* x, size_t rows, size_t length, size_t used, float* to)->void {
  layout::cut_rows(x, rows, length, used, to);
}
EXPORT(sum_votes)(const float* logits, size_t count, float* votes)->void { layout::sum_votes(logits, count, votes); }

EXPORT(scale_points)(const float* points, size_t count, float width, float height, int32_t* to)->void {
  layout::scale_points(points, count, width, height, to);
}
EXPORT(blur_maps)
(float* maps, int count, int height, int width, const double* weights, int radius, int edge, double* line)->void {
  layout::blur_maps(maps, {count, height, width}, weights, radius, static_cast<layout::Edge>(edge), line);
}
EXPORT(keep_peaks)(float* blurred, const float* maps, int count, int height, int width)->void {
  layout::keep_peaks(blurred, maps, {count, height, width});
}
EXPORT(find_peaks)(const float* maps, int count, int height, int width, float* places, float* values)->void {
  layout::find_peaks(maps, {count, height, width}, places, values);
}
EXPORT(refine_peaks)(const float* blurred, int count, int height, int width, float* places)->void {
  layout::refine_peaks(blurred, {count, height, width}, places);
}

EXPORT(normalize_vectors)(const float* x, size_t size, float least, float* to)->void {
  layout::normalize_vectors(x, size, least, to);
}
EXPORT(average_mirrored)(const float* x, const float* mirrored, size_t rows, size_t width, float* to)->void {
  layout::average_mirrored(x, mirrored, rows, width, to);
}
EXPORT(name_colors)
(const float* rgb, size_t size, const layout::Normalization* of, const float* colors, size_t count, int32_t* to)->void {
  layout::name_colors(rgb, size, *of, colors, count, to);
}
EXPORT(separate_planes)(float* x, size_t count, size_t size)->void { layout::separate_planes(x, count, size); }
EXPORT(blend_background)
(const float* foreground, const float* alpha, const float* background, size_t size, uint8_t* to)->void {
  layout::blend_background(foreground, alpha, background, size, to);
}
EXPORT(sample_picture)
(const float* from, int channels, int height, int width, const float* mesh, float scale, uint8_t* to)->void {
  layout::sample_picture({from, channels, height, width}, mesh, scale, to);
}

// Functions of a `block` read it as steps of rows (make_rows). They take the memory of these from `scratch`, which has
// rows_bytes(block) bytes.

/// The bytes of scratch memory that the rows of `block` need: an Arena without memory counts them.
EXPORT(rows_bytes)(const double* block)->double {
  layout::Arena arena(nullptr);
  layout::make_rows(block, arena);
  return static_cast<double>(arena.used());
}
EXPORT(store_planes)(const double* block, uint8_t* scratch, float* to)->void {
  layout::Arena arena(scratch);
  layout::store_planes(*layout::make_rows(block, arena), to);
}
EXPORT(threshold_planes)(const double* block, uint8_t* scratch, float threshold, uint8_t* to)->void {
  layout::Arena arena(scratch);
  layout::threshold_planes(*layout::make_rows(block, arena), threshold, to);
}
EXPORT(label_planes)(const double* block, uint8_t* scratch, int32_t* labels, float* scores, float* best)->void {
  layout::Arena arena(scratch);
  layout::label_planes(*layout::make_rows(block, arena), labels, scores, best);
}
/// `areas` are three lists one after the other, each with a number for each plane: the members of SegmentAreas.
EXPORT(own_planes)
(const double* block, uint8_t* scratch, const float* scores, float threshold, int is_product, int32_t* owners,
 int32_t* areas, float* best)
    ->void {
  layout::Arena arena(scratch);
  layout::PlaneRows& rows = *layout::make_rows(block, arena);
  const layout::SegmentAreas split{areas, areas + rows.planes, areas + 2 * rows.planes};
  layout::own_planes(rows, {scores, threshold, is_product != 0}, owners, split, best);
}
EXPORT(name_owners)(int32_t* owners, size_t count, const int32_t* ids, size_t known)->int {
  return layout::name_owners(owners, count, ids, known) ? 1 : 0;
}
EXPORT(paint_plane)
(const double* block, uint8_t* scratch, int plane, float threshold, int first_wins, int32_t id, int32_t* to)->int {
  layout::Arena arena(scratch);
  return layout::paint_plane(*layout::make_rows(block, arena), plane, threshold, first_wins != 0, id, to);
}
EXPORT(mean_planes)(const double* block, uint8_t* scratch, float* means)->void {
  layout::Arena arena(scratch);
  layout::mean_planes(*layout::make_rows(block, arena), means);
}
/// The bytes of scratch memory that label_cells needs: an Arena without memory counts them, and nothing is read.
EXPORT(label_cells_bytes)(int classes, int height, int width, int to_height, int to_width)->double {
  layout::Arena arena(nullptr);
  layout::label_cells({nullptr, classes, height, width}, to_height, to_width, arena, nullptr);
  return static_cast<double>(arena.used());
}
EXPORT(label_cells)
(const float* x, int classes, int height, int width, int to_height, int to_width, uint8_t* scratch, int32_t* labels)
    ->int {
  layout::Arena arena(scratch);
  return layout::label_cells({x, classes, height, width}, to_height, to_width, arena, labels) ? 1 : 0;
}

EXPORT(count_taps)(const layout::AxisResize* by)->int { return layout::count_taps(*by); }
/// Makes the taps of an axis (make_axis_taps), `firsts` and `weights`, then resizes by them.
EXPORT(resize_axis)
(const layout::AxisResize* by, int32_t* firsts, double* weights, const float* x, size_t outer, size_t inner, float* to)
    ->void {
  layout::make_axis_taps(*by, firsts, weights);
  layout::resize_axis(*by, firsts, weights, {x, outer, inner}, to);
}
EXPORT(widen_bytes)
(const uint8_t* x, size_t count, float divisor, float* to)->void { layout::widen_bytes(x, count, divisor, to); }
EXPORT(narrow_bytes)(const float* x, size_t count, int rounds, uint8_t* to)->void {
  layout::narrow_bytes(x, count, rounds != 0, to);
}

EXPORT(find_candidates)
(const layout::Head* head, float threshold, int all, const uint8_t* allowed, int32_t* anchors, int32_t* classes,
 float* scores, float* best)
    ->size_t {
  return layout::find_candidates(*head, threshold, all != 0, allowed, {anchors, classes, scores}, best);
}
EXPORT(gather_channels)
(const layout::Head* head, size_t first, size_t width, size_t stride, const int32_t* anchors, size_t count, float* to)
    ->void {
  layout::gather_channels(*head, {first, width, stride}, anchors, count, to);
}
EXPORT(find_scored_rows)
(const float* rows, size_t count, size_t width, float threshold, const uint8_t* allowed, size_t classes, int32_t* to)
    ->size_t {
  return layout::find_scored_rows({rows, count, width}, threshold, {allowed, classes}, to);
}
EXPORT(shift_boxes)
(const float* boxes, size_t count, size_t width, size_t shifted, const int32_t* classes, float distance, float* to)
    ->void {
  layout::shift_boxes({boxes, count, width}, shifted, classes, distance, to);
}
EXPORT(suppress_rotated)
(const float* boxes, size_t count, double threshold, double* forms, int32_t* kept)->size_t {
  return layout::suppress_rotated(boxes, count, threshold, forms, kept);
}
EXPORT(regularize_boxes)(float* boxes, size_t count)->void { layout::regularize_boxes(boxes, count); }
EXPORT(leave_letterbox)
(float* rows, size_t count, size_t stride, int kind, const layout::Letterbox* from)->void {
  layout::leave_letterbox(rows, count, stride, static_cast<layout::LetterboxRow>(kind), *from);
}
