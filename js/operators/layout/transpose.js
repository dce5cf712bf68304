/** Transpose: the axes in another order. */
import { rangeError, showList } from '../../arguments/index.js';
import { copied, define, list, permuteAxes, permuted, run, tensor } from '../core/index.js';

/** @import { CallOptions, Int64, Operator, Results, Tensor, TensorInfo, TensorLike, TypeName } from '../types.js' */
/** @import { TransposeAttributes } from '../types.js' */

/** The first version of which ONNX infers the dims of a scalar. */
const firstInferringScalars = 13;

/** @type {Operator<{ data?: TensorInfo }, TransposeAttributes>} */
export const Transpose = define({
  name: 'Transpose',
  versions: { 1: 3, 13: 4, 21: 10, 23: 11, 24: 12, 25: 13 },
  inputs: [tensor('data')],
  attributes: { perm: list() },
  /** Plans the dims in the order of `perm`, which the plan keeps as `order`; undefined reverses the axes. */
  shape(_, { perm }, { dims }) {
    const order = orderOf(perm, dims?.length);
    return { dims: dims && permuted(dims, order), order };
  },
  move: copied((source, { dims, order }) => permuteAxes(source, order, dims)),
  /** Gives the dims that ONNX's own inference gives: before opset 13 none for a scalar. */
  inferred({ dims }, { schema }) {
    const isScalar = dims?.length === 0;
    return isScalar && schema.since < firstInferringScalars ? null : dims;
  },
});

/**
 * Transpose: axis i of the result is axis perm[i] of the input.
 * @template {TypeName} T
 * @param {TensorLike<T>} data
 * @param {TransposeAttributes & Results & CallOptions} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`
 * @example
 * const matrix = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] };
 * transpose(matrix).data; // Uint8Array [1, 4, 2, 5, 3, 6]
 */
export const transpose = (data, options) => run(Transpose, [data], options);

/** Gives the order of the axes: perm, or the reverse if it is omitted. A rank that is unknown is the length of perm.
 * @type {(perm: Int64[] | undefined, rank: number | undefined) => number[]} */
function orderOf(perm, rank = perm?.length ?? 0) {
  if (perm === undefined) {
    const order = new Array(rank);
    for (let i = 0; i < rank; i++) order[i] = rank - 1 - i;
    return order;
  }
  if (!isPermutation(perm, rank)) rangeError(`perm must be a permutation of [0, ${rank}), got ${showList(perm)}`);
  return /** @type {number[]} */ (perm);
}

/** Tells whether a list has each of the axes 0 to rank - 1 once.
 * @type {(perm: readonly Int64[], rank: number) => boolean} */
function isPermutation(perm, rank) {
  if (perm.length !== rank) return false;
  for (let i = 0; i < rank; i++) {
    if (!(perm[i] >= 0 && perm[i] < rank)) return false;
    // No axis before it is the same. Ranks are at most 64 and mostly 4: this beats a set, and indexOf.
    for (let k = 0; k < i; k++) if (perm[k] === perm[i]) return false;
  }
  return true;
}
