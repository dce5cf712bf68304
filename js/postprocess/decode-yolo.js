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
  leaveLetterbox,
  Planes,
  regularizeBoxes,
  scaleBoxes,
  scoredRows,
  swapped,
  yoloRows,
} from '../engines/results/index.js';
import { readSize, roundEven } from './settings.js';
import { checkShape, flags, floats, integers, numbersAt, readFloats } from './tensors.js';
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
    const { size, orig, ...otherOptions } = readTable(options, table);
    const { task } = otherOptions;
    const { output0, output1 } = readRecord(outputs, task);
    if (task === 'classify') return classifyPictures(output0);
    const readings = { ...otherOptions, size: readSize('size', size) };
    const extras = extrasOf(readings, output1);
    const layout = readLayout(output0, extras, readings);
    const [batch] = output0.dims;
    const sizes = readOriginals(orig, readings.size, batch);
    return sizes.map((original, i) => {
      const detections = detectionsOf(predictionOf(output0, i), layout, extras, readings);
      const letterbox = letterboxOf(readings.size, original);
      return task === 'obb'
        ? makeRotatedAnswer(detections, letterbox)
        : makeAnswer(detections, letterbox, readings, output1, i);
    });
  });
}

/** The part of a prediction [batch, …] that is picture `i`'s. @type {(output: Floats, i: number) => Float32Array} */
function predictionOf({ data, dims: [batch], size }, i) {
  const length = size / batch;
  return data.subarray(i * length, (i + 1) * length);
}

/** Finds the detections in a picture's prediction, in the pixels of the letterbox: reads them from a model that
 * suppresses overlapping boxes itself, and chooses and suppresses anchors of other models. `extras`: numbers of an
 * anchor behind its classes
 * @type {(prediction: Float32Array, layout: { isScored: true } | Layout, extras: number, readings: Readings) =>
 *   Found} */
function detectionsOf(prediction, layout, extras, readings) {
  if (layout.isScored) return readScoredRows(prediction, extras, readings);
  return yoloRows(
    { ...layout, data: prediction, extras },
    {
      ...readings,
      allowed: readings.classes && maskOfClasses(readings.classes, layout.classes),
      // With a single class the best one is the only one.
      all: readings.multi_label && layout.classes > 1,
      most: readings.max_det,
      isRotated: readings.task === 'obb',
    },
  );
}

/** Reads the prediction, `output0`, from a tensor or from a session's record of tensors, in which it may be called
 * `output`; for task segment also the mask prototypes, `output1`. Checks their types and ranks.
 * @type {(outputs: unknown, task: string) => { output0: Floats, output1?: Floats }} */
function readRecord(outputs, task) {
  const isTensor = Array.isArray(/** @type {{ dims?: unknown } | null | undefined} */ (outputs)?.dims);
  const record = /** @type {Record<string, unknown>} */ (isTensor ? { output0: outputs } : outputs);
  if (typeof record !== 'object' || record === null)
    typeError(`outputs must be an object of tensors, got ${show(record)}`);
  const refuseWithout = (/** @type {string} */ name) =>
    typeError(`outputs must have ${name}, got ${brief(Object.keys(record).join(', ')) || 'none'}`);
  if (!record.output0 && !record.output) refuseWithout('output0');
  if (task === 'segment' && !record.output1) refuseWithout('output1');
  const mainName = record.output0 ? 'output0' : 'output';
  const shape = task === 'classify' ? ['batch', 'nc'] : ['batch', 'channels', 'anchors'];
  const output0 = readFloats(mainName, record[mainName], shape);
  if (task !== 'segment') return { output0, output1: undefined };
  const output1 = readFloats('output1', record.output1, [output0.dims[0], 'channels', 'height', 'width']);
  if (output1.dims.includes(0)) rangeError(`output1 must have elements, got dims ${showList(output1.dims)}`);
  return { output0, output1 };
}

/** Reads the option `orig`, a list of sizes or one size for all pictures, to the [height, width] of each of `batch`
 * pictures. `size`: that of the model's input, which all pictures have if the option is omitted.
 * @type {(orig: unknown, size: Size, batch: number) => Size[]} */
function readOriginals(orig, size, batch) {
  const listed = /** @type {ArrayLike<unknown>} */ (orig);
  // A list of sizes begins with a list, one size with a number.
  const list = isList(listed?.[0]) ? copyList('orig', listed) : Array.from({ length: batch }, () => orig ?? size);
  if (list.length !== batch) rangeError(`orig must have ${batch} entries, one a picture, got ${list.length}`);
  return list.map((original) => readSize('orig', original));
}

/** Counts the numbers of an anchor behind its classes. `prototypes` (of segment): [batch, channels, height, width].
 * @type {(readings: Readings, prototypes: Floats | undefined) => number} */
function extrasOf({ task, kpt_shape: [points, numbers] }, prototypes) {
  if (task === 'obb') return 1; // the angle
  if (task === 'pose') return points * numbers;
  // A weight for each channel of the prototypes.
  return prototypes ? prototypes.dims[1] : 0;
}

/** The layout of a prediction that is not suppressed yet. `byRows`: it is [anchors, channels] with an objectness, as
 * YOLOv5 gives it, and not [channels, anchors]. `anchors` and `classes` are counts.
 * @typedef {{ isScored: false, byRows: boolean, anchors: number, classes: number }} Layout */

/** Numbers of a box, in front of an anchor's other numbers. */
const boxNumbers = 4;
/** The places of a detection's numbers in a row of a model that suppresses overlapping boxes itself. */
const rowPlaces = { box: [0, 1, 2, 3], score: 4, label: 5, firstExtra: 6 };

/** Tells the layout of the prediction by its dims [batch, rows, columns] and the options `nc` and `end2end`.
 * `isScored`: each row is a box with its score and class, because the model suppressed overlapping boxes itself.
 * Otherwise anchors are columns (YOLOv8), or rows with an objectness (YOLOv5). Refuses dims that fit none.
 * @type {(output: Floats, extras: number, readings: Readings) => { isScored: true } | Layout} */
function readLayout({ dims }, extras, { nc, end2end }) {
  const [, rows, columns] = dims;
  const scoredColumns = rowPlaces.firstExtra + extras;
  // Without `end2end`, more rows than columns tell that a row is a box and not a channel.
  const isScored = end2end ?? (columns === scoredColumns && rows > columns);
  if (isScored) {
    checkShape('output0', dims, ['batch', 'n', scoredColumns]);
    return { isScored: true };
  }
  // YOLOv5 has one more: the objectness.
  const minChannels = boxNumbers + (nc ?? 1) + extras;
  // Models have more anchors than channels. With `nc`, the number of YOLOv8's channels is known.
  const byRows = nc === undefined ? rows > columns : rows !== minChannels;
  const [channels, anchors] = byRows ? [columns, rows] : [rows, columns];
  const classes = channels - boxNumbers - Number(byRows) - extras;
  if (classes < 1 || classes !== (nc ?? classes))
    rangeError(
      `output0 must have dims [batch, ${minChannels}, anchors] or [batch, anchors, ${minChannels + 1}]` +
        `${nc ? '' : ' or more channels'}, got ${showList(dims)}`,
    );
  return { isScored: false, byRows, anchors, classes };
}

/** Makes a mask with a byte for each class id: 1 for the ids in `classes`, 0 for others. Ids from `length` on are left
 * out; without `length`, the mask ends with the highest id.
 * @type {(classes: number[], length?: number) => Uint8Array} */
function maskOfClasses(classes, length = 1 + Math.max(0, largest(classes))) {
  const mask = new Uint8Array(length);
  for (const id of classes) if (id < length) mask[id] = 1;
  return mask;
}

/** Reads the detections of one picture by a model that suppresses overlapping boxes itself: the first `max_det` rows
 * that are above `conf` and of one of `classes`.
 * @type {(data: Float32Array, extras: number, readings: Readings) => Found} */
function readScoredRows(data, extras, { conf, classes, max_det: maxCount, task }) {
  const width = rowPlaces.firstExtra + extras;
  const allowed = classes && maskOfClasses(classes);
  const rows = scoredRows(data, width, { conf, allowed, most: maxCount });
  const count = rows.length / width;
  const rowStarts = Array.from({ length: count }, (_, row) => width * row);
  /** Picks the numbers at these places of each row: [count, places]. @type {(places: number[]) => Float32Array} */
  const pickColumns = (places) => {
    const indices = rowStarts.flatMap((start) => places.map((place) => start + place));
    return numbersAt(rows, Int32Array.from(indices));
  };
  const extraPlaces = Array.from({ length: extras }, (_, i) => rowPlaces.firstExtra + i);
  return {
    // The angle is the only extra of task obb.
    boxes: pickColumns(task === 'obb' ? [...rowPlaces.box, ...extraPlaces] : rowPlaces.box),
    scores: pickColumns([rowPlaces.score]),
    labels: Int32Array.from(pickColumns([rowPlaces.label])),
    extras: pickColumns(extraPlaces),
  };
}

/** Computes how Ultralytics fits a picture of `orig` into an input of `size`, both [height, width], as the six numbers
 * that {@link leaveLetterbox} takes.
 * @type {(size: Size, orig: Size) => Float32Array} */
function letterboxOf([height, width], [origHeight, origWidth]) {
  const gain = Math.min(height / origHeight, width / origWidth);
  const [innerHeight, innerWidth] = [roundEven(origHeight * gain), roundEven(origWidth * gain)];
  // The 0.1 is Ultralytics': of an odd number of border pixels, the left and the top get fewer.
  const border = (/** @type {number} */ edge, /** @type {number} */ inner) => roundEven((edge - inner) / 2 - 0.1);
  const [left, top] = [border(width, innerWidth), border(height, innerHeight)];
  const [scaleX, scaleY] = [innerWidth / origWidth, innerHeight / origHeight];
  return Float32Array.of(scaleX, scaleY, left, top, origWidth, origHeight);
}

/** Makes tensors [n] of the scores and labels of n detections.
 * @type {(detections: Found) => { scores: Tensor, labels: Tensor }} */
const scoreTensors = ({ scores, labels }) => ({
  scores: floats(scores, [scores.length]),
  labels: integers(labels, [labels.length]),
});

/** Makes a picture's result of task obb, moved from the letterbox to the picture. Angles are radians in [0, pi / 2).
 * @type {(detections: Found, letterbox: Float32Array) => YoloResult} */
function makeRotatedAnswer(detections, letterbox) {
  const boxes = leaveLetterbox(regularizeBoxes(detections.boxes), 5, 'centerAndSize', letterbox);
  return { rboxes: floats(boxes, [detections.scores.length, 5]), ...scoreTensors(detections) };
}

/** Makes the result of picture `i` for the tasks detect, pose and segment. Boxes and keypoints are moved from the
 * letterbox to the picture; masks stay in the letterbox, as Ultralytics leaves them.
 * @type {(detections: Found, letterbox: Float32Array, readings: Readings, prototypes: Floats | undefined, i: number) =>
 *   YoloResult} */
function makeAnswer(detections, letterbox, readings, prototypes, i) {
  const count = detections.scores.length;
  const boxes = floats(leaveLetterbox(detections.boxes, 4, 'corners', letterbox), [count, 4]);
  const result = { boxes, ...scoreTensors(detections) };
  if (readings.task === 'pose') {
    const [pointCount, numberCount] = readings.kpt_shape;
    const points = leaveLetterbox(detections.extras, numberCount, 'point', letterbox);
    return { ...result, keypoints: floats(points, [count, pointCount, numberCount]) };
  }
  if (readings.task === 'segment')
    return { ...result, masks: makeMasks(detections, readings, /** @type {Floats} */ (prototypes), i) };
  return result;
}

/** Makes the masks of picture `i`, bool [n, height, width] of the input's size or, without `upsample`, the prototypes'.
 * A pixel of a mask is set where the sum of the prototypes, weighted by the detection's extras, is above 0 and the
 * pixel is inside the detection's box.
 * @type {(detections: Found, readings: Readings, prototypes: Floats, i: number) => Tensor} */
function makeMasks({ boxes, extras, scores }, { size, upsample }, { data, dims }, i) {
  const [batch, channels, height, width] = dims;
  const count = scores.length;
  const maskSize = upsample ? size : [height, width];
  if (count === 0) return flags(new Uint8Array(0), [0, ...maskSize]);
  const length = data.length / batch;
  const prototypes = data.subarray(i * length, (i + 1) * length);
  const planes = new Planes(prototypes, { planes: channels, channels, height, width });
  const weights = swapped(extras, 1, count, channels); // from [count, channels] to [channels, count]
  const sums = planes.mix(weights, count, count);
  const resized = upsample ? sums.resize(size) : sums;
  const masks = resized.above(0, Uint8Array);
  const boxesInMasks = upsample ? boxes : scaleBoxes(boxes, width / size[1], height / size[0]);
  return flags(cutMasks(masks, maskSize, boxesInMasks), [count, ...maskSize]);
}

/** Ultralytics' count of classes in a classifier's answer. */
const topClasses = 5;

/** Picks the best of a classifier's classes for each picture, best first.
 * @type {(output: Floats) => { labels: Tensor, scores: Tensor }[]} */
function classifyPictures({ data, dims: [batch, classes] }) {
  const count = Math.min(topClasses, classes);
  const { indices, values } = greatestOf(data, classes, count, true);
  return Array.from({ length: batch }, (_, i) => ({
    labels: integers(indices.slice(i * count, (i + 1) * count), [count]),
    scores: floats(values.slice(i * count, (i + 1) * count), [count]),
  }));
}
