/** Boxes as torchvision.ops has them. */
import { named, rangeError, readWord, show, showList, typeError } from '../arguments/index.js';
import {
  areasOf,
  boxesOfMasks,
  boxFormats,
  clipBoxes,
  convertBoxes,
  largeBoxes,
  overlapsOf,
  suppressBoxes,
} from '../engines/results/index.js';
import { floats, integers, readFloats, readIntegers, readMasks } from './tensors.js';
import { readPair, readThreshold } from './settings.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */

/** @type {(name: string, value: unknown) => import('./tensors.js').Floats} */
const readBoxes = (name, value) => readFloats(name, value, ['n', 4]);

/** Reads n boxes and as many scores to their numbers.
 * @param {TensorLike} boxes [n, 4]
 * @param {TensorLike} scores [n] */
function readScoredBoxes(boxes, scores) {
  const read = readBoxes('boxes', boxes);
  return { boxes: read.data, scores: readFloats('scores', scores, [read.dims[0]]).data };
}

/** @type {(data: Int32Array) => Tensor} */
const indexTensor = (data) => integers(data, [data.length]);

/**
 * Suppresses boxes that overlap better ones, as `torchvision.ops.nms` does: boxes of equal scores stay in order.
 * @param {TensorLike} boxes [n, 4]: x0, y0, x1, y1
 * @param {TensorLike} scores [n]
 * @param {number} iou_threshold boxes above it are dropped
 * @returns {Tensor} int32 indices of the boxes that stay, best first
 * @example
 * const boxes = Tensor.from('float32', [0, 0, 9, 9, 0, 0, 9, 8, 20, 0, 29, 9], [3, 4]);
 * nms(boxes, Tensor.from('float32', [0.9, 0.8, 0.7]), 0.5).toArray(); // [0, 2]
 */
export function nms(boxes, scores, iou_threshold) {
  return named('nms', () => {
    const read = readScoredBoxes(boxes, scores);
    return indexTensor(suppressBoxes(read.boxes, read.scores, readThreshold('iou_threshold', iou_threshold)));
  });
}

/**
 * Suppresses boxes class by class, as `torchvision.ops.batched_nms` does.
 * @param {TensorLike} boxes [n, 4]: x0, y0, x1, y1
 * @param {TensorLike} scores [n]
 * @param {TensorLike} idxs [n]: the class of each box, int32 or int64
 * @param {number} iou_threshold boxes above it are dropped
 * @returns {Tensor} int32 indices of the boxes that stay, best first
 * @example
 * const boxes = Tensor.from('float32', [0, 0, 9, 9, 0, 0, 9, 8], [2, 4]);
 * batchedNms(boxes, Tensor.from('float32', [0.9, 0.8]), Tensor.from('int32', [1, 2]), 0.5).toArray(); // [0, 1]
 */
export function batchedNms(boxes, scores, idxs, iou_threshold) {
  return named('batchedNms', () => {
    const read = readScoredBoxes(boxes, scores);
    const classes = readIntegers('idxs', idxs, [read.scores.length]).data;
    const threshold = readThreshold('iou_threshold', iou_threshold);
    return indexTensor(suppressBoxes(read.boxes, read.scores, threshold, classes));
  });
}

/** @typedef {(typeof boxFormats)[number]} BoxFormat */

/** @type {(argument: string, value: unknown) => BoxFormat} */
function readFormat(argument, value) {
  return readWord(argument, boxFormats, value) ?? typeError(`${argument} must be a string, got undefined`);
}

/**
 * Writes boxes in another way, as `torchvision.ops.box_convert` does: `xyxy` are corners, `xywh` a corner and a size,
 * `cxcywh` the center and the size.
 * @param {TensorLike} boxes [..., 4]
 * @param {BoxFormat} in_fmt
 * @param {BoxFormat} out_fmt
 * @returns {Tensor} float32
 * @example
 * boxConvert(Tensor.from('float32', [5, 5, 4, 2], [1, 4]), 'cxcywh', 'xyxy').toArray(); // [3, 4, 7, 6]
 */
export function boxConvert(boxes, in_fmt, out_fmt) {
  return named('boxConvert', () => {
    const { data, dims } = readFloats('boxes', boxes);
    if (dims.at(-1) !== 4) rangeError(`boxes must have dims [..., 4], got ${showList(dims)}`);
    return floats(convertBoxes(data, readFormat('in_fmt', in_fmt), readFormat('out_fmt', out_fmt)), dims);
  });
}

/** Computes the IoU or, if `generalized`, the GIoU of each box of `a` [n, 4] with each of `b` [m, 4]: float32 [n, m].
 * `name`: the public function's, for errors.
 * @type {(name: string, a: TensorLike, b: TensorLike, rules: { generalized: boolean }) => Tensor} */
const overlapsOfPairs = (name, a, b, { generalized }) =>
  named(name, () => {
    const { data: first, dims: firstDims } = readBoxes('boxes1', a);
    const { data: second, dims: secondDims } = readBoxes('boxes2', b);
    return floats(overlapsOf(first, second, generalized), [firstDims[0], secondDims[0]]);
  });

/**
 * Intersection over union of every pair, as `torchvision.ops.box_iou` gives it.
 * @param {TensorLike} boxes1 [n, 4]: x0, y0, x1, y1
 * @param {TensorLike} boxes2 [m, 4]
 * @returns {Tensor} float32 [n, m]
 * @example
 * const box = Tensor.from('float32', [0, 0, 2, 2], [1, 4]);
 * boxIou(box, Tensor.from('float32', [0, 0, 2, 1], [1, 4])).toArray(); // [0.5]
 */
export function boxIou(boxes1, boxes2) {
  return overlapsOfPairs('boxIou', boxes1, boxes2, { generalized: false });
}

/**
 * Generalized intersection over union of every pair, as `torchvision.ops.generalized_box_iou` gives it.
 * @param {TensorLike} boxes1 [n, 4]: x0, y0, x1, y1
 * @param {TensorLike} boxes2 [m, 4]
 * @returns {Tensor} float32 [n, m]
 * @example
 * const box = Tensor.from('float32', [0, 0, 1, 1], [1, 4]);
 * generalizedBoxIou(box, Tensor.from('float32', [3, 0, 4, 1], [1, 4])).toArray(); // [-0.5]
 */
export function generalizedBoxIou(boxes1, boxes2) {
  return overlapsOfPairs('generalizedBoxIou', boxes1, boxes2, { generalized: true });
}

/**
 * Areas of boxes.
 * @param {TensorLike} boxes [n, 4]: x0, y0, x1, y1
 * @returns {Tensor} float32 [n]
 * @example
 * boxArea(Tensor.from('float32', [1, 1, 4, 3], [1, 4])).toArray(); // [6]
 */
export function boxArea(boxes) {
  return named('boxArea', () => {
    const { data, dims } = readBoxes('boxes', boxes);
    return floats(areasOf(data), [dims[0]]);
  });
}

/**
 * Cuts boxes at the edges of a picture.
 * @param {TensorLike} boxes [n, 4]: x0, y0, x1, y1
 * @param {readonly [height: number, width: number]} size
 * @returns {Tensor} float32 [n, 4]
 * @example
 * clipBoxesToImage(Tensor.from('float32', [-1, 2, 9, 9], [1, 4]), [6, 8]).toArray(); // [0, 2, 8, 6]
 */
export function clipBoxesToImage(boxes, size) {
  return named('clipBoxesToImage', () => {
    const { data, dims } = readBoxes('boxes', boxes);
    const [height, width] = readPair('size', size);
    return floats(clipBoxes(data, width, height), dims);
  });
}

/**
 * Finds the boxes of which neither side is shorter than a length, as `torchvision.ops.remove_small_boxes` does.
 * @param {TensorLike} boxes [n, 4]: x0, y0, x1, y1
 * @param {number} min_size the length, in the unit of the boxes
 * @returns {Tensor} int32 indices
 * @example
 * removeSmallBoxes(Tensor.from('float32', [0, 0, 5, 5, 0, 0, 5, 1], [2, 4]), 2).toArray(); // [0]
 */
export function removeSmallBoxes(boxes, min_size) {
  return named('removeSmallBoxes', () => {
    if (typeof min_size !== 'number') typeError(`min_size must be a number, got ${show(min_size)}`);
    return indexTensor(largeBoxes(readBoxes('boxes', boxes).data, min_size));
  });
}

/**
 * The boxes around masks: x0, y0, x1, y1 of the first and last pixels that are set. A mask without any gives zeros.
 * @param {TensorLike} masks [n, height, width]: bool, uint8, int32 or float32
 * @returns {Tensor} float32 [n, 4]
 * @example
 * masksToBoxes(Tensor.from('bool', [0, 0, 0, 0, 1, 1], [1, 2, 3])).toArray(); // [1, 1, 2, 1]
 */
export function masksToBoxes(masks) {
  return named('masksToBoxes', () => {
    const { data, dims } = readMasks('masks', masks, ['n', 'height', 'width']);
    const [count, height, width] = dims;
    const boxes = boxesOfMasks(data, count, height, width);
    return floats(Float32Array.from(boxes), [count, 4]);
  });
}
