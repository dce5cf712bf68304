/** Files of any size, written as they are made. */
import { named, show, typeError } from '../arguments/index.js';
import { readElements, readSaveOptions, FileWriter, Unpacked } from '../weights/index.js';
import { readMap } from './maps.js';
import { checkFormat as checkNpy, descrOf } from './npy.js';
import { encodeHeader as encodeNpyHeader } from './npy-header.js';
import { checkFormat, encodeHeader, readMetadata, sortedPieces } from './safetensors.js';

/** @import { DType, TensorLike } from '../tensor/index.js' */
/** @import { Elements, Entry, SaveOptions } from '../weights/index.js' */

/**
 * Reads a Map of entries and tensors by name.
 * @param {ReadonlyMap<string, unknown>} given
 * @param {(dtype: DType, name: string) => void} [checkType]
 * @returns {Map<string, Elements>}
 */
export function readEntries(given, checkType) {
  const named = Array.from(readMap('entries', given), ([name, value]) => {
    if (typeof name !== 'string') typeError(`names must be strings, got ${show(name)}`);
    const check = (/** @type {DType} */ dtype) => checkType?.(dtype, name);
    return /** @type {const} */ ([name, readElements(`entry ${show(name)}`, value, check)]);
  });
  return new Map(named);
}

/**
 * Makes a safetensors file of any size of entries, one piece after another. Tensors of wide elements come first, so
 * that all of them are aligned.
 *
 * Format: huggingface/safetensors.
 * @param {ReadonlyMap<string, Entry | TensorLike> & { metadata?: ReadonlyMap<string, string> }} entries by name
 * @param {{ metadata?: ReadonlyMap<string, string> } & SaveOptions} [options] `metadata`: that of `entries` if omitted;
 *   `onProgress`: is called with `{ done, total }` in bytes; `signal`: ends the work
 * @returns {FileWriter} the file's size, and its bytes as an async iterable
 * @throws {TypeError} no Map of entries and tensors, a type that the format lacks, metadata that is no Map of strings,
 *   an unknown option
 * @throws {RangeError} a name that the format reserves, packed elements that do not fill whole bytes
 * @throws {Error} before `init()`, when bytes are asked for
 * @example
 * const entries = new Map([['one', new Entry({ type: 'float32', data: Float32Array.of(1), dims: [] })]]);
 * saveSafetensors(entries).byteLength; // 68
 */
export function saveSafetensors(entries, options) {
  return named('saveSafetensors', () => {
    const { metadata = entries?.metadata ?? new Map(), ...rest } = readSaveOptions(options, ['metadata']);
    const read = readEntries(entries, (dtype, name) => checkFormat(name, dtype));
    const pairs = readMetadata(metadata);
    const pieces = sortedPieces(read);
    return new FileWriter('saveSafetensors', [encodeHeader(pieces, pairs), ...pieces.map(({ value }) => value)], rest);
  });
}

/**
 * Makes a .npy file of any size of an entry, one piece after another: version 1.0, little-endian, of C order.
 *
 * Format: NumPy's NEP 1 and `numpy.lib.format`.
 * @param {Entry | TensorLike} entry of any type but string; types that NumPy lacks become `|V1` or `|V2`
 * @param {SaveOptions} [options] `onProgress`: is called with `{ done, total }` in bytes; `signal`: ends the work
 * @returns {FileWriter} the file's size, and its bytes as an async iterable
 * @throws {TypeError} no entry and no tensor, or one of strings; an unknown option
 * @throws {Error} before `init()`, when bytes are asked for
 * @example
 * const entry = new Entry({ type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] });
 * let size = 0;
 * for await (const bytes of saveNpy(entry)) size += bytes.length;
 * size; // 131
 */
export function saveNpy(entry, options) {
  return named('saveNpy', () => {
    const rest = readSaveOptions(options);
    const elements = readElements('entry', entry, (dtype) => checkNpy(dtype));
    const { dtype, dims } = elements;
    const header = encodeNpyHeader(descrOf(dtype), dims);
    return new FileWriter('saveNpy', [header, dtype.bits < 8 ? new Unpacked(elements) : elements], rest);
  });
}
