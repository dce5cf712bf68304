/** Boxes and polygons of a page in the order of reading: PP-DocLayout. A query is a box that the model proposes, with
 * logits of classes; a pair is a query and one of its classes. */
import { largest, smallest } from '../../arguments/index.js';
import { descendingOrder, indicesAbove, rowsOf, sigmoidOf, swapped, votesOf } from '../../engines/results/index.js';
import { approxPolyDP, contourArea, findContours } from '../contours.js';
import { roundEven } from '../settings.js';
import { flags, floats, integers } from '../tensors.js';
import { floatOutput, method } from './define.js';
import { bestPairs, boxOutput, corners, each, logits, pickedAt, pictureOf } from './detection.js';
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
function rankedVotes(order, queries) {
  const ranks = new Int32Array(queries);
  risingOrder(votesOf(order, queries)).forEach((query, rank) => {
    ranks[query] = rank;
  });
  return ranks;
}

/** Sorts pairs by the ranks of their queries.
 * @type {(pairs: Int32Array, rankOf: (pair: number) => number) => Int32Array} */
const byRank = (pairs, rankOf) => rowsOf(pairs, 1, risingOrder(Float32Array.from(pairs, rankOf)));

/** Makes the answer of picture `i`: the best pairs of a query and a class, as many as there are queries, whose score is
 * at least the threshold, sorted by the rank of their queries (`order_seq`). Boxes are corners in pixels or, without
 * target sizes, from 0 to 1 over the picture. `queries`: the query of each pair in the answer.
 * @type {(outputs: PageOutputs, i: number, options: PageOptions) =>
 *   { queries: Int32Array, answer: Record<string, Tensor> }} */
function foundInOrder(outputs, i, options) {
  const [, queries, classes] = outputs.logits.dims;
  const pairs = bestPairs(sigmoidOf(pictureOf(outputs.logits, i)), classes, queries);
  const ranks = rowsOf(rankedVotes(pictureOf(outputs.order_logits, i), queries), 1, pairs.queries);
  const boxes = rowsOf(corners(pictureOf(outputs.pred_boxes, i), options.target_sizes?.[i]), 4, pairs.queries);
  const above = indicesAbove(pairs.scores, options.threshold, true);
  const at = byRank(above, (pair) => ranks[pair]);
  return {
    queries: rowsOf(pairs.queries, 1, at),
    answer: { ...pickedAt({ ...pairs, boxes }, at), order_seq: integers(rowsOf(ranks, 1, at), [at.length]) },
  };
}

/** Version 2: boxes with scores and labels in the order of reading. */
export const layout = method({
  outputs: pageOutputs,
  options: pageOptions,
  makeAnswer: (outputs, options) => each(outputs.logits.dims[0], (i) => foundInOrder(outputs, i, options).answer),
});

/** Pixels of the model's input along an edge of a mask's pixel. */
const maskStride = 4;

/** Version 3: as {@link layout}, with a polygon around the mask of each box, or the box's corners if it has none. */
export const layoutPolygons = method({
  outputs: { ...pageOutputs, out_masks: floatOutput('batch', 'queries', 'height', 'width') },
  options: { ...pageOptions, target_sizes: needed(sizes) },
  makeAnswer(outputs, options, settings) {
    const model = readSides(settings, 'size');
    return each(outputs.logits.dims[0], (i) => {
      const { queries, answer } = foundInOrder(outputs, i, options);
      // From pixels of the picture to those of the mask, down and across.
      const scale = options.target_sizes[i].map((extent, axis) => model[axis] / extent / maskStride);
      const masks = planesOf(outputs.out_masks, i);
      const polygon_points = Array.from(queries, (query, k) => {
        const box = Array.from(answer.boxes.data.subarray(4 * k, 4 * k + 4), (edge) => Math.trunc(Number(edge)));
        const [x0, y0, x1, y1] = box;
        const boxCorners = [x0, y0, x1, y0, x1, y1, x0, y1];
        const points = polygonIn(masks.gather(Int32Array.of(query)), box, scale, options.threshold) ?? boxCorners;
        return floats(Float32Array.from(points), [points.length / 2, 2]);
      });
      return { ...answer, polygon_points };
    });
  },
});

/** The longest side, in pixels, of a box that gets a polygon: boxes of a page are not longer. */
const maxSide = 32768;

/** Finds the polygon around the mask inside its box [x0, y0, x1, y1], in pixels of the picture: x and y, in turn, of at
 * least 4 points. Undefined if the mask has none. `scale`: the factors from pixels of the picture to those of the mask,
 * down and across; `least`: the probability above which a pixel of the mask is set.
 * @type {(mask: Planes, box: number[], scale: number[], least: number) => number[] | undefined} */
function polygonIn(mask, [x0, y0, x1, y1], [down, across], least) {
  const [width, height] = [x1 - x0, y1 - y0];
  const isSide = (/** @type {number} */ length) => length > 0 && length <= maxSide;
  if (!isSide(width) || !isSide(height)) return undefined;
  // The box in whole pixels of the mask.
  const clamped = (/** @type {number} */ place, /** @type {number} */ limit) =>
    Math.min(Math.max(roundEven(place), 0), limit);
  const [left, right] = [x0, x1].map((x) => clamped(x * across, mask.width));
  const [top, bottom] = [y0, y1].map((y) => clamped(y * down, mask.height));
  const partSize = [bottom - top, right - left];
  if (left >= right || top >= bottom) return undefined;
  const part = mask.crop(top, left, partSize[0], partSize[1]).sigmoid().above(least, Float32Array);
  if (!part.includes(1)) return undefined;
  const resized = resizedByNearest(part, partSize, [height, width]);
  const polygon = bentPolygon(outlineOf(new Uint8Array(resized), [height, width]));
  return polygon.length < 4 ? undefined : polygon.flatMap(([x, y]) => [x + x0, y + y0]);
}

/** Resizes a plane [height, width] to `size`, as OpenCV's INTER_NEAREST does: its rows, then its columns.
 * @type {(plane: Float32Array, extents: number[], size: number[]) => Float32Array} */
function resizedByNearest(plane, [height, width], [toHeight, toWidth]) {
  const rows = rowsOf(plane, width, nearest(height, toHeight));
  const columns = swapped(rows, 1, toHeight, width);
  const resizedColumns = rowsOf(columns, toHeight, nearest(width, toWidth));
  return swapped(resizedColumns, 1, toWidth, toHeight);
}

/** Lists, for each of `count` elements of a result, the index of the one that OpenCV's INTER_NEAREST takes for it when
 * it resizes `length` elements.
 * @type {(length: number, count: number) => Int32Array} */
function nearest(length, count) {
  // OpenCV computes the scale, then its reciprocal: each is rounded.
  const step = 1 / (count / length);
  return Int32Array.from({ length: count }, (_, i) => Math.min(Math.floor(i * step), length - 1));
}

/** Converts a list of x and y in turn to a list of points [x, y].
 * @type {(list: Int32Array) => number[][]} */
const pairsOf = (list) => Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i], list[2 * i + 1]]);

/** The distance by which a simplified polygon may miss its outline, divided by the outline's length. */
const outlineTolerance = 0.004;

/** Finds the outline of the largest region of a mask, and simplifies it to fewer points [x, y]. There are none if the
 * mask has no pixel, as when its few pixels were lost while it became smaller.
 * @type {(mask: Uint8Array, size: number[]) => number[][]} */
function outlineOf(mask, size) {
  const { contours } = findContours(flags(mask, size), { mode: 'external' });
  if (contours.length === 0) return [];
  const areas = contours.map((contour) => contourArea(contour));
  const outline = contours[areas.indexOf(largest(areas))];
  const points = pairsOf(outline.data);
  // The perimeter, whose edges are float32 as in OpenCV; the edge of the first point comes from the last one.
  const length = points.reduce((sum, [x, y], i) => {
    const [fromX, fromY] = points.at(i - 1) ?? [x, y];
    return sum + Math.fround(Math.sqrt((x - fromX) ** 2 + (y - fromY) ** 2));
  }, 0);
  return pairsOf(approxPolyDP(outline, outlineTolerance * length, true).data);
}

/** Picks the points at which a polygon is convex, as Python bends them: {@link bentCorner}.
 * @type {(points: number[][]) => number[][]} */
function bentPolygon(points) {
  return points.flatMap((point, i) => {
    const before = points.at(i - 1) ?? point;
    const behind = points[(i + 1) % points.length];
    const toBefore = [before[0] - point[0], before[1] - point[1]];
    const toBehind = [behind[0] - point[0], behind[1] - point[1]];
    const turn = toBefore[1] * toBehind[0] - toBefore[0] * toBehind[1];
    const isConvex = turn < 0;
    return isConvex ? [bentCorner(point, toBefore, toBehind)] : [];
  });
}

/** Moves a point whose angle is within 1 degree of 45 along the angle's bisector, by the mean length of its two edges.
 * @type {(point: number[], toBefore: number[], toBehind: number[]) => number[]} */
function bentCorner([x, y], [a, b], [c, d]) {
  const [first, second] = [Math.sqrt(a * a + b * b), Math.sqrt(c * c + d * d)];
  const cosine = Math.min(Math.max((a * c + b * d) / (first * second), -1), 1);
  const degrees = (Math.acos(cosine) * 180) / Math.PI;
  if (Math.abs(degrees - 45) >= 1) return [x, y];
  // The bisector is the sum of the two unit vectors.
  const [p, q] = [a / first + c / second, b / first + d / second];
  const step = (first + second) / 2 / Math.sqrt(p * p + q * q);
  return [x + p * step, y + q * step];
}

/** Numbers of a query's box: a center and the offsets of four corners from it, all x and y. */
const cornerRow = 10;

/** Version 4: each query has a box of four corners. {@link readingOrder} makes the order of reading of two matrices. */
export const layoutCorners = method({
  outputs: {
    logits,
    pred_boxes: floatOutput('batch', 'queries', cornerRow),
    relative_order_logits: floatOutput('batch', 'queries', 'queries'),
    successor_order_logits: floatOutput('batch', 'queries', 'queries'),
  },
  options: { ...pageOptions, target_sizes: needed(sizes) },
  makeAnswer(outputs, options) {
    const [batch, queries, classes] = outputs.logits.dims;
    return each(batch, (i) => {
      const pairs = bestPairs(sigmoidOf(pictureOf(outputs.logits, i)), classes, queries);
      const above = indicesAbove(pairs.scores, options.threshold, true);
      const chosen = rowsOf(pairs.queries, 1, above);
      const [relative, successor] = [outputs.relative_order_logits, outputs.successor_order_logits].map((matrices) =>
        pictureOf(matrices, i),
      );
      const ranks = readingOrder(relative, successor, queries, chosen);
      const rankOf = (/** @type {number} */ pair) => ranks.get(pairs.queries[pair]) ?? 0;
      const at = byRank(above, rankOf);
      const rows = rowsOf(pictureOf(outputs.pred_boxes, i), cornerRow, rowsOf(pairs.queries, 1, at));
      const points = cornersOf(rows, options.target_sizes[i]);
      const boxes = points.flatMap(boxAround);
      return {
        scores: floats(rowsOf(pairs.scores, 1, at), [at.length]),
        labels: integers(rowsOf(pairs.labels, 1, at), [at.length]),
        boxes: floats(Float32Array.from(boxes), [at.length, 4]),
        polygon_points: floats(Float32Array.from(points.flat()), [at.length, 4, 2]),
        order_seq: integers(Int32Array.from(at, rankOf), [at.length]),
      };
    });
  },
});

/** Computes the box around points, x and y in turn: [x0, y0, x1, y1].
 * @type {(points: number[]) => number[]} */
function boxAround(points) {
  const xs = points.filter((_, k) => k % 2 === 0);
  const ys = points.filter((_, k) => k % 2 === 1);
  return [smallest(xs), smallest(ys), largest(xs), largest(ys)];
}

/** Computes the four corners of each row, x and y in turn: a corner is (center + offset - 0.5) * size, in pixels of a
 * picture of this size.
 * @type {(rows: Float32Array, size: number[]) => number[][]} */
function cornersOf(rows, [height, width]) {
  const { fround } = Math;
  return each(rows.length / cornerRow, (i) => {
    const [centerX, centerY, ...offsets] = rows.subarray(cornerRow * i, cornerRow * (i + 1));
    return offsets.map((offset, k) => {
      const [center, extent] = k % 2 === 0 ? [centerX, width] : [centerY, height];
      return fround(fround(center + fround(offset - 0.5)) * extent);
    });
  });
}
