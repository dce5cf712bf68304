/** A caller's tensor, read and checked, and the array that holds its elements. */
import * as args from '../arguments/index.js';
import { dtypeOf, dtypes, typeNames } from './dtypes.js';

/** @import { DType, TypeName } from './dtypes.js' */
/** @import { TensorData } from './types.js' */

/**
 * Anything of this shape is a tensor: ours, onnxruntime's, a plain object.
 * @template {TypeName} [Type=TypeName]
 * @typedef {{
 *   readonly type: Type | 'float' | 'double',
 *   readonly dims: readonly number[],
 *   readonly data: ArrayBufferView | readonly string[],
 * }} TensorLike
 */

/**
 * A tensor as it was read. Its data may have another length than its dims ask for, until `checkLength` or
 * `checkData` has been called.
 * @typedef {object} CheckedTensor
 * @property {DType} dtype
 * @property {number[]} dims
 * @property {number} size in elements
 * @property {TensorData} data of the dtype's class
 */

/** The greatest rank, as in NumPy. */
export const rankLimit = 64;

/** @type {(type: unknown) => DType} */
export function readType(type) {
  const dtype = typeof type === 'string' ? dtypes[/** @type {TypeName} */ (type)] : undefined;
  return dtype ?? typeByAlias(type);
}

/** Gives the dtype of `float` or `double`, the names of ONNX's text, and refuses all else.
 * @type {(type: unknown) => DType} */
function typeByAlias(type) {
  const dtype = dtypeOf(type);
  if (dtype) return dtype;
  if (typeof type === 'string') args.unknownName('type', type, typeNames);
  return args.typeError(`type must be one of the ${Object.keys(dtypes).length} of ONNX, got ${args.show(type)}`);
}

/** Reads an object that stands for a tensor, but does not compare the length of its data with its dims. `checkType` may
 * refuse the type, before data and dims are read. `argument`: the tensor's name, for messages.
 * @type {(argument: string, value: unknown, checkType?: (dtype: DType) => void) => CheckedTensor} */
export function readTensor(argument, value, checkType) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    args.typeError(`${argument} must be a tensor { type, dims, data }, got ${args.showClass(value)}`);
  }
  const { type, dims, data } = /** @type {{ type?: unknown, dims?: unknown, data?: unknown }} */ (value);
  const dtype = readType(type);
  checkType?.(dtype);
  checkClass(dtype, data);
  return checkedTensor(dtype, data, readDims(dims));
}

/** Reads an object that stands for a tensor, and checks all of its data.
 * @type {(argument: string, value: unknown, checkType?: (dtype: DType) => void) => CheckedTensor} */
export function readWholeTensor(argument, value, checkType) {
  const tensor = readTensor(argument, value, checkType);
  checkData(tensor);
  return tensor;
}

/** Reads the arguments of the Tensor constructor, and checks the data. Without dims the tensor is 1-D, with as many
 * elements as fit into all of the data.
 * @type {(type: unknown, data: TensorData, dims: unknown) => CheckedTensor} */
export function readProperties(type, data, dims) {
  const dtype = readType(type);
  checkClass(dtype, data);
  const capacity = dtype.array === 'Array' ? data.length : Math.floor((data.byteLength * 8) / dtype.bits);
  const tensor = checkedTensor(dtype, data, readDims(dims === undefined ? [capacity] : dims));
  checkData(tensor);
  return tensor;
}

/** Makes the checked tensor of a type, data and dims that were read, and refuses more elements than a number can count.
 * @type {(dtype: DType, data: unknown, dims: number[]) => CheckedTensor} */
function checkedTensor(dtype, data, dims) {
  const size = sizeOf(dims);
  const tensor = { dtype, dims, size, data };
  // No array is as long as such dims ask for: its length is refused.
  if (!Number.isSafeInteger(size)) checkLength(tensor);
  return tensor;
}

/** Multiplies the extents of the axes `from` to before `to`.
 * @type {(dims: readonly number[], from?: number, to?: number) => number} */
export function sizeOf(dims, from = 0, to = dims.length) {
  let size = 1;
  for (let i = from; i < to; i++) size *= dims[i];
  // Infinity times 0 is NaN: an extent of 0 beside enormous ones.
  return Number.isNaN(size) ? 0 : size;
}

/** Copies dims, and refuses all but at most 64 whole numbers from 0 on.
 * @type {(dims: unknown) => number[]} */
export function readDims(dims) {
  if (!args.isList(dims)) args.typeError(`dims must be an array, got ${args.showClass(dims)}`);
  const copy = args.readList('dims', dims);
  for (let i = 0; i < copy.length; i++) {
    // Of a whole number, `readList` gives a bigint only beyond the safe integers.
    if (typeof copy[i] !== 'number' || copy[i] < 0) {
      args.rangeError(`dims must hold whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}, got ${args.showList(copy)}`);
    }
  }
  if (copy.length > rankLimit) args.rangeError(`dims must have at most ${rankLimit} entries, got ${copy.length}`);
  return /** @type {number[]} */ (copy);
}

/** Refuses data that is no array of the dtype's class, or of its second one, such as the Float16Array of float16.
 * @type {(dtype: DType, data: unknown) => void} */
function checkClass(dtype, data) {
  const className = Array.isArray(data) ? 'Array' : args.typedArrayName(data);
  const isSecondClass = className !== undefined && className === dtype.also;
  if (className !== dtype.array && !isSecondClass) refuseClass(dtype, data);
}

/** @type {(dtype: DType, data: unknown) => never} */
function refuseClass({ name, array, also }, data) {
  // `an Int8Array`, but `a Uint8Array`.
  const article = /^[AEIOU](?!int)/.test(array) ? 'an' : 'a';
  const classes = also ? `${array} or ${also}` : array;
  return args.typeError(`${name} data must be ${article} ${classes}, got ${args.showClass(data)}`);
}

/** Refuses data of another length than the dims ask for.
 * @type {(tensor: CheckedTensor) => void} */
export function checkLength(tensor) {
  const { dtype, size, data } = tensor;
  const length = dtype.array === 'Array' ? data.length : args.lengthOf(data);
  if (length !== dataLength(dtype, size)) refuseLength(tensor);
}

/** @type {(tensor: CheckedTensor) => never} */
function refuseLength({ dtype, dims, size, data }) {
  const exact = Number.isSafeInteger(size) ? dataLength(dtype, size) : exactDataLength(dtype, dims);
  const unit = dtype.array === 'Uint8Array' ? 'bytes' : 'entries';
  return args.rangeError(`${dtype.name} data of dims ${args.showList(dims)} has ${exact} ${unit}, got ${data.length}`);
}

/** Refuses data of a wrong length, or string data with entries that are no strings. Returns the data.
 * @type {(tensor: CheckedTensor) => TensorData} */
export function checkData(tensor) {
  checkLength(tensor);
  if (tensor.dtype.array === 'Array') checkStrings(tensor);
  return tensor.data;
}

/** @type {(tensor: CheckedTensor) => void} */
function checkStrings({ size, data }) {
  for (let i = 0; i < size; i++)
    if (typeof data[i] !== 'string') args.typeError(`string data must hold strings, got ${args.show(data[i])} at ${i}`);
}

/** Counts the entries of the data of `size` elements: packed elements share bytes, complex ones take two entries.
 * @type {(dtype: DType, size: number) => number} */
export const dataLength = (dtype, size) =>
  dtype.array === 'Array' ? size : Math.ceil((size * dtype.bits) / dtype.entryBits);

/** Counts the entries of data as {@link dataLength} does, exactly, for dims whose product is no safe integer.
 * @type {(dtype: DType, dims: readonly number[]) => bigint} */
function exactDataLength(dtype, dims) {
  const size = dims.reduce((product, extent) => product * BigInt(extent), 1n);
  // Eight elements of any width fill whole entries.
  const entriesPerEight = BigInt(dataLength(dtype, 8));
  const roundingUp = 7n;
  return (size * entriesPerEight + roundingUp) / 8n;
}

/** Every JavaScript engine can view this many bytes. */
const viewableBytes = 2 ** 31 - 1;

const pointerBits = 64;

/** Makes a data array of `size` elements, all zero, and counts its bytes towards the running call's budget. It has the
 * dtype's class, or is a Float16Array if `like`, the data of an input, is one. Refuses more than fits in memory.
 * @type {(dtype: DType, size: number, like?: unknown) => TensorData} */
export function newData(dtype, size, like) {
  // Of the second classes only Float16Array is kept: clamped bytes would not wrap.
  const isFloat16Array = dtype.also === 'Float16Array' && args.typedArrayName(like) === 'Float16Array';
  const name = isFloat16Array ? 'Float16Array' : dtype.array;
  const length = dataLength(dtype, size);
  // A string takes a pointer at least.
  args.spend((length * (dtype.entryBits || pointerBits)) / 8);
  try {
    const data = new args.arrayClasses[name](length);
    // The wasm engine moves bytes. Node 20 allocates an array of 12 GB, but cannot view more than 8 GiB as bytes.
    if (length * dtype.entryBits > 8 * viewableBytes) new Uint8Array(data.buffer);
    return data;
  } catch {
    args.rangeError(`result must fit in memory, got ${length} entries of ${name}`);
  }
}
