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
  /** Plans the result: its dims, to which those of all inputs broadcast, and the dims of the inputs. */
  shape(_call, _attributes, condition, X, Y) {
    const { dtype } = X;
    const inputDims = [condition.dims, X.dims, Y.dims];
    if (inputDims.includes(null)) return { dims: null, dtype };
    const refuse = () => {
      const [conditionDims, dimsOfX, dimsOfY] = inputDims.map(showDims);
      return rangeError(`condition, X and Y must broadcast, got dims ${conditionDims}, ${dimsOfX} and ${dimsOfY}`);
    };
    return { dims: broadcastDims(inputDims, refuse), dtype, inputDims };
  },
  /** Writes, for each place of the result, the element of X or Y there. */
  move: filled(({ dims, dtype, inputDims }, data, [condition, X, Y]) => {
    if (sizeOf(dims) === 0) return;
    const strides = inputDims.map((/** @type {number[]} */ ownDims) => broadcastStrides(ownDims, dims));
    select(/** @type {DType} */ (dtype).bits, { extents: dims, strides }, condition, X, Y, data);
  }),
});

/** Shows dims in a message, with ? for an unknown extent.
 * @type {(dims: readonly Dim[]) => string} */
const showDims = (dims) => `[${dims.map((extent) => extent ?? '?').join(', ')}]`;

/** Gives the strides of an input broadcast to the target dims: 0 along an axis on which it repeats its one element.
 * @type {(dims: readonly number[], target: readonly number[]) => number[]} */
function broadcastStrides(dims, target) {
  const strides = stridesOf(dims);
  const addedAxes = target.length - dims.length;
  return target.map((_, i) => {
    const axis = i - addedAxes;
    const isRepeated = axis < 0 || dims[axis] === 1;
    return isRepeated ? 0 : strides[axis];
  });
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
