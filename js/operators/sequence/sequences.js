/** Sequences: arrays of tensors of one type, which an empty one still has. */
import { copyList, rangeError, show, showClass, typeError } from '../../arguments/index.js';
import { checkData, dtypes, readTensor, readType, Tensor, tensorOf } from '../../tensor/index.js';
import { fromFront, indexTypes, readInteger, readKnown } from '../core/index.js';

/** @import { Call, CheckedTensor, DType, Dim, Sequence, TensorSequence } from '../types.js' */

/** Whether the running node is the last that uses a sequence, by each sequence that `runModel` holds between its nodes.
 * Nobody else has these checked arrays, so a node reads only the tensors that it takes, and the last one changes the
 * array in place. A chain of n SequenceInsert takes n steps instead of n².
 * @type {WeakMap<object, boolean>} */
const isLastUseOfHeld = new WeakMap();

/** Marks a sequence as one that `runModel` holds. `isLast`: the node that runs next is the last that uses it.
 * @type {(sequence: TensorSequence, isLast: boolean) => void} */
export const holdSequence = (sequence, isLast) => void isLastUseOfHeld.set(sequence, isLast);

/** Takes the mark of {@link holdSequence} away, before the sequence goes to the caller, who may change it.
 * @type {(sequence: TensorSequence) => void} */
export const releaseSequence = (sequence) => void isLastUseOfHeld.delete(sequence);

/** Reads the type of a sequence and its tensors; those of one that `runModel` holds, which are checked already, stay as
 * they are. `argument`: the input's name, in messages.
 * @type {(call: Call, argument: string, value: unknown) => { dtype: DType | undefined, tensors: readonly (CheckedTensor
 *   | Tensor)[] }} */
export function openSequence(call, argument, value) {
  const sequence = /** @type {TensorSequence} */ (value);
  const isHeld = isLastUseOfHeld.has(sequence);
  if (!isHeld) return readSequence(call, argument, value);
  // Undefined of an empty sequence that declares no type.
  const dtype = /** @type {DType | undefined} */ (dtypes[sequence.type]);
  if (dtype) call.checkType(dtype);
  return { dtype, tensors: sequence };
}

/** Replaces `removed` tensors, from the index `at` on, by those added: in a new array, or in `array`, the sequence
 * itself, where `runModel` holds it and the running node is the last that uses it.
 * @type {(opened: ReturnType<typeof openSequence> & { array: TensorSequence }, at: number, removed: number, ...added:
 *   CheckedTensor[]) => TensorSequence} */
export function spliceSequence({ array, dtype, tensors }, at, removed, ...added) {
  // An empty sequence may have no type: it gets that of the tensor that is added, if there is one.
  const newType = /** @type {DType} */ (dtype ?? added[0]?.dtype);
  const mayChangeInPlace = isLastUseOfHeld.get(array) === true; // undefined for an array of the caller's
  if (!mayChangeInPlace) return sequenceOf(newType, tensors.toSpliced(at, removed, ...added));
  // The others are Tensors already.
  const addedTensors = added.map((tensor) => tensorIn(tensor));
  array.splice(at, removed, ...addedTensors);
  return Object.assign(array, { type: newType?.name });
}

/** Reads an array of tensors of one type: its own `type`, or else that of the first tensor. The call's version has to
 * take that type.
 * @type {(call: Call, argument: string, value: unknown) => Sequence} */
export function readSequence(call, argument, value) {
  if (!Array.isArray(value)) typeError(`${argument} must be an array of tensors, got ${showClass(value)}`);
  const { type } = /** @type {{ type?: unknown }} */ (value);
  /** @type {DType | undefined} */
  let dtype = type === undefined ? undefined : readType(type);
  if (dtype) call.checkType(dtype);
  const tensors = copyList(argument, value).map((tensor, i) => {
    const name = `${argument}[${i}]`;
    return readTensor(name, tensor, (tensorType) => {
      if (dtype) return checkSame(name, dtype, tensorType);
      dtype = tensorType;
      return call.checkType(dtype);
    });
  });
  return { dtype, tensors };
}

/** Checks that a tensor has the type of its sequence.
 * @type {(argument: string, dtype: DType, type: DType) => void} */
export function checkSame(argument, dtype, type) {
  if (type !== dtype) typeError(`${argument} type must be ${dtype.name}, as that of the sequence, got ${type.name}`);
}

/** Makes a sequence of tensors that were read, over their data. An empty one that declares no type has no dtype.
 * @type {(dtype: DType, tensors: readonly (CheckedTensor | Tensor)[]) => TensorSequence} */
export function sequenceOf(dtype, tensors) {
  const list = tensors.map((tensor) => tensorIn(tensor));
  return Object.assign(list, { type: dtype?.name });
}

/** Makes a Tensor over the data of a tensor that was read, and checks their length. Gives a Tensor as it is: those of a
 * sequence that `runModel` holds are checked already.
 * @type {(tensor: CheckedTensor | Tensor) => Tensor} */
export function tensorIn(tensor) {
  if (tensor instanceof Tensor) return tensor;
  checkData(tensor);
  return tensorOf(tensor.dtype, tensor.data, tensor.dims);
}

/** Reads a position in a sequence of `length` tensors, at most `highest`, and counts it from the front.
 * @type {(length: number, highest: number, position: unknown) => number} */
export function readPosition(length, highest, position) {
  const index = readInteger('position', position, indexTypes);
  if (!(index >= -length && index <= highest))
    rangeError(`position must be in [${0 - length}, ${highest}], got ${index}`);
  return fromFront(index, length);
}

/** Refuses a sequence without tensors, from which an operator takes one.
 * @type {(tensors: readonly unknown[]) => void} */
export function checkNotEmpty(tensors) {
  if (tensors.length === 0) rangeError('input_sequence must hold at least one tensor, got []');
}

/** Tells whether what inference is told of an input, `{ sequence: true, type, dims }`, is that of a sequence.
 * @type {(known: unknown) => boolean} */
export const isKnownSequence = (known) =>
  typeof known === 'object' && known !== null && 'sequence' in known && known.sequence === true;

/** Reads what inference knows of a sequence: the type of its tensors, and the dims that they share.
 * @type {(argument: string, known: unknown, checkType: (dtype: DType) => void) =>
 *   { dtype: DType, dims: Dim[] | null }} */
export function readKnownSequence(argument, known, checkType) {
  if (!isKnownSequence(known))
    typeError(`${argument} must be what is known of a sequence { sequence: true, type, dims }, got ${show(known)}`);
  return readKnown(argument, known, checkType, true);
}

/** Merges the dims of two tensors to what both share: null for an extent in which they differ or that is unknown in
 * one; null alone where their ranks differ, or where one is unknown.
 * @type {(a: readonly Dim[] | null, b: readonly Dim[] | null) => Dim[] | null} */
export function sharedDims(a, b) {
  if (a === null || b === null || a.length !== b.length) return null;
  return a.map((extent, i) => (extent === b[i] ? extent : null));
}
