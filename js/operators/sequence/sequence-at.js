/** SequenceAt: one tensor of a sequence. */
import { define } from '../core/define.js';
import { made } from '../core/results.js';
import { run } from '../core/run.js';
import { position, sequence } from './kinds.js';
import { tensorIn } from './sequences.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Operator } from '../operator.js' */
/** @import { PositionLike, SequenceLike } from './sequences.js' */

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
 *
 * ONNX SequenceAt-11. Needs no `init()`.
 * @param {SequenceLike} sequence
 * @param {PositionLike} position in [-n, n - 1], where n is the length of the sequence
 * @param {CallOptions} [options]
 * @returns {Tensor} shares the data of the sequence's tensor
 * @throws {TypeError} not an array of tensors, tensors of two types, a type that the version does not take, a position
 *   of another type or rank, an unknown option
 * @throws {RangeError} a position out of range, data of the wrong length
 * @example
 * const sequence = [1, 2, 3].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceAt(sequence, -1).data; // Uint8Array [3]
 */
export function sequenceAt(sequence, position, options) {
  return run(SequenceAt, [sequence, position], options);
}
