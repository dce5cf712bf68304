/** Attributes of nodes: AttributeProto, read and written one by one. */
import * as io from '../../io/internal.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Rows } from '../../io/types.js' */
/** @import { Attribute, Graph, Node } from './types.js' */

const { attributeFields, sparseFields } = io;

/** AttributeProto.AttributeType. */
const types = { int: 2, tensor: 4 };

/** Finds an attribute of a node by its name.
 * @type {(node: Node, name: string) => Attribute | undefined} */
export const attributeOf = (node, name) => node.attributes.find((attribute) => attribute.name === name);

/** Reads the value of an attribute from its message. `rows`: by field number a function that sets `value` of the
 * result; undefined if the message has no such field.
 * @type {(attribute: Attribute, rows: Rows) => any} */
const valueIn = (attribute, rows) => io.readMessage(attribute.message, rows, { value: undefined }).value;

/** Reads an integer attribute of a node; `byDefault` if the node lacks it.
 * @type {(node: Node, name: string, byDefault: number) => number} */
export function wholeAttribute(node, name, byDefault) {
  const attribute = attributeOf(node, name);
  // Protobuf leaves out what is 0.
  return attribute ? (valueIn(attribute, { [attributeFields.i]: io.integer('value') }) ?? 0) : byDefault;
}

/** @type {Rows} */
const floatRows = {
  /** Reads a float of 4 bytes into `value`. Ignores a field of another length, which is no float. */
  [attributeFields.f]: (result, { payload }) => {
    if (payload.length === 4) result.value = new DataView(payload.buffer, payload.byteOffset, 4).getFloat32(0, true);
  },
};

/** Reads a float attribute of a node; `byDefault` if the node lacks it.
 * @type {(node: Node, name: string, byDefault: number) => number} */
export function floatAttribute(node, name, byDefault) {
  const attribute = attributeOf(node, name);
  // Protobuf leaves out a value of 0.
  return attribute ? (valueIn(attribute, floatRows) ?? 0) : byDefault;
}

/** @type {Rows} */
const floatsRows = {
  /** Appends the floats of a field to `value`: one number, or several that are packed, 4 bytes each. */
  [attributeFields.floats]: ({ value }, { payload }) => {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    for (let at = 0; at + 4 <= payload.byteLength; at += 4) value.push(view.getFloat32(at, true));
  },
};

/** Reads the numbers of an attribute FLOATS.
 * @type {(attribute: Attribute) => number[]} */
export const floatsIn = ({ message }) => io.readMessage(message, floatsRows, { value: [] }).value;

const asIs = (/** @type {Uint8Array} */ message) => message;

/** Reads the message of the TensorProto that an attribute holds.
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
  const values =
    message &&
    io.readMessage(message, { [sparseFields.values]: io.submessage('values', asIs) }, { values: null }).values;
  return values ? io.readTensorHead(values).dtype.code : 0;
}

/** Makes an AttributeProto. `fields`: of its value; `type`: AttributeProto's code of the attribute's type.
 * @type {(name: string, fields: readonly Uint8Array[], type: number) => Attribute} */
const newAttribute = (name, fields, type) => ({
  name,
  message: io.concat([io.textField(attributeFields.name, name), ...fields, io.wholeField(attributeFields.type, type)]),
  graphs: [],
});

/** Makes an attribute INT. @type {(name: string, value: number) => Attribute} */
export const int = (name, value) => newAttribute(name, [io.wholeField(attributeFields.i, value)], types.int);

/** Makes an attribute FLOAT.
 * @type {(name: string, value: number) => Attribute} */
export function float(name, value) {
  const number = new Uint8Array(Float32Array.of(value).buffer);
  // A tag with wire type 5, four bytes, and then these; 1 is FLOAT in AttributeType.
  return newAttribute(name, [io.concat([Uint8Array.of((attributeFields.f << 3) | 5), number])], 1);
}

/** Makes an attribute TENSOR. `tensor`: the message of a TensorProto
 * @type {(name: string, tensor: Uint8Array) => Attribute} */
export const tensor = (name, tensor) => newAttribute(name, [io.bytesField(attributeFields.t, tensor)], types.tensor);

/** Replaces the attribute of this name, or adds it.
 * @type {(node: Node, attribute: Attribute) => void} */
export function setAttribute(node, attribute) {
  const rest = node.attributes.filter(({ name }) => name !== attribute.name);
  node.attributes = [...rest, attribute];
}

/** The graphs inside a node. @type {(node: Node) => Graph[]} */
export const graphsOf = (node) => node.attributes.flatMap(({ graphs }) => graphs);

/** Gives a label to each graph of an attribute, for paths: the attribute's name and, in a list of graphs, the number of
 * the graph behind it.
 * @type {(attribute: Attribute) => string[]} */
export function attributeLabels({ name, message, graphs }) {
  if (graphs.length === 0) return [];
  const isList = Array.from(io.fieldsOf(message)).some(({ number }) => number === attributeFields.graphs);
  return graphs.map((_, i) => (isList ? `${name}_${i}` : name));
}
