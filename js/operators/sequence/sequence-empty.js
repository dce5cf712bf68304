/** SequenceEmpty: a sequence without tensors. */
import { dtypes } from '../../tensor/index.js';
import { checkType, define, made, run, type } from '../core/index.js';
import { sequenceOf } from './sequences.js';

/** @import { CallOptions, DType, Operator, SequenceEmptyAttributes, TensorSequence } from '../types.js' */

/** @type {Operator<{}, SequenceEmptyAttributes>} */
export const SequenceEmpty = define({
  name: 'SequenceEmpty',
  versions: { 11: 3 },
  inputs: [],
  attributes: { dtype: type((dtype, call) => checkType(call, 'dtype', dtype), dtypes.float32) },
  shape: (_call, { dtype }) => ({ dims: null, dtype, sequence: true }),
  move: made(({ dtype }) => sequenceOf(/** @type {DType} */ (dtype), [])),
});

/**
 * SequenceEmpty: a sequence without tensors, which has a type all the same.
 * @param {SequenceEmptyAttributes & CallOptions} [options]
 * @returns {TensorSequence} an empty array with its `type`
 * @example
 * sequenceEmpty({ dtype: 'int64' }).type; // 'int64'
 */
export const sequenceEmpty = (options) => run(SequenceEmpty, [], options);
