/** Shape inference of one operator, for callers that do not need the table of all of them. */
import { checkNames, show, typeError } from '../arguments/index.js';
import { calling } from './call.js';
import { inferDeclared } from './core/infer.js';
import { inputsAt } from './operator.js';

/** @import { Operator } from './types.js' */

/**
 * What an operator makes of inputs that are known in part. `inferShape` finds the operator by its name, and brings all
 * of them into a bundle: 30 kB of an application that only opens files.
 * @template {object} Inputs
 * @template {object} Attributes
 * @param {Operator<Inputs, Attributes>} operator
 * @param {Inputs} inputs by their ONNX names
 * @param {Attributes & import('./types.js').CallOptions} [options]
 * @returns {any} an `Inferred`, or a list of them where a node has several outputs
 * @throws {TypeError | RangeError} as `inferShape` says
 */
export function inferBy(operator, inputs, options) {
  return calling(operator, options, (call) => {
    if (typeof inputs !== 'object' || inputs === null) typeError(`inputs must be an object, got ${show(inputs)}`);
    checkNames('input', inputs, inputsAt(operator, call.opset));
    return inferDeclared(call, inputs, options);
  });
}
