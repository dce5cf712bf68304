/** Files of tests/goldens, and results as the goldens record them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Tensor } from 'onnx-layout';

const folder = new URL('../goldens/', import.meta.url);

/** @type {(path: string) => Buffer} a file by its path under tests/goldens */
export const goldenFile = (path) => readFileSync(new URL(path, folder));

/** @type {(path: string) => any} */
export const goldenJson = (path) => JSON.parse(goldenFile(path).toString());

/** @type {(array: ArrayBufferView) => string} SHA-256 of the bytes, in hexadecimal */
export const hashOf = ({ buffer, byteOffset, byteLength }) =>
  createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');

/**
 * A result as goldens store it. The first values show what is wrong where the hash differs.
 * @typedef {{ dtype: string, dims: number[], sha256: string, first: number[] }} GoldenRecord
 */

/** @type {(type: string, dims: readonly number[], data: any) => GoldenRecord} */
export const recordOf = (type, dims, data) => {
  const first = data.subarray(0, 4);
  return {
    dtype: type,
    dims: [...dims],
    sha256: hashOf(data),
    first: Array.from(new Tensor(/** @type {any} */ (type), first, [first.length]).toArray(), Number),
  };
};
