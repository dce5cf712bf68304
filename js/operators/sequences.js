/** Sequences: arrays of tensors of one type, which an empty one still has. */
import { copyList, show, showClass, wrongKind, wrongValue } from '../arguments/index.js';
import { checkData, readTensor, readType, tensorOf } from '../tensor/index.js';
import { indexTypes, readInteger } from './integers.js';
import { readKnown } from './known.js';

/** @import { DType, Parts, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { Extent } from './extents.js' */
/** @import { Call, TensorSequence } from './operator.js' */

/** @typedef {readonly TensorLike[]} SequenceLike an array of tensors; one without tensors needs a `type` of its own */
/** @typedef {number | bigint | TensorLike} PositionLike a number, or an int32 or int64 scalar */

/**
 * A sequence as it was read. Its tensors may have data of the wrong length until {@link sequenceOf} is called.
 * @typedef {object} Sequence
 * @property {DType | undefined} dtype undefined where neither a tensor nor the array says it
 * @property {Parts[]} tensors
 */

/**
 * Reads a sequence, each property once.
 * @param {Call} call
 * @param {string} argument
 * @param {any} value
 * @returns {Sequence}
 */
export function readSequence(call, argument, value) {
  const { prefix } = call;
  if (!Array.isArray(value)) wrongKind(prefix, `${argument} must be an array of tensors, got ${showClass(value)}`);
  const { type } = /** @type {any} */ (value);
  /** @type {DType | undefined} */
  let dtype = type === undefined ? undefined : readType(prefix, type);
  if (dtype) call.checkType(dtype);
  const tensors = copyList(prefix, argument, value).map((tensor, i) =>
    readTensor(prefix, `${argument}[${i}]`, tensor, (own) => {
      if (dtype) checkSame(prefix, `${argument}[${i}]`, dtype, own);
      else call.checkType((dtype = own));
    }),
  );
  return { dtype, tensors };
}

/**
 * Checks that a tensor has the type of its sequence.
 * @param {string} prefix
 * @param {string} argument the tensor's name in messages
 * @param {DType} dtype of the sequence
 * @param {DType} own
 */
export function checkSame(prefix, argument, dtype, own) {
  if (own !== dtype)
    wrongKind(prefix, `${argument} type must be ${dtype.name}, as that of the sequence, got ${own.name}`);
}

/**
 * Makes a sequence of tensors that were read, over their data.
 * @param {string} prefix
 * @param {DType} dtype
 * @param {readonly Parts[]} tensors
 * @returns {TensorSequence}
 */
export function sequenceOf(prefix, dtype, tensors) {
  return Object.assign(
    tensors.map((parts) => tensorIn(prefix, parts)),
    { type: dtype.name },
  );
}

/**
 * Makes a tensor of one that was read, over its data.
 * @param {string} prefix
 * @param {Parts} parts
 * @returns {Tensor}
 */
export function tensorIn(prefix, parts) {
  checkData(prefix, parts);
  return tensorOf(parts.dtype, parts.data, parts.dims);
}

/**
 * Reads the place of a tensor in a sequence.
 * @param {string} prefix
 * @param {number} length of the sequence
 * @param {number} highest that the place may be
 * @param {unknown} position
 * @returns {number} counted from the front
 */
export function readPosition(prefix, length, highest, position) {
  const given = readInteger(prefix, 'position', position, indexTypes);
  if (!(given >= -length && given <= highest))
    wrongValue(prefix, `position must be in [${0 - length}, ${highest}], got ${given}`);
  return Number(given) < 0 ? Number(given) + length : Number(given);
}

/**
 * Refuses a sequence without tensors where one is needed.
 * @param {string} prefix
 * @param {readonly unknown[]} tensors
 */
export function checkNotEmpty(prefix, tensors) {
  if (tensors.length === 0) wrongValue(prefix, 'input_sequence must hold at least one tensor, got []');
}

/** @type {(known: any) => boolean} */
export const isKnownSequence = (known) => typeof known === 'object' && known !== null && known.sequence === true;

/**
 * Reads what inference knows of a sequence.
 * @param {string} prefix
 * @param {string} argument
 * @param {any} known
 * @param {(dtype: DType) => void} checkType
 * @returns {{ dtype: DType, dims: Extent[] | null }} dims are those of each tensor in it
 */
export function readKnownSequence(prefix, argument, known, checkType) {
  if (!isKnownSequence(known))
    wrongKind(
      prefix,
      `${argument} must be what is known of a sequence { sequence: true, type, dims }, got ${show(known)}`,
    );
  return readKnown(prefix, argument, known, checkType);
}

/**
 * The dims that tensors share: an extent in which they differ, or that is open in one, is null.
 * @param {readonly Extent[] | null} a
 * @param {readonly Extent[] | null} b
 * @returns {Extent[] | null} null where the ranks differ, or one is unknown
 */
export function sharedDims(a, b) {
  if (a === null || b === null || a.length !== b.length) return null;
  return a.map((extent, i) => (extent === b[i] ? extent : null));
}
