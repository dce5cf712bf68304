/** SequenceLength: the number of a sequence's tensors, as a tensor. */
import { dtypes, tensorOf } from '../tensor/index.js';
import { calling, checkKeys } from './call.js';
import { operator } from './operator.js';
import { openSequence, readKnownSequence, tensorIn } from './sequences.js';

/** @import { Tensor } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator } from './operator.js' */
/** @import { SequenceLike } from './sequences.js' */

/** @type {Operator<{ input_sequence?: TensorInfo }, {}>} */
export const SequenceLength = operator({
  name: 'SequenceLength',
  versions: [[11, 3]],
  inputs: ['input_sequence'],
  infer(call, inputs, options) {
    readKnownSequence('input_sequence', inputs.input_sequence, call.checkType);
    checkKeys(call, options);
    return { type: 'int64', dims: [] };
  },
  run: ([sequence], options) => sequenceLength(sequence, options),
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
  return calling(SequenceLength, options, (call) => {
    const { tensors } = openSequence(call, 'input_sequence', sequence);
    checkKeys(call, options);
    if (tensors !== sequence) tensors.forEach((parts) => tensorIn(parts));
    return tensorOf(dtypes.int64, BigInt64Array.of(BigInt(tensors.length)), []);
  });
}
