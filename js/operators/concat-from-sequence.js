/** ConcatFromSequence: the tensors of a sequence, joined along an axis of theirs or along a new one. */
import { readFlag, typeError } from '../arguments/index.js';
import { rankLimit } from '../tensor/index.js';
import { checkHasAxis, readAxis } from './axes.js';
import { moving, checkKeys } from './call.js';
import { concatDims, joined } from './concat.js';
import { checkRank, checkSize } from './extents.js';
import { operator } from './operator.js';
import { checkNotEmpty, readKnownSequence, readSequence } from './sequence/sequences.js';
import { stacked } from './stack.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions, Flag } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */
/** @import { SequenceLike } from './sequence/sequences.js' */

/**
 * @typedef {object} Attributes
 * @property {number | bigint} [axis] needed: in [-rank, rank - 1] of the tensors, with new_axis in [-rank - 1, rank]
 * @property {Flag} [new_axis] 1 joins along a new axis, as `stack` does; 0 if omitted
 */
/**
 * @typedef {object} Results
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the inputs'
 */

const name = 'input_sequence';

/** @type {Operator<{ input_sequence?: TensorInfo }, Attributes>} */
export const ConcatFromSequence = operator({
  name: 'ConcatFromSequence',
  versions: [[11, 3, { attributes: ['axis', 'new_axis'], negativeAxis: true }]],
  inputs: [name],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnownSequence(name, inputs.input_sequence, call.checkType);
    checkKeys(call, options);
    const { given, isNew } = readAttributes(options);
    const axis = axisOf(given, isNew, dims?.length);
    return { type: dtype.name, dims: dims && dims.toSpliced(axis, isNew ? 0 : 1, null) };
  },
  run: ([sequence], options) => concatFromSequence(sequence, options),
});

/**
 * ConcatFromSequence: the tensors of a sequence joined along an axis, as `concat` does, or along a new one, as `stack`
 * does.
 *
 * ONNX ConcatFromSequence-11.
 * @param {SequenceLike} sequence of at least one tensor
 * @param {Attributes & Results & CallOptions} options
 * @returns {Tensor} with memory of its own, or over `out.data`
 * @throws {TypeError} not an array of tensors, tensors of two types, a type that the version does not take, no axis, an
 *   unknown option
 * @throws {RangeError} no tensor, an axis out of range, extents that differ, out does not fit or overlaps, out of
 *   memory
 * @throws {Error} before `init()`
 * @example
 * const sequence = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value, value), dims: [2] }));
 * concatFromSequence(sequence, { axis: 1, new_axis: 1 }).data; // Uint8Array [1, 2, 1, 2]
 */
export function concatFromSequence(sequence, options) {
  return moving(ConcatFromSequence, options, (call) => {
    const { tensors } = readSequence(call, name, sequence);
    checkKeys(call, options, 'out');
    const { given, isNew } = readAttributes(options);
    const target = options?.out;
    checkNotEmpty(tensors);
    const axis = axisOf(given, isNew, tensors[0].dims.length);
    if (isNew) return stacked(name, tensors, axis, target);
    const all = tensors.map(({ dims }) => dims);
    const dims = /** @type {number[]} */ (concatDims(call, all, axis, name));
    return joined(name, tensors, axis, all, checkSize(dims), target);
  });
}

/**
 * @param {Attributes | undefined} options
 * @returns {{ given: number | bigint, isNew: boolean }}
 */
function readAttributes(options) {
  const given = options?.axis;
  const isNew = readFlag('new_axis', options?.new_axis, false);
  if (given === undefined) typeError('axis must be a number or a bigint, got undefined');
  return { given, isNew };
}

/**
 * @param {number | bigint} given
 * @param {boolean} isNew
 * @param {number | undefined} rank of the tensors, undefined where it is unknown
 * @returns {number}
 */
function axisOf(given, isNew, rank) {
  if (!isNew) checkHasAxis(`${name}[0]`, rank);
  else if (rank !== undefined) checkRank(rank + 1, rankLimit);
  return readAxis(given, 0, rank === undefined || !isNew ? rank : rank + 1);
}
