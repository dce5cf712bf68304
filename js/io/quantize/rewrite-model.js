/** Writes a model with other nodes in the place of some, and keeps the rest of the file. */
import { concat } from '../bytes.js';
import { encodeNode, encodeOpset } from './node-proto.js';
import { nodesIn } from '../onnx/graph-tree.js';
import { tensorNameIn } from '../onnx/initializers.js';
import { attributeFields, graphFields, modelFields, nodeFields, opsetFields } from '../onnx/onnx-fields.js';
import { asBytes, bytesField, fieldsOf, textIn, wholeField } from '../onnx/protobuf.js';

/** @import { Field, GraphTree, ModelTree, TreeNode } from '../onnx/types.js' */
/** @import { Changes } from './types.js' */

const microsoft = 'com.microsoft';

/** Imports com.microsoft while a node needs it.
 * @type {(file: Uint8Array, tree: ModelTree, changes: Changes) => Uint8Array} */
export function rewriteModel(file, tree, changes) {
  const { isNeeded, isDropped } = importOf(tree, changes);
  const fields = [...fieldsOf(file)];
  const last = fields.findLast(({ number }) => number === modelFields.graph);
  const nodes = tree.root.nodes[Symbol.iterator]();
  /** @type {Uint8Array[]} */
  const parts = [];
  for (const field of fields) {
    if (isDropped && isImport(field)) continue;
    if (field.number === modelFields.irVersion && tree.irVersion < changes.leastIr)
      parts.push(wholeField(modelFields.irVersion, changes.leastIr));
    else if (field.number === modelFields.graph) {
      const added = field === last ? changes.added : [];
      const graph = concat([graphBytes(asBytes(field), tree.root, nodes, changes), ...added]);
      parts.push(bytesField(modelFields.graph, graph));
    } else parts.push(field.bytes);
  }
  if (isNeeded && !tree.opsets.has(microsoft)) parts.push(encodeOpset(microsoft, 1));
  return concat(parts);
}

/** Functions of the model may need the import too.
 * @type {(tree: ModelTree, changes: Changes) => { isNeeded: boolean, isDropped: boolean }} */
function importOf({ root, hasFunctions }, { nodes }) {
  let [isLeft, wasNeeded] = [hasFunctions, false];
  for (const { node } of nodesIn(root))
    if (node.domain === microsoft) {
      if (nodes.has(node)) wasNeeded = true;
      else isLeft = true;
    }
  const isNeeded = [...nodes.values()].some((list) => list.some(({ domain }) => domain === microsoft));
  return { isNeeded, isDropped: wasNeeded && !isNeeded && !isLeft };
}

/** @type {(field: Field) => boolean} whether a field of a model imports com.microsoft */
const isImport = (field) =>
  field.number === modelFields.opsetImport && textIn(asBytes(field), opsetFields.domain) === microsoft;

const { initializer, input } = graphFields;

/** `nodes`: of the tree; those of the message come next.
 * @type {(message: Uint8Array, graph: GraphTree, nodes: Iterator<TreeNode>, changes: Changes) => Uint8Array} */
function graphBytes(message, graph, nodes, changes) {
  const dropped = changes.dropped.get(graph);
  /** @type {(field: Field) => boolean} */
  const isDropped = (field) => {
    const name = tensorNameIn(field) ?? '';
    if (field.number === input) return changes.isRaised && graph.initializers.has(name);
    return field.number === initializer && (dropped?.has(name) ?? false);
  };
  const parts = [];
  for (const field of fieldsOf(message)) {
    if (field.number === graphFields.node) {
      const node = nodes.next().value;
      const list = changes.nodes.get(node);
      if (!list) parts.push(node.graphs.length > 0 ? nodeField(field, node, changes) : field.bytes);
      else for (const other of list) parts.push(bytesField(graphFields.node, encodeNode(other)));
    } else if (!isDropped(field)) parts.push(field.bytes);
  }
  return concat(parts);
}

/** @type {(field: Field, node: TreeNode, changes: Changes) => Uint8Array} a node with changed graphs */
function nodeField(field, { graphs }, changes) {
  const inner = graphs[Symbol.iterator]();
  /** @type {(attribute: Uint8Array) => Uint8Array} */
  const attributeBytes = (attribute) =>
    rewritten(attribute, [attributeFields.g, attributeFields.graphs], (message) => {
      const { graph } = /** @type {TreeNode['graphs'][number]} */ (inner.next().value);
      return graphBytes(message, graph, graph.nodes[Symbol.iterator](), changes);
    });
  return bytesField(field.number, rewritten(asBytes(field), [nodeFields.attribute], attributeBytes));
}

/** @type {(message: Uint8Array, numbers: readonly number[], rewrite: (field: Uint8Array) => Uint8Array) =>
 *   Uint8Array} */
const rewritten = (message, numbers, rewrite) =>
  concat(
    Array.from(fieldsOf(message), (field) =>
      numbers.includes(field.number) ? bytesField(field.number, rewrite(asBytes(field))) : field.bytes,
    ),
  );
