/** Whole numbers of the caller that fit int64. */
import { show, typeError, rangeError } from './errors.js';

/**
 * An int64: a number, or a bigint outside the safe integers.
 * @typedef {number | bigint} Int64
 */

const int64End = 2n ** 63n;

/**
 * Reads one int64.
 * @param {string} argument
 * @param {unknown} value
 * @returns {Int64} 0 for -0
 * @throws {TypeError} neither a number nor a bigint
 * @throws {RangeError} a fraction, or outside int64
 */
export function readWhole(argument, value) {
  if (Number.isSafeInteger(value)) return /** @type {number} */ (value) + 0;
  if (typeof value !== 'number' && typeof value !== 'bigint')
    typeError(`${argument} must be a number or a bigint, got ${show(value)}`);
  if (typeof value === 'number' && !Number.isInteger(value))
    rangeError(`${argument} must be a whole number, got ${value}`);
  return wholeOf(argument, BigInt(value), value);
}

/**
 * A bigint as a {@link Int64}.
 * @param {string} argument
 * @param {bigint} value
 * @param {unknown} shown what the message shows: the caller's value, or the list that holds it
 * @returns {Int64}
 * @throws {RangeError} outside int64
 */
export function wholeOf(argument, value, shown) {
  if (value < -int64End || value >= int64End) rangeError(`${argument} must fit int64, got ${show(shown)}`);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
