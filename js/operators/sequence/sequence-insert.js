/** SequenceInsert: a sequence with one tensor more. */
import { define } from '../core/define.js';
import { made } from '../core/results.js';
import { run } from '../core/run.js';
import { member, position, sequence } from './kinds.js';
import { sharedDims, spliceSequence } from './sequences.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Operator, TensorSequence } from '../operator.js' */
/** @import { PositionLike, SequenceLike } from './sequences.js' */

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
  return run(SequenceInsert, [sequence, tensor, position], options);
}
