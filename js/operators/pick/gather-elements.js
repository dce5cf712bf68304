/** GatherElements: for each index, the element that it names along one axis. */
import { rangeError, showList } from '../../arguments/index.js';
import { stridesOf } from '../../engine/index.js';
import {
  checkHasAxis,
  define,
  indexTypes,
  indices,
  isUnknown,
  readAxis,
  runNamed,
  tensor,
  whole,
} from '../core/index.js';
import { fromFront, indexed, refuseIndex } from './indexed.js';

/** @import { Dim, GatherElementsAttributes, GatherElementsOptions, IndicesLike, Naming } from '../types.js' */
/** @import { Operator, RowsOf, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, GatherElementsAttributes>} */
export const GatherElements = define({
  name: 'GatherElements',
  versions: { 11: 3, 13: 4 },
  negativeAxis: 11,
  inputs: [tensor('data'), indices('indices', indexTypes)],
  attributes: { axis: whole(0) },
  shape(_, { axis: given }, { dims }, { dims: indexDims }) {
    checkHasAxis('data', dims?.length);
    const axis = readAxis(given, 0, dims?.length);
    if (dims && indexDims) checkIndexDims(dims, indexDims, axis);
    return { dims: indexDims, axis };
  },
  move: indexed(elementRows),
});

/** @type {(dims: readonly Dim[], indexDims: readonly Dim[], axis: number) => void} as far as they are known */
export function checkIndexDims(dims, indexDims, axis) {
  const [rank, given] = [dims.length, indexDims.length];
  if (given !== rank) rangeError(`indices must have rank ${rank} as data has, got rank ${given}`);
  const fits = indexDims.every((extent, i) => {
    const most = dims[i];
    return i === axis || isUnknown(extent) || isUnknown(most) || extent <= most;
  });
  if (fits) return;
  const most = showList(dims.map((extent, i) => (i === axis ? null : extent)).map((extent) => extent ?? '?'));
  rangeError(`indices dims must be at most ${most.replaceAll("'", '')}, got ${showList(indexDims)}`);
}

/** @type {RowsOf} the elements that indices name along an axis, as rows of one element */
export function elementRows({ axis }, numbers, indices, dims) {
  const indexDims = indices.dims;
  const strides = stridesOf(dims);
  const [extent, stride] = [dims[axis], strides[axis]];
  strides[axis] = 0;
  const last = dims.length - 1;
  const [length, step] = [indexDims[last], strides[last]];
  const at = dims.map(() => 0);
  for (let i = 0, first = 0; i < numbers.length;) {
    for (let k = 0; k < length; k++, i++) {
      const index = fromFront(numbers[i], extent);
      if (index < 0) refuseIndex(indices, i, 0 - extent, extent - 1);
      numbers[i] = first + k * step + index * stride;
    }
    for (let outer = last - 1; outer >= 0; outer--) {
      first += strides[outer];
      if (++at[outer] < indexDims[outer]) break;
      first -= at[outer] * strides[outer];
      at[outer] = 0;
    }
  }
  return { run: 1, rows: numbers };
}

/**
 * GatherElements: a result of the indices' dims. Its element at [i, j] is, for axis 0, the data's at
 * [indices[i, j], j]. Off the axis the indices may have smaller extents than the data. A negative index counts from the
 * back.
 * @template {TypeName} T
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike | Naming<GatherElementsOptions, 'indices'>} indices of the data's rank, each in [-extent, extent
 *   - 1] of the axis: an int32 or int64 tensor, or a list for data of rank 1
 * @param {GatherElementsOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * const indices = { type: 'int32', data: Int32Array.of(0, 0, 1, 0), dims: [2, 2] };
 * gatherElements(data, indices, { axis: 1 }).data; // Uint8Array [1, 1, 4, 3]
 */
export const gatherElements = (data, indices, options) => runNamed(GatherElements, [data, indices], options);
