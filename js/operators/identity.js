/** Identity: the same tensor, or the same sequence. */
import { typeError } from '../arguments/index.js';
import { checkKeys, calling } from './call.js';
import { callShared } from './copy.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { isKnownSequence, openSequence, spliceSequence } from './sequences.js';

/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Call, Operator, TensorSequence } from './operator.js' */
/** @import { SequenceLike } from './sequences.js' */

/** The first version that takes sequences. The types of their tensors are those of this `ir` in every version. */
const firstOfSequences = 14;
const sequenceIr = 3;

/** @type {Operator<{ input?: TensorInfo }, {}>} */
export const Identity = operator({
  name: 'Identity',
  versions: [
    [1, 3],
    [13, 4],
    [14, 4],
    [16, 4],
    [19, 9],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['input'],
  infer(call, inputs, options) {
    const { input } = inputs;
    const isSequence = isKnownSequence(input);
    const { checkType } = isSequence ? sequenceCall(call) : call;
    const { dtype, dims } = readKnown('input', input, checkType, true);
    checkKeys(call, options);
    return { type: dtype.name, dims, ...(isSequence && { sequence: true }) };
  },
  run: ([input], options) => identity(input, options),
  view(call, source, _, options) {
    checkKeys(call, options);
    return source;
  },
});

/**
 * Identity: the same elements under the same dims, or from opset 14 on a sequence of the same tensors.
 *
 * ONNX Identity-1, 13, 14, 16, 19, 21, 23, 24, 25, of tensors and sequences. Needs no `init()`.
 * @template {TensorLike | SequenceLike} T
 * @param {T} input
 * @param {CallOptions} [options]
 * @returns {T extends SequenceLike ? TensorSequence : Tensor} shares the input's data
 * @throws {TypeError} neither a tensor nor an array of tensors, a type that the version does not take, tensors of two
 *   types, an unknown option
 * @throws {RangeError} data of the wrong length
 * @example
 * identity({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }).dims; // [2, 3]
 */
export function identity(input, options) {
  const result = Array.isArray(input)
    ? sameSequence(input, options)
    : callShared(Identity, /** @type {any} */ (input), [], options);
  return /** @type {any} */ (result);
}

/** @type {(sequence: SequenceLike, options: CallOptions | undefined) => TensorSequence} */
function sameSequence(sequence, options) {
  return calling(Identity, options, (version) => {
    const call = sequenceCall(version);
    const opened = openSequence(call, 'input', sequence);
    checkKeys(call, options);
    return spliceSequence(sequence, opened, 0, 0);
  });
}

/**
 * The call of a sequence.
 * @param {Call} call
 * @returns {Call}
 */
function sequenceCall(call) {
  const { schema, opset, strict } = call;
  if (schema.since < firstOfSequences) typeError(`a sequence needs opset ${firstOfSequences}, got opset ${opset}`);
  const checkType = (/** @type {DType} */ { name, ir }) => {
    if (strict && ir > sequenceIr) typeError(`sequence of ${name} is in no version, got opset ${opset}`);
  };
  return { ...call, checkType };
}
