/** OneHot: indices as vectors of one value that is on. */
import { bytesOf, rangeError, show, typeError } from '../../arguments/index.js';
import { convertBytes, rowsOf, scatterRows } from '../../engines/tensors/index.js';
import { dtypes, newData, rankLimit, sizeOf } from '../../tensor/index.js';
import * as core from '../core/index.js';

/** @import { DType, Dim, Naming, OneHotAttributes, OneHotOptions, Operator, Tensor } from '../types.js' */
/** @import { Plan, ReadInputs, Rows, TensorData, TensorInfo, TensorLike } from '../types.js' */

/** The first version whose indices and axis may count from the back. */
const firstWithNegative = 11;

/** The types that indices and depth may have. */
const numberTypes = Object.freeze(
  /** @type {const} */ ([
    ...['uint8', 'uint16', 'uint32', 'uint64', 'int8', 'int16', 'int32', 'int64'],
    ...['float16', 'float32', 'float64'],
  ]),
);

/** @type {Operator<{ indices?: TensorInfo, depth?: TensorInfo, values?: TensorInfo }, OneHotAttributes>} */
export const OneHot = core.define({
  name: 'OneHot',
  versions: { 9: 3, 11: 3, 28: 4 },
  inputs: [
    core.tensor('indices', core.integerCheck('indices', numberTypes)),
    core.number('depth', core.integerCheck('depth', numberTypes)),
    core.tensor('values'),
  ],
  attributes: { axis: core.integer(-1) },
  /** Plans the result: the indices' dims, with an axis of the extent `depth` added. */
  shape({ schema }, { axis: axisOption }, { dims }, { value: depthValue }, { dtype, dims: valuesDims }) {
    if (valuesDims) checkOffAndOn(valuesDims);
    const depth = readDepth(depthValue);
    const rank = dims ? dims.length + 1 : undefined;
    if (rank !== undefined) core.checkRank(rank, rankLimit);
    const takesNegative = schema.since >= firstWithNegative;
    // OneHot-9 has no negative axis but -1.
    const takesAxisFromBack = takesNegative || Number(axisOption) === -1;
    const axis = core.readAxis(axisOption, -1, rank, takesAxisFromBack);
    return { dims: dims && dims.toSpliced(axis, 0, depth), dtype, axis, isSigned: takesNegative };
  },
  /** Fills the result with the element that is off, and writes the one that is on where the indices say. */
  move: core.filled(({ dims, dtype: planned, axis, isSigned }, data, [_indices, _depth, values], indices) => {
    const dtype = /** @type {DType} */ (planned);
    const size = sizeOf(dims);
    if (size === 0) return;
    fillWith(dtype, values, offIndex, data, size);
    const placesOn = elementsThatAreOn(dims, axis, isSigned, indices);
    const count = placesOn.length;
    const elementsOn = newData(dtype, count, values);
    if (count > 0) fillWith(dtype, values, onIndex, elementsOn, count);
    const oneElementRows = { run: 1, rows: placesOn, size };
    scatterRows(dtype.bits, oneElementRows, elementsOn, data);
  }, indicesAsFloat64),
});

/** The places in the input `values`. */
const offIndex = 0;
const onIndex = 1;

/** Refuses `values` whose dims are known to be other than [2].
 * @type {(dims: readonly Dim[]) => void} */
function checkOffAndOn(dims) {
  if (dims.length !== 1) typeError(`values must be 1-D, got rank ${dims.length}`);
  const [count] = dims;
  if (!core.isUnknown(count) && count !== 2) rangeError(`values must hold off and on, got ${count} entries`);
}

/** Reads the depth, a number that is cut to a whole one; null where inference does not know it.
 * @type {(value: number | bigint | string | null | undefined) => number | null} */
function readDepth(value) {
  if (value === undefined || core.isUnknown(value)) return null;
  const depth = Math.trunc(Number(value));
  if (!(depth >= 0 && depth < Infinity)) rangeError(`depth must be at least 0, got ${show(value)}`);
  return depth;
}

/** Copies the element of `values` at `index` to each of the first `size` elements of `data`.
 * @type {(dtype: DType, values: TensorData, index: number, data: TensorData, size: number) => void} */
function fillWith(dtype, values, index, data, size) {
  const repeatingStride = 0;
  const repeated = { dims: [size], extents: [size], strides: [repeatingStride], first: index };
  const denseStride = 1;
  const firstElement = 0;
  core.copyInto(dtype, repeated, values, data, [denseStride], firstElement);
}

/** Lists the places of the elements of the result, which has `dims`, that the indices name; those of indices beyond the
 * axis are left out. `isSigned`: whether a negative index counts from the back.
 * @type {(dims: number[], axis: number, isSigned: boolean, indices: Float64Array) => Rows['rows']} */
function elementsThatAreOn(dims, axis, isSigned, indices) {
  const outer = sizeOf(dims, 0, axis);
  const depth = dims[axis];
  const inner = sizeOf(dims, axis + 1);
  // The place of an element is the sum, over these axes, of an index times a stride.
  const namedAxis = { extent: depth, stride: inner };
  const outerAxis = { extent: outer, stride: depth * inner };
  const innerAxis = { extent: inner, stride: 1 };
  const axes = [namedAxis, outerAxis, innerAxis].flatMap(({ extent, stride }) => [extent, stride]);
  const indicesPerPlace = 1;
  // Without a function that refuses them, indices beyond the axis are left out.
  return rowsOf({ length: indicesPerPlace, axes, isSigned, size: sizeOf(dims) }, dtypes.float64, indices);
}

/** Converts the indices, numbers of any type, to float64, which `rowsOf` cuts to whole numbers.
 * @type {(plan: Plan, values: ReadInputs, sources: TensorData[]) => Float64Array} */
function indicesAsFloat64(_, [{ dtype, size }], [source]) {
  const list = new Float64Array(size);
  convertBytes(dtype, dtypes.float64, size, bytesOf(source), bytesOf(list));
  return list;
}

/**
 * OneHot: for each index a vector of `depth` elements, which are `values[0]` but for `values[1]` at the index. The
 * vectors lie on a new axis. A vector whose index is not in [-depth, depth - 1] is off everywhere; below opset 11 so is
 * that of a negative index.
 *
 * Floats among indices and depth are cut to whole numbers.
 * @overload
 * @param {TensorLike} indices of a number type, of any rank
 * @param {number | bigint | TensorLike} depth at least 0
 * @param {TensorLike | Naming<OneHotOptions, 'values'>} values of rank 1: off and on
 * @param {OneHotOptions} [options]
 * @returns {Tensor} of the type of `values`, with memory of its own, or over `out.data`
 * @example
 * const indices = { type: 'int32', data: Int32Array.of(1, -1), dims: [2] };
 * const values = { type: 'uint8', data: Uint8Array.of(0, 1), dims: [2] };
 * oneHot(indices, 3, values).data; // Uint8Array [0, 1, 0, 0, 0, 1]
 */
/**
 * @overload
 * @param {TensorLike} indices
 * @param {Naming<OneHotOptions, 'depth' | 'values'>} options
 * @returns {Tensor}
 */
/** @param {unknown} indices @param {unknown} depth @param {unknown} [values] @param {unknown} [options] */
export function oneHot(indices, depth, values, options) {
  return core.runNamed(OneHot, [indices, depth, values], options);
}
