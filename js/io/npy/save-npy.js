/** .npy files of any size, written as they are made. */
import { named } from '../../arguments/index.js';
import { isPacked } from '../../tensor/index.js';
import { FileWriter, readElements, readSaveOptions, unpacked } from '../../weights/index.js';
import { checkFormat, descrOf } from './npy.js';
import { encodeHeader } from './npy-header.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { Entry } from '../../weights/index.js' */
/** @import { SaveOptions } from '../../weights/types.js' */

/**
 * Makes a .npy file of any size of an entry, one piece after another: version 1.0, little-endian, of C order.
 *
 * Format: NumPy's NEP 1 and `numpy.lib.format`.
 * @param {Entry | TensorLike} entry of any type but string, whose width the whole tensor decides; types that NumPy
 *   lacks become `|V1` or `|V2`
 * @param {SaveOptions} [options] `onProgress`: is called with `{ done, total }` in bytes; `signal`: ends the work
 * @returns {FileWriter} the file's size, and its bytes as an async iterable
 * @example
 * const entry = new Entry({ type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] });
 * let size = 0;
 * for await (const bytes of saveNpy(entry)) size += bytes.length;
 * size; // 131
 */
export function saveNpy(entry, options) {
  return named('saveNpy', () => {
    const rest = readSaveOptions(options);
    const elements = readElements('entry', entry, (dtype) => checkFormat(dtype));
    const { dtype, dims } = elements;
    const header = encodeHeader(descrOf(dtype), dims);
    return new FileWriter('saveNpy', [header, isPacked(dtype) ? unpacked(elements) : elements], rest);
  });
}
