/** Initializers that nodes use, in the graph of the node or in one around it; and names that are free. */
import { graphsIn, homeOf, nodesIn } from '../onnx/graph-tree.js';

/** @import { GraphTree, ModelTree, TreeNode } from '../onnx/types.js' */
/** @import { FreeName, Weights } from './types.js' */

/** @type {(graph: GraphTree, name: string) => Weights | undefined} the initializer that a name of a graph is */
export function findWeights(graph, name) {
  const home = homeOf(graph, name);
  return home?.initializers.has(name) ? { graph: home, name, path: home.path + name } : undefined;
}

/** The IR version in which inputs got defaults: initializers of their names. In older ones every initializer is listed
 * as an input, and keeps its value. */
export const firstWithDefaults = 4;

/** Whether a caller may give another value.
 * @type {(model: ModelTree, weights: Weights) => boolean} */
export const isInput = ({ irVersion }, { graph, name }) => irVersion >= firstWithDefaults && graph.inputs.has(name);

/** @type {(graph: GraphTree, node: TreeNode) => string} a node in a report */
export const nodeLabel = ({ path }, { name, outputs }) => path + (name || (outputs[0] ?? ''));

/** @type {<T>(lists: Map<GraphTree, Set<T>>, graph: GraphTree, entry: T) => void} */
export function addTo(lists, graph, entry) {
  const list = lists.get(graph);
  if (list) list.add(entry);
  else lists.set(graph, new Set([entry]));
}

/** @typedef {Map<GraphTree, Set<string>>} Uses names of values by their graphs */

/** @type {(uses: Uses, graph: GraphTree, name: string) => void} */
function addUse(uses, graph, name) {
  const home = homeOf(graph, name);
  if (home) addTo(uses, home, name);
}

/** The values that nodes use. @type {(root: GraphTree, isUsed: (node: TreeNode, at: number) => boolean) => Uses} */
export function usesOfNodes(root, isUsed) {
  /** @type {Uses} */
  const uses = new Map();
  for (const { graph, node } of nodesIn(root))
    for (const [at, name] of node.inputs.entries()) if (isUsed(node, at)) addUse(uses, graph, name);
  return uses;
}

/** The values that nodes use and that graphs give.
 * @type {(root: GraphTree, isUsed: (node: TreeNode, at: number) => boolean) => Uses} */
export function usesIn(root, isUsed) {
  const uses = usesOfNodes(root, isUsed);
  for (const graph of graphsIn(root)) for (const name of graph.outputs) addUse(uses, graph, name);
  return uses;
}

/** @type {(root: GraphTree) => { taken: Set<string>, freeName: FreeName }} */
export function freeNames(root) {
  /** @type {Set<string>} */
  const taken = new Set();
  for (const { values } of graphsIn(root)) for (const name of values) taken.add(name);
  /** @type {Map<string, number>} tries of each stem, so that none is tried twice */
  const tries = new Map();
  /** @type {FreeName} */
  const freeName = (stem, endings) => {
    let count = tries.get(stem) ?? 0;
    const tried = () => (count === 0 ? stem : `${stem}_${count}`);
    while (endings.some((ending) => taken.has(tried() + ending))) count++;
    tries.set(stem, count);
    for (const ending of endings) taken.add(tried() + ending);
    return tried();
  };
  return { taken, freeName };
}
