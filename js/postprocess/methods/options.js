/** Options of methods. Each is declared by the function that reads it, which knows the default. */
import * as args from '../../arguments/index.js';
import { readSize, toNumber } from '../settings.js';
import { readRows } from './define.js';

/** @import { Extents, OptionRow, PictureSize } from '../types.js' */

export { count, flag, number } from '../../arguments/index.js';
export { threshold } from '../settings.js';

/** Reads an option that Python ignores: only 0, the default, is accepted, so that nobody expects an effect.
 * @type {OptionRow<number>} */
export const ignored = args.row(
  (name, value) =>
    args.readNumber(name, value) === 0
      ? 0
      : args.rangeError(`${name} must be 0, as Python does nothing with it, got ${value}`),
  0,
);

/** Turns the reader of an option into one that refuses a call without the option.
 * @type {<Value>(read: OptionRow<Value>) => OptionRow<Exclude<Value, undefined>>} */
export const needed = (read) => (name, value, known) =>
  value === undefined
    ? args.typeError(`${name} must be given`)
    : /** @type {Exclude<ReturnType<typeof read>, undefined>} */ (read(name, value, known));

/** Turns the reader of an option into one that gives undefined if the option is omitted.
 * @type {<Value>(read: OptionRow<Value>) => OptionRow<Value | undefined>} */
export const optional = (read) => args.row(read, undefined);

/** Refuses a list of another length than the batch, if an output has told the batch.
 * @type {(name: string, list: unknown[], known: Extents) => void} */
function checkCount(name, list, { batch }) {
  if (batch !== undefined && list.length !== batch)
    args.rangeError(`${name} must have ${batch} entries, one a picture, got ${list.length}`);
}

/** Reads the [height, width] of each picture, from a list of pairs or a tensor [batch, 2].
 * @type {OptionRow<PictureSize[] | undefined>} */
export const sizes = optional((name, value, known) => {
  const list = readRows(name, value);
  checkCount(name, list, known);
  return list.map((size, i) => readSize(`${name}[${i}]`, size));
});

/** Reads the two [height, width] of each pair of pictures, a list of pairs of pairs, which must be given.
 * @type {OptionRow<PictureSize[][]>} */
export const sizePairs = needed((name, value, known) => {
  const list = readRows(name, value);
  checkCount(name, list, known);
  return list.map((pair, i) => {
    const pictureSizes = readRows(`${name}[${i}]`, pair);
    if (pictureSizes.length !== 2) args.rangeError(`${name}[${i}] must have 2 sizes, got ${pictureSizes.length}`);
    return pictureSizes.map((pictureSize, j) => readSize(`${name}[${i}][${j}]`, pictureSize));
  });
});

/** Reads one size, [height, width]. @type {OptionRow<PictureSize | undefined>} */
export const size = optional(readSize);

/** Reads a box, [x0, y0, x1, y1] in whole numbers from 0 on. @type {OptionRow<number[] | undefined>} */
export const box = optional((name, value) => {
  const list = args.readEntries(name, value).map(toNumber);
  if (!(list.length === 4 && list.every((edge) => Number.isSafeInteger(edge) && edge >= 0)))
    args.rangeError(`${name} must hold 4 whole numbers from 0 on, got ${args.showList(list)}`);
  return list;
});

/** Reads a size { height, width } to [height, width]. @type {OptionRow<PictureSize | undefined>} */
export const sides = optional((name, value) => {
  const { height, width } = Object(value);
  if (height === undefined || width === undefined)
    args.typeError(`${name} must be { height, width }, got ${args.showClass(value)}`);
  return readSize(name, [height, width]);
});

/** Reads the ids of labels from a list or a Set; an empty Set if omitted. @type {OptionRow<Set<number>>} */
export const ids = args.row((name, value) => {
  if (!(value instanceof Set) && !args.isList(value))
    args.typeError(`${name} must be a list or a Set, got ${args.show(value)}`);
  const list = value instanceof Set ? Array.from(value) : args.copyList(name, value);
  return new Set(list.map((id) => args.readCount(name, toNumber(id))));
}, new Set());

/** Reads the box of a person, four finite numbers. @type {(name: string, value: unknown) => number[]} */
function readPersonBox(name, value) {
  const numbers = readRows(name, value).map(toNumber);
  if (!(numbers.length === 4 && numbers.every(Number.isFinite)))
    args.rangeError(`${name} must hold 4 numbers, got ${args.showList(numbers)}`);
  return numbers;
}

/** Reads the boxes of the people in each picture, [x, y, width, height] each, which must be given. There are as many in
 * all as people in the heat maps of all pictures, which follow one another in that output.
 * @type {OptionRow<number[][][]>} */
export const boxLists = needed((name, value, known) => {
  const pictures = readRows(name, value).map((list, i) =>
    readRows(`${name}[${i}]`, list).map((personBox, j) => readPersonBox(`${name}[${i}][${j}]`, personBox)),
  );
  const boxCount = pictures.reduce((sum, list) => sum + list.length, 0);
  if (known.people !== undefined && boxCount !== known.people)
    args.rangeError(`${name} must have ${known.people} boxes in all, one a heat map, got ${boxCount}`);
  return pictures;
});

/** Reads the list of words of each picture, whose indices are labels. @type {OptionRow<unknown[][] | undefined>} */
export const labelLists = optional((name, value, known) => {
  const lists = readRows(name, value);
  checkCount(name, lists, known);
  return lists.map((list, i) => readRows(`${name}[${i}]`, list));
});

/** Reads a list of anything. @type {OptionRow<unknown[] | undefined>} */
export const list = optional(readRows);

/** Reads a function. @type {OptionRow<Function | undefined>} */
export const callback = optional(args.readFunction);
