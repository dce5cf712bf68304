/**
 * Tables of options: an object with a row for each option's name. A row is a function that reads the option, refuses
 * wrong values, and returns its default where the caller omits it. The functions below make rows.
 */
import { either, rangeError, show, typeError } from './errors.js';
import { copyList } from './lists.js';
import { readCount, readExtent, readFinite, readPositive, readWhole } from './numbers.js';
import { readFlag, readOptions, readWord } from './options.js';

/** Reads the option `name`, and refuses a wrong value. `known`: facts of the call's inputs, such as the extents of a
 * tensor, which {@link readTable} does not pass.
 * @template [Value=any]
 * @typedef {(name: string, value: any, known?: any) => Value} Row
 */

/** A row that returns a Value. Every function has the property `length`, which is there for TypeScript alone: in a
 * table, the value of a row whose type is a bare function would be `unknown` to the other functions.
 * @template Value
 * @typedef {((name: string, value: unknown) => Value) & { readonly length: number }} RowOf */

/** The values that a table's rows return, by the names of the options.
 * @template {Record<string, Row>} Table
 * @typedef {{ [Name in keyof Table]: ReturnType<Table[Name]> }} ValuesOf */

/** A table whose rows are all named as one of the Options: any other must be `never`, which no row is.
 * @template {Record<string, Row>} Table
 * @template {object} Options
 * @typedef {Table & Record<Exclude<keyof Table, keyof Options>, never>} TableFor */

/** Reads the options of a call by the rows of a table, in their order. `usual`: values in the place of options that the
 * caller omits.
 * @type {<Options extends object, Table extends Record<string, Row>>(options: Options | undefined,
 *   table: TableFor<Table, Options>, usual?: Partial<Record<keyof Table, unknown>>) => ValuesOf<Table>} */
export function readTable(options, table, usual = {}) {
  const bag = /** @type {Record<string, unknown>} */ (readOptions(options, Object.keys(table)));
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const name in table) {
    const readRow = table[name];
    values[name] = readRow(name, bag[name] === undefined ? usual[name] : bag[name]);
  }
  return /** @type {ValuesOf<typeof table>} */ (values);
}

/** Makes a row of a reader that refuses undefined: the row returns `byDefault` for it.
 * @type {<Value, Missing>(read: Row<Value>, byDefault: Missing) => Row<Value | Missing>} */
export const row = (read, byDefault) => (name, value, known) =>
  value === undefined ? byDefault : read(name, value, known);

/** @type {(min: number, max?: number) => (name: string, value: unknown) => number} A count that must be given. */
export const countFrom = (min, max) => (name, value) => readCount(name, value, min, max);

/** Makes a row of a whole number from `min` to `max`.
 * @template [Missing=undefined]
 * @param {Missing} [byDefault]
 * @param {number} [min]
 * @param {number} [max]
 * @returns {RowOf<number | Missing>} */
export const count = (byDefault, min = 1, max = Infinity) =>
  row(countFrom(min, max), /** @type {Missing} */ (byDefault));

/** Makes a row of a finite number.
 * @template [Missing=undefined]
 * @param {Missing} [byDefault]
 * @returns {RowOf<number | Missing>} */
export const number = (byDefault) => row(readFinite, /** @type {Missing} */ (byDefault));

/** Makes a row of a number above 0.
 * @template [Missing=undefined]
 * @param {Missing} [byDefault] */
export const positive = (byDefault) => row(readPositive, /** @type {Missing} */ (byDefault));

/** Makes a row of a flag: true or false, or 1 or 0.
 * @type {<Missing extends boolean | undefined>(byDefault: Missing) => RowOf<boolean | Missing>} */
export function flag(byDefault) {
  // Has no effect: `row` passes no undefined on.
  const ifOmitted = false;
  return row((name, value) => readFlag(name, value, ifOmitted), byDefault);
}

/** @type {<const Word extends string, Missing>(words: readonly Word[], byDefault: Missing & (Word | undefined)) =>
 *   (name: string, value: unknown) => Word | Missing} */
export const word = (words, byDefault) => (name, value) => readWord(name, words, value) ?? byDefault;

/** Makes the reader of an option that is one of a few words, and must be given: for undefined, `readWord` gives
 * undefined, which is refused here.
 * @type {<const Word extends string>(words: readonly Word[]) => (name: string, value: unknown) => Word} */
export const wordFrom = (words) => (name, value) =>
  readWord(name, words, value) ??
  typeError(`${name} must be ${either(words.map((known) => `'${known}'`))}, got undefined`);

/** @type {<Missing>(numbers: readonly number[], byDefault: Missing) =>
 *   (name: string, value: unknown) => number | Missing} */
export const numberFrom = (numbers, byDefault) =>
  row((name, value) => {
    const number = Number(readWhole(name, value));
    return numbers.includes(number) ? number : rangeError(`${name} must be ${either(numbers)}, got ${show(value)}`);
  }, byDefault);

/** @type {(name: string, list: unknown) => string[]} */
export function readNames(name, list) {
  const copy = Array.isArray(list) ? copyList(name, list) : undefined;
  if (!copy?.every((entry) => typeof entry === 'string'))
    typeError(`${name} must be an array of names, got ${show(list)}`);
  return copy;
}

/** @type {<Missing>(byDefault: Missing) => (name: string, value: unknown) => string[] | Missing} */
export const names = (byDefault) => row(readNames, byDefault);

/** @type {<Missing>(byDefault: Missing) => (name: string, value: unknown) => number | Missing} */
export const extent = (byDefault) => row(readExtent, byDefault);

/** Makes a row that also takes null, as Python takes None, and returns it.
 * @type {<Value>(read: Row<Value>) => Row<Value | null>} */
export const orNull = (read) => (name, value, known) => (value === null ? null : read(name, value, known));

/** @type {(name: string, value: unknown) => any} An option that is read later, when what it depends on is known. */
export const later = (_, value) => value;
