/** Numbers that callers hand in, and the tensors that they get. */
import { rangeError, showClass, showList, typeError } from '../arguments/index.js';
import { widen } from '../engines/results/index.js';
import { checkLength, dtypes, readOut, readWholeTensor, tensorOf } from '../tensor/index.js';

/** @import { CheckedTensor, DType, Tensor } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */

/**
 * Numbers of a tensor.
 * @typedef {{ dims: number[], data: Float32Array, size: number }} Floats
 */

/** @typedef {readonly (number | string)[]} Shape extents that are given as numbers have to be these */

/** Reads a tensor on the CPU. `checkType` is called once the type is known.
 * @type {(name: string, value: unknown, checkType: (type: DType) => void) => CheckedTensor} */
export function readPlaced(name, value, checkType) {
  const tensor = /** @type {{ type?: unknown, location?: unknown } | null | undefined} */ (value);
  if (typeof tensor === 'object' && tensor !== null && tensor.type === undefined)
    typeError(`${name} must be a tensor { type, dims, data }, got ${showClass(value)}`);
  const place = tensor?.location;
  if (typeof place === 'string' && !['cpu', 'cpu-pinned', 'none'].includes(place))
    typeError(`${name} must be on the CPU, got '${place}': await its getData()`);
  return readWholeTensor(name, value, checkType);
}

/** Refuses dims that are not of a shape, whose names stand for any extent.
 * @type {(name: string, dims: readonly number[], shape: Shape) => void} */
export function checkShape(name, dims, shape) {
  const fits =
    dims.length === shape.length && shape.every((extent, i) => typeof extent === 'string' || extent === dims[i]);
  if (!fits) rangeError(`${name} must have dims [${shape.join(', ')}], got ${showList(dims)}`);
}

/** Reads float32 numbers; float16 is widened.
 * @param {string} name
 * @param {unknown} value
 * @param {Shape} [shape] any if omitted
 * @returns {Floats} */
export function readFloats(name, value, shape) {
  const { dtype, dims, data, size } = readPlaced(name, value, (type) => {
    if (type.name !== 'float32' && type.name !== 'float16')
      typeError(`${name} type must be float32 or float16, got ${type.name}`);
  });
  if (shape) checkShape(name, dims, shape);
  return { dims, size, data: dtype.name === 'float32' ? data : widen(data, size) };
}

/** Types that are read as int32: int32 holds every number of them, or int64 is converted number by number. */
const wholeTypes = ['int32', 'int64', 'uint8', 'int8', 'bool'];

/** Reads whole numbers of a tensor as int32.
 * @type {(name: string, value: unknown, shape?: Shape) => { dims: number[], data: Int32Array, size: number }} */
export function readIntegers(name, value, shape) {
  const { dims, data, size } = readPlaced(name, value, (type) => {
    if (!wholeTypes.includes(type.name)) typeError(`${name} type must be int32 or int64, got ${type.name}`);
  });
  if (shape) checkShape(name, dims, shape);
  return { dims, size, data: data instanceof Int32Array ? data : Int32Array.from(data, Number) };
}

/** Reads masks as bytes of 0 and 1: bool, uint8, or numbers of which all but 0 are set.
 * @type {(name: string, value: unknown, shape?: Shape) => { dims: number[], data: Uint8Array, size: number }} */
export function readMasks(name, value, shape) {
  const { dims, data, size } = readPlaced(name, value, (type) => {
    if (!['bool', 'uint8', 'int32', 'float32'].includes(type.name))
      typeError(`${name} type must be bool, uint8, int32 or float32, got ${type.name}`);
  });
  if (shape) checkShape(name, dims, shape);
  return {
    dims,
    size,
    data:
      data instanceof Uint8Array
        ? data
        : new Uint8Array(data.map((/** @type {number} */ number) => Number(number !== 0))),
  };
}

/** Reads the caller's tensor for a result of a type and dims.
 * @type {(name: string, out: unknown, dtype: DType, dims: readonly number[]) => CheckedTensor} */
export function readTarget(name, out, dtype, dims) {
  const target = readOut(name, out, dtype, [...dims]);
  checkLength(target);
  return target;
}

/** Makes a result in the memory of `out`, or in its own. The module computes all of it before it copies any, so `out`
 * may be an input.
 * @type {(out: unknown, dtype: DType, dims: readonly number[], make: (to?: TensorData) => TensorData) => Tensor} */
export function resultIn(out, dtype, dims, make) {
  const target = out === undefined ? undefined : readTarget('out', out, dtype, dims);
  return new PendingMap(dtype, dims, make).tensor(target?.data);
}

/** A map of an answer, which is computed once its memory is known: `make` fills what it is given, or its own. */
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

  /** @type {(to?: TensorData) => Tensor} over this memory, or over its own */
  tensor(to) {
    return tensorOf(this.dtype, this.make(to), [...this.dims]);
  }
}

/** @type {(data: Float32Array, dims: number[]) => Tensor} */
export const floats = (data, dims) => tensorOf(dtypes.float32, data, dims);

/** @type {(data: Int32Array, dims: number[]) => Tensor} */
export const integers = (data, dims) => tensorOf(dtypes.int32, data, dims);

/** @type {(data: Uint8Array, dims: number[]) => Tensor} */
export const flags = (data, dims) => tensorOf(dtypes.bool, data, dims);
