/** Option bags: their names, and the flags and words they hold. */
import { either, show, unknownName, wrongKind, wrongValue } from './errors.js';

/**
 * Reads the options bag of a function that is not an operator.
 * @template {object} T
 * @param {string} prefix
 * @param {T | undefined} options
 * @param {readonly string[]} names of the options that the function has
 * @returns {Partial<T>} the caller's own object: read each property once
 * @throws {TypeError} not an object, or an unknown option
 */
export function readOptions(prefix, options, names) {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null)
    wrongKind(prefix, `options must be an object, got ${show(options)}`);
  checkNames(prefix, 'option', options, names);
  return options;
}

/**
 * Refuses names that a bag must not have, because a misspelt one would have no effect.
 * @param {string} prefix
 * @param {string} kind what the names stand for: 'option', 'input'
 * @param {object} bag
 * @param {readonly string[]} names
 * @throws {TypeError}
 */
export function checkNames(prefix, kind, bag, names) {
  for (const name in bag) if (!names.includes(name)) unknownName(prefix, kind, name, names);
}

/**
 * Reads a flag, which may come as a boolean, 0 or 1.
 * @param {string} prefix
 * @param {string} argument
 * @param {unknown} value
 * @param {boolean} byDefault
 * @returns {boolean}
 * @throws {TypeError} neither a boolean, a number nor a bigint
 * @throws {RangeError} another number
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
 * @returns {Word | undefined} undefined if the value is undefined
 * @throws {TypeError} not a string
 * @throws {RangeError} another string
 */
export function readWord(prefix, argument, words, value) {
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value);
  if (word) return word;
  const quoted = words.map((known) => `'${known}'`);
  const wrong = typeof value === 'string' ? wrongValue : wrongKind;
  return wrong(prefix, `${argument} must be ${either(quoted)}, got ${show(value)}`);
}
