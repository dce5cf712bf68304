/** Whole numbers of the caller that fit int64. */
import { show, typeError, rangeError } from './errors.js';

/**
 * An int64: a number, or a bigint outside the safe integers.
 * @typedef {number | bigint} Int64
 */

const int64End = 2n ** 63n;

/** Reads a whole number that fits int64, from a number or a bigint: a number, unless that is not exact.
 * @type {(argument: string, value: unknown) => Int64} */
export function readWhole(argument, value) {
  // Adding 0 turns -0 into 0.
  if (Number.isSafeInteger(value)) return /** @type {number} */ (value) + 0;
  if (typeof value !== 'number' && typeof value !== 'bigint')
    typeError(`${argument} must be a number or a bigint, got ${show(value)}`);
  if (typeof value === 'number' && !Number.isInteger(value))
    rangeError(`${argument} must be a whole number, got ${value}`);
  return wholeOf(argument, BigInt(value), value);
}

/** Refuses a bigint that does not fit int64; gives it as a number if that is exact. `shown`: the caller's value.
 * @type {(argument: string, value: bigint, shown: unknown) => Int64} */
export function wholeOf(argument, value, shown) {
  if (value < -int64End || value >= int64End) rangeError(`${argument} must fit int64, got ${show(shown)}`);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Reads any number, NaN too.
 * @type {(argument: string, value: unknown) => number} */
export const readNumber = (argument, value) =>
  typeof value === 'number' ? value : typeError(`${argument} must be a number, got ${show(value)}`);

/** @type {(argument: string, value: unknown) => number} */
export function readFinite(argument, value) {
  const number = readNumber(argument, value);
  return Number.isFinite(number) ? number : rangeError(`${argument} must be finite, got ${number}`);
}

/** Reads a finite number above 0.
 * @type {(argument: string, value: unknown) => number} */
export function readPositive(argument, value) {
  const number = readFinite(argument, value);
  return number > 0 ? number : rangeError(`${argument} must be above 0, got ${number}`);
}

/** Reads a whole number from `min` to `max`, both included; a number, no bigint.
 * @type {(argument: string, value: unknown, min?: number, max?: number) => number} */
export function readCount(argument, value, min = 0, max = Infinity) {
  const count = readNumber(argument, value);
  if (!(Number.isSafeInteger(count) && count >= min))
    rangeError(`${argument} must be a whole number from ${min} on, got ${show(value)}`);
  return count > max ? rangeError(`${argument} must be at most ${max}, got ${count}`) : count;
}

/** Reads a whole number from 1 to the largest safe integer; bigints, too.
 * @type {(argument: string, value: unknown) => number} */
export function readExtent(argument, value) {
  const extent = readWhole(argument, value);
  if (!(extent >= 1 && Number.isSafeInteger(extent))) rangeError(`${argument} must be at least 1, got ${show(value)}`);
  return /** @type {number} */ (extent);
}

/** Finds the largest number of a list. By `reduce`: as arguments of `Math.max`, 125,000 numbers overflow the stack.
 * @type {(list: { reduce: Function }) => number} -Infinity of an empty list */
export const largest = (list) =>
  list.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), -Infinity);

/** @type {(list: { reduce: Function }) => number} Infinity of an empty list */
export const smallest = (list) =>
  list.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.min(a, b), Infinity);

/** Computes the greatest common divisor of two whole numbers by Euclid's algorithm.
 * @type {(a: number, b: number) => number} */
export const greatestCommonDivisor = (a, b) => (b === 0 ? a : greatestCommonDivisor(b, a % b));
