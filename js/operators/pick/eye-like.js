/** EyeLike: a matrix of zeros with ones on a diagonal. */
import { rangeError } from '../../arguments/index.js';
import { encodeValues, newData } from '../../tensor/index.js';
import { checkType, copyInto, define, filled, run, tensor, type, integer } from '../core/index.js';

/** @import { CallOptions, DType, EyeLikeAttributes, Operator, Results, Tensor } from '../types.js' */
/** @import { TensorInfo, TensorLike } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo }, EyeLikeAttributes>} */
export const EyeLike = define({
  name: 'EyeLike',
  versions: { 9: 3, 22: 4 },
  lacks: { 9: ['string', 'complex'] },
  undefinedFor: ['string', 'complex'],
  inputs: [tensor('input')],
  attributes: { dtype: type((dtype, call) => checkType(call, 'dtype', dtype), undefined), k: integer(0) },
  /** Plans a matrix of the input's dims, of the type `dtype` or else the input's. `k`: the diagonal, for the move. */
  shape(_, { dtype, k }, { dtype: inputType, dims }) {
    if (dims && dims.length !== 2) rangeError(`input must have rank 2, got rank ${dims.length}`);
    return { dims, dtype: dtype ?? inputType, k: Number(k) };
  },
  /** Fills the data with zeros, and copies a one to each element of the diagonal. */
  move: filled(({ dims, dtype: planned, k }, data) => {
    const dtype = /** @type {DType} */ (planned);
    const [rows, columns] = dims;
    data.fill(dtype.array.startsWith('Big') ? 0n : 0);
    const firstRow = Math.max(0, -k);
    const firstColumn = Math.max(0, k);
    const count = Math.min(rows - firstRow, columns - firstColumn);
    if (count <= 0) return;
    const dataOfOne = newData(dtype, 1);
    encodeValues(dtype, [1], dataOfOne, 1);
    const repeatingStride = 0;
    const repeatedOne = { dims: [count], extents: [count], strides: [repeatingStride], first: 0 };
    const firstOnDiagonal = firstRow * columns + firstColumn;
    const diagonalStride = columns + 1;
    copyInto(dtype, repeatedOne, dataOfOne, data, [diagonalStride], firstOnDiagonal);
  }),
});

/**
 * EyeLike: a matrix of the input's dims, with 1 on diagonal `k` and 0 elsewhere.
 *
 * The input's elements do not matter.
 * @param {TensorLike} input of rank 2
 * @param {EyeLikeAttributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @example
 * eyeLike({ type: 'uint8', data: new Uint8Array(4), dims: [2, 2] }).data; // Uint8Array [1, 0, 0, 1]
 */
export const eyeLike = (input, options) => run(EyeLike, [input], options);
