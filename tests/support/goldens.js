/** Files of tests/goldens, and results as the goldens record them. */
import { readFileSync } from 'node:fs';
import { Tensor } from 'onnx-layout';
import { compareHash, hashOf } from './golden-samples.js';

const folder = new URL('../goldens/', import.meta.url);

/** @type {(path: string) => Buffer} a file by its path under tests/goldens */
export const goldenFile = (path) => readFileSync(new URL(path, folder));

/** @type {(path: string) => any} */
export const goldenJson = (path) => JSON.parse(goldenFile(path).toString());

export { hashOf };

/**
 * A result as goldens store it. Where its hash is not that of `golden`, it says how it differs.
 * @typedef {{ dtype: string, dims: number[], sha256: string, first: number[] }} GoldenRecord
 */

/** @type {(type: string, dims: readonly number[], data: any, golden?: GoldenRecord) => GoldenRecord} */
export const recordOf = (type, dims, data, golden) => {
  const first = data.subarray(0, 4);
  return {
    dtype: type,
    dims: [...dims],
    ...compareHash(data, golden?.sha256),
    first: Array.from(new Tensor(/** @type {any} */ (type), first, [first.length]).toArray(), Number),
  };
};
