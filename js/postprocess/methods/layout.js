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

const outputs = { logits, pred_boxes: boxOutput, order_logits: floatOutput('batch', 'queries', 'queries') };
const options = { threshold: threshold(0.5), target_sizes: sizes };

/** Ranks queries in the order of reading. `order`: logits [queries, queries] of which query follows which. A query has
 * as many votes as queries that it follows; the one with the fewest has rank 0. Returns the rank of each. */
const rankedVotes = (/** @type {Float32Array} */ order, /** @type {number} */ queries) => {
  const ranks = new Int32Array(queries);
  // Negative, because the order is that of falling numbers.
  const votes = votesOf(order, queries).map((vote) => -vote);
  descendingOrder(votes).forEach((query, rank) => {
    ranks[query] = rank;
  });
  return ranks;
};

/** Makes the answer of picture `i`: the best pairs of a query and a class, as many as there are queries, whose score is
 * at least the threshold, sorted by the rank of their queries (`order_seq`). Boxes are corners in pixels or, without
 * target sizes, from 0 to 1 over the picture. `queries`: the query of each pair in the answer.
 * @type {(t: PageOutputs, i: number, o: PageOptions) => { queries: Int32Array, answer: Record<string, Tensor> }} */
function foundInOrder(t, i, o) {
  const [, queries, classes] = t.logits.dims;
  const pairs = bestPairs(sigmoidOf(pictureOf(t.logits, i)), classes, queries);
  const ranks = rowsOf(rankedVotes(pictureOf(t.order_logits, i), queries), 1, pairs.queries);
  const boxes = rowsOf(corners(pictureOf(t.pred_boxes, i), o.target_sizes?.[i]), 4, pairs.queries);
  const above = indicesAbove(pairs.scores, o.threshold, true);
  // The indices of these pairs by rank: negative, because the order is that of falling numbers.
  const at = rowsOf(above, 1, descendingOrder(Float32Array.from(above, (index) => -ranks[index])));
  return {
    queries: rowsOf(pairs.queries, 1, at),
    answer: { ...pickedAt({ ...pairs, boxes }, at), order_seq: integers(rowsOf(ranks, 1, at), [at.length]) },
  };
}

/** Version 2: boxes with scores and labels in the order of reading. */
export const layout = method({
  outputs,
  options,
  makeAnswer: (t, o) => each(t.logits.dims[0], (i) => foundInOrder(t, i, o).answer),
});

/** Version 3: as {@link layout}, with a polygon around the mask of each box, or the box's corners if it has none. */
export const layoutPolygons = method({
  outputs: { ...outputs, out_masks: floatOutput('batch', 'queries', 'height', 'width') },
  options: { ...options, target_sizes: needed(sizes) },
  makeAnswer(t, o, settings) {
    const model = readSides(settings, 'size');
    return each(t.logits.dims[0], (i) => {
      const { queries, answer } = foundInOrder(t, i, o);
      // From pixels of the picture to those of the mask, which has a quarter of the model's input, down and across.
      const scale = o.target_sizes[i].map((extent, axis) => model[axis] / extent / 4);
      const masks = planesOf(t.out_masks, i);
      const polygon_points = Array.from(queries, (query, k) => {
        const box = Array.from(answer.boxes.data.subarray(4 * k, 4 * k + 4), (extent) => Math.trunc(Number(extent)));
        const points = polygonIn(masks.gather(Int32Array.of(query)), box, scale, o.threshold);
        const [x0, y0, x1, y1] = box;
        const list = points ?? [x0, y0, x1, y0, x1, y1, x0, y1];
        return floats(Float32Array.from(list), [list.length / 2, 2]);
      });
      return { ...answer, polygon_points };
    });
  },
});

/** The longest side, in pixels, of a box that gets a polygon: boxes of a page are not longer. */
const mostSide = 32768;

/** Finds the polygon around the mask inside its box [x0, y0, x1, y1], in pixels of the picture: x and y, in turn, of at
 * least 4 points. Undefined if the mask has none. `scale`: the factors from pixels of the picture to those of the mask,
 * down and across; `least`: the probability above which a pixel of the mask is set.
 * @type {(mask: Planes, box: number[], scale: number[], least: number) => number[] | undefined} */
function polygonIn(mask, [x0, y0, x1, y1], [down, across], least) {
  const [width, height] = [x1 - x0, y1 - y0];
  if (!(width > 0 && width <= mostSide && height > 0 && height <= mostSide)) return undefined;
  // An edge of the box in whole pixels of the mask.
  const clamped = (/** @type {number} */ place, /** @type {number} */ limit) =>
    Math.min(Math.max(roundEven(place), 0), limit);
  const [left, right] = [x0, x1].map((x) => clamped(x * across, mask.width));
  const [top, bottom] = [y0, y1].map((y) => clamped(y * down, mask.height));
  if (left >= right || top >= bottom) return undefined;
  // The part of the mask in the box is resized to the box's size by nearest neighbors: its rows, then its columns.
  const part = mask
    .crop(top, left, bottom - top, right - left)
    .sigmoid()
    .above(least, Float32Array);
  if (!part.includes(1)) return undefined;
  const columns = swapped(rowsOf(part, right - left, nearest(bottom - top, height)), 1, height, right - left);
  const resized = swapped(rowsOf(columns, height, nearest(right - left, width)), 1, width, height);
  const polygon = bentPolygon(outlineOf(new Uint8Array(resized), [height, width]));
  return polygon.length < 4 ? undefined : polygon.flatMap(([x, y]) => [x + x0, y + y0]);
}

/** Lists, for each of `count` elements of a result, the index of the one that OpenCV's INTER_NEAREST takes for it when
 * it resizes `length` elements. */
const nearest = (/** @type {number} */ length, /** @type {number} */ count) =>
  Int32Array.from({ length: count }, (_, i) => Math.min(Math.floor(i * (1 / (count / length))), length - 1));

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

/** Picks the points at which a polygon is convex. As in Python, a point whose angle is within 1 degree of 45 is moved
 * along the angle's bisector by the mean length of its two edges.
 * @type {(points: number[][]) => number[][]} */
function bentPolygon(points) {
  return points.flatMap(([x, y], i) => {
    const [before, behind] = [points.at(i - 1) ?? [x, y], points[(i + 1) % points.length]];
    // The edges to the point before, (a, b), and to the one behind, (c, d); their cross product tells the turn.
    const [a, b, c, d] = [before[0] - x, before[1] - y, behind[0] - x, behind[1] - y];
    if (b * c - a * d >= 0) return [];
    const [first, second] = [Math.sqrt(a * a + b * b), Math.sqrt(c * c + d * d)];
    const cosine = Math.min(Math.max((a * c + b * d) / (first * second), -1), 1);
    if (Math.abs((Math.acos(cosine) * 180) / Math.PI - 45) >= 1) return [[x, y]];
    // The bisector is the sum of the two unit vectors.
    const [p, q] = [a / first + c / second, b / first + d / second];
    const step = (first + second) / 2 / Math.sqrt(p * p + q * q);
    return [[x + p * step, y + q * step]];
  });
}

/** Version 4: each query has a box of four corners. {@link readingOrder} makes the order of reading of two matrices. */
export const layoutCorners = method({
  outputs: {
    logits,
    pred_boxes: floatOutput('batch', 'queries', 10),
    relative_order_logits: floatOutput('batch', 'queries', 'queries'),
    successor_order_logits: floatOutput('batch', 'queries', 'queries'),
  },
  options: { ...options, target_sizes: needed(sizes) },
  makeAnswer(t, o) {
    const [batch, queries, classes] = t.logits.dims;
    return each(batch, (i) => {
      const pairs = bestPairs(sigmoidOf(pictureOf(t.logits, i)), classes, queries);
      const above = indicesAbove(pairs.scores, o.threshold, true);
      const chosen = rowsOf(pairs.queries, 1, above);
      const [relative, successor] = [t.relative_order_logits, t.successor_order_logits].map((matrices) =>
        pictureOf(matrices, i),
      );
      const ranks = readingOrder(relative, successor, queries, chosen);
      // The indices of the pairs by the ranks of their queries: negative, because the order is that of falling numbers.
      const at = rowsOf(above, 1, descendingOrder(Float32Array.from(chosen, (query) => -(ranks.get(query) ?? 0))));
      const points = cornersOf(rowsOf(pictureOf(t.pred_boxes, i), 10, rowsOf(pairs.queries, 1, at)), o.target_sizes[i]);
      // The box around the corners: the least x and y, then the greatest.
      const boxes = points.flatMap((list) =>
        [0, 1].flatMap((isMost) =>
          [0, 1].map((axis) => {
            const sides = list.filter((_, k) => k % 2 === axis);
            return isMost ? largest(sides) : smallest(sides);
          }),
        ),
      );
      const order = Int32Array.from(at, (pair) => ranks.get(pairs.queries[pair]) ?? 0);
      return {
        scores: floats(rowsOf(pairs.scores, 1, at), [at.length]),
        labels: integers(rowsOf(pairs.labels, 1, at), [at.length]),
        boxes: floats(Float32Array.from(boxes), [at.length, 4]),
        polygon_points: floats(Float32Array.from(points.flat()), [at.length, 4, 2]),
        order_seq: integers(order, [at.length]),
      };
    });
  },
});

/** Computes the four corners of each row of 10 numbers, a center and four offsets from it, all x and y: a corner is
 * (center + offset - 0.5) * size, in pixels of a picture of this size. Returns 8 numbers for each row.
 * @type {(rows: Float32Array, size: number[]) => number[][]} */
function cornersOf(rows, [height, width]) {
  const f = Math.fround;
  return each(rows.length / 10, (row) =>
    each(8, (k) => f(f(rows[10 * row + (k % 2)] + f(rows[10 * row + 2 + k] - 0.5)) * (k % 2 ? height : width))),
  );
}
