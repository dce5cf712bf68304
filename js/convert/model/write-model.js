/** Writes an edited model as parts of files: bytes, and tensors whose bytes are made when they are written. */
import { rangeError } from '../../arguments/index.js';
import * as io from '../../io/internal.js';
import { lengthOf } from '../../weights/index.js';

/** @import { Elements } from '../../weights/types.js' */
/** @import { Attribute, Graph, Model, Node, Weight } from './types.js' */

/** @typedef {Uint8Array | Elements} Part */
/** Gives the content of a weight: its message as it was, or its data.
 * @typedef {(weight: Weight) => { message: Uint8Array } | { data: Part }} ContentOf */
/** The files of data beside the model. `maxBytes`: of each
 * @typedef {{ location: string, maxBytes: number, files: { location: string, parts: Part[], end: number }[] }}
 *   Outside */

const { attributeFields, entryFields, graphFields, modelFields, nodeFields, opsetFields, tensorFields } = io;

/** protobuf's own limit of a message, in bytes. */
const modelLimit = 2 ** 31 - 1;
/** Shorter data stay in the model, as `onnx.external_data_helper` leaves them there. In bytes. */
const minExternal = 1024;
/** Windows maps memory at multiples of 64 KiB, so onnxruntime puts data of 1 MiB and more there.
 * @type {(length: number) => number} */
const alignmentOf = (length) => (length >= 2 ** 20 ? 2 ** 16 : 64);

/** @type {(parts: readonly Part[]) => number} */
const sumOf = (parts) => parts.reduce((sum, part) => sum + lengthOf(part), 0);

/** A field that may be too long: the model's length is checked later, with a better message.
 * @type {(number: number, length: number) => Uint8Array} */
const lengthHead = (number, length) => io.bytesHead(number, Math.min(length, modelLimit));

/** @type {(target: Part[], more: readonly Part[]) => void} */
function append(target, more) {
  for (const part of more) target.push(part);
}

/** @type {(number: number, texts: readonly string[]) => Uint8Array[]} */
const textFields = (number, texts) => texts.map((text) => io.textField(number, text));

/** @type {(attribute: Attribute, contentOf: ContentOf) => Uint8Array} */
function encodeAttribute({ message, graphs }, contentOf) {
  if (graphs.length === 0) return message;
  let next = 0;
  const isGraph = (/** @type {number} */ number) => number === attributeFields.g || number === attributeFields.graphs;
  return io.concat(
    Array.from(io.fieldsOf(message), ({ number, bytes }) =>
      isGraph(number) ? io.bytesField(number, encodeGraph(graphs[next++], contentOf)) : bytes,
    ),
  );
}

/** @type {(node: Node, contentOf: ContentOf) => Uint8Array} */
const encodeNode = ({ name, operator, domain, inputs, outputs, attributes, rest }, contentOf) =>
  io.concat([
    ...textFields(nodeFields.input, inputs),
    ...textFields(nodeFields.output, outputs),
    ...(name === '' ? [] : [io.textField(nodeFields.name, name)]),
    io.textField(nodeFields.opType, operator),
    ...attributes.map((attribute) => io.bytesField(nodeFields.attribute, encodeAttribute(attribute, contentOf))),
    ...rest,
    ...(domain === '' ? [] : [io.textField(nodeFields.domain, domain)]),
  ]);

/** A graph inside a node: its data are in the model.
 * @type {(graph: Graph, contentOf: ContentOf) => Uint8Array} */
const encodeGraph = (graph, contentOf) =>
  io.concat(/** @type {Uint8Array[]} */ (graphParts(graph, contentOf, undefined)));

/** @type {(graph: Graph, contentOf: ContentOf, outside: Outside | undefined) => Part[]} */
function graphParts(graph, contentOf, outside) {
  const { nodes, initializers, sparse, inputs, outputs, infos, rest } = graph;
  /** @type {Part[]} */
  const parts = nodes.map((node) => io.bytesField(graphFields.node, encodeNode(node, contentOf)));
  append(parts, rest);
  for (const weight of initializers.values()) append(parts, weightParts(weight, contentOf(weight), outside));
  /** @type {(number: number, list: Iterable<{ message: Uint8Array }>) => void} */
  const add = (number, list) => {
    for (const { message } of list) parts.push(io.bytesField(number, message));
  };
  add(graphFields.input, inputs);
  add(graphFields.output, outputs);
  add(graphFields.valueInfo, infos);
  add(graphFields.sparseInitializer, sparse.values());
  return parts;
}

/** @type {(weight: Weight, content: ReturnType<ContentOf>, outside: Outside | undefined) => Part[]} */
function weightParts({ name, dtype, dims }, content, outside) {
  if ('message' in content) return [io.bytesField(graphFields.initializer, content.message)];
  const { data } = content;
  const parts = io.headFields(dtype, dims, name);
  const length = lengthOf(data);
  const isOutside = outside !== undefined && length >= minExternal;
  const all = isOutside
    ? [...parts, placeFields(data, length, outside)]
    : [...parts, lengthHead(tensorFields.rawData, length), data];
  return [lengthHead(graphFields.initializer, sumOf(all)), ...all];
}

/** A tensor that would pass the limit begins the next file.
 * @type {(data: Part, length: number, outside: Outside) => Uint8Array} */
function placeFields(data, length, { location, maxBytes, files }) {
  const offsetIn = (/** @type {number} */ end) => Math.ceil(end / alignmentOf(length)) * alignmentOf(length);
  let file = files.at(-1);
  if (!file || (file.end > 0 && offsetIn(file.end) + length > maxBytes)) {
    file = { location: files.length === 0 ? location : `${location}_${files.length}`, parts: [], end: 0 };
    files.push(file);
  }
  const offset = offsetIn(file.end);
  if (offset > file.end) file.parts.push(new Uint8Array(offset - file.end));
  file.parts.push(data);
  file.end = offset + length;
  const entries = { location: file.location, offset: String(offset), length: String(length) };
  const fields = Object.entries(entries).map(([key, value]) =>
    io.bytesField(
      tensorFields.externalData,
      io.concat([io.textField(entryFields.key, key), io.textField(entryFields.value, value)]),
    ),
  );
  return io.concat([...fields, io.wholeField(tensorFields.dataLocation, 1)]);
}

const opsetField = (/** @type {string} */ domain, /** @type {number} */ version) =>
  io.bytesField(
    modelFields.opsetImport,
    io.concat([io.textField(opsetFields.domain, domain), io.wholeField(opsetFields.version, version)]),
  );

/** The parts of the model's file.
 * @type {(model: Model, contentOf: ContentOf, outside: Outside | undefined) => Part[]} */
export function modelParts(model, contentOf, outside) {
  const graph = graphParts(model.graph, contentOf, outside);
  const added = [...model.opsets].filter(([domain]) => !model.imported.has(domain));
  const parts = [
    ...model.before,
    lengthHead(modelFields.graph, sumOf(graph)),
    ...graph,
    ...model.after,
    ...added.map(([domain, version]) => opsetField(domain, version)),
  ];
  const length = sumOf(parts);
  if (length > modelLimit) {
    const hint = outside ? '' : ': name a file for its data by the option externalName';
    rangeError(`model must have at most ${modelLimit} bytes${hint}, got ${length}`);
  }
  return parts;
}
