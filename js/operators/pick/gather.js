/** Gather, GatherElements and GatherND: elements and slices by their indices. */
import { rangeError, showList } from '../../arguments/index.js';
import { stridesOf } from '../../engines/tensors/index.js';
import { rankLimit, sizeOf } from '../../tensor/index.js';
import * as core from '../core/index.js';
import { indexed } from './indexed.js';

/** @import { Dim, GatherAttributes, GatherElementsAttributes, GatherElementsOptions } from '../types.js' */
/** @import { GatherNDAttributes, GatherNDOptions, GatherOptions, IndicesLike, Int64 } from '../types.js' */
/** @import { Naming, Open, Operator, Tensor, TensorInfo, TensorLike, TuplesOf, TypeName, Value } from '../types.js' */

/* A tuple of `length` indices names a row of the data: `run` contiguous elements. Each list `axes` below has an
 * extent and a stride for each axis that decides which row that is: the axes of the data that indices name, then those
 * of the indices. The number of the row is a sum over these axes: of the index, or of the place of the index, times the
 * stride. `isSigned`: negative indices count from the back. All tuples are used again in each of `blocks` blocks, which
 * begin `step` rows apart. */

/** The stride of an axis of the indices along which the place of an index does not change its row. */
const noStride = 0;

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, GatherAttributes>} */
export const Gather = core.define({
  name: 'Gather',
  versions: { 1: 3, 11: 3, 13: 4 },
  negativeAxis: 1,
  inputs: [core.tensor('data'), core.indices('indices', core.indexTypes)],
  attributes: { axis: core.integer(0) },
  /** Plans the result: the data's dims with those of the indices in the place of the axis. */
  shape(_, { axis: axisOption }, { dims }, { dims: indexDims, value: knownIndices }) {
    core.checkHasAxis('data', dims?.length);
    const axis = core.readAxis(axisOption, 0, dims?.length);
    if (dims && indexDims) core.checkRank(dims.length + indexDims.length - 1, rankLimit);
    if (dims && knownIndices !== undefined) checkKnownIndices(knownIndices, dims[axis]);
    return { dims: dims && indexDims && replaceAxis(dims, axis, indexDims), axis };
  },
  /** Describes indices of one axis. A row is all elements at one index of it; a block, in which all indices are used,
   * is all rows at one index of the axes before it. */
  move: indexed(({ axis }, dims, indexDims) => {
    const run = sizeOf(dims, axis + 1);
    const rowsInBlock = dims[axis];
    const rowStride = 1;
    const axes = [rowsInBlock, rowStride, sizeOf(indexDims), noStride];
    const blocks = sizeOf(dims, 0, axis);
    return { run, blocks, step: rowsInBlock, isSigned: true, length: 1, axes };
  }),
  /** Picks the data's known elements, as those of a shape are, at known indices; null at unknown ones. */
  value(_, { value: elements }, { value: indices }) {
    if (!Array.isArray(elements) || indices === undefined) return undefined;
    const elementAt = (/** @type {Int64 | Open} */ index) =>
      core.isUnknown(index) ? null : (elements.at(Number(index)) ?? null);
    return Array.isArray(indices) ? indices.map(elementAt) : elementAt(indices);
  },
});

/** Puts other extents in the place of that of one axis. By loops: to spread takes longer.
 * @type {(dims: Dim[], axis: number, others: Dim[]) => Dim[]} */
function replaceAxis(dims, axis, others) {
  const addedAxes = others.length - 1;
  const replaced = new Array(dims.length + addedAxes);
  for (let i = 0; i < axis; i++) replaced[i] = dims[i];
  for (let i = 0; i < others.length; i++) replaced[axis + i] = others[i];
  for (let i = axis + 1; i < dims.length; i++) replaced[addedAxes + i] = dims[i];
  return replaced;
}

/** Refuses known indices that are beyond an axis of this extent.
 * @type {(indices: Value, extent: Dim) => void} */
function checkKnownIndices(indices, extent) {
  if (core.isUnknown(extent)) return;
  [indices].flat().forEach((index, i) => {
    const isWithin = core.isUnknown(index) || (index >= -extent && index < extent);
    if (!isWithin) rangeError(`indices must be in [${0 - extent}, ${extent - 1}], got ${index} at ${i}`);
  });
}

/**
 * Gather: slices of the data along one axis, in the order of the indices. The result has the dims of the indices in
 * place of the axis, so an index that is a number, or a scalar, drops the axis. A negative index counts from the back.
 * @template {TypeName} T
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike | Naming<GatherOptions, 'indices'>} indices in [-extent, extent - 1] of the axis: a number, a
 *   list, or an int32 or int64 tensor
 * @param {GatherOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [3, 2] };
 * gather(data, [2, 0, 0]).data; // Uint8Array [5, 6, 1, 2, 1, 2]
 */
export const gather = (data, indices, options) => core.runNamed(Gather, [data, indices], options);

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, GatherElementsAttributes>} */
export const GatherElements = core.define({
  name: 'GatherElements',
  versions: { 11: 3, 13: 4 },
  negativeAxis: 11,
  inputs: [core.tensor('data'), core.indices('indices', core.indexTypes)],
  attributes: { axis: core.integer(0) },
  /** Plans a result of the indices' dims, which must fit the data's. */
  shape(_, { axis: axisOption }, { dims }, { dims: indexDims }) {
    core.checkHasAxis('data', dims?.length);
    const axis = core.readAxis(axisOption, 0, dims?.length);
    if (dims && indexDims) checkIndexDims(dims, indexDims, axis);
    return { dims: indexDims, axis };
  },
  move: indexed(elementTuples),
});

/** Refuses indices of another rank than the data, or of larger known extents on an axis other than `axis`.
 * @type {(dims: readonly Dim[], indexDims: readonly Dim[], axis: number) => void} */
export function checkIndexDims(dims, indexDims, axis) {
  const rank = dims.length;
  const indicesRank = indexDims.length;
  if (indicesRank !== rank) rangeError(`indices must have rank ${rank} as data has, got rank ${indicesRank}`);
  const fits = indexDims.every((extent, i) => {
    const limit = dims[i];
    return i === axis || core.isUnknown(extent) || core.isUnknown(limit) || extent <= limit;
  });
  if (fits) return;
  const limits = dims.map((extent, i) => (i === axis || extent === null ? '?' : extent));
  const shownLimits = showList(limits).replaceAll("'", ''); // symbols without their quotes
  rangeError(`indices dims must be at most ${shownLimits}, got ${showList(indexDims)}`);
}

/** Describes indices that each name one element of the data, which has the index as its place along `axis`, and on the
 * other axes the place of the index itself. A row is one element.
 * @type {TuplesOf} */
export function elementTuples({ axis }, dims, indexDims) {
  const strides = stridesOf(dims);
  const axes = [dims[axis], strides[axis]];
  for (let i = 0; i < dims.length; i++) {
    const stride = i === axis ? noStride : strides[i];
    axes.push(indexDims[i], stride);
  }
  return { run: 1, isSigned: true, length: 1, axes };
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
export const gatherElements = (data, indices, options) => core.runNamed(GatherElements, [data, indices], options);

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo }, GatherNDAttributes>} */
export const GatherND = core.define({
  name: 'GatherND',
  versions: { 11: 3, 12: 3, 13: 4 },
  inputs: [core.tensor('data'), core.indices('indices', core.int64Only)],
  attributes: { batch_dims: core.integer(0, { least: 0, since: 12 }) },
  /** Plans a slice of the data for each tuple of indices. `batchRank`: how many first axes both share, for the move. */
  shape(_, { batch_dims: batchDims }, { dims }, { dims: indexDims }) {
    core.checkHasAxis('data', dims?.length);
    core.checkHasAxis('indices', indexDims?.length);
    return { dims: dims && indexDims && tupleDims(dims, indexDims, batchDims), batchRank: Number(batchDims) };
  },
  move: indexed(sliceTuples),
});

/** Finds the dims of a result of GatherND: those of the indices without the last, then those of the data behind the
 * axes of the batch and those that tuples name; null where the length of the tuples is unknown.
 * @type {(dims: readonly Dim[], indexDims: readonly Dim[], batchDims: Int64) => Dim[] | null} */
export function tupleDims(dims, indexDims, batchDims) {
  const lowerRank = Math.min(dims.length, indexDims.length);
  if (batchDims >= lowerRank) rangeError(`batch_dims must be in [0, ${lowerRank - 1}], got ${batchDims}`);
  const batchRank = Number(batchDims);
  checkBatch(dims.slice(0, batchRank), indexDims.slice(0, batchRank));
  const tupleAxis = indexDims.length - 1;
  const length = indexDims[tupleAxis];
  if (core.isUnknown(length)) return null;
  const maxLength = dims.length - batchRank;
  if (length < 1 || length > maxLength)
    rangeError(`indices must hold tuples of 1 to ${maxLength} indices, got ${length}`);
  const sliceRank = maxLength - length;
  core.checkRank(tupleAxis + sliceRank, rankLimit);
  return [...indexDims.slice(0, tupleAxis), ...dims.slice(batchRank + length)];
}

/** Refuses axes of the batch that have other extents in the indices than in the data, as far as both are known.
 * @type {(dims: readonly Dim[], indexDims: readonly Dim[]) => void} */
function checkBatch(dims, indexDims) {
  const areSame = dims.every((extent, i) => {
    const indexExtent = indexDims[i];
    return core.isUnknown(extent) || core.isUnknown(indexExtent) || extent === indexExtent;
  });
  if (!areSame) rangeError(`indices dims must begin with those of data ${showList(dims)}, got ${showList(indexDims)}`);
}

/** Describes tuples of indices, which lie on the last axis of the indices. Each names a slice of the data, which is a
 * row. The data and the indices share their first `batchRank` axes, and a tuple names a slice of its own batch.
 * @type {TuplesOf} */
export function sliceTuples({ batchRank }, dims, indexDims) {
  const tupleAxis = indexDims.length - 1;
  const length = indexDims[tupleAxis];
  const namedDims = dims.slice(batchRank, batchRank + length);
  const strides = stridesOf(namedDims);
  /** @type {number[]} */
  const axes = [];
  for (let i = 0; i < length; i++) axes.push(namedDims[i], strides[i]);
  const batches = sizeOf(indexDims, 0, batchRank);
  const slicesPerBatch = sizeOf(namedDims);
  const tuplesPerBatch = sizeOf(indexDims, batchRank, tupleAxis);
  // Then the axes of the tuples: those of the next batch name slices of the next batch of the data.
  axes.push(batches, slicesPerBatch);
  axes.push(tuplesPerBatch, noStride);
  return { run: sizeOf(dims, batchRank + length), isSigned: true, length, axes };
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
export const gatherND = (data, indices, options) => core.runNamed(GatherND, [data, indices], options);
