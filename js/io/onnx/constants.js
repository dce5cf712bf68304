/** The tensors that a graph holds beside its initializers: those of Constant nodes, and those of subgraphs. */
import { rangeError } from '../../arguments/index.js';
import { Constant } from '../constant.js';
import { readAttribute } from './attributes.js';
import { attributeFields, graphFields, modelFields, nodeFields, sparseFields } from './onnx-fields.js';
import { asBytes, asText, fieldsOf } from './protobuf.js';
import { readFields } from './tensor-proto.js';

/** @import { Constants } from './types.js' */

/** Graphs inside graphs: protobuf itself reads messages nested by a hundred, three of them a graph. */
const deepest = 33;

/**
 * Names a tensor of a Constant node by its output, and what a subgraph holds by the path to it: `If_3/then_branch/w`. A
 * node without a name has its operator's and its number in the graph.
 * @type {(file: Uint8Array) => Constants}
 */
export function findConstants(file) {
  /** @type {Constants} */
  const found = { tensors: new Map(), messages: new Map(), notRead: [] };
  for (const field of fieldsOf(file)) if (field.number === modelFields.graph) findInGraph(asBytes(field), '', 0, found);
  return found;
}

/** @type {(graph: Uint8Array, path: string, depth: number, found: Constants) => void} */
function findInGraph(graph, path, depth, found) {
  if (depth > deepest) rangeError(`graphs must be nested at most ${deepest} deep, got more`);
  let index = 0;
  for (const field of fieldsOf(graph)) {
    if (field.number === graphFields.node) findInNode(asBytes(field), path, index++, depth, found);
    else if (field.number === graphFields.initializer && depth > 0) {
      const message = asBytes(field);
      found.messages.set(path + readFields(message).name, message);
    } else if (field.number === graphFields.sparseInitializer) found.notRead.push(path + sparseName(asBytes(field)));
  }
}

/** @type {(message: Uint8Array) => string} the name of a SparseTensorProto, which its values have */
function sparseName(message) {
  const values = [...fieldsOf(message)].findLast(({ number }) => number === sparseFields.values);
  return values ? readFields(asBytes(values)).name : '';
}

/** @type {(message: Uint8Array, path: string, index: number, depth: number, found: Constants) => void} */
function findInNode(message, path, index, depth, found) {
  let [name, operator, domain, output] = ['', '', '', ''];
  /** @type {Uint8Array[]} */
  const attributes = [];
  for (const field of fieldsOf(message)) {
    if (field.number === nodeFields.name) name = asText(field);
    else if (field.number === nodeFields.opType) operator = asText(field);
    else if (field.number === nodeFields.domain) domain = asText(field);
    else if (field.number === nodeFields.output) output ||= asText(field);
    else if (field.number === nodeFields.attribute) attributes.push(asBytes(field));
  }
  const node = name || `${operator}_${index}`;
  if (operator === 'Constant' && (domain === '' || domain === 'ai.onnx'))
    readConstant(path + output, node, attributes, found);
  for (const attribute of attributes)
    for (const [graphName, graph] of graphsOf(attribute))
      findInGraph(graph, `${path}${node}/${graphName}/`, depth + 1, found);
}

/** @type {(name: string, node: string, attributes: readonly Uint8Array[], found: Constants) => void} */
function readConstant(name, node, attributes, found) {
  const values = attributes.map((attribute) => readAttribute(attribute, undefined));
  if (values.some(([kind]) => kind === 'sparse_value')) return void found.notRead.push(name);
  const tensor = Constant.run([], { opset: undefined, ...Object.fromEntries(values) }, `Constant ${node}`);
  if (tensor.type === 'string') found.notRead.push(name);
  else found.tensors.set(name, tensor);
}

/** @type {(message: Uint8Array) => [name: string, graph: Uint8Array][]} */
function graphsOf(message) {
  let name = '';
  /** @type {Uint8Array[]} */
  const list = [];
  /** @type {Uint8Array | undefined} */
  let single;
  for (const field of fieldsOf(message)) {
    if (field.number === attributeFields.name) name = asText(field);
    else if (field.number === attributeFields.g) single = asBytes(field);
    else if (field.number === attributeFields.graphs) list.push(asBytes(field));
  }
  return [...(single ? [single] : []), ...list].map((graph, i) => [single ? name : `${name}_${i}`, graph]);
}
