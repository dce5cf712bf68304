/** Identity: the same tensor. */
import { checkKeys } from './call.js';
import { callShared } from './copy.js';
import { readKnown } from './known.js';
import { operator } from './operator.js';
import { isKnownSequence } from './sequences.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CallOptions } from './call.js' */
/** @import { Known } from './known.js' */
/** @import { Operator, TensorSequence } from './operator.js' */

/** @type {Operator<{ input?: Known }, {}>} */
export const Identity = operator({
  name: 'Identity',
  versions: [
    [1, 3],
    [13, 4],
    [14, 4],
    [16, 4],
    [19, 9],
    [21, 10],
    [23, 11],
    [24, 12],
    [25, 13],
  ],
  inputs: ['input'],
  infer(call, inputs, options) {
    const { input } = inputs;
    const isSequence = isKnownSequence(input);
    const { dtype, dims } = readKnown(call.prefix, 'input', input, call.checkType);
    checkKeys(call, options);
    return { type: dtype.name, dims, ...(isSequence && { sequence: true }) };
  },
  // Opset 14 brought sequences; they pass in older models too.
  run: ([input], options) => (Array.isArray(input) ? /** @type {TensorSequence} */ (input) : identity(input, options)),
  view(call, source, _, options) {
    checkKeys(call, options);
    return source;
  },
});

/**
 * Identity: the same elements under the same dims.
 *
 * ONNX Identity-1, 13, 14, 16, 19, 21, 23, 24, 25, of tensors. Needs no `init()`.
 * @param {TensorLike} input
 * @param {CallOptions} [options]
 * @returns {Tensor} shares the input's data
 * @throws {TypeError} no tensor, a type that the version does not take, an unknown option
 * @throws {RangeError} data of the wrong length
 * @example
 * identity({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }).dims; // [2, 3]
 */
export function identity(input, options) {
  return callShared(Identity, input, [], options);
}
