/** SequenceConstruct: a sequence of given tensors. */
import { readTensor } from '../tensor/index.js';
import { calling, checkKeys } from './call.js';
import { readAll } from './concat.js';
import { readKnown } from './tensor-info.js';
import { operator } from './operator.js';
import { sequenceOf, sharedDims } from './sequences.js';

/** @import { TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { TensorInfo } from './tensor-info.js' */
/** @import { Operator, TensorSequence } from './operator.js' */

/** @type {Operator<{ inputs?: readonly TensorInfo[] }, {}>} */
export const SequenceConstruct = operator({
  name: 'SequenceConstruct',
  versions: [[11, 3]],
  inputs: ['inputs'],
  variadic: true,
  infer(call, { inputs }, options) {
    const known = readAll('inputs', inputs, call.checkType, readKnown);
    checkKeys(call, options);
    const dims = known.map((own) => own.dims).reduce(sharedDims);
    return { type: known[0].dtype.name, dims, sequence: true };
  },
  run: (inputs, options) => sequenceConstruct(inputs, options),
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
  return calling(SequenceConstruct, options, (call) => {
    const tensors = readAll('inputs', inputs, call.checkType, readTensor);
    checkKeys(call, options);
    return sequenceOf(tensors[0].dtype, tensors);
  });
}
