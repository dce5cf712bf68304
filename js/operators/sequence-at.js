/** SequenceAt: one tensor of a sequence. */
import { calling, checkKeys } from './call.js';
import { indexTypes, checkKnownInteger } from './integers.js';
import { operator } from './operator.js';
import { checkNotEmpty, openSequence, readKnownSequence, readPosition, tensorIn } from './sequences.js';

/** @import { Tensor } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */
/** @import { PositionLike, SequenceLike } from './sequences.js' */

/** @type {Operator<{ input_sequence?: TensorInfo, position?: TensorInfo }, {}>} */
export const SequenceAt = operator({
  name: 'SequenceAt',
  versions: [[11, 3]],
  inputs: ['input_sequence', 'position'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnownSequence('input_sequence', inputs.input_sequence, call.checkType);
    checkKeys(call, options);
    checkKnownInteger('position', inputs.position, indexTypes);
    return { type: dtype.name, dims };
  },
  run: ([sequence, position], options) => sequenceAt(sequence, position, options),
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
  return calling(SequenceAt, options, (call) => {
    const { tensors } = openSequence(call, 'input_sequence', sequence);
    checkKeys(call, options);
    checkNotEmpty(tensors);
    return tensorIn(tensors[readPosition(tensors.length, tensors.length - 1, position)]);
  });
}
