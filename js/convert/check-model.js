/** Checks a converted model: the order of its nodes, its names and its float types. */
import { brief, rangeError, show } from '../arguments/index.js';
import { graphsOf } from './model/attributes.js';
import { codes, graphOperators, ModelTypes, unknown } from './types/infer-types.js';
import { isFloat32Only, rowOf, tokensFor } from './types/type-rows.js';

/** @import { Graph, Model, Node } from './model/types.js' */
/** @import { Scope } from './types/infer-types.js' */

/** @type {(node: Node) => string} */
export const labelOf = ({ name, operator, outputs }) => `${brief(operator)} node ${show(name || (outputs[0] ?? ''))}`;

/** @type {Map<number, string>} */
const typeNames = new Map([
  [codes.float32, 'float32'],
  [codes.float16, 'float16'],
]);

/** Throws at the first fault of a converted model.
 * @type {(model: Model) => void} */
export function checkModel(model) {
  checkGraph(model.graph, new ModelTypes(model), []);
}

/** Throws at the first fault of a graph: an input that is not computed yet, a name that is taken, or a float type that
 * does not fit. `outer`: for each graph around it the names of the values that exist there so far.
 * @type {(graph: Graph, types: ModelTypes, outer: readonly Set<string>[]) => void} */
function checkGraph(graph, types, outer) {
  const sources = [...graph.inputs.map(({ name }) => name), ...graph.initializers.keys(), ...graph.sparse.keys()];
  /** The values of this graph that exist so far. */
  const names = new Set(sources);
  const visible = [...outer, names];
  const exists = (/** @type {string} */ name) => visible.some((list) => list.has(name));
  const scope = types.scopeOf(graph);
  for (const node of graph.nodes) {
    const missing = node.inputs.find((name) => name !== '' && !exists(name));
    if (missing !== undefined)
      rangeError(`${labelOf(node)} input must be computed before it is used, got ${show(missing)}`);
    // A graph inside sees the values before its node, and not the node's outputs.
    for (const body of graphsOf(node)) checkGraph(body, types, visible);
    for (const name of node.outputs) {
      if (name === '') continue;
      if (exists(name)) rangeError(`${labelOf(node)} output must have a new name, got ${show(name)}`);
      names.add(name);
    }
    checkTypes(node, types, scope);
  }
  checkOutputs(graph, scope, exists);
}

/** Refuses outputs of a graph that are not computed, or whose float type is not the stated one.
 * @type {(graph: Graph, scope: Scope, exists: (name: string) => boolean) => void} */
function checkOutputs(graph, scope, exists) {
  for (const { name, code: statedType } of graph.outputs) {
    if (!exists(name)) rangeError(`output of the graph must be computed, got ${show(name)}`);
    const type = scope.typeOf(name);
    const areFloats = typeNames.has(type) && typeNames.has(statedType);
    if (areFloats && type !== statedType)
      rangeError(`output ${show(name)} must be ${typeNames.get(statedType)}, got ${typeNames.get(type)}`);
  }
}

/** Checks the float types of a node's inputs by its row in the table of operators: inputs of one type variable have one
 * type, and places that take float32 alone have it. Types other than float32 and float16 are not checked.
 * @type {(node: Node, types: ModelTypes, scope: Scope) => void} */
function checkTypes(node, { opsets }, scope) {
  const { operator, domain, inputs } = node;
  const signature = rowOf(operator, domain, opsets.get(domain) ?? 0);
  if (!signature) return;
  const hasGraphs = domain === '' && graphOperators.has(operator);
  // A `~` marks inputs with a type of their own each.
  const hasFreeTypes = signature.inputs.some((token) => token.includes('~'));
  if (hasGraphs || hasFreeTypes) return;
  /** The type of the first input of each variable. @type {Map<string, number>} */
  const typesOfVariables = new Map();
  for (const [i, token] of tokensFor(signature.inputs, inputs.length).entries()) {
    const name = inputs[i];
    const type = name === '' ? unknown : scope.typeOf(name);
    const neverFloat32 = token === '.';
    if (neverFloat32 || !typeNames.has(type)) continue;
    const needed = isFloat32Only(token) ? codes.float32 : (typesOfVariables.get(token) ?? type);
    if (type !== needed)
      rangeError(`${labelOf(node)} input ${show(name)} must be ${typeNames.get(needed)}, got ${typeNames.get(type)}`);
    typesOfVariables.set(token, type);
  }
}
