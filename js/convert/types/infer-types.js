/** The element types of a model's values, which follow from the operators alone: shapes play no part. */
import { attributeOf, graphsOf, sparseCodeIn, tensorMessageIn, wholeAttribute } from '../model/attributes.js';
import { readTensorHead } from '../../io/internal.js';
import { rowOf, tokensFor } from './type-rows.js';

/** @import { Attribute, Graph, Model, ModelFunction, Node } from '../model/types.js' */

/** TensorProto's codes. */
export const codes = Object.freeze({ float32: 1, int64: 7, bool: 9, float16: 10, bfloat16: 16 });
/** Stands for the code of a type that nothing states. */
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
/** Operators whose output has elements of the type that the first input has: sequences and optionals. */
const sameAsFirst = new Set([
  ...['SequenceAt', 'SequenceConstruct', 'SplitToSequence', 'ConcatFromSequence', 'OptionalGetElement', 'Optional'],
]);

/** The element types (TensorProto codes) of a graph's values, by name. `outer`: those of the graph around it. */
export class Scope {
  /** @param {Scope | undefined} outer */
  constructor(outer) {
    this.outer = outer;
    /** @type {Map<string, number>} */
    this.types = new Map();
  }

  /** The TensorProto code of the elements of a value that the graph sees; 0 where the value has none or is not known,
   * `unknown` where nothing states its type.
   * @type {(name: string) => number} */
  typeOf(name) {
    for (let scope = /** @type {Scope | undefined} */ (this); scope; scope = scope.outer) {
      const code = scope.types.get(name);
      if (code !== undefined) return code;
    }
    return 0;
  }
}

/** The element types of the values of all graphs of a model, inferred when this object is made. */
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

  /** Gives the types of the values of a graph of the model. @type {(graph: Graph) => Scope} */
  scopeOf(graph) {
    return /** @type {Scope} */ (this.scopes.get(graph));
  }

  /** The function of the model that a node calls; undefined if it is an operator.
   * @type {(node: Node) => ModelFunction | undefined} */
  functionOf({ domain, operator }) {
    return this.functions.get(`${domain}:${operator}`);
  }

  /** Infers the element type of each value of a graph and of the graphs inside. `inputs`: the types that
   * the node passes to the graph's inputs.
   * @type {(graph: Graph, outer: Scope | undefined, inputs: Map<string, number>) => void} */
  inferGraph(graph, outer, inputs) {
    const scope = new Scope(outer);
    this.scopes.set(graph, scope);
    for (const { name, code: stated } of graph.inputs) {
      const passed = inputs.get(name) ?? 0;
      // A code of 0 states no type.
      scope.types.set(name, stated || passed);
    }
    for (const { name, dtype } of graph.initializers.values()) scope.types.set(name, dtype.code);
    for (const [name, { code }] of graph.sparse) scope.types.set(name, code);
    const statedTypes = new Map([...graph.infos, ...graph.outputs].map(({ name, code }) => [name, code]));
    for (const node of graph.nodes) {
      for (const body of graphsOf(node)) this.inferGraph(body, scope, bodyInputs(node, body, scope));
      const types = this.outputTypes(node, scope, this.opsets, statedTypes);
      node.outputs.forEach((name, i) => name !== '' && scope.types.set(name, types[i]));
    }
  }

  /** Infers the TensorProto code of each output of a node from the codes of its inputs. `scope`: the types of the
   * graph's values so far; `stated`: types that the graph states of its values, which count for operators that are not
   * known.
   * @type {(node: Node, scope: Scope, opsets: ReadonlyMap<string, number>, stated: ReadonlyMap<string, number>) =>
   *   number[]} */
  outputTypes(node, scope, opsets, stated) {
    const { operator, domain, inputs, outputs } = node;
    const inputTypes = inputs.map((name) => scope.typeOf(name));
    const isOnnx = domain === '';
    if (isOnnx && graphOperators.has(operator)) return this.outputTypesOfGraphInside(node);
    const typeOfAll = isOnnx ? typeOfAllOutputs(node, inputTypes) : undefined;
    if (typeOfAll !== undefined) return outputs.map(() => typeOfAll);
    const called = this.functionOf(node);
    if (called) return this.outputTypesOfFunction(called, inputTypes).slice(0, outputs.length);
    // Which inputs and outputs share a type variable.
    const signature = rowOf(operator, domain, opsets.get(domain) ?? 0);
    const isKnown = signature !== undefined;
    return isKnown
      ? outputTypesBySignature(signature, node, inputTypes)
      : outputs.map((name) => stated.get(name) ?? unknown);
  }

  /** Gives the output types of an If, Loop, Scan or SequenceMap: those of the outputs of its first graph.
   * @type {(node: Node) => number[]} */
  outputTypesOfGraphInside(node) {
    const [body] = graphsOf(node);
    if (!body) return node.outputs.map(() => unknown);
    const scope = this.scopeOf(body);
    const types = body.outputs.map(({ name, code }) => scope.typeOf(name) || code);
    // The first output of Loop's graph is its condition, which is no output of the node.
    const results = node.operator === 'Loop' ? types.slice(1) : types;
    return node.outputs.map((_, i) => results[i] ?? unknown);
  }

  /** Infers the output types of a function of the model, by the nodes in it, and keeps them for later calls.
   * @type {(called: ModelFunction, inputTypes: readonly number[]) => number[]} */
  outputTypesOfFunction(called, inputTypes) {
    const key = JSON.stringify([called.domain, called.name, inputTypes]);
    const known = this.calls.get(key);
    if (known) return known;
    // So a function that calls itself ends: the types of that call are unknown.
    const unknowns = called.outputs.map(() => unknown);
    this.calls.set(key, unknowns);
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

/** The one type (a TensorProto code) of all outputs of a node, for operators where an attribute or a single input
 * states it; undefined for other operators.
 * @type {(node: Node, inputTypes: readonly number[]) => number | undefined} */
function typeOfAllOutputs(node, inputTypes) {
  const { operator } = node;
  if (operator === 'Constant') return typeOfConstant(node);
  if (operator === 'ConstantOfShape') return typeOfTensorIn(attributeOf(node, 'value')) ?? codes.float32;
  const typeAttribute = typeAttributes.get(operator);
  if (typeAttribute) return wholeAttribute(node, typeAttribute, codes.float32);
  const [first, second] = inputTypes;
  const likeAttribute = likeAttributes.get(operator);
  // Without its attribute, DequantizeLinear has the type of its scale, the second input.
  const typeWithoutAttribute = operator === 'DequantizeLinear' ? second : first;
  if (likeAttribute) return wholeAttribute(node, likeAttribute, 0) || (typeWithoutAttribute ?? 0);
  return sameAsFirst.has(operator) ? (first ?? 0) : undefined;
}

/** Gives the types that a node passes to the inputs of a graph inside, by name. If passes none.
 * @type {(node: Node, body: Graph, scope: Scope) => Map<string, number>} */
function bodyInputs(node, body, scope) {
  if (node.operator === 'If') return new Map();
  const inputTypes = node.inputs.map((name) => scope.typeOf(name));
  // Loop passes the iteration number and the condition in the place of its first two inputs.
  const types = node.operator === 'Loop' ? [codes.int64, codes.bool, ...inputTypes.slice(2)] : inputTypes;
  return new Map(body.inputs.map(({ name }, i) => [name, types[i] ?? 0]));
}

/** The element type of the tensor that an attribute holds; undefined if it holds none.
 * @type {(attribute: Attribute | undefined) => number | undefined} */
function typeOfTensorIn(attribute) {
  const message = attribute && tensorMessageIn(attribute);
  return message && readTensorHead(message).dtype.code;
}

/** The element type (a TensorProto code) of a Constant, by the attribute that states its value.
 * @type {(node: Node) => number} */
function typeOfConstant(node) {
  for (const attribute of node.attributes) {
    if (attribute.name === 'value') return typeOfTensorIn(attribute) ?? unknown;
    if (attribute.name === 'value_float' || attribute.name === 'value_floats') return codes.float32;
    if (attribute.name === 'sparse_value') return sparseCodeIn(attribute);
  }
  // `value_int`, `value_ints`; and strings, whose type matters to no rule.
  return codes.int64;
}

/** Gives each output the type of the inputs that have the same type variable in the operator's signature, as in
 * `T . > T` of one output and two inputs. A token is a variable such as T or T! (one that is never float16), F for
 * float32, or a dot for any type but float32.
 * @type {(signature: import('./type-rows.js').TypeRow, node: Node, inputTypes: readonly number[]) => number[]} */
function outputTypesBySignature(signature, { inputs, outputs }, inputTypes) {
  const variableOf = (/** @type {string} */ token) => token.replace('!', '');
  const inputVariables = tokensFor(signature.inputs, inputs.length).map(variableOf);
  return tokensFor(signature.outputs, outputs.length).map((token) => {
    if (token === '.') return 0;
    if (token === 'F') return codes.float32;
    const variable = variableOf(token);
    const types = inputTypes.filter((_, i) => inputs[i] !== '' && inputVariables[i] === variable);
    // An output whose variable no input has, as LayerNormalization's Mean, counts as float32.
    if (types.length === 0) return codes.float32;
    // The types agree in a valid model; the largest code wins over `unknown`.
    return types.reduce((largest, type) => Math.max(largest, type), unknown);
  });
}
