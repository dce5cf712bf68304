/** SequenceConstruct: a sequence of given tensors. */
import { define } from '../core/define.js';
import { tensors } from '../core/kinds.js';
import { made } from '../core/results.js';
import { run } from '../core/run.js';
import { sequenceOf, sharedDims } from './sequences.js';

/** @import { DType, TensorLike } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { TensorInfo } from '../tensor-info.js' */
/** @import { Operator, TensorSequence } from '../operator.js' */

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
 *
 * ONNX SequenceConstruct-11. Needs no `init()`.
 * @param {readonly TensorLike[]} inputs at least one, all of one type
 * @param {CallOptions} [options]
 * @returns {TensorSequence} an array of Tensors that share the inputs' data, with their `type`
 * @throws {TypeError} not an array of tensors, tensors of two types, a type that the version does not take, an unknown
 *   option
 * @throws {RangeError} no tensor, data of the wrong length
 * @example
 * const one = { type: 'uint8', data: Uint8Array.of(1), dims: [] };
 * sequenceConstruct([one, one]).length; // 2
 */
export function sequenceConstruct(inputs, options) {
  return run(SequenceConstruct, [inputs], options);
}
