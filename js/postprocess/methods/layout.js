/** Boxes and polygons of a page in the order of reading: PP-DocLayout. A query is a box that the model proposes, with
 * logits of classes; a pair is a query and one of its classes. */
import { largest, smallest } from '../../arguments/index.js';
import { descendingOrder, gatherRows, indicesAbove, sigmoidOf, swapped, votesOf } from '../../engines/results/index.js';
import { findContours } from '../contours.js';
import { approxPolyDP, contourArea } from '../polygons.js';
import { roundEven } from '../settings.js';
import { flags, floats, floatsAt, integers, integersAt, numbersAt } from '../tensors.js';
import { floatOutput, method } from './define.js';
import { answerOf, bestPairs, boxOutput, dataOfPicture, logits, makeList, toCorners } from './detection.js';
import { needed, sizes, threshold } from './options.js';
import { readingOrder } from './reading-order.js';
import { planesOf } from './semantic.js';
import { readSides } from './settings.js';

/** @import { Planes } from '../../engines/results/index.js' */
/** @import { Tensor } from '../../tensor/index.js' */
/** @import { PictureSize, ReadTensor } from '../types.js' */

/** @typedef {Record<'logits' | 'pred_boxes' | 'order_logits', ReadTensor>} PageOutputs */
/** @typedef {{ threshold: number, target_sizes?: PictureSize[] }} PageOptions */

const pageOutputs = { logits, pred_boxes: boxOutput, order_logits: floatOutput('batch', 'queries', 'queries') };
const pageOptions = { threshold: threshold(0.5), target_sizes: sizes };

/** Lists the indices of numbers from the lowest to the highest. @type {(numbers: Float32Array) => Int32Array} */
const risingOrder = (numbers) => descendingOrder(numbers.map((number) => -number));

/** Ranks queries in the order of reading. `order`: logits [queries, queries] of which query follows which. A query has
 * as many votes as queries that it follows; the one with the fewest has rank 0.
 * @type {(order: Float32Array, queries: number) => Int32Array} the rank of each */
function ranksByVotes(order, queries) {
  const ranks = new Int32Array(queries);
  risingOrder(votesOf(order, queries)).forEach((query, rank) => {
    ranks[query] = rank;
  });
  return ranks;
}

/** Sorts pairs by their ranks. @type {(pairs: Int32Array, rankOf: (pair: number) => number) => Int32Array} */
const sortedByRank = (pairs, rankOf) => numbersAt(pairs, risingOrder(Float32Array.from(pairs, rankOf)));

/** Lists the pairs whose score is `minScore` or more. @type {(scores: Float32Array, minScore: number) => Int32Array} */
function pairsFrom(scores, minScore) {
  const isInclusive = true;
  return indicesAbove(scores, minScore, isInclusive);
}

/** Makes the answer of picture `i`: the best pairs of a query and a class, as many as there are queries, whose score is
 * at least the threshold, sorted by the rank of their queries (`order_seq`). Boxes are corners in pixels or, without
 * target sizes, from 0 to 1 over the picture. `queries`: the query of each pair in the answer.
 * @type {(outputs: PageOutputs, i: number, options: PageOptions) =>
 *   { queries: Int32Array, answer: Record<string, Tensor> }} */
function detectInOrder(outputs, i, options) {
  const [, queries, classes] = outputs.logits.dims;
  const pairs = bestPairs(sigmoidOf(dataOfPicture(outputs.logits, i)), classes, queries);
  const ranksOfQueries = ranksByVotes(dataOfPicture(outputs.order_logits, i), queries);
  const ranks = numbersAt(ranksOfQueries, pairs.queries);
  const boxesOfQueries = toCorners(dataOfPicture(outputs.pred_boxes, i), options.target_sizes?.[i]);
  const boxes = gatherRows(boxesOfQueries, 4, pairs.queries);
  const chosen = sortedByRank(pairsFrom(pairs.scores, options.threshold), (pair) => ranks[pair]);
  return {
    queries: numbersAt(pairs.queries, chosen),
    answer: {
      ...answerOf({ ...pairs, boxes }, chosen),
      order_seq: integersAt(ranks, chosen),
    },
  };
}

/** Version 2: boxes with scores and labels in the order of reading. */
export const layout = method({
  outputs: pageOutputs,
  options: pageOptions,
  makeAnswer: (outputs, options) => makeList(outputs.logits.dims[0], (i) => detectInOrder(outputs, i, options).answer),
});

/** Pixels of the model's input along an edge of a mask's pixel. */
const maskStride = 4;

/** Version 3: boxes with scores and labels in the order of reading, and for each the polygon around its mask, or the
 * box's corners if the mask has no polygon. */
export const layoutPolygons = method({
  outputs: { ...pageOutputs, out_masks: floatOutput('batch', 'queries', 'height', 'width') },
  options: { ...pageOptions, target_sizes: needed(sizes) },
  makeAnswer(outputs, options, settings) {
    const [inputHeight, inputWidth] = readSides(settings, 'size');
    return makeList(outputs.logits.dims[0], (i) => {
      const { queries, answer } = detectInOrder(outputs, i, options);
      const [height, width] = options.target_sizes[i];
      const maskPixelsPerPixel = { down: inputHeight / height / maskStride, across: inputWidth / width / maskStride };
      const masks = planesOf(outputs.out_masks, i);
      const polygon_points = Array.from(queries, (query, k) => {
        const edges = answer.boxes.data.subarray(4 * k, 4 * k + 4);
        const box = Array.from(edges, (edge) => Math.trunc(Number(edge)));
        const mask = masks.gather(Int32Array.of(query));
        const points = polygonIn(mask, box, maskPixelsPerPixel, options.threshold) ?? cornersOfBox(box);
        return floats(Float32Array.from(points), [points.length / 2, 2]);
      });
      return { ...answer, polygon_points };
    });
  },
});

/** Lists the four corners of a box, x and y in turn, clockwise from the top left.
 * @type {(box: number[]) => number[]} */
const cornersOfBox = ([x0, y0, x1, y1]) => [x0, y0, x1, y0, x1, y1, x0, y1];

/** The longest side, in pixels, of a box that gets a polygon: boxes of a page are not longer. */
const maxSide = 32768;

/** @type {(length: number) => boolean} */
const isUsableSide = (length) => length > 0 && length <= maxSide;

/** Rounds a place to a whole pixel of 0 to `limit`. @type {(place: number, limit: number) => number} */
const roundWithin = (place, limit) => Math.min(Math.max(roundEven(place), 0), limit);

/** Finds the polygon around the mask inside its box [x0, y0, x1, y1], in pixels of the picture: x and y, in turn, of at
 * least 4 points. Undefined if the mask has none. `scale`: the factors from pixels of the picture to those of the mask;
 * `maskThreshold`: the probability above which a pixel of the mask is set.
 * @type {(mask: Planes, box: number[], scale: { down: number, across: number }, maskThreshold: number) =>
 *   number[] | undefined} */
function polygonIn(mask, [x0, y0, x1, y1], { down, across }, maskThreshold) {
  const width = x1 - x0;
  const height = y1 - y0;
  if (!isUsableSide(width) || !isUsableSide(height)) return undefined;
  // The part of the mask, in its pixels, that the box covers.
  const [left, right] = [x0, x1].map((x) => roundWithin(x * across, mask.width));
  const [top, bottom] = [y0, y1].map((y) => roundWithin(y * down, mask.height));
  if (left >= right || top >= bottom) return undefined;
  const partHeight = bottom - top;
  const partWidth = right - left;
  const part = mask.crop(top, left, partHeight, partWidth).sigmoid().above(maskThreshold, Float32Array);
  if (!part.includes(1)) return undefined;
  const maskOfBox = resizeByNearest(part, [partHeight, partWidth], [height, width]);
  const polygon = convexCornersOf(outlineOf(new Uint8Array(maskOfBox), [height, width]));
  return polygon.length < 4 ? undefined : polygon.flatMap(([x, y]) => [x + x0, y + y0]);
}

/** Resizes a plane [height, width] to `size`, as OpenCV's INTER_NEAREST does: its rows, then its columns.
 * @type {(plane: Float32Array, extents: number[], size: number[]) => Float32Array} */
function resizeByNearest(plane, [height, width], [toHeight, toWidth]) {
  const rows = gatherRows(plane, width, nearestIndices(height, toHeight)); // [toHeight, width]
  const columns = swapped(rows, 1, toHeight, width); // transposed: [width, toHeight]
  const resizedColumns = gatherRows(columns, toHeight, nearestIndices(width, toWidth));
  return swapped(resizedColumns, 1, toWidth, toHeight);
}

/** Lists, for each of `count` elements of a result, the index of the one that OpenCV's INTER_NEAREST takes for it when
 * it resizes `length` elements.
 * @type {(length: number, count: number) => Int32Array} */
function nearestIndices(length, count) {
  // OpenCV computes the scale, then its reciprocal: each is rounded.
  const scale = count / length;
  const step = 1 / scale;
  return Int32Array.from({ length: count }, (_, i) => Math.min(Math.floor(i * step), length - 1));
}

/** Converts a list of x and y in turn to a list of points [x, y]. @type {(list: Int32Array) => number[][]} */
const pairsOf = (list) => Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i], list[2 * i + 1]]);

/** The distance by which a simplified polygon may miss its outline, divided by the outline's length. */
const outlineTolerance = 0.004;

/** Computes the length of a closed line through points [x, y]. Each edge is rounded to float32, as in OpenCV.
 * @type {(points: number[][]) => number} */
function perimeterOf(points) {
  return points.reduce((sum, [x, y], i) => {
    const [beforeX, beforeY] = points.at(i - 1) ?? [x, y];
    const edge = Math.sqrt((x - beforeX) ** 2 + (y - beforeY) ** 2);
    return sum + Math.fround(edge);
  }, 0);
}

/** Finds the outline of the largest region of a mask, and simplifies it to fewer points [x, y]. There are none if the
 * mask has no pixel, as when its few pixels were lost while it became smaller.
 * @type {(mask: Uint8Array, size: number[]) => number[][]} */
function outlineOf(mask, size) {
  const { contours } = findContours(flags(mask, size), { mode: 'external' });
  if (contours.length === 0) return [];
  const areas = contours.map((contour) => contourArea(contour));
  const largestRegion = areas.indexOf(largest(areas));
  const outline = contours[largestRegion];
  const tolerance = outlineTolerance * perimeterOf(pairsOf(outline.data));
  const isClosed = true;
  return pairsOf(approxPolyDP(outline, tolerance, isClosed).data);
}

/** The angle of the corners that {@link pushCorner} moves, and how far from it they may be, in degrees. */
const [pushedAngle, angleTolerance] = [45, 1];

/** Lists the corners [x, y] of a polygon at which it is convex, and leaves out those at which it is concave. As in
 * transformers, corners of about 45 degrees are moved by {@link pushCorner}.
 * @type {(points: number[][]) => number[][]} */
function convexCornersOf(points) {
  return points.flatMap((corner, i) => {
    const before = points.at(i - 1) ?? corner;
    const behind = points[(i + 1) % points.length];
    const toBefore = difference(before, corner);
    const toBehind = difference(behind, corner);
    const crossProduct = toBefore[1] * toBehind[0] - toBefore[0] * toBehind[1];
    const isConvex = crossProduct < 0; // because OpenCV's outlines go counterclockwise on the screen
    return isConvex ? [pushCorner(corner, toBefore, toBehind)] : [];
  });
}

/** @type {(a: number[], b: number[]) => number[]} */
const difference = ([ax, ay], [bx, by]) => [ax - bx, ay - by];

/** Moves the corner of a polygon, if its angle is within 1 degree of 45, along the angle's bisector by the mean length
 * of its two edges; other corners stay. `toBefore` and `toBehind`: the vectors from the corner to its neighbors.
 * @type {(corner: number[], toBefore: number[], toBehind: number[]) => number[]} */
function pushCorner([x, y], [beforeX, beforeY], [behindX, behindY]) {
  const lengthBefore = Math.sqrt(beforeX * beforeX + beforeY * beforeY);
  const lengthBehind = Math.sqrt(behindX * behindX + behindY * behindY);
  const cosine = (beforeX * behindX + beforeY * behindY) / (lengthBefore * lengthBehind);
  const degrees = (Math.acos(Math.min(Math.max(cosine, -1), 1)) * 180) / Math.PI;
  if (Math.abs(degrees - pushedAngle) >= angleTolerance) return [x, y];
  // The bisector is the sum of the two unit vectors.
  const bisectorX = beforeX / lengthBefore + behindX / lengthBehind;
  const bisectorY = beforeY / lengthBefore + behindY / lengthBehind;
  const bisectorLength = Math.sqrt(bisectorX * bisectorX + bisectorY * bisectorY);
  const meanLength = (lengthBefore + lengthBehind) / 2;
  const factor = meanLength / bisectorLength;
  return [x + bisectorX * factor, y + bisectorY * factor];
}

/** Numbers of a query's box: x and y of its center, and of the offsets of its four corners from the center. */
const cornerNumbers = 10;

/** Version 4: each query has a box of four corners. {@link readingOrder} makes the order of reading of two matrices. */
export const layoutCorners = method({
  outputs: {
    logits,
    pred_boxes: floatOutput('batch', 'queries', cornerNumbers),
    relative_order_logits: floatOutput('batch', 'queries', 'queries'),
    successor_order_logits: floatOutput('batch', 'queries', 'queries'),
  },
  options: { ...pageOptions, target_sizes: needed(sizes) },
  makeAnswer(outputs, options) {
    const [batch, queries, classes] = outputs.logits.dims;
    return makeList(batch, (i) => {
      const pairs = bestPairs(sigmoidOf(dataOfPicture(outputs.logits, i)), classes, queries);
      const candidates = pairsFrom(pairs.scores, options.threshold);
      const ranks = readingOrder(
        dataOfPicture(outputs.relative_order_logits, i),
        dataOfPicture(outputs.successor_order_logits, i),
        queries,
        numbersAt(pairs.queries, candidates),
      );
      const rankOf = (/** @type {number} */ pair) => ranks.get(pairs.queries[pair]) ?? 0;
      const chosen = sortedByRank(candidates, rankOf);
      const rows = gatherRows(dataOfPicture(outputs.pred_boxes, i), cornerNumbers, numbersAt(pairs.queries, chosen));
      const corners = cornersOfRows(rows, options.target_sizes[i]);
      const count = chosen.length;
      return {
        scores: floatsAt(pairs.scores, chosen),
        labels: integersAt(pairs.labels, chosen),
        boxes: floats(Float32Array.from(corners.flatMap(boxAround)), [count, 4]),
        polygon_points: floats(Float32Array.from(corners.flat()), [count, 4, 2]),
        order_seq: integers(Int32Array.from(chosen, rankOf), [count]),
      };
    });
  },
});

/** Computes the box around points, x and y in turn: [x0, y0, x1, y1]. @type {(points: number[]) => number[]} */
function boxAround(points) {
  const xs = points.filter((_, k) => k % 2 === 0);
  const ys = points.filter((_, k) => k % 2 === 1);
  return [smallest(xs), smallest(ys), largest(xs), largest(ys)];
}

/** Computes the four corners of each query's box, x and y in turn, in pixels of a picture of this size: a corner is
 * (center + offset - 0.5) * size. `rows`: the {@link cornerNumbers} numbers of each query.
 * @type {(rows: Float32Array, size: number[]) => number[][]} */
function cornersOfRows(rows, [height, width]) {
  const { fround } = Math;
  return makeList(rows.length / cornerNumbers, (i) => {
    const [centerX, centerY, ...offsets] = rows.subarray(cornerNumbers * i, cornerNumbers * (i + 1));
    return offsets.map((offset, k) => {
      const [center, extent] = k % 2 === 0 ? [centerX, width] : [centerY, height];
      return fround(fround(center + fround(offset - 0.5)) * extent);
    });
  });
}
