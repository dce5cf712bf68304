/** Reads ONNX models: ModelProto, its graph and the graph's nodes. */
import { named, readOptions } from '../../arguments/index.js';
import { readAttribute } from './attributes.js';
import { readBytes } from '../bytes.js';
import { graphFields, modelFields, nodeFields, opsetFields } from './onnx-fields.js';
import { asBytes, asText, asWhole, fieldsOf, textIn, wholeIn } from './protobuf.js';
import { parseTensor, readEntry } from './tensor-proto.js';
import { readValueInfo } from './value-info.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { External, Model, Node } from './types.js' */

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
    /** @type {Map<string, Tensor>} */
    const initializers = new Map();
    const graph = parseModel(file, external, (message) => {
      const { name, tensor } = parseTensor(message, external);
      initializers.set(name, tensor);
    });
    return { ...graph, initializers };
  });
}

/** @type {(file: Uint8Array, external: External | undefined, take: (message: Uint8Array) => void) => Omit<Model,
 *   'initializers'>} */
export function parseModel(file, external, take) {
  /** @type {Omit<Model, 'initializers'>} */
  const model = {
    irVersion: 0,
    opsets: new Map(),
    metadataProps: new Map(),
    name: '',
    nodes: [],
    inputs: [],
    outputs: [],
  };
  for (const field of fieldsOf(file)) {
    if (field.number === modelFields.irVersion) model.irVersion = Number(asWhole(field));
    else if (field.number === modelFields.graph) readGraph(asBytes(field), external, model, take);
    else if (field.number === modelFields.opsetImport) model.opsets.set(...readOpset(asBytes(field)));
    else if (field.number === modelFields.metadataProps) model.metadataProps.set(...readEntry(asBytes(field)));
  }
  return model;
}

/** @type {(domain: string) => string} ONNX's own domain has two names. */
const plainDomain = (domain) => (domain === 'ai.onnx' ? '' : domain);

/** @type {(message: Uint8Array) => [domain: string, version: number]} */
const readOpset = (message) => [
  plainDomain(textIn(message, opsetFields.domain)),
  wholeIn(message, opsetFields.version),
];

/** @type {(message: Uint8Array, external: External | undefined, model: Omit<Model, 'initializers'>, take: (message:
 *   Uint8Array) => void) => void} */
function readGraph(message, external, model, take) {
  for (const field of fieldsOf(message)) {
    switch (field.number) {
      case graphFields.node:
        model.nodes.push(readNode(asBytes(field), external));
        break;
      case graphFields.name:
        model.name = asText(field);
        break;
      case graphFields.initializer:
        take(asBytes(field));
        break;
      case graphFields.input:
        model.inputs.push(readValueInfo(asBytes(field)));
        break;
      case graphFields.output:
        model.outputs.push(readValueInfo(asBytes(field)));
        break;
      default:
    }
  }
}

/** @type {(message: Uint8Array, external: External | undefined) => Node} */
function readNode(message, external) {
  /** @type {Node} */
  const node = { name: '', operator: '', domain: '', inputs: [], outputs: [], attributes: new Map() };
  for (const field of fieldsOf(message)) {
    switch (field.number) {
      case nodeFields.input:
        node.inputs.push(asText(field));
        break;
      case nodeFields.output:
        node.outputs.push(asText(field));
        break;
      case nodeFields.name:
        node.name = asText(field);
        break;
      case nodeFields.opType:
        node.operator = asText(field);
        break;
      case nodeFields.attribute:
        node.attributes.set(...readAttribute(asBytes(field), external));
        break;
      case nodeFields.domain:
        node.domain = plainDomain(asText(field));
        break;
      default:
    }
  }
  return node;
}
