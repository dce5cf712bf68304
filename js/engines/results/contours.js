/** Borders, rectangles and text through the module, as OpenCV finds them. A point is x and y, two numbers of 4 bytes
 * each. See cpp/postprocess/contours.h, polygons.h and text.h. */
import * as cpp from '../../../dist/bridge/results.js';
import { largest } from '../../arguments/index.js';
import { floatBytes, intBytes, wordBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';
import { pointBytes, pointNumbers } from './sizes.js';

/** A contour's numbers: start, length, parent, whether it is a hole's. */
export const contourFields = cpp.Contour.bytes / intBytes;
/** The place of the length among them. */
const lengthField = 1;
/** Points of a grown box at most: kMostGrown of cpp/postprocess/round_offset.h. */
const mostGrown = 8192;
/** Numbers and bytes of the four corners of a box. */
const cornerNumbers = 8;
const cornersBytes = cornerNumbers * floatBytes;
/** Float32 numbers of a rotated rectangle: center, size, angle. */
const rectNumbers = 5;

/** @typedef {readonly number[]} Size height and width */

/** Finds the borders of a mask at an address. Takes memory for as many points as a quarter of its pixels; where a mask
 * has more, its borders are followed again. `simple`: without points on straight lines.
 * @type {(mask: number, size: Size, simple: boolean) =>
 *   { contours: number, points: number, contourCount: number, pointCount: number }} addresses and counts */
function putContours(mask, [height, width], simple) {
  // Work memory: a map with a pixel more on each side.
  const mapSize = (height + 2) * (width + 2);
  const map = arena.allocate(intBytes * mapSize);
  // The counts of contours and of points.
  const counts = arena.allocate(2 * intBytes);
  let capacity = 1024 + ((height * width) >> 2);
  // Ends at the second round at the latest, which has memory for all points.
  for (;;) {
    const [points, contours] = [arena.allocate(pointBytes * capacity), arena.allocate(cpp.Contour.bytes * capacity)];
    const space = arena.copyInStruct(cpp.ContourSpace, { points, contours, capacity });
    arena.view(Int32Array, map, mapSize).fill(0);
    kernels.find_contours(mask, height, width, Number(simple), map, space, counts);
    const [contourCount, pointCount] = arena.view(Int32Array, counts, 2);
    // There are no more contours than points.
    if (pointCount <= capacity) return { contours, points, contourCount, pointCount };
    capacity = pointCount;
  }
}

/** Finds the borders of the regions of a mask that are not 0, and of their holes: the points of all borders, and
 * `contourFields` numbers for each border. `simple`: without points on straight lines.
 * @type {(mask: Uint8Array, size: Size, simple: boolean) => { points: Int32Array, contours: Int32Array }} */
export const contoursOf = (mask, size, simple) =>
  withMemory(() => {
    const maskAt = arena.copyIn(mask, sizeOf([size[0], size[1]]));
    const { points, contours, pointCount, contourCount } = putContours(maskAt, size, simple);
    return {
      points: arena.copyOut(Int32Array, points, pointNumbers * pointCount),
      contours: arena.copyOut(Int32Array, contours, contourFields * contourCount),
    };
  });

/** Finds the convex hull of points: the indices of its corners, in order around it.
 * @type {(points: Float32Array) => Int32Array} */
export const hullOf = (points) =>
  withMemory(() => {
    const count = rowsIn(points, pointNumbers);
    // The kernel works in memory for two indices a point.
    const indicesAt = arena.allocate(2 * intBytes * count);
    const pointsAt = arena.copyIn(points, pointBytes * count);
    const cornerCount = kernels.convex_hull(pointsAt, count, indicesAt);
    return arena.copyOut(Int32Array, indicesAt, cornerCount);
  });

/** Finds the smallest rectangle around points, turned by any angle: center x, center y, width, height and the angle in
 * degrees, from -90 to 0. Refuses an empty list of points.
 * @type {(points: Float32Array) => Float32Array} */
export const smallestRect = (points) =>
  withMemory(() => {
    const count = sizeOf([rowsIn(points, pointNumbers)], 1);
    const rectAt = arena.allocate(cpp.RotatedRect.bytes);
    const pointsAt = arena.copyIn(points, pointBytes * count);
    // The kernel works in six numbers a point.
    const workAt = arena.allocate(6 * wordBytes * count);
    kernels.min_area_rect(pointsAt, count, workAt, rectAt);
    return arena.copyOut(Float32Array, rectAt, rectNumbers);
  });

/** Computes the four corners of a rectangle that {@link smallestRect} gives: x and y of each.
 * @type {(rect: Float32Array) => Float32Array} */
export const cornersOfRect = (rect) =>
  withMemory(() => {
    const cornersAt = arena.allocate(cornersBytes);
    const rectAt = arena.copyIn(rect, floatBytes * rectNumbers);
    kernels.box_points(rectAt, cornersAt);
    return arena.copyOut(Float32Array, cornersAt, cornerNumbers);
  });

/** Computes the area of the polygon of points; negative where they turn to the left in a picture, whose y points down.
 * @type {(points: Float32Array) => number} */
export const areaInside = (points) =>
  withMemory(() => {
    const count = rowsIn(points, pointNumbers);
    const pointsAt = arena.copyIn(points, pointBytes * count);
    return kernels.contour_area(pointsAt, count);
  });

/** Simplifies a line, or a closed polygon, as OpenCV's approxPolyDP: finds the indices of the points to keep, so that
 * the others lie within a distance of the lines between these. Refuses an empty list of points.
 * @type {(points: Float32Array, distance: number, isClosed: boolean) => Int32Array} */
export const approximationOf = (points, distance, isClosed) =>
  withMemory(() => {
    const count = sizeOf([rowsIn(points, pointNumbers)], 1);
    // The kernel works in five numbers a point, the indices among them.
    const indicesAt = arena.allocate(5 * wordBytes * count);
    const pointsAt = arena.copyIn(points, pointBytes * count);
    const keptCount = kernels.approximate_polygon(pointsAt, count, distance, Number(isClosed), indicesAt);
    return arena.copyOut(Int32Array, indicesAt, keptCount);
  });

/** Fills a polygon in a copy of a mask with a value: the pixels inside it, and those on the lines between its points.
 * @type {(mask: Uint8Array, size: Size, points: Int32Array, value: number) => Uint8Array} */
export const filledPolygon = (mask, [height, width], points, value) =>
  withMemory(() => {
    const count = rowsIn(points, pointNumbers);
    const [at, from] = [arena.copyIn(mask, sizeOf([height, width])), arena.copyIn(points, pointBytes * count)];
    kernels.fill_polygon(from, count, value, at, height, width, arena.allocate(cpp.PolygonEdge.bytes * count));
    return arena.copyOut(Uint8Array, at, mask.length);
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
    const [from, mask] = [arena.copyIn(map, floatBytes * pixels), arena.allocate(pixels)];
    kernels.binarize(from, height, width, threshold, Number(dilate), mask);
    const simple = true;
    const { contours, points, contourCount } = putContours(mask, [height, width], simple);
    const first = Math.max(0, contourCount - most);
    const lastCount = contourCount - first;
    const lastContours = arena.copyInStruct(cpp.ContourSpace, {
      points,
      contours: contours + cpp.Contour.bytes * first,
      capacity: contourCount,
    });
    const settings = arena.copyInStruct(cpp.TextSettings, {
      leastScore: score,
      unclipRatio: ratio,
      leastSide: side,
      height: size[0],
      width: size[1],
      isRound: Number(isRound),
    });
    const [boxes, scores] = [arena.allocate(cornersBytes * lastCount), arena.allocate(floatBytes * lastCount)];
    // 8 float32 numbers a point of the longest contour, or of the longest outline that a box has when it grows.
    const longest = Math.max(mostGrown, longestContour(contours, contourCount));
    const work = arena.allocate(8 * floatBytes * longest);
    const count = kernels.find_text(from, height, width, lastContours, lastCount, settings, work, mask, boxes, scores);
    return {
      boxes: arena.copyOut(Float32Array, boxes, cornerNumbers * count),
      scores: arena.copyOut(Float32Array, scores, count),
    };
  });

/** Counts the points of the longest of some contours at an address.
 * @type {(contours: number, count: number) => number} */
function longestContour(contours, count) {
  const fields = arena.view(Int32Array, contours, contourFields * count);
  return largest(fields.filter((_, i) => i % contourFields === lengthField));
}
