/** Writes nodes: NodeProto, with attributes that are whole numbers. */
import { concat } from '../bytes.js';
import { attributeFields, nodeFields, opsetFields, modelFields } from '../onnx/onnx-fields.js';
import { bytesField, textField, wholeField } from '../onnx/protobuf.js';

/** @import { NewNode } from './types.js' */

/** AttributeProto.AttributeType.INT. */
const int = 2;

/** @type {(node: NewNode) => Uint8Array} */
export function encodeNode({ name, operator, domain, inputs, outputs, attributes }) {
  return concat([
    ...inputs.map((input) => textField(nodeFields.input, input)),
    ...outputs.map((output) => textField(nodeFields.output, output)),
    ...(name === '' ? [] : [textField(nodeFields.name, name)]),
    textField(nodeFields.opType, operator),
    ...Object.entries(attributes).map(([key, value]) => bytesField(nodeFields.attribute, encodeWhole(key, value))),
    ...(domain === '' ? [] : [textField(nodeFields.domain, domain)]),
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
