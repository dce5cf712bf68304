/** A caller's tensor, read and checked. */
import {
  isList,
  lengthOf,
  rangeError,
  readList,
  show,
  showClass,
  showList,
  typedArrayName,
  typeError,
  unknownName,
} from '../arguments/index.js';
import { dataLength, exactDataLength } from './data.js';
import { dtypeOf, dtypes, typeNames } from './dtypes.js';

/** @import { DType, TypeName } from './dtypes.js' */

/**
 * Anything of this shape is a tensor: ours, onnxruntime's, a plain object.
 * @typedef {{
 *   readonly type: TypeName | 'float' | 'double',
 *   readonly dims: readonly number[],
 *   readonly data: ArrayBufferView | readonly string[],
 * }} TensorLike
 */

/**
 * A tensor as it was read. Its data may have another length than its dims ask for, until {@link checkLength} or
 * {@link checkData} has been called.
 * @typedef {object} CheckedTensor
 * @property {DType} dtype
 * @property {number[]} dims
 * @property {number} size in elements
 * @property {any} data of the dtype's class
 */

/** The greatest rank, as in NumPy. */
export const rankLimit = 64;

/**
 * Reads a tensor's type.
 * @param {unknown} type
 * @returns {DType}
 * @throws {TypeError} not a dtype's name
 */
export function readType(type) {
  return dtypeOf(type) ?? noType(type);
}

/**
 * @param {unknown} type
 * @returns {never}
 */
function noType(type) {
  if (typeof type === 'string') unknownName('type', type, typeNames);
  return typeError(`type must be one of the ${Object.keys(dtypes).length} of ONNX, got ${show(type)}`);
}

/**
 * Reads an object that stands for a tensor.
 * @param {string} argument the tensor's name in messages
 * @param {any} value
 * @param {(dtype: DType) => void} [checkType] is called once the type is known: where more is wrong, the dtype is
 *   reported first
 * @returns {CheckedTensor}
 * @throws {TypeError} no tensor, an unknown type, another class of data, dims that are not a list of numbers
 * @throws {RangeError} dims that are negative, too many, or too large
 */
export function readTensor(argument, value, checkType) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    typeError(`${argument} must be a tensor { type, dims, data }, got ${showClass(value)}`);
  }
  const { type, dims, data } = value;
  const dtype = readType(type);
  checkType?.(dtype);
  checkClass(dtype, data);
  return partsOf(dtype, data, readDims(dims));
}

/**
 * Reads a tensor and checks its data.
 * @param {string} argument
 * @param {unknown} value
 * @param {(dtype: DType) => void} [checkType]
 * @returns {CheckedTensor}
 */
export function readWholeTensor(argument, value, checkType) {
  const parts = readTensor(argument, value, checkType);
  checkData(parts);
  return parts;
}

/**
 * Reads a tensor's properties and checks its data.
 * @param {unknown} type
 * @param {any} data
 * @param {unknown} dims undefined for 1-D over all of data
 * @returns {CheckedTensor} `data` is the caller's, strings too
 */
export function readProperties(type, data, dims) {
  const dtype = readType(type);
  checkClass(dtype, data);
  const size = dtype.array === 'Array' ? data.length : Math.floor((data.byteLength * 8) / dtype.bits);
  const parts = partsOf(dtype, data, readDims(dims === undefined ? [size] : dims));
  checkData(parts);
  return parts;
}

/**
 * @param {DType} dtype
 * @param {any} data
 * @param {number[]} dims
 * @returns {CheckedTensor}
 */
function partsOf(dtype, data, dims) {
  const size = sizeOf(dims);
  const parts = { dtype, dims, size, data };
  // Beyond the safe integers products are not exact, and no engine has an array of that length.
  if (!Number.isSafeInteger(size)) checkLength(parts);
  return parts;
}

/**
 * The number of elements of all axes, or of some.
 * @param {readonly number[]} dims
 * @param {number} [from] the first axis
 * @param {number} [to] the one after the last
 * @returns {number} 1 for a scalar
 */
export function sizeOf(dims, from = 0, to = dims.length) {
  let size = 1;
  for (let i = from; i < to; i++) size *= dims[i];
  // Infinity times 0 is NaN: an extent of 0 beside enormous ones.
  return size !== size ? 0 : size;
}

/**
 * Copies dims.
 * @param {unknown} dims
 * @returns {number[]}
 * @throws {TypeError} not a list of numbers
 * @throws {RangeError} negative, fractional or too large, or more than {@link rankLimit}
 */
export function readDims(dims) {
  if (!isList(dims)) typeError(`dims must be an array, got ${showClass(dims)}`);
  const copy = readList('dims', dims);
  for (let i = 0; i < copy.length; i++) {
    if (typeof copy[i] !== 'number' || copy[i] < 0) {
      rangeError(`dims must hold whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}, got ${showList(copy)}`);
    }
  }
  if (copy.length > rankLimit) rangeError(`dims must have at most ${rankLimit} entries, got ${copy.length}`);
  return /** @type {number[]} */ (copy);
}

/**
 * @param {DType} dtype
 * @param {unknown} data
 */
function checkClass(dtype, data) {
  const given = Array.isArray(data) ? 'Array' : typedArrayName(data);
  if (given === undefined || (given !== dtype.array && given !== dtype.also)) wrongClass(dtype, data);
}

/**
 * @param {DType} dtype
 * @param {unknown} data
 * @returns {never}
 */
function wrongClass({ name, array, also }, data) {
  const article = /^[AEIOU](?!int)/.test(array) ? 'an' : 'a';
  const classes = also ? `${array} or ${also}` : array;
  return typeError(`${name} data must be ${article} ${classes}, got ${showClass(data)}`);
}

/**
 * Checks the length of a tensor's data against its dims.
 * @param {CheckedTensor} parts
 * @throws {RangeError}
 */
export function checkLength(parts) {
  const { dtype, size, data } = parts;
  const length = dtype.array === 'Array' ? data.length : lengthOf(data);
  if (length !== dataLength(dtype, size)) wrongLength(parts);
}

/**
 * @param {CheckedTensor} parts
 * @returns {never}
 */
function wrongLength({ dtype, dims, size, data }) {
  const exact = Number.isSafeInteger(size) ? dataLength(dtype, size) : exactDataLength(dtype, dims);
  const unit = dtype.array === 'Uint8Array' ? 'bytes' : 'entries';
  return rangeError(`${dtype.name} data of dims ${showList(dims)} has ${exact} ${unit}, got ${data.length}`);
}

/**
 * Checks a tensor's data against its dims, and the entries of strings.
 * @param {CheckedTensor} parts
 * @returns {any} the data
 * @throws {TypeError} an entry that is not a string
 * @throws {RangeError} another length than the dims ask for
 */
export function checkData(parts) {
  checkLength(parts);
  if (parts.dtype.array === 'Array') checkStrings(parts);
  return parts.data;
}

/** @type {(parts: CheckedTensor) => void} */
function checkStrings({ size, data }) {
  for (let i = 0; i < size; i++)
    if (typeof data[i] !== 'string') typeError(`string data must hold strings, got ${show(data[i])} at ${i}`);
}
