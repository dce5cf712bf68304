/** Decodes the outputs of YOLO models to boxes, masks, points and classes in the picture, as Ultralytics does. An
 * anchor is a candidate: a box, the scores of its classes, and its `extras`, the numbers behind them (an angle,
 * keypoints or weights of mask prototypes). The letterbox is the model's input: the picture, resized to fit, between
 * borders. */
import {
  brief,
  copyList,
  isList,
  largest,
  named,
  rangeError,
  readTable,
  show,
  showList,
  typeError,
} from '../arguments/index.js';
import {
  cutMasks,
  greatestOf,
  leftLetterbox,
  Planes,
  regularized,
  rowsOf,
  scoredRows,
  swapped,
  yoloRows,
} from '../engines/results/index.js';
import { readSize, roundEven } from './settings.js';
import { checkShape, flags, floats, integers, readFloats } from './tensors.js';
import { table } from './yolo-options.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { Found } from '../engines/results/index.js' */
/** @import { Floats } from './tensors.js' */
/** @import { Readings, Size, YoloOptions } from './yolo-options.js' */

/**
 * A picture's result. `boxes` are corners, `rboxes` center, size and angle.
 * @typedef {object} YoloResult
 * @property {Tensor} [boxes] float32 [n, 4]
 * @property {Tensor} [rboxes] float32 [n, 5], of task obb
 * @property {Tensor} scores float32 [n]
 * @property {Tensor} labels int32 [n]
 * @property {Tensor} [masks] bool [n, height, width] in the letterbox
 * @property {Tensor} [keypoints] float32 [n, count, numbers]
 */

/**
 * Decodes the output of a YOLO model: choice of classes, suppression, and the way back through the letterbox. Results
 * are those of Ultralytics for YOLOv8, 11 and 26, and of YOLOv5 whose rows have an objectness.
 *
 * The prediction is `output0` or `output`. YOLOv8 and 11: [batch, 4 + nc + extras, anchors]. YOLOv5: [batch, anchors,
 * 5 + nc + extras]. A model that suppresses itself: [batch, n, 6 + extras]. A classifier: [batch, nc]. `output1` has
 * the prototypes of task segment. Masks that are sums over prototypes differ from torch's in a few pixels.
 * @param {TensorLike | Record<string, TensorLike>} outputs the prediction, or the record of a session
 * @param {YoloOptions} [options]
 * @returns {YoloResult[]} one a picture, best first
 * @example
 * const anchor = [32, 32, 16, 16, 0.9, 0.1];
 * const output0 = Tensor.from('float32', anchor, [1, 6, 1]);
 * const [{ boxes, labels }] = decodeYolo({ output0 }, { size: [64, 64], orig: [128, 128], nc: 2 });
 * boxes.toArray(); // [48, 48, 80, 80]
 */
export function decodeYolo(outputs, options) {
  return named('decodeYolo', () => {
    const { size, orig, ...read } = readTable(options, table);
    const { task } = read;
    const { output0, output1 } = readRecord(outputs, task);
    if (task === 'classify') return classified(output0);
    const o = { ...read, size: readSize('size', size) };
    const extras = extrasOf(o, output1);
    const head = readHead(output0, extras, o);
    const [batch] = output0.dims;
    const sizes = readOriginals(orig, o.size, batch);
    return sizes.map((original, i) => {
      // The prediction of picture i.
      const data = output0.data.subarray((i * output0.size) / batch, ((i + 1) * output0.size) / batch);
      const detections = head.isScored
        ? foundRows(data, extras, o)
        : yoloRows(
            { ...head, data, extras },
            {
              ...o,
              allowed: o.classes && maskOf(o.classes, head.classes),
              // With a single class the best one is the only one.
              all: o.multi_label && head.classes > 1,
              most: o.max_det,
              isRotated: task === 'obb',
            },
          );
      const letterbox = letterboxOf(o.size, original);
      return task === 'obb' ? rotatedAnswer(detections, letterbox) : answer(detections, letterbox, o, output1, i);
    });
  });
}

/** Reads the prediction, `output0`, from a tensor or from a session's record of tensors, in which it may be called
 * `output`; for task segment also the mask prototypes, `output1`. Checks their types and ranks.
 * @type {(outputs: unknown, task: string) => { output0: Floats, output1?: Floats }} */
function readRecord(outputs, task) {
  const isTensor = Array.isArray(/** @type {{ dims?: unknown } | null | undefined} */ (outputs)?.dims);
  const record = /** @type {Record<string, unknown>} */ (isTensor ? { output0: outputs } : outputs);
  if (typeof record !== 'object' || record === null)
    typeError(`outputs must be an object of tensors, got ${show(record)}`);
  const first = record.output0 ? 'output0' : 'output';
  for (const name of [first, ...(task === 'segment' ? ['output1'] : [])]) {
    if (record[name]) continue;
    const names = brief(Object.keys(record).join(', ')) || 'none';
    // Without either name, the message asks for the usual one.
    typeError(`outputs must have ${name === 'output' ? 'output0' : name}, got ${names}`);
  }
  const output0 = readFloats(
    first,
    record[first],
    task === 'classify' ? ['batch', 'nc'] : ['batch', 'channels', 'anchors'],
  );
  if (task !== 'segment') return { output0, output1: undefined };
  const output1 = readFloats('output1', record.output1, [output0.dims[0], 'channels', 'height', 'width']);
  if (output1.dims.includes(0)) rangeError(`output1 must have elements, got dims ${showList(output1.dims)}`);
  return { output0, output1 };
}

/** Reads the option `orig` to the [height, width] of each of `batch` pictures. It is a list of sizes, or one size for
 * all pictures; if it is omitted, all pictures have `size`, that of the model's input.
 * @type {(orig: unknown, size: Size, batch: number) => Size[]} */
function readOriginals(orig, size, batch) {
  const listed = /** @type {ArrayLike<unknown>} */ (orig);
  // A list of sizes begins with a list, one size with a number.
  const list = isList(listed?.[0]) ? copyList('orig', listed) : Array.from({ length: batch }, () => orig ?? size);
  if (list.length !== batch) rangeError(`orig must have ${batch} entries, one a picture, got ${list.length}`);
  return list.map((size) => readSize('orig', size));
}

/** Counts the numbers of an anchor behind its classes: none for task detect, an angle for obb, for pose `kpt_shape`'s
 * points with 2 or 3 numbers each, for segment a weight for each channel of the `prototypes` [batch, channels, height,
 * width], which other tasks lack.
 * @type {(o: Readings, prototypes: Floats | undefined) => number} */
function extrasOf({ task, kpt_shape: [points, numbers] }, prototypes) {
  // The task is one of these four, and segment has prototypes: `?? 0` is for the type alone.
  return { detect: 0, obb: 1, pose: points * numbers, segment: prototypes?.dims[1] }[/** @type {string} */ (task)] ?? 0;
}

/** The layout of a prediction that is not suppressed yet. `byRows`: it is [anchors, channels] with an objectness, as
 * YOLOv5 gives it, and not [channels, anchors]. `anchors` and `classes` are counts.
 * @typedef {{ isScored: false, byRows: boolean, anchors: number, classes: number }} Head */

/** Tells the layout of the prediction by its dims [batch, rows, columns] and the options `nc` and `end2end`.
 * `isScored`: each row is a box with its score and class, because the model suppressed overlapping boxes itself.
 * Otherwise anchors are columns (YOLOv8), or rows with an objectness (YOLOv5). Refuses dims that fit none.
 * @type {(output: Floats, extras: number, o: Readings) => { isScored: true } | Head} */
function readHead({ dims }, extras, { nc, end2end }) {
  const [, rows, columns] = dims;
  // Such a row has 4 numbers of its box, a score, a class and the extras. Without `end2end`, more rows than
  // columns tell that a row is a box and not a channel.
  if (end2end ?? (columns === 6 + extras && rows > columns)) {
    checkShape('output0', dims, ['batch', 'n', 6 + extras]);
    return { isScored: true };
  }
  // Models have more anchors than channels. With `nc`, the number of YOLOv8's channels is known.
  const byRows = nc === undefined ? rows > columns : rows !== 4 + nc + extras;
  const [channels, anchors] = byRows ? [columns, rows] : [rows, columns];
  // A channel is a number of the box (4), the objectness where anchors are rows, a class or an extra.
  const classes = channels - 4 - Number(byRows) - extras;
  if (classes < 1 || classes !== (nc ?? classes))
    rangeError(
      `output0 must have dims [batch, ${4 + (nc ?? 1) + extras}, anchors] or [batch, anchors, ` +
        `${5 + (nc ?? 1) + extras}]${nc ? '' : ' or more channels'}, got ${showList(dims)}`,
    );
  return { isScored: false, byRows, anchors, classes };
}

/** Makes a mask with a byte for each class id: 1 for the ids in `classes`, 0 for others. Ids from `length` on are left
 * out; without `length`, the mask ends with the highest id.
 * @type {(classes: number[], length?: number) => Uint8Array} */
function maskOf(classes, length = 1 + Math.max(0, largest(classes))) {
  const mask = new Uint8Array(length);
  for (const id of classes) if (id < length) mask[id] = 1;
  return mask;
}

/** Reads the detections of one picture by a model that suppresses overlapping boxes itself. `data` has rows
 * [x0, y0, x1, y1, score, class, extras]; the first `max_det` rows stay that are above `conf` and of one of `classes`.
 * The result has their boxes, scores, labels and extras each in an array of its own.
 * @type {(data: Float32Array, extras: number, o: Readings) => Found} */
function foundRows(data, extras, { conf, classes, max_det: maxCount, task }) {
  const width = 6 + extras;
  const allowed = classes && maskOf(classes);
  const rows = scoredRows(data, width, { conf, allowed, most: maxCount });
  const count = rows.length / width;
  // [width, count]: first all x0, then all y0 and so on.
  const columns = swapped(rows, 1, count, width);
  /** Picks columns by their indices, and gives them back as rows.
   * @type {(at: number[]) => Float32Array} */
  const picked = (at) => swapped(rowsOf(columns, count, Int32Array.from(at)), 1, at.length, count);
  const behind = Array.from({ length: extras }, (_, i) => 6 + i);
  return {
    // The angle is the only extra of task obb.
    boxes: task === 'obb' ? picked([0, 1, 2, 3, 6]) : picked([0, 1, 2, 3]),
    scores: picked([4]),
    labels: Int32Array.from(picked([5])),
    extras: picked(behind),
  };
}

/** Computes how Ultralytics fits a picture of `orig` into an input of `size`, both [height, width]. The six numbers,
 * which {@link leftLetterbox} takes, are the factor of x and of y, the left and the top border in pixels, and the width
 * and height of the picture. The 0.1 is Ultralytics': of an odd number of border pixels, the left and the top get
 * fewer.
 * @type {(size: Size, orig: Size) => Float32Array} */
function letterboxOf(size, orig) {
  const gain = Math.min(size[0] / orig[0], size[1] / orig[1]);
  const inner = orig.map((edge) => roundEven(edge * gain));
  const borders = inner.map((edge, i) => roundEven((size[i] - edge) / 2 - 0.1));
  return Float32Array.of(inner[1] / orig[1], inner[0] / orig[0], borders[1], borders[0], orig[1], orig[0]);
}

/** Makes tensors [n] of the scores and labels of n detections.
 * @type {(detections: Found) => { scores: Tensor, labels: Tensor }} */
const scored = ({ scores, labels }) => ({
  scores: floats(scores, [scores.length]),
  labels: integers(labels, [labels.length]),
});

/** Makes a picture's result of task obb: boxes [n, 5] of center, size and angle, moved from the letterbox to the
 * picture. Angles are radians in [0, pi / 2).
 * @type {(detections: Found, letterbox: Float32Array) => YoloResult} */
function rotatedAnswer(detections, letterbox) {
  const boxes = leftLetterbox(regularized(detections.boxes), 5, 'centerAndSize', letterbox);
  return { rboxes: floats(boxes, [detections.scores.length, 5]), ...scored(detections) };
}

/** Makes the result of picture `i` for the tasks detect, pose and segment. Boxes and keypoints are moved from the
 * letterbox to the picture; masks stay in the letterbox, as Ultralytics leaves them.
 * @type {(detections: Found, letterbox: Float32Array, o: Readings, prototypes: Floats | undefined, i: number) =>
 *   YoloResult} */
function answer(detections, letterbox, o, prototypes, i) {
  const count = detections.scores.length;
  const boxes = floats(leftLetterbox(detections.boxes, 4, 'corners', letterbox), [count, 4]);
  const result = { boxes, ...scored(detections) };
  if (o.task === 'pose') {
    const points = leftLetterbox(detections.extras, o.kpt_shape[1], 'point', letterbox);
    return { ...result, keypoints: floats(points, [count, ...o.kpt_shape]) };
  }
  return o.task === 'segment'
    ? { ...result, masks: masksOf(detections, o, /** @type {Floats} */ (prototypes), i) }
    : result;
}

/** Makes the masks of picture `i`, bool [n, height, width] of the input's size or, without `upsample`, the prototypes'.
 * A pixel of a mask is set where the sum of the prototypes, weighted by the detection's extras, is above 0 and the
 * pixel is inside the detection's box.
 * @type {(detections: Found, o: Readings, prototypes: Floats, i: number) => Tensor} */
function masksOf({ boxes, extras, scores }, { size, upsample }, { data, dims }, i) {
  const [batch, channels, height, width] = dims;
  const [count, length] = [scores.length, data.length / batch];
  const maskSize = upsample ? size : [height, width];
  if (count === 0) return flags(new Uint8Array(0), [0, ...maskSize]);
  const source = new Planes(data.subarray(i * length, (i + 1) * length), { planes: channels, channels, height, width });
  // The weights of all detections, prototype by prototype: [channels, count].
  const sums = source.mix(swapped(extras, 1, count, channels), count, count);
  const above = (upsample ? sums.resize(size) : sums).above(0, Uint8Array);
  // Boxes are in the input's pixels, masks that are not upsampled in the prototypes'.
  const scale = [width / size[1], height / size[0]];
  const cut = upsample ? boxes : boxes.map((edge, at) => edge * Math.fround(scale[at % 2]));
  return flags(cutMasks(above, maskSize, cut), [count, ...maskSize]);
}

/** Picks the five best of a classifier's classes for each picture, best first; all if there are fewer.
 * @type {(output: Floats) => { labels: Tensor, scores: Tensor }[]} */
function classified({ data, dims: [batch, classes] }) {
  const count = Math.min(5, classes);
  const { indices, values } = greatestOf(data, classes, count, true);
  return Array.from({ length: batch }, (_, i) => ({
    labels: integers(indices.slice(i * count, (i + 1) * count), [count]),
    scores: floats(values.slice(i * count, (i + 1) * count), [count]),
  }));
}
