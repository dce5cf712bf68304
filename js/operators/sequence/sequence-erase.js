/** SequenceErase: a sequence without one of its tensors. */
import { define, made, runNamed } from '../core/index.js';
import { position, sequence } from './kinds.js';
import { spliceSequence } from './sequences.js';

/** @import { Operator, PositionLike, SequenceEraseOptions, SequenceLike, TensorInfo } from '../types.js' */
/** @import { TensorSequence } from '../types.js' */

/** @type {Operator<{ input_sequence?: TensorInfo, position?: TensorInfo | null }, {}>} */
export const SequenceErase = define({
  name: 'SequenceErase',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence'), position('position', { optional: true })],
  shape: (_call, _attributes, { dims }) => ({ dims, sequence: true }),
  move: made((_plan, [opened, at = opened.tensors.length - 1]) => spliceSequence(opened.given, opened, at, 1)),
});

/**
 * SequenceErase: the sequence without the tensor at `position`, or without the last one. A negative position counts
 * from the back.
 * @param {SequenceLike} sequence of at least one tensor
 * @param {PositionLike | null | SequenceEraseOptions} [position] in [-n, n - 1], where n is the length of the sequence;
 *   -1 if omitted
 * @param {SequenceEraseOptions} [options]
 * @returns {TensorSequence} a new array of Tensors that share the data of the given ones, with their `type`
 * @example
 * const sequence = [1, 2, 3].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceErase(sequence, 0).map(({ data }) => data[0]); // [2, 3]
 */
export const sequenceErase = (sequence, position, options) => runNamed(SequenceErase, [sequence, position], options);
