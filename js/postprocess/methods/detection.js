/** Boxes with scores and labels: `post_process_object_detection` and similar methods. A query is one of the things that
 * a model proposes for a picture: a box and the logits of its classes. */
import {
  convertBoxes,
  cutRows,
  extremesOf,
  gatherRows,
  greatestOf,
  indicesAbove,
  outerSoftmaxOf,
  productOf,
  scaleBoxes,
  sigmoidOf,
  softmaxOf,
} from '../../engines/results/index.js';
import { largest, rangeError } from '../../arguments/index.js';
import { floatRowsAt, floatsAt, integersAt } from '../tensors.js';
import { floatOutput, method, optionalOutput } from './define.js';
import { count, flag, sizes, threshold } from './options.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { OptionRow, ReadTensor } from '../types.js' */

/**
 * A picture's n detections before the threshold; `boxes` are [n, 4]. `queries`: the index of each detection's query
 * among all of the picture; undefined if detection i is query i.
 * @typedef {{ scores: Float32Array, labels: Int32Array, boxes: Float32Array, queries?: Int32Array }} Found
 */

export const logits = floatOutput('batch', 'queries', 'classes');
export const boxOutput = floatOutput('batch', 'queries', 4);

/** Returns the numbers of picture `i`, the entry along a tensor's first axis, without copying them.
 * @template {Float32Array | Int32Array} Data
 * @param {ReadTensor<Data>} tensor
 * @param {number} i */
export function dataOfPicture({ data, dims: [batch] }, i) {
  const length = data.length / batch;
  return /** @type {Data} */ (data.subarray(i * length, (i + 1) * length));
}

/** Makes a list of `length` entries by calling `make` with each index.
 * @type {<T>(length: number, make: (i: number) => T) => T[]} */
export const makeList = (length, make) => Array.from({ length }, (_, i) => make(i));

/** Refuses logits of fewer than 2 classes, of which one stands for "no object". @type {(dims: number[]) => void} */
export function checkClasses(dims) {
  const classes = /** @type {number} */ (dims.at(-1));
  if (classes < 2) rangeError(`logits must have at least 2 classes, got ${classes}`);
}

/** Finds the likeliest class of each query, and its probability. The last class, which stands for "no object", does not
 * count. `dims`: of the logits, [..., classes].
 * @type {(probabilities: Float32Array, dims: number[]) => { scores: Float32Array, labels: Int32Array }} */
function likeliestClasses(probabilities, dims) {
  checkClasses(dims);
  const classes = /** @type {number} */ (dims.at(-1));
  const queries = probabilities.length / classes;
  const realClasses = classes - 1;
  const ofRealClasses = cutRows(probabilities, classes, realClasses);
  const { values, indices } = extremesOf(ofRealClasses, { outer: queries, length: realClasses, inner: 1 });
  return { scores: values, labels: indices };
}

/** Picks the `k` best of all pairs of a query and a class, by their scores [queries, classes]; all pairs if there are
 * fewer. Returns the score, the class and the query of each: the best first or, if not `isSorted`, in torch's order.
 * @type {(scores: Float32Array, classes: number, k: number, options?: { isSorted?: boolean }) =>
 *   { scores: Float32Array, labels: Int32Array, queries: Int32Array }} */
export function bestPairs(scores, classes, k, { isSorted = true } = {}) {
  const { values, indices } = greatestOf(scores, scores.length, Math.min(k, scores.length), isSorted);
  return {
    scores: values,
    labels: indices.map((index) => index % classes),
    queries: indices.map((index) => Math.floor(index / classes)),
  };
}

/** The ways of models to turn the logits [batch, queries, classes] of picture `i` into scores and labels. */
export const scorings = {
  /** Finds each query's likeliest class by a softmax; the last one, "no object", does not count. */
  softmax(/** @type {ReadTensor} */ tensor, /** @type {number} */ i) {
    const classes = tensor.dims[2];
    return likeliestClasses(softmaxOf(dataOfPicture(tensor, i), classes), tensor.dims);
  },
  /** Finds each query's class of the greatest logit, whose sigmoid is the score. */
  greatest(/** @type {ReadTensor} */ tensor, /** @type {number} */ i) {
    const [, queries, classes] = tensor.dims;
    const { values, indices } = extremesOf(dataOfPicture(tensor, i), { outer: queries, length: classes, inner: 1 });
    return { scores: sigmoidOf(values), labels: indices };
  },
  /** Picks the `k` pairs of a query and a class with the greatest sigmoids. A query may be in several pairs. */
  pairs(/** @type {ReadTensor} */ tensor, /** @type {number} */ i, /** @type {number} */ k) {
    const classes = tensor.dims[2];
    return bestPairs(sigmoidOf(dataOfPicture(tensor, i)), classes, k);
  },
};

/** Converts boxes [n, 4] from center and size to corners. With the [height, width] of the picture, their numbers, which
 * go from 0 to 1 over the picture, become pixels. `isSquare`: they go over a square as long as the picture's longer
 * side, to which the picture was padded.
 * @type {(boxes: Float32Array, size: [number, number] | undefined, options?: { isSquare?: boolean }) =>
 *   Float32Array} */
export function toCorners(boxes, size, { isSquare = false } = {}) {
  const corners = convertBoxes(boxes, 'cxcywh', 'xyxy');
  if (!size) return corners;
  const longerSide = largest(size);
  return toPixels(corners, isSquare ? [longerSide, longerSide] : size);
}

/** Multiplies corners [n, 4], which go from 0 to 1 over a picture, by its [height, width]; without it they stay.
 * @type {(boxes: Float32Array, size: [number, number] | undefined) => Float32Array} */
export function toPixels(boxes, size) {
  if (!size) return boxes;
  const [height, width] = size;
  return scaleBoxes(boxes, width, height);
}

/** Makes the answer of a picture: its detections whose score is above `scoreThreshold`, in their order.
 * @type {(detections: Found, scoreThreshold: number) => ReturnType<typeof answerOf>} */
export const answerAbove = (detections, scoreThreshold) =>
  answerOf(detections, indicesAbove(detections.scores, scoreThreshold));

/** Makes the answer of a picture: tensors of the scores, labels and boxes of the detections at these indices.
 * @type {(detections: Found, indices: Int32Array) => { scores: Tensor, labels: Tensor, boxes: Tensor }} */
export const answerOf = ({ scores, labels, boxes }, indices) => ({
  scores: floatsAt(scores, indices),
  labels: integersAt(labels, indices),
  boxes: floatRowsAt(boxes, 4, indices),
});

/** Declares a method that gives each picture's boxes above a threshold, with scores and labels.
 * @param {keyof typeof scorings} scoring how scores follow from logits
 * @param {object} rules
 * @param {number} [rules.defaultThreshold] the default of `threshold`
 * @param {{ top_k?: OptionRow<number | undefined> }} [rules.options] options of this method alone
 * @param {(queries: number, options: { top_k?: number }) => number} [rules.pairCount] how many pairs `pairs` picks: as
 *   many as there are queries if omitted
 * @param {boolean} [rules.isSquare] whether pictures were padded to squares, over which boxes go from 0 to 1
 */
const detection = (
  scoring,
  { defaultThreshold = 0.5, options: ownOptions = {}, pairCount = (queries) => queries, isSquare = false } = {},
) =>
  method({
    outputs: { logits, pred_boxes: boxOutput },
    options: { threshold: threshold(defaultThreshold), target_sizes: sizes, ...ownOptions },
    makeAnswer(outputs, options) {
      const [batch, queries] = outputs.logits.dims;
      return makeList(batch, (i) => {
        /** @type {Omit<Found, 'boxes'>} */
        const detections = scorings[scoring](outputs.logits, i, pairCount(queries, options));
        const boxesOfQueries = dataOfPicture(outputs.pred_boxes, i);
        // Pairs name their queries; the other scorings have one score for each query.
        const boxes = detections.queries ? gatherRows(boxesOfQueries, 4, detections.queries) : boxesOfQueries;
        const corners = toCorners(boxes, options.target_sizes?.[i], { isSquare });
        return answerAbove({ ...detections, boxes: corners }, options.threshold);
      });
    },
  });

export const detr = detection('softmax');
export const conditionalDetr = detection('pairs', {
  options: { top_k: count(100) },
  pairCount: (_, options) => /** @type {number} */ (options.top_k),
});
export const rfDetr = detection('pairs', {
  options: { top_k: count() },
  pairCount: (queries, options) => options.top_k ?? queries,
});
export const owlViT = detection('greatest', { defaultThreshold: 0.1 });
export const owlv2 = detection('greatest', { defaultThreshold: 0.1, isSquare: true });

const rtDetrByPairs = detection('pairs');

/** RT-DETR: the best pairs by the sigmoid or, without `use_focal_loss`, each query's best class by a softmax. Python's
 * softmax names no axis, so that it runs over the batch, torch's default for three axes. */
export const rtDetr = method({
  outputs: { logits, pred_boxes: boxOutput },
  options: { threshold: threshold(0.5), target_sizes: sizes, use_focal_loss: flag(true) },
  makeAnswer(outputs, options, settings) {
    if (options.use_focal_loss) return rtDetrByPairs.makeAnswer(outputs, options, settings);
    const { dims, data } = outputs.logits;
    const [batch] = dims;
    const probabilities = { dims, data: outerSoftmaxOf(data, batch) };
    return makeList(batch, (i) => {
      const detections = likeliestClasses(dataOfPicture(probabilities, i), dims);
      const boxes = toCorners(dataOfPicture(outputs.pred_boxes, i), options.target_sizes?.[i]);
      return answerAbove({ ...detections, boxes }, options.threshold);
    });
  },
});

/** Computes SAM 3's scores of the queries of picture `i`: the sigmoid of each logit, multiplied by that of the
 * `presence_logits`, if there are any, which tell whether the picture has the thing that was asked for at all.
 * @type {(outputs: { pred_logits: ReadTensor, presence_logits?: ReadTensor }, i: number) => Float32Array} */
export function presentScores(outputs, i) {
  const scores = sigmoidOf(dataOfPicture(outputs.pred_logits, i));
  if (!outputs.presence_logits) return scores;
  const [presence] = sigmoidOf(dataOfPicture(outputs.presence_logits, i));
  const presences = new Float32Array(scores.length).fill(presence);
  return productOf(scores, presences);
}

export const sam3Outputs = {
  pred_logits: floatOutput('batch', 'queries'),
  pred_boxes: boxOutput,
  presence_logits: optionalOutput(floatOutput('batch', 1)),
};

/** SAM 3: the queries above the threshold, scores and boxes. */
export const sam3 = method({
  outputs: sam3Outputs,
  options: { threshold: threshold(0.3), target_sizes: sizes },
  makeAnswer: (outputs, options) =>
    makeList(outputs.pred_logits.dims[0], (i) => {
      const scores = presentScores(outputs, i);
      const boxes = toPixels(dataOfPicture(outputs.pred_boxes, i), options.target_sizes?.[i]);
      const queries = indicesAbove(scores, options.threshold);
      return {
        scores: floatsAt(scores, queries),
        boxes: floatRowsAt(boxes, 4, queries),
      };
    }),
});
