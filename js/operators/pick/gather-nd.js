/** GatherND: for each tuple of indices, the slice that it names. */
import { rangeError, showList } from '../../arguments/index.js';
import { rankLimit, sizeOf } from '../../tensor/index.js';
import {
  checkHasAxis,
  checkRank,
  define,
  indices,
  int64Only,
  isUnknown,
  runNamed,
  tensor,
  whole,
} from '../core/index.js';
import { fromFront, indexed, refuseIndex } from './indexed.js';

/** @import { Dim, GatherNDAttributes, GatherNDOptions, IndicesLike, Int64, Naming, Operator } from '../types.js' */
/** @import { RowsOf, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, GatherNDAttributes>} */
export const GatherND = define({
  name: 'GatherND',
  versions: { 11: 3, 12: 3, 13: 4 },
  inputs: [tensor('data'), indices('indices', int64Only)],
  attributes: { batch_dims: whole(0, { least: 0, since: 12 }) },
  shape(_, { batch_dims: batches }, { dims }, { dims: indexDims }) {
    checkHasAxis('data', dims?.length);
    checkHasAxis('indices', indexDims?.length);
    return { dims: dims && indexDims && tupleDims(dims, indexDims, batches), batches: Number(batches) };
  },
  move: indexed(tupleRows),
});

/**
 * The dims that tuples of indices give.
 * @type {(dims: readonly Dim[], indexDims: readonly Dim[], batchDims: Int64) => Dim[] | null} null where the length of
 *   the tuples is unknown
 */
export function tupleDims(dims, indexDims, batchDims) {
  const ranks = Math.min(dims.length, indexDims.length);
  if (batchDims >= ranks) rangeError(`batch_dims must be in [0, ${ranks - 1}], got ${batchDims}`);
  const batches = Number(batchDims);
  for (let i = 0; i < batches; i++)
    if (!isUnknown(dims[i]) && !isUnknown(indexDims[i]) && dims[i] !== indexDims[i]) {
      const [ours, theirs] = [dims, indexDims].map((list) => showList(list.slice(0, batches)));
      rangeError(`indices dims must begin with those of data ${ours}, got ${theirs}`);
    }
  const length = indexDims[indexDims.length - 1];
  if (isUnknown(length)) return null;
  const most = dims.length - batches;
  if (length < 1 || length > most) rangeError(`indices must hold tuples of 1 to ${most} indices, got ${length}`);
  checkRank(indexDims.length - 1 + most - length, rankLimit);
  return [...indexDims.slice(0, -1), ...dims.slice(batches + length)];
}

/** @type {RowsOf} the slices that tuples of indices name */
export function tupleRows({ batches }, numbers, indices, dims) {
  const indexDims = indices.dims;
  const length = indexDims[indexDims.length - 1];
  const named = dims.slice(batches, batches + length);
  const slices = sizeOf(named);
  const perBatch = sizeOf(indexDims.slice(batches, -1));
  const count = numbers.length / length;
  for (let i = 0, at = 0; i < count; i++) {
    let slice = 0;
    for (let k = 0; k < length; k++, at++) {
      const index = fromFront(numbers[at], named[k]);
      if (index < 0) refuseIndex(indices, at, 0 - named[k], named[k] - 1);
      slice = slice * named[k] + index;
    }
    // No tuple that is still to be read stands here.
    numbers[i] = Math.floor(i / perBatch) * slices + slice;
  }
  return { run: sizeOf(dims, batches + length), rows: numbers.subarray(0, count) };
}

/**
 * GatherND: slices of the data, one for each tuple of indices. The last axis of the indices holds the tuples: k indices
 * name a slice of the data's first k axes, after the `batch_dims` axes that data and indices share. The result has the
 * indices' dims but for the last, then the data's dims after those that the tuple names. A negative index counts from
 * the back.
 * @template {TypeName} T
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike | Naming<GatherNDOptions, 'indices'>} indices an int64 tensor of rank 1 or more, or a list, which
 *   is one tuple
 * @param {GatherNDOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * const indices = { type: 'int64', data: BigInt64Array.of(0n, 0n, 1n, 1n), dims: [2, 2] };
 * gatherND(data, indices).data; // Uint8Array [1, 4]
 */
export const gatherND = (data, indices, options) => runNamed(GatherND, [data, indices], options);
