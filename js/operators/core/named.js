/** Lets callers name inputs in the options object, or pass it in place of the first omitted input. */
import { typeError } from '../../arguments/index.js';
import { callOperator, isAttribute, loadFor, refuseOption, withCall } from './call.js';

/** @import { Call, Input, Operator, OptionBag } from '../types.js' */

/** Inputs of these kinds have no name in a call, unless they are optional or behind an input that has one. */
const unnamedKinds = ['tensor', 'tensors', 'sequence'];

/** Finds the index of the first input that callers may give by its name, or the number of inputs if there is none. The
 * operator keeps it for the next call.
 * @type {(operator: Operator) => number} */
function findFirstNamed(operator) {
  if (operator.firstNamed !== undefined) return operator.firstNamed;
  const first = operator.declaredInputs.findIndex(({ kind, optional }) => optional || !unnamedKinds.includes(kind));
  operator.firstNamed = first < 0 ? operator.declaredInputs.length : first;
  return operator.firstNamed;
}

/** Gives an input's name in the call's version, such as `paddings` for the `pads` of Pad-1.
 * @type {(call: Call, input: Input) => string} */
function nameAt({ schema }, { name, former }) {
  const hasFormerName = former !== undefined && schema.attributes.includes(former);
  return hasFormerName ? former : name;
}

/** Tells whether a value is an object literal, or an object without a prototype. An object literal of another realm,
 * such as a frame of the page, has that realm's Object.prototype, which has no prototype itself.
 * @type {(value: object) => boolean} */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Runs a call whose inputs may be named, and loads the module if the operator moves bytes.
 * @type {(operator: Operator, inputs: unknown[], options?: unknown, outputs?: number) => any} */
export function runNamed(operator, inputs, options, outputs) {
  loadFor(operator);
  return callNamed(operator, inputs, options, outputs);
}

/** Runs a call whose inputs may be named, and whose module is loaded. Changes the list `inputs`.
 * @type {(operator: Operator, inputs: unknown[], options?: unknown, outputs?: number) => any} */
export function callNamed(operator, inputs, options, outputs) {
  const bag = optionsOf(operator, inputs, options);
  if (bag !== undefined) withCall(operator, bag, (call) => takeNamed(call, inputs, bag));
  return callOperator(operator, inputs, bag, outputs);
}

/** Tells whether a value in an input's place is the options: a plain object that is no tensor, which has `dims`.
 * @type {(value: any) => value is OptionBag} */
const isOptionBag = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.dims === undefined && isPlain(value);

/** Finds the options of a call: `options`, or else the last input that is given, if it may be named and is a plain
 * object. That stands for the options then, and is taken out of `inputs`.
 * @type {(operator: Operator, inputs: unknown[], options: unknown) => OptionBag | undefined} */
export function optionsOf(operator, inputs, options) {
  if (options !== undefined) return /** @type {OptionBag} */ (options);
  for (let i = inputs.length - 1; i >= findFirstNamed(operator); i--) {
    const last = inputs[i];
    if (last === undefined) continue;
    if (!isOptionBag(last)) return undefined;
    inputs[i] = undefined;
    return last;
  }
  return undefined;
}

/** Adds the names of the inputs, from the index `first` on, to the options that a call takes. A Call is cached, so an
 * earlier call may have added them.
 * @type {(call: Call, first: number) => void} */
function addNamesToOptions(call, first) {
  const { operator, schema } = call;
  const hasNames = call.options !== schema.attributes;
  if (hasNames) return;
  const names = operator.declaredInputs.slice(first).map((input) => nameAt(call, input));
  call.options = [...new Set([...schema.attributes, ...names])]; // some versions have an input as an attribute
}

/** Copies inputs that are named in the options to their places in `inputs`, and refuses one that is given twice.
 * @type {(call: Call, inputs: unknown[], options: OptionBag) => void} */
export function takeNamed(call, inputs, options) {
  const { declaredInputs } = call.operator;
  const first = findFirstNamed(call.operator);
  addNamesToOptions(call, first);
  for (let i = first; i < declaredInputs.length; i++) {
    const name = nameAt(call, declaredInputs[i]);
    const value = options[name];
    if (value === undefined) continue;
    if (inputs[i] !== undefined && inputs[i] !== null) typeError(`${name} is given twice`);
    inputs[i] = value;
  }
}

/** Checks a model's node: refuses an attribute that its version has as an input, and an input that its version has as
 * an attribute. Calls may give either. `inputs` and `options`: the node's inputs, and its attributes by their names.
 * @type {(operator: Operator, inputs: readonly unknown[], options: OptionBag) => void} */
export function checkNode(operator, inputs, options) {
  withCall(operator, options, (call) => {
    const { attributes, since } = call.schema;
    operator.declaredInputs.forEach((input, i) => {
      const name = nameAt(call, input);
      const isInput = input.kind !== 'argument' && !attributes.includes(name);
      if (isInput && options[name] !== undefined) refuseOption(call, attributes, name, operator.move.out);
      // isAttribute refuses an input that this version has as an attribute. Split-1 takes either.
      const takesEither = input.rules?.eitherIn === since;
      if (!takesEither) isAttribute(call, name, inputs[i]);
    });
  });
}
