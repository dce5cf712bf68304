/** Where: of two tensors, the elements that a condition chooses. */
import { typeError } from '../arguments/index.js';
import { select } from '../engine/index.js';
import { checkData, checkOut, checkLength, readOut, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { broadcastDims, broadcastStrides } from './broadcast.js';
import { moving, checkKeys } from './call.js';
import { resultData } from './copy.js';
import { checkSize } from './extents.js';
import { integerCheck } from './integers.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';

/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

const names = Object.freeze(/** @type {const} */ (['condition', 'X', 'Y']));
const boolOnly = Object.freeze(/** @type {const} */ (['bool']));

/** @type {Operator<{ condition?: TensorInfo, X?: TensorInfo, Y?: TensorInfo }, {}>} */
export const Where = operator({
  name: 'Where',
  versions: [
    [9, 3],
    [16, 4],
  ],
  inputs: [...names],
  infer(call, inputs, options) {
    const condition = readKnown('condition', inputs.condition, integerCheck('condition', boolOnly));
    const x = readKnown('X', inputs.X, call.checkType);
    const y = readKnown('Y', inputs.Y, sameTypeCheck(x.dtype));
    checkKeys(call, options);
    const all = condition.dims && x.dims && y.dims && [condition.dims, x.dims, y.dims];
    return { type: x.dtype.name, dims: all && whereDims(all) };
  },
  run: ([condition, X, Y], options) => where(condition, X, Y, options),
});

/**
 * Where: the elements of X where the condition is true, and those of Y where it is false. All three broadcast to one
 * shape, as NumPy's `where` does it.
 *
 * ONNX Where-9, 16.
 * @param {TensorLike} condition of type bool
 * @param {TensorLike} X
 * @param {TensorLike} Y of the type of X
 * @param {Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a condition that is not bool, a type that the version does not take, Y of another type
 *   than X, an unknown option
 * @throws {RangeError} dims that do not broadcast, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const condition = { type: 'bool', data: Uint8Array.of(1, 0, 1), dims: [3] };
 * const X = { type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] };
 * const Y = { type: 'uint8', data: Uint8Array.of(9), dims: [] };
 * where(condition, X, Y).data; // Uint8Array [1, 9, 3]
 */
export function where(condition, X, Y, options) {
  return moving(Where, options, (call) => {
    const mask = readTensor('condition', condition, integerCheck('condition', boolOnly));
    const x = readTensor('X', X, call.checkType);
    const { dtype } = x;
    const y = readTensor('Y', Y, sameTypeCheck(dtype));
    checkKeys(call, options, 'out');
    const target = options?.out;
    const all = [mask, x, y];
    const allDims = all.map((parts) => parts.dims);
    const dims = checkSize(whereDims(allDims));
    const out = target === undefined ? undefined : readOut('out', target, dtype, dims);
    const [first, second] = [checkData(x), checkData(y)];
    checkLength(mask);
    if (out) names.forEach((name, i) => checkOut('out', out, name, all[i]));
    const size = sizeOf(dims);
    const data = resultData(dtype, size, out, x.data);
    const strides = all.map((parts) => broadcastStrides(parts.dims, dims));
    if (size > 0) select(dtype.bits, { extents: dims, strides }, mask.data, first, second, data);
    return tensorOf(dtype, data, dims);
  });
}

/**
 * The check that the second tensor has the type of the first.
 * @param {DType} dtype
 * @returns {(other: DType) => void}
 */
const sameTypeCheck = (dtype) => (other) => {
  if (other !== dtype) typeError(`Y must have the type of X, ${dtype.name}, got ${other.name}`);
};

/**
 * The shape rule.
 * @template {Dim} E
 * @param {readonly (readonly E[])[]} all
 * @returns {E[]}
 */
const whereDims = (all) => broadcastDims('condition, X and Y', all);
