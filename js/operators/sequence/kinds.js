/** Kinds of inputs that are sequences, belong to one, or say a place in one. */
import { typeError } from '../../arguments/index.js';
import { readTensor } from '../../tensor/index.js';
import { checkKnownInteger, indexTypes, isOmitted, readKnown } from '../core/index.js';
import * as sequences from './sequences.js';

/** @import { Call, DType, Input } from '../types.js' */

/** Declares an input that is a sequence. A call reads it as `dtype` and `tensors`, which `read` gives, and as `array`,
 * the caller's own array; inference as `dtype` and `dims`, which all the tensors share and which a call does not need.
 * @type {(name: string, read?: typeof sequences.openSequence) => Input} */
export const sequence = (name, read = sequences.openSequence) => ({
  kind: 'sequence',
  name,
  read: (_, call, value) => ({ ...read(call, name, value), dims: null, array: value }),
  known: (_, call, known) => sequences.readKnownSequence(name, known, call.checkType),
});

/** Declares an input that is a tensor of the type of the sequence, the first input.
 * @type {(name: string) => Input} */
export const member = (name) => ({
  kind: 'tensor',
  name,
  /** Reads the tensor. `dtype`: that of the sequence; where an empty one has none, any type of the version passes. */
  read: (_, call, value, _options, [{ dtype }]) =>
    call.readTensor(name, value, (memberType) =>
      dtype ? sequences.checkSame(name, dtype, memberType) : call.checkType(memberType),
    ),
});

/** Declares an input that is the position of a tensor in the sequence, the first input; with `mayBeEnd` also the
 * position behind the last one, where a tensor may be inserted.
 * @type {(name: string, options?: { optional?: boolean, mayBeEnd?: boolean }) => Input} */
export const position = (name, { optional = false, mayBeEnd = false } = {}) => ({
  kind: 'position',
  name,
  optional,
  isEarly: false,
  /** Reads the position, counted from the front; undefined where an optional one is omitted. */
  read(_, _call, value, _options, [{ tensors }]) {
    if (!mayBeEnd) sequences.checkNotEmpty(tensors);
    if (optional && isOmitted(value)) return undefined;
    const highest = mayBeEnd ? tensors.length : tensors.length - 1;
    return sequences.readPosition(tensors.length, highest, value);
  },
  /** Checks what inference is told of the position, on which nothing depends that it answers. */
  known: (_, _call, known) => (optional && isOmitted(known) ? undefined : checkKnownInteger(name, known, indexTypes)),
});

/** Declares an input that is a tensor, or in the versions from `since` on a sequence.
 * @type {(name: string, since: number) => Input} */
export const tensorOrSequence = (name, since) => ({
  kind: 'tensor',
  name,
  /** Reads a tensor, or a sequence as the kind {@link sequence} does. */
  read(_, call, value) {
    if (!Array.isArray(value)) return readTensor(name, value, call.checkType);
    return { ...sequences.openSequence(sequenceCall(call, since), name, value), dims: null, array: value };
  },
  /** Reads the dtype and the dims that inference is told: of the tensor, or those that the sequence's tensors share. */
  known(_, call, known) {
    const isSequence = sequences.isKnownSequence(known);
    const { checkType } = isSequence ? sequenceCall(call, since) : call;
    const takesSequence = true; // `sequenceCall` has refused one that the version does not take
    return { ...readKnown(name, known, checkType, takesSequence), sequence: isSequence };
  },
});

/** In every version, the tensors of a sequence may have the types up to ONNX's IR version 3. */
const sequenceIr = 3;

/** Copies the call with a check of types for a sequence's tensors. Refuses a sequence in versions before `since`.
 * @type {(call: Call, since: number) => Call} */
function sequenceCall(call, since) {
  const { schema, opset, strict } = call;
  if (schema.since < since) typeError(`a sequence needs opset ${since}, got opset ${opset}`);
  const checkType = (/** @type {DType} */ { name, ir }) => {
    if (strict && ir > sequenceIr) typeError(`sequence of ${name} is in no version, got opset ${opset}`);
  };
  return { ...call, checkType };
}
