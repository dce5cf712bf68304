/** The operators of sequences. */
import { dtypes, tensorOf } from '../../tensor/index.js';
import { callNamed, callOperator, checkType, define, fromDims, tensors, type } from '../core/index.js';
import { member, position, sequence } from './kinds.js';
import { sequenceOf, sharedDims, spliceSequence, tensorIn } from './sequences.js';

/** @import { CallOptions, DType, Dim, Naming, Operator, PositionLike, SequenceAtOptions } from '../types.js' */
/** @import { SequenceEmptyAttributes, SequenceEraseOptions, SequenceInsertOptions, SequenceLike } from '../types.js' */
/** @import { Tensor, TensorInfo, TensorLike, TensorSequence } from '../types.js' */

/** @type {Operator<{ inputs?: readonly TensorInfo[] }, {}>} */
export const SequenceConstruct = define({
  name: 'SequenceConstruct',
  versions: { 11: 3 },
  inputs: [tensors('inputs')],
  /** Plans a sequence; its dims are those that all tensors share, for inference. */
  shape(_call, _attributes, inputs) {
    const dimsOfAll = inputs.map((/** @type {{ dims: Dim[] | null }} */ { dims }) => dims);
    return { dims: dimsOfAll.reduce(sharedDims), dtype: inputs[0].dtype, sequence: true };
  },
  move: fromDims(({ dtype }, [inputs]) => sequenceOf(/** @type {DType} */ (dtype), inputs)),
});

/**
 * SequenceConstruct: the tensors as a sequence.
 * @param {readonly TensorLike[]} inputs at least one, all of one type
 * @param {CallOptions} [options]
 * @returns {TensorSequence} an array of Tensors that share the inputs' data, with their `type`
 * @example
 * const one = { type: 'uint8', data: Uint8Array.of(1), dims: [] };
 * sequenceConstruct([one, one]).length; // 2
 */
export const sequenceConstruct = (inputs, options) => callOperator(SequenceConstruct, [inputs], options);

/** @type {Operator<{}, SequenceEmptyAttributes>} */
export const SequenceEmpty = define({
  name: 'SequenceEmpty',
  versions: { 11: 3 },
  inputs: [],
  attributes: { dtype: type((dtype, call) => checkType(call, 'dtype', dtype), dtypes.float32) },
  shape: (_call, { dtype }) => ({ dims: null, dtype, sequence: true }),
  move: fromDims(({ dtype }) => sequenceOf(/** @type {DType} */ (dtype), [])),
});

/**
 * SequenceEmpty: a sequence without tensors, which has a type all the same.
 * @param {SequenceEmptyAttributes & CallOptions} [options]
 * @returns {TensorSequence} an empty array with its `type`
 * @example
 * sequenceEmpty({ dtype: 'int64' }).type; // 'int64'
 */
export const sequenceEmpty = (options) => callOperator(SequenceEmpty, [], options);

/** @type {Operator<{ input_sequence?: TensorInfo, position?: TensorInfo }, {}>} */
export const SequenceAt = define({
  name: 'SequenceAt',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence'), position('position')],
  /** Plans the tensor by the dims that all tensors of the sequence share, for inference. */
  shape: (_call, _attributes, { dims }) => ({ dims }),
  move: fromDims((_plan, [{ tensors }, at]) => tensorIn(tensors[at])),
});

/**
 * SequenceAt: the tensor at a position of a sequence. A negative position counts from the back.
 * @param {SequenceLike} sequence
 * @param {PositionLike | Naming<SequenceAtOptions, 'position'>} position in [-n, n - 1], where n is the length of the
 *   sequence
 * @param {SequenceAtOptions} [options]
 * @returns {Tensor} shares the data of the sequence's tensor
 * @example
 * const sequence = [1, 2, 3].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceAt(sequence, -1).data; // Uint8Array [3]
 */
export const sequenceAt = (sequence, position, options) => callNamed(SequenceAt, [sequence, position], options);

/** @type {Operator<{ input_sequence?: TensorInfo, tensor?: TensorInfo, position?: TensorInfo | null }, {}>} */
export const SequenceInsert = define({
  name: 'SequenceInsert',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence'), member('tensor'), position('position', { optional: true, mayBeEnd: true })],
  /** Plans the sequence by the dims that its tensors and the added one share, for inference. */
  shape: (_call, _attributes, { dims }, added) => ({ dims: sharedDims(dims, added.dims), sequence: true }),
  /** Inserts `added` before the tensor of the index `at`, which is undefined where the position is omitted. */
  move: fromDims((_plan, [opened, added, at]) => {
    const end = opened.tensors.length;
    const removed = 0;
    return spliceSequence(opened, at ?? end, removed, added);
  }),
});

/**
 * SequenceInsert: the sequence with a tensor inserted before the one at `position`, or at the end.
 * @param {SequenceLike} sequence
 * @param {TensorLike} tensor of the sequence's type
 * @param {PositionLike | null | SequenceInsertOptions} [position] in [-n, n], where n is the length of the sequence; n,
 *   which is the end, if omitted
 * @param {SequenceInsertOptions} [options]
 * @returns {TensorSequence} a new array of Tensors that share the data of the given ones, with their `type`
 * @example
 * const [one, two] = [1, 2].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceInsert([one, one], two, -1).map(({ data }) => data[0]); // [1, 2, 1]
 */
export const sequenceInsert = (sequence, tensor, position, options) =>
  callNamed(SequenceInsert, [sequence, tensor, position], options);

/** @type {Operator<{ input_sequence?: TensorInfo, position?: TensorInfo | null }, {}>} */
export const SequenceErase = define({
  name: 'SequenceErase',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence'), position('position', { optional: true })],
  shape: (_call, _attributes, { dims }) => ({ dims, sequence: true }),
  /** Removes the tensor of the index `at`, which is undefined where the position is omitted. */
  move: fromDims((_plan, [opened, at]) => {
    const last = opened.tensors.length - 1;
    const removed = 1;
    return spliceSequence(opened, at ?? last, removed);
  }),
});

/**
 * SequenceErase: the sequence without the tensor at `position`, or without the last one. A negative position counts
 * from the back.
 * @param {SequenceLike} sequence of at least one tensor
 * @param {PositionLike | null | SequenceEraseOptions} [position] in [-n, n - 1], where n is the length of the sequence;
 *   -1 if omitted
 * @param {SequenceEraseOptions} [options]
 * @returns {TensorSequence} a new array of Tensors that share the data of the given ones, with their `type`
 * @example
 * const sequence = [1, 2, 3].map((value) => ({ type: 'uint8', data: Uint8Array.of(value), dims: [] }));
 * sequenceErase(sequence, 0).map(({ data }) => data[0]); // [2, 3]
 */
export const sequenceErase = (sequence, position, options) => callNamed(SequenceErase, [sequence, position], options);

/** @type {Operator<{ input_sequence?: TensorInfo }, {}>} */
export const SequenceLength = define({
  name: 'SequenceLength',
  versions: { 11: 3 },
  inputs: [sequence('input_sequence')],
  shape: () => ({ dims: [], dtype: dtypes.int64 }),
  move: fromDims((_plan, [{ tensors, array }]) => {
    // `runModel` has checked the tensors of a sequence that it holds, which are read as the array itself.
    const areChecked = tensors === array;
    if (!areChecked) for (const tensor of tensors) tensorIn(tensor); // refuses one whose data do not fit its dims
    return tensorOf(dtypes.int64, BigInt64Array.of(BigInt(tensors.length)), []);
  }),
});

/**
 * SequenceLength: the number of tensors in a sequence.
 * @param {SequenceLike} sequence
 * @param {CallOptions} [options]
 * @returns {Tensor} an int64 scalar
 * @example
 * const one = { type: 'uint8', data: Uint8Array.of(1), dims: [] };
 * sequenceLength([one, one]).data; // BigInt64Array [2n]
 */
export const sequenceLength = (sequence, options) => callOperator(SequenceLength, [sequence], options);
