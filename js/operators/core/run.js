/** How a declared operator is called: its arguments are read, its shape rule is asked, its bytes are moved. */
import { ready } from '../../engine/index.js';
import { readTensor } from '../../tensor/index.js';
import { callError, checkKeys, readCall } from './call.js';
import { readAll, readAttribute, readData } from './kinds.js';

/** @import { Call, CheckedTensor, Plan, Tensor, View, ViewRule } from '../types.js' */

/**
 * Calls an operator whose inputs are all by place: the body of public functions.
 * @param {any} operator
 * @param {any[]} inputs as they are given; what is read of them takes their place
 * @param {any} options attributes, `out`, `opset` and `strict`
 * @param {number} [outputs] how many a node has, of an operator with any number of them
 * @returns {any} the result
 */
export function run(operator, inputs, options, outputs) {
  const { kinds, move } = operator;
  /** @type {Call | undefined} */
  let call;
  try {
    if (move.isMoving) ready();
    call = readCall(operator, options);
    if (outputs !== undefined) call = { ...call, outputs };
    // Inputs are read in their places: the list is the public function's own. Nearly all are plain tensors, and a call
    // that engines know beforehand is inlined.
    for (let i = 0; i < kinds.length; i++) {
      const kind = kinds[i];
      if (kind.read === readData) inputs[i] = readTensor(kind.name, inputs[i], call.checkType, call.allowed);
      else if (kind.isEarly) inputs[i] = kind.read(kind, call, inputs[i], options, inputs);
    }
    return move.run(operator, planOf(call, inputs, options), inputs, options);
  } catch (error) {
    throw callError(operator, call, error);
  }
}

/**
 * Reads options, attributes, and the inputs that are no tensors, and asks the shape rule.
 * @type {(call: any, values: any[], options: any) => Plan}
 */
export function planOf(call, values, options) {
  const { operator } = call;
  const { kinds } = operator;
  if (options !== undefined) checkKeys(call, call.options, options, operator.move.out);
  const attributes = readAttributes(call, options, values);
  for (let i = 1; i < kinds.length; i++)
    if (!kinds[i].isEarly) values[i] = kinds[i].read(kinds[i], call, values[i], options, values);
  return shapeOf(operator, call, attributes, values);
}

/**
 * The attributes by their names: an object that each call of the operator fills anew, because to make one takes 36 ns
 * longer. The shape rule takes it apart before anything else is called.
 * @type {(call: any, options: any, values: any[]) => any}
 */
export function readAttributes(call, options, values) {
  const { attributes, defaults, read, needsOptions } = call.operator;
  if (attributes.length === 0 || (options === undefined && !needsOptions)) return defaults;
  for (let i = 0; i < attributes.length; i++) {
    const attribute = attributes[i];
    read[attribute.name] = readAttribute(attribute.name, attribute, call, options, values);
  }
  return read;
}

/** @type {(operator: any, call: Call, attributes: any, values: any[]) => Plan} a spread is slow, and for many inputs */
export const shapeOf = (operator, call, attributes, values) =>
  operator.kinds.length > 5
    ? operator.shape(call, attributes, ...values)
    : operator.shape(call, attributes, values[0], values[1], values[2], values[3], values[4]);

/** @type {ViewRule} The view of a declared operator, for what is not copied yet. */
export function declaredView(call, source, inputs, options, dtype, outputs) {
  const asked = outputs === undefined || call.operator.outputs === 1 ? call : { ...call, outputs };
  const plan = planOf(asked, [{ dtype, dims: source.dims }, ...inputs], options);
  return /** @type {any} */ (call.operator).move.view(source, plan);
}

/**
 * Calls an operator that joins views of tensors.
 * @type {(operator: any, sources: { parts: CheckedTensor, view: View }[], options: any) => Tensor}
 */
export function runJoined(operator, sources, options) {
  /** @type {Call | undefined} */
  let call;
  try {
    const asked = (call = readCall(operator, options));
    const read = readAll(operator.inputs[0], sources, asked.checkType, (_, { parts: { dtype }, view }, check) => {
      check(dtype);
      return { dtype, dims: view.dims };
    });
    return operator.move.join(planOf(asked, [read], options), sources);
  } catch (error) {
    throw callError(operator, call, error);
  }
}
