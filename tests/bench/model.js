/** ONNX models of the workloads, written field by field after onnx.in.proto. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { types } from '../support/reference.js';
import { outputDims, outputType } from './workloads.js';

/** Opset 21 is the first with packed types, and has every operator used here; IR version 10 belongs to it. */
const opset = 21;
const irVersion = 10;

/** Encodes a message whose fields `write` writes. */
function message(write) {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

const putBytes = (writer, field, bytes) => writer.tag(field, WireType.LengthDelimited).bytes(bytes);
const putString = (writer, field, text) => writer.tag(field, WireType.LengthDelimited).string(text);
const putInt = (writer, field, value) => writer.tag(field, WireType.Varint).int64(value);

/** An AttributeProto: of type 2 for one integer, of type 7 for several, of type 3 for a text. */
const attribute = (name, value) =>
  message((writer) => {
    putString(writer, 1, name);
    if (Array.isArray(value)) value.forEach((entry) => putInt(writer, 8, entry));
    else if (typeof value === 'string') putString(writer, 4, value);
    else putInt(writer, 3, value);
    putInt(writer, 20, Array.isArray(value) ? 7 : typeof value === 'string' ? 3 : 2);
  });

/** A ValueInfoProto with a TypeProto.Tensor of known dims. */
const valueInfo = (name, type, dims) => {
  const shape = message((writer) =>
    dims.forEach((extent) =>
      putBytes(
        writer,
        1,
        message((dim) => putInt(dim, 1, extent)),
      ),
    ),
  );
  const tensor = message((writer) => {
    putInt(writer, 1, types[type].code);
    putBytes(writer, 2, shape);
  });
  return message((writer) => {
    putString(writer, 1, name);
    putBytes(
      writer,
      2,
      message((typeProto) => putBytes(typeProto, 1, tensor)),
    );
  });
};

/**
 * The ONNX operator of a workload. Runtimes cannot return sequences to JavaScript, so a split is Split, which has one
 * output for each piece.
 */
function nodeOf({ operator, perm, axis, to }, pieces) {
  if (operator === 'Transpose') return ['Transpose', { perm }];
  if (operator === 'Cast') return ['Cast', { to: types[to].code }];
  return ['Split', { axis, num_outputs: pieces }];
}

/** A TensorProto of int64 numbers with one axis. */
const initializer = (name, values) =>
  message((writer) => {
    putInt(writer, 1, values.length);
    putInt(writer, 2, types.int64.code);
    putString(writer, 8, name);
    putBytes(writer, 9, new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
  });

/** A NodeProto. */
const nodeProto = (operator, inputs, outputs, attributes = {}) =>
  message((writer) => {
    inputs.forEach((name) => putString(writer, 1, name));
    outputs.forEach((name) => putString(writer, 2, name));
    putString(writer, 4, operator);
    for (const [name, value] of Object.entries(attributes)) putBytes(writer, 5, attribute(name, value));
  });

/**
 * A ModelProto.
 * @param {object} parts
 * @param {string} parts.name
 * @param {any[][]} parts.nodes of each the operator, its inputs, its outputs, and its attributes if it has any
 * @param {any[][]} parts.inputs of each the name, the type and the dims
 * @param {any[][]} parts.outputs the same
 * @param {Record<string, number[]>} [parts.constants] lists of int64
 * @returns {Uint8Array}
 */
export function modelOf({ name, nodes, inputs, outputs, constants = {} }) {
  const graph = message((writer) => {
    nodes.forEach((node) => putBytes(writer, 1, nodeProto(...node)));
    putString(writer, 2, name);
    for (const [constant, values] of Object.entries(constants)) putBytes(writer, 5, initializer(constant, values));
    inputs.forEach((input) => putBytes(writer, 11, valueInfo(...input)));
    outputs.forEach((output) => putBytes(writer, 12, valueInfo(...output)));
  });
  return message((writer) => {
    putInt(writer, 1, irVersion);
    putBytes(writer, 7, graph);
    putBytes(
      writer,
      8,
      message((opsetId) => putInt(opsetId, 2, opset)),
    );
  });
}

/**
 * A model that does a workload.
 * @returns {{ bytes: Uint8Array, input: string, outputs: string[] }}
 */
export function modelFor(workload) {
  const results = outputDims(workload);
  const outputs = results.map((_, i) => `y${i}`);
  const [operator, attributes] = nodeOf(workload, results.length);
  const bytes = modelOf({
    name: workload.name,
    nodes: [[operator, ['x'], outputs, attributes]],
    inputs: [['x', workload.type, workload.dims]],
    outputs: outputs.map((name, i) => [name, outputType(workload), results[i]]),
  });
  return { bytes, input: 'x', outputs };
}
