/** Tensors: what counts as one, what its data must be, and the class that results have. */
import {
  arrayClasses,
  byteLengthOf,
  bytesOf,
  isList,
  lengthOf,
  readList,
  show,
  showClass,
  showList,
  typedArrayName,
  unknownName,
  wrongKind,
  wrongValue,
} from '../arguments/index.js';
import { decodeValues, encodeValues } from './codec.js';
import { dataLength, dtypeOf, dtypes, typeNames } from './dtypes.js';
import { format } from './print.js';

/** @import { Value } from './codec.js' */
/** @import { DType, TypeName } from './dtypes.js' */

/**
 * The classes of `data`. Each type has one: see the README's table of types.
 * @typedef {Float32Array | Float64Array | Uint8Array | Uint8ClampedArray | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | BigInt64Array | BigUint64Array} NumericData
 */
/**
 * Anything of this shape is a tensor: ours, onnxruntime's, a plain object.
 * @typedef {{ readonly type: TypeName | 'float' | 'double', readonly dims: readonly number[], readonly data: ArrayBufferView | readonly string[] }} TensorLike
 */

/** The greatest rank; NumPy's too. */
export const rankLimit = 64;

/**
 * A caller's tensor, each property read once. Whether the data has the length that the dims ask for is
 * {@link checkData}'s question, to be asked when no more code of the caller's can run.
 * @typedef {object} Parts
 * @property {DType} dtype
 * @property {number[]} dims
 * @property {number} size in elements
 * @property {any} data of the dtype's class
 * @property {unknown} length what an array of strings says of itself; undefined for memory, which is asked last
 */

/**
 * Reads a tensor's type.
 * @param {string} prefix
 * @param {unknown} type
 * @returns {DType}
 */
export function readType(prefix, type) {
  return dtypeOf(type) ?? noType(prefix, type);
}

/** @type {(prefix: string, type: unknown) => never} */
function noType(prefix, type) {
  if (typeof type === 'string') unknownName(prefix, 'type', type, typeNames);
  return wrongKind(prefix, `type must be one of the ${Object.keys(dtypes).length} of ONNX, got ${show(type)}`);
}

/**
 * Reads what stands for a tensor.
 * @param {string} prefix of messages
 * @param {string} argument the tensor's name in messages
 * @param {any} value
 * @param {(dtype: DType) => void} [checkType] is asked as soon as the type is known, so that the dtype is reported first
 * @returns {Parts}
 */
export function readTensor(prefix, argument, value, checkType) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    wrongKind(prefix, `${argument} must be a tensor { type, dims, data }, got ${showClass(value)}`);
  }
  const { type, dims, data } = value;
  const dtype = readType(prefix, type);
  checkType?.(dtype);
  checkClass(prefix, dtype, data);
  return partsOf(prefix, dtype, data, stringsIn(data), readDims(prefix, dims));
}

/** @type {(data: unknown) => unknown} */
const stringsIn = (data) => (Array.isArray(data) ? data.length : undefined);

/** @type {(prefix: string, dtype: DType, data: any, length: unknown, dims: number[]) => Parts} */
function partsOf(prefix, dtype, data, length, dims) {
  const size = sizeOf(dims);
  // Beyond this, products are no longer exact, and no engine has such an array.
  const parts = { dtype, dims, size, data, length };
  if (!Number.isSafeInteger(size)) checkRoom(prefix, parts);
  return parts;
}

/** The number of elements, 1 for a scalar. @param {readonly number[]} dims */
export function sizeOf(dims) {
  let size = 1;
  for (let i = 0; i < dims.length; i++) size *= dims[i];
  // Infinity times 0 is NaN: a zero extent beside enormous ones.
  return size !== size ? 0 : size;
}

/** @type {(prefix: string, dims: unknown) => number[]} */
function readDims(prefix, dims) {
  if (!isList(dims)) wrongKind(prefix, `dims must be an array, got ${showClass(dims)}`);
  const copy = readList(prefix, 'dims', dims);
  for (let i = 0; i < copy.length; i++) {
    if (typeof copy[i] !== 'number' || copy[i] < 0) {
      wrongValue(prefix, `dims must hold whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}, got ${showList(copy)}`);
    }
  }
  if (copy.length > rankLimit) wrongValue(prefix, `dims must have at most ${rankLimit} entries, got ${copy.length}`);
  return /** @type {number[]} */ (copy);
}

/** @type {(prefix: string, dtype: DType, data: unknown) => void} */
function checkClass(prefix, dtype, data) {
  const given = Array.isArray(data) ? 'Array' : typedArrayName(data);
  if (given === undefined || (given !== dtype.array && given !== dtype.also)) wrongClass(prefix, dtype, data);
}

/** @type {(prefix: string, dtype: DType, data: unknown) => never} */
function wrongClass(prefix, { name, array, also }, data) {
  const article = /^[AEIOU](?!int)/.test(array) ? 'an' : 'a';
  return wrongKind(
    prefix,
    `${name} data must be ${article} ${array}${also ? ` or ${also}` : ''}, got ${showClass(data)}`,
  );
}

/** @type {(dtype: DType, dims: number[]) => bigint} */
function exactLength(dtype, dims) {
  // Eight elements always fill whole entries.
  const perEight = BigInt(dataLength(dtype, 8));
  return (dims.reduce((product, extent) => product * BigInt(extent), 1n) * perEight + 7n) / 8n;
}

/**
 * Checks the length of a tensor's data against its dims.
 * @param {string} prefix
 * @param {Parts} parts
 */
export function checkRoom(prefix, parts) {
  const { dtype, size, data, length } = parts;
  const given = dtype.array === 'Array' ? length : lengthOf(data);
  if (given !== dataLength(dtype, size)) wrongRoom(prefix, parts, given);
}

/** @type {(prefix: string, parts: Parts, given: unknown) => never} */
function wrongRoom(prefix, { dtype, dims, size }, given) {
  const exact = Number.isSafeInteger(size) ? dataLength(dtype, size) : exactLength(dtype, dims);
  const unit = dtype.array === 'Uint8Array' ? 'bytes' : 'entries';
  return wrongValue(prefix, `${dtype.name} data of dims ${showList(dims)} has ${exact} ${unit}, got ${show(given)}`);
}

/**
 * Checks a tensor's data against its dims and, for strings, its entries, the only thing of the caller's that is read here.
 * @param {string} prefix
 * @param {Parts} parts
 * @returns {any} the data to move: strings are a copy, because the caller's array may have getters
 */
export function checkData(prefix, parts) {
  checkRoom(prefix, parts);
  return parts.dtype.array === 'Array' ? checkStrings(prefix, parts) : parts.data;
}

/** @type {(prefix: string, parts: Parts) => string[]} */
function checkStrings(prefix, { size, data }) {
  /** @type {string[]} */
  const strings = [];
  for (let i = 0; i < size; i++) {
    const entry = data[i];
    if (typeof entry !== 'string') wrongKind(prefix, `string data must hold strings, got ${show(entry)} at ${i}`);
    strings.push(entry);
  }
  return strings;
}

/** A tensor, complete and checked. @type {(prefix: string, argument: string, value: unknown, checkType?: (dtype: DType) => void) => Parts} */
export function readWholeTensor(prefix, argument, value, checkType) {
  const parts = readTensor(prefix, argument, value, checkType);
  return { ...parts, data: checkData(prefix, parts) };
}

/**
 * A fresh data array for `size` elements, of the class that the input's data has. The class of clamped bytes holds the same
 * type as plain ones, which results have.
 * @param {string} prefix
 * @param {DType} dtype
 * @param {number} size in elements
 * @param {any} like the input's data
 * @returns {any}
 * @throws {RangeError} out of memory
 */
export function newData(prefix, dtype, size, like) {
  const name = typedArrayName(like) === 'Float16Array' ? 'Float16Array' : dtype.array;
  const length = dataLength(dtype, size);
  try {
    return new arrayClasses[name](length);
  } catch {
    wrongValue(prefix, `result must fit in memory, got ${length} entries of ${name}`);
  }
}

/**
 * A tensor over checked parts. `data` is kept as it is, but for Uint8ClampedArray: ONNX's uint8 wraps.
 * @param {DType} dtype
 * @param {any} data
 * @param {number[]} dims is kept
 * @returns {Tensor}
 */
export function tensorOf(dtype, data, dims) {
  const tensor = Object.create(Tensor.prototype);
  tensor.type = dtype.name;
  tensor.dims = dims;
  tensor.data = typedArrayName(data) === 'Uint8ClampedArray' ? bytesOf(data) : data;
  return tensor;
}

/**
 * A tensor: a type, the extents of its axes, and the elements in row-major order. Its constructor is that of onnxruntime's `Tensor`.
 *
 * Packed types hold their elements over the flat stream, the first in the low bits: `ceil(n / 2)` bytes for 4 bits, `ceil(n / 4)`
 * for 2. Complex types hold re and im in turn.
 */
export class Tensor {
  /**
   * @param {TypeName | 'float' | 'double'} type
   * @param {ArrayBufferView | readonly string[]} data of the type's own class; it is shared, not copied
   * @param {readonly number[]} [dims] 1-D over all of data if omitted
   * @throws {TypeError} an unknown type, another class of data, a non-number in dims
   * @throws {RangeError} a negative or fractional extent; data of another length than dims ask for
   * @example
   * const tensor = new Tensor('int4', Uint8Array.of(0x21, 0x03), [3]);
   * tensor.toString(); // '[1 2 3]'
   */
  constructor(type, data, dims) {
    const dtype = readType('Tensor', type);
    checkClass('Tensor', dtype, data);
    const length = stringsIn(data);
    const whole =
      dtype.array === 'Array'
        ? length
        : Math.floor((byteLengthOf(/** @type {ArrayBufferView} */ (data)) * 8) / dtype.bits);
    const extents = readDims('Tensor', dims === undefined ? [whole] : dims);
    checkData('Tensor', partsOf('Tensor', dtype, data, length, extents));
    const { data: kept } = tensorOf(dtype, data, extents);
    /** onnxruntime's name of the element type. @readonly @type {TypeName} */
    this.type = dtype.name;
    /** The extents, outermost axis first. @readonly @type {readonly number[]} */
    this.dims = extents;
    /** The elements, in the type's own class of array. @readonly @type {any} */
    this.data = kept;
  }

  /**
   * A tensor of given values, encoded as ONNX's Cast encodes float64: floats are rounded once, to nearest even.
   * @param {TypeName | 'float' | 'double'} type
   * @param {ArrayLike<number | bigint | boolean | string | readonly [number, number]>} values in row-major order; complex ones are pairs [re, im]
   * @param {readonly number[]} [dims] 1-D if omitted
   * @returns {Tensor}
   * @throws {TypeError} a value of the wrong kind
   * @throws {RangeError} a value outside an integer type's range; as many values as dims do not ask for
   * @example
   * Tensor.from('float8e4m3fn', [1, 448, 1e6]).toArray(); // [1, 448, 448]
   */
  static from(type, values, dims) {
    const dtype = readType('Tensor', type);
    if (typeof values !== 'object' || values === null)
      wrongKind('Tensor', `values must be an array, got ${show(values)}`);
    const { length } = values;
    if (!Number.isSafeInteger(length) || length < 0)
      wrongKind('Tensor', `values must be an array, got ${showClass(values)} of length ${show(length)}`);
    const extents = dims === undefined ? [length] : readDims('Tensor', dims);
    if (sizeOf(extents) !== length)
      wrongValue('Tensor', `dims ${showList(extents)} have ${sizeOf(extents)} elements, got ${length}`);
    const data = newData('Tensor', dtype, length, undefined);
    encodeValues(dtype, values, data, length);
    return tensorOf(dtype, data, extents);
  }

  /** The number of elements. @returns {number} */
  get size() {
    return sizeOf(this.dims);
  }

  /**
   * The values in row-major order, decoded: numbers, bigints for int64 and uint64, 0 and 1 for bool, pairs [re, im] for complex.
   * @returns {Value[]}
   * @throws {RangeError} data that was detached or shrunk since
   */
  toArray() {
    const { dtype, data, size } = readWholeTensor('Tensor', 'tensor', this);
    return decodeValues(dtype, data, size);
  }

  /**
   * What NumPy's `str()` gives: decoded values, summarised beyond 1000.
   * @returns {string}
   * @throws {RangeError} data that was detached or shrunk since
   */
  toString() {
    const { dtype, data, dims } = readWholeTensor('Tensor', 'tensor', this);
    return format(dtype, data, dims);
  }

  /** What Node's console shows. @returns {string} */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Tensor ${this.type} ${showList(this.dims)}\n${this}`;
  }
}

// Engines throw compiled code away with the last object of the kind that it makes. Without a tensor that stays, a program that drops its results runs
// `transpose` uncompiled for some 10 ms after each full collection.
Object.defineProperty(Tensor, Symbol('kept'), { value: tensorOf(dtypes.uint8, new Uint8Array(0), [0]) });
