/** Sequences: arrays of tensors of one type, which an empty one still has. */
import { copyList, rangeError, show, showClass, typeError } from '../../arguments/index.js';
import { checkData, dtypes, readTensor, readType, Tensor, tensorOf } from '../../tensor/index.js';
import { indexTypes, readInteger } from '../integers.js';
import { readKnown } from '../tensor-info.js';

/** @import { DType, CheckedTensor, TensorLike, TypeName } from '../../tensor/index.js' */
/** @import { Dim } from '../extents.js' */
/** @import { Call, TensorSequence } from '../operator.js' */

/** @typedef {readonly TensorLike[]} SequenceLike an array of tensors; one without tensors needs a `type` of its own */
/** @typedef {number | bigint | TensorLike} PositionLike a number, or an int32 or int64 scalar */

/**
 * A sequence as it was read. Its tensors may have data of the wrong length until {@link sequenceOf} is called.
 * @typedef {object} Sequence
 * @property {DType | undefined} dtype undefined where neither a tensor nor the array says it
 * @property {CheckedTensor[]} tensors
 */

/**
 * The sequences that `runModel` holds between its nodes, and whether the node that runs is the last that uses one.
 * Their tensors are checked, and no one else has the arrays: a node reads the tensors that it takes and no others, and
 * the last one changes the array itself. 3,000 SequenceInsert in a row took 3.2 s without it, 30,000 take .3
 * (measured).
 * @type {WeakMap<object, boolean>}
 */
const held = new WeakMap();

/** @type {(sequence: TensorSequence, isLast: boolean) => void} */
export const holdSequence = (sequence, isLast) => void held.set(sequence, isLast);

/** @type {(sequence: TensorSequence) => void} */
export const releaseSequence = (sequence) => void held.delete(sequence);

/**
 * Reads a sequence of which an operator takes a few tensors, if any.
 * @param {Call} call
 * @param {string} argument
 * @param {any} value
 * @returns {{ dtype: DType | undefined, tensors: readonly (CheckedTensor | Tensor)[] }}
 */
export function openSequence(call, argument, value) {
  if (!held.has(value)) return readSequence(call, argument, value);
  const dtype = /** @type {DType | undefined} */ (dtypes[/** @type {TypeName} */ (value.type)]);
  if (dtype) call.checkType(dtype);
  return { dtype, tensors: value };
}

/**
 * The sequence with other tensors in the place of some.
 * @param {any} sequence
 * @param {ReturnType<typeof openSequence>} opened
 * @param {number} at the first that is left out
 * @param {number} count of those that are
 * @param {CheckedTensor[]} added
 * @returns {TensorSequence}
 */
export function spliceSequence(sequence, { dtype, tensors }, at, count, ...added) {
  // Undefined where nothing says it: the empty sequence of a graph that declares no type.
  const own = /** @type {DType} */ (dtype ?? added[0]?.dtype);
  if (!held.get(sequence)) return sequenceOf(own, tensors.toSpliced(at, count, ...added));
  sequence.splice(at, count, ...added.map((parts) => tensorIn(parts)));
  return Object.assign(sequence, { type: own?.name });
}

/**
 * Reads a sequence.
 * @param {Call} call
 * @param {string} argument
 * @param {any} value
 * @returns {Sequence}
 */
export function readSequence(call, argument, value) {
  if (!Array.isArray(value)) typeError(`${argument} must be an array of tensors, got ${showClass(value)}`);
  const { type } = /** @type {any} */ (value);
  /** @type {DType | undefined} */
  let dtype = type === undefined ? undefined : readType(type);
  if (dtype) call.checkType(dtype);
  const tensors = copyList(argument, value).map((tensor, i) =>
    readTensor(`${argument}[${i}]`, tensor, (own) => {
      if (dtype) checkSame(`${argument}[${i}]`, dtype, own);
      else call.checkType((dtype = own));
    }),
  );
  return { dtype, tensors };
}

/**
 * Checks that a tensor has the type of its sequence.
 * @param {string} argument the tensor's name in messages
 * @param {DType} dtype of the sequence
 * @param {DType} own
 */
export function checkSame(argument, dtype, own) {
  if (own !== dtype) typeError(`${argument} type must be ${dtype.name}, as that of the sequence, got ${own.name}`);
}

/**
 * Makes a sequence of tensors that were read, over their data.
 * @param {DType} dtype
 * @param {readonly (CheckedTensor | Tensor)[]} tensors
 * @returns {TensorSequence}
 */
export function sequenceOf(dtype, tensors) {
  return Object.assign(
    tensors.map((parts) => tensorIn(parts)),
    { type: dtype?.name },
  );
}

/**
 * Makes a tensor of one that was read, over its data.
 * @param {CheckedTensor | Tensor} parts
 * @returns {Tensor}
 */
export function tensorIn(parts) {
  if (parts instanceof Tensor) return parts;
  checkData(parts);
  return tensorOf(parts.dtype, parts.data, parts.dims);
}

/**
 * Reads the place of a tensor in a sequence.
 * @param {number} length of the sequence
 * @param {number} highest that the place may be
 * @param {unknown} position
 * @returns {number} counted from the front
 */
export function readPosition(length, highest, position) {
  const given = readInteger('position', position, indexTypes);
  if (!(given >= -length && given <= highest))
    rangeError(`position must be in [${0 - length}, ${highest}], got ${given}`);
  return Number(given) < 0 ? Number(given) + length : Number(given);
}

/**
 * Refuses a sequence without tensors where one is needed.
 * @param {readonly unknown[]} tensors
 */
export function checkNotEmpty(tensors) {
  if (tensors.length === 0) rangeError('input_sequence must hold at least one tensor, got []');
}

/** @type {(known: any) => boolean} */
export const isKnownSequence = (known) => typeof known === 'object' && known !== null && known.sequence === true;

/**
 * Reads what inference knows of a sequence.
 * @param {string} argument
 * @param {any} known
 * @param {(dtype: DType) => void} checkType
 * @returns {{ dtype: DType, dims: Dim[] | null }} dims are those of each tensor in it
 */
export function readKnownSequence(argument, known, checkType) {
  if (!isKnownSequence(known))
    typeError(`${argument} must be what is known of a sequence { sequence: true, type, dims }, got ${show(known)}`);
  return readKnown(argument, known, checkType, true);
}

/**
 * The dims that tensors share: an extent in which they differ, or that is open in one, is null.
 * @param {readonly Dim[] | null} a
 * @param {readonly Dim[] | null} b
 * @returns {Dim[] | null} null where the ranks differ, or one is unknown
 */
export function sharedDims(a, b) {
  if (a === null || b === null || a.length !== b.length) return null;
  return a.map((extent, i) => (extent === b[i] ? extent : null));
}
