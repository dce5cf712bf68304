/** Lists of the caller. They are copied, because the caller may change them while a call goes on. */
import { rangeError, show, showClass, showList, typeError } from './errors.js';
import { wholeOf } from './numbers.js';
import { lengthOf, typedArrayName } from './typed-arrays.js';

/** @import { Int64 } from './numbers.js' */
/** @import { TypedArray } from './types.js' */

/**
 * The lists in which whole numbers may come.
 * @typedef {readonly (number | bigint)[] | Int32Array | BigInt64Array} Integers
 */

/** A longer list is a mistake, and reading it takes longer than moving any tensor. */
const maxLength = 1_000_000;

/** Whether a value is a list that whole numbers may come in: an array, an Int32Array or a BigInt64Array, of any realm.
 * @type {(value: unknown) => value is Integers} */
export function isList(value) {
  if (Array.isArray(value)) return true;
  const name = typedArrayName(value);
  return name === 'Int32Array' || name === 'BigInt64Array';
}

/** Reads a list's length, and refuses more than `limit`: an array may state 2^32 - 1 entries, and hold none, and a loop
 * over these would not end. `argument`: its name, for messages.
 * @type {(argument: string, list: ArrayLike<unknown>, limit?: number) => number} */
export function readLength(argument, list, limit = maxLength) {
  const length = Array.isArray(list) ? list.length : lengthOf(/** @type {TypedArray} */ (list));
  if (length <= limit) return length;
  return rangeError(`${argument} must have 0 to ${limit} entries, got ${length}`);
}

/** Copies a list of entries of any kind; holes become undefined.
 * @type {<Entry>(argument: string, list: ArrayLike<Entry>, limit?: number) => Entry[]} */
export function copyList(argument, list, limit) {
  const length = readLength(argument, list, limit);
  const copy = new Array(length);
  for (let i = 0; i < length; i++) copy[i] = list[i];
  return copy;
}

/** Copies a list of entries of any kind, and refuses a value that is no list.
 * @type {(argument: string, value: unknown, limit?: number) => any[]} */
export function readEntries(argument, value, limit) {
  if (!isList(value)) typeError(`${argument} must be an array, got ${showClass(value)}`);
  return copyList(argument, value, limit);
}

/** No list of a configuration or a prompt is nested deeper, and one that holds itself is. */
const maxLevels = 8;

/** Copies the entries of nested lists that are no lists themselves to one flat list. `levels`: how deep they may be
 * nested still.
 * @type {(argument: string, list: readonly unknown[], levels?: number) => any[]} */
export function copyLeaves(argument, list, levels = maxLevels) {
  if (levels === 0) rangeError(`${argument} must be nested at most ${maxLevels} deep, got ${maxLevels + 1}`);
  return copyList(argument, list).flatMap((entry) =>
    Array.isArray(entry) ? copyLeaves(argument, entry, levels - 1) : [entry],
  );
}

/** Copies a list of whole numbers that fit int64: to numbers where these are exact, else bigints. Refuses all others.
 * @type {(argument: string, list: Integers) => Int64[]} */
export function readList(argument, list) {
  const length = readLength(argument, list);
  // Make room for all entries at once: growing from [] takes twice as long.
  /** @type {Int64[]} */
  const copy = new Array(length);
  let allSafe = true;
  for (let i = 0; i < length; i++) {
    const entry = list[i];
    const isSafe = Number.isSafeInteger(entry);
    allSafe &&= isSafe;
    // Adding 0 turns -0 into 0.
    copy[i] = isSafe ? /** @type {number} */ (entry) + 0 : entry;
  }
  return allSafe ? copy : readInt64s(argument, copy);
}

/** Copies a list of whole numbers, and refuses a value that is no list.
 * @type {(argument: string, value: unknown) => Int64[]} */
export function readWholes(argument, value) {
  if (!isList(value)) typeError(`${argument} must be a list of whole numbers, got ${show(value)}`);
  return readList(argument, value);
}

/** Reads the entries of a list of which some are no safe integers. Bigints within the safe integers become numbers.
 * @type {(argument: string, list: Int64[]) => Int64[]} */
function readInt64s(argument, list) {
  return list.map((entry) => {
    if (Number.isSafeInteger(entry)) return entry;
    if (typeof entry !== 'number' && typeof entry !== 'bigint')
      typeError(`${argument} must hold whole numbers, got ${showList(list)}`);
    if (typeof entry === 'number' && !Number.isInteger(entry))
      rangeError(`${argument} must hold whole numbers, got ${showList(list)}`);
    return wholeOf(argument, BigInt(entry), list);
  });
}

/** @type {(a: readonly number[], b: readonly number[]) => boolean} */
export function isSame(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
