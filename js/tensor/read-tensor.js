/** A caller's tensor: each property read once and checked. */
import {
  byteLengthOf,
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
 * {@link checkData} has been called: call that when no more code of the caller's can run.
 * @typedef {object} CheckedTensor
 * @property {DType} dtype
 * @property {number[]} dims
 * @property {number} size in elements
 * @property {any} data of the dtype's class
 * @property {unknown} length what an array of strings claims to be its length; undefined for a typed array
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
  return partsOf(dtype, data, stringsIn(data), readDims(dims));
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
  return { ...parts, data: checkData(parts) };
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
  const length = stringsIn(data);
  const size = dtype.array === 'Array' ? length : Math.floor((byteLengthOf(data) * 8) / dtype.bits);
  const parts = partsOf(dtype, data, length, readDims(dims === undefined ? [size] : dims));
  checkData(parts);
  return parts;
}

/**
 * @param {unknown} data
 * @returns {unknown} what an array claims to be its length
 */
const stringsIn = (data) => (Array.isArray(data) ? data.length : undefined);

/**
 * @param {DType} dtype
 * @param {any} data
 * @param {unknown} length
 * @param {number[]} dims
 * @returns {CheckedTensor}
 */
function partsOf(dtype, data, length, dims) {
  const size = sizeOf(dims);
  const parts = { dtype, dims, size, data, length };
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
  const { dtype, size, data, length } = parts;
  const given = dtype.array === 'Array' ? length : lengthOf(data);
  if (given !== dataLength(dtype, size)) wrongRoom(parts, given);
}

/**
 * @param {CheckedTensor} parts
 * @param {unknown} given
 * @returns {never}
 */
function wrongRoom({ dtype, dims, size }, given) {
  const exact = Number.isSafeInteger(size) ? dataLength(dtype, size) : exactDataLength(dtype, dims);
  const unit = dtype.array === 'Uint8Array' ? 'bytes' : 'entries';
  return rangeError(`${dtype.name} data of dims ${showList(dims)} has ${exact} ${unit}, got ${show(given)}`);
}

/**
 * Checks a tensor's data against its dims, and the entries of strings. Nothing else of the caller's is read here.
 * @param {CheckedTensor} parts
 * @returns {any} the data to move: of strings a copy, because the caller's array may have getters
 * @throws {TypeError} an entry that is not a string
 * @throws {RangeError} another length than the dims ask for
 */
export function checkData(parts) {
  checkLength(parts);
  return parts.dtype.array === 'Array' ? checkStrings(parts) : parts.data;
}

/**
 * @param {CheckedTensor} parts
 * @returns {string[]}
 */
function checkStrings({ size, data }) {
  /** @type {string[]} */
  const strings = [];
  for (let i = 0; i < size; i++) {
    const entry = data[i];
    if (typeof entry !== 'string') typeError(`string data must hold strings, got ${show(entry)} at ${i}`);
    strings.push(entry);
  }
  return strings;
}
