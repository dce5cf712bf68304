/** Shape: the dims of a tensor, as a tensor. */
import { readWhole } from '../arguments/index.js';
import { checkLength, dtypes, readTensor, tensorOf } from '../tensor/index.js';
import { calling, checkKeys } from './call.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [start] from opset 15: the first axis, counted from the back if negative; 0 if omitted
 * @property {number | bigint} [end] from opset 15: the axis after the last one; the rank if omitted
 */

/** @type {Operator<{ data?: TensorInfo }, Attributes>} */
export const Shape = operator({
  name: 'Shape',
  versions: [
    [1, 3],
    [13, 4],
    [15, 4, { attributes: ['start', 'end'] }],
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
    const slice = readSlice(options);
    const value = dims && dims.slice(...slice);
    return { type: 'int64', dims: [value && value.length], ...(value && { value }) };
  },
  run: ([data], options) => shape(data, options),
});

/**
 * Shape: the extents of the data from axis `start` up to, not including, axis `end`. Both may count from the back, and
 * both are clamped to the axes that there are.
 *
 * ONNX Shape-1, 13, 15, 19, 21, 23, 24, 25. Needs no `init()`.
 * @param {TensorLike} data
 * @param {Attributes & CallOptions} [options]
 * @returns {Tensor} int64, of rank 1
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} data of the wrong length
 * @example
 * shape({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, { start: -2 }).data; // BigInt64Array [3n, 4n]
 */
export function shape(data, options) {
  return calling(Shape, options, (call) => {
    const parts = readTensor('data', data, call.checkType);
    checkKeys(call, options);
    const slice = readSlice(options);
    checkLength(parts);
    const dims = parts.dims.slice(...slice);
    return tensorOf(dtypes.int64, BigInt64Array.from(dims, BigInt), [dims.length]);
  });
}

/**
 * What `slice` of an array takes: it counts and clamps as ONNX does.
 * @param {Attributes | undefined} options
 * @returns {[start: number, end: number | undefined]}
 */
function readSlice(options) {
  const [start, end] = [options?.start, options?.end];
  return [
    start === undefined ? 0 : Number(readWhole('start', start)),
    end === undefined ? undefined : Number(readWhole('end', end)),
  ];
}
