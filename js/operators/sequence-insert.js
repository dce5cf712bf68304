/** SequenceInsert: a sequence with one tensor more. */
import { readTensor } from '../tensor/index.js';
import { calling, checkKeys } from './call.js';
import { indexTypes, isOmitted, checkKnownInteger } from './integers.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { checkSame, openSequence, readKnownSequence, readPosition, sharedDims, spliceSequence } from './sequences.js';

/** @import { TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator, TensorSequence } from './operator.js' */
/** @import { PositionLike, SequenceLike } from './sequences.js' */

/** @type {Operator<{ input_sequence?: TensorInfo, tensor?: TensorInfo, position?: TensorInfo | null }, {}>} */
export const SequenceInsert = operator({
  name: 'SequenceInsert',
  versions: [[11, 3]],
  inputs: ['input_sequence', 'tensor', 'position'],
  optional: ['position'],
  infer(call, inputs, options) {
    const { dtype, dims } = readKnownSequence('input_sequence', inputs.input_sequence, call.checkType);
    const tensor = readKnown('tensor', inputs.tensor, (own) => checkSame('tensor', dtype, own));
    checkKeys(call, options);
    const { position } = inputs;
    if (!isOmitted(position)) checkKnownInteger('position', position, indexTypes);
    return { type: dtype.name, dims: sharedDims(dims, tensor.dims), sequence: true };
  },
  run: ([sequence, tensor, position], options) => sequenceInsert(sequence, tensor, position, options),
});

/**
 * SequenceInsert: the sequence with a tensor inserted before the one at `position`, or at the end.
 *
 * ONNX SequenceInsert-11. Needs no `init()`.
 * @param {SequenceLike} sequence
 * @param {TensorLike} tensor of the sequence's type
 * @param {PositionLike | null} [position] in [-n, n], where n is the length of the sequence; n, which is the end, if
 *   omitted
 * @param {CallOptions} [options]
 * @returns {TensorSequence} a new array of Tensors that share the data of the given ones, with their `type`
 * @throws {TypeError} not an array of tensors, tensors of two types, a type that the version does not take, a position
 *   of another type or rank, an unknown option
 * @throws {RangeError} a position out of range, data of the wrong length
 * @example
 * const [one, two] = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceInsert([one, one], two, -1).map(({ data }) => data[0]); // [1, 2, 1]
 */
export function sequenceInsert(sequence, tensor, position, options) {
  return calling(SequenceInsert, options, (call) => {
    const opened = openSequence(call, 'input_sequence', sequence);
    const { dtype, tensors } = opened;
    const parts = readTensor('tensor', tensor, (own) => {
      if (dtype) checkSame('tensor', dtype, own);
      else call.checkType(own);
    });
    checkKeys(call, options);
    const { length } = tensors;
    const at = isOmitted(position) ? length : readPosition(length, length, position);
    return spliceSequence(sequence, opened, at, 0, parts);
  });
}
