/** Inputs that are indices: numbers, lists or tensors of any rank, and the rows of a tensor that they name. */
import { isList, rangeError, readList, readWhole, show, typedArrayName, typeError } from '../arguments/index.js';
import { copyRows } from '../engine/index.js';
import {
  checkData,
  checkOut,
  checkLength,
  dtypes,
  newData,
  readOut,
  readTensor,
  sizeOf,
  tensorOf,
} from '../tensor/index.js';
import { resultData } from './copy.js';
import { checkSize } from './extents.js';
import { integerCheck } from './integers.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { Rows } from '../engine/index.js' */
/** @import { CheckedTensor, Tensor, TensorLike, TypeName } from '../tensor/index.js' */

/** @typedef {number | bigint | Integers | TensorLike} IndicesLike a number stands for a scalar, a list for one axis */

/**
 * Indices as they were read. Those of a tensor are not copied yet.
 * @typedef {object} Indices
 * @property {string} argument their name in messages
 * @property {number[]} dims
 * @property {Int64[]} list
 * @property {CheckedTensor | undefined} parts of a tensor, and then the list is empty
 */

/**
 * Reads indices.
 * @param {string} argument
 * @param {any} value
 * @param {readonly TypeName[]} types of a tensor
 * @returns {Indices}
 */
export function readIndices(argument, value, types) {
  if (isList(value)) {
    const list = readList(argument, value);
    return { argument, dims: [list.length], list, parts: undefined };
  }
  if (typeof value === 'number' || typeof value === 'bigint')
    return { argument, dims: [], list: [readWhole(argument, value)], parts: undefined };
  if (typeof value !== 'object' || value === null || typedArrayName(value)) {
    const article = /^[aeiou]/.test(types[0]) ? 'an' : 'a';
    const tensor = `${article} ${types.join(' or ')} tensor`;
    typeError(`${argument} must be a number, a list of whole numbers or ${tensor}, got ${show(value)}`);
  }
  const parts = readTensor(argument, value, integerCheck(argument, types));
  return { argument, dims: parts.dims, list: [], parts };
}

/** What stands for an int64 that no axis has; an extent of 2^31 or more asks for float64. */
const beyond = -(2 ** 31);

/**
 * The numbers of indices as a list of our own. In place of one that is no int32, or no safe integer, stands another
 * that is out of range, too.
 * @param {Indices} indices
 * @param {number} limit the greatest number that the list must hold
 * @returns {Int32Array | Float64Array}
 */
function numbersOf({ list, parts }, limit) {
  if (parts) checkLength(parts);
  const isWide = limit >= 2 ** 31;
  const size = parts ? parts.size : list.length;
  const numbers = newData(isWide ? dtypes.float64 : dtypes.int32, size, undefined);
  if (!parts)
    list.forEach((entry, i) => {
      numbers[i] = isWide || Number(entry) === (Number(entry) | 0) ? Number(entry) : beyond;
    });
  else if (parts.dtype.name === 'int32') {
    if (size > 0) numbers.set(parts.data);
  } else if (size > 0) readHalves(new Int32Array(parts.data.buffer, parts.data.byteOffset, 2 * size), numbers);
  return numbers;
}

/**
 * Reads int64 by halves, because a bigint for each takes ten times as long.
 * @param {Int32Array} halves
 * @param {Int32Array | Float64Array} numbers
 */
function readHalves(halves, numbers) {
  const isWide = typedArrayName(numbers) === 'Float64Array';
  for (let i = 0; i < numbers.length; i++) {
    const low = halves[2 * i];
    const high = halves[2 * i + 1];
    if (isWide) numbers[i] = high * 2 ** 32 + (low >>> 0);
    else numbers[i] = high === low >> 31 ? low : beyond;
  }
}

/**
 * Counts an index from the front.
 * @type {(given: number, extent: number) => number}
 * @returns negative where the index is not in [-extent, extent - 1]
 */
export const fromFront = (given, extent) => (given < 0 ? given + extent : given < extent ? given : -1);

/** @typedef {(at: number, lowest: number, highest: number) => never} Refuse refuses one of the indices */
/** @typedef {(numbers: Int32Array | Float64Array, refuse: Refuse) => Rows} RowsOf may write to the numbers */

/**
 * Makes the tensor whose rows are rows of another, as indices choose them. All indices are checked before anything is
 * written.
 * @param {string} name of the other tensor
 * @param {CheckedTensor} parts of the other tensor
 * @param {Indices} indices
 * @param {number[]} dims of the result
 * @param {number} limit the greatest extent, or number of rows, that is counted
 * @param {RowsOf} rowsOf
 * @param {unknown} target the option `out`
 * @returns {Tensor}
 */
export function indexedTensor(name, parts, indices, dims, limit, rowsOf, target) {
  const { dtype } = parts;
  checkSize(dims);
  const out = target === undefined ? undefined : readOut('out', target, dtype, dims);
  const source = checkData(parts);
  const numbers = numbersOf(indices, limit);
  if (out) {
    checkOut('out', out, name, parts);
    if (indices.parts) checkOut('out', out, indices.argument, indices.parts);
  }
  const rows = rowsOf(numbers, refuseOf(indices));
  const data = resultData(dtype, sizeOf(dims), out, parts.data);
  copyRows(dtype.bits, rows, source, data);
  return tensorOf(dtype, data, dims);
}

/** @type {(indices: Indices) => Refuse} */
const refuseOf = (indices) => (at, lowest, highest) => {
  const exact = show((indices.parts?.data ?? indices.list)[at]);
  return rangeError(`${indices.argument} must be in [${lowest}, ${highest}], got ${exact} at ${at}`);
};

/** @type {(indices: Indices, limit: number, rowsOf: RowsOf) => Rows} the rows that indices name, all of them checked */
export const rowsAt = (indices, limit, rowsOf) => rowsOf(numbersOf(indices, limit), refuseOf(indices));
