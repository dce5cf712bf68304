/** The tensors that a graph holds beside its initializers: those of Constant nodes, and those of subgraphs. */
import { rangeError } from '../../arguments/index.js';
import { Constant } from '../constant.js';
import { readAttribute } from './attributes.js';
import { attributeFields, graphFields, modelFields, nodeFields, sparseFields } from './onnx-fields.js';
import { asBytes, asText, fieldsOf, part, parts, readMessage, text } from './protobuf.js';
import { readFields } from './tensor-proto.js';

/** @import { Constants, Rows } from './types.js' */

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
    } else if (field.number === graphFields.sparseInitializer)
      found.notRead.push(path + readMessage(asBytes(field), sparseRows, { name: '' }).name);
  }
}

/** @type {Rows} The name of a SparseTensorProto is its values'. */
const sparseRows = { [sparseFields.values]: part('name', (message) => readFields(message).name) };

/** @type {(message: Uint8Array) => Uint8Array} */
const asIs = (message) => message;

/** @type {Rows} */
const nodeRows = {
  [nodeFields.name]: text('name'),
  [nodeFields.opType]: text('operator'),
  [nodeFields.domain]: text('domain'),
  [nodeFields.output]: (node, field) => void (node.output ||= asText(field)),
  [nodeFields.attribute]: parts('attributes', asIs),
};

/** @type {(message: Uint8Array, path: string, index: number, depth: number, found: Constants) => void} */
function findInNode(message, path, index, depth, found) {
  const given = { name: '', operator: '', domain: '', output: '', attributes: /** @type {Uint8Array[]} */ ([]) };
  const { name, operator, domain, output, attributes } = readMessage(message, nodeRows, given);
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

/** @type {Rows} */
const graphRows = {
  [attributeFields.name]: text('name'),
  [attributeFields.g]: part('single', asIs),
  [attributeFields.graphs]: parts('list', asIs),
};

/** @type {(message: Uint8Array) => [name: string, graph: Uint8Array][]} */
function graphsOf(message) {
  /** @type {{ name: string, single?: Uint8Array, list: Uint8Array[] }} */
  const { name, single, list } = readMessage(message, graphRows, { name: '', single: undefined, list: [] });
  return [...(single ? [single] : []), ...list].map((graph, i) => [single ? name : `${name}_${i}`, graph]);
}
