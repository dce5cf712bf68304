/** Expand: axes of extent 1 repeated. */
import { rangeError, showList } from '../arguments/index.js';
import { rankLimit } from '../tensor/index.js';
import { checkKeys } from './call.js';
import { callView } from './copy.js';
import { checkExtents, checkRank, checkSize, isUnknown } from './extents.js';
import { int64Only, readIntegers, readKnownIntegers } from './integers.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { expandAxes } from './view.js';

/** @import { Int64 } from '../arguments/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim, Open } from './extents.js' */
/** @import { IntegersLike } from './integers.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the input's
 */

/** @type {Operator<{ input?: TensorInfo, shape?: TensorInfo }, {}>} */
export const Expand = operator({
  name: 'Expand',
  versions: [
    [8, 3],
    [13, 4],
  ],
  inputs: ['input', 'shape'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('input', inputs.input, call.checkType);
    checkKeys(call, options);
    const shape = readKnownIntegers('shape', inputs.shape, int64Only);
    return { type: dtype.name, dims: dims && shape && expandDims(dims, shape) };
  },
  run: ([input, shape], options) => expand(input, shape, options),
  view(call, source, [shape], options) {
    checkKeys(call, options, 'out');
    const dims = expandDims(source.dims, readIntegers('shape', shape, int64Only));
    return expandAxes(source, checkSize(/** @type {number[]} */ (dims)));
  },
});

/**
 * Expand: broadcasts the input and `shape` to one another, as NumPy does: extents of 1 are repeated on either side, and
 * the shorter of both gets axes in front.
 *
 * ONNX Expand-8, 13.
 * @param {TensorLike} input
 * @param {IntegersLike} shape numbers, or an int64 tensor of rank 1
 * @param {Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, a shape of another type or
 *   rank
 * @throws {RangeError} extents that differ and are not 1, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * expand({ type: 'uint8', data: Uint8Array.of(7, 8), dims: [2, 1] }, [3]).data; // Uint8Array [7, 7, 7, 8, 8, 8]
 */
export function expand(input, shape, options) {
  return callView(Expand, input, [shape], options);
}

/**
 * The shape rule.
 * @param {readonly Dim[]} dims
 * @param {readonly (Int64 | Open)[]} shape
 * @returns {Dim[]}
 */
function expandDims(dims, shape) {
  const rank = Math.max(dims.length, shape.length);
  checkRank(rank, rankLimit);
  if (shape.some((extent) => !isUnknown(extent) && extent < 0))
    rangeError(`shape entries must be at least 0, got ${showList(shape)}`);
  const at = (/** @type {readonly any[]} */ list, /** @type {number} */ i) =>
    i < rank - list.length ? 1 : list[i - rank + list.length];
  const result = Array.from({ length: rank }, (_, i) => {
    const [own, asked] = [at(dims, i), at(shape, i)];
    if (own === asked || asked === 1) return own;
    if (own === 1) return asked;
    if (isUnknown(own) || isUnknown(asked)) return isUnknown(own) ? (isUnknown(asked) ? null : asked) : own;
    return rangeError(`shape must broadcast with dims ${showList(dims)}, got ${showList(shape)}`);
  });
  return checkExtents(result);
}
