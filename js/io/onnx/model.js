/** Reads ONNX models: ModelProto, its graph and the graph's nodes. */
import {
  checkFileKind,
  later,
  makeBudget,
  named,
  rangeError,
  readMaxBytes,
  readTable,
  show,
} from '../../arguments/index.js';
import { readAttribute } from './attributes.js';
import { readBytes } from '../bytes.js';
import { graphFields, modelFields, nodeFields, opsetFields } from './onnx-fields.js';
import { asBytes, asText, entries, inside, submessages, readMessage, text, texts, integer } from './protobuf.js';
import { readSparse } from './sparse.js';
import { parseTensor, readEntry } from './tensor-proto.js';
import { readValueInfo } from './value-info.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Model, Node, Reading, ReadModelOptions, Row, Rows } from './types.js' */

/**
 * Reads an ONNX model: as much of its graph as running it needs.
 * @param {Uint8Array} bytes the whole file
 * @param {ReadModelOptions} [options]
 * @returns {Model} its tensors share the bytes where they are aligned
 * @example
 * const { nodes, opsets } = readModel(bytes);
 * nodes.map(({ operator }) => operator); // ['Transpose']
 */
export function readModel(bytes, options) {
  return named('readModel', () => {
    const { external, maxBytes } = readTable(options, { external: later, maxBytes: readMaxBytes });
    const budget = makeBudget('sparse tensors', maxBytes);
    const file = readBytes(bytes);
    checkFileKind('bytes', modelRule, file);
    /** @type {Map<string, Tensor>} */
    const initializers = new Map();
    const add = (/** @type {{ name: string, tensor: Tensor }} */ { name, tensor }) => initializers.set(name, tensor);
    const graph = parseModel(file, {
      external,
      sparse: (message) => readSparse(message, external, budget).tensor,
      takeDense: (message) => void add(parseTensor(message, external)),
      takeSparse: (message) => void add(readSparse(message, external, budget)),
    });
    return { ...graph, initializers };
  });
}

/** The kind of file that a reader of models needs. */
export const modelRule = 'an ONNX model';

/** Spells ONNX's own domain as an empty string, which stands for `ai.onnx`.
 * @type {(domain: string) => string} */
const plainDomain = (domain) => (domain === 'ai.onnx' ? '' : domain);

/** @type {Rows} The context is a {@link Reading}. */
export const nodeRows = {
  [nodeFields.input]: texts('inputs'),
  [nodeFields.output]: texts('outputs'),
  [nodeFields.name]: text('name'),
  [nodeFields.opType]: text('operator'),
  [nodeFields.attribute]: entries('attributes', readAttribute),
  [nodeFields.domain]: (node, field) => void (node.domain = plainDomain(asText(field))),
};

/** Refuses a node without an operator. It could not run, and an empty node of two bytes takes 400 in memory.
 * @type {(node: Node) => void} */
export function checkOperator({ name, operator }) {
  if (operator === '') rangeError(`node ${show(name)} must have an op_type, got none`);
}

/** Reads a node. An attribute that is a graph has no value.
 * @type {(message: Uint8Array, reading: Reading) => Node} */
function readNode(message, reading) {
  const node = { name: '', operator: '', domain: '', inputs: [], outputs: [], attributes: new Map() };
  readMessage(message, nodeRows, node, reading);
  checkOperator(node);
  return node;
}

/** @typedef {(message: Uint8Array) => void} TakeMessage */
/** @typedef {Reading & { takeDense: TakeMessage, takeSparse: TakeMessage }} ModelReading the functions get the
 *   messages of initializers */

/** @type {Rows} The context is a {@link ModelReading}. */
const graphRows = {
  [graphFields.node]: submessages('nodes', readNode),
  [graphFields.name]: text('name'),
  [graphFields.initializer]: (_, field, { takeDense }) => takeDense(asBytes(field)),
  [graphFields.sparseInitializer]: (_, field, { takeSparse }) => takeSparse(asBytes(field)),
  [graphFields.input]: submessages('inputs', readValueInfo),
  [graphFields.output]: submessages('outputs', readValueInfo),
};

/** @type {Rows} */
const opsetRows = { [opsetFields.domain]: text('domain'), [opsetFields.version]: integer('version') };

/** Reads the version that a model asks for of the operators of a domain.
 * @type {(message: Uint8Array) => [domain: string, version: number]} */
function readOpset(message) {
  const { domain, version } = readMessage(message, opsetRows, { domain: '', version: 0 });
  return [plainDomain(domain), version];
}

/** @type {Row} */
export const opsetRow = entries('opsets', readOpset);

/** @type {Rows} */
const modelRows = {
  [modelFields.irVersion]: integer('irVersion'),
  [modelFields.graph]: inside(graphRows),
  [modelFields.opsetImport]: opsetRow,
  [modelFields.metadataProps]: entries('metadataProps', readEntry),
};

/** Reads a model except its initializers, whose messages go to `takeDense` and `takeSparse` in the order of the file.
 * @type {(file: Uint8Array, reading: ModelReading) => Omit<Model, 'initializers'>} */
export function parseModel(file, reading) {
  const model = { irVersion: 0, opsets: new Map(), metadataProps: new Map(), name: '' };
  return readMessage(file, modelRows, { ...model, nodes: [], inputs: [], outputs: [] }, reading);
}
