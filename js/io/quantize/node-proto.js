/** Writes nodes: NodeProto, with attributes that are whole numbers. */
import { concat } from '../bytes.js';
import { attributeFields, nodeFields, opsetFields, modelFields } from '../onnx/onnx-fields.js';
import { bytesField, textField, wholeField } from '../onnx/protobuf.js';

/** @import { NewNode } from './types.js' */

/** AttributeProto.AttributeType.INT. */
const int = 2;

/** @type {(node: NewNode) => Uint8Array} */
export function encodeNode({ name, operator, domain, inputs, outputs, attributes }) {
  const text = (/** @type {number} */ number, /** @type {string} */ value) => textField(number, value);
  return concat([
    ...inputs.map((input) => text(nodeFields.input, input)),
    ...outputs.map((output) => text(nodeFields.output, output)),
    ...(name === '' ? [] : [text(nodeFields.name, name)]),
    text(nodeFields.opType, operator),
    ...Object.entries(attributes).map(([key, value]) => bytesField(nodeFields.attribute, encodeWhole(key, value))),
    ...(domain === '' ? [] : [text(nodeFields.domain, domain)]),
  ]);
}

/** @type {(name: string, value: number) => Uint8Array} */
const encodeWhole = (name, value) =>
  concat([
    textField(attributeFields.name, name),
    wholeField(attributeFields.i, value),
    wholeField(attributeFields.type, int),
  ]);

/** @type {(domain: string, version: number) => Uint8Array} The field of a model that imports an opset. */
export const encodeOpset = (domain, version) =>
  bytesField(
    modelFields.opsetImport,
    concat([textField(opsetFields.domain, domain), wholeField(opsetFields.version, version)]),
  );
