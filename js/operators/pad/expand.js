/** Expand: axes of extent 1 repeated. */
import { rangeError, showList } from '../../arguments/index.js';
import { rankLimit } from '../../tensor/index.js';
import {
  broadcastDims,
  checkExtents,
  checkRank,
  checkSize,
  copied,
  define,
  expandAxes,
  integers,
  isUnknown,
  runNamed,
  tensor,
} from '../core/index.js';

/** @import { Dim, ExpandOptions, IntegersLike, Naming, Operator, Tensor, TensorInfo, TensorLike } from '../types.js' */
/** @import { TypeName } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo, shape?: TensorInfo }, {}>} */
export const Expand = define({
  name: 'Expand',
  versions: { 8: 3, 13: 4 },
  inputs: [tensor('input'), integers('shape')],
  shape(_, _attributes, { dims }, shape) {
    if (!dims || !shape) return { dims: null };
    checkRank(Math.max(dims.length, shape.length), rankLimit);
    if (shape.some((/** @type {Dim} */ extent) => !isUnknown(extent) && extent < 0))
      rangeError(`shape entries must be at least 0, got ${showList(shape)}`);
    const refuse = () => rangeError(`shape must broadcast with dims ${showList(dims)}, got ${showList(shape)}`);
    return { dims: checkExtents(broadcastDims([dims, shape], refuse)) };
  },
  move: copied((source, { dims }) => expandAxes(source, checkSize(dims))),
});

/**
 * Expand: broadcasts the input and `shape` to one another, as NumPy does: extents of 1 are repeated on either side, and
 * the shorter of both gets axes in front.
 * @template {TypeName} T
 * @param {TensorLike<T>} input
 * @param {IntegersLike | Naming<ExpandOptions, 'shape'>} shape numbers, or an int64 tensor of rank 1
 * @param {ExpandOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * expand({ type: 'uint8', data: Uint8Array.of(7, 8), dims: [2, 1] }, [3]).data; // Uint8Array [7, 7, 7, 8, 8, 8]
 */
export const expand = (input, shape, options) => runNamed(Expand, [input, shape], options);
