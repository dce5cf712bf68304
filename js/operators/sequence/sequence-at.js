/** SequenceAt: one tensor of a sequence. */
import { define, made, runNamed } from '../core/index.js';
import { position, sequence } from './kinds.js';
import { tensorIn } from './sequences.js';

/** @import { Naming, Operator, PositionLike, SequenceAtOptions, SequenceLike, Tensor } from '../types.js' */
/** @import { TensorInfo } from '../types.js' */

/** @type {Operator<{ input_sequence?: TensorInfo, position?: TensorInfo }, {}>} */
export const SequenceAt = define({
  name: 'SequenceAt',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence'), position('position')],
  shape: (_call, _attributes, { dims }) => ({ dims }),
  move: made((_plan, [{ tensors }, at]) => tensorIn(tensors[at])),
});

/**
 * SequenceAt: the tensor at a position of a sequence. A negative position counts from the back.
 * @param {SequenceLike} sequence
 * @param {PositionLike | Naming<SequenceAtOptions, 'position'>} position in [-n, n - 1], where n is the length of the
 *   sequence
 * @param {SequenceAtOptions} [options]
 * @returns {Tensor} shares the data of the sequence's tensor
 * @example
 * const sequence = [1, 2, 3].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceAt(sequence, -1).data; // Uint8Array [3]
 */
export const sequenceAt = (sequence, position, options) => runNamed(SequenceAt, [sequence, position], options);
