/**
 * Reads ONNX's node tests in tests/goldens/nodes: TensorProto, SequenceProto and ModelProto (onnx.in.proto), as far as
 * these use them.
 */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { goldenJson } from './goldens.js';
import { typeNames, types } from './reference.js';

/**
 * @typedef {{ type: string, dims: number[], data: any }} Value
 * @typedef {{ inputs: string[], operator: string, attributes: Record<string, any> }} Node
 */

/** @type {Map<string, { model: string, inputs: string[], outputs: string[] }>} in base64, by the tests' names */
const tests = new Map(
  ['nodes/index.json', 'nodes/float6.json']
    .flatMap(goldenJson)
    .map((/** @type {any} */ { name, ...test }) => [name, test]),
);

/**
 * Calls `onField(number, reader)` for each field of a message. A field is skipped where the call returns false.
 * @param {Uint8Array} bytes
 * @param {(field: number, reader: BinaryReader) => boolean | void} onField
 */
function readFields(bytes, onField) {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (onField(field, reader) === false) reader.skip(wireType);
  }
}

/** @type {(bytes: Uint8Array) => Value} */
function readTensor(bytes) {
  /** @type {number[]} */
  const dims = [];
  /** @type {number | undefined} */
  let code;
  /** @type {Uint8Array} */
  let raw = new Uint8Array(0);
  readFields(bytes, (field, reader) => {
    if (field === 1) dims.push(Number(reader.int64()));
    else if (field === 2) code = reader.int32();
    else if (field === 8) reader.string();
    else if (field === 9) raw = reader.bytes();
    else throw new Error(`TensorProto field ${field} is not read here`);
  });
  const type = /** @type {string} */ (typeNames.find((name) => types[name].code === code));
  // Copied, because the raw bytes stand at any offset of the file. (Buffer's own slice() makes no copy.)
  return { type, dims, data: new types[type].array(new Uint8Array(raw).buffer) };
}

/** @type {(bytes: Uint8Array) => Value[]} */
function readSequence(bytes) {
  /** @type {Value[]} */
  const tensors = [];
  readFields(bytes, (field, reader) => (field === 3 ? void tensors.push(readTensor(reader.bytes())) : false));
  return tensors;
}

/** @type {(bytes: Uint8Array) => Record<string, any>} */
function readAttribute(bytes) {
  let name = '';
  /** @type {number | string | undefined} */
  let value;
  /** @type {number[]} */
  const ints = [];
  readFields(bytes, (field, reader) => {
    if (field === 1) name = reader.string();
    else if (field === 3) value = Number(reader.int64());
    else if (field === 4) value = reader.string();
    else if (field === 8) ints.push(Number(reader.int64()));
    else return false;
    return true;
  });
  return { [name]: value ?? ints };
}

/** @type {(bytes: Uint8Array) => Node} */
function readNode(bytes) {
  /** @type {Node} */
  const node = { inputs: [], operator: '', attributes: {} };
  readFields(bytes, (field, reader) => {
    if (field === 1) node.inputs.push(reader.string());
    else if (field === 4) node.operator = reader.string();
    else if (field === 5) node.attributes = { ...node.attributes, ...readAttribute(reader.bytes()) };
    else return false;
    return true;
  });
  return node;
}

/**
 * Whether a graph's input or output is a sequence: ValueInfoProto.type is field 2, TypeProto.sequence_type field 4.
 * @type {(valueInfo: Uint8Array) => boolean}
 */
function isSequence(valueInfo) {
  let sequence = false;
  readFields(valueInfo, (field, reader) =>
    field === 2
      ? readFields(reader.bytes(), (kind) => {
          if (kind === 4) sequence = true;
          return false;
        })
      : false,
  );
  return sequence;
}

/**
 * @typedef {object} Model
 * @property {number} opset
 * @property {Node[]} nodes
 * @property {boolean[]} inputs which are sequences
 * @property {boolean[]} outputs which are sequences
 */

/** @type {(bytes: Uint8Array) => Model} */
function readModel(bytes) {
  /** @type {Model} */
  const model = { opset: 0, nodes: [], inputs: [], outputs: [] };
  readFields(bytes, (field, reader) => {
    if (field === 8) {
      readFields(reader.bytes(), (entry, opset) => (entry === 2 ? void (model.opset = Number(opset.int64())) : false));
    } else if (field === 7) {
      readFields(reader.bytes(), (entry, graph) => {
        if (entry === 1) model.nodes.push(readNode(graph.bytes()));
        else if (entry === 11) model.inputs.push(isSequence(graph.bytes()));
        else if (entry === 12) model.outputs.push(isSequence(graph.bytes()));
        else return false;
        return true;
      });
    } else return false;
    return true;
  });
  return model;
}

/** @type {(pattern: RegExp) => string[]} the names of the node tests that match */
export const nodeTestNames = (pattern) => [...tests.keys()].filter((name) => pattern.test(name));

/** @type {(text: string) => Uint8Array} */
const decodeBase64 = (text) => new Uint8Array(Buffer.from(text, 'base64'));

/** The protos of a node test: its model, inputs and outputs. */
export function nodeTestFiles(/** @type {string} */ name) {
  const { model, inputs, outputs } = /** @type {any} */ (tests.get(name));
  return { model: decodeBase64(model), inputs: inputs.map(decodeBase64), outputs: outputs.map(decodeBase64) };
}

/**
 * Reads one node test: its only node, the opset, and its values, each of which is a tensor or an array of tensors.
 * @param {string} name
 */
export function readNodeTest(name) {
  const files = nodeTestFiles(name);
  const {
    opset,
    nodes: [node],
    inputs,
    outputs,
  } = readModel(files.model);
  const read =
    (/** @type {Uint8Array[]} */ protos) => (/** @type {boolean} */ isSequenceAt, /** @type {number} */ i) =>
      isSequenceAt ? readSequence(protos[i]) : readTensor(protos[i]);
  return { opset, ...node, inputs: inputs.map(read(files.inputs)), outputs: outputs.map(read(files.outputs)) };
}

/**
 * The tables of exact casts to and from float6e2m3 and float6e3m2. float6.py says how to read them.
 * @type {() => { decode: Record<string, string>, encode: Record<string, any>, from: Record<string, any> }}
 */
export const float6Tables = () => goldenJson('nodes/float6-tables.json');
