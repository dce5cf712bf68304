/** SequenceLength: the number of a sequence's tensors, as a tensor. */
import { dtypes, tensorOf } from '../../tensor/index.js';
import { define, made, run } from '../core/index.js';
import { sequence } from './kinds.js';
import { tensorIn } from './sequences.js';

/** @import { CallOptions, Operator, SequenceLike, Tensor, TensorInfo } from '../types.js' */

/** @type {Operator<{ input_sequence?: TensorInfo }, {}>} */
export const SequenceLength = define({
  name: 'SequenceLength',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence')],
  shape: () => ({ dims: [], dtype: dtypes.int64 }),
  move: made((_plan, [{ tensors, given }]) => {
    if (tensors !== given) for (const parts of tensors) tensorIn(parts);
    return tensorOf(dtypes.int64, BigInt64Array.of(BigInt(tensors.length)), []);
  }),
});

/**
 * SequenceLength: the number of tensors in a sequence.
 * @param {SequenceLike} sequence
 * @param {CallOptions} [options]
 * @returns {Tensor} an int64 scalar
 * @example
 * const one = { type: 'uint8', data: Uint8Array.of(1), dims: [] };
 * sequenceLength([one, one]).data; // BigInt64Array [2n]
 */
export const sequenceLength = (sequence, options) => run(SequenceLength, [sequence], options);
