/** YOLO heads to boxes, masks, points and classes in the picture, as Ultralytics answers. */
import {
  brief,
  copyList,
  count,
  flag,
  isList,
  largest,
  later,
  named,
  rangeError,
  readCount,
  readList,
  readTable,
  row,
  show,
  showClass,
  showList,
  typeError,
  word,
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
import { readSize, roundEven, threshold } from './settings.js';
import { checkShape, flags, floats, integers, readFloats } from './tensors.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { Found } from '../engines/results/index.js' */
/** @import { Floats } from './tensors.js' */

const tasks = /** @type {const} */ (['detect', 'segment', 'pose', 'obb', 'classify']);

/** @typedef {readonly [height: number, width: number]} Size */

/**
 * @typedef {object} YoloOptions
 * @property {(typeof tasks)[number]} [task] The model's task: 'detect' if omitted.
 * @property {Size} [size] The [height, width] of the model's input, in pixels: needed but for 'classify'.
 * @property {Size | readonly Size[]} [orig] The [height, width] of the picture, or of each picture, before the
 *   letterbox: `size` if omitted.
 * @property {number} [nc] The number of classes: from the dims if omitted.
 * @property {number} [conf] The score, from 0 to 1, that a box has to pass: 0.25 if omitted.
 * @property {number} [iou] The overlap of two boxes, as IoU from 0 to 1, above which the worse one is dropped: 0.45 if
 *   omitted.
 * @property {readonly number[]} [classes] The classes that stay: all if omitted.
 * @property {boolean} [agnostic] Whether boxes of other classes are dropped for their overlap too: false if omitted.
 * @property {boolean} [multi_label] Whether an anchor gives a box for each class that passes `conf`, and not for the
 *   best alone: false if omitted.
 * @property {number} [max_det] The most boxes of a picture: 300 if omitted.
 * @property {boolean} [upsample] Whether masks have the size of the input, and not of the prototypes: true if omitted.
 * @property {readonly [count: number, numbers: number]} [kpt_shape] The points of a pose, and the numbers of each, 2 or
 *   3: [17, 3] if omitted.
 * @property {boolean} [end2end] Whether the model dropped overlapping boxes itself, as YOLO26 does, and gives rows of
 *   box, score and class. If omitted, this is so where dims are [batch, n, 6 + extras] with more rows than columns.
 *   YOLOv5 of one class needs false.
 */

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

/** Reads a list of numbers.
 * @type {(name: string, value: unknown) => number[]} */
const readNumbers = (name, value) =>
  isList(value) ? readList(name, value).map(Number) : typeError(`${name} must be an array, got ${showClass(value)}`);

/** Ids of classes must be below it: no head has as many classes, and a mask has a byte for each. */
const maxClasses = 1_000_000;

/** Reads the ids of classes.
 * @type {(argument: string, value: unknown) => number[]} */
function readClasses(argument, value) {
  const ids = readNumbers(argument, value).map((id) => readCount(argument, id));
  const wrong = ids.find((id) => id >= maxClasses);
  return wrong === undefined ? ids : rangeError(`${argument} must be below ${maxClasses}, got ${wrong}`);
}

/** Reads the shape of a pose: how many points, and 2 or 3 numbers for each.
 * @type {(name: string, value: unknown) => number[]} */
function readPoints(name, value) {
  const [points, numbers] = readNumbers(name, value);
  if (!(points >= 1 && (numbers === 2 || numbers === 3)))
    rangeError(`${name} must be [count, 2 or 3], got ${show(value)}`);
  return [points, numbers];
}

const table = {
  task: word(tasks, 'detect'),
  ...{ size: later, orig: later },
  nc: count(),
  conf: threshold(0.25),
  iou: threshold(0.45),
  classes: row(readClasses, undefined),
  agnostic: flag(false),
  multi_label: flag(false),
  max_det: count(300, 0),
  upsample: flag(true),
  kpt_shape: row(readPoints, [17, 3]),
  end2end: flag(undefined),
};

/** The options as they are read.
 * @typedef {Omit<{ [Name in keyof typeof table]: ReturnType<(typeof table)[Name]> }, 'size' | 'orig'> & { size: Size }}
 *   Readings */

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
      const data = output0.data.subarray((i * output0.size) / batch, ((i + 1) * output0.size) / batch);
      const detections = head.isScored
        ? foundRows(data, extras, o)
        : yoloRows(
            { ...head, data, extras },
            {
              ...o,
              allowed: o.classes && maskOf(o.classes, head.classes),
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

/** Reads the prediction, alone or in a record of outputs, and the prototypes of task segment.
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

/** Reads the size of each picture; one size, or that of the input, holds for all.
 * @type {(orig: unknown, size: Size, batch: number) => Size[]} */
function readOriginals(orig, size, batch) {
  const listed = /** @type {ArrayLike<unknown>} */ (orig);
  const list = isList(listed?.[0]) ? copyList('orig', listed) : Array.from({ length: batch }, () => orig ?? size);
  if (list.length !== batch) rangeError(`orig must have ${batch} entries, one a picture, got ${list.length}`);
  return list.map((size) => readSize('orig', size));
}

/** How many numbers of an anchor follow its classes: an angle, points, or weights of prototypes.
 * @type {(o: Readings, prototypes: Floats | undefined) => number} */
function extrasOf({ task, kpt_shape: [points, numbers] }, prototypes) {
  return { detect: 0, obb: 1, pose: points * numbers, segment: prototypes?.dims[1] }[/** @type {string} */ (task)] ?? 0;
}

/** How anchors lie in the prediction.
 * @typedef {{ isScored: false, byRows: boolean, anchors: number, classes: number }} Head */

/** Reads the form of the prediction from its dims: rows that the model scored itself, or anchors by columns (YOLOv8) or
 * by rows with an objectness (YOLOv5).
 * @type {(output: Floats, extras: number, o: Readings) => { isScored: true } | Head} */
function readHead({ dims }, extras, { nc, end2end }) {
  const [, rows, columns] = dims;
  if (end2end ?? (columns === 6 + extras && rows > columns)) {
    checkShape('output0', dims, ['batch', 'n', 6 + extras]);
    return { isScored: true };
  }
  const byRows = nc === undefined ? rows > columns : rows !== 4 + nc + extras;
  const [channels, anchors] = byRows ? [columns, rows] : [rows, columns];
  const classes = channels - 4 - Number(byRows) - extras;
  if (classes < 1 || classes !== (nc ?? classes))
    rangeError(
      `output0 must have dims [batch, ${4 + (nc ?? 1) + extras}, anchors] or [batch, anchors, ` +
        `${5 + (nc ?? 1) + extras}]${nc ? '' : ' or more channels'}, got ${showList(dims)}`,
    );
  return { isScored: false, byRows, anchors, classes };
}

/** A byte for each class: 1 if it is among `classes`. By default the last byte is that of the highest id.
 * @type {(classes: number[], length?: number) => Uint8Array} */
function maskOf(classes, length = 1 + Math.max(0, largest(classes))) {
  const mask = new Uint8Array(length);
  for (const id of classes) if (id < length) mask[id] = 1;
  return mask;
}

/** Reads the detections of a model that suppresses itself: rows [x0, y0, x1, y1, score, class, extras], of which those
 * above `conf` stay. Columns become arrays of their own.
 * @type {(data: Float32Array, extras: number, o: Readings) => Found} */
function foundRows(data, extras, { conf, classes, max_det: maxCount, task }) {
  const width = 6 + extras;
  const allowed = classes && maskOf(classes);
  const rows = scoredRows(data, width, { conf, allowed, most: maxCount });
  const columns = swapped(rows, 1, rows.length / width, width);
  const count = rows.length / width;
  /** @type {(at: number[]) => Float32Array} */
  const picked = (at) => swapped(rowsOf(columns, count, Int32Array.from(at)), 1, at.length, count);
  const behind = Array.from({ length: extras }, (_, i) => 6 + i);
  return {
    boxes: task === 'obb' ? picked([0, 1, 2, 3, 6]) : picked([0, 1, 2, 3]),
    scores: picked([4]),
    labels: Int32Array.from(picked([5])),
    extras: picked(behind),
  };
}

/** Ultralytics' letterbox of a picture: gains, borders and the picture's size, x before y. The 0.1 rounds odd borders
 * down, as there.
 * @type {(size: Size, orig: Size) => Float32Array} */
function letterboxOf(size, orig) {
  const gain = Math.min(size[0] / orig[0], size[1] / orig[1]);
  const inner = orig.map((edge) => roundEven(edge * gain));
  const borders = inner.map((edge, i) => roundEven((size[i] - edge) / 2 - 0.1));
  return Float32Array.of(inner[1] / orig[1], inner[0] / orig[0], borders[1], borders[0], orig[1], orig[0]);
}

/** @type {(detections: Found) => { scores: Tensor, labels: Tensor }} */
const scored = ({ scores, labels }) => ({
  scores: floats(scores, [scores.length]),
  labels: integers(labels, [labels.length]),
});

/** The result of task obb: boxes as center, size and angle, moved from the letterbox to the picture.
 * @type {(detections: Found, letterbox: Float32Array) => YoloResult} */
function rotatedAnswer(detections, letterbox) {
  const boxes = leftLetterbox(regularized(detections.boxes), 5, 'centerAndSize', letterbox);
  return { rboxes: floats(boxes, [detections.scores.length, 5]), ...scored(detections) };
}

/** The result of picture `i`: boxes and points moved from the letterbox to the picture, masks in the letterbox.
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

/** The masks of picture `i`, bool [n, height, width]: sums of prototypes by each detection's weights, above 0, and
 * inside the detection's box.
 * @type {(detections: Found, o: Readings, prototypes: Floats, i: number) => Tensor} */
function masksOf({ boxes, extras, scores }, { size, upsample }, { data, dims }, i) {
  const [batch, channels, height, width] = dims;
  const [count, length] = [scores.length, data.length / batch];
  const maskSize = upsample ? size : [height, width];
  if (count === 0) return flags(new Uint8Array(0), [0, ...maskSize]);
  const source = new Planes(data.subarray(i * length, (i + 1) * length), { planes: channels, channels, height, width });
  const sums = source.mix(swapped(extras, 1, count, channels), count, count);
  const above = (upsample ? sums.resize(size) : sums).above(0, Uint8Array);
  // Boxes are in the input's pixels, masks that are not upsampled in the prototypes'.
  const scale = [width / size[1], height / size[0]];
  const cut = upsample ? boxes : boxes.map((edge, at) => edge * Math.fround(scale[at % 2]));
  return flags(cutMasks(above, maskSize, cut), [count, ...maskSize]);
}

/** The five best classes of each picture, best first.
 * @type {(output: Floats) => { labels: Tensor, scores: Tensor }[]} */
function classified({ data, dims: [batch, classes] }) {
  const count = Math.min(5, classes);
  const { indices, values } = greatestOf(data, classes, count, true);
  return Array.from({ length: batch }, (_, i) => ({
    labels: integers(indices.slice(i * count, (i + 1) * count), [count]),
    scores: floats(values.slice(i * count, (i + 1) * count), [count]),
  }));
}
