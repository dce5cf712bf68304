/** Outputs: lists of arrays to tensors. */
import { rangeError } from '../arguments/index.js';
import { dtypeOf, encodeValues, newData, tensorOf } from '../tensor/index.js';

/** @import { DType, Tensor, TypeName } from '../tensor/index.js' */

/**
 * A tensor or, where shapes differ, a list; or what is no array in Python either.
 * @typedef {Tensor | Tensor[] | number[] | (number | null)[][]} Output
 */
/** @typedef {Record<string, any>} Outputs */
/** @typedef {Float32Array | Float64Array | Int32Array | Uint8Array | BigInt64Array} Data */

/** No array of audio is longer: engines have no more for one. */
const mostNumbers = 2 ** 31 - 1;

/**
 * An array of zeros, of float32 numbers if no class is given.
 * @template {Float32Array | Float64Array} [T=Float32Array]
 * @param {string} purpose what needs it
 * @param {number} length
 * @param {new (length: number) => T} [Class]
 * @returns {T}
 * @throws {RangeError} more than there is memory for
 */
export function newFloats(purpose, length, Class = /** @type {any} */ (Float32Array)) {
  if (!(length <= mostNumbers)) rangeError(`${purpose} has ${length} numbers, more than ${mostNumbers}`);
  try {
    return new Class(length);
  } catch {
    return rangeError(`${purpose} has ${length} numbers, more than there is memory for`);
  }
}

/**
 * @param {TypeName} type
 * @param {Data} data
 * @param {number[]} dims
 * @returns {Tensor}
 */
export const tensor = (type, data, dims) => tensorOf(/** @type {DType} */ (dtypeOf(type)), data, dims);

/**
 * Data whose memory holds nothing else, so that it can be transferred.
 * @template {Data} T
 * @param {T} data
 * @returns {T}
 */
const whole = (data) =>
  data.length * data.BYTES_PER_ELEMENT === data.buffer.byteLength ? data : /** @type {T} */ (data.slice());

/**
 * A batch: one tensor with an axis in front where all items have the same dims, otherwise a list.
 * @param {TypeName} type
 * @param {readonly { data: any, dims: number[] }[]} items
 * @returns {Tensor | Tensor[]}
 */
export function batchOf(type, items) {
  const [{ data, dims }] = items;
  const isEven = items.every((item) => item.dims.every((extent, i) => extent === dims[i]));
  if (!isEven) return items.map((item) => tensor(type, whole(item.data), item.dims));
  if (items.length === 1) return tensor(type, whole(data), [1, ...dims]);
  const joined = data instanceof Float32Array ? newFloats('the batch', data.length * items.length) : undefined;
  const all = joined ?? new data.constructor(data.length * items.length);
  items.forEach((item, i) => all.set(item.data, i * data.length));
  return tensor(type, all, [items.length, ...dims]);
}

/**
 * A batch whose items Python stacks: they must have the same dims.
 * @param {TypeName} type
 * @param {readonly { data: any, dims: number[] }[]} items
 * @returns {Tensor}
 * @throws {RangeError} dims that differ
 */
export function stackOf(type, items) {
  checkEven(items.map(({ dims }) => `[${dims.join(', ')}]`));
  return /** @type {Tensor} */ (batchOf(type, items));
}

/**
 * Refuses a batch whose items differ.
 * @param {readonly (number | string)[]} lengths or dims
 * @throws {RangeError}
 */
export function checkEven(lengths) {
  const [first, other] = new Set(lengths);
  if (other !== undefined)
    rangeError(`the audio of a batch must have one length, got ${first} and ${other}: pass padding`);
}

/**
 * Float outputs in another type, each number rounded once.
 * @param {Outputs} outputs
 * @param {DType | undefined} dtype
 * @returns {Outputs}
 */
export function withType(outputs, dtype) {
  if (!dtype || dtype.name === 'float32') return outputs;
  /** @type {(value: any) => any} */
  const change = (value) => {
    if (Array.isArray(value)) return value.map(change);
    if (value?.type !== 'float32') return value;
    const data = newData(dtype, value.size, undefined);
    encodeValues(dtype, value.data, data, value.size);
    return tensorOf(dtype, data, value.dims);
  };
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, change(value)]));
}
