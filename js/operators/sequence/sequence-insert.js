/** SequenceInsert: a sequence with one tensor more. */
import { define, made, runNamed } from '../core/index.js';
import { member, position, sequence } from './kinds.js';
import { sharedDims, spliceSequence } from './sequences.js';

/** @import { Operator, PositionLike, SequenceInsertOptions, SequenceLike, TensorInfo } from '../types.js' */
/** @import { TensorLike, TensorSequence } from '../types.js' */

/** @type {Operator<{ input_sequence?: TensorInfo, tensor?: TensorInfo, position?: TensorInfo | null }, {}>} */
export const SequenceInsert = define({
  name: 'SequenceInsert',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence'), member('tensor'), position('position', { optional: true, isBetween: true })],
  shape: (_call, _attributes, { dims }, added) => ({ dims: sharedDims(dims, added.dims), sequence: true }),
  move: made((_plan, [opened, added, at = opened.tensors.length]) =>
    spliceSequence(opened.given, opened, at, 0, added),
  ),
});

/**
 * SequenceInsert: the sequence with a tensor inserted before the one at `position`, or at the end.
 * @param {SequenceLike} sequence
 * @param {TensorLike} tensor of the sequence's type
 * @param {PositionLike | null | SequenceInsertOptions} [position] in [-n, n], where n is the length of the sequence; n,
 *   which is the end, if omitted
 * @param {SequenceInsertOptions} [options]
 * @returns {TensorSequence} a new array of Tensors that share the data of the given ones, with their `type`
 * @example
 * const [one, two] = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceInsert([one, one], two, -1).map(({ data }) => data[0]); // [1, 2, 1]
 */
export const sequenceInsert = (sequence, tensor, position, options) =>
  runNamed(SequenceInsert, [sequence, tensor, position], options);
