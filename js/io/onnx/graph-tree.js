/** A model's graph with the graphs inside its nodes, such as the branches of If and the bodies of Loop and Scan. */
import { rangeError } from '../../arguments/index.js';
import { checkOperator, nodeRows, opsetRow } from './model.js';
import { attributeFields, graphFields, modelFields, nodeFields, tensorFields } from './onnx-fields.js';
import { asBytes, submessages, readMessage, text, textIn, integer } from './protobuf.js';
import { sparseName } from './sparse.js';
import { readValueInfo } from './value-info.js';

/** @import { External, Field, GraphTree, ModelTree, Reading, Rows, TreeNode } from './types.js' */

/** Graphs inside graphs: protobuf itself reads messages nested by a hundred, three of them a graph. */
const deepest = 33;
/** Most characters of a path that has the names of nodes: a file could repeat a long name in front of each of its
 * tensors. */
const longestPath = 250;

/** @typedef {Reading & { depth: number }} Context */

/** Sparse tensors in attributes are left as messages.
 * @type {(file: Uint8Array, external: External | undefined) => ModelTree} */
export function readTree(file, external) {
  /** @type {ModelTree} */
  const model = { irVersion: 0, opsets: new Map(), hasFunctions: false, root: newGraph() };
  /** @type {Context} */
  const context = { external, sparse: (message) => /** @type {any} */ (message), depth: 0 };
  readMessage(file, modelRows, model, context);
  nameGraphs(model.root);
  let id = 0;
  for (const graph of graphsIn(model.root)) graph.id = id++;
  return model;
}

/** @type {() => GraphTree} */
const newGraph = () => ({
  ...{ id: 0, outer: undefined, path: '', nodes: [], inputs: new Set(), outputs: [], ranks: new Map() },
  ...{ initializers: new Map(), sparse: new Map(), values: new Set() },
});

/** The rank of a value that a graph states. @type {(graph: GraphTree, field: Field) => string} */
function takeInfo(graph, field) {
  const { name, dims } = readValueInfo(asBytes(field));
  if (dims) graph.ranks.set(name, dims.length);
  return name;
}

/** @type {Rows} */
const graphRows = {
  [graphFields.node]: (graph, field, context) => void graph.nodes.push(readNode(asBytes(field), context)),
  [graphFields.initializer]: (graph, field) =>
    void graph.initializers.set(textIn(asBytes(field), tensorFields.name), asBytes(field)),
  [graphFields.sparseInitializer]: (graph, field) => void graph.sparse.set(sparseName(asBytes(field)), asBytes(field)),
  [graphFields.input]: (graph, field) => void graph.inputs.add(takeInfo(graph, field)),
  [graphFields.output]: (graph, field) => void graph.outputs.push(takeInfo(graph, field)),
  [graphFields.valueInfo]: takeInfo,
};

/** @type {Rows} */
const modelRows = {
  [modelFields.irVersion]: integer('irVersion'),
  [modelFields.opsetImport]: opsetRow,
  [modelFields.functions]: (model) => void (model.hasFunctions = true),
  [modelFields.graph]: ({ root }, field, context) => void readMessage(asBytes(field), graphRows, root, context),
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
  if (depth >= deepest) rangeError(`graphs must be nested at most ${deepest} deep, got more`);
  return readMessage(message, graphRows, newGraph(), { ...context, depth: depth + 1 });
}

/** @type {Rows} */
const attributeRows = {
  [attributeFields.name]: text('name'),
  [attributeFields.g]: submessages('graphs', (message) => ({ message, isList: false })),
  [attributeFields.graphs]: submessages('graphs', (message) => ({ message, isList: true })),
};

/** @type {(attribute: Uint8Array) => [label: string, message: Uint8Array][]} in the order of the file */
function graphsOf(attribute) {
  /** @type {{ name: string, graphs: { message: Uint8Array, isList: boolean }[] }} */
  const { name, graphs } = readMessage(attribute, attributeRows, { name: '', graphs: [] });
  return graphs.map(({ message, isList }, i) => [isList ? `${name}_${i}` : name, message]);
}

/** Links the graphs inside a graph to it, gives each a path, as `If_3/then_branch/`, and lists the values of all. A
 * node without a name has its operator's and its number in the graph.
 * @type {(graph: GraphTree) => void} */
function nameGraphs(graph) {
  const { path, nodes, inputs, initializers, sparse, values } = graph;
  for (const names of [inputs, initializers.keys(), sparse.keys()]) for (const name of names) values.add(name);
  nodes.forEach(({ name, operator, outputs, graphs }, index) => {
    for (const output of outputs) values.add(output);
    for (const { label, graph: inner } of graphs) {
      const isLong = path.length + name.length + label.length > longestPath;
      const shortName = name && !isLong ? name : `${operator.slice(0, 20)}_${index}`;
      inner.outer = graph;
      inner.path = `${path}${shortName}/${label.slice(0, isLong ? 20 : undefined)}/`;
      nameGraphs(inner);
    }
  });
}

/** @type {(graph: GraphTree | undefined, name: string) => GraphTree | undefined} the graph whose value a name is */
export function homeOf(graph, name) {
  let home = graph;
  while (home && !home.values.has(name)) home = home.outer;
  return home;
}

/** Nodes come in the order of the file, those of inner graphs before the node that has them.
 * @type {(graph: GraphTree) => Generator<{ graph: GraphTree, node: TreeNode, index: number }>} */
export function* nodesIn(graph) {
  for (const [index, node] of graph.nodes.entries()) {
    for (const { graph: inner } of node.graphs) yield* nodesIn(inner);
    yield { graph, node, index };
  }
}

/** @type {(graph: GraphTree) => Generator<GraphTree>} the graph, after all inside */
export function* graphsIn(graph) {
  for (const { graphs } of graph.nodes) for (const { graph: inner } of graphs) yield* graphsIn(inner);
  yield graph;
}
