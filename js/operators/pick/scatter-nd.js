/** ScatterND: the data, with updates at the slices that tuples of indices name. */
import { checkHasAxis, define, indices, int64Only, runNamed, tensor } from '../core/index.js';
import { tupleDims, tupleRows } from './gather-nd.js';
import { checkReduction, checkUpdates, reduction, updated, updates } from './updates.js';

/** @import { IndicesLike, Naming, Operator, ScatterNDAttributes, ScatterNDOptions, Tensor } from '../types.js' */
/** @import { TensorInfo, TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo, updates?: TensorInfo }, ScatterNDAttributes>} */
export const ScatterND = define({
  name: 'ScatterND',
  versions: { 11: 3, 13: 4, 16: 4, 18: 4 },
  inputs: [tensor('data'), indices('indices', int64Only), updates],
  attributes: { reduction },
  shape(_, { reduction: joins }, { dtype, dims }, { dims: indexDims }, { dims: updateDims }) {
    checkReduction(dtype, joins);
    checkHasAxis('data', dims?.length);
    checkHasAxis('indices', indexDims?.length);
    checkUpdates(updateDims, dims && indexDims && tupleDims(dims, indexDims, 0));
    return { dims, reduction: joins, batches: 0 };
  },
  move: updated(tupleRows),
});

/**
 * ScatterND: the data, where each tuple of indices names the slice that takes the update of its place. A negative index
 * counts from the back.
 *
 * Updates come in order and are reduced as of `scatterElements`.
 * @template {TypeName} T
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike | Naming<ScatterNDOptions, 'indices' | 'updates'>} indices as `gatherND` has them, without batch
 *   axes
 * @param {TensorLike | Naming<ScatterNDOptions, 'updates'>} [updates] of the data's type: the indices' dims but for the
 *   last, then the slice's dims
 * @param {ScatterNDOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * scatterND(data, [1], { type: 'uint8', data: Uint8Array.of(8, 9), dims: [2] }).data; // Uint8Array [1, 2, 8, 9]
 */
export const scatterND = (data, indices, updates, options) => runNamed(ScatterND, [data, indices, updates], options);
