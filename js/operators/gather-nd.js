/** GatherND: for each tuple of indices, the slice that it names. */
import { rangeError, readWhole, showList } from '../arguments/index.js';
import { rankLimit, readTensor, sizeOf } from '../tensor/index.js';
import { checkHasAxis } from './axes.js';
import { moving, checkKeys } from './call.js';
import { checkRank, isUnknown } from './extents.js';
import { fromFront, indexedTensor, readIndices } from './indices.js';
import { int64Only, integerCheck } from './integers.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';

/** @import { Int64 } from '../arguments/index.js' */
/** @import { Rows } from '../engine/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { IndicesLike, Refuse, RowsOf } from './indices.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [batch_dims] from opset 12: so many axes in front that data and indices share; 0 if
 *   omitted
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, Attributes>} */
export const GatherND = operator({
  name: 'GatherND',
  versions: [
    [11, 3],
    [12, 3, { attributes: ['batch_dims'] }],
    [13, 4],
  ],
  inputs: ['data', 'indices'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    checkHasAxis('data', dims?.length);
    const batches = readBatchDims(options?.batch_dims);
    const indices = readKnown('indices', inputs.indices, integerCheck('indices', int64Only));
    checkHasAxis('indices', indices.dims?.length);
    return { type: dtype.name, dims: dims && indices.dims && tupleDims(dims, indices.dims, batches) };
  },
  run: ([data, indices], options) => gatherND(data, indices, options),
});

/**
 * GatherND: slices of the data, one for each tuple of indices. The last axis of the indices holds the tuples: k indices
 * name a slice of the data's first k axes, after the `batch_dims` axes that data and indices share. The result has the
 * indices' dims but for the last, then the data's dims after those that the tuple names. A negative index counts from
 * the back.
 *
 * ONNX GatherND-11, 12, 13.
 * @param {TensorLike} data of rank 1 or more
 * @param {IndicesLike} indices an int64 tensor of rank 1 or more, or a list, which is one tuple
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option, indices of another type
 * @throws {RangeError} batch_dims or an index out of range, tuples of no index or of too many, batch axes that differ,
 *   out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * const indices = { type: 'int64', data: BigInt64Array.of(0n, 0n, 1n, 1n), dims: [2, 2] };
 * gatherND(data, indices).data; // Uint8Array [1, 4]
 */
export function gatherND(data, indices, options) {
  return moving(GatherND, options, (call) => {
    const parts = readTensor('data', data, call.checkType);
    checkKeys(call, options, 'out');
    const { dims } = parts;
    checkHasAxis('data', dims.length);
    const batches = readBatchDims(options?.batch_dims);
    const chosen = readIndices('indices', indices, int64Only);
    const target = options?.out;
    checkHasAxis('indices', chosen.dims.length);
    const result = /** @type {number[]} */ (tupleDims(dims, chosen.dims, batches));
    const named = dims.slice(0, Number(batches) + chosen.dims[chosen.dims.length - 1]);
    /** @type {RowsOf} */
    const rowsOf = (numbers, refuse) => tupleRows(numbers, refuse, dims, chosen.dims, Number(batches));
    const limit = Math.max(sizeOf(named), ...named);
    return indexedTensor('data', parts, chosen, result, limit, rowsOf, target);
  });
}

/**
 * @param {number | bigint | undefined} given
 * @returns {Int64}
 */
function readBatchDims(given) {
  const batches = given === undefined ? 0 : readWhole('batch_dims', given);
  if (batches < 0) rangeError(`batch_dims must be at least 0, got ${batches}`);
  return batches;
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {readonly E[]} dims
 * @param {readonly E[]} indexDims
 * @param {Int64} batchDims
 * @returns {E[] | null} null where the length of the tuples is open
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
  /** @type {Dim} */
  const length = indexDims[indexDims.length - 1];
  if (isUnknown(length)) return null;
  const most = dims.length - batches;
  if (length < 1 || length > most) rangeError(`indices must hold tuples of 1 to ${most} indices, got ${length}`);
  checkRank(indexDims.length - 1 + most - length, rankLimit);
  return [...indexDims.slice(0, -1), ...dims.slice(batches + length)];
}

/**
 * The slices that are copied.
 * @param {Int32Array | Float64Array} numbers
 * @param {Refuse} refuse
 * @param {readonly number[]} dims of the data
 * @param {readonly number[]} indexDims
 * @param {number} batches
 * @returns {Rows}
 */
export function tupleRows(numbers, refuse, dims, indexDims, batches) {
  const length = indexDims[indexDims.length - 1];
  const named = dims.slice(batches, batches + length);
  const slices = sizeOf(named);
  const perBatch = sizeOf(indexDims.slice(batches, -1));
  const count = numbers.length / length;
  for (let i = 0, at = 0; i < count; i++) {
    let slice = 0;
    for (let k = 0; k < length; k++, at++) {
      const index = fromFront(numbers[at], named[k]);
      if (index < 0) refuse(at, 0 - named[k], named[k] - 1);
      slice = slice * named[k] + index;
    }
    // No tuple that is still to be read stands here.
    numbers[i] = Math.floor(i / perBatch) * slices + slice;
  }
  return { run: sizeOf(dims, batches + length), rows: numbers.subarray(0, count) };
}
