/** Tables of options: a row reads one option, and gives its default where the caller omits it. */
import { readCount, readExtent, readFinite } from './numbers.js';
import { readFlag, readOptions, readWord } from './options.js';

/** @typedef {(name: string, value: any, known?: any) => any} Row throws a rule that names the option. `known`: of the
 *   inputs that a table's reader hands on */

/** Reads all rows in their order. `usual` stands for what the caller omits.
 * @type {<Table extends Record<string, Row>>(options: any, table: Table,
 *   usual?: Partial<Record<keyof Table, unknown>>) => { [Name in keyof Table]: ReturnType<Table[Name]> }} */
export function readTable(options, table, usual = {}) {
  /** @type {any} */
  const bag = readOptions(options, Object.keys(table));
  /** @type {any} */
  const values = {};
  for (const name in table) values[name] = table[name](name, bag[name] === undefined ? usual[name] : bag[name]);
  return values;
}

/** @type {<Value, Missing>(read: (name: string, value: any, known?: any) => Value, byDefault: Missing) =>
 *   (name: string, value: any, known?: any) => Value | Missing} A row of a reader that refuses undefined. */
export const row = (read, byDefault) => (name, value, known) =>
  value === undefined ? byDefault : read(name, value, known);

/** @type {<Missing = undefined>(byDefault?: Missing, least?: number) =>
 *   (name: string, value: any) => number | Missing | undefined} */
export const count = (byDefault, least = 1) => row((name, value) => readCount(name, value, least), byDefault);

/** A finite number.
 * @type {<Missing = undefined>(byDefault?: Missing) => (name: string, value: any) => number | Missing | undefined} */
export const number = (byDefault) => row(readFinite, byDefault);

/** @type {<Missing extends boolean | undefined>(byDefault: Missing) =>
 *   (name: string, value: any) => boolean | Missing} */
export const flag = (byDefault) => row((name, value) => readFlag(name, value, false), byDefault);

/** @type {<const Word extends string, Missing>(words: readonly Word[], byDefault: Missing & (Word | undefined)) =>
 *   (name: string, value: any) => Word | Missing} */
export const word = (words, byDefault) => (name, value) => readWord(name, words, value) ?? byDefault;

/** @type {<Missing>(byDefault: Missing) => (name: string, value: any) => number | Missing} */
export const extent = (byDefault) => row(readExtent, byDefault);

/** @type {Row} An option that is read later, when what it depends on is known. */
export const later = (_, value) => value;
