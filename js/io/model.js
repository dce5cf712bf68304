/** ONNX's ModelProto: a graph's nodes and names. Source: onnx.in.proto, IR version 13. */
import { readOptions, show, wrongValue } from '../arguments/index.js';
import { concat, readBytes, readTensors } from './bytes.js';
import { asBytes, asText, asWhole, bytesField, eachVarint, fieldsOf, textField, wholeField } from './protobuf.js';
import { dtypeOfCode, encodeTensor, guarded, parseTensor } from './tensor-proto.js';

/** @import { Parts, Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @import { Field } from './protobuf.js' */
/** @import { External } from './tensor-proto.js' */

/**
 * What a node's attribute holds: int64s as numbers where they are safe; undefined for graphs, sparse tensors and types.
 * @typedef {number | bigint | string | Tensor | (number | bigint)[] | string[] | undefined} AttributeValue
 */
/**
 * @typedef {object} Node
 * @property {string} name often empty
 * @property {string} operator
 * @property {string} domain empty for ONNX's own
 * @property {string[]} inputs names of values; an empty one is an omitted input
 * @property {string[]} outputs
 * @property {Map<string, AttributeValue>} attributes
 */
/**
 * What a graph says about an input or output.
 * @typedef {object} ValueInfo
 * @property {string} name
 * @property {TypeName | undefined} type of the elements; undefined if it is no tensor or sequence of tensors
 * @property {(number | string | null)[] | null} dims a number, the name of a symbol, or null where unknown; null where the rank is
 * @property {boolean} sequence
 */
/**
 * @typedef {object} Model
 * @property {number} irVersion
 * @property {Map<string, number>} opsets by domain; ONNX's own is ''
 * @property {string} name of the graph
 * @property {Node[]} nodes in the file's order, which is one of computation
 * @property {Map<string, Tensor>} initializers
 * @property {ValueInfo[]} inputs in older files with the initializers among them
 * @property {ValueInfo[]} outputs
 */

// Fields of ModelProto and of GraphProto.
const graphField = 7;
const initializerField = 5;

/**
 * Reads an ONNX model: its graph, as far as running it needs.
 * @param {Uint8Array} bytes the whole file
 * @param {{ external?: External }} [options] `external`: gives the data of tensors that stand in other files
 * @returns {Model} its tensors share the bytes where they are aligned
 * @throws {TypeError} no bytes, external data without the option, an unknown option
 * @throws {RangeError} bytes that are no model, a tensor whose data does not fit its dims
 * @example
 * const { nodes, opsets } = readModel(bytes);
 * nodes.map(({ operator }) => operator); // ['Transpose']
 */
export function readModel(bytes, options) {
  const prefix = 'readModel';
  const { external } = readOptions(prefix, options, ['external']);
  /** @type {Model} */
  const model = {
    irVersion: 0,
    opsets: new Map(),
    name: '',
    nodes: [],
    initializers: new Map(),
    inputs: [],
    outputs: [],
  };
  const file = readBytes(prefix, bytes);
  const outside = guarded(prefix, file, external);
  for (const field of fieldsOf(prefix, file)) {
    if (field.number === 1) model.irVersion = Number(asWhole(prefix, field));
    else if (field.number === graphField) readGraph(prefix, asBytes(prefix, field), outside, model);
    else if (field.number === 8) {
      let [domain, version] = ['', 0];
      for (const entry of fieldsOf(prefix, asBytes(prefix, field))) {
        if (entry.number === 1) domain = asText(prefix, entry);
        else if (entry.number === 2) version = Number(asWhole(prefix, entry));
      }
      model.opsets.set(plainDomain(domain), version);
    }
  }
  return model;
}

/** ONNX's own domain has two names. @type {(domain: string) => string} */
const plainDomain = (domain) => (domain === 'ai.onnx' ? '' : domain);

/** @type {(prefix: string, message: Uint8Array, external: External | undefined, model: Model) => void} */
function readGraph(prefix, message, external, model) {
  for (const field of fieldsOf(prefix, message)) {
    switch (field.number) {
      case 1:
        model.nodes.push(readNode(prefix, asBytes(prefix, field), external));
        break;
      case 2:
        model.name = asText(prefix, field);
        break;
      case initializerField: {
        const { name, tensor } = parseTensor(prefix, asBytes(prefix, field), external);
        model.initializers.set(name, tensor);
        break;
      }
      case 11:
        model.inputs.push(readValueInfo(prefix, asBytes(prefix, field)));
        break;
      case 12:
        model.outputs.push(readValueInfo(prefix, asBytes(prefix, field)));
        break;
      default:
    }
  }
}

/** @type {(prefix: string, message: Uint8Array, external: External | undefined) => Node} */
function readNode(prefix, message, external) {
  /** @type {Node} */
  const node = { name: '', operator: '', domain: '', inputs: [], outputs: [], attributes: new Map() };
  for (const field of fieldsOf(prefix, message)) {
    switch (field.number) {
      case 1:
        node.inputs.push(asText(prefix, field));
        break;
      case 2:
        node.outputs.push(asText(prefix, field));
        break;
      case 3:
        node.name = asText(prefix, field);
        break;
      case 4:
        node.operator = asText(prefix, field);
        break;
      case 5:
        node.attributes.set(...readAttribute(prefix, asBytes(prefix, field), external));
        break;
      case 7:
        node.domain = plainDomain(asText(prefix, field));
        break;
      default:
    }
  }
  return node;
}

/** AttributeProto: the field of each kind of value, and the value where that field does not stand in the file: protobuf's default. */
const kinds = /** @type {const} */ ([
  { type: 1, field: 2, list: false, absent: 0 },
  { type: 2, field: 3, list: false, absent: 0 },
  { type: 3, field: 4, list: false, absent: '' },
  { type: 4, field: 5, list: false, absent: undefined },
  { type: 6, field: 7, list: true, absent: undefined },
  { type: 7, field: 8, list: true, absent: undefined },
  { type: 8, field: 9, list: true, absent: undefined },
]);

/** @type {(prefix: string, message: Uint8Array, external: External | undefined) => [string, AttributeValue]} */
function readAttribute(prefix, message, external) {
  let name = '';
  let type = 0;
  /** @type {Map<number, any[]>} */
  const values = new Map(kinds.map(({ field }) => [field, []]));
  for (const field of fieldsOf(prefix, message)) {
    if (field.number === 1) name = asText(prefix, field);
    else if (field.number === 20) type = Number(asWhole(prefix, field));
    else readAttributeValues(prefix, field, external, values.get(field.number));
  }
  // Files of the first IR version do not say the type.
  const kind = kinds.find((row) => (type === 0 ? values.get(row.field)?.length : row.type === type));
  const list = kind && values.get(kind.field);
  return [name, kind?.list ? list : (list?.at(-1) ?? kind?.absent)];
}

/** @type {(prefix: string, field: Field, external: External | undefined, values: any[] | undefined) => void} */
function readAttributeValues(prefix, field, external, values) {
  const { number, payload } = field;
  if (number === 2 || number === 7) {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    for (let at = 0; at + 4 <= payload.length; at += 4) values?.push(view.getFloat32(at, true));
  } else if (number === 3 || number === 8) {
    eachVarint(prefix, payload, (value) => values?.push(Number.isSafeInteger(Number(value)) ? Number(value) : value));
  } else if (number === 4 || number === 9) {
    values?.push(asText(prefix, field));
  } else if (number === 5) {
    values?.push(parseTensor(prefix, asBytes(prefix, field), external).tensor);
  }
}

/** @type {(prefix: string, message: Uint8Array) => ValueInfo} */
function readValueInfo(prefix, message) {
  /** @type {ValueInfo} */
  const info = { name: '', type: undefined, dims: null, sequence: false };
  for (const field of fieldsOf(prefix, message)) {
    if (field.number === 1) info.name = asText(prefix, field);
    else if (field.number === 2) readType(prefix, asBytes(prefix, field), info);
  }
  return info;
}

/** A TypeProto: of a tensor, or of a sequence of tensors. @type {(prefix: string, message: Uint8Array, info: ValueInfo) => void} */
function readType(prefix, message, info) {
  for (const field of fieldsOf(prefix, message)) {
    if (field.number === 1) {
      readTensorType(prefix, asBytes(prefix, field), info);
    } else if (field.number === 4 && !info.sequence) {
      info.sequence = true;
      for (const element of fieldsOf(prefix, asBytes(prefix, field)))
        if (element.number === 1) readType(prefix, asBytes(prefix, element), info);
    }
  }
}

/** @type {(prefix: string, message: Uint8Array, info: ValueInfo) => void} */
function readTensorType(prefix, message, info) {
  for (const field of fieldsOf(prefix, message)) {
    if (field.number === 1 && asWhole(prefix, field) !== 0n)
      info.type = dtypeOfCode(prefix, 'elem_type', asWhole(prefix, field)).name;
    if (field.number !== 2) continue;
    info.dims = [];
    for (const dim of fieldsOf(prefix, asBytes(prefix, field))) {
      if (dim.number !== 1) continue;
      /** @type {number | string | null} */
      let extent = null;
      for (const value of fieldsOf(prefix, asBytes(prefix, dim))) {
        if (value.number === 1) extent = Number(asWhole(prefix, value));
        else if (value.number === 2) extent = asText(prefix, value) || null;
      }
      info.dims.push(extent);
    }
  }
}

/**
 * A model with other initializers. Everything else is kept byte for byte, but what the graph says of these tensors' types and dims.
 * @param {Uint8Array} bytes the whole file
 * @param {ReadonlyMap<string, TensorLike>} tensors by the names of the initializers that they replace
 * @returns {Uint8Array} the whole file, with these tensors' data in it even if it stood in another one
 * @throws {TypeError} no bytes, no Map of tensors
 * @throws {RangeError} bytes that are no model, a name that no initializer has, data of the wrong length
 * @example
 * const { initializers } = readModel(bytes);
 * const turned = writeInitializers(bytes, new Map([['weight', transpose(initializers.get('weight'))]]));
 */
export function writeInitializers(bytes, tensors) {
  const prefix = 'writeInitializers';
  const given = readTensors(prefix, tensors);
  const missing = new Set(given.keys());
  const fields = [];
  for (const field of fieldsOf(prefix, readBytes(prefix, bytes))) {
    fields.push(
      field.number === graphField
        ? bytesField(prefix, graphField, replaceIn(prefix, asBytes(prefix, field), given, missing))
        : field.whole,
    );
  }
  for (const name of missing) wrongValue(prefix, `tensors must be by the name of an initializer, got ${show(name)}`);
  return concat(prefix, fields);
}

/** @type {(prefix: string, graph: Uint8Array, tensors: ReadonlyMap<string, Parts>, missing: Set<string>) => Uint8Array} */
function replaceIn(prefix, graph, tensors, missing) {
  const fields = [];
  for (const field of fieldsOf(prefix, graph)) {
    const { number, whole } = field;
    // TensorProto has its name in field 8; ValueInfoProto, of an input, output or inner value, in field 1.
    const nameField = number === initializerField ? 8 : number >= 11 && number <= 13 ? 1 : 0;
    const name = nameField ? nameIn(prefix, asBytes(prefix, field), nameField) : '';
    const tensor = nameField ? tensors.get(name) : undefined;
    if (tensor === undefined) {
      fields.push(whole);
    } else if (number === initializerField) {
      missing.delete(name);
      fields.push(bytesField(prefix, number, encodeTensor(prefix, tensor, name)));
    } else {
      fields.push(bytesField(prefix, number, valueInfoOf(prefix, asBytes(prefix, field), name, tensor)));
    }
  }
  return concat(prefix, fields);
}

/** @type {(prefix: string, message: Uint8Array, nameField: number) => string} */
function nameIn(prefix, message, nameField) {
  let name = '';
  for (const field of fieldsOf(prefix, message)) if (field.number === nameField) name = asText(prefix, field);
  return name;
}

/** A ValueInfoProto with the type and dims of a tensor. @type {(prefix: string, message: Uint8Array, name: string, tensor: Parts) => Uint8Array} */
function valueInfoOf(prefix, message, name, { dtype, dims }) {
  const shape = concat(
    prefix,
    dims.map((extent) => bytesField(prefix, 1, wholeField(1, extent))),
  );
  const type = bytesField(prefix, 1, concat(prefix, [wholeField(1, dtype.code), bytesField(prefix, 2, shape)]));
  const kept = [];
  for (const { number, whole } of fieldsOf(prefix, message)) if (number !== 1 && number !== 2) kept.push(whole);
  return concat(prefix, [textField(prefix, 1, name), bytesField(prefix, 2, type), ...kept]);
}
