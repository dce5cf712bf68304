/** Callers' numbers, lists and option bags. Each property is read once; the results are copies. */
import { brief, show, showList, wrongKind, wrongValue } from './errors.js';
import { listLength, typedArrayName } from './typed-arrays.js';

/** A whole number: where it is outside the safe integers, a bigint, which no extent or axis can equal. @typedef {number | bigint} Whole */
/** @typedef {readonly (number | bigint)[] | Int32Array | BigInt64Array} Integers */

const int64 = 2n ** 63n;

/** A longer list is a mistake, and reading it would take longer than moving any tensor. */
const listLimit = 1_000_000;

/**
 * Reads one int64.
 * @param {string} prefix
 * @param {string} argument
 * @param {unknown} value
 * @returns {Whole}
 */
export function readWhole(prefix, argument, value) {
  if (Number.isSafeInteger(value)) return /** @type {number} */ (value) + 0;
  if (typeof value !== 'number' && typeof value !== 'bigint')
    wrongKind(prefix, `${argument} must be a number or a bigint, got ${show(value)}`);
  if (typeof value === 'number' && !Number.isInteger(value))
    wrongValue(prefix, `${argument} must be a whole number, got ${value}`);
  return narrow(prefix, argument, BigInt(value), value);
}

/** @type {(prefix: string, argument: string, value: bigint, shown: unknown) => Whole} */
function narrow(prefix, argument, value, shown) {
  if (value < -int64 || value >= int64) wrongValue(prefix, `${argument} must fit int64, got ${show(shown)}`);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Whether a value is a list of the kinds in which whole numbers may come.
 * @param {unknown} value
 * @returns {value is Integers}
 */
export function isList(value) {
  if (Array.isArray(value)) return true;
  const name = typedArrayName(value);
  return name === 'Int32Array' || name === 'BigInt64Array';
}

/** The length of a caller's list: proxies and subclasses answer anything. @type {(prefix: string, argument: string, list: ArrayLike<unknown>) => number} */
function readLength(prefix, argument, list) {
  const length = listLength(list);
  if (
    Number.isSafeInteger(length) &&
    /** @type {number} */ (length) >= 0 &&
    /** @type {number} */ (length) <= listLimit
  )
    return /** @type {number} */ (length);
  return wrongValue(prefix, `${argument} must have 0 to ${listLimit} entries, got ${show(length)}`);
}

/** Copies a caller's list, each entry read once. @type {(prefix: string, argument: string, list: ArrayLike<any>) => any[]} */
export function copyList(prefix, argument, list) {
  const length = readLength(prefix, argument, list);
  return Array.from({ length }, (_, i) => list[i]);
}

/**
 * Copies a list of int64.
 * @param {string} prefix
 * @param {string} argument
 * @param {Integers} list
 * @returns {Whole[]}
 */
export function readList(prefix, argument, list) {
  const length = readLength(prefix, argument, list);
  // Room for all at once: growing from [] takes twice as long.
  /** @type {Whole[]} */
  const copy = new Array(length);
  let plain = true;
  for (let i = 0; i < length; i++) {
    const entry = list[i];
    const safe = Number.isSafeInteger(entry);
    plain &&= safe;
    // Adding 0 turns -0 into 0.
    copy[i] = safe ? /** @type {number} */ (entry) + 0 : entry;
  }
  return plain ? copy : wholes(prefix, argument, copy);
}

/** Entries that are not all safe integers. @type {(prefix: string, argument: string, list: Whole[]) => Whole[]} */
function wholes(prefix, argument, list) {
  return list.map((entry) => {
    if (Number.isSafeInteger(entry)) return entry;
    if (typeof entry !== 'number' && typeof entry !== 'bigint')
      wrongKind(prefix, `${argument} must hold whole numbers, got ${showList(list)}`);
    if (typeof entry === 'number' && !Number.isInteger(entry))
      wrongValue(prefix, `${argument} must hold whole numbers, got ${showList(list)}`);
    return narrow(prefix, argument, BigInt(entry), list);
  });
}

/**
 * Reads an attribute that is 0 or 1 in ONNX.
 * @param {string} prefix
 * @param {string} argument
 * @param {unknown} value
 * @param {boolean} byDefault
 * @returns {boolean}
 */
export function readFlag(prefix, argument, value, byDefault) {
  if (value === undefined) return byDefault;
  if (value === true || value === 1 || value === 1n) return true;
  if (value === false || value === 0 || value === 0n) return false;
  const wrong = typeof value === 'number' || typeof value === 'bigint' ? wrongValue : wrongKind;
  return wrong(prefix, `${argument} must be 0 or 1, got ${show(value)}`);
}

/**
 * Reads one of a few words.
 * @template {string} Word
 * @param {string} prefix
 * @param {string} argument
 * @param {readonly Word[]} words
 * @param {unknown} value
 * @returns {Word | undefined} undefined where the value is
 */
export function readWord(prefix, argument, words, value) {
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value);
  if (word) return word;
  const quoted = words.map((known) => `'${known}'`);
  const wrong = typeof value === 'string' ? wrongValue : wrongKind;
  return wrong(prefix, `${argument} must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}, got ${show(value)}`);
}

/**
 * The options bag of a function that is no operator: a misspelt option must not be ignored.
 * @template {object} T
 * @param {string} prefix
 * @param {T | undefined} options
 * @param {readonly string[]} names
 * @returns {Partial<T>} the caller's own: each property is to be read once
 */
export function readOptions(prefix, options, names) {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null)
    wrongKind(prefix, `options must be an object, got ${show(options)}`);
  checkNames(prefix, 'option', options, names);
  return options;
}

/** @type {(prefix: string, kind: string, bag: object, names: readonly string[]) => void} */
export function checkNames(prefix, kind, bag, names) {
  for (const name in bag) if (!names.includes(name)) wrongKind(prefix, `unknown ${kind} ${brief(name)}`);
}
