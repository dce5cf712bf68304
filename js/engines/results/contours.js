/** Borders, rectangles and text through the module, as OpenCV finds them. A point is x and y, two numbers of 4 bytes
 * each. See cpp/postprocess/contours.h, polygons.h and text.h. */
import * as cpp from '../../../dist/bridge/results.js';
import { largest } from '../../arguments/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';

/** A contour's numbers: start, length, parent, whether it is a hole's. */
export const contourFields = cpp.Contour.bytes / 4;
/** Points of a grown box at most; see cpp/postprocess/text.cpp. */
const mostGrown = 8192;

/** @typedef {readonly number[]} Size height and width */

/**
 * Finds the borders of a mask that lies in the module. Takes memory for as many points as a quarter of its pixels,
 * which most masks do not need; where a mask has more points, its borders are followed again.
 * @param {number} mask its address
 * @param {Size} size
 * @param {boolean} simple without points on straight lines
 * @returns {{ block: number, contours: number, points: number, counts: Int32Array }} addresses of the ContourSpace, the
 *   contours and the points; `counts`: how many contours and how many points there are
 */
function putContours(mask, [height, width], simple) {
  // A map with a pixel more on each side, which must be zeros; two counts, of which the second is that of points.
  const map = arena.space(4 * (height + 2) * (width + 2));
  const counts = arena.space(8);
  for (let capacity = 1024 + ((height * width) >> 2); ; capacity = arena.view(Int32Array, counts, 2)[1]) {
    const [points, contours] = [arena.space(8 * capacity), arena.space(4 * contourFields * capacity)];
    const block = arena.putStruct(cpp.ContourSpace, { points, contours, capacity });
    arena.view(Int32Array, map, (height + 2) * (width + 2)).fill(0);
    kernels.find_contours(mask, height, width, Number(simple), map, block, counts);
    const totals = arena.take(Int32Array, counts, 2);
    // There are no more contours than points.
    if (totals[1] <= capacity) return { block, contours, points, counts: totals };
  }
}

/** Finds the borders of the regions of a mask that are not 0, and of their holes: the points of all borders, and
 * `contourFields` numbers for each border. `simple`: without points on straight lines.
 * @type {(mask: Uint8Array, size: Size, simple: boolean) => { points: Int32Array, contours: Int32Array }} */
export const contoursOf = (mask, size, simple) =>
  withMemory(() => {
    const { points, contours, counts } = putContours(arena.put(mask, sizeOf([size[0], size[1]])), size, simple);
    return {
      points: arena.take(Int32Array, points, 2 * counts[1]),
      contours: arena.take(Int32Array, contours, contourFields * counts[0]),
    };
  });

/** Finds the convex hull of points: the indices of its corners, in order around it.
 * @type {(points: Float32Array) => Int32Array} */
export const hullOf = (points) =>
  withMemory(() => {
    const count = rowsIn(points, 2);
    // The kernel works in memory for two indices a point.
    const to = arena.space(8 * count);
    return arena.take(Int32Array, to, kernels.convex_hull(arena.put(points, 8 * count), count, to));
  });

/** Finds the smallest rectangle around points, turned by any angle: center x, center y, width, height and the angle in
 * degrees, from -90 to 0. Refuses an empty list of points.
 * @type {(points: Float32Array) => Float32Array} */
export const smallestRect = (points) =>
  withMemory(() => {
    const count = sizeOf([rowsIn(points, 2)], 1);
    const to = arena.space(cpp.RotatedRect.bytes);
    // The kernel works in six numbers a point.
    kernels.min_area_rect(arena.put(points, 8 * count), count, arena.space(24 * count), to);
    return arena.take(Float32Array, to, 5);
  });

/** Computes the four corners of a rectangle that {@link smallestRect} gives: x and y of each.
 * @type {(rect: Float32Array) => Float32Array} */
export const cornersOfRect = (rect) =>
  withMemory(() => {
    // Four points of 8 bytes, of five numbers.
    const to = arena.space(32);
    kernels.box_points(arena.put(rect, 20), to);
    return arena.take(Float32Array, to, 8);
  });

/** Computes the area of the polygon of points; negative where they turn to the left in a picture, whose y points down.
 * @type {(points: Float32Array) => number} */
export const areaInside = (points) =>
  withMemory(() => {
    const count = rowsIn(points, 2);
    return kernels.contour_area(arena.put(points, 8 * count), count);
  });

/** Simplifies a line, or a closed polygon, as OpenCV's approxPolyDP: finds the indices of the points to keep, so that
 * the others lie within a distance of the lines between these. Refuses an empty list of points.
 * @type {(points: Float32Array, distance: number, isClosed: boolean) => Int32Array} */
export const approximationOf = (points, distance, isClosed) =>
  withMemory(() => {
    const count = sizeOf([rowsIn(points, 2)], 1);
    // The kernel works in five numbers a point, the indices among them.
    const to = arena.space(20 * count);
    const from = arena.put(points, 8 * count);
    return arena.take(Int32Array, to, kernels.approximate_polygon(from, count, distance, Number(isClosed), to));
  });

/** Fills a polygon in a copy of a mask with a value: the pixels inside it, and those on the lines between its points.
 * @type {(mask: Uint8Array, size: Size, points: Int32Array, value: number) => Uint8Array} */
export const filledPolygon = (mask, [height, width], points, value) =>
  withMemory(() => {
    const count = rowsIn(points, 2);
    const [at, from] = [arena.put(mask, sizeOf([height, width])), arena.put(points, 8 * count)];
    kernels.fill_polygon(from, count, value, at, height, width, arena.space(cpp.PolygonEdge.bytes * count));
    return arena.take(Uint8Array, at, mask.length);
  });

/**
 * How boxes of text are found; see cpp/postprocess/text.h.
 * @typedef {object} TextSettings
 * @property {number} threshold a pixel of a higher probability is text
 * @property {boolean} dilate whether the mask of text grows by a pixel to the right and down
 * @property {number} most how many contours are looked at
 * @property {number} score the least score of a box
 * @property {number} ratio how much a box grows: Python's unclip ratio
 * @property {number} side the least length of a box's shorter side, in pixels
 * @property {Size} size of the picture that boxes are scaled to
 * @property {boolean} isRound PaddleOCR's growth instead of transformers'
 */

/** Finds boxes of text in a map of probabilities: binarizes it, follows the borders, and grows a rectangle around each
 * of the last `most` contours, which come first in OpenCV's list. Leaves out boxes that are too small or score
 * too little. Returns the four corners (8 numbers) and the score of each box, that of the last contour first.
 * @type {(map: Float32Array, size: Size, settings: TextSettings) => { boxes: Float32Array, scores: Float32Array }} */
export const textOf = (map, [height, width], { threshold, dilate, most, score, ratio, side, size, isRound }) =>
  withMemory(() => {
    const pixels = sizeOf([height, width]);
    const [from, mask] = [arena.put(map, 4 * pixels), arena.space(pixels)];
    kernels.binarize(from, height, width, threshold, Number(dilate), mask);
    const { contours, points, counts } = putContours(mask, [height, width], true);
    const [all] = counts;
    const first = Math.max(0, all - most);
    // Memory for the points of the longest contour, or of the longest outline that a box has when it grows. The second
    // number of a contour is its length.
    const lengths = arena.view(Int32Array, contours, contourFields * all).filter((_, i) => i % contourFields === 1);
    const longest = Math.max(mostGrown, largest(lengths));
    // A list that begins with the first of the last contours.
    const last = arena.putStruct(cpp.ContourSpace, {
      points,
      contours: contours + cpp.Contour.bytes * first,
      capacity: all,
    });
    const settings = arena.putStruct(cpp.TextSettings, {
      leastScore: score,
      unclipRatio: ratio,
      leastSide: side,
      height: size[0],
      width: size[1],
      isRound: Number(isRound),
    });
    // 8 numbers a box, and its score.
    const [boxes, scores] = [arena.space(32 * (all - first)), arena.space(4 * (all - first))];
    // 8 float32 numbers a point.
    const work = arena.space(32 * longest);
    const count = kernels.find_text(from, height, width, last, all - first, settings, work, mask, boxes, scores);
    return { boxes: arena.take(Float32Array, boxes, 8 * count), scores: arena.take(Float32Array, scores, count) };
  });
