/** Reads ONNX models: ModelProto, its graph and the graph's nodes. */
import { checkFileKind, named, readOptions } from '../../arguments/index.js';
import { readAttribute } from './attributes.js';
import { readBytes } from '../bytes.js';
import { graphFields, modelFields, nodeFields, opsetFields } from './onnx-fields.js';
import { asBytes, asText, entries, inside, parts, readMessage, text, texts, whole } from './protobuf.js';
import { parseTensor, readEntry } from './tensor-proto.js';
import { readValueInfo } from './value-info.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { External, Model, Node, Rows } from './types.js' */

/**
 * Reads an ONNX model: as much of its graph as running it needs.
 * @param {Uint8Array} bytes the whole file
 * @param {{ external?: External }} [options] `external`: gives the data of tensors that are in other files
 * @returns {Model} its tensors share the bytes where they are aligned
 * @example
 * const { nodes, opsets } = readModel(bytes);
 * nodes.map(({ operator }) => operator); // ['Transpose']
 */
export function readModel(bytes, options) {
  return named('readModel', () => {
    const { external } = readOptions(options, ['external']);
    const file = readBytes(bytes);
    checkFileKind('bytes', modelRule, file);
    /** @type {Map<string, Tensor>} */
    const initializers = new Map();
    const graph = parseModel(file, external, (message) => {
      const { name, tensor } = parseTensor(message, external);
      initializers.set(name, tensor);
    });
    return { ...graph, initializers };
  });
}

/** The kind of file that a reader of models needs. */
export const modelRule = 'an ONNX model';

/** @type {(domain: string) => string} ONNX's own domain has two names. */
const plainDomain = (domain) => (domain === 'ai.onnx' ? '' : domain);

/** @type {Rows} */
const nodeRows = {
  [nodeFields.input]: texts('inputs'),
  [nodeFields.output]: texts('outputs'),
  [nodeFields.name]: text('name'),
  [nodeFields.opType]: text('operator'),
  [nodeFields.attribute]: entries('attributes', readAttribute),
  [nodeFields.domain]: (node, field) => void (node.domain = plainDomain(asText(field))),
};

/** @type {(message: Uint8Array, external: External | undefined) => Node} */
function readNode(message, external) {
  const node = { name: '', operator: '', domain: '', inputs: [], outputs: [], attributes: new Map() };
  return readMessage(message, nodeRows, node, external);
}

/** @typedef {{ external: External | undefined, take: (message: Uint8Array) => void }} Reading */

/** @type {Rows} The context is a {@link Reading}. */
const graphRows = {
  [graphFields.node]: parts('nodes', (message, { external }) => readNode(message, external)),
  [graphFields.name]: text('name'),
  [graphFields.initializer]: (_, field, { take }) => take(asBytes(field)),
  [graphFields.input]: parts('inputs', readValueInfo),
  [graphFields.output]: parts('outputs', readValueInfo),
};

/** @type {Rows} */
const opsetRows = { [opsetFields.domain]: text('domain'), [opsetFields.version]: whole('version') };

/** @type {(message: Uint8Array) => [domain: string, version: number]} */
function readOpset(message) {
  const { domain, version } = readMessage(message, opsetRows, { domain: '', version: 0 });
  return [plainDomain(domain), version];
}

/** @type {Rows} */
const modelRows = {
  [modelFields.irVersion]: whole('irVersion'),
  [modelFields.graph]: inside(graphRows),
  [modelFields.opsetImport]: entries('opsets', readOpset),
  [modelFields.metadataProps]: entries('metadataProps', readEntry),
};

/** @type {(file: Uint8Array, external: External | undefined, take: (message: Uint8Array) => void) => Omit<Model,
 *   'initializers'>} */
export function parseModel(file, external, take) {
  const model = { irVersion: 0, opsets: new Map(), metadataProps: new Map(), name: '' };
  return readMessage(file, modelRows, { ...model, nodes: [], inputs: [], outputs: [] }, { external, take });
}
