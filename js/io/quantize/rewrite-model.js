/** Writes a model with other nodes in the place of some, and keeps the rest of the file. */
import { concat } from '../bytes.js';
import { encodeNode, encodeOpset } from './node-proto.js';
import { graphFields, modelFields, opsetFields, tensorFields } from '../onnx/onnx-fields.js';
import { asBytes, bytesField, fieldsOf, textIn, wholeField } from '../onnx/protobuf.js';
import { readValueInfo } from '../onnx/value-info.js';

/** @import { Field, Node } from '../onnx/types.js' */
/** @import { Changes, Graph, NewNode, Replaced } from './types.js' */

const microsoft = 'com.microsoft';

/** @type {(file: Uint8Array) => Map<string, number>} */
export function ranksOf(file) {
  const { input, output, valueInfo } = graphFields;
  const ranks = new Map();
  for (const field of fieldsOf(file)) {
    if (field.number !== modelFields.graph) continue;
    for (const inner of fieldsOf(asBytes(field))) {
      if (![input, output, valueInfo].includes(inner.number)) continue;
      const { name, dims } = readValueInfo(asBytes(inner));
      if (dims) ranks.set(name, dims.length);
    }
  }
  return ranks;
}

/** Whether something that stays uses a value. A node with a graph of its own may use any.
 * @type {(graph: Graph, replaced: Replaced) => (name: string) => boolean} */
export function usedIn({ nodes, outputs }, replaced) {
  const left = nodes.filter((_, i) => !replaced[i]);
  const hasGraphs = left.some(hasGraph);
  const names = new Set([...left.flatMap(({ inputs }) => inputs), ...outputs.map(({ name }) => name)]);
  return (name) => hasGraphs || names.has(name);
}

/** @type {(node: Node) => boolean} */
const hasGraph = ({ attributes }) => [...attributes.values()].includes(undefined);

/** Imports com.microsoft while a node needs it.
 * @type {(file: Uint8Array, graph: Graph, changes: Changes) => Uint8Array} */
export function rewriteModel(file, graph, changes) {
  const needs = (/** @type {{ domain: string }} */ { domain }) => domain === microsoft;
  const isNeeded = changes.nodes.some((list) => list?.some(needs));
  const isLeft = graph.nodes.some((node, i) => !changes.nodes[i] && (needs(node) || hasGraph(node)));
  const wasNeeded = graph.nodes.some((node, i) => changes.nodes[i] && needs(node));
  const isDropped = wasNeeded && !isNeeded && !isLeft;
  const fields = [...fieldsOf(file)];
  const last = fields.findLast(({ number }) => number === modelFields.graph);
  const nodes = changes.nodes[Symbol.iterator]();
  const parts = fields.flatMap((field) => {
    if (isDropped && isImport(field)) return [];
    if (field.number === modelFields.irVersion)
      return wholeField(modelFields.irVersion, Math.max(graph.irVersion, changes.leastIr));
    if (field.number !== modelFields.graph) return field.whole;
    const inner = graphParts(asBytes(field), nodes, changes);
    if (field === last) inner.push(...changes.added);
    return bytesField(modelFields.graph, concat(inner));
  });
  if (isNeeded && !graph.opsets.has(microsoft)) parts.push(encodeOpset(microsoft, 1));
  return concat(parts);
}

/** @type {(field: Field) => boolean} whether a field of a model imports com.microsoft */
const isImport = (field) =>
  field.number === modelFields.opsetImport && textIn(asBytes(field), opsetFields.domain) === microsoft;

/** @type {(graph: Uint8Array, nodes: Iterator<NewNode[] | undefined>, changes: Changes) => Uint8Array[]} */
function graphParts(graph, nodes, { dropped }) {
  const parts = [];
  for (const field of fieldsOf(graph)) {
    const { number, whole } = field;
    const list = number === graphFields.node ? nodes.next().value : undefined;
    if (list) {
      for (const node of list) parts.push(bytesField(graphFields.node, encodeNode(node)));
    } else if (number !== graphFields.initializer || !dropped.has(nameIn(field))) parts.push(whole);
  }
  return parts;
}

/** @type {(initializer: Field) => string} */
const nameIn = (initializer) => textIn(asBytes(initializer), tensorFields.name);
