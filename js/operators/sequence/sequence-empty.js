/** SequenceEmpty: a sequence without tensors. */
import { dtypes, readType } from '../../tensor/index.js';
import { calling, checkKeys, checkType } from '../call.js';
import { operator } from '../operator.js';
import { sequenceOf } from './sequences.js';
import { typeOfNode } from '../type-codes.js';

/** @import { DType, TypeName } from '../../tensor/index.js' */
/** @import { CallOptions } from '../call.js' */
/** @import { Call, Operator, TensorSequence } from '../operator.js' */

/**
 * @typedef {object} Attributes
 * @property {TypeName | 'float' | 'double'} [dtype] the type of the tensors; float32 if omitted
 */

/** @type {Operator<{}, Attributes>} */
export const SequenceEmpty = operator({
  name: 'SequenceEmpty',
  versions: [[11, 3, { attributes: ['dtype'] }]],
  inputs: [],
  infer: (call, _, options) => ({ type: readDtype(call, options).name, dims: null, sequence: true }),
  run: (_, { dtype, ...options }, node) =>
    sequenceEmpty({ ...options, ...(dtype !== undefined && { dtype: typeOfNode(node, 'dtype', dtype) }) }),
});

/**
 * SequenceEmpty: a sequence without tensors, which has a type all the same.
 *
 * ONNX SequenceEmpty-11. Needs no `init()`.
 * @param {Attributes & CallOptions} [options]
 * @returns {TensorSequence} an empty array with its `type`
 * @throws {TypeError} an unknown type, a type that the version does not take, an unknown option
 * @example
 * sequenceEmpty({ dtype: 'int64' }).type; // 'int64'
 */
export function sequenceEmpty(options) {
  return calling(SequenceEmpty, options, (call) => {
    return sequenceOf(readDtype(call, options), []);
  });
}

/**
 * @param {Call} call
 * @param {Attributes | undefined} options
 * @returns {DType}
 */
function readDtype(call, options) {
  const given = options?.dtype;
  const dtype = given === undefined ? dtypes.float32 : readType(given);
  checkType(call, 'dtype', dtype);
  checkKeys(call, options);
  return dtype;
}
