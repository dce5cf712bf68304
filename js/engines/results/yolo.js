/** Heads of YOLO models through the module. A candidate is an anchor, or a class of an anchor, that may become a
 * result. Functions named `put…` take memory of `arena`, and return addresses in it. See cpp/postprocess/yolo.h. */
import * as cpp from '../../../dist/bridge/results.js';
import { boxFormats, suppressionBytes } from './boxes.js';
import { rangeError } from '../../arguments/index.js';
import { withMemory } from './load.js';
import { arena, checkExtents, kernels, rowsIn, sizeOf } from './module.js';
import { putSorted } from './numbers.js';

/** @import { Class } from '../memory/index.js' */

/** Ultralytics compares so many candidates at most. */
const mostCandidates = 30000;
/** Numbers of a box, and of a rotated one: center, size, angle. */
const boxNumbers = 4;
const rotatedNumbers = 5;
/** The place of the angle in a rotated box, in bytes. */
const angleByte = 16;

/** How far classes lie apart while boxes are suppressed, in pixels: Ultralytics' `max_wh`. */
const classDistance = 7680;

/**
 * A head in which each anchor has a box, perhaps an objectness, scores of classes and extras.
 * @typedef {object} YoloHead
 * @property {Float32Array} data
 * @property {number} anchors
 * @property {number} classes
 * @property {number} extras
 * @property {boolean} byRows [anchors, channels] with an objectness, as YOLOv5 has it; else [channels, anchors]
 */

/**
 * @typedef {object} Suppression
 * @property {number} conf the score above which a class is a candidate
 * @property {number} iou the overlap above which the worse of two boxes is suppressed
 * @property {boolean} all a candidate for each class of an anchor that is above `conf`; else for the best class alone
 * @property {Uint8Array | undefined} allowed whether each class may be a result; all may if undefined
 * @property {boolean} agnostic whether boxes of different classes suppress each other
 * @property {number} most how many rows stay at most
 * @property {boolean} isRotated the last extra is the angle
 */

/**
 * Rows of a head that stay. Boxes are corners, rotated ones center and size.
 * @typedef {{ boxes: Float32Array, scores: Float32Array, labels: Int32Array, extras: Float32Array }} Found
 */

/** The first channel of a head's scores: behind the box, and behind the objectness if there is one.
 * @type {(head: YoloHead) => number} */
const scoresChannel = ({ byRows }) => (byRows ? boxNumbers + 1 : boxNumbers);

/** Puts a head's numbers and its struct into the module, and returns the address of the struct.
 * @type {(head: YoloHead) => number} */
function putHead(head) {
  const { data, anchors, classes, extras, byRows } = head;
  const channels = scoresChannel(head) + sizeOf([classes], 1) + sizeOf([extras]);
  const from = arena.put(data, 4 * sizeOf([anchors, channels]));
  const [anchorStride, channelStride] = byRows ? [channels, 1] : [1, anchors];
  return arena.putStruct(cpp.Head, {
    data: from,
    anchors,
    classes,
    channelStride,
    anchorStride,
    hasObjectness: byRows,
  });
}

/** Copies the rows that `count` indices name, out of `rows` rows of `width` words at address `from`; `indices` is an
 * address, too. Returns the address of the copies.
 * @type {(from: number, rows: number, width: number, indices: number, count: number) => number} */
function putRows(from, rows, width, indices, count) {
  const to = arena.space(4 * width * count);
  const areThere = kernels.gather_rows(from, rows, width, indices, count, to);
  if (!areThere) rangeError(`indices must be below ${rows}`);
  return to;
}

/** Finds the candidates of a head, the best first, at most `mostCandidates`; equal scores stay in order, and an anchor
 * with a NaN is no candidate. Returns how many there are, and the addresses of their anchors (`at`), labels and scores.
 * @param {number} head the address of its struct
 * @param {YoloHead} shape
 * @param {Suppression} options */
function putCandidates(head, { anchors, classes }, { conf, all, allowed }) {
  const maxCandidates = all ? anchors * classes : anchors;
  const [at, labels, scores] = [0, 1, 2].map(() => arena.space(4 * maxCandidates));
  const mask = allowed ? arena.put(allowed, classes) : 0;
  const best = arena.space(8 * anchors); // work memory: the best score of each anchor and its class
  const length = kernels.find_candidates(head, conf, Number(all), mask, at, labels, scores, best);
  const count = Math.min(length, mostCandidates);
  const { order, values } = putSorted(scores, length);
  const [sortedAt, sortedLabels] = [at, labels].map((from) => putRows(from, length, 1, order, count));
  return { count, at: sortedAt, labels: sortedLabels, scores: values };
}

/** Suppresses boxes that overlap a better one, and returns the address and the number of the indices that stay. Boxes
 * of different classes are moved apart first, so that they do not overlap, unless the suppression is agnostic. `boxes`,
 * `labels`: the addresses of `count` boxes, best first, and of their classes.
 * @type {(boxes: number, labels: number, count: number, options: Suppression) => [at: number, length: number]} */
function putSurvivors(boxes, labels, count, { iou, agnostic, most, isRotated }) {
  // The center of a rotated box moves, and both corners of another one.
  const [width, shiftedNumbers] = isRotated ? [rotatedNumbers, 2] : [boxNumbers, 4];
  const [shifted, indices] = [arena.space(4 * width * count), arena.space(4 * count)];
  const distance = agnostic ? 0 : classDistance;
  kernels.shift_boxes(boxes, count, width, shiftedNumbers, labels, distance, shifted);
  if (isRotated) {
    const forms = arena.space(24 * count); // work memory
    // The kernel does not stop at `most`.
    const length = kernels.suppress_rotated(shifted, count, iou, forms, indices);
    return [indices, Math.min(length, most)];
  }
  const sameOrder = Int32Array.from({ length: count }, (_, i) => i);
  const order = arena.put(sameOrder, sameOrder.byteLength);
  const blocks = arena.space(suppressionBytes(count));
  // `shift_boxes` has moved the boxes apart, so the kernel gets no classes and no memory to do it.
  const [noClasses, noMemory] = [0, 0];
  const length = kernels.suppress(shifted, noClasses, order, count, most, iou, noMemory, blocks, indices);
  return [indices, length];
}

/** Picks the candidates of a head that no better box suppresses, the best first.
 * @type {(head: YoloHead, options: Suppression) => Found} */
export const yoloRows = (head, options) =>
  withMemory(() => {
    const { isRotated } = options;
    const from = putHead(head);
    const candidates = putCandidates(from, head, options);
    const { count, labels, scores } = candidates;
    // A head without an extra has no angle.
    if (isRotated) checkExtents([head.extras], 1);
    const width = isRotated ? rotatedNumbers : boxNumbers;
    const boxes = arena.space(4 * width * count);
    const extras = arena.space(4 * head.extras * count);
    /** Copies `channels` channels of the candidates, from `first` on, to rows of `rowNumbers` numbers at `to`.
     * @type {(first: number, channels: number, rowNumbers: number, to: number) => void} */
    const gatherChannels = (first, channels, rowNumbers, to) => {
      kernels.gather_channels(from, first, channels, rowNumbers, candidates.at, count, to);
    };
    const firstExtra = scoresChannel(head) + head.classes;
    gatherChannels(0, boxNumbers, width, boxes);
    gatherChannels(firstExtra, head.extras, head.extras, extras);
    if (isRotated) gatherChannels(firstExtra + head.extras - 1, 1, width, boxes + angleByte);
    else kernels.convert_boxes(boxes, count, boxFormats.indexOf('cxcywh'), boxFormats.indexOf('xyxy'), boxes);
    const [indices, length] = putSurvivors(boxes, labels, count, options);
    /** @type {<T extends Float32Array | Int32Array>(ArrayClass: Class<T>, address: number, width: number) => T} */
    const rowsOf = (ArrayClass, address, size) =>
      arena.take(ArrayClass, putRows(address, count, size, indices, length), size * length);
    return {
      boxes: rowsOf(Float32Array, boxes, width),
      scores: rowsOf(Float32Array, scores, 1),
      labels: rowsOf(Int32Array, labels, 1),
      extras: rowsOf(Float32Array, extras, head.extras),
    };
  });

/** Picks rows of a model that suppresses boxes itself, by score and class, in their order. A row is a box (4 numbers),
 * a score, a class and extras.
 * @param {Float32Array} rows
 * @param {number} width of a row
 * @param {{ conf: number, allowed: Uint8Array | undefined, most: number }} options as those of a {@link Suppression}
 * @returns {Float32Array} those that stay */
export const scoredRows = (rows, width, { conf, allowed, most }) =>
  withMemory(() => {
    // A box, a score and a class at least.
    checkExtents([width], boxNumbers + 2);
    const count = rowsIn(rows, width);
    const [from, to] = [arena.put(rows, 4 * count * width), arena.space(4 * count)];
    const mask = allowed ? arena.put(allowed, allowed.length) : 0;
    const length = kernels.find_scored_rows(from, count, width, conf, mask, allowed?.length ?? 0, to);
    const keptCount = Math.min(length, most);
    return arena.take(Float32Array, putRows(from, count, width, to, keptCount), width * keptCount);
  });

/** Maps places in a letterbox, a picture that was scaled and framed to a model's input size, back to the picture: those
 * at the start of each row. Points and corners are cut at the picture's edges.
 * @param {Float32Array} rows
 * @param {number} width of a row
 * @param {(typeof cpp.LetterboxRow)[number]} kind whether a row begins with a point, two corners, or a center and size
 * @param {Float32Array} letterbox gains, borders and size of the picture, x before y: 6 numbers
 * @returns {Float32Array} */
export const leftLetterbox = (rows, width, kind, letterbox) =>
  withMemory(() => {
    checkExtents([width], kind === 'point' ? 2 : boxNumbers);
    const count = rowsIn(rows, width);
    const at = arena.put(rows, 4 * count * width);
    kernels.leave_letterbox(at, count, width, cpp.LetterboxRow.indexOf(kind), arena.put(letterbox, 24));
    return arena.take(Float32Array, at, rows.length);
  });

/** Rewrites rotated boxes [count, 5] (center, width, height, angle) with angles in [0, pi / 2): width and height change
 * places where a quarter turn is taken off.
 * @type {(boxes: Float32Array) => Float32Array} */
export const regularized = (boxes) =>
  withMemory(() => {
    const count = rowsIn(boxes, rotatedNumbers);
    const at = arena.put(boxes, 4 * rotatedNumbers * count);
    kernels.regularize_boxes(at, count);
    return arena.take(Float32Array, at, boxes.length);
  });

/** Returns a copy of masks [count, height, width] with zeros outside of their boxes, one box (two corners) a mask.
 * @type {(masks: Uint8Array, size: readonly number[], boxes: Float32Array) => Uint8Array} */
export const cutMasks = (masks, [height, width], boxes) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const at = arena.put(masks, sizeOf([count, height, width]));
    kernels.cut_masks(at, count, height, width, arena.put(boxes, 16 * count));
    return arena.take(Uint8Array, at, masks.length);
  });
