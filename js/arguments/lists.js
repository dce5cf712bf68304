/** Lists of the caller. They are copied, because the caller may change them while a call goes on. */
import { showList, typeError, rangeError } from './errors.js';
import { wholeOf } from './numbers.js';
import { lengthOf, typedArrayName } from './typed-arrays.js';

/** @import { Int64 } from './numbers.js' */

/**
 * The lists in which whole numbers may come.
 * @typedef {readonly (number | bigint)[] | Int32Array | BigInt64Array} Integers
 */

/** A longer list is a mistake, and reading it takes longer than moving any tensor. */
const longestList = 1_000_000;

/**
 * Whether a value is a list of a class in which whole numbers may come.
 * @param {unknown} value
 * @returns {value is Integers}
 */
export function isList(value) {
  if (Array.isArray(value)) return true;
  const name = typedArrayName(value);
  return name === 'Int32Array' || name === 'BigInt64Array';
}

/** @type {(argument: string, list: ArrayLike<unknown>) => number} */
function readLength(argument, list) {
  const length = Array.isArray(list) ? list.length : lengthOf(/** @type {any} */ (list));
  if (length <= longestList) return length;
  return rangeError(`${argument} must have 0 to ${longestList} entries, got ${length}`);
}

/**
 * Copies a list of anything.
 * @param {string} argument
 * @param {ArrayLike<any>} list
 * @returns {any[]}
 */
export function copyList(argument, list) {
  const length = readLength(argument, list);
  const copy = new Array(length);
  for (let i = 0; i < length; i++) copy[i] = list[i];
  return copy;
}

/**
 * Copies a list of int64.
 * @param {string} argument
 * @param {Integers} list
 * @returns {Int64[]}
 * @throws {TypeError} an entry is neither a number nor a bigint
 * @throws {RangeError} an entry is a fraction or outside int64, or there are too many entries
 */
export function readList(argument, list) {
  const length = readLength(argument, list);
  // Make room for all entries at once: growing from [] takes twice as long.
  /** @type {Int64[]} */
  const copy = new Array(length);
  let plain = true;
  for (let i = 0; i < length; i++) {
    const entry = list[i];
    const safe = Number.isSafeInteger(entry);
    plain &&= safe;
    // Adding 0 turns -0 into 0.
    copy[i] = safe ? /** @type {number} */ (entry) + 0 : entry;
  }
  return plain ? copy : wholes(argument, copy);
}

/**
 * Checks a copied list in which some entry is not a safe integer.
 * @param {string} argument
 * @param {Int64[]} list
 * @returns {Int64[]}
 */
function wholes(argument, list) {
  return list.map((entry) => {
    if (Number.isSafeInteger(entry)) return entry;
    if (typeof entry !== 'number' && typeof entry !== 'bigint')
      typeError(`${argument} must hold whole numbers, got ${showList(list)}`);
    if (typeof entry === 'number' && !Number.isInteger(entry))
      rangeError(`${argument} must hold whole numbers, got ${showList(list)}`);
    return wholeOf(argument, BigInt(entry), list);
  });
}

/** @type {Record<string, string[]>} */
const entryNames = {};
const mostEntryNames = 64;

/**
 * What messages call an entry of a list. The first names of each list are kept: making those of two inputs anew takes
 * .2 of the .85 us of a small concat (measured).
 * @param {string} name of the list, one of the package's own words
 * @param {number} index
 * @returns {string}
 */
export function entryName(name, index) {
  const names = (entryNames[name] ??= []);
  return index < mostEntryNames ? (names[index] ??= `${name}[${index}]`) : `${name}[${index}]`;
}
