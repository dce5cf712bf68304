/** Reads the options of a conversion. */
import {
  copyList,
  either,
  rangeError,
  readCount,
  readFlag,
  readWhole,
  readWord,
  show,
  typeError,
} from '../arguments/index.js';
import { checkLocation } from '../io/internal.js';
import { eachNode } from './model/walk.js';

/** @import { Model } from './model/types.js' */
/** @import { Choice, ConvertOptions } from './types.js' */

/** The dtypes that a model converts to, by transformers.js' names. */
export const dtypes = Object.freeze(
  /** @type {const} */ (['fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'q2', 'q2f16', 'bnb4']),
);

/** The options that say what becomes of the model, and those of its files. */
export const choiceNames = Object.freeze([
  ...['dtype', 'keepIo', 'float32', 'perChannel', 'reduceRange', 'subgraphs', 'blockSize', 'symmetric', 'bnb4'],
  ...['external', 'externalName', 'externalBytes'],
]);

const blocks = Object.freeze([16, 32, 64, 128, 256]);

/** In browsers files of data are handed over whole, which engines limit to 2 GB. */
const usualBytes = 2e9;

/** @type {(given: Partial<ConvertOptions>) => Choice} */
export function readChoice({ dtype, keepIo, float32, blockSize, bnb4, ...flags }) {
  const word = readWord('dtype', dtypes, dtype);
  if (word === undefined) typeError(`dtype must be ${either(dtypes.map((own) => `'${own}'`))}, got undefined`);
  return {
    ...{ dtype: word, keepIo: readKeepIo(keepIo), float32: new Set(readNames('float32', float32) ?? []) },
    perChannel: readFlag('perChannel', flags.perChannel, false),
    reduceRange: readFlag('reduceRange', flags.reduceRange, false),
    subgraphs: readFlag('subgraphs', flags.subgraphs, true),
    blockSize: readBlock(blockSize, word === 'bnb4' ? 64 : 32),
    symmetric: readFlag('symmetric', flags.symmetric, true),
    bnb4: readWord('bnb4', /** @type {const} */ (['nf4', 'fp4']), bnb4) ?? 'nf4',
  };
}

/** @type {(value: unknown, byDefault: number) => number} */
function readBlock(value, byDefault) {
  const block = value === undefined ? byDefault : Number(readWhole('blockSize', value));
  return blocks.includes(block) ? block : rangeError(`blockSize must be ${either(blocks)}, got ${show(value)}`);
}

/** Node names and operators that a caller names are there.
 * @type {(float32: ReadonlySet<string>, model: Model) => void} */
export function checkNodeNames(float32, { graph }) {
  const missing = new Set(float32);
  for (const { name, operator } of eachNode(graph)) for (const own of [name, operator]) missing.delete(own);
  for (const name of missing) rangeError(`float32 must name operators or nodes of the model, got ${show(name)}`);
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
