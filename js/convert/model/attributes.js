/** Attributes of nodes: AttributeProto, read and written one by one. */
import * as io from '../../io/internal.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Rows } from '../../io/types.js' */
/** @import { Attribute, Graph, Node } from './types.js' */

const { attributeFields, sparseFields } = io;

/** AttributeProto.AttributeType. */
const types = { int: 2, tensor: 4 };

/** @type {(node: Node, name: string) => Attribute | undefined} */
export const attributeOf = (node, name) => node.attributes.find((attribute) => attribute.name === name);

/** Reads an attribute's field by `rows`, which set `value`. @type {(attribute: Attribute, rows: Rows) => any} */
const valueIn = (attribute, rows) => io.readMessage(attribute.message, rows, { value: undefined }).value;

/** An integer attribute of a node; `byDefault` if it is missing.
 * @type {(node: Node, name: string, byDefault: number) => number} */
export function wholeAttribute(node, name, byDefault) {
  const attribute = attributeOf(node, name);
  // Protobuf leaves out what is 0.
  return attribute ? (valueIn(attribute, { [attributeFields.i]: io.integer('value') }) ?? 0) : byDefault;
}

/** @type {Rows} */
const floatRows = {
  [attributeFields.f]: (result, { payload }) => {
    if (payload.length === 4) result.value = new DataView(payload.buffer, payload.byteOffset, 4).getFloat32(0, true);
  },
};

/** A float attribute of a node; `byDefault` if it is missing.
 * @type {(node: Node, name: string, byDefault: number) => number} */
export function floatAttribute(node, name, byDefault) {
  const attribute = attributeOf(node, name);
  return attribute ? (valueIn(attribute, floatRows) ?? 0) : byDefault;
}

/** @type {Rows} */
const floatsRows = {
  [attributeFields.floats]: ({ value }, { payload }) => {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    for (let at = 0; at + 4 <= payload.byteLength; at += 4) value.push(view.getFloat32(at, true));
  },
};

/** The numbers of an attribute FLOATS. @type {(attribute: Attribute) => number[]} */
export const floatsIn = ({ message }) => io.readMessage(message, floatsRows, { value: [] }).value;

const asIs = (/** @type {Uint8Array} */ message) => message;

/** The message of a tensor. @type {(attribute: Attribute) => Uint8Array | undefined} */
export const tensorMessageIn = (attribute) => valueIn(attribute, { [attributeFields.t]: io.submessage('value', asIs) });

/** The tensor of an attribute, if it has one. @type {(attribute: Attribute) => Tensor | undefined} */
export function tensorIn(attribute) {
  const message = tensorMessageIn(attribute);
  return message && io.parseTensor(message, io.attributesOnly).tensor;
}

/** The code of the elements of a sparse tensor. @type {(attribute: Attribute) => number} */
export function sparseCodeIn(attribute) {
  const message = valueIn(attribute, { [attributeFields.sparseTensor]: io.submessage('value', asIs) });
  const values =
    message &&
    io.readMessage(message, { [sparseFields.values]: io.submessage('values', asIs) }, { values: null }).values;
  return values ? io.readTensorHead(values).dtype.code : 0;
}

/** Makes an AttributeProto of its name, the fields of its value and its type.
 * @type {(name: string, fields: readonly Uint8Array[], type: number) => Attribute} */
const newAttribute = (name, fields, type) => ({
  name,
  message: io.concat([io.textField(attributeFields.name, name), ...fields, io.wholeField(attributeFields.type, type)]),
  graphs: [],
});

/** Makes an attribute INT. @type {(name: string, value: number) => Attribute} */
export const int = (name, value) => newAttribute(name, [io.wholeField(attributeFields.i, value)], types.int);

/** Makes an attribute FLOAT. @type {(name: string, value: number) => Attribute} */
export function float(name, value) {
  const number = new Uint8Array(Float32Array.of(value).buffer);
  return newAttribute(name, [io.concat([Uint8Array.of((attributeFields.f << 3) | 5), number])], 1);
}

/** Makes an attribute TENSOR. `tensor`: the message of a TensorProto
 * @type {(name: string, tensor: Uint8Array) => Attribute} */
export const tensor = (name, tensor) => newAttribute(name, [io.bytesField(attributeFields.t, tensor)], types.tensor);

/** Replaces an attribute, or adds it. @type {(node: Node, attribute: Attribute) => void} */
export function setAttribute(node, attribute) {
  const rest = node.attributes.filter(({ name }) => name !== attribute.name);
  node.attributes = [...rest, attribute];
}

/** The graphs inside a node. @type {(node: Node) => Graph[]} */
export const graphsOf = (node) => node.attributes.flatMap(({ graphs }) => graphs);

/** Labels for the graphs of an attribute: its name, with a number for each graph of a list.
 * @type {(attribute: Attribute) => string[]} */
export function attributeLabels({ name, message, graphs }) {
  if (graphs.length === 0) return [];
  const isList = Array.from(io.fieldsOf(message)).some(({ number }) => number === attributeFields.graphs);
  return graphs.map((_, i) => (isList ? `${name}_${i}` : name));
}
