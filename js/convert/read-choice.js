/** Reads the options of a conversion. */
import { copyList, rangeError, readCount, readFlag, readWord, show, typeError } from '../arguments/index.js';
import { checkLocation } from '../io/internal.js';

/** @import { Choice, ConvertOptions } from './types.js' */

/** The dtypes that a model converts to, by transformers.js' names. */
export const dtypes = Object.freeze(/** @type {const} */ (['fp16']));

/** The options that say what becomes of the model, and those of its files. */
export const choiceNames = Object.freeze(['dtype', 'keepIo', 'float32', 'external', 'externalName', 'externalBytes']);

/** In browsers files of data are handed over whole, which engines limit to 2 GB. */
const usualBytes = 2e9;

/** @type {(given: Partial<ConvertOptions>) => Choice} */
export function readChoice({ dtype, keepIo, float32 }) {
  const word = readWord('dtype', dtypes, dtype);
  if (word === undefined) typeError(`dtype must be ${dtypes.map((own) => `'${own}'`).join(', ')}, got undefined`);
  return { dtype: word, keepIo: readKeepIo(keepIo), float32: new Set(readNames('float32', float32) ?? []) };
}

/** @type {(keepIo: unknown) => boolean | ReadonlySet<string>} */
function readKeepIo(keepIo) {
  if (Array.isArray(keepIo)) return new Set(readNames('keepIo', keepIo));
  if (typeof keepIo === 'object') typeError(`keepIo must be true, false or an array of names, got ${show(keepIo)}`);
  return readFlag('keepIo', keepIo, true);
}

/** @type {(name: string, list: unknown) => string[] | undefined} */
function readNames(name, list) {
  if (list === undefined) return undefined;
  const copy = Array.isArray(list) ? copyList(name, list) : undefined;
  if (!copy?.every((entry) => typeof entry === 'string'))
    typeError(`${name} must be an array of names, got ${show(list)}`);
  return copy;
}

/** @type {(given: { externalName?: unknown, externalBytes?: unknown }) => { location: string, maxBytes: number, files:
 *   [] } | undefined} */
export function readOutside({ externalName, externalBytes }) {
  const maxBytes = externalBytes === undefined ? usualBytes : readCount('externalBytes', externalBytes, 1);
  if (externalName === undefined) {
    if (externalBytes !== undefined)
      rangeError(`externalBytes must come with externalName, got ${show(externalBytes)}`);
    return undefined;
  }
  if (typeof externalName !== 'string') typeError(`externalName must be a string, got ${show(externalName)}`);
  return { location: checkLocation('externalName', 'model', externalName), maxBytes, files: [] };
}
