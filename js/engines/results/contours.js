/** Borders, rectangles and text through the module. See cpp/postprocess/contours.h, polygons.h and text.h. */
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
 * Finds the borders of a mask in the module. Most masks have far fewer points than a quarter of their pixels; where one
 * has more, its borders are followed again.
 * @param {number} mask its address
 * @param {Size} size
 * @param {boolean} simple
 * @returns {{ block: number, contours: number, points: number, counts: Int32Array }} addresses; `counts` of contours
 *   and of points
 */
function putContours(mask, [height, width], simple) {
  const map = arena.space(4 * (height + 2) * (width + 2));
  const counts = arena.space(8);
  for (let capacity = 1024 + ((height * width) >> 2); ; capacity = arena.view(Int32Array, counts, 2)[1]) {
    const [points, contours] = [arena.space(8 * capacity), arena.space(4 * contourFields * capacity)];
    const block = arena.putStruct(cpp.ContourSpace, { points, contours, capacity });
    arena.view(Int32Array, map, (height + 2) * (width + 2)).fill(0);
    kernels.find_contours(mask, height, width, Number(simple), map, block, counts);
    const totals = arena.take(Int32Array, counts, 2);
    if (totals[1] <= capacity) return { block, contours, points, counts: totals };
  }
}

/** Finds the borders of a mask: their points, and `contourFields` numbers of each contour.
 * @type {(mask: Uint8Array, size: Size, simple: boolean) => { points: Int32Array, contours: Int32Array }} */
export const contoursOf = (mask, size, simple) =>
  withMemory(() => {
    const { points, contours, counts } = putContours(arena.put(mask, sizeOf([size[0], size[1]])), size, simple);
    return {
      points: arena.take(Int32Array, points, 2 * counts[1]),
      contours: arena.take(Int32Array, contours, contourFields * counts[0]),
    };
  });

/** Finds the indices of the points on the convex hull.
 * @type {(points: Float32Array) => Int32Array} */
export const hullOf = (points) =>
  withMemory(() => {
    const count = rowsIn(points, 2);
    const to = arena.space(8 * count);
    return arena.take(Int32Array, to, kernels.convex_hull(arena.put(points, 8 * count), count, to));
  });

/** Finds the smallest rectangle around points: center, size and angle.
 * @type {(points: Float32Array) => Float32Array} */
export const smallestRect = (points) =>
  withMemory(() => {
    const count = sizeOf([rowsIn(points, 2)], 1);
    const to = arena.space(cpp.RotatedRect.bytes);
    kernels.min_area_rect(arena.put(points, 8 * count), count, arena.space(24 * count), to);
    return arena.take(Float32Array, to, 5);
  });

/** Computes the four corners of a rectangle of center, size and angle.
 * @type {(rect: Float32Array) => Float32Array} */
export const cornersOfRect = (rect) =>
  withMemory(() => {
    const to = arena.space(32);
    kernels.box_points(arena.put(rect, 20), to);
    return arena.take(Float32Array, to, 8);
  });

/** Computes the area that points enclose.
 * @type {(points: Float32Array) => number} */
export const areaInside = (points) =>
  withMemory(() => {
    const count = rowsIn(points, 2);
    return kernels.contour_area(arena.put(points, 8 * count), count);
  });

/** Finds the indices of the points whose lines stay within a distance of the others.
 * @type {(points: Float32Array, distance: number, isClosed: boolean) => Int32Array} */
export const approximationOf = (points, distance, isClosed) =>
  withMemory(() => {
    const count = sizeOf([rowsIn(points, 2)], 1);
    const to = arena.space(20 * count);
    const from = arena.put(points, 8 * count);
    return arena.take(Int32Array, to, kernels.approximate_polygon(from, count, distance, Number(isClosed), to));
  });

/** Fills a polygon of a mask with a value.
 * @type {(mask: Uint8Array, size: Size, points: Int32Array, value: number) => Uint8Array} */
export const filledPolygon = (mask, [height, width], points, value) =>
  withMemory(() => {
    const count = rowsIn(points, 2);
    const [at, from] = [arena.put(mask, sizeOf([height, width])), arena.put(points, 8 * count)];
    kernels.fill_polygon(from, count, value, at, height, width, arena.space(cpp.PolygonEdge.bytes * count));
    return arena.take(Uint8Array, at, mask.length);
  });

/**
 * @typedef {object} TextSettings
 * @property {number} threshold
 * @property {boolean} dilate
 * @property {number} most how many contours are looked at
 * @property {number} score
 * @property {number} ratio
 * @property {number} side
 * @property {Size} size of the picture
 * @property {boolean} isRound
 */

/** Finds boxes of text in a map of probabilities: binarizes it, follows the borders, and grows a rectangle around each
 * of the last `most` contours. The scores are those of the boxes.
 * @type {(map: Float32Array, size: Size, settings: TextSettings) => { boxes: Float32Array, scores: Float32Array }} */
export const textOf = (map, [height, width], { threshold, dilate, most, score, ratio, side, size, isRound }) =>
  withMemory(() => {
    const pixels = sizeOf([height, width]);
    const [from, mask] = [arena.put(map, 4 * pixels), arena.space(pixels)];
    kernels.binarize(from, height, width, threshold, Number(dilate), mask);
    const { contours, points, counts } = putContours(mask, [height, width], true);
    const [all] = counts;
    const first = Math.max(0, all - most);
    const lengths = arena.view(Int32Array, contours, contourFields * all).filter((_, i) => i % contourFields === 1);
    const longest = Math.max(mostGrown, largest(lengths));
    // Only the last ones are looked at: the list begins behind the others.
    const last = arena.putStruct(cpp.ContourSpace, {
      points,
      contours: contours + cpp.Contour.bytes * first,
      capacity: all,
    });
    const settings = arena.putStruct(cpp.TextSettings, {
      ...{ leastScore: score, unclipRatio: ratio, leastSide: side },
      ...{ height: size[0], width: size[1], isRound: Number(isRound) },
    });
    const [boxes, scores] = [arena.space(32 * (all - first)), arena.space(4 * (all - first))];
    const count = kernels.find_text(
      ...[from, height, width, last, all - first, settings, arena.space(32 * longest), mask, boxes, scores],
    );
    return { boxes: arena.take(Float32Array, boxes, 8 * count), scores: arena.take(Float32Array, scores, count) };
  });
