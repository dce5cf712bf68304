/** Writes an edited model as parts of files. `outside` is where data beside the model go, if there are such files. */
import * as io from '../../io/internal.js';
import { graphsOf } from './attributes.js';

/** @import { Outside, Part } from '../../io/types.js' */
/** @import { Attribute, Graph, Model, Node, Weight } from './types.js' */

/** Gives the content of a weight: its message as it was, or its data.
 * @typedef {(weight: Weight) => { message: Uint8Array } | { data: Part }} ContentOf */

const { attributeFields, graphFields, modelFields, nodeFields, opsetFields } = io;

/** @type {(number: number, texts: readonly string[]) => Uint8Array[]} */
const textFields = (number, texts) => texts.map((text) => io.textField(number, text));

/** Makes a field whose value is a message in several parts: its head, with the number and the length, and the parts.
 * @type {(number: number, pieces: readonly Part[]) => Part[]} */
const fieldParts = (number, pieces) => [io.lengthHead(number, io.byteLengthOfParts(pieces)), ...pieces];

/** Copies an AttributeProto, but writes its graphs anew.
 * @type {(attribute: Attribute, contentOf: ContentOf, outside: Outside | undefined) => Part[]} */
function attributeParts({ message, graphs }, contentOf, outside) {
  if (graphs.length === 0) return [message];
  // Graphs were read in the order of their fields.
  const remaining = graphs.values();
  return Array.from(io.fieldsOf(message)).flatMap(({ number, bytes }) => {
    const isGraph = number === attributeFields.g || number === attributeFields.graphs;
    if (!isGraph) return [bytes];
    const graph = /** @type {Graph} */ (remaining.next().value);
    return fieldParts(number, graphParts(graph, contentOf, outside));
  });
}

/** Writes a NodeProto; protobuf leaves out empty names and domains.
 * @type {(node: Node, contentOf: ContentOf, outside: Outside | undefined) => Part[]} */
const nodeParts = ({ name, operator, domain, inputs, outputs, attributes, rest }, contentOf, outside) => [
  ...textFields(nodeFields.input, inputs),
  ...textFields(nodeFields.output, outputs),
  ...(name === '' ? [] : [io.textField(nodeFields.name, name)]),
  io.textField(nodeFields.opType, operator),
  ...attributes.flatMap((attribute) => fieldParts(nodeFields.attribute, attributeParts(attribute, contentOf, outside))),
  ...rest,
  ...(domain === '' ? [] : [io.textField(nodeFields.domain, domain)]),
];

/** Writes a node as a field of its graph. One without graphs is joined into one part, because each part costs a write.
 * @type {(node: Node, contentOf: ContentOf, outside: Outside | undefined) => Part[]} */
function nodeField(node, contentOf, outside) {
  const pieces = fieldParts(graphFields.node, nodeParts(node, contentOf, outside));
  return graphsOf(node).length > 0 ? pieces : [io.concat(/** @type {Uint8Array[]} */ (pieces))];
}

/** Writes a GraphProto: nodes, the fields that were kept, weights, and the types that the graph states.
 * @type {(graph: Graph, contentOf: ContentOf, outside: Outside | undefined) => Part[]} */
function graphParts(graph, contentOf, outside) {
  const { nodes, initializers, sparse, inputs, outputs, infos, rest } = graph;
  /** @type {Part[]} */
  const pieces = [];
  for (const node of nodes) io.append(pieces, nodeField(node, contentOf, outside));
  io.append(pieces, rest);
  for (const weight of initializers.values()) io.append(pieces, weightParts(weight, contentOf(weight), outside));
  /** @type {(number: number, list: Iterable<{ message: Uint8Array }>) => void} */
  const addMessages = (number, list) => {
    for (const { message } of list) pieces.push(io.bytesField(number, message));
  };
  addMessages(graphFields.input, inputs);
  addMessages(graphFields.output, outputs);
  addMessages(graphFields.valueInfo, infos);
  addMessages(graphFields.sparseInitializer, sparse.values());
  return pieces;
}

/** Writes a weight as an initializer of its graph: its TensorProto as it was, or a new one with its data, which may go
 * to the files of `outside`.
 * @type {(weight: Weight, content: ReturnType<ContentOf>, outside: Outside | undefined) => Part[]} */
function weightParts({ name, dtype, dims }, content, outside) {
  if ('message' in content) return [io.bytesField(graphFields.initializer, content.message)];
  const fields = [...io.headFields(dtype, dims, name), ...io.placeData(content.data, outside)];
  return fieldParts(graphFields.initializer, fields);
}

const opsetField = (/** @type {string} */ domain, /** @type {number} */ version) =>
  io.bytesField(
    modelFields.opsetImport,
    io.concat([io.textField(opsetFields.domain, domain), io.wholeField(opsetFields.version, version)]),
  );

/** Makes the file of a model in parts, and adds data that lie outside to the files of `outside`.
 * @type {(model: Model, contentOf: ContentOf, outside: Outside | undefined) => Part[]} */
export function modelParts(model, contentOf, outside) {
  const graph = graphParts(model.graph, contentOf, outside);
  // Imports of the file are among the fields in front of the graph and behind it.
  const addedImports = [...model.opsets].filter(([domain]) => !model.imported.has(domain));
  const pieces = [
    ...model.before,
    ...fieldParts(modelFields.graph, graph),
    ...model.after,
    ...addedImports.map(([domain, version]) => opsetField(domain, version)),
  ];
  io.checkModelLength(pieces, outside);
  return pieces;
}
