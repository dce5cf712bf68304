/** Options that many functions share. */
import {
  copyList,
  isList,
  rangeError,
  readList,
  readNumber,
  row,
  show,
  showClass,
  showList,
  typedArrayName,
  typeError,
} from '../arguments/index.js';

/** @import { RowOf } from '../arguments/index.js' */

/** Reads any number but NaN: Python compares with whatever number it gets.
 * @type {(argument: string, value: unknown) => number} */
export function readThreshold(argument, value) {
  const number = readNumber(argument, value);
  if (Number.isNaN(number)) rangeError(`${argument} must be a number, got NaN`);
  return number;
}

/** Makes the row of an option that is any number but NaN; `byDefault` if it is omitted.
 * @type {<Missing = undefined>(byDefault?: Missing) => RowOf<number | Missing>} */
export const threshold = (byDefault) => row(readThreshold, /** @type {NonNullable<typeof byDefault>} */ (byDefault));

/** The greatest ratio by which a box may grow: the round corners of a grown box get more points the more it grows. */
const maxRatio = 1000;

/** Reads the ratio by which a box of text grows, which is by area * ratio / perimeter pixels.
 * @type {(argument: string, value: unknown) => number} */
export function readRatio(argument, value) {
  const ratio = readThreshold(argument, value);
  return ratio <= maxRatio ? ratio : rangeError(`${argument} must be at most ${maxRatio}, got ${ratio}`);
}

/** The largest side of a picture. */
const maxSide = 32768;

/** Reads the [height, width] of a picture: whole numbers from 1 to {@link maxSide}.
 * @type {(argument: string, value: unknown) => [height: number, width: number]} */
export function readSize(argument, value) {
  const pair = readPair(argument, value);
  if (!pair.every((edge) => Number.isSafeInteger(edge) && edge >= 1 && edge <= maxSide))
    rangeError(`${argument} must hold whole numbers from 1 to ${maxSide}, got ${showList(pair)}`);
  return pair;
}

/** Reads an array or a typed array of any class to a list of numbers; entries that are none become NaN.
 * @type {(argument: string, value: unknown) => number[]} */
export function readNumbers(argument, value) {
  const isNumbers = Array.isArray(value) || typedArrayName(value) !== undefined;
  if (!isNumbers) typeError(`${argument} must be an array, got ${showClass(value)}`);
  return copyList(argument, /** @type {ArrayLike<unknown>} */ (value)).map(toNumber);
}

/** Reads a list of two numbers, which may be anything that `Number` takes.
 * @type {(argument: string, value: unknown) => [number, number]} */
export function readPair(argument, value) {
  if (!isList(value)) typeError(`${argument} must be an array, got ${showClass(value)}`);
  const list = readList(argument, value).map(Number);
  if (list.length !== 2) rangeError(`${argument} must have 2 entries, got ${list.length}`);
  return /** @type {[number, number]} */ (list);
}

/** A number or a bigint as a number; NaN for everything else, whose conversion could run code of the caller's.
 * @type {(value: unknown) => number} */
export const toNumber = (value) => (typeof value === 'number' || typeof value === 'bigint' ? Number(value) : NaN);

/** Rounds to the nearest whole number, half to even, as Python. @type {(x: number) => number} */
export function roundEven(x) {
  const low = Math.floor(x);
  // Only ties differ from `Math.round`, which rounds them up.
  if (x - low !== 0.5) return Math.round(x);
  return low % 2 === 0 ? low : low + 1;
}

/** @typedef {Record<string, string> | readonly string[]} Labels */

/** Reads the names of classes, and returns a function that gives the name of an id. A class without a name is called
 * LABEL_ and its id, as in Python.
 * @type {(argument: string, id2label: unknown) => (id: number) => string} */
export function readLabels(argument, id2label) {
  if (id2label !== undefined && (typeof id2label !== 'object' || id2label === null))
    typeError(`${argument} must be an object or an array, got ${show(id2label)}`);
  const names = /** @type {Readonly<Record<number, string>> | undefined} */ (id2label);
  return (id) => names?.[id] ?? `LABEL_${id}`;
}
