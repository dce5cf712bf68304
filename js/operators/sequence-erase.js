/** SequenceErase: a sequence without one of its tensors. */
import { calling, checkKeys } from './call.js';
import { indexTypes, isOmitted, checkKnownInteger } from './integers.js';
import { operator } from './operator.js';
import { checkNotEmpty, openSequence, readKnownSequence, readPosition, spliceSequence } from './sequences.js';

/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator, TensorSequence } from './operator.js' */
/** @import { PositionLike, SequenceLike } from './sequences.js' */

/** @type {Operator<{ input_sequence?: TensorInfo, position?: TensorInfo | null }, {}>} */
export const SequenceErase = operator({
  name: 'SequenceErase',
  versions: [[11, 3]],
  inputs: ['input_sequence', 'position'],
  optional: ['position'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnownSequence('input_sequence', inputs.input_sequence, call.checkType);
    checkKeys(call, options);
    const { position } = inputs;
    if (!isOmitted(position)) checkKnownInteger('position', position, indexTypes);
    return { type: dtype.name, dims, sequence: true };
  },
  run: ([sequence, position], options) => sequenceErase(sequence, position, options),
});

/**
 * SequenceErase: the sequence without the tensor at `position`, or without the last one. A negative position counts
 * from the back.
 *
 * ONNX SequenceErase-11. Needs no `init()`.
 * @param {SequenceLike} sequence of at least one tensor
 * @param {PositionLike | null} [position] in [-n, n - 1], where n is the length of the sequence; -1 if omitted
 * @param {CallOptions} [options]
 * @returns {TensorSequence} a new array of Tensors that share the data of the given ones, with their `type`
 * @throws {TypeError} not an array of tensors, tensors of two types, a type that the version does not take, a position
 *   of another type or rank, an unknown option
 * @throws {RangeError} a position out of range, data of the wrong length
 * @example
 * const sequence = [1, 2, 3].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceErase(sequence, 0).map(({ data }) => data[0]); // [2, 3]
 */
export function sequenceErase(sequence, position, options) {
  return calling(SequenceErase, options, (call) => {
    const opened = openSequence(call, 'input_sequence', sequence);
    const { tensors } = opened;
    checkKeys(call, options);
    checkNotEmpty(tensors);
    const last = tensors.length - 1;
    const at = isOmitted(position) ? last : readPosition(tensors.length, last, position);
    return spliceSequence(sequence, opened, at, 1);
  });
}
