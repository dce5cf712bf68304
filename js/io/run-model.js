/** Runs models whose graphs move tensors: the package's operators, and Constant. An operator that only rearranges, such
 * as Transpose, gives a LazyTensor, also called a view here: a tensor whose elements are still where they were, with
 * the rule for finding them. Copying it gives the tensor. */
import * as args from '../arguments/index.js';
import * as onnx from '../operators/internal.js';
import { Constant } from './constant.js';
import { readPlan } from './given-model.js';
import { readInitializers, readInputs } from './run-inputs.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { Model, Node } from './onnx/types.js' */
/** @import { Plan, Runnable, RunnableNode, RunOptions, Value } from './types.js' */
/** @import { Operator } from '../operators/types.js' */

/** @typedef {Value | onnx.LazyTensor} LazyValue a value, or a tensor that is not copied yet */
/** @typedef {TensorLike | readonly TensorLike[]} Given */

/**
 * Runs a model at its opset. Its graph may hold every operator of `schemas`, Constant, and those that the caller
 * declares. Nodes in a row that only rearrange, such as Transpose, Slice and Reshape, are one copy together, and none
 * where they cancel.
 * @param {Model} model as `readModel` gives it
 * @param {ReadonlyMap<string, Given> | Record<string, Given>} inputs by name; an input may be left out where an
 *   initializer has its name
 * @param {RunOptions} [options]
 * @returns {Map<string, Value>} the graph's outputs by name; an output whose elements no node computes or moves shares
 *   its data with an input or an initializer
 * @throws {TypeError} an input of another type than the graph declares, or that the graph does not have
 * @throws {RangeError} an unknown operator, a graph that uses a value before it is computed, an input of other dims;
 *   and what the operators themselves throw
 * @example
 * const data = { type: 'float32', data: new Float32Array(6), dims: [2, 3] };
 * runModel(readModel(bytes), { data }).get('transposed').dims; // [3, 2]
 */
export function runModel(model, inputs, options) {
  return args.named('runModel', () => {
    const { operators, maxBytes } = args.readTable(options, { operators: args.later, maxBytes: args.readMaxBytes });
    const table = tableOf(operators);
    const budget = args.makeBudget('results', maxBytes);
    const plan = readPlan(model);
    checkNodes(plan.nodes, table);
    const initializers = readInitializers(plan.initializers);
    // A given input takes the place of the initializer of its name.
    /** @type {Map<string, LazyValue>} */
    const values = new Map([...initializers, ...readInputs(plan.infos, inputs, initializers)]);
    return args.spending(budget, () => {
      runNodes(plan, table, values);
      return takeOutputs(plan.outputs, values);
    });
  });
}

/** Runs the nodes of a graph in their order, and adds their outputs to `values`.
 * @type {(plan: Plan, table: Record<string, Runnable>, values: Map<string, LazyValue>) => void} */
function runNodes({ opset, nodes, outputs }, table, values) {
  const lastUsers = lastUsersOf(nodes, outputs);
  for (const node of nodes) {
    for (const name of node.inputs) {
      const value = values.get(name);
      const mayChangeInPlace = lastUsers.get(name) === node;
      if (Array.isArray(value)) onnx.holdSequence(value, mayChangeInPlace);
    }
    const results = runNode({ ...node, runnable: table[node.operator] }, values, opset);
    node.outputs.forEach((name, i) => values.set(name, results[i]));
  }
}

/** Finds the last node that uses each value, by the value's name. An output of the graph has none (undefined): it is
 * used after all nodes.
 * @type {(nodes: readonly Node[], outputs: readonly string[]) => Map<string, Node | undefined>} */
function lastUsersOf(nodes, outputs) {
  /** @type {Map<string, Node | undefined>} */
  const lastUsers = new Map();
  for (const node of nodes) for (const name of node.inputs) lastUsers.set(name, node);
  for (const name of outputs) lastUsers.set(name, undefined);
  return lastUsers;
}

/** Gives the graph's outputs to the caller, by name. Sequences become the caller's, so that no node changes them in
 * place any more.
 * @type {(names: readonly string[], values: Map<string, LazyValue>) => Map<string, Value>} */
function takeOutputs(names, values) {
  /** @type {Map<string, Value>} */
  const outputs = new Map();
  for (const name of names) {
    const value = copiedValue(values, name, 'output');
    if (Array.isArray(value)) onnx.releaseSequence(value);
    outputs.set(name, value);
  }
  return outputs;
}

/** Gives the operators that a graph may hold, by name. Those that the caller declares, by the option `operators`,
 * replace the package's own of the same name.
 * @type {(declared: readonly Operator[] | Readonly<Record<string, Operator>> | undefined) => Record<string,
 *   Runnable>} */
function tableOf(declared = []) {
  if (typeof declared !== 'object' || declared === null || onnx.isOperator(declared))
    args.typeError(`operators must be an array or an object of what define gives, got ${args.showClass(declared)}`);
  for (const [key, operator] of Object.entries(declared)) {
    const name = Array.isArray(declared) ? `operators[${key}]` : `operators.${key}`;
    if (!onnx.isOperator(operator)) args.typeError(`${name} must be what define gives, got ${args.show(operator)}`);
  }
  return {
    ...onnx.operators,
    Constant,
    ...Object.fromEntries(Object.values(declared).map((operator) => [operator.name, operator])),
  };
}

/** Runs a node, and gives its outputs. Inputs that are views are copied first, unless the operator takes views.
 * @type {(node: RunnableNode, values: Map<string, LazyValue>, opset: number) => LazyValue[]} */
function runNode(node, values, opset) {
  const { runnable } = node;
  const inputLabel = `${labelOf(node)} input`;
  checkInputCount(node, opset);
  checkOutputCount(node);
  const options = { ...Object.fromEntries(node.attributes), opset };
  const lazyInputs = node.inputs.map((name) => (name === '' ? undefined : lazyValueOf(values, name, inputLabel)));
  const copyInputs = (/** @type {readonly string[]} */ names) =>
    names.map((name) => (name === '' ? undefined : copiedValue(values, name, inputLabel)));
  // Constant, which is no operator.
  if (runnable.run) return [runnable.run(copyInputs(node.inputs), options, labelOf(node))];
  const operator = /** @type {Operator} */ (runnable);
  onnx.checkNode(operator, lazyInputs, options);
  // An operator that only rearranges is applied to the view of its first input, which stays uncopied. If that input is
  // missing or a sequence, the call at the end reads or refuses it.
  const [firstInput] = lazyInputs;
  const onlyRearranges = operator.move?.view !== undefined;
  if (onlyRearranges && firstInput && !Array.isArray(firstInput)) {
    const otherInputs = copyInputs(node.inputs.slice(1));
    const result = asView(firstInput).apply(operator, otherInputs, options, node.outputs.length);
    return Array.isArray(result) ? result : [result];
  }
  // An operator that joins, as Concat does, copies each view straight to its place in the result. If all inputs are
  // whole tensors, the call at the end does as well.
  const joins = operator.move?.join !== undefined;
  if (joins && lazyInputs.some(isPartialView)) {
    const views = /** @type {(Tensor | onnx.LazyTensor)[]} */ (lazyInputs).map(asView);
    return [onnx.runJoined(operator, views, options)];
  }
  return callOperator(node, copyInputs(node.inputs), options);
}

/** Calls the operator of a node as a function, with tensors that are no views. `options`: the node's attributes and the
 * opset.
 * @type {(node: RunnableNode, inputs: (Value | undefined)[], options: any) => Value[]} */
function callOperator(node, inputs, options) {
  const { runnable } = node;
  // An operator of any number of tensors, such as Concat, takes them as an array.
  /** @type {unknown[]} */
  const callInputs = runnable.variadic ? [inputs] : inputs;
  // One that may have any number of outputs, such as Split, is told how many the node has.
  const hasAnyOutputs = runnable.several && runnable.outputs === undefined;
  const outputCount = hasAnyOutputs ? node.outputs.length : undefined;
  // An attribute that the function takes as an argument behind the inputs, such as Cast's `to`.
  const { argument } = /** @type {any} */ (runnable);
  const { [argument?.name]: value, ...attributes } = optionsFromNode(runnable, options, labelOf(node));
  if (argument) callInputs.push(argument.fromNode(labelOf(node), argument.name, value));
  const result = onnx.runNamed(/** @type {Operator} */ (runnable), callInputs, attributes, outputCount);
  return runnable.several ? /** @type {Tensor[]} */ (result) : [/** @type {Value} */ (result)];
}

/** Whether a value is a view of some of a tensor's elements, or of all in another order. */
const isPartialView = (/** @type {LazyValue | undefined} */ value) =>
  value instanceof onnx.LazyTensor && !value.isWhole;

/** Makes the view of a whole tensor; a view is returned as it is.
 * @type {(value: Tensor | onnx.LazyTensor) => onnx.LazyTensor} */
const asView = (value) => (value instanceof onnx.LazyTensor ? value : onnx.LazyTensor.of('tensor', value));

/** @type {(node: Node) => string} A node of a known operator, as a message names it. */
const labelOf = ({ name, operator, outputs }) => `${operator} node ${args.show(name || outputs[0] || '')}`;

/** Refuses a node with more or fewer inputs than its operator has in that opset.
 * @param {RunnableNode} node
 * @param {number} opset */
function checkInputCount(node, opset) {
  const { optional, variadic } = node.runnable;
  const max = onnx.inputsAt(node.runnable, opset).length;
  const min = max - optional.length;
  const count = node.inputs.length;
  if (variadic || (count >= min && count <= max)) return;
  const range = max - min > 1 ? `${min} to ${max}` : `${min} or ${max}`;
  const counts = min === max ? String(max) : range;
  args.rangeError(`${labelOf(node)} must have ${counts} input${max === 1 ? '' : 's'}, got ${count}`);
}

/** Refuses a node with more or fewer outputs than its operator has: one, the number that it states or, of `several`
 * without a number, one at least.
 * @param {RunnableNode} node */
function checkOutputCount(node) {
  const { several, outputs: stated } = node.runnable;
  const count = node.outputs.length;
  if (several && stated === undefined) {
    if (count === 0) args.rangeError(`${labelOf(node)} must have outputs, got 0`);
    return;
  }
  const expected = stated ?? 1;
  if (count !== expected)
    args.rangeError(`${labelOf(node)} must have ${expected} output${expected === 1 ? '' : 's'}, got ${count}`);
}

/** Finds a value by its name, and refuses one that no node has computed yet. It may be a view. `user`: the node's input
 * or the output that needs it, for messages.
 * @type {(values: Map<string, LazyValue>, name: string, user: string) => LazyValue} */
const lazyValueOf = (values, name, user) =>
  values.get(name) ?? args.rangeError(`${user} must be computed before it is used, got ${args.show(name)}`);

/** Finds a value by its name and, if it is a view, copies it; the copy replaces the view in `values`.
 * @type {(values: Map<string, LazyValue>, name: string, user: string) => Value} */
function copiedValue(values, name, user) {
  const value = lazyValueOf(values, name, user);
  if (!(value instanceof onnx.LazyTensor)) return value;
  const copy = value.copy();
  values.set(name, copy);
  return copy;
}

/** Options of a call, which are no attributes: a model that had `out` would choose what is written to. */
const callOptions = ['opset', 'strict', 'out'];

/** Refuses unknown operators, and attributes that are options of a call, before any node runs.
 * @param {readonly Node[]} nodes
 * @param {Record<string, Runnable>} table */
function checkNodes(nodes, table) {
  for (const node of nodes) {
    const isKnown = node.domain === '' && Object.hasOwn(table, node.operator);
    if (!isKnown) {
      const name = args.show(node.name || node.outputs[0] || '');
      const operator = node.domain ? `${node.domain}.${node.operator}` : node.operator;
      args.rangeError(`node ${name} has ${args.unknownRule('operator', operator, Object.keys(table))}`);
    }
    for (const key of callOptions)
      if (node.attributes.has(key)) args.typeError(`${labelOf(node)} has no attribute ${key}`);
  }
}

/** Converts the attributes of a node to the options of a call. An attribute whose spelling differs has a function
 * `fromNode`: a type is a number in a node, and a name in a call. `node`: how messages name the node.
 * @type {(operator: any, nodeOptions: any, node: string) => any} */
function optionsFromNode({ attributes }, nodeOptions, node) {
  let options = nodeOptions;
  for (const { name, fromNode } of attributes) {
    const value = nodeOptions[name];
    if (fromNode && value !== undefined) options = { ...options, [name]: fromNode(node, name, value) };
  }
  return options;
}
