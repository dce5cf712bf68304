/** Where: of two tensors, the elements that a condition chooses. */
import { wrongKind } from '../arguments/index.js';
import { ready, select } from '../engine/index.js';
import { checkData, checkOut, checkRoom, readOut, readTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { broadcastDims, broadcastStrides } from './broadcast.js';
import { checkKeys, readCall } from './call.js';
import { resultData } from './copy.js';
import { checkSize } from './extents.js';
import { integerCheck } from './integers.js';
import { readKnown } from './known.js';
import { operator } from './operator.js';

/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Extent } from './extents.js' */
/** @import { Known } from './known.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

const names = Object.freeze(/** @type {const} */ (['condition', 'X', 'Y']));
const boolOnly = Object.freeze(/** @type {const} */ (['bool']));

/** @type {Operator<{ condition?: Known, X?: Known, Y?: Known }, {}>} */
export const Where = operator({
  name: 'Where',
  versions: [
    [9, 3],
    [16, 4],
  ],
  inputs: [...names],
  infer(call, inputs, options) {
    const { prefix } = call;
    const condition = readKnown(prefix, 'condition', inputs.condition, integerCheck(prefix, 'condition', boolOnly));
    const x = readKnown(prefix, 'X', inputs.X, call.checkType);
    const y = readKnown(prefix, 'Y', inputs.Y, sameTypeCheck(prefix, x.dtype));
    checkKeys(call, options);
    const all = condition.dims && x.dims && y.dims && [condition.dims, x.dims, y.dims];
    return { type: x.dtype.name, dims: all && whereDims(prefix, all) };
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
  ready('where');
  const call = readCall(Where, options);
  const { prefix } = call;
  const mask = readTensor(prefix, 'condition', condition, integerCheck(prefix, 'condition', boolOnly));
  const x = readTensor(prefix, 'X', X, call.checkType);
  const { dtype } = x;
  const y = readTensor(prefix, 'Y', Y, sameTypeCheck(prefix, dtype));
  checkKeys(call, options, 'out');
  const target = options?.out;
  const all = [mask, x, y];
  const allDims = all.map((parts) => parts.dims);
  const dims = checkSize(prefix, whereDims(prefix, allDims));
  const out = target === undefined ? undefined : readOut(prefix, 'out', target, dtype, dims);
  // The mask last, because reading strings may run code of the caller's.
  const [first, second] = [checkData(prefix, x), checkData(prefix, y)];
  checkRoom(prefix, mask);
  if (out) names.forEach((name, i) => checkOut(prefix, 'out', out, name, all[i]));
  const size = sizeOf(dims);
  const data = resultData(prefix, dtype, size, out, x.data);
  const strides = all.map((parts) => broadcastStrides(parts.dims, dims));
  if (size > 0) select(dtype.bits, { extents: dims, strides }, mask.data, first, second, data);
  return tensorOf(dtype, data, dims);
}

/**
 * The check that the second tensor has the type of the first.
 * @param {string} prefix
 * @param {DType} dtype
 * @returns {(other: DType) => void}
 */
const sameTypeCheck = (prefix, dtype) => (other) => {
  if (other !== dtype) wrongKind(prefix, `Y must have the type of X, ${dtype.name}, got ${other.name}`);
};

/**
 * The shape rule.
 * @template {Extent} E
 * @param {string} prefix
 * @param {readonly (readonly E[])[]} all
 * @returns {E[]}
 */
const whereDims = (prefix, all) => broadcastDims(prefix, 'condition, X and Y', all);
