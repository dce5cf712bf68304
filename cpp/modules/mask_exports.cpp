// The functions of the postprocess module for masks, their outlines, and pictures of labels: see
// postprocess_exports.cpp.
//
// Each calls the kernel of its name, whose header says what it gives: it makes enumerations, flags and structs of
// numbers, and passes the rest on. A kernel's struct is written to the last address.

#include <cstddef>
#include <cstdint>

#include "postprocess/approximate.h"
#include "postprocess/contours.h"
#include "postprocess/maps.h"
#include "postprocess/polygons.h"
#include "postprocess/runs.h"
#include "postprocess/text.h"
#include "postprocess/yolo.h"
#include "warp/perspective.h"

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

using std::int32_t;
using std::size_t;
using std::uint32_t;
using std::uint8_t;

EXPORT(count_runs)(const uint8_t* mask, size_t height, size_t width, uint32_t* counts)->size_t {
  return layout::count_runs(mask, height, width, counts);
}
EXPORT(fill_runs)(const uint32_t* counts, size_t length, size_t height, size_t width, uint8_t* mask)->void {
  layout::fill_runs(counts, length, height, width, mask);
}
EXPORT(value_runs)(const int32_t* map, size_t count, int32_t value, int32_t* runs)->size_t {
  return layout::value_runs(map, count, value, runs);
}
EXPORT(mask_boxes)(const uint8_t* masks, size_t count, size_t height, size_t width, int32_t* boxes)->void {
  layout::mask_boxes(masks, count, height, width, boxes);
}
EXPORT(cut_masks)(uint8_t* masks, size_t count, size_t height, size_t width, const float* boxes)->void {
  layout::cut_masks(masks, count, height, width, boxes);
}

EXPORT(find_contours)
(const uint8_t* mask, size_t height, size_t width, int simple, int32_t* map, const layout::ContourSpace* to,
 layout::ContourCounts* counts)
    ->void {
  *counts = layout::find_contours(mask, height, width, simple != 0, map, *to);
}
EXPORT(convex_hull)(const layout::Point* points, size_t count, int32_t* indices)->size_t {
  return layout::convex_hull(points, count, indices);
}
EXPORT(min_area_rect)(const layout::Point* points, size_t count, float* scratch, layout::RotatedRect* to)->void {
  *to = layout::min_area_rect(points, count, scratch);
}
EXPORT(box_points)(const layout::RotatedRect* rect, layout::Point* corners)->void {
  layout::box_points(*rect, corners);
}
EXPORT(approximate_polygon)
(const layout::Point* points, size_t count, double distance, int is_closed, int32_t* indices)->size_t {
  return layout::approximate_polygon(points, count, distance, is_closed != 0, indices);
}
EXPORT(contour_area)(const layout::Point* points, size_t count)->double { return layout::contour_area(points, count); }
EXPORT(fill_polygon)
(const int32_t* points, size_t count, int value, uint8_t* mask, int height, int width, layout::PolygonEdge* edges)
    ->void {
  layout::fill_polygon(points, count, {mask, height, width, static_cast<uint8_t>(value)}, edges);
}
EXPORT(binarize)
(const float* map, size_t height, size_t width, float threshold, int dilate, uint8_t* to)->void {
  layout::binarize(map, height, width, threshold, dilate != 0, to);
}
EXPORT(find_text)
(const float* map, size_t height, size_t width, const layout::ContourSpace* contours, size_t count,
 const layout::TextSettings* settings, float* scratch, uint8_t* mask, float* boxes, float* scores)
    ->size_t {
  return layout::find_text({map, height, width}, *contours, count, *settings, {scratch, mask, boxes, scores});
}

EXPORT(paint_labels)
(const int32_t* labels, size_t count, const uint32_t* colors, size_t known, uint32_t* to)->void {
  layout::paint_labels(labels, count, colors, known, to);
}
EXPORT(join_alpha)
(const uint8_t* pixels, size_t count, size_t channels, const void* mask, int kind, uint8_t* to)->void {
  layout::join_alpha(pixels, count, channels, mask, static_cast<layout::MaskKind>(kind), to);
}
EXPORT(warp_picture)
(const uint8_t* from, int height, int width, int channels, const float* matrix, int to_height, int to_width,
 int upright, uint8_t* to)
    ->void {
  layout::warp_picture({from, height, width, channels}, matrix, to_height, to_width, upright != 0, to);
}
