/** Transpose: the axes in another order. */
import { isList, rangeError, readList, show, showList, typeError } from '../arguments/index.js';
import { checkKeys } from './call.js';
import { callView } from './copy.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { permuteAxes } from './view.js';

/** @import { Integers, Int64 } from '../arguments/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Dim } from './extents.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */

/**
 * @typedef {object} Attributes
 * @property {Integers} [perm] each of 0 to rank - 1 once; the axes in reverse if omitted
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the input's
 */

/** Transpose-1 infers no shape of a scalar; this is the first version that does. */
const firstOfScalars = 13;

/** @type {Operator<{ data?: TensorInfo }, Attributes>} */
export const Transpose = operator({
  name: 'Transpose',
  versions: [
    [1, 3, { attributes: ['perm'] }],
    [13, 4],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['data'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnown('data', inputs.data, call.checkType);
    checkKeys(call, options);
    const perm = readPerm(options?.perm, dims?.length);
    const isInferred = dims && (dims.length > 0 || call.schema.since >= firstOfScalars);
    return { type: dtype.name, dims: isInferred ? transposeDims(dims, perm) : null };
  },
  run: ([data], options) => transpose(data, options),
  view(call, source, _, options) {
    checkKeys(call, options, 'out');
    return permuteAxes(source, readPerm(options?.perm, source.dims.length));
  },
});

/**
 * Transpose: axis i of the result is axis perm[i] of the input.
 *
 * ONNX Transpose-1, 13, 21, 23, 24, 25.
 * @param {TensorLike} data
 * @param {Attributes & Results & CallOptions} [options]
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} perm is no permutation, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`
 * @example
 * const matrix = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] };
 * transpose(matrix).data; // Uint8Array [1, 4, 2, 5, 3, 6]
 */
export function transpose(data, options) {
  return callView(Transpose, data, [], options);
}

/**
 * The order that `perm` gives.
 * @param {unknown} given
 * @param {number | undefined} rank undefined where it is unknown: then perm is checked against its own length
 * @returns {number[]}
 */
function readPerm(given, rank) {
  if (given === undefined) {
    const perm = [];
    for (let i = (rank ?? 0) - 1; i >= 0; i--) perm.push(i);
    return perm;
  }
  if (!isList(given)) typeError(`perm must be a list of whole numbers, got ${show(given)}`);
  const perm = readList('perm', given);
  rank ??= perm.length;
  if (!isPermutation(perm, rank)) rangeError(`perm must be a permutation of [0, ${rank}), got ${showList(perm)}`);
  return /** @type {number[]} */ (perm);
}

/**
 * @param {readonly Int64[]} perm
 * @param {number} rank
 * @returns {boolean}
 */
function isPermutation(perm, rank) {
  if (perm.length !== rank) return false;
  for (let i = 0; i < rank; i++) {
    if (!(perm[i] >= 0 && perm[i] < rank)) return false;
    // Ranks are at most 64 and mostly 4: this beats a set, and indexOf.
    for (let k = 0; k < i; k++) if (perm[k] === perm[i]) return false;
  }
  return true;
}

/**
 * The shape rule.
 * @template {Dim} E
 * @param {readonly E[]} dims
 * @param {readonly number[]} perm
 * @returns {E[]}
 */
function transposeDims(dims, perm) {
  /** @type {E[]} */
  const result = new Array(perm.length);
  // A loop, because map takes 30 ns of the 440 ns that a small tensor takes.
  for (let i = 0; i < perm.length; i++) result[i] = dims[perm[i]];
  return result;
}
