/** Option bags: their names, and the flags and words they hold. */
import { either, show, unknownName, typeError, rangeError } from './errors.js';

/** Reads an object of options, and refuses one with a name that is not among `names`. An omitted one is empty.
 * @type {<T extends object>(options: T | undefined, names: readonly string[]) => Partial<T>} */
export function readOptions(options, names) {
  if (options === undefined) return {};
  // An array of typed numbers is an object, too, with a name for each of maybe millions of entries.
  if (typeof options !== 'object' || options === null || ArrayBuffer.isView(options))
    typeError(`options must be an object, got ${show(options)}`);
  checkNames('option', options, names);
  return options;
}

/** Refuses names that are not among `names`: a misspelt one would have no effect. `kind`: the word for such a name.
 * @type {(kind: string, bag: object, names: readonly string[]) => void} */
export function checkNames(kind, bag, names) {
  for (const name in bag) if (!names.includes(name)) unknownName(kind, name, names);
}

/** Reads a flag: true or false, or 1 or 0, as ONNX writes them.
 * @type {(argument: string, value: unknown, byDefault: boolean) => boolean} */
export function readFlag(argument, value, byDefault) {
  if (value === undefined) return byDefault;
  if (value === true || value === 1 || value === 1n) return true;
  if (value === false || value === 0 || value === 0n) return false;
  const isNumber = typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value));
  const refuse = isNumber ? rangeError : typeError;
  return refuse(`${argument} must be 0 or 1, got ${show(value)}`);
}

/** @type {(argument: string, value: unknown) => boolean} */
export const readBoolean = (argument, value) =>
  typeof value === 'boolean' ? value : typeError(`${argument} must be true or false, got ${show(value)}`);

/** @type {(argument: string, value: unknown) => string} */
export const readText = (argument, value) =>
  typeof value === 'string' ? value : typeError(`${argument} must be a string, got ${show(value)}`);

/** @type {<Value>(argument: string, value: Value) => Value & Function} */
export const readFunction = (argument, value) =>
  typeof value === 'function' ? value : typeError(`${argument} must be a function, got ${show(value)}`);

/** Reads one of a few words, or undefined where it is omitted.
 * @type {<Word extends string>(argument: string, words: readonly Word[], value: unknown) => Word | undefined} */
export function readWord(argument, words, value) {
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value);
  if (word) return word;
  const quoted = words.map((known) => `'${known}'`);
  const refuse = typeof value === 'string' ? rangeError : typeError;
  return refuse(`${argument} must be ${either(quoted)}, got ${show(value)}`);
}
