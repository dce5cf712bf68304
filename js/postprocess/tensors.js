/** Reads the caller's tensors to arrays of one type, and makes the tensors of results. */
import { rangeError, showClass, showList, typeError } from '../arguments/index.js';
import { gatherRows, widen } from '../engines/results/index.js';
import { checkLength, dtypes, readOut, readWholeTensor, tensorOf } from '../tensor/index.js';

/** @import { CheckedTensor, DType, Tensor } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */

/**
 * Numbers of a tensor.
 * @typedef {{ dims: number[], data: Float32Array, size: number }} Floats
 */

/** @typedef {readonly (number | string)[]} Shape extents that are given as numbers have to be these */

/** Reads a tensor whose data are on the CPU, and refuses others. `checkType`: refuses types, before the data are read.
 * @type {(name: string, value: unknown, checkType: (type: DType) => void) => CheckedTensor} */
export function readCpuTensor(name, value, checkType) {
  const tensor = /** @type {{ type?: unknown, location?: unknown } | null | undefined} */ (value);
  if (typeof tensor === 'object' && tensor !== null && tensor.type === undefined)
    typeError(`${name} must be a tensor { type, dims, data }, got ${showClass(value)}`);
  // onnxruntime's tensors say where their data are; other tensors say nothing.
  const place = tensor?.location;
  if (typeof place === 'string' && !['cpu', 'cpu-pinned', 'none'].includes(place))
    typeError(`${name} must be on the CPU, got '${place}': await its getData()`);
  return readWholeTensor(name, value, checkType);
}

/** Refuses dims that do not fit a shape, in which a number is the extent that an axis must have, a name any extent.
 * @type {(name: string, dims: readonly number[], shape: Shape) => void} */
export function checkShape(name, dims, shape) {
  const fits =
    dims.length === shape.length && shape.every((extent, i) => typeof extent === 'string' || extent === dims[i]);
  if (!fits) rangeError(`${name} must have dims [${shape.join(', ')}], got ${showList(dims)}`);
}

/** Reads a float32 or float16 tensor; its numbers become float32.
 * @param {string} name
 * @param {unknown} value
 * @param {Shape} [shape] any if omitted
 * @returns {Floats} */
export function readFloats(name, value, shape) {
  const { dtype, dims, data, size } = readCpuTensor(name, value, (type) => {
    if (type.name !== 'float32' && type.name !== 'float16')
      typeError(`${name} type must be float32 or float16, got ${type.name}`);
  });
  if (shape) checkShape(name, dims, shape);
  return { dims, size, data: dtype.name === 'float32' ? data : widen(data, size) };
}

/** Types that are read as int32. int32 holds all numbers of them but int64's, which `Int32Array.from` wraps. */
const wholeTypes = ['int32', 'int64', 'uint8', 'int8', 'bool'];

/** Reads whole numbers of a tensor, of one of {@link wholeTypes}, as int32. The message that refuses other types names
 * the two usual ones.
 * @type {(name: string, value: unknown, shape?: Shape) => { dims: number[], data: Int32Array, size: number }} */
export function readIntegers(name, value, shape) {
  const { dims, data, size } = readCpuTensor(name, value, (type) => {
    if (!wholeTypes.includes(type.name)) typeError(`${name} type must be int32 or int64, got ${type.name}`);
  });
  if (shape) checkShape(name, dims, shape);
  return { dims, size, data: data instanceof Int32Array ? data : Int32Array.from(data, Number) };
}

/** Reads masks as bytes, of which all but 0 are set. bool and uint8 stay as they are; int32 and float32 become 0 or 1.
 * @type {(name: string, value: unknown, shape?: Shape) => { dims: number[], data: Uint8Array, size: number }} */
export function readMasks(name, value, shape) {
  const { dims, data, size } = readCpuTensor(name, value, (type) => {
    if (!['bool', 'uint8', 'int32', 'float32'].includes(type.name))
      typeError(`${name} type must be bool, uint8, int32 or float32, got ${type.name}`);
  });
  if (shape) checkShape(name, dims, shape);
  if (data instanceof Uint8Array) return { dims, size, data };
  const isSet = data.map((/** @type {number} */ number) => Number(number !== 0));
  return { dims, size, data: new Uint8Array(isSet) };
}

/** Reads a tensor to which the caller wants a result to be written, and refuses one of another type, dims or length.
 * @type {(name: string, out: unknown, dtype: DType, dims: readonly number[]) => CheckedTensor} */
export function readTarget(name, out, dtype, dims) {
  const target = readOut(name, out, dtype, [...dims]);
  checkLength(target);
  return target;
}

/** Makes a result in the memory of the tensor `out`, or in new memory if `out` is undefined. `make` writes the data to
 * the array it gets, or to a new one. The wasm module computes all of a result before it copies any, so `out` may share
 * memory with an input.
 * @type {(out: unknown, dtype: DType, dims: readonly number[], make: (to?: TensorData) => TensorData) => Tensor} */
export function resultIn(out, dtype, dims, make) {
  const target = out === undefined ? undefined : readTarget('out', out, dtype, dims);
  return new PendingMap(dtype, dims, make).tensor(target?.data);
}

/** A tensor of an answer that is computed later, when the memory for it is known. `make` computes the data and writes
 * them to the array that it gets, or to a new one. */
export class PendingMap {
  /**
   * @param {DType} dtype
   * @param {readonly number[]} dims
   * @param {(to?: TensorData) => TensorData} make
   */
  constructor(dtype, dims, make) {
    this.dtype = dtype;
    this.dims = dims;
    this.make = make;
  }

  /** Computes the tensor, over the memory `to` or, without it, over new memory. @type {(to?: TensorData) => Tensor} */
  tensor(to) {
    return tensorOf(this.dtype, this.make(to), [...this.dims]);
  }
}

/** @type {(data: Float32Array, dims: number[]) => Tensor} */
export const floats = (data, dims) => tensorOf(dtypes.float32, data, dims);

/** @type {(data: Int32Array, dims: number[]) => Tensor} */
export const integers = (data, dims) => tensorOf(dtypes.int32, data, dims);

/** Picks the numbers at some indices.
 * @template {Float32Array | Int32Array} Data
 * @param {Data} numbers
 * @param {Int32Array} indices */
export const numbersAt = (numbers, indices) => gatherRows(numbers, 1, indices);

/** Makes a tensor [n] of the numbers at n indices. @type {(numbers: Float32Array, indices: Int32Array) => Tensor} */
export const floatsAt = (numbers, indices) => floats(numbersAt(numbers, indices), [indices.length]);

/** Makes a tensor [n] of the numbers at n indices. @type {(numbers: Int32Array, indices: Int32Array) => Tensor} */
export const integersAt = (numbers, indices) => integers(numbersAt(numbers, indices), [indices.length]);

/** Makes a tensor [n, width] of the rows at n indices; each row has `width` numbers.
 * @type {(numbers: Float32Array, width: number, indices: Int32Array) => Tensor} */
export const floatRowsAt = (numbers, width, indices) =>
  floats(gatherRows(numbers, width, indices), [indices.length, width]);

/** @type {(data: Uint8Array, dims: number[]) => Tensor} */
export const flags = (data, dims) => tensorOf(dtypes.bool, data, dims);
