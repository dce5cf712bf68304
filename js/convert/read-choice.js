/** The options of conversions, and how they are read. */
import {
  count,
  flag,
  later,
  names,
  numberFrom,
  rangeError,
  readFlag,
  readNames,
  readTable,
  readText,
  row,
  show,
  typeError,
  word,
  wordFrom,
} from '../arguments/index.js';
import { checkLocation } from '../io/internal.js';
import { eachNode } from './model/walk.js';
import { blockSizes } from './nbits/matmul-nbits.js';

/** @import { Outside } from '../io/types.js' */
/** @import { Model } from './model/types.js' */
/** @import { SaveOptions } from '../weights/types.js' */
/** @import { Choice, ConvertOptions } from './types.js' */

/** transformers.js' names. */
const dtypes = Object.freeze(
  /** @type {const} */ (['fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'q2', 'q2f16', 'bnb4']),
);

/** Reads whether inputs and outputs of the model stay float32, or the names of those that do: true if omitted.
 * @type {(name: string, keepIo: unknown) => boolean | ReadonlySet<string>} */
function readKeepIo(name, keepIo) {
  if (Array.isArray(keepIo)) return new Set(readNames(name, keepIo));
  // Here, because readFlag's message would not speak of names.
  if (typeof keepIo === 'object') typeError(`${name} must be true, false or an array of names, got ${show(keepIo)}`);
  return readFlag(name, keepIo, true);
}

const choiceTable = {
  dtype: wordFrom(dtypes),
  keepIo: readKeepIo,
  float32: names([]),
  perChannel: flag(false),
  reduceRange: flag(false),
  subgraphs: flag(true),
  blockSize: numberFrom(blockSizes, undefined),
  symmetric: flag(true),
  bnb4: word(['nf4', 'fp4'], 'nf4'),
};

/** Where the data lie that the model lacks. */
export const bytesTable = { external: later };

/** Where the new data go. */
export const externalName = row((name, value) => checkLocation(name, 'model', readText(name, value)), undefined);
const outsideTable = { externalName, externalBytes: count(undefined) };

/** Files in the making read these options themselves. */
export const savingTable = { onProgress: later, signal: later };

/** In browsers files of data are handed over whole, which engines limit to 2 GB. */
const defaultExternalBytes = 2e9;

/** Reads the options of a conversion. `outside`: where data beside the model go, undefined if they stay in it;
 * `values`: all options.
 * @template Opener
 * @param {(ConvertOptions & { external?: Opener }) | undefined} options
 * @param {object} [more] rows of other options
 * @returns {{ choice: Choice, outside: Outside | undefined, values: { external?: Opener } & SaveOptions }} */
export function readChoice(options, more = {}) {
  const values = readTable(options, { ...choiceTable, ...bytesTable, ...outsideTable, ...more });
  const { float32, externalName: location, externalBytes } = values;
  if (location === undefined && externalBytes !== undefined)
    rangeError(`externalBytes must come with externalName, got ${show(externalBytes)}`);
  // The defaults of onnxruntime's quantizers.
  const defaultBlock = values.dtype === 'bnb4' ? 64 : 32;
  const blockSize = values.blockSize ?? defaultBlock;
  const maxBytes = externalBytes ?? defaultExternalBytes;
  const outside = location === undefined ? undefined : { location, maxBytes, files: [] };
  return { choice: { ...values, float32: new Set(float32), blockSize }, outside, values };
}

/** Whether the caller's option `float32` names a node or its operator. An empty name in the option means no node.
 * @type {(float32: ReadonlySet<string>, node: { operator: string, name: string }) => boolean} */
export const isNamedIn = (float32, { operator, name }) => float32.has(operator) || (name !== '' && float32.has(name));

/** Refuses names in `float32` that neither a node nor an operator of the model has.
 * @type {(float32: ReadonlySet<string>, model: Model) => void} */
export function checkNodeNames(float32, { graph }) {
  const missing = new Set(float32);
  for (const { name, operator } of eachNode(graph)) {
    missing.delete(name);
    missing.delete(operator);
  }
  for (const name of missing) rangeError(`float32 must name operators or nodes of the model, got ${show(name)}`);
}
