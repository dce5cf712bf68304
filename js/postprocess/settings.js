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

/** @type {<Missing = undefined>(byDefault?: Missing) => RowOf<number | Missing>} */
export const threshold = (byDefault) => row(readThreshold, /** @type {NonNullable<typeof byDefault>} */ (byDefault));

/** The most that a box may grow: with more, the arcs at its corners have points without end. */
const mostRatio = 1000;

/** Reads how far a box of text grows.
 * @type {(argument: string, value: unknown) => number} */
export function readRatio(argument, value) {
  const ratio = readThreshold(argument, value);
  return ratio <= mostRatio ? ratio : rangeError(`${argument} must be at most ${mostRatio}, got ${ratio}`);
}

/** The largest side of a picture. */
const mostSide = 32768;

/** Reads the size of a picture, whole numbers from 1 on.
 * @type {(argument: string, value: unknown) => [height: number, width: number]} */
export function readSize(argument, value) {
  const pair = readPair(argument, value);
  if (!pair.every((edge) => Number.isSafeInteger(edge) && edge >= 1 && edge <= mostSide))
    rangeError(`${argument} must hold whole numbers from 1 to ${mostSide}, got ${showList(pair)}`);
  return pair;
}

/** Reads a list of numbers from an array or a typed array of any class.
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

/** Rounds to the nearest whole number, half to even, as Python.
 * @type {(x: number) => number} */
export function roundEven(x) {
  const low = Math.floor(x);
  if (x - low !== 0.5) return Math.round(x);
  return low % 2 === 0 ? low : low + 1;
}

/** @typedef {Record<string, string> | readonly string[]} Labels */

/** Reads the names of classes to a function from an id to its name: LABEL_ and the id for a class without one, as in
 * Python.
 * @type {(argument: string, id2label: unknown) => (id: number) => string} */
export function readLabels(argument, id2label) {
  if (id2label !== undefined && (typeof id2label !== 'object' || id2label === null))
    typeError(`${argument} must be an object or an array, got ${show(id2label)}`);
  const names = /** @type {Readonly<Record<number, string>> | undefined} */ (id2label);
  return (id) => names?.[id] ?? `LABEL_${id}`;
}
