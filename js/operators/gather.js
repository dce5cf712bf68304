/** Gather: slices along one axis, in the order of indices. */
import { rangeError } from '../arguments/index.js';
import { rankLimit, readTensor, sizeOf } from '../tensor/index.js';
import { checkHasAxis, readAxis } from './axes.js';
import { moving, checkKeys } from './call.js';
import { checkRank, isUnknown } from './extents.js';
import { fromFront, indexedTensor, readIndices } from './indices.js';
import { indexTypes, integerCheck } from './integers.js';
import { readKnown, readValue } from './tensor-info.js';
import { operator } from './operator.js';

/** @import { Int64 } from '../arguments/index.js' */
/** @import { Rows } from '../engine/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim, Open } from './extents.js' */
/** @import { IndicesLike, Refuse, RowsOf } from './indices.js' */
/** @import { TensorInfo, Value } from './tensor-info.js' */
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
export const Gather = operator({
  name: 'Gather',
  versions: [
    [1, 3, { attributes: ['axis'], negativeAxis: true }],
    [11, 3],
    [13, 4],
  ],
  inputs: ['data', 'indices'],
  infer(call, inputs, options) {
    const { dtype, dims, value } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    checkHasAxis('data', dims?.length);
    const axis = readAxis(options?.axis, 0, dims?.length);
    const indices = readKnown('indices', inputs.indices, integerCheck('indices', indexTypes));
    const chosen = readValue('indices', indices.value, indices.dims);
    const result = dims && indices.dims && gatherDims(dims, indices.dims, axis);
    if (dims && chosen !== undefined) checkKnownIndices(chosen, dims[axis]);
    const entries = readValue('data', value, dims);
    const gathered = Array.isArray(entries) && chosen !== undefined ? gatherValue(entries, chosen) : undefined;
    return { type: dtype.name, dims: result, ...(gathered !== undefined && { value: gathered }) };
  },
  run: ([data, indices], options) => gather(data, indices, options),
});

/**
 * Gather: slices of the data along one axis, in the order of the indices. The result has the dims of the indices in
 * place of the axis, so an index that is a number, or a scalar, drops the axis. A negative index counts from the back.
 *
 * ONNX Gather-1, 11, 13.
 * @param {TensorLike} data of rank 1 or more
 * @param {IndicesLike} indices in [-extent, extent - 1] of the axis: a number, a list, or an int32 or int64 tensor
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, indices of another type
 * @throws {RangeError} an axis or an index out of range, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [3, 2] };
 * gather(data, [2, 0, 0]).data; // Uint8Array [5, 6, 1, 2, 1, 2]
 */
export function gather(data, indices, options) {
  return moving(Gather, options, (call) => {
    const parts = readTensor('data', data, call.checkType);
    checkKeys(call, options, 'out');
    const { dims } = parts;
    checkHasAxis('data', dims.length);
    const axis = readAxis(options?.axis, 0, dims.length);
    const chosen = readIndices('indices', indices, indexTypes);
    const target = options?.out;
    const result = gatherDims(dims, chosen.dims, axis);
    /** @type {RowsOf} */
    const rowsOf = (numbers, refuse) => gatherRows(numbers, refuse, dims, axis);
    return indexedTensor('data', parts, chosen, result, dims[axis], rowsOf, target);
  });
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {readonly E[]} dims
 * @param {readonly E[]} indexDims
 * @param {number} axis
 * @returns {E[]}
 */
function gatherDims(dims, indexDims, axis) {
  checkRank(dims.length + indexDims.length - 1, rankLimit);
  return [...dims.slice(0, axis), ...indexDims, ...dims.slice(axis + 1)];
}

/**
 * The rows that are copied.
 * @param {Int32Array | Float64Array} numbers
 * @param {Refuse} refuse
 * @param {readonly number[]} dims of the data
 * @param {number} axis
 * @returns {Rows}
 */
function gatherRows(numbers, refuse, dims, axis) {
  const extent = dims[axis];
  for (let i = 0; i < numbers.length; i++) {
    const index = fromFront(numbers[i], extent);
    if (index < 0) refuse(i, 0 - extent, extent - 1);
    numbers[i] = index;
  }
  return { run: sizeOf(dims, axis + 1), rows: numbers, blocks: sizeOf(dims, 0, axis), step: extent };
}

/**
 * @param {Value} indices
 * @param {Dim} extent
 */
function checkKnownIndices(indices, extent) {
  if (isUnknown(extent)) return;
  (Array.isArray(indices) ? indices : [indices]).forEach((index, i) => {
    if (isUnknown(index) || (index >= -extent && index < extent)) return;
    rangeError(`indices must be in [${0 - extent}, ${extent - 1}], got ${index} at ${i}`);
  });
}

/**
 * What is known of the elements that are gathered from a list.
 * @param {readonly (Int64 | Open)[]} entries
 * @param {Value} indices
 * @returns {Value}
 */
function gatherValue(entries, indices) {
  const entryAt = (/** @type {Int64 | Open} */ index) =>
    isUnknown(index) ? null : (entries.at(Number(index)) ?? null);
  return Array.isArray(indices) ? indices.map(entryAt) : entryAt(indices);
}
