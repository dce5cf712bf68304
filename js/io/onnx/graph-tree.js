/** A model's graph with the graphs inside its nodes, such as the branches of If and the bodies of Loop and Scan. */
import { rangeError } from '../../arguments/index.js';
import { checkOperator, nodeRows } from './model.js';
import { attributeFields, graphFields, modelFields, nodeFields, tensorFields } from './onnx-fields.js';
import { asBytes, submessages, readMessage, text, textIn } from './protobuf.js';
import { sparseName } from './sparse.js';

/** @import { External, GraphTree, Reading, Rows, TreeNode } from './types.js' */

/** Most graphs inside one another: protobuf's own libraries read messages nested at most 100 deep, and each graph is
 * three of them (the node, its attribute and the graph). */
export const maxDepth = 33;
/** Most characters of a path that has the names of nodes: a file could repeat a long name in front of each of its
 * tensors. */
const longestPath = 250;

/** @typedef {Reading & { depth: number }} Context `depth`: how many graphs are around this one */

/** Reads a model's outermost graph and all graphs inside its nodes. Sparse tensors in attributes are left as messages.
 * @type {(file: Uint8Array, external: External | undefined) => GraphTree} */
export function readTree(file, external) {
  const root = newGraph();
  /** @type {Context} */
  const context = { external, sparse: (message) => /** @type {any} */ (message), depth: 0 };
  readMessage(file, modelRows, root, context);
  nameGraphs(root);
  return root;
}

/** @type {() => GraphTree} */
const newGraph = () => ({ path: '', nodes: [], initializers: new Map(), sparse: new Map() });

/** @type {Rows} */
const graphRows = {
  [graphFields.node]: (graph, field, context) => void graph.nodes.push(readNode(asBytes(field), context)),
  [graphFields.initializer]: (graph, field) =>
    void graph.initializers.set(textIn(asBytes(field), tensorFields.name), asBytes(field)),
  [graphFields.sparseInitializer]: (graph, field) => void graph.sparse.set(sparseName(asBytes(field)), asBytes(field)),
};

/** @type {Rows} */
const modelRows = {
  [modelFields.graph]: (root, field, context) => void readMessage(asBytes(field), graphRows, root, context),
};

/** @type {Rows} */
const treeNodeRows = {
  ...nodeRows,
  [nodeFields.attribute]: (node, field, context) => {
    nodeRows[nodeFields.attribute](node, field, context);
    for (const [label, message] of graphsOf(asBytes(field)))
      node.graphs.push({ label, graph: readGraph(message, context) });
  },
};

/** @type {(message: Uint8Array, context: Context) => TreeNode} */
function readNode(message, context) {
  const node = { name: '', operator: '', domain: '', inputs: [], outputs: [], attributes: new Map(), graphs: [] };
  readMessage(message, treeNodeRows, node, context);
  checkOperator(node);
  return node;
}

/** @type {(message: Uint8Array, context: Context) => GraphTree} */
function readGraph(message, context) {
  const { depth } = context;
  if (depth >= maxDepth) rangeError(`graphs must be nested at most ${maxDepth} deep, got more`);
  return readMessage(message, graphRows, newGraph(), { ...context, depth: depth + 1 });
}

/** @type {Rows} */
const attributeRows = {
  [attributeFields.name]: text('name'),
  [attributeFields.g]: submessages('graphs', (message) => ({ message, isList: false })),
  [attributeFields.graphs]: submessages('graphs', (message) => ({ message, isList: true })),
};

/** Finds the graphs in an attribute of a node. A label is the attribute's name, such as `then_branch`; a graph of a
 * list has its number behind it, such as `branches_0`.
 * @type {(attribute: Uint8Array) => [label: string, message: Uint8Array][]} */
function graphsOf(attribute) {
  /** @type {{ name: string, graphs: { message: Uint8Array, isList: boolean }[] }} */
  const { name, graphs } = readMessage(attribute, attributeRows, { name: '', graphs: [] });
  return graphs.map(({ message, isList }, i) => [isList ? `${name}_${i}` : name, message]);
}

/** Makes the path to a graph inside of a node, such as `If_3/then_branch/`: the path to the graph around it, the node,
 * and the label of the inner graph. The node is spelled by its name; without one, or if the path gets too long, by 20
 * characters of its operator and its index in its graph. A path that gets too long has 20 characters of the label.
 * @type {(path: string, node: { name: string, operator: string }, index: number, label: string) => string} */
export function innerPath(path, { name, operator }, index, label) {
  const isTooLong = path.length + name.length + label.length > longestPath;
  const shortened = (/** @type {string} */ text) => text.slice(0, 20);
  const step = name && !isTooLong ? name : `${shortened(operator)}_${index}`;
  return `${path}${step}/${isTooLong ? shortened(label) : label}/`;
}

/** Sets the paths of all graphs inside a graph, whose own path is set already.
 * @type {(graph: GraphTree) => void} */
function nameGraphs({ path, nodes }) {
  nodes.forEach((node, index) => {
    for (const { label, graph } of node.graphs) {
      graph.path = innerPath(path, node, index, label);
      nameGraphs(graph);
    }
  });
}

/** Yields all nodes of a graph and the graphs inside it, in the order of the file; those of an inner graph come before
 * the node that has it. `index`: of the node in its own graph.
 * @type {(graph: GraphTree) => Generator<{ graph: GraphTree, node: TreeNode, index: number }>} */
export function* nodesIn(graph) {
  for (const [index, node] of graph.nodes.entries()) {
    for (const { graph: inner } of node.graphs) yield* nodesIn(inner);
    yield { graph, node, index };
  }
}

/** Yields all graphs inside a graph, and then the graph itself.
 * @type {(graph: GraphTree) => Generator<GraphTree>} */
export function* graphsIn(graph) {
  for (const { graphs } of graph.nodes) for (const { graph: inner } of graphs) yield* graphsIn(inner);
  yield graph;
}
