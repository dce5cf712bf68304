/** GatherElements: for each index, the element that it names along one axis. */
import { rangeError, showList } from '../arguments/index.js';
import { stridesOf } from '../engine/index.js';
import { readTensor } from '../tensor/index.js';
import { checkHasAxis, readAxis } from './axes.js';
import { moving, checkKeys } from './call.js';
import { isUnknown } from './extents.js';
import { fromFront, indexedTensor, readIndices } from './indices.js';
import { indexTypes, integerCheck } from './integers.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';

/** @import { Rows } from '../engine/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { IndicesLike, Refuse, RowsOf } from './indices.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [axis] in [-rank, rank - 1]; 0 if omitted
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, Attributes>} */
export const GatherElements = operator({
  name: 'GatherElements',
  versions: [
    [11, 3, { attributes: ['axis'], negativeAxis: true }],
    [13, 4],
  ],
  inputs: ['data', 'indices'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    checkHasAxis('data', dims?.length);
    const axis = readAxis(options?.axis, 0, dims?.length);
    const indices = readKnown('indices', inputs.indices, integerCheck('indices', indexTypes));
    if (dims && indices.dims) checkIndexDims(dims, indices.dims, axis);
    return { type: dtype.name, dims: indices.dims };
  },
  run: ([data, indices], options) => gatherElements(data, indices, options),
});

/**
 * GatherElements: a result of the indices' dims. Its element at [i, j] is, for axis 0, the data's at
 * [indices[i, j], j]. Off the axis the indices may have smaller extents than the data. A negative index counts from the
 * back.
 *
 * ONNX GatherElements-11, 13.
 * @param {TensorLike} data of rank 1 or more
 * @param {IndicesLike} indices of the data's rank, each in [-extent, extent - 1] of the axis: an int32 or int64 tensor,
 *   or a list for data of rank 1
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, indices of another type
 * @throws {RangeError} an axis or an index out of range, indices of another rank or larger than the data off the axis,
 *   out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * const indices = { type: 'int32', data: Int32Array.of(0, 0, 1, 0), dims: [2, 2] };
 * gatherElements(data, indices, { axis: 1 }).data; // Uint8Array [1, 1, 4, 3]
 */
export function gatherElements(data, indices, options) {
  return moving(GatherElements, options, (call) => {
    const parts = readTensor('data', data, call.checkType);
    checkKeys(call, options, 'out');
    const { dims } = parts;
    checkHasAxis('data', dims.length);
    const axis = readAxis(options?.axis, 0, dims.length);
    const chosen = readIndices('indices', indices, indexTypes);
    const target = options?.out;
    checkIndexDims(dims, chosen.dims, axis);
    /** @type {RowsOf} */
    const rowsOf = (numbers, refuse) => elementRows(numbers, refuse, dims, chosen.dims, axis);
    return indexedTensor('data', parts, chosen, chosen.dims, parts.size, rowsOf, target);
  });
}

/**
 * Checks the dims of the indices, as far as they are known.
 * @param {readonly Dim[]} dims
 * @param {readonly Dim[]} indexDims
 * @param {number} axis
 */
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

/**
 * The elements that are copied, as rows of one element.
 * @param {Int32Array | Float64Array} numbers
 * @param {Refuse} refuse
 * @param {readonly number[]} dims of the data
 * @param {readonly number[]} indexDims
 * @param {number} axis
 * @returns {Rows}
 */
export function elementRows(numbers, refuse, dims, indexDims, axis) {
  const strides = stridesOf(dims);
  const [extent, stride] = [dims[axis], strides[axis]];
  strides[axis] = 0;
  const last = dims.length - 1;
  const [length, step] = [indexDims[last], strides[last]];
  const at = dims.map(() => 0);
  for (let i = 0, first = 0; i < numbers.length;) {
    for (let k = 0; k < length; k++, i++) {
      const index = fromFront(numbers[i], extent);
      if (index < 0) refuse(i, 0 - extent, extent - 1);
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
