/** Boxes through the module: 4 float32 a box. Each function takes arrays and gives arrays of its own. */
import { kernels, put, space, take, withMemory } from './module.js';
import { putOrder } from './numbers.js';

/** The ways to write a box; see cpp/postprocess/boxes.h. */
export const boxFormats = /** @type {const} */ (['xyxy', 'xywh', 'cxcywh']);

/** @type {(boxes: Float32Array, from: string, to: string) => Float32Array} */
export const convertBoxes = (boxes, from, to) =>
  withMemory(() => {
    const at = put(boxes);
    const [a, b] = [from, to].map((format) => boxFormats.indexOf(/** @type {any} */ (format)));
    kernels.convert_boxes(at, boxes.length / 4, a, b, at);
    return take(Float32Array, at, boxes.length);
  });

/** @type {(boxes: Float32Array, width: number, height: number) => Float32Array} */
export const scaleBoxes = (boxes, width, height) =>
  withMemory(() => {
    const at = put(boxes);
    kernels.scale_boxes(at, boxes.length / 4, width, height);
    return take(Float32Array, at, boxes.length);
  });

/** @type {(boxes: Float32Array) => Float32Array} whose first corner is the lesser one */
export const sortCorners = (boxes) =>
  withMemory(() => {
    const at = put(boxes);
    kernels.sort_corners(at, boxes.length / 4);
    return take(Float32Array, at, boxes.length);
  });

/** @type {(boxes: Float32Array, width: number, height: number) => Float32Array} */
export const clipBoxes = (boxes, width, height) =>
  withMemory(() => {
    const at = put(boxes);
    kernels.clip_boxes(at, boxes.length / 4, width, height);
    return take(Float32Array, at, boxes.length);
  });

/** @type {(boxes: Float32Array) => Float32Array} */
export const areasOf = (boxes) =>
  withMemory(() => {
    const count = boxes.length / 4;
    const to = space(4 * count);
    kernels.box_areas(put(boxes), count, to);
    return take(Float32Array, to, count);
  });

/** @type {(a: Float32Array, b: Float32Array, generalized: boolean) => Float32Array} */
export const overlapsOf = (a, b, generalized) =>
  withMemory(() => {
    const counts = [a.length / 4, b.length / 4];
    const length = counts[0] * counts[1];
    const to = space(4 * length);
    kernels.box_overlaps(put(a), counts[0], put(b), counts[1], Number(generalized), to);
    return take(Float32Array, to, length);
  });

/** @type {(boxes: Float32Array, side: number) => Int32Array} */
export const largeBoxes = (boxes, side) =>
  withMemory(() => {
    const count = boxes.length / 4;
    const to = space(4 * count);
    return take(Int32Array, to, kernels.large_boxes(put(boxes), count, side, to));
  });

/** Bytes that suppression works in; see cpp/postprocess/boxes.h. */
export const suppressionBytes = (/** @type {number} */ count) => 24 * (count + 3);

/** Greedy suppression in falling order of the scores.
 * @param {Float32Array} boxes
 * @param {Float32Array} scores
 * @param {number} threshold
 * @param {Int32Array} [classes] boxes of different classes do not suppress each other
 * @returns {Int32Array} */
export const suppressBoxes = (boxes, scores, threshold, classes) =>
  withMemory(() => {
    const count = scores.length;
    if (count === 0) return new Int32Array(0);
    const [from, order, kept] = [put(boxes), putOrder(scores), space(4 * count)];
    const [own, shifted] = classes ? [put(classes), space(boxes.byteLength)] : [0, 0];
    const blocks = space(suppressionBytes(count));
    return take(Int32Array, kept, kernels.suppress(from, own, order, count, count, threshold, shifted, blocks, kept));
  });

/** OWL-ViT's suppression.
 * @param {Float32Array} boxes
 * @param {Float32Array} scores
 * @param {number} threshold
 * @returns {Float32Array} the scores, with 0 for suppressed boxes */
export const suppressScores = (boxes, scores, threshold) =>
  withMemory(() => {
    const [from, order, to] = [put(boxes), putOrder(scores), put(scores)];
    kernels.suppress_scores(from, order, scores.length, threshold, to);
    return take(Float32Array, to, scores.length);
  });
