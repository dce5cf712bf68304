/** The element types of a model's values, which follow from the operators alone: shapes play no part. */
import { attributeOf, graphsOf, sparseCodeIn, tensorMessageIn, wholeAttribute } from '../model/attributes.js';
import { readTensorHead } from '../../io/internal.js';
import { rowOf, tokensFor } from './type-rows.js';

/** @import { Attribute, Graph, Model, ModelFunction, Node } from '../model/types.js' */

/** TensorProto's codes. */
export const codes = Object.freeze({ float32: 1, int64: 7, bool: 9, float16: 10, bfloat16: 16 });
/** The type of a value that nothing states. */
export const unknown = -1;

/** Nodes whose types follow from their graphs. */
export const graphOperators = new Set(['If', 'Loop', 'Scan', 'SequenceMap']);
/** The attribute that names the type of the outputs, which are float32 without it. */
export const typeAttributes = new Map([
  ...['RandomNormal', 'RandomUniform', 'SequenceEmpty'].map((name) => /** @type {const} */ ([name, 'dtype'])),
  ...['BlackmanWindow', 'HammingWindow', 'HannWindow', 'MelWeightMatrix'].map(
    (name) => /** @type {const} */ ([name, 'output_datatype']),
  ),
]);
/** The attribute that names the type of the outputs, which have the type of an input without it. */
export const likeAttributes = new Map([
  ...['RandomNormalLike', 'RandomUniformLike', 'EyeLike', 'Bernoulli'].map(
    (name) => /** @type {const} */ ([name, 'dtype']),
  ),
  ['Cast', 'to'],
  ['DequantizeLinear', 'output_dtype'],
]);
/** Nodes that give elements of their first input's. */
const sameAsFirst = new Set([
  ...['SequenceAt', 'SequenceConstruct', 'SplitToSequence', 'ConcatFromSequence', 'OptionalGetElement', 'Optional'],
]);

/** The types of a graph's values, and of those around it. */
export class Scope {
  /** @param {Scope | undefined} outer */
  constructor(outer) {
    this.outer = outer;
    /** @type {Map<string, number>} */
    this.types = new Map();
  }

  /** The TensorProto code of a value's elements; 0 where it has none, `unknown` where nothing states them.
   * @type {(name: string) => number} */
  typeOf(name) {
    for (let scope = /** @type {Scope | undefined} */ (this); scope; scope = scope.outer) {
      const code = scope.types.get(name);
      if (code !== undefined) return code;
    }
    return 0;
  }
}

/** The types of all graphs of a model. */
export class ModelTypes {
  /** @param {Model} model */
  constructor(model) {
    this.opsets = model.opsets;
    /** @type {Map<string, ModelFunction>} */
    this.functions = new Map(model.functions.map((body) => [`${body.domain}:${body.name}`, body]));
    /** @type {Map<Graph, Scope>} */
    this.scopes = new Map();
    /** @type {Map<string, number[]>} outputs of functions, by the types of their inputs */
    this.calls = new Map();
    this.inferGraph(model.graph, undefined, new Map());
  }

  /** @type {(graph: Graph) => Scope} */
  scopeOf(graph) {
    return /** @type {Scope} */ (this.scopes.get(graph));
  }

  /** @type {(node: Node) => ModelFunction | undefined} the function that a node calls */
  functionOf({ domain, operator }) {
    return this.functions.get(`${domain}:${operator}`);
  }

  /** Infers the element type of each value of a graph in node order, graphs inside first, into `scopes`. `inputs`:
   * types of the graph's inputs, which the node around it gives.
   * @type {(graph: Graph, outer: Scope | undefined, inputs: Map<string, number>) => void} */
  inferGraph(graph, outer, inputs) {
    const scope = new Scope(outer);
    this.scopes.set(graph, scope);
    // A code of 0: the type is not stated, or has no elements.
    for (const { name, code } of graph.inputs) scope.types.set(name, code || (inputs.get(name) ?? 0));
    for (const { name, dtype } of graph.initializers.values()) scope.types.set(name, dtype.code);
    for (const [name, { code }] of graph.sparse) scope.types.set(name, code);
    const stated = new Map([...graph.infos, ...graph.outputs].map(({ name, code }) => [name, code]));
    for (const node of graph.nodes) {
      for (const body of graphsOf(node)) this.inferGraph(body, scope, bodyInputs(node, body, scope));
      const types = this.outputTypes(node, scope, this.opsets, stated);
      node.outputs.forEach((name, i) => name !== '' && scope.types.set(name, types[i]));
    }
  }

  /** The codes of a node's output types. `stated`: types that the graph states of its values, for operators that are
   * not known.
   * @type {(node: Node, scope: Scope, opsets: ReadonlyMap<string, number>, stated: ReadonlyMap<string, number>) =>
   *   number[]} */
  outputTypes(node, scope, opsets, stated) {
    const { operator, domain, inputs, outputs } = node;
    const inputTypes = inputs.map((name) => scope.typeOf(name));
    const all = (/** @type {number} */ code) => outputs.map(() => code);
    // Operators whose type an attribute, a graph or the first input says; the others by the table.
    if (domain === '') {
      if (operator === 'Constant') return all(constantCode(node));
      if (operator === 'ConstantOfShape') return all(valueCode(attributeOf(node, 'value')) ?? codes.float32);
      if (graphOperators.has(operator)) return this.bodyOutputs(node);
      const byDefault = typeAttributes.get(operator);
      if (byDefault) return all(wholeAttribute(node, byDefault, codes.float32));
      const like = likeAttributes.get(operator);
      if (like) return all(wholeAttribute(node, like, 0) || (inputTypes[operator === 'DequantizeLinear' ? 1 : 0] ?? 0));
      if (sameAsFirst.has(operator)) return all(inputTypes[0] ?? 0);
    }
    const called = this.functionOf(node);
    if (called) return this.callTypes(called, inputTypes).slice(0, outputs.length);
    const row = rowOf(operator, domain, opsets.get(domain) ?? 0);
    if (!row) return outputs.map((name) => stated.get(name) ?? unknown);
    return typesByRow(row, node, inputTypes);
  }

  /** The output types of If, Loop, Scan and SequenceMap: those of their first graph, of Loop without the condition.
   * @type {(node: Node) => number[]} */
  bodyOutputs(node) {
    const [body] = graphsOf(node);
    if (!body) return node.outputs.map(() => unknown);
    const scope = this.scopeOf(body);
    const types = body.outputs.map(({ name, code }) => scope.typeOf(name) || code);
    const results = node.operator === 'Loop' ? types.slice(1) : types;
    return node.outputs.map((_, i) => results[i] ?? unknown);
  }

  /** The output types of a function of the model, for inputs of these types. A function that calls itself has no types.
   * @type {(called: ModelFunction, inputTypes: readonly number[]) => number[]} */
  callTypes(called, inputTypes) {
    const key = JSON.stringify([called.domain, called.name, inputTypes]);
    const known = this.calls.get(key);
    if (known) return known;
    // For calls of the function in its own body.
    this.calls.set(
      key,
      called.outputs.map(() => unknown),
    );
    const scope = new Scope(undefined);
    called.inputs.forEach((name, i) => scope.types.set(name, inputTypes[i] ?? 0));
    for (const node of called.nodes) {
      for (const body of graphsOf(node)) this.inferGraph(body, scope, bodyInputs(node, body, scope));
      const types = this.outputTypes(node, scope, called.opsets, new Map());
      node.outputs.forEach((name, i) => scope.types.set(name, types[i]));
    }
    const results = called.outputs.map((name) => scope.types.get(name) ?? unknown);
    this.calls.set(key, results);
    return results;
  }
}

/** The types of the inputs of a graph inside a node. Loop gives the iteration number and the condition before its own
 * inputs; If gives none.
 * @type {(node: Node, body: Graph, scope: Scope) => Map<string, number>} */
function bodyInputs(node, body, scope) {
  if (node.operator === 'If') return new Map();
  const inputTypes = node.inputs.map((name) => scope.typeOf(name));
  const types = node.operator === 'Loop' ? [codes.int64, codes.bool, ...inputTypes.slice(2)] : inputTypes;
  return new Map(body.inputs.map(({ name }, i) => [name, types[i] ?? 0]));
}

/** The element type of a tensor attribute. @type {(attribute: Attribute | undefined) => number | undefined} */
function valueCode(attribute) {
  const message = attribute && tensorMessageIn(attribute);
  return message && readTensorHead(message).dtype.code;
}

/** The element type of a Constant, by its attribute; int64 for `value_int` and `value_ints`.
 * @type {(node: Node) => number} */
function constantCode(node) {
  for (const attribute of node.attributes) {
    if (attribute.name === 'value') return valueCode(attribute) ?? unknown;
    if (attribute.name === 'value_float' || attribute.name === 'value_floats') return codes.float32;
    if (attribute.name === 'sparse_value') return sparseCodeIn(attribute);
  }
  return codes.int64;
}

/** The output types of a node, by its row in the table of operators: that of the inputs of the same type variable.
 * @type {(row: import('./type-rows.js').TypeRow, node: Node, inputTypes: readonly number[]) => number[]} */
function typesByRow(row, { inputs, outputs }, inputTypes) {
  const places = tokensFor(row.inputs, inputs.length);
  return tokensFor(row.outputs, outputs.length).map((token) => {
    if (token === '.') return 0;
    if (token === 'F') return codes.float32;
    const variable = token.replace('!', '');
    const sameVariable = inputTypes.filter((_, i) => inputs[i] !== '' && places[i].replace('!', '') === variable);
    // LayerNormalization's Mean has a type of its own, float32 by default.
    return sameVariable.reduce(
      (largest, code) => Math.max(largest, code),
      sameVariable.length > 0 ? unknown : codes.float32,
    );
  });
}
