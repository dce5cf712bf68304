/** Flatten: a matrix of the same elements. */
import { rangeError } from '../../arguments/index.js';
import { callOperator, checkExtents, define, fromFront, product, shared, tensor, integer } from '../core/index.js';

/** @import { CallOptions, FlattenAttributes, Operator, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo }, FlattenAttributes>} */
export const Flatten = define({
  name: 'Flatten',
  versions: { 1: 1, 9: 3, 11: 3, 13: 4, 21: 10, 23: 11, 24: 12, 25: 13 },
  negativeAxis: 11,
  inputs: [tensor('input')],
  attributes: { axis: integer(1) },
  /** Plans a matrix. Unlike other axes, this one may be the rank: all axes are in the rows then. */
  shape({ schema }, { axis }, { dims }) {
    if (!dims) return { dims };
    const rank = dims.length;
    const lowest = schema.negativeAxis ? 0 - rank : 0;
    if (!(axis >= lowest && axis <= rank)) rangeError(`axis must be in [${lowest}, ${rank}], got ${axis}`);
    const firstColumnAxis = fromFront(axis, rank);
    const rows = product(dims.slice(0, firstColumnAxis));
    const columns = product(dims.slice(firstColumnAxis));
    return { dims: checkExtents([rows, columns]) };
  },
  move: shared,
});

/**
 * Flatten: a matrix of the same elements, with the axes before `axis` in its rows and the others in its columns.
 * @template {TypeName} T
 * @param {TensorLike<T>} input of any rank r
 * @param {FlattenAttributes & CallOptions} [options]
 * @returns {Tensor<T>} of dims [prod(dims[:axis]), prod(dims[axis:])]; shares the input's data
 * @example
 * flatten({ type: 'uint8', data: new Uint8Array(24), dims: [2, 3, 4] }, { axis: 2 }).dims; // [6, 4]
 */
export const flatten = (input, options) => callOperator(Flatten, [input], options);
