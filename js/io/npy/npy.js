/** NumPy's .npy files: NEP 1 and `numpy.lib.format`, versions 1.0, 2.0 and 3.0. NumPy lacks bfloat16, float8 and packed
 * types: ml_dtypes stores them as void bytes, one for each element, so the reader has to say which type it is. */
import { named, rangeError, readOptions, show, showList, typeError } from '../../arguments/index.js';
import {
  dtypes,
  isPacked,
  newData,
  readDims,
  readType,
  readWholeTensor,
  sizeOf,
  tensorOf,
} from '../../tensor/index.js';
import { wordsOf } from '../../engines/tensors/index.js';
import { swapBytes } from '../../weights/index.js';
import { concat, copyOf, readBytes } from '../bytes.js';
import { packBytes, reorder, unpackBytes } from './c-order.js';
import { encodeHeader, readHeader } from './npy-header.js';
import { bytesOfStrings, encodeStrings, readStringDescr, readStrings } from './npy-strings.js';
import { dataOver, rawBytes, tensorFrom } from '../tensor-data.js';

/** @import { NpyOptions } from '../types.js' */
/** @import { Strings } from './npy-strings.js' */
/** @import { CheckedTensor, DType, Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { TensorData } from '../../tensor/types.js' */

/** @type {(dtype: DType) => number} bytes of an element in a file; packed types take one */
export const fileBytes = ({ bits }) => Math.ceil(bits / 8);

/** @type {Readonly<Record<DType['format']['kind'], string | undefined>>} NumPy's, of types that it has */
const letters = { bool: 'b', int: 'i', float: 'f', complex: 'c', string: undefined };

/** NumPy has the types of ONNX's IR versions up to this one. */
const lastIrOfNumpy = 3;

/** Gives NumPy's letter and bytes of an element, such as `f4` for float32; undefined for strings, whose width differs.
 * Types that NumPy lacks are void elements, such as `V1` for int4.
 * @type {(dtype: DType) => string | undefined} */
function kindOf(dtype) {
  const { ir, format } = dtype;
  const isUnsigned = format.kind === 'int' && !format.signed;
  const ownLetter = isUnsigned ? 'u' : letters[format.kind];
  const isUnknownToNumpy = ir > lastIrOfNumpy;
  const letter = isUnknownToNumpy ? 'V' : ownLetter;
  return letter && `${letter}${fileBytes(dtype)}`;
}

/**
 * Reads a .npy file of C or Fortran order and of either byte order; strings too. Bytes after the array are not read.
 * @param {Uint8Array} bytes the whole file
 * @param {NpyOptions} [options]
 * @returns {Tensor} shares the bytes of a little-endian file of C order where they are aligned
 * @example
 * readNpy(writeNpy({ type: 'int16', data: Int16Array.of(1, 2), dims: [2] })).toString(); // '[1 2]'
 */
export function readNpy(bytes, options) {
  return named('readNpy', () => {
    const { dtype: asked } = readOptions(options, ['dtype']);
    return readArray(readBytes(bytes), () => asked);
  });
}

/** @typedef {(descr: string) => unknown} AskedType the caller's option `dtype` for a file with this descr, not checked
 *   yet; undefined if there is none */

/** Reads a .npy file. Bytes behind its data are ignored, as NumPy does.
 * @type {(file: Uint8Array, askedType: AskedType) => Tensor} */
export function readArray(file, askedType) {
  const { descr, fortran, shape, dataStart } = readHeader(file);
  const dims = readDims(shape);
  const isReordered = fortran && dims.length > 1;
  const strings = readStringDescr(descr);
  const asked = readAsked(askedType(descr));
  if (strings) {
    checkAsked(asked, dtypes.string);
    const tensor = stringsFrom(strings, dims, file.subarray(dataStart));
    return isReordered ? tensorOf(dtypes.string, inCOrder(dtypes.string, tensor.data, dims), dims) : tensor;
  }
  const dtype = readDescr(descr, asked);
  const dataBytes = sizeOf(dims) * fileBytes(dtype);
  const inFile = file.subarray(dataStart, dataStart + dataBytes);
  const isBigEndian = descr.startsWith('>');
  const data = isBigEndian ? swapByteOrder(inFile, dtype) : inFile;
  const stored = isPacked(dtype) ? dtypes.uint8 : dtype;
  const tensor = tensorFrom(stored, dims, dataOver(stored, data));
  const elements = isReordered ? inCOrder(stored, tensor.data, dims) : tensor.data;
  if (isPacked(dtype)) return tensorOf(dtype, packBytes(dtype, elements), dims);
  return isReordered ? tensorOf(dtype, elements, dims) : tensor;
}

/** Copies data from Fortran order to C order. Elements are copied as unsigned words of 1, 2 or 4 bytes, several to a
 * wider element, so that any bits survive; strings one by one.
 * @type {(dtype: DType, data: TensorData, dims: readonly number[]) => TensorData} */
function inCOrder(dtype, data, dims) {
  const result = newData(dtype, sizeOf(dims), data);
  const entriesPerString = 1;
  if (Array.isArray(data)) reorder(data, result, dims, entriesPerString);
  else {
    const wordBytes = /** @type {1 | 2 | 4} */ (Math.min(fileBytes(dtype), 4));
    const wordsPerElement = fileBytes(dtype) / wordBytes;
    reorder(wordsOf(wordBytes, data), wordsOf(wordBytes, result), dims, wordsPerElement);
  }
  return result;
}

/** Decodes the strings of an array, in the order of the file. Refuses too few bytes.
 * @type {(strings: Strings, dims: readonly number[], data: Uint8Array) => Tensor} */
function stringsFrom(strings, dims, data) {
  const bytes = bytesOfStrings(strings, dims);
  if (data.length < bytes)
    rangeError(`data must have ${bytes} bytes for strings ${showList(dims)}, got ${data.length}`);
  return readStrings(strings, dims, data.subarray(0, bytes));
}

/** Reads the type that a caller states for a file; undefined if it states none.
 * @type {(type: unknown) => DType | undefined} */
export const readAsked = (type) => (type === undefined ? undefined : readType(type));

/** Refuses another type from the caller than the file itself states.
 * @type {(asked: DType | undefined, known: DType) => void} */
export function checkAsked(asked, known) {
  if (asked && asked !== known) typeError(`dtype must be ${known.name}, as in the file, got ${asked.name}`);
}

/** Finds the dtype that a descr such as `<f4` means. Void elements (V1, V2) may be of several types, so the caller has
 * to ask for one (`asked`); elsewhere `asked` must be the file's own, or undefined.
 * @type {(descr: string, asked: DType | undefined) => DType} */
export function readDescr(descr, asked) {
  // Drop the byte order. No order, = and | mean the machine's, which is little-endian.
  const [, kind] = /^[<>|=]?(.*)$/s.exec(descr) ?? [];
  if (/^V[12]$/.test(kind)) {
    if (!asked) typeError(`dtype must say what ${descr} elements are, got undefined`);
    if (kindOf(asked) !== kind) typeError(`dtype must be one that NumPy stores as ${descr}, got ${asked.name}`);
    return asked;
  }
  const known = Object.values(dtypes).find((dtype) => kind !== undefined && kindOf(dtype) === kind);
  if (!known) rangeError(`descr must be of a type that ONNX has, got ${show(descr)}`);
  checkAsked(asked, known);
  return known;
}

/** Bytes of a number that is swapped between byte orders: an element, or one of the two parts of a complex element.
 * @type {(dtype: DType) => number} */
export const numberBytes = (dtype) => fileBytes(dtype) / (dtype.format.kind === 'complex' ? 2 : 1);

/** Copies data with the bytes of each number in the opposite order.
 * @type {(data: Uint8Array, dtype: DType) => Uint8Array} */
function swapByteOrder(data, dtype) {
  const copy = copyOf(data);
  swapBytes(copy, numberBytes(dtype));
  return copy;
}

/**
 * Writes a .npy file of version 1.0, little-endian, of C order.
 * @param {TensorLike} tensor of any type; those that NumPy lacks become `|V1` or `|V2`, strings `<U` and the length of
 *   the longest
 * @returns {Uint8Array} the whole file
 * @example
 * writeNpy({ type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] }).length; // 131
 */
export function writeNpy(tensor) {
  return named('writeNpy', () => {
    return concat(encodeArray(readWholeTensor('tensor', tensor)));
  });
}

/** Encodes a tensor as the header and the data of a .npy file.
 * @type {(tensor: CheckedTensor) => [header: Uint8Array, data: Uint8Array]} */
export function encodeArray(tensor) {
  const { dtype, dims, size } = tensor;
  if (dtype === dtypes.string) {
    const { descr, data } = encodeStrings(tensor.data);
    return [encodeHeader(descr, dims), data];
  }
  const raw = rawBytes(tensor);
  const elements = isPacked(dtype) ? unpackBytes(dtype, raw, size) : raw;
  return [encodeHeader(descrOf(dtype), dims), elements];
}

/** Refuses strings: a descr of strings has the width of the longest, which is known only when all have been read, and
 * a file of any size is written before that.
 * @type {(dtype: DType) => void} */
export function checkFormat(dtype) {
  const isString = kindOf(dtype) === undefined;
  if (isString) typeError(`type must not be ${dtype.name}, got ${dtype.name}`);
}

/** Gives NumPy's descr of a type, such as `<f4`: little-endian, and `|` where bytes have no order.
 * @type {(dtype: DType) => string} */
export function descrOf(dtype) {
  const hasOrder = dtype.ir <= lastIrOfNumpy && fileBytes(dtype) > 1;
  return `${hasOrder ? '<' : '|'}${kindOf(dtype)}`;
}
