/** Size: the number of a tensor's elements, as a tensor. */
import { checkLength, dtypes, tensorOf } from '../../tensor/index.js';
import { define } from '../core/define.js';
import { tensor } from '../core/kinds.js';
import { made } from '../core/results.js';
import { run } from '../core/run.js';
import { product } from '../extents.js';

/** @import { Tensor, TensorLike } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Operator } from '../operator.js' */

/** @type {Operator<{ data?: TensorInfo }, {}>} */
export const Size = define({
  name: 'Size',
  versions: { 1: 3, 13: 4, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13 },
  inputs: [tensor('data')],
  shape: (_call, _, { dims }) => ({ dims: [], dtype: dtypes.int64, count: dims && product(dims) }),
  move: made((_, [parts]) => {
    checkLength(parts);
    return tensorOf(dtypes.int64, BigInt64Array.of(BigInt(parts.size)), []);
  }),
  value: ({ count }) => count ?? undefined,
});

/**
 * Size: the number of elements, 1 for a scalar.
 *
 * ONNX Size-1, 13, 19, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} data
 * @param {CallOptions} [options]
 * @returns {Tensor} an int64 scalar
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} data of the wrong length
 * @example
 * size({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }).data; // BigInt64Array [6n]
 */
export function size(data, options) {
  return run(Size, [data], options);
}
