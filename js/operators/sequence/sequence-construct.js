/** SequenceConstruct: a sequence of given tensors. */
import { define, made, run, tensors } from '../core/index.js';
import { sequenceOf, sharedDims } from './sequences.js';

/** @import { CallOptions, DType, Operator, TensorInfo, TensorLike, TensorSequence } from '../types.js' */

/** @type {Operator<{ inputs?: readonly TensorInfo[] }, {}>} */
export const SequenceConstruct = define({
  name: 'SequenceConstruct',
  versions: { 11: 3 },
  inputs: [tensors('inputs')],
  shape: (_call, _attributes, inputs) => ({
    dims: inputs.map((/** @type {any} */ { dims }) => dims).reduce(sharedDims),
    dtype: inputs[0].dtype,
    sequence: true,
  }),
  move: made(({ dtype }, [inputs]) => sequenceOf(/** @type {DType} */ (dtype), inputs)),
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
export const sequenceConstruct = (inputs, options) => run(SequenceConstruct, [inputs], options);
