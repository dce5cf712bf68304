/** Identity: the same tensor, or the same sequence. */
import { callOperator, define, shared } from '../core/index.js';
import { tensorOrSequence } from './kinds.js';
import { spliceSequence } from './sequences.js';

/** @import { CallOptions, Operator, SequenceLike, Tensor, TensorInfo, TensorLike } from '../types.js' */
/** @import { TensorSequence } from '../types.js' */

/** @type {Operator<{ input?: TensorInfo }, {}>} */
export const Identity = define({
  name: 'Identity',
  versions: { 1: 3, 13: 4, 14: 4, 16: 4, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13 },
  inputs: [tensorOrSequence('input', 14)],
  /** Plans the result. `sequence`: true where inference is told that the input is a sequence. */
  shape: (_call, _attributes, { dims, sequence }) => (sequence ? { dims, sequence } : { dims }),
  move: {
    ...shared,
    /** Gives a tensor over the input's data, or a sequence of the same tensors. */
    run(operator, plan, values, options) {
      const [input] = values;
      const isSequence = input.tensors !== undefined;
      if (!isSequence) return shared.run(operator, plan, values, options);
      // Replaces nothing: gives an array of the same tensors.
      const start = 0;
      const removed = 0;
      return spliceSequence(input, start, removed);
    },
    view: (source) => source,
  },
});

/**
 * Identity: the same elements under the same dims, or from opset 14 on a sequence of the same tensors.
 * @template {TensorLike | SequenceLike} T
 * @param {T} input
 * @param {CallOptions} [options]
 * @returns {T extends SequenceLike ? TensorSequence : Tensor} shares the input's data
 * @example
 * identity({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }).dims; // [2, 3]
 */
export function identity(input, options) {
  /** @type {Tensor | TensorSequence} */
  const result = callOperator(Identity, [input], options);
  return /** @type {any} */ (result);
}
