/** Options that a function declares: the reader of each, in the order in which they are read and listed. */
import { readFlag, readOptions, readWord } from '../arguments/index.js';
import { readExtent } from './resizing/size.js';

/** @typedef {(name: string, value: any) => any} OptionReader throws a rule that names the option */

/** @type {<Table extends Record<string, OptionReader>>(options: any, table: Table, usual?: { [Name in keyof Table]?:
 *   unknown }) => { [Name in keyof Table]: ReturnType<Table[Name]> }} `usual` stands for what the caller omits. */
export function readTable(options, table, usual = {}) {
  /** @type {any} */
  const bag = readOptions(options, Object.keys(table));
  /** @type {any} */
  const values = {};
  for (const name in table) values[name] = table[name](name, bag[name] === undefined ? usual[name] : bag[name]);
  return values;
}

/** @type {(byDefault: boolean) => (name: string, value: any) => boolean} */
export const flag = (byDefault) => (name, value) => readFlag(name, value, byDefault);

/** @type {<const Word extends string, Missing>(words: readonly Word[], byDefault: Missing & (Word | undefined)) =>
 *   (name: string, value: any) => Word | Missing} */
export const word = (words, byDefault) => (name, value) => readWord(name, words, value) ?? byDefault;

/** @type {<Missing>(byDefault: Missing) => (name: string, value: any) => number | Missing} */
export const extent = (byDefault) => (name, value) => (value === undefined ? byDefault : readExtent(name, value));

/** @type {OptionReader} An option that is read later, when what it depends on is known. */
export const later = (_, value) => value;
