/** The array that holds a tensor's elements: how long it is, and a fresh one. */
import { arrayClasses, rangeError, typedArrayName } from '../arguments/index.js';

/** @import { DType } from './dtypes.js' */

/** @type {(dtype: DType, size: number) => number} packed types share bytes, complex ones take two entries each */
export function dataLength(dtype, size) {
  return dtype.array === 'Array' ? size : Math.ceil((size * dtype.bits) / dtype.entryBits);
}

/** @type {(dtype: DType, dims: readonly number[]) => bigint} of dims whose product is no safe integer */
export function exactDataLength(dtype, dims) {
  // Eight elements of any width fill whole entries.
  const perEight = BigInt(dataLength(dtype, 8));
  return (dims.reduce((product, extent) => product * BigInt(extent), 1n) * perEight + 7n) / 8n;
}

/** Every engine can view this many bytes. */
const mostBytes = 2 ** 31 - 1;

/** A fresh data array, all zero. It has the class of the input's data, except that clamped bytes give a Uint8Array.
 * @type {(dtype: DType, size: number, like: any) => any} */
export function newData(dtype, size, like) {
  const isBrought = dtype.also === 'Float16Array' && typedArrayName(like) === 'Float16Array';
  const name = isBrought ? 'Float16Array' : dtype.array;
  const length = dataLength(dtype, size);
  try {
    const data = new arrayClasses[name](length);
    // The engine moves bytes. Node 20 allocates an array of 12 GB, but cannot view more than 8 GiB as bytes.
    if (length * dtype.entryBits > 8 * mostBytes) new Uint8Array(data.buffer);
    return data;
  } catch {
    rangeError(`result must fit in memory, got ${length} entries of ${name}`);
  }
}
