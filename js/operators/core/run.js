/** How a declared operator is called: its arguments are read, its shape rule is asked, its bytes are moved. */
import { callError, checkKeys, checkReady, readCall } from '../call.js';
import { readAttribute } from './kinds.js';

/** @import { Call, ViewRule } from '../operator.js' */
/** @import { Plan } from './results.js' */

/**
 * Calls an operator: the body of every public function.
 * @param {any} operator
 * @param {any[]} inputs as they are given
 * @param {any} options attributes, `out`, `opset` and `strict`
 * @returns {any} the result
 */
export function run(operator, inputs, options) {
  const { kinds, move } = operator;
  if (move.isMoving) checkReady(operator);
  /** @type {Call | undefined} */
  let call;
  try {
    call = readCall(operator, options);
    const values = new Array(kinds.length);
    for (let i = 0; i < kinds.length; i++)
      values[i] = kinds[i].isEarly ? kinds[i].read(kinds[i], call, inputs[i], options) : inputs[i];
    return move.run(operator, planOf(call, values, options), values, options);
  } catch (error) {
    throw callError(operator, call, error);
  }
}

/**
 * Reads options, attributes, and the inputs that are no tensors, and asks the shape rule.
 * @param {any} call
 * @param {any[]} values gets what is read of the inputs
 * @param {any} options
 * @returns {Plan}
 */
function planOf(call, values, options) {
  const { operator } = call;
  const { kinds } = operator;
  if (options !== undefined) checkKeys(call, options, operator.move.out);
  const attributes = readAttributes(call, options);
  for (let i = 1; i < kinds.length; i++)
    if (!kinds[i].isEarly) values[i] = kinds[i].read(kinds[i], call, values[i], options);
  return shapeOf(operator, call, attributes, values);
}

/** @type {(call: any, options: any) => any} the attributes by their names */
export function readAttributes(call, options) {
  const { attributes, defaults, needsOptions } = call.operator;
  if (attributes.length === 0 || (options === undefined && !needsOptions)) return defaults;
  const read = { ...defaults };
  for (let i = 0; i < attributes.length; i++) {
    const { name } = attributes[i];
    read[name] = readAttribute(name, attributes[i], call, options);
  }
  return read;
}

/** @type {(operator: any, call: Call, attributes: any, values: any[]) => Plan} without a spread, which is slow */
export const shapeOf = (operator, call, attributes, values) =>
  operator.shape(call, attributes, values[0], values[1], values[2], values[3], values[4]);

/**
 * The view of a declared operator, for what is not copied yet.
 * @type {ViewRule}
 */
export function declaredView(call, source, inputs, options, dtype) {
  const plan = planOf(call, [{ dtype, dims: source.dims }, ...inputs], options);
  return /** @type {any} */ (call.operator).move.view(source, plan);
}
