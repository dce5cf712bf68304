/** .npy files of any size. */
import { namedAsync, readOptions } from '../../arguments/index.js';
import { dtypes } from '../../tensor/index.js';
import { entryOf, FileSource, openSource, packed, transposed } from '../../weights/index.js';
import { fileBytes, numberBytes, readDescr } from './npy.js';
import { mostBeforeData, readHeader } from './npy-header.js';
import { checkBytes } from '../tensor-data.js';

/** @import { TypeName } from '../../tensor/index.js' */
/** @import { Entry } from '../../weights/index.js' */
/** @import { SourceLike } from '../../weights/types.js' */

/**
 * Opens a .npy file of any size, of C or Fortran order and of either byte order: reads its header, and nothing else.
 *
 * Format: NumPy's NEP 1 and `numpy.lib.format`, versions 1.0, 2.0 and 3.0.
 * @param {SourceLike} source the file: a Uint8Array, an ArrayBuffer, a Blob or File, Node's FileHandle, or
 *   `{ byteLength, slice(start, end), read?(target, start) }`
 * @param {{ dtype?: TypeName }} [options] `dtype`: what void elements are (`|V1`, `|V2`): bfloat16, a float8 or a
 *   packed type
 * @returns {Promise<Entry>}
 * @example
 * const entry = await openNpy(writeNpy({ type: 'int16', data: Int16Array.of(1, 2, 3), dims: [3] }));
 * (await entry.read({ rows: [1, 3] })).data; // Int16Array [2, 3]
 */
export async function openNpy(source, options) {
  return namedAsync('openNpy', async () => {
    const { dtype: asked } = readOptions(options, ['dtype']);
    const file = await openSource('source', source);
    const beginning = await file.bytes(0, Math.min(mostBeforeData, file.byteLength));
    const { descr, fortran, shape, dataStart } = readHeader(beginning, file.byteLength);
    const dtype = readDescr(descr, asked);
    const isPacked = dtype.bits < 8;
    const stored = isPacked ? dtypes.uint8 : dtype;
    checkBytes('data ', stored, shape, file.byteLength - dataStart);
    const dims = (fortran ? shape.toReversed() : shape).map(Number);
    const swap = descr.startsWith('>') && fileBytes(dtype) > 1 ? numberBytes(dtype) : 1;
    const inFile = new FileSource(stored, dims, async () => file, dataStart, swap);
    const elements = isPacked ? packed(inFile, dtype) : inFile;
    return entryOf(fortran ? transposed(elements) : elements);
  });
}
