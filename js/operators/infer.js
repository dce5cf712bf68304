/** Shape inference: the dims of a result without its data, where some or all dims of the inputs may be unknown. */
import { named, show, typeError, unknownName } from '../arguments/index.js';
import { isOperator } from './core/define.js';
import { inferBy } from './infer-by.js';
import { operators } from './table.js';

/** @import { CallOptions } from './call.js' */
/** @import { Inferred, Operator } from './operator.js' */
/** @import { OperatorName } from './table.js' */

/**
 * All members of a union in one type.
 * @template T
 * @typedef {(T extends unknown ? (of: T) => void : never) extends (of: infer All) => void ? All : never} Merged
 */
/** @typedef {NonNullable<(typeof operators)[OperatorName]['infer']>} Rule */
/**
 * The results: a list where a node has several outputs.
 * @template Op
 * @typedef {Op extends Operator ? any : Op extends 'Split' | 'DynamicQuantizeLinear' ? Inferred[] : Inferred} Results
 */
/**
 * The knowledge of the inputs, by their ONNX names.
 * @template Op
 * @typedef {Op extends Operator ? Record<string, unknown> : Merged<Parameters<Rule>[1]>} KnownInputs
 */
/**
 * The attributes of all operators; each takes its own.
 * @template Op
 * @typedef {Op extends Operator ? Record<string, unknown> : Merged<NonNullable<Parameters<Rule>[2]>>} Attributes
 */

/**
 * ONNX's shape inference: the type and the dims of a result, as far as those of the inputs tell. An extent is a number,
 * a symbol (any string), or null where nothing is known; dims as a whole are null where the rank is unknown.
 *
 * What the operator rejects whatever the unknown extents may be is rejected here too, with the operator's own message;
 * ONNX's inference lets some of that pass, such as a shape with another number of elements. Where ONNX's rule gives
 * less than could be known, so does this: of a symbol times anything but 1 nothing is kept. All versions of every
 * operator of `schemas`. Needs no `init()`.
 * @template {OperatorName | Operator} Op
 * @param {Op} op or what `define` gives
 * @param {KnownInputs<Op>} inputs by their ONNX names, such as `data` and `shape` of Reshape; optional ones are
 *   undefined or null if omitted. Concat and SequenceConstruct have a list `inputs`. A sequence is
 *   `{ sequence: true, type, dims }`
 * @param {Attributes<Op> & CallOptions} [options] the operator's attributes, `to` for Cast, and `outputs` for Split:
 *   how many the node has
 * @returns {Results<Op>}
 * @throws {TypeError} an unknown operator, input or option, a type that the version does not take, a shape or split of
 *   another type or rank
 * @throws {RangeError} what the operator would reject; a value whose length is not what dims say
 * @example
 * const shape = { type: 'int64', dims: [3], value: [0, 0, -1] };
 * inferShape('Reshape', { data: { type: 'float32', dims: ['N', 'M', 3, 4] }, shape }).dims; // ['N', 'M', 12]
 */
export function inferShape(op, inputs, options) {
  return inferBy(operatorOf(op), inputs, options);
}

/**
 * @param {unknown} op
 * @returns {Operator}
 */
function operatorOf(op) {
  return named('inferShape', () => {
    if (isOperator(op)) return op;
    const names = Object.keys(operators);
    if (typeof op !== 'string') typeError(`op must be the name of an operator, got ${show(op)}`);
    if (!Object.hasOwn(operators, op)) unknownName('operator', op, names);
    return operators[/** @type {OperatorName} */ (op)];
  });
}
