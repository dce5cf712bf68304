/** The one walk over a model's graphs, those inside of nodes too. */
import { graphsOf } from './attributes.js';

/** @import { Graph, Node } from './types.js' */

/** @type {(graph: Graph) => Generator<Graph>} a graph, and then those inside */
export function* eachGraph(graph) {
  yield graph;
  for (const node of graph.nodes) for (const inner of graphsOf(node)) yield* eachGraph(inner);
}

/** @type {(graph: Graph) => Generator<Node>} */
export function* eachNode(graph) {
  for (const { nodes } of eachGraph(graph)) yield* nodes;
}

/** The names of all values. @type {(graph: Graph) => Set<string>} */
export function namesIn(graph) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const { inputs, outputs, initializers, sparse, nodes } of eachGraph(graph)) {
    for (const { name } of inputs) names.add(name);
    for (const { name } of outputs) names.add(name);
    for (const name of initializers.keys()) names.add(name);
    for (const name of sparse.keys()) names.add(name);
    for (const node of nodes) for (const name of node.outputs) names.add(name);
  }
  return names;
}

/** The names that a graph uses, in the graphs inside too. @type {(graph: Graph) => Set<string>} */
export function valuesUsedIn(graph) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const { nodes, outputs } of eachGraph(graph)) {
    for (const { name } of outputs) names.add(name);
    for (const { inputs } of nodes) for (const name of inputs) if (name !== '') names.add(name);
  }
  return names;
}

/** @type {(graph: Graph | undefined, name: string) => Graph | undefined} the graph whose initializer a name is */
export function holderOf(graph, name) {
  let holder = graph;
  while (holder && !holder.initializers.has(name)) holder = holder.outer;
  return holder;
}
