/** Runs models whose graphs move tensors: the package's operators, and Constant. An operator that only rearranges, such
 * as Transpose, gives a LazyTensor: a tensor with a view that says where its elements lie, not copied yet. */
import * as args from '../arguments/index.js';
import * as onnx from '../operators/internal.js';
import { readWholeTensor, tensorOf } from '../tensor/index.js';
import { isMap, readMap } from './maps.js';
import { Constant } from './constant.js';
import { readPlan } from './given-model.js';

/** @import { Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @import { Model, Node, ValueInfo } from './onnx/types.js' */
/** @import { Runnable, RunnableNode, RunOptions, Value } from './types.js' */
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
    const { opset, nodes: planNodes, initializers, infos, outputs } = readPlan(model);
    checkNodes(planNodes, table);
    const nodes = planNodes.map((node) => ({ ...node, runnable: table[node.operator] }));
    /** @type {Map<string, LazyValue>} */
    const values = new Map(
      Array.from(initializers, ([name, tensor]) => [name, readOne(`initializer ${args.show(name)}`, tensor)]),
    );
    readInputs(infos, inputs, values);
    // By the name of a value, the last node that uses it; undefined for outputs, which are used after all nodes.
    /** @type {Map<string, Node | undefined>} */
    const lastUses = new Map(nodes.flatMap((node) => node.inputs.map((name) => [name, node])));
    for (const name of outputs) lastUses.set(name, undefined);
    return args.spending(budget, () => {
      for (const node of nodes) {
        for (const name of node.inputs) {
          const value = values.get(name);
          // The last node that uses a sequence may change its array in place.
          if (Array.isArray(value)) onnx.holdSequence(value, lastUses.get(name) === node);
        }
        const results = runNode(node, values, opset);
        node.outputs.forEach((name, i) => values.set(name, results[i]));
      }
      return outputsOf(outputs, values);
    });
  });
}

/** Gives the values of a graph's outputs by name. Copies those that are still views, in `values` too. Sequences become
 * the caller's, so no node may change them in place any more.
 * @type {(names: readonly string[], values: Map<string, LazyValue>) => Map<string, Value>} */
const outputsOf = (names, values) =>
  new Map(
    names.map((name) => {
      const value = valueOf(values, name, 'output');
      if (Array.isArray(value)) onnx.releaseSequence(value);
      return [name, value];
    }),
  );

/** Gives the operators that a graph may hold, by name: those of the package, Constant, and those that the caller
 * declares (the option `operators`), which replace the package's own of the same name.
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

/** Runs a node, and gives its outputs. An operator that only rearranges gives another view of its first input, without
 * a copy. Inputs of other operators are copied first if they are views, and `values` then has the copies.
 * @type {(node: RunnableNode, values: Map<string, LazyValue>, opset: number) => LazyValue[]} */
function runNode(node, values, opset) {
  const { runnable } = node;
  const what = `${label(node)} input`;
  checkCounts(node, opset);
  const options = { ...Object.fromEntries(node.attributes), opset };
  const count = node.outputs.length;
  // The inputs, which may be views; undefined for omitted ones.
  const held = node.inputs.map((name) => (name === '' ? undefined : heldOf(values, name, what)));
  // The inputs from number `first` on, with views copied.
  const inputsFrom = (/** @type {number} */ first) =>
    node.inputs.slice(first).map((name) => (name === '' ? undefined : valueOf(values, name, what)));
  const [source] = held;
  if (!runnable.run) onnx.checkNode(/** @type {Operator} */ (runnable), held, options);
  // The operator only rearranges: compose its view with that of its first input. If that is missing or a sequence, the
  // call at the end reads or refuses it.
  if (runnable.move?.view && source && !Array.isArray(source)) {
    const result = composedOf(source).apply(/** @type {Operator} */ (runnable), inputsFrom(1), options, count);
    return Array.isArray(result) ? result : [result];
  }
  // The operator joins tensors, as Concat does: copy each view straight to its place in the result. Whole tensors alone
  // need no copy before, so they go to the call at the end.
  if (runnable.move?.join && held.some((value) => value instanceof onnx.LazyTensor && !value.isWhole))
    return [
      onnx.runJoined(
        /** @type {Operator} */ (runnable),
        /** @type {(Tensor | onnx.LazyTensor)[]} */ (held).map(composedOf),
        options,
      ),
    ];
  // Constant has a function of its own.
  if (runnable.run) {
    const result = runnable.run(inputsFrom(0), options, label(node), count);
    return runnable.several ? /** @type {Tensor[]} */ (result) : [/** @type {Value} */ (result)];
  }
  return callOperator(node, inputsFrom(0), options);
}

/** Calls the operator of a node as its function would be called, and gives its outputs. `inputs`: none is a view;
 * `options`: the node's attributes and the opset.
 * @type {(node: RunnableNode, inputs: (Value | undefined)[], options: any) => Value[]} */
function callOperator(node, inputs, options) {
  const { runnable } = node;
  // An operator of any number of tensors, such as Concat, takes them as an array.
  /** @type {unknown[]} */
  const callInputs = runnable.variadic ? [inputs] : inputs;
  // One that may have any number of outputs, such as Split, is told how many the node has.
  const asked = runnable.several && runnable.outputs === undefined ? node.outputs.length : undefined;
  // An attribute that the function takes as an argument behind the inputs, such as Cast's `to`.
  const { argument } = /** @type {any} */ (runnable);
  const { [argument?.name]: value, ...attributes } = fromNode(runnable, options, label(node));
  if (argument) callInputs.push(argument.fromNode(label(node), argument.name, value));
  const result = onnx.runNamed(/** @type {Operator} */ (runnable), callInputs, attributes, asked);
  return runnable.several ? /** @type {Tensor[]} */ (result) : [/** @type {Value} */ (result)];
}

/** Wraps a tensor in a LazyTensor that views it whole; a LazyTensor is returned as it is.
 * @type {(value: Tensor | onnx.LazyTensor) => onnx.LazyTensor} */
const composedOf = (value) => (value instanceof onnx.LazyTensor ? value : onnx.LazyTensor.of('tensor', value));

/** @type {(node: Node) => string} A node of a known operator, as a message names it. */
const label = ({ name, operator, outputs }) => `${operator} node ${args.show(name || outputs[0] || '')}`;

/** Refuses a node with more or fewer inputs or outputs than its operator has at this opset. An operator with `several`
 * outputs and no stated number needs one at least.
 * @param {RunnableNode} node
 * @param {number} opset */
function checkCounts(node, opset) {
  const { runnable } = node;
  const { optional, variadic, several } = runnable;
  const maxInputs = onnx.inputsAt(runnable, opset).length;
  const minInputs = maxInputs - optional.length;
  const count = node.inputs.length;
  if (!variadic && (count < minInputs || count > maxInputs)) {
    const between = maxInputs - minInputs > 1 ? `${minInputs} to ${maxInputs}` : `${minInputs} or ${maxInputs}`;
    const counts = minInputs === maxInputs ? String(maxInputs) : between;
    args.rangeError(`${label(node)} must have ${counts} input${maxInputs === 1 ? '' : 's'}, got ${count}`);
  }
  const outputs = node.outputs.length;
  const { outputs: asked = several ? undefined : 1 } = runnable;
  if (asked === undefined ? outputs === 0 : outputs !== asked) {
    const rule = asked === undefined ? 'outputs' : `${asked} output${asked === 1 ? '' : 's'}`;
    args.rangeError(`${label(node)} must have ${rule}, got ${outputs}`);
  }
}

/** Finds the value of a name, which may be a view. `what`: the node's input or the output that needs it, for messages.
 * @type {(values: Map<string, LazyValue>, name: string, what: string) => LazyValue} */
const heldOf = (values, name, what) =>
  values.get(name) ?? args.rangeError(`${what} must be computed before it is used, got ${args.show(name)}`);

/** Finds the value of a name. If it is a view, copies it, and keeps the copy in `values` instead.
 * @type {(values: Map<string, LazyValue>, name: string, what: string) => Value} */
function valueOf(values, name, what) {
  const held = heldOf(values, name, what);
  if (!(held instanceof onnx.LazyTensor)) return held;
  const tensor = held.copy();
  values.set(name, tensor);
  return tensor;
}

/** Refuses nodes of unknown operators, and nodes with attributes whose names are options of calls, before one runs.
 * @param {readonly Node[]} nodes
 * @param {Record<string, Runnable>} table */
function checkNodes(nodes, table) {
  for (const node of nodes) {
    if (node.domain !== '' || !Object.hasOwn(table, node.operator)) {
      const name = args.show(node.name || node.outputs[0] || '');
      const operator = `${node.domain && `${node.domain}.`}${node.operator}`;
      args.rangeError(`node ${name} has ${args.unknownRule('operator', operator, Object.keys(table))}`);
    }
    // These are options of a call, not attributes: a model that had `out` would choose what is written to.
    for (const key of ['opset', 'strict', 'out'])
      if (node.attributes.has(key)) args.typeError(`${label(node)} has no attribute ${key}`);
  }
}

/** Reads the caller's inputs to `values`. An input of the graph that the caller leaves out needs an initializer of its
 * name; one that the caller gives replaces that. Refuses inputs that the graph does not have.
 * @param {readonly ValueInfo[]} infos the inputs that the graph declares
 * @param {unknown} inputs the caller's: a Map or an object
 * @param {Map<string, LazyValue>} values by name; has the initializers, and gets the inputs */
function readInputs(infos, inputs, values) {
  if (typeof inputs !== 'object' || inputs === null)
    args.typeError(`inputs must be an object or a Map, got ${args.show(inputs)}`);
  const remaining = isMap(inputs)
    ? readMap('inputs', /** @type {ReadonlyMap<string, unknown>} */ (inputs))
    : new Map(Object.entries(inputs));
  for (const info of infos) {
    const argument = `input ${args.show(info.name)}`;
    const value = remaining.get(info.name);
    remaining.delete(info.name);
    if (value !== undefined) values.set(info.name, readInput(argument, info, value));
    else if (!values.has(info.name)) args.typeError(`${argument} must be given, got undefined`);
  }
  for (const name of remaining.keys()) args.typeError(`inputs must be the graph's, got ${args.show(name)}`);
}

/** Reads one input as the graph declares it: a tensor, or an array of tensors, which becomes a sequence. The tensors of
 * an array are of one type: the declared one, or that of the first tensor; undefined if there is neither.
 * @type {(argument: string, info: ValueInfo, value: unknown) => Value} */
function readInput(argument, info, value) {
  if (!info.sequence) return readOne(argument, value, info);
  if (!Array.isArray(value)) args.typeError(`${argument} must be an array of tensors, got ${args.showClass(value)}`);
  let { type } = info;
  const tensors = args.copyList(argument, value).map((tensor, i) => {
    const checked = readOne(`${argument}[${i}]`, tensor, { ...info, type });
    type = checked.type;
    return checked;
  });
  return Object.assign(tensors, { type: /** @type {TypeName} */ (type) });
}

/** Reads a tensor, and refuses another type, rank or extent than the graph declares. A declared type of undefined and
 * dims of null allow any; so does an extent that is a symbol or null.
 * @type {(argument: string, value: unknown, declared?: Partial<ValueInfo>) => Tensor} */
function readOne(argument, value, { type, dims = null } = {}) {
  const tensor = readWholeTensor(argument, value, ({ name }) => {
    if (type !== undefined && name !== type) args.typeError(`${argument} must be ${type}, got ${name}`);
  });
  const fits =
    dims === null ||
    (dims.length === tensor.dims.length &&
      dims.every((extent, i) => typeof extent !== 'number' || extent === tensor.dims[i]));
  if (!fits) args.rangeError(`${argument} dims must be ${showDims(dims)}, got ${args.showList(tensor.dims)}`);
  return tensorOf(tensor.dtype, tensor.data, tensor.dims);
}

/** Shows declared dims in a message: the first 8, a symbol by its first 20 characters, an unknown extent as `?`.
 * @type {(dims: readonly (number | string | null)[]) => string} */
function showDims(dims) {
  const entries = dims
    .slice(0, 8)
    .map((extent) => (typeof extent === 'string' ? extent.slice(0, 20) : (extent ?? '?')));
  return `[${entries.join(', ')}${dims.length > 8 ? ', …' : ''}]`;
}

/** Gives the options of a call from the attributes of a node (`options`). They differ where an attribute has a function
 * `fromNode`: a type is a number in a node, and its name in a call. `operator`: has a list of attributes; `node`: how
 * messages name the node.
 * @type {(operator: any, options: any, node: string) => any} */
function fromNode({ attributes }, options, node) {
  let read = options;
  for (const { name, fromNode: change } of attributes)
    if (change && options[name] !== undefined) read = { ...read, [name]: change(node, name, options[name]) };
  return read;
}
