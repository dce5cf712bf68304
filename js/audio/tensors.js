/** Outputs: lists of arrays to tensors. */
import {
  rangeError,
  readWholes,
  show,
  showClass,
  showList,
  spend,
  typedArrayName,
  typeError,
} from '../arguments/index.js';
import { newNumbers } from '../engines/audio/index.js';
import { dtypeOf, encodeValues, newData, tensorOf } from '../tensor/index.js';

/** @import { DType, Tensor, TypeName } from '../tensor/index.js' */

/** @import { Item, Outputs } from './types.js' */
/** @typedef {Float32Array | Float64Array | Int32Array | Uint8Array | BigInt64Array} Data */

/** Makes an array of zeros, of float32 numbers if no class is given. Its bytes count against the limit of the call that
 * runs.
 * @template {Float32Array | Float64Array | Int32Array} [T=Float32Array]
 * @param {string} purpose its owner, for the message
 * @param {number} length
 * @param {new (length: number) => T} [Class]
 * @returns {T} */
export function allocateNumbers(
  purpose,
  length,
  Class = /** @type {new (length: number) => T} */ (/** @type {unknown} */ (Float32Array)),
) {
  const doubles = /** @type {Function} */ (Float64Array);
  spend(length * (Class === doubles ? 8 : 4));
  return newNumbers(purpose, length, Class);
}

/** Refuses memory that was transferred away. It has 0 bytes, as an empty array has, but no new view of it can be made.
 * @type {(argument: string, data: ArrayBufferView & { length?: number }) => void} */
export function checkAttached(argument, data) {
  if (data.byteLength > 0) return;
  try {
    new Uint8Array(data.buffer);
  } catch {
    typeError(`${argument} must have its memory, got a detached ${showClass(data)}`);
  }
}

/** Refuses a list with an entry that is no number. Stops at the first one, so a long list of holes costs nothing.
 * @type {(argument: string, list: readonly unknown[]) => void} */
export function checkNumbers(argument, list) {
  for (let i = 0; i < list.length; i++)
    if (typeof list[i] !== 'number') typeError(`${argument} must hold numbers, got ${show(list[i])}`);
}

/** Reads a list, a Float32Array or a Float64Array as float64. A Float64Array is not copied.
 * @type {(argument: string, value: unknown) => Float64Array} */
export function readNumbers(argument, value) {
  const name = typedArrayName(value);
  const numbers = /** @type {Float64Array} */ (value);
  if (name) checkAttached(argument, numbers);
  if (name === 'Float64Array') return numbers;
  if (Array.isArray(value)) checkNumbers(argument, value);
  else if (name !== 'Float32Array') typeError(`${argument} must be numbers, got ${show(value)}`);
  return new Float64Array(numbers);
}

/** Checks dims against the `count` of numbers. `perElement`: numbers of an element, 2 if it is complex.
 * @type {(argument: string, value: unknown, count: number, perElement?: number) => number[]} */
export function readDims(argument, value, count, perElement = 1) {
  const dims = /** @type {number[]} */ (readWholes(`${argument} dims`, value));
  if (!dims.every((extent) => typeof extent === 'number' && extent >= 0))
    rangeError(`${argument} dims must hold whole numbers from 0 on, got ${showList(dims)}`);
  const size = dims.reduce((product, extent) => product * extent, perElement);
  if (size !== count) rangeError(`${argument} must have ${size} numbers, got ${count}`);
  return dims;
}

/** @type {(type: TypeName, data: Data, dims: number[]) => Tensor} */
export const tensor = (type, data, dims) => tensorOf(/** @type {DType} */ (dtypeOf(type)), data, dims);

/** Makes an int64 tensor of one axis.
 * @type {(numbers: readonly number[]) => Tensor} */
export const longs = (numbers) => tensor('int64', BigInt64Array.from(numbers, BigInt), [numbers.length]);

/** Converts numbers to the data of a type. The result shares its buffer with nothing else, so that it can be
 * transferred. Masks, which come as int32, become bool or int64.
 * @type {(type: TypeName, data: Float32Array | Int32Array) => Data} */
function dataOf(type, data) {
  if (type === 'bool') return new Uint8Array(data);
  if (type === 'int64') return BigInt64Array.from(/** @type {Iterable<number>} */ (data), BigInt);
  return data.byteLength === data.buffer.byteLength ? data : data.slice();
}

/** Joins the items of a batch: to one tensor with an axis in front if all have the same dims, otherwise to a list of
 * tensors.
 * @type {(type: TypeName, items: readonly Item<Float32Array | Int32Array>[]) => Tensor | Tensor[]} */
export function batchOf(type, items) {
  const [{ data, dims }] = items;
  const isEven = items.every((item) => item.dims.every((extent, i) => extent === dims[i]));
  if (!isEven) return items.map((item) => tensor(type, dataOf(type, item.data), item.dims));
  // A batch of one needs no copy.
  if (items.length === 1) return tensor(type, dataOf(type, data), [1, ...dims]);
  const Class = /** @type {Float32ArrayConstructor} */ (data.constructor);
  const all = allocateNumbers('the batch', data.length * items.length, Class);
  items.forEach((item, i) => all.set(item.data, i * data.length));
  return tensor(type, dataOf(type, all), [items.length, ...dims]);
}

/** Joins the items of a batch to one tensor with an axis in front. Refuses items of different dims.
 * @type {(type: TypeName, items: readonly Item<Float32Array | Int32Array>[]) => Tensor} */
export function stackOf(type, items) {
  checkEven(items.map(({ dims }) => `[${dims.join(', ')}]`));
  return /** @type {Tensor} */ (batchOf(type, items));
}

/** Refuses a batch whose items differ in length or dims; a message says the first two that do.
 * @type {(lengths: readonly (number | string)[]) => void} */
export function checkEven(lengths) {
  const [first, other] = new Set(lengths);
  if (other !== undefined)
    rangeError(`the audio of a batch must have one length, got ${first} and ${other}: pass padding`);
}

/** Drops outputs that are undefined, null or false, and casts float32 ones to `dtype`, if there is one. Each number is
 * rounded once.
 * @type {(outputs: Outputs, dtype: DType | undefined) => Outputs} */
export function withType(outputs, dtype) {
  /** @type {(value: unknown) => unknown} */
  const cast = (value) => {
    if (Array.isArray(value)) return value.map(cast);
    const tensor = /** @type {Tensor | null} */ (value);
    if (!dtype || dtype.name === 'float32' || tensor?.type !== 'float32') return value;
    const data = newData(dtype, tensor.size, undefined);
    encodeValues(dtype, tensor.data, data, tensor.size);
    return tensorOf(dtype, data, [...tensor.dims]);
  };
  const present = Object.entries(outputs).filter(([, value]) => value);
  return Object.fromEntries(present.map(([name, value]) => [name, cast(value)]));
}
