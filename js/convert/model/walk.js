/** The one walk over a model's graphs, those inside of nodes too. */
import { graphsOf } from './attributes.js';

/** @import { Graph, Node } from './types.js' */

/** Yields a graph, and then all graphs inside of its nodes, to any depth.
 * @type {(graph: Graph) => Generator<Graph>} */
export function* eachGraph(graph) {
  yield graph;
  for (const node of graph.nodes) for (const inner of graphsOf(node)) yield* eachGraph(inner);
}

/** @type {(graph: Graph) => Generator<Node>} */
export function* eachNode(graph) {
  for (const { nodes } of eachGraph(graph)) yield* nodes;
}

/** Yields the nodes in the order of the file, each with its graph. Nodes of graphs inside a node come before the node.
 * @type {(graph: Graph) => Generator<{ graph: Graph, node: Node }>} */
export function* nodesInOrder(graph) {
  for (const node of graph.nodes) {
    for (const inner of graphsOf(node)) yield* nodesInOrder(inner);
    yield { graph, node };
  }
}

/** Collects the names of a graph's own values: inputs, initializers and outputs of nodes.
 * @type {(graph: Graph) => Set<string>} */
export function valuesIn({ inputs, initializers, sparse, nodes }) {
  const names = new Set([...inputs.map(({ name }) => name), ...initializers.keys(), ...sparse.keys()]);
  for (const { outputs } of nodes) for (const name of outputs) names.add(name);
  return names;
}

/** Collects the names in a graph and in all graphs inside, also those that only a list of outputs has.
 * @type {(graph: Graph) => Set<string>} */
export function namesIn(graph) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const inner of eachGraph(graph)) {
    for (const name of valuesIn(inner)) names.add(name);
    for (const { name } of inner.outputs) names.add(name);
  }
  return names;
}

/** Collects the names that a graph uses, and those that graphs inside use and do not have themselves.
 * @type {(graph: Graph) => Set<string>} */
export function valuesUsedIn(graph) {
  const names = new Set(graph.outputs.map(({ name }) => name));
  for (const node of graph.nodes) {
    for (const name of node.inputs) if (name !== '') names.add(name);
    for (const inner of graphsOf(node)) {
      const ownValues = valuesIn(inner);
      for (const name of valuesUsedIn(inner)) if (!ownValues.has(name)) names.add(name);
    }
  }
  return names;
}

/** Finds the graph that has an initializer of a name: this one or the nearest one around it.
 * @type {(graph: Graph | undefined, name: string) => Graph | undefined} */
export function holderOf(graph, name) {
  let holder = graph;
  while (holder && !holder.initializers.has(name)) holder = holder.outer;
  return holder;
}
