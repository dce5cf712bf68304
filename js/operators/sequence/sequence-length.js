/** SequenceLength: the number of a sequence's tensors, as a tensor. */
import { dtypes, tensorOf } from '../../tensor/index.js';
import { define } from '../core/define.js';
import { made } from '../core/results.js';
import { run } from '../core/run.js';
import { sequence } from './kinds.js';
import { tensorIn } from './sequences.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Operator } from '../operator.js' */
/** @import { SequenceLike } from './sequences.js' */

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
 *
 * ONNX SequenceLength-11. Needs no `init()`.
 * @param {SequenceLike} sequence
 * @param {CallOptions} [options]
 * @returns {Tensor} an int64 scalar
 * @throws {TypeError} not an array of tensors, tensors of two types, a type that the version does not take, an unknown
 *   option
 * @throws {RangeError} data of the wrong length
 * @example
 * const one = { type: 'uint8', data: Uint8Array.of(1), dims: [] };
 * sequenceLength([one, one]).data; // BigInt64Array [2n]
 */
export function sequenceLength(sequence, options) {
  return run(SequenceLength, [sequence], options);
}
