/** Size: the number of a tensor's elements, as a tensor. */
import { checkLength, dtypes, readTensor, tensorOf } from '../tensor/index.js';
import { calling, checkKeys } from './call.js';
import { product } from './extents.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/** @type {Operator<{ data?: TensorInfo }, {}>} */
export const Size = operator({
  name: 'Size',
  versions: [
    [1, 3],
    [13, 4],
    [19, 9],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['data'],
  infer(call, inputs, options) {
    const { dims } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    const value = dims && product(dims);
    return { type: 'int64', dims: [], ...(value !== null && { value }) };
  },
  run: ([data], options) => size(data, options),
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
  return calling(Size, options, (call) => {
    const parts = readTensor('data', data, call.checkType);
    checkKeys(call, options);
    checkLength(parts);
    return tensorOf(dtypes.int64, BigInt64Array.of(BigInt(parts.size)), []);
  });
}
