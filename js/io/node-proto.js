/** Writes nodes: NodeProto, with attributes that are whole numbers. */
import { concat } from './bytes.js';
import { attributeFields, nodeFields, opsetFields, modelFields } from './onnx-fields.js';
import { bytesField, textField, wholeField } from './protobuf.js';

/**
 * @typedef {object} NewNode
 * @property {string} name
 * @property {string} operator
 * @property {string} domain
 * @property {readonly string[]} inputs
 * @property {readonly string[]} outputs
 * @property {Record<string, number>} attributes
 */

/** AttributeProto.AttributeType.INT. */
const int = 2;

/**
 * Encodes a NodeProto.
 * @param {string} prefix
 * @param {NewNode} node
 * @returns {Uint8Array}
 */
export function encodeNode(prefix, { name, operator, domain, inputs, outputs, attributes }) {
  const text = (/** @type {number} */ number, /** @type {string} */ value) => textField(prefix, number, value);
  return concat(prefix, [
    ...inputs.map((input) => text(nodeFields.input, input)),
    ...outputs.map((output) => text(nodeFields.output, output)),
    ...(name === '' ? [] : [text(nodeFields.name, name)]),
    text(nodeFields.opType, operator),
    ...Object.entries(attributes).map(([key, value]) =>
      bytesField(prefix, nodeFields.attribute, encodeWhole(prefix, key, value)),
    ),
    ...(domain === '' ? [] : [text(nodeFields.domain, domain)]),
  ]);
}

/** @type {(prefix: string, name: string, value: number) => Uint8Array} */
const encodeWhole = (prefix, name, value) =>
  concat(prefix, [
    textField(prefix, attributeFields.name, name),
    wholeField(attributeFields.i, value),
    wholeField(attributeFields.type, int),
  ]);

/**
 * The field of a model that imports an opset.
 * @type {(prefix: string, domain: string, version: number) => Uint8Array}
 */
export const encodeOpset = (prefix, domain, version) =>
  bytesField(
    prefix,
    modelFields.opsetImport,
    concat(prefix, [textField(prefix, opsetFields.domain, domain), wholeField(opsetFields.version, version)]),
  );
