/** Boxes through the module: 4 float32 a box (16 bytes), the corners x0, y0, x1, y1 unless said. Each function takes
 * arrays and gives arrays of its own. Names that end in `At` are addresses in the module. */
import * as cpp from '../../../dist/bridge/results.js';
import { floatBytes, intBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn } from './module.js';
import { putOrder } from './numbers.js';
import { boxBytes, boxNumbers } from './sizes.js';

/** The ways to write a box. */
export const boxFormats = cpp.BoxFormat;

/** Converts boxes from one of `boxFormats` to another.
 * @type {(boxes: Float32Array, from: string, to: string) => Float32Array} */
export const convertBoxes = (boxes, from, to) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    const [fromCode, toCode] = [from, to].map((format) =>
      boxFormats.indexOf(/** @type {typeof boxFormats[number]} */ (format)),
    );
    kernels.convert_boxes(boxesAt, count, fromCode, toCode, boxesAt);
    return arena.copyOut(Float32Array, boxesAt, boxes.length);
  });

/** Multiplies the x coordinates of boxes by a width, and the y coordinates by a height.
 * @type {(boxes: Float32Array, width: number, height: number) => Float32Array} */
export const scaleBoxes = (boxes, width, height) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    kernels.scale_boxes(boxesAt, count, width, height);
    return arena.copyOut(Float32Array, boxesAt, boxes.length);
  });

/** Swaps coordinates of each box so that x0 <= x1 and y0 <= y1.
 * @type {(boxes: Float32Array) => Float32Array} */
export const sortCorners = (boxes) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    kernels.sort_corners(boxesAt, count);
    return arena.copyOut(Float32Array, boxesAt, boxes.length);
  });

/** Moves coordinates beyond the edges of a picture, of a width and a height in pixels, onto the edges.
 * @type {(boxes: Float32Array, width: number, height: number) => Float32Array} */
export const clipBoxes = (boxes, width, height) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    kernels.clip_boxes(boxesAt, count, width, height);
    return arena.copyOut(Float32Array, boxesAt, boxes.length);
  });

/** Computes the area of each box.
 * @type {(boxes: Float32Array) => Float32Array} */
export const areasOf = (boxes) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const areasAt = arena.allocate(floatBytes * count);
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    kernels.box_areas(boxesAt, count, areasAt);
    return arena.copyOut(Float32Array, areasAt, count);
  });

/** Computes the intersection over union of each box of `a` with each box of `b`: a matrix [boxes of a, boxes of b].
 * `generalized`: the GIoU, which is lower the more of their common hull neither box covers.
 * @type {(a: Float32Array, b: Float32Array, generalized: boolean) => Float32Array} */
export const overlapsOf = (a, b, generalized) =>
  withMemory(() => {
    const [rows, columns] = [rowsIn(a, boxNumbers), rowsIn(b, boxNumbers)];
    const length = rows * columns;
    const overlapsAt = arena.allocate(floatBytes * length);
    const aAt = arena.copyIn(a, boxBytes * rows);
    const bAt = arena.copyIn(b, boxBytes * columns);
    kernels.box_overlaps(aAt, rows, bAt, columns, Number(generalized), overlapsAt);
    return arena.copyOut(Float32Array, overlapsAt, length);
  });

/** Finds the indices of the boxes of which neither side is shorter than `side`.
 * @type {(boxes: Float32Array, side: number) => Int32Array} */
export const largeBoxes = (boxes, side) =>
  withMemory(() => {
    const count = rowsIn(boxes, boxNumbers);
    const indicesAt = arena.allocate(intBytes * count);
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    const largeCount = kernels.large_boxes(boxesAt, count, side, indicesAt);
    return arena.copyOut(Int32Array, indicesAt, largeCount);
  });

/** Float32 numbers of the suppression's work memory for each box, and for how many boxes more it has room. */
const workNumbers = 6;
const spareBoxes = 3;
/** The bytes of the work memory in which the kernel suppresses `count` boxes. */
export const suppressionBytes = (/** @type {number} */ count) => floatBytes * workNumbers * (count + spareBoxes);

/** Drops boxes whose IoU with a kept box of a higher score is above the threshold (non-maximum suppression), unless
 * their `classes` differ. Returns the indices of the kept ones, the highest score first.
 * @type {(boxes: Float32Array, scores: Float32Array, threshold: number, classes?: Int32Array) => Int32Array} */
export const suppressBoxes = (boxes, scores, threshold, classes) =>
  withMemory(() => {
    const count = scores.length;
    if (count === 0) return new Int32Array(0);
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    const orderAt = putOrder(scores);
    const indicesAt = arena.allocate(intBytes * count);
    // With classes, the kernel moves the boxes apart by them, as torchvision does it, to memory of `shiftedAt`; 0:
    // none.
    const classesAt = classes ? arena.copyIn(classes, intBytes * count) : 0;
    const shiftedAt = classes ? arena.allocate(boxBytes * count) : 0;
    const workAt = arena.allocate(suppressionBytes(count));
    const maxKept = count;
    const keptCount = kernels.suppress(
      boxesAt,
      classesAt,
      orderAt,
      count,
      maxKept,
      threshold,
      shiftedAt,
      workAt,
      indicesAt,
    );
    return arena.copyOut(Int32Array, indicesAt, keptCount);
  });

/** Suppresses boxes as OWL-ViT does: from the highest score to the lowest, each box whose score is not 0 yet sets the
 * scores of all others to 0 that it overlaps by an IoU above the threshold. Returns the scores.
 * @type {(boxes: Float32Array, scores: Float32Array, threshold: number) => Float32Array} */
export const suppressScores = (boxes, scores, threshold) =>
  withMemory(() => {
    const count = scores.length;
    const boxesAt = arena.copyIn(boxes, boxBytes * count);
    const orderAt = putOrder(scores);
    const scoresAt = arena.copyIn(scores, floatBytes * count);
    kernels.suppress_scores(boxesAt, orderAt, count, threshold, scoresAt);
    return arena.copyOut(Float32Array, scoresAt, count);
  });
