/** Compress: the slices that a condition chooses. */
import { rangeError, typeError } from '../../arguments/index.js';
import { rowsOf } from '../../engines/tensors/index.js';
import { checkData, sizeOf } from '../../tensor/index.js';
import * as core from '../core/index.js';
import { copiedRows } from './indexed.js';

/** @import { CallOptions, CheckedTensor, CompressAttributes, Operator, Results, Rows, Tensor } from '../types.js' */
/** @import { TensorInfo, TensorLike, TypeName } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo, condition?: TensorInfo }, CompressAttributes>} */
export const Compress = core.define({
  name: 'Compress',
  versions: { 9: 3, 11: 3, 28: 4 },
  negativeAxis: 11,
  inputs: [core.tensor('input'), core.tensor('condition', core.integerCheck('condition', ['bool']))],
  attributes: { axis: core.integer(undefined) },
  /** Plans the slices that are kept: `rows` of `run` elements each, in each of `blocks` blocks of `step` rows. Without
   * an axis, they are the elements of the flattened input. */
  shape({ schema }, { axis: axisOption }, { dims }, condition) {
    core.checkHasAxis('input', dims?.length);
    if (condition.dims && condition.dims.length !== 1)
      typeError(`condition must be 1-D, got rank ${condition.dims.length}`);
    const axis = axisOption === undefined ? undefined : core.readAxis(axisOption, 0, dims?.length, schema.negativeAxis);
    const extent = dims && (axis === undefined ? core.product(dims) : dims[axis]);
    const length = condition.dims ? condition.dims[0] : null;
    // ONNX does not speak of a longer condition, whose last entries would choose nothing.
    if (!core.isUnknown(extent) && !core.isUnknown(length) && length > extent)
      rangeError(`condition must have at most ${extent} entries, got ${length}`);
    // Inference does not know how many entries are true.
    const rows = condition.data && indicesOfTrue(condition);
    const count = rows ? rows.length : null;
    if (axis === undefined) return { dims: [count], rows, run: 1 };
    if (!dims) return { dims };
    const blocks = sizeOf(dims, 0, axis);
    const run = sizeOf(dims, axis + 1);
    return { dims: dims.with(axis, count), rows, run, blocks, step: dims[axis] };
  },
  /** Copies the rows that the plan lists, the same ones of each block. */
  move: copiedRows(({ rows, run, blocks, step }, [{ size }]) => ({ run, rows, blocks, step, size })),
});

/** Lists the indices at which a condition is true. By the engine, which reads a bool as an index of an axis of extent
 * 1, true as 0 and false as none, and lists the places of the bools that are an index.
 * @type {(condition: CheckedTensor) => Rows['rows']} */
function indicesOfTrue(condition) {
  const { dtype, size } = condition;
  const boolAxis = { extent: 1, stride: 0 };
  const conditionAxis = { extent: size, stride: 1 };
  const axes = [boolAxis.extent, boolAxis.stride, conditionAxis.extent, conditionAxis.stride];
  return rowsOf({ length: 1, axes, isSigned: false, size }, dtype, checkData(condition));
}

/**
 * Compress: the slices along an axis where the condition is true.
 *
 * A condition that is shorter than the axis leaves out the rest; a longer one is refused.
 * @template {TypeName} T
 * @param {TensorLike<T>} input of rank 1 or more
 * @param {TensorLike} condition of type bool and rank 1
 * @param {CompressAttributes & Results & CallOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const condition = { type: 'bool', data: Uint8Array.of(0, 1, 1), dims: [3] };
 * compress({ type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] }, condition).data; // Uint8Array [2, 3]
 */
export const compress = (input, condition, options) => core.run(Compress, [input, condition], options);
