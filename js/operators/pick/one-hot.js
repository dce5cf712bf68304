/** OneHot: indices as vectors of one value that is on. */
import { bytesOf, rangeError, show, typeError } from '../../arguments/index.js';
import { convertBytes, rowsOf, scatterRows } from '../../engines/tensors/index.js';
import { dtypes, newData, rankLimit, sizeOf } from '../../tensor/index.js';
import * as core from '../core/index.js';

/** @import { DType, Naming, OneHotAttributes, OneHotOptions, Operator, Tensor } from '../types.js' */
/** @import { Plan, ReadInputs, Rows, TensorData, TensorInfo, TensorLike } from '../types.js' */

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
  shape({ schema: { since } }, { axis: axisOption }, { dims }, { value }, { dtype, dims: valuesDims }) {
    if (valuesDims && valuesDims.length !== 1) typeError(`values must be 1-D, got rank ${valuesDims.length}`);
    if (valuesDims && !core.isUnknown(valuesDims[0]) && valuesDims[0] !== 2)
      rangeError(`values must hold off and on, got ${valuesDims[0]} entries`);
    const depth = value === undefined || core.isUnknown(value) ? null : Math.trunc(Number(value));
    if (depth !== null && !(depth >= 0 && depth < Infinity)) rangeError(`depth must be at least 0, got ${show(value)}`);
    const rank = dims ? dims.length + 1 : undefined;
    if (rank !== undefined) core.checkRank(rank, rankLimit);
    // OneHot-9 has no negative axis but -1.
    const takesNegative = since >= 11 || Number(axisOption) === -1;
    const axis = core.readAxis(axisOption, -1, rank, takesNegative);
    return { dims: dims && dims.toSpliced(axis, 0, depth), dtype, axis, isSigned: since >= 11 };
  },
  move: core.filled(({ dims, dtype: planned, axis, isSigned }, data, [, , values], indices) => {
    const dtype = /** @type {DType} */ (planned);
    const size = sizeOf(dims);
    if (size === 0) return;
    fillWith(dtype, values, offIndex, data, size);
    const rows = rowsThatAreOn(dims, axis, isSigned, indices);
    const on = newData(dtype, rows.length, values);
    if (rows.length > 0) fillWith(dtype, values, onIndex, on, rows.length);
    scatterRows(dtype.bits, { run: 1, rows, size }, on, data);
  }, indicesAsFloat64),
});

const [offIndex, onIndex] = [0, 1];

/** Copies the element of `values` at `index` to each of the first `size` elements of `data`.
 * @type {(dtype: DType, values: TensorData, index: number, data: TensorData, size: number) => void} */
function fillWith(dtype, values, index, data, size) {
  const [sameElement, nextElement, firstElement] = [0, 1, 0];
  const repeated = { dims: [size], extents: [size], strides: [sameElement], first: index };
  core.copyInto(dtype, repeated, values, data, [nextElement], firstElement);
}

/** Lists the elements of the result, of `dims`, that the indices name.
 * @type {(dims: number[], axis: number, isSigned: boolean, indices: Float64Array) => Rows['rows']} */
function rowsThatAreOn(dims, axis, isSigned, indices) {
  const [outer, depth, inner] = [sizeOf(dims, 0, axis), dims[axis], sizeOf(dims, axis + 1)];
  // Extents and strides: of the axis that an index names, then of the axes of the indices around it.
  const axes = [...[depth, inner], ...[outer, depth * inner], ...[inner, 1]];
  return rowsOf({ length: 1, axes, isSigned, size: sizeOf(dims) }, dtypes.float64, indices);
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
