/** Attributes of nodes: AttributeProto, read and written one by one. */
import * as io from '../../io/internal.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Rows } from '../../io/types.js' */
/** @import { Attribute, Graph, Node } from './types.js' */

const { attributeFields, sparseFields } = io;

/** AttributeProto.AttributeType. */
const types = { float: 1, int: 2, tensor: 4 };
/** Protobuf's wire type of fields of four bytes. */
const fourBytes = 5;

/** @type {(node: Node, name: string) => Attribute | undefined} */
export const attributeOf = (node, name) => node.attributes.find((attribute) => attribute.name === name);

/** Reads the value of an attribute from its message; undefined if that has no such field. `rows` has by field number
 * the function that reads the field and sets `value`.
 * @type {(attribute: Attribute, rows: Rows) => any} */
const valueIn = (attribute, rows) => io.readMessage(attribute.message, rows, { value: undefined }).value;

/** Reads the integer of an attribute; `byDefault` if the node has no such attribute.
 * @type {(node: Node, name: string, byDefault: number) => number} */
export function wholeAttribute(node, name, byDefault) {
  const attribute = attributeOf(node, name);
  // Protobuf does not write a number that is 0, so an attribute without one is 0.
  return attribute ? (valueIn(attribute, { [attributeFields.i]: io.integer('value') }) ?? 0) : byDefault;
}

/** Reads the field `f` of an AttributeProto, a float32 number.
 * @type {Rows} */
const floatRows = {
  /** A field of another length than 4 bytes is no float, and is ignored. */
  [attributeFields.f]: (result, { payload }) => {
    if (payload.length === 4) result.value = new DataView(payload.buffer, payload.byteOffset, 4).getFloat32(0, true);
  },
};

/** Reads the float32 number of an attribute; `byDefault` if the node has no such attribute.
 * @type {(node: Node, name: string, byDefault: number) => number} */
export function floatAttribute(node, name, byDefault) {
  const attribute = attributeOf(node, name);
  // Protobuf does not write a number that is 0, so an attribute without one is 0.
  return attribute ? (valueIn(attribute, floatRows) ?? 0) : byDefault;
}

/** Reads the fields `floats` of an AttributeProto: each has one float32 number, or several that are packed.
 * @type {Rows} */
const floatsRows = {
  [attributeFields.floats]: ({ value }, { payload }) => {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    for (let at = 0; at + 4 <= payload.byteLength; at += 4) value.push(view.getFloat32(at, true));
  },
};

/** @type {(attribute: Attribute) => number[]} */
export const floatsIn = ({ message }) => io.readMessage(message, floatsRows, { value: [] }).value;

const asIs = (/** @type {Uint8Array} */ message) => message;

/** Gives the TensorProto that an attribute holds; undefined if it holds none.
 * @type {(attribute: Attribute) => Uint8Array | undefined} */
export const tensorMessageIn = (attribute) => valueIn(attribute, { [attributeFields.t]: io.submessage('value', asIs) });

/** Reads the tensor that an attribute holds; undefined if it holds none.
 * @type {(attribute: Attribute) => Tensor | undefined} */
export function tensorIn(attribute) {
  const message = tensorMessageIn(attribute);
  return message && io.parseTensor(message, io.attributesOnly).tensor;
}

/** Reads the TensorProto code of the elements of the sparse tensor that an attribute holds; 0 if it holds none.
 * @type {(attribute: Attribute) => number} */
export function sparseCodeIn(attribute) {
  const message = valueIn(attribute, { [attributeFields.sparseTensor]: io.submessage('value', asIs) });
  if (!message) return 0;
  const rows = { [sparseFields.values]: io.submessage('values', asIs) };
  const { values } = io.readMessage(message, rows, { values: null });
  return values ? io.readTensorHead(values).dtype.code : 0;
}

/** Makes an attribute. `value`: the field of its value.
 * @type {(name: string, value: Uint8Array, type: number) => Attribute} */
const newAttribute = (name, value, type) => ({
  name,
  message: io.concat([io.textField(attributeFields.name, name), value, io.wholeField(attributeFields.type, type)]),
  graphs: [],
});

/** @type {(name: string, value: number) => Attribute} */
export const int = (name, value) => newAttribute(name, io.wholeField(attributeFields.i, value), types.int);

/** @type {(name: string, value: number) => Attribute} */
export function float(name, value) {
  const tag = Uint8Array.of((attributeFields.f << 3) | fourBytes);
  const number = new Uint8Array(Float32Array.of(value).buffer);
  return newAttribute(name, io.concat([tag, number]), types.float);
}

/** @type {(name: string, tensorProto: Uint8Array) => Attribute} */
export const tensor = (name, tensorProto) =>
  newAttribute(name, io.bytesField(attributeFields.t, tensorProto), types.tensor);

/** @type {(node: Node, attribute: Attribute) => void} */
export function setAttribute(node, attribute) {
  const rest = node.attributes.filter(({ name }) => name !== attribute.name);
  node.attributes = [...rest, attribute];
}

/** Gives the graphs inside a node, as the branches of an If. @type {(node: Node) => Graph[]} */
export const graphsOf = (node) => node.attributes.flatMap(({ graphs }) => graphs);

/** Labels the graphs of an attribute, for paths: by the attribute's name and, in a list of graphs, a number.
 * @type {(attribute: Attribute) => string[]} */
export function attributeLabels({ name, message, graphs }) {
  if (graphs.length === 0) return [];
  const isList = Array.from(io.fieldsOf(message)).some(({ number }) => number === attributeFields.graphs);
  return graphs.map((_, i) => (isList ? `${name}_${i}` : name));
}
