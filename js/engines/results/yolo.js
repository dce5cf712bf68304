/** Heads of YOLO models through the module. A candidate is an anchor, or a class of an anchor, that may become a
 * result. Functions named `put…` take memory of `arena`, and return addresses in it. See cpp/postprocess/yolo.h. */
import * as cpp from '../../../dist/bridge/results.js';
import { boxFormats, suppressionBytes } from './boxes.js';
import { rangeError } from '../../arguments/index.js';
import { doubleBytes, wordBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, checkExtents, kernels, rowsIn, sizeOf } from './module.js';
import { putSorted } from './numbers.js';
import { boxBytes, boxNumbers, pointNumbers } from './sizes.js';

/** @import { Class } from '../memory/index.js' */

/** Ultralytics compares so many candidates at most. */
const mostCandidates = 30000;
/** How far classes lie apart while boxes are suppressed, in pixels: Ultralytics' `max_wh`. */
const classDistance = 7680;
/** Numbers of a rotated box: center, size, angle. */
const rotatedNumbers = 5;

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

/** Finds where an anchor's channels begin: a box (channel 0), an objectness where the head has one, scores, extras.
 * Of a head of rotated boxes the last channel is the angle.
 * @type {(head: YoloHead) => { firstExtra: number, angle: number, count: number }} */
function channelsOf({ classes, extras, byRows }) {
  const firstScore = byRows ? boxNumbers + 1 : boxNumbers;
  const firstExtra = firstScore + classes;
  const count = firstExtra + extras;
  return { firstExtra, angle: count - 1, count };
}

/** Puts a head's numbers and its struct into the module, and returns the address of the struct.
 * @type {(head: YoloHead) => number} */
function putHead(head) {
  const { data, anchors, classes, extras, byRows } = head;
  checkExtents([classes], 1);
  checkExtents([extras]);
  const channels = channelsOf(head).count;
  const numbers = arena.copyIn(data, wordBytes * sizeOf([anchors, channels]));
  const [anchorStride, channelStride] = byRows ? [channels, 1] : [1, anchors];
  return arena.copyInStruct(cpp.Head, {
    data: numbers,
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
  const copies = arena.allocate(wordBytes * width * count);
  const areInRange = kernels.gather_rows(from, rows, width, indices, count, copies);
  if (!areInRange) rangeError(`indices must be below ${rows}`);
  return copies;
}

/** How many candidates there are, and the addresses of their anchors, labels and scores, the best first.
 * @typedef {{ count: number, anchors: number, labels: number, scores: number }} Candidates */

/** Finds the candidates of a head, the best first, at most `mostCandidates`; equal scores stay in order, and an anchor
 * with a NaN is no candidate. `headAt`: the address of the head's struct.
 * @type {(headAt: number, head: YoloHead, options: Suppression) => Candidates} */
function putCandidates(headAt, { anchors, classes }, { conf, all, allowed }) {
  const maxCandidates = all ? anchors * classes : anchors;
  const candidateAnchors = arena.allocate(wordBytes * maxCandidates);
  const labels = arena.allocate(wordBytes * maxCandidates);
  const scores = arena.allocate(wordBytes * maxCandidates);
  const mask = allowed ? arena.copyIn(allowed, classes) : 0;
  // Work memory: the best score of each anchor and its class.
  const best = arena.allocate(2 * wordBytes * anchors);
  const length = kernels.find_candidates(headAt, conf, Number(all), mask, candidateAnchors, labels, scores, best);
  const { order, values: sortedScores } = putSorted(scores, length);
  const count = Math.min(length, mostCandidates);
  return {
    count,
    anchors: putRows(candidateAnchors, length, 1, order, count),
    labels: putRows(labels, length, 1, order, count),
    scores: sortedScores,
  };
}

/** Copies the box and the extras of each candidate out of the head. A box becomes two corners, or a rotated box's
 * center, size and angle.
 * @type {(headAt: number, head: YoloHead, candidates: Candidates, isRotated: boolean) =>
 *   { boxes: number, boxWidth: number, extras: number }} addresses, and the numbers of a box */
function putBoxesAndExtras(headAt, head, { anchors, count }, isRotated) {
  const { firstExtra, angle } = channelsOf(head);
  // A head without an extra has no angle.
  if (isRotated) checkExtents([head.extras], 1);
  const boxWidth = isRotated ? rotatedNumbers : boxNumbers;
  const boxes = arena.allocate(wordBytes * boxWidth * count);
  const extras = arena.allocate(wordBytes * head.extras * count);
  /** Copies `channels` channels of each candidate, from `first` on, to address `to`: rows `rowWidth` numbers apart.
   * @type {(first: number, channels: number, to: number, rowWidth: number) => void} */
  const gatherChannels = (first, channels, to, rowWidth) =>
    void kernels.gather_channels(headAt, first, channels, rowWidth, anchors, count, to);
  gatherChannels(0, boxNumbers, boxes, boxWidth);
  gatherChannels(firstExtra, head.extras, extras, head.extras);
  // The angle stands behind the other four numbers of a rotated box.
  if (isRotated) gatherChannels(angle, 1, boxes + boxBytes, boxWidth);
  else kernels.convert_boxes(boxes, count, boxFormats.indexOf('cxcywh'), boxFormats.indexOf('xyxy'), boxes);
  return { boxes, boxWidth, extras };
}

/** Suppresses boxes that overlap a better one, and returns the address of the indices that stay, and their number.
 * Boxes of different classes are moved apart first, so that they do not overlap, unless the suppression is agnostic.
 * `boxes`, `labels`: the addresses of `count` boxes, best first, and of their classes.
 * @type {(boxes: number, labels: number, count: number, options: Suppression) =>
 *   { indices: number, indexCount: number }} */
function putSurvivors(boxes, labels, count, { iou, agnostic, most, isRotated }) {
  // The center of a rotated box moves, and both corners of another one.
  const [width, shiftedNumbers] = isRotated ? [rotatedNumbers, 2] : [boxNumbers, 4];
  const shifted = arena.allocate(wordBytes * width * count);
  const indices = arena.allocate(wordBytes * count);
  const distance = agnostic ? 0 : classDistance;
  kernels.shift_boxes(boxes, count, width, shiftedNumbers, labels, distance, shifted);
  if (isRotated) {
    // Work memory: three float64 numbers a box.
    const forms = arena.allocate(3 * doubleBytes * count);
    // The kernel does not stop at `most`.
    const listed = kernels.suppress_rotated(shifted, count, iou, forms, indices);
    return { indices, indexCount: Math.min(listed, most) };
  }
  const sameOrder = Int32Array.from({ length: count }, (_, i) => i);
  const order = arena.copyIn(sameOrder, sameOrder.byteLength);
  const blocks = arena.allocate(suppressionBytes(count));
  // `shift_boxes` has moved the boxes apart, so the kernel gets no classes and no memory to do it.
  const [noClasses, noMemory] = [0, 0];
  const indexCount = kernels.suppress(shifted, noClasses, order, count, most, iou, noMemory, blocks, indices);
  return { indices, indexCount };
}

/** Picks the candidates of a head that no better box suppresses, the best first.
 * @type {(head: YoloHead, options: Suppression) => Found} */
export const yoloRows = (head, options) =>
  withMemory(() => {
    const headAt = putHead(head);
    const candidates = putCandidates(headAt, head, options);
    const { count, labels, scores } = candidates;
    const { boxes, boxWidth, extras } = putBoxesAndExtras(headAt, head, candidates, options.isRotated);
    const { indices, indexCount } = putSurvivors(boxes, labels, count, options);
    /** @type {<T extends Float32Array | Int32Array>(ArrayClass: Class<T>, rows: number, width: number) => T} */
    const takeSurvivors = (ArrayClass, rows, width) =>
      arena.copyOut(ArrayClass, putRows(rows, count, width, indices, indexCount), width * indexCount);
    return {
      boxes: takeSurvivors(Float32Array, boxes, boxWidth),
      scores: takeSurvivors(Float32Array, scores, 1),
      labels: takeSurvivors(Int32Array, labels, 1),
      extras: takeSurvivors(Float32Array, extras, head.extras),
    };
  });

/** Picks rows of a model that suppresses boxes itself, by score and class, in their order. A row of `width` numbers is
 * a box (4 numbers), a score, a class and extras.
 * @type {(rows: Float32Array, width: number, options: Pick<Suppression, 'conf' | 'allowed' | 'most'>) =>
 *   Float32Array} */
export const scoredRows = (rows, width, { conf, allowed, most }) =>
  withMemory(() => {
    checkExtents([width], boxNumbers + 2); // a box, a score, a class
    const count = rowsIn(rows, width);
    const from = arena.copyIn(rows, wordBytes * count * width);
    const indices = arena.allocate(wordBytes * count);
    const mask = allowed ? arena.copyIn(allowed, allowed.length) : 0;
    const length = kernels.find_scored_rows(from, count, width, conf, mask, allowed?.length ?? 0, indices);
    const keptCount = Math.min(length, most);
    return arena.copyOut(Float32Array, putRows(from, count, width, indices, keptCount), width * keptCount);
  });

/** Maps places in a letterbox, a picture that was scaled and framed to a model's input size, back to the picture: those
 * at the start of each row. Points and corners are cut at the picture's edges.
 * @param {Float32Array} rows
 * @param {number} width of a row
 * @param {(typeof cpp.LetterboxRow)[number]} kind whether a row begins with a point, two corners, or a center and size
 * @param {Float32Array} letterbox gains, borders and size of the picture, x before y: 6 numbers
 * @returns {Float32Array} */
export const leaveLetterbox = (rows, width, kind, letterbox) =>
  withMemory(() => {
    checkExtents([width], kind === 'point' ? pointNumbers : boxNumbers);
    const count = rowsIn(rows, width);
    const at = arena.copyIn(rows, wordBytes * count * width);
    const letterboxAt = arena.copyIn(letterbox, wordBytes * 6);
    kernels.leave_letterbox(at, count, width, cpp.LetterboxRow.indexOf(kind), letterboxAt);
    return arena.copyOut(Float32Array, at, rows.length);
  });

/** Rewrites rotated boxes [count, 5] (center, width, height, angle) with angles in [0, pi / 2): width and height change
 * places where a quarter turn is taken off.
 * @type {(boxes: Float32Array) => Float32Array} */
export const regularizeBoxes = (boxes) =>
  withMemory(() => {
    const count = rowsIn(boxes, rotatedNumbers);
    const at = arena.copyIn(boxes, wordBytes * rotatedNumbers * count);
    kernels.regularize_boxes(at, count);
    return arena.copyOut(Float32Array, at, boxes.length);
  });

/** Returns a copy of masks [count, height, width] with zeros outside of their boxes, one box (two corners) a mask.
 * @type {(masks: Uint8Array, size: readonly number[], boxes: Float32Array) => Uint8Array} */
export const cutMasks = (masks, [height, width], boxes) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const at = arena.copyIn(masks, sizeOf([count, height, width]));
    kernels.cut_masks(at, count, height, width, arena.copyIn(boxes, boxBytes * count));
    return arena.copyOut(Uint8Array, at, masks.length);
  });
