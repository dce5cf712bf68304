/** OneHot: indices as vectors of one value that is on. */
import { bytesOf, rangeError, show, typeError } from '../../arguments/index.js';
import { convertBytes, rowsOf, scatterRows, strided } from '../../engines/tensors/index.js';
import { dtypes, newData, rankLimit, sizeOf } from '../../tensor/index.js';
import * as core from '../core/index.js';

/** @import { DType, Naming, OneHotAttributes, OneHotOptions, Operator, Tensor } from '../types.js' */
/** @import { Plan, ReadInputs, TensorData, TensorInfo, TensorLike } from '../types.js' */

const numbers = Object.freeze(
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
    core.tensor('indices', core.integerCheck('indices', numbers)),
    core.number('depth', core.integerCheck('depth', numbers)),
    core.tensor('values'),
  ],
  attributes: { axis: core.integer(-1) },
  /** Plans the indices' dims with a new axis of extent `depth`, the second input's value; null where that is unknown.
   */
  shape({ schema: { since } }, { axis: axisOption }, { dims }, { value }, { dtype, dims: pair }) {
    if (pair && pair.length !== 1) typeError(`values must be 1-D, got rank ${pair.length}`);
    if (pair && !core.isUnknown(pair[0]) && pair[0] !== 2)
      rangeError(`values must hold off and on, got ${pair[0]} entries`);
    const depth = value === undefined || core.isUnknown(value) ? null : Math.trunc(Number(value));
    if (depth !== null && !(depth >= 0 && depth < Infinity)) rangeError(`depth must be at least 0, got ${show(value)}`);
    // The vectors lie on a new axis.
    if (dims) core.checkRank(dims.length + 1, rankLimit);
    // OneHot-9 has no negative axis but -1.
    const axis = core.readAxis(
      axisOption,
      -1,
      dims ? dims.length + 1 : undefined,
      since >= 11 || Number(axisOption) === -1,
    );
    return { dims: dims && dims.toSpliced(axis, 0, depth), dtype, axis, isSigned: since >= 11 };
  },
  move: core.filled(({ dims, dtype: held, axis, isSigned }, data, [, , values], indices) => {
    const dtype = /** @type {DType} */ (held);
    const size = sizeOf(dims);
    if (size === 0) return;
    // Fill with the value that is off, then write the one that is on to each place that an index names.
    core.moveElements(dtype, strided, [size], [0, 0, 0, 1], [values], [data]);
    const [depth, inner] = [dims[axis], sizeOf(dims, axis + 1)];
    const axes = [depth, inner, sizeOf(dims, 0, axis), depth * inner, inner, 1];
    const rows = rowsOf({ length: 1, axes, isSigned, size }, dtypes.float64, indices);
    const on = newData(dtype, rows.length, values);
    if (rows.length > 0) core.moveElements(dtype, strided, [rows.length], [1, 0, 0, 1], [values], [on]);
    scatterRows(dtype.bits, { run: 1, rows, size }, on, data);
  }, indicesAsFloat64),
});

/** Converts the indices, which may be floats, to float64.
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
