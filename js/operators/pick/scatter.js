/** ScatterElements and ScatterND: a tensor with updates at places of it. */
import { rangeError, readWord, showList, typeError } from '../../arguments/index.js';
import { reduceRows, scatterRows } from '../../engines/tensors/index.js';
import * as core from '../core/index.js';
import { checkIndexDims, elementTuples, sliceTuples, tupleDims } from './gather.js';
import { rowsNamedBy } from './indexed.js';

/** @import { DType, Dim, IndicesLike, Move, Naming, Operator, Reduction } from '../types.js' */
/** @import { ScatterElementsAttributes, ScatterElementsOptions, ScatterNDAttributes } from '../types.js' */
/** @import { ScatterNDOptions, Tensor, TensorInfo, TensorLike, TuplesOf, TypeName } from '../types.js' */

const firstReductions = ['none', 'add', 'mul'];
const reductionsFrom18 = [...firstReductions, 'max', 'min'];

/** The attribute that says how an update joins the element at its place. */
const reduction = core.attribute(
  (name, value, { schema }) => readWord(name, schema.since < 18 ? firstReductions : reductionsFrom18, value),
  'none',
  { since: 16 },
);

/** Declares the input `updates`, whose type must be that of the first input, the data. */
const updates = core.tensor('updates', ({ name }, _, [{ dtype }]) => {
  if (name !== dtype.name) typeError(`updates must have the type of data, ${dtype.name}, got ${name}`);
});

/** Refuses a reduction that a type lacks: strings have none, complex numbers no maximum or minimum.
 * @type {(dtype: DType, reduction: Reduction) => void} */
function checkReduction({ name, format }, reduction) {
  const isReducedText = format.kind === 'string' && reduction !== 'none';
  const isOrderedComplex = format.kind === 'complex' && (reduction === 'max' || reduction === 'min');
  if (isReducedText || isOrderedComplex) typeError(`reduction ${reduction} needs other types, got ${name}`);
}

/** Refuses updates that have other dims than `expected`, as far as both are known.
 * @type {(updateDims: Dim[] | null, expected: Dim[] | null) => void} */
function checkUpdates(updateDims, expected) {
  if (!updateDims || !expected) return;
  const mayBeSame = (/** @type {Dim} */ extent, /** @type {number} */ i) =>
    core.isUnknown(extent) || core.isUnknown(expected[i]) || extent === expected[i];
  if (updateDims.length !== expected.length || !updateDims.every(mayBeSame))
    rangeError(`updates dims must be ${showList(expected)}, got ${showList(updateDims)}`);
}

/** Makes the move that copies the data and writes updates to rows of the copy, or joins both by the plan's reduction.
 * `tuplesOf` describes how the indices name these rows, whose numbers are in `rows`.
 * @type {(tuplesOf: TuplesOf) => Move} */
const updated = (tuplesOf) =>
  core.filled(({ dims, dtype: planned, reduction: reductionName }, data, [source, _indices, updateData], rows) => {
    const dtype = /** @type {DType} */ (planned);
    core.copyView(dtype, core.wholeView(dims), source, data);
    if (reductionName === 'none') scatterRows(dtype.bits, rows, updateData, data);
    else reduceRows(dtype, reductionName, rows, updateData, data);
  }, rowsNamedBy(tuplesOf));

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo, updates?: TensorInfo }, ScatterElementsAttributes>} */
export const ScatterElements = core.define({
  name: 'ScatterElements',
  versions: { 11: 3, 13: 4, 16: 4, 18: 4 },
  negativeAxis: 11,
  inputs: [core.tensor('data'), core.indices('indices', core.indexTypes), updates],
  attributes: { axis: core.integer(0), reduction },
  /** Plans a result of the data's dims; the updates have the dims of the indices. */
  shape(_, attributes, { dtype, dims }, { dims: indexDims }, { dims: updateDims }) {
    checkReduction(dtype, attributes.reduction);
    core.checkHasAxis('data', dims?.length);
    const axis = core.readAxis(attributes.axis, 0, dims?.length);
    if (dims && indexDims) checkIndexDims(dims, indexDims, axis);
    checkUpdates(updateDims, indexDims);
    return { dims, axis, reduction: attributes.reduction };
  },
  move: updated(elementTuples),
});

/**
 * ScatterElements: the data, where the update at [i, j] goes, for axis 0, to [indices[i, j], j]. A negative index
 * counts from the back.
 *
 * Updates come in row-major order, so the last one of a place stays; a reduction
 * rounds to the type after each. Integers wrap; of bool, `add` and `max` are or, `mul` and `min` are and; the maximum
 * or minimum with NaN is NaN.
 * @template {TypeName} T
 * @overload
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike} indices as `gatherElements` has them
 * @param {TensorLike | Naming<ScatterElementsOptions, 'updates'>} updates of the data's type and the indices' dims
 * @param {ScatterElementsOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] };
 * const updates = { type: 'uint8', data: Uint8Array.of(8, 9), dims: [2] };
 * scatterElements(data, [2, 0], updates).data; // Uint8Array [9, 2, 8]
 */
/**
 * @template {TypeName} T
 * @overload
 * @param {TensorLike<T>} data
 * @param {Naming<ScatterElementsOptions, 'indices' | 'updates'>} options
 * @returns {Tensor<T>}
 */
/** @param {unknown} data @param {unknown} indices @param {unknown} [updates] @param {unknown} [options] */
export function scatterElements(data, indices, updates, options) {
  return core.runNamed(ScatterElements, [data, indices, updates], options);
}

/** @type {Operator<{ data?: TensorInfo, indices?: TensorInfo, updates?: TensorInfo }, ScatterNDAttributes>} */
export const ScatterND = core.define({
  name: 'ScatterND',
  versions: { 11: 3, 13: 4, 16: 4, 18: 4 },
  inputs: [core.tensor('data'), core.indices('indices', core.int64Only), updates],
  attributes: { reduction },
  /** Plans a result of the data's dims; the updates have the dims that GatherND would give. */
  shape(_, attributes, { dtype, dims }, { dims: indexDims }, { dims: updateDims }) {
    checkReduction(dtype, attributes.reduction);
    core.checkHasAxis('data', dims?.length);
    core.checkHasAxis('indices', indexDims?.length);
    const batchRank = 0;
    checkUpdates(updateDims, dims && indexDims && tupleDims(dims, indexDims, batchRank));
    return { dims, reduction: attributes.reduction, batchRank };
  },
  move: updated(sliceTuples),
});

/**
 * ScatterND: the data, where each tuple of indices names the slice that takes the update of its place. A negative index
 * counts from the back.
 *
 * Updates come in order and are reduced as of `scatterElements`.
 * @template {TypeName} T
 * @overload
 * @param {TensorLike<T>} data of rank 1 or more
 * @param {IndicesLike} indices as `gatherND` has them, without batch axes
 * @param {TensorLike | Naming<ScatterNDOptions, 'updates'>} updates of the data's type: the indices' dims but for the
 *   last, then the slice's dims
 * @param {ScatterNDOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const data = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4), dims: [2, 2] };
 * scatterND(data, [1], { type: 'uint8', data: Uint8Array.of(8, 9), dims: [2] }).data; // Uint8Array [1, 2, 8, 9]
 */
/**
 * @template {TypeName} T
 * @overload
 * @param {TensorLike<T>} data
 * @param {Naming<ScatterNDOptions, 'indices' | 'updates'>} options
 * @returns {Tensor<T>}
 */
/** @param {unknown} data @param {unknown} indices @param {unknown} [updates] @param {unknown} [options] */
export function scatterND(data, indices, updates, options) {
  return core.runNamed(ScatterND, [data, indices, updates], options);
}
