/** .npy files of any size. */
import { namedAsync, rangeError, readOptions, showList } from '../../arguments/index.js';
import { dtypes, isPacked, readDims } from '../../tensor/index.js';
import {
  byteLengthOf,
  elementsByLoading,
  entryOf,
  FileSource,
  openSource,
  packed,
  transposed,
} from '../../weights/index.js';
import { checkAsked, fileBytes, numberBytes, readAsked, readDescr } from './npy.js';
import { mostBeforeData, readHeader } from './npy-header.js';
import { bytesOfStrings, readStringDescr, readStrings } from './npy-strings.js';
import { checkBytes } from '../tensor-data.js';

/** @import { Entry, Source } from '../../weights/index.js' */
/** @import { AskedType } from './npy.js' */
/** @import { Strings } from './npy-strings.js' */
/** @import { Header, NpyOptions } from '../types.js' */
/** @import { Elements, SourceLike } from '../../weights/types.js' */

/**
 * Opens a .npy file of any size, of C or Fortran order and of either byte order: reads its header, and nothing else.
 *
 * Format: NumPy's NEP 1 and `numpy.lib.format`, versions 1.0, 2.0 and 3.0.
 * @param {SourceLike} source the file: a Uint8Array, an ArrayBuffer, a Blob or File, Node's FileHandle, or
 *   `{ byteLength, slice(start, end), read?(target, start) }`
 * @param {NpyOptions} [options]
 * @returns {Promise<Entry>}
 * @example
 * const entry = await openNpy(writeNpy({ type: 'int16', data: Int16Array.of(1, 2, 3), dims: [3] }));
 * (await entry.read({ rows: [1, 3] })).data; // Int16Array [2, 3]
 */
export async function openNpy(source, options) {
  return namedAsync('openNpy', async () => {
    const { dtype: asked } = readOptions(options, ['dtype']);
    return openArray(await openSource('source', source), () => asked);
  });
}

/** Makes the Entry of a .npy file, of which it reads the header alone. `askedType`: the caller's option `dtype`.
 * @type {(file: Source, askedType: AskedType) => Promise<Entry>} */
export async function openArray(file, askedType) {
  const beginning = await file.bytes(0, Math.min(mostBeforeData, file.byteLength));
  const { descr, fortran, shape, dataStart } = readHeader(beginning, file.byteLength);
  const strings = readStringDescr(descr);
  const asked = readAsked(askedType(descr));
  if (strings) {
    checkAsked(asked, dtypes.string);
    // The byteLength of strings is 0: it is not known before they are read.
    return entryOf(inArrayOrder(stringElements(file, strings, shape, dataStart, fortran), fortran), 0);
  }
  const dtype = readDescr(descr, asked);
  const stored = isPacked(dtype) ? dtypes.uint8 : dtype;
  // Refuse data that are too short. Bytes behind them are ignored, as NumPy does.
  const bytes = Math.min(file.byteLength - dataStart, byteLengthOf({ dtype: stored, dims: readDims(shape) }));
  checkBytes('data ', stored, shape, bytes);
  const dims = inFileOrder(shape, fortran).map(Number);
  const isSwapped = descr.startsWith('>') && fileBytes(dtype) > 1;
  const swappedBytes = isSwapped ? numberBytes(dtype) : 1;
  const inFile = new FileSource(stored, dims, async () => file, dataStart, swappedBytes);
  const elements = isPacked(dtype) ? packed(inFile, dtype) : inFile;
  return entryOf(inArrayOrder(elements, fortran));
}

/** Gives the dims by which the file's elements are in C order: those of a Fortran array are its shape in reverse.
 * @type {(shape: Header['shape'], fortran: boolean) => Header['shape']} */
const inFileOrder = (shape, fortran) => (fortran ? shape.toReversed() : shape);

/** Gives elements that were read by the dims of the file the axes of the array: transposes those of a Fortran array.
 * @type {(elements: Elements, fortran: boolean) => Elements} */
const inArrayOrder = (elements, fortran) => (fortran ? transposed(elements) : elements);

/** Makes the elements of an array of strings, in the order of the file. They are read all together, when they are first
 * needed. `start`: the byte at which they begin.
 * @type {(file: Source, strings: Strings, shape: Header['shape'], start: number, fortran: boolean) => Elements} */
function stringElements(file, strings, shape, start, fortran) {
  const dims = readDims(inFileOrder(shape, fortran));
  const bytes = bytesOfStrings(strings, dims);
  const left = file.byteLength - start;
  if (left < bytes) rangeError(`data must have ${bytes} bytes for strings ${showList(dims)}, got ${left}`);
  return elementsByLoading(dtypes.string, dims, async ({ signal }) => {
    const data = await file.bytes(start, bytes, signal);
    return readStrings(strings, dims, data).data;
  });
}
