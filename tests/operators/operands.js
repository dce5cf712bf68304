/** Small tensors for the tests of operators, and the ends of int64. */
import { byteCount, elementCount, types } from '../support/reference.js';

/** The greatest int64, and the least. */
export const largest = 2n ** 63n - 1n;
export const smallest = -(2n ** 63n);

/**
 * A tensor of bytes 1, 2, 3 and so on; without data where its dims are enormous.
 * @param {number[]} dims
 * @param {string} [type]
 */
export function bytes(dims, type = 'uint8') {
  const { array } = types[type];
  const data = new array(byteCount(type, elementCount(dims)) / array.BYTES_PER_ELEMENT);
  for (let i = 0; i < data.length; i++) data[i] = i + 1;
  return { type, dims, data };
}

/** @type {(dims: number[]) => any} */
export const floats = (dims) => bytes(dims, 'float32');

/** @type {(list: readonly (number | bigint)[], dims?: number[]) => any} */
export const int64 = (list, dims = [list.length]) => ({ type: 'int64', dims, data: BigInt64Array.from(list, BigInt) });

/** @type {(list: readonly number[], dims?: number[]) => any} */
export const int32 = (list, dims = [list.length]) => ({ type: 'int32', dims, data: Int32Array.from(list) });

/** @type {(list: readonly string[], dims?: number[]) => any} */
export const strings = (list, dims = [list.length]) => ({ type: 'string', dims, data: [...list] });
