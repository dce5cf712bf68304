/** ScatterElements: the data, with updates at the indices along one axis. */
import { checkHasAxis, define, indexTypes, indices, readAxis, runNamed, tensor, whole } from '../core/index.js';
import { checkIndexDims, elementRows } from './gather-elements.js';
import { checkReduction, checkUpdates, reduction, updated, updates } from './updates.js';

/** @import { IndicesLike, Naming, Operator, ScatterElementsAttributes, ScatterElementsOptions } from '../types.js' */
/** @import { Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo, updates?: TensorInfo }, ScatterElementsAttributes>} */
export const ScatterElements = define({
  name: 'ScatterElements',
  versions: { 11: 3, 13: 4, 16: 4, 18: 4 },
  negativeAxis: 11,
  inputs: [tensor('data'), indices('indices', indexTypes), updates],
  attributes: { axis: whole(0), reduction },
  shape(_, { axis: given, reduction: joins }, { dtype, dims }, { dims: indexDims }, { dims: updateDims }) {
    checkReduction(dtype, joins);
    checkHasAxis('data', dims?.length);
    const axis = readAxis(given, 0, dims?.length);
    if (dims && indexDims) checkIndexDims(dims, indexDims, axis);
    checkUpdates(updateDims, indexDims);
    return { dims, axis, reduction: joins };
  },
  move: updated(elementRows),
});

/**
 * ScatterElements: the data, where the update at [i, j] goes, for axis 0, to [indices[i, j], j]. A negative index
 * counts from the back.
 *
 * Updates come in row-major order, so the last one of a place stays; a reduction
 * rounds to the type after each. Integers wrap; of bool, `add` and `max` are or, `mul` and `min` are and; the maximum
 * or minimum with NaN is NaN.
 * @template {TypeName} T
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike | Naming<ScatterElementsOptions, 'indices' | 'updates'>} indices as `gatherElements` has them
 * @param {TensorLike | Naming<ScatterElementsOptions, 'updates'>} [updates] of the data's type and the indices' dims
 * @param {ScatterElementsOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] };
 * const updates = { type: 'uint8', data: Uint8Array.of(8, 9), dims: [2] };
 * scatterElements(data, [2, 0], updates).data; // Uint8Array [9, 2, 8]
 */
export const scatterElements = (data, indices, updates, options) =>
  runNamed(ScatterElements, [data, indices, updates], options);
