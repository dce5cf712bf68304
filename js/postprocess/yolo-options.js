/** The options of `decodeYolo`, and how each is read. */
import {
  count,
  flag,
  isList,
  later,
  rangeError,
  readCount,
  readList,
  row,
  show,
  showClass,
  typeError,
  word,
} from '../arguments/index.js';
import { threshold } from './settings.js';

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

/** Reads an array or typed array, whose entries `Number` converts.
 * @type {(name: string, value: unknown) => number[]} */
const readNumbers = (name, value) =>
  isList(value) ? readList(name, value).map(Number) : typeError(`${name} must be an array, got ${showClass(value)}`);

/** Ids of classes must be below this: a mask has a byte for each id up to the highest. No model has as many classes. */
const maxClasses = 1_000_000;

/** Reads the ids of the classes that stay, from 0 on. @type {(argument: string, value: unknown) => number[]} */
function readClasses(argument, value) {
  const ids = readNumbers(argument, value).map((id) => readCount(argument, id));
  const wrong = ids.find((id) => id >= maxClasses);
  return wrong === undefined ? ids : rangeError(`${argument} must be below ${maxClasses}, got ${wrong}`);
}

/** Reads the shape of a pose: how many keypoints it has, and how many numbers each: x, y and perhaps a visibility.
 * @type {(name: string, value: unknown) => number[]} */
function readPoints(name, value) {
  const [points, numbers] = readNumbers(name, value);
  if (!(points >= 1 && (numbers === 2 || numbers === 3)))
    rangeError(`${name} must be [count, 2 or 3], got ${show(value)}`);
  return [points, numbers];
}

export const table = {
  task: word(tasks, 'detect'),
  size: later,
  orig: later,
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
