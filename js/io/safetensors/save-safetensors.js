/** Safetensors files of any size, written as they are made. */
import { named } from '../../arguments/index.js';
import { FileWriter, readSaveOptions } from '../../weights/index.js';
import { readEntries } from '../maps.js';
import { checkFormat, encodeHeader, readMetadata, sortedPieces } from './safetensors.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { Entry } from '../../weights/index.js' */
/** @import { SaveOptions } from '../../weights/types.js' */
/** @import { MetadataOptions } from '../types.js' */

/**
 * Makes a safetensors file of any size of entries, one piece after another. Tensors of wide elements come first, so
 * that all of them are aligned.
 *
 * Format: huggingface/safetensors.
 * @param {ReadonlyMap<string, Entry | TensorLike> & { metadata?: ReadonlyMap<string, string> }} entries by name
 * @param {MetadataOptions & SaveOptions} [options]
 * @returns {FileWriter} the file's size, and its bytes as an async iterable
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
