/** Reads the files of ONNX's node tests: TensorProto, SequenceProto and ModelProto, as far as they use them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { typeNames, types } from './reference.js';

// Beside the repository: those folders of ONNX's backend/test/data/node that belong to our operators.
const folder = new URL('../../../shared/onnx-node-tests/', import.meta.url);

export const hasNodeTests = existsSync(folder);

/**
 * Calls `onField` for each field of a message. It returns false for a field that it has not read.
 * @param {Uint8Array} bytes
 * @param {(number: number, reader: BinaryReader) => unknown} onField
 */
function readFields(bytes, onField) {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (onField(field, reader) === false) reader.skip(wireType);
  }
}

function readTensor(bytes) {
  const dims = [];
  let code;
  let raw = new Uint8Array(0);
  readFields(bytes, (field, reader) => {
    if (field === 1) dims.push(Number(reader.int64()));
    else if (field === 2) code = reader.int32();
    else if (field === 8) reader.string();
    else if (field === 9) raw = reader.bytes();
    else throw new Error(`TensorProto field ${field} is not read here`);
  });
  const type = typeNames.find((name) => types[name].code === code);
  // Copied, because the raw bytes may begin at any offset of the file. (Buffer's own slice() makes no copy.)
  return { type, dims, data: new types[type].array(new Uint8Array(raw).buffer) };
}

function readSequence(bytes) {
  const tensors = [];
  readFields(bytes, (field, reader) => (field === 3 ? void tensors.push(readTensor(reader.bytes())) : false));
  return tensors;
}

function readAttribute(bytes) {
  let name;
  let value;
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

function readNode(bytes) {
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

// Whether a graph's input or output is a sequence. ValueInfoProto.type is field 2, TypeProto.sequence_type field 4.
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

function readModel(bytes) {
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

/**
 * The names of the node tests that match.
 * @param {RegExp} pattern
 * @returns {string[]}
 */
export function nodeTestNames(pattern) {
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

/**
 * One node test: the opset, its only node, and its inputs and outputs, each a tensor or an array of tensors.
 * @param {string} name
 */
export function readNodeTest(name) {
  const {
    opset,
    nodes: [node],
    inputs,
    outputs,
  } = readModel(readFileSync(new URL(`${name}/model.onnx`, folder)));
  const read = (kind) => (sequence, i) => {
    const bytes = readFileSync(new URL(`${name}/test_data_set_0/${kind}_${i}.pb`, folder));
    return sequence ? readSequence(bytes) : readTensor(bytes);
  };
  return { opset, ...node, inputs: inputs.map(read('input')), outputs: outputs.map(read('output')) };
}
