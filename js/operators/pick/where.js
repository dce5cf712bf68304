/** Where: of two tensors, the elements that a condition chooses. */
import { rangeError, typeError } from '../../arguments/index.js';
import { select, stridesOf } from '../../engines/tensors/index.js';
import { sizeOf } from '../../tensor/index.js';
import { broadcastDims, define, filled, integerCheck, run, tensor } from '../core/index.js';

/** @import { CallOptions, DType, Dim, Operator, Results, Tensor, TensorInfo, TensorLike } from '../types.js' */
/** @import { TypeCheck, TypeName } from '../types.js' */

/** Checks the type of Y, which must be that of X.
 * @type {TypeCheck} */
const sameType = ({ name }, _, [, { dtype }]) => {
  if (name !== dtype.name) typeError(`Y must have the type of X, ${dtype.name}, got ${name}`);
};

/** @type {Operator<{ condition?: TensorInfo, X?: TensorInfo, Y?: TensorInfo }, {}>} */
export const Where = define({
  name: 'Where',
  versions: { 9: 3, 16: 4 },
  inputs: [tensor('condition', integerCheck('condition', ['bool'])), tensor('X'), tensor('Y', sameType)],
  shape(_, _attributes, { dims: mask }, { dtype, dims: first }, { dims: second }) {
    const all = [mask, first, second];
    if (all.includes(null)) return { dims: null, dtype };
    const refuse = () => {
      const [maskDims, firstDims, secondDims] = all.map(showDims);
      return rangeError(`condition, X and Y must broadcast, got dims ${maskDims}, ${firstDims} and ${secondDims}`);
    };
    return { dims: broadcastDims(all, refuse), dtype, all };
  },
  move: filled(({ dims, dtype, all }, data, [mask, first, second]) => {
    if (sizeOf(dims) === 0) return;
    const strides = all.map((/** @type {number[]} */ inputDims) => broadcastStrides(inputDims, dims));
    select(/** @type {DType} */ (dtype).bits, { extents: dims, strides }, mask, first, second, data);
  }),
});

/** Shows dims in a message, with ? for an unknown extent.
 * @type {(dims: readonly Dim[]) => string} */
const showDims = (dims) => `[${dims.map((extent) => extent ?? '?').join(', ')}]`;

/** Gives the strides of an input broadcast to the target dims: 0 where an element is read again.
 * @type {(dims: readonly number[], target: readonly number[]) => number[]} */
function broadcastStrides(dims, target) {
  const strides = stridesOf(dims);
  const added = target.length - dims.length;
  return target.map((_, i) => (i < added || dims[i - added] === 1 ? 0 : strides[i - added]));
}

/**
 * Where: the elements of X where the condition is true, and those of Y where it is false. All three broadcast to one
 * shape, as NumPy's `where` does it.
 * @template {TypeName} T
 * @param {TensorLike} condition of type bool
 * @param {TensorLike<T>} X
 * @param {TensorLike} Y of the type of X
 * @param {Results & CallOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const condition = { type: 'bool', data: Uint8Array.of(1, 0, 1), dims: [3] };
 * const X = { type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] };
 * const Y = { type: 'uint8', data: Uint8Array.of(9), dims: [] };
 * where(condition, X, Y).data; // Uint8Array [1, 9, 3]
 */
export const where = (condition, X, Y, options) => run(Where, [condition, X, Y], options);
