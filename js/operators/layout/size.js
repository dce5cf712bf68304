/** Size: the number of a tensor's elements, as a tensor. */
import { checkLength, dtypes, tensorOf } from '../../tensor/index.js';
import { define, made, product, run, tensor } from '../core/index.js';

/** @import { CallOptions, Operator, Tensor, TensorInfo, TensorLike } from '../types.js' */

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
 * @param {TensorLike} data
 * @param {CallOptions} [options]
 * @returns {Tensor<'int64'>} an int64 scalar
 * @example
 * size({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }).data; // BigInt64Array [6n]
 */
export const size = (data, options) => run(Size, [data], options);
