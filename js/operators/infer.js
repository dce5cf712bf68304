/** Shape inference: the dims of a result without its data, where some or all dims of the inputs may be unknown. */
import { named, show, typeError, unknownName } from '../arguments/index.js';
import { inferBy, isOperator } from './core/index.js';
import { operators } from './table.js';

/** @import { OperatorName } from './table.js' */
/** @import { CallOptions, KnownAttributes, KnownInputs, KnownResults, Operator } from './types.js' */

/** @typedef {NonNullable<(typeof operators)[OperatorName]['infer']>} Rule */

/**
 * ONNX's shape inference: the type and the dims of a result, as far as those of the inputs tell. An extent is a number,
 * a symbol (any string), or null where nothing is known; dims as a whole are null where the rank is unknown.
 *
 * Inputs that the operator rejects for every value of the unknown extents are rejected here too, with the operator's
 * own message. ONNX's inference lets some of them pass, such as a shape with another number of elements. Where ONNX's
 * rule gives less than could be known, this gives no more: the product of a symbol and anything but 1 is unknown. All
 * versions of every operator of `schemas`. It loads no module.
 * @template {OperatorName | Operator} Op
 * @param {Op} op or what `define` gives
 * @param {KnownInputs<Op>} inputs by their ONNX names, such as `data` and `shape` of Reshape; optional ones are
 *   undefined or null if omitted. Concat and SequenceConstruct have a list `inputs`. A sequence is
 *   `{ sequence: true, type, dims }`
 * @param {KnownAttributes<Op> & CallOptions} [options] the operator's attributes, `to` for Cast, and `outputs` for
 *   Split: how many the node has
 * @returns {KnownResults<Op>}
 * @example
 * const shape = { type: 'int64', dims: [3], value: [0, 0, -1] };
 * inferShape('Reshape', { data: { type: 'float32', dims: ['N', 'M', 3, 4] }, shape }).dims; // ['N', 'M', 12]
 */
export const inferShape = (op, inputs, options) => inferBy(operatorOf(op), inputs, options);

/** Gives the operator of a name; a declared operator is itself.
 * @type {(op: unknown) => Operator} */
function operatorOf(op) {
  return named('inferShape', () => {
    if (isOperator(op)) return op;
    const names = Object.keys(operators);
    if (typeof op !== 'string') typeError(`op must be the name of an operator, got ${show(op)}`);
    if (!Object.hasOwn(operators, op)) unknownName('operator', op, names);
    return operators[/** @type {OperatorName} */ (op)];
  });
}
