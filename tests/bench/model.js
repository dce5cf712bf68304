/** ONNX models of one node, written field by field after onnx.in.proto. */
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

/** An AttributeProto: of type 2 for one integer, of type 7 for several. */
const attribute = (name, value) =>
  message((writer) => {
    putString(writer, 1, name);
    if (Array.isArray(value)) value.forEach((entry) => putInt(writer, 8, entry));
    else putInt(writer, 3, value);
    putInt(writer, 20, Array.isArray(value) ? 7 : 2);
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

/**
 * A model that does a workload.
 * @returns {{ bytes: Uint8Array, input: string, outputs: string[] }}
 */
export function modelFor(workload) {
  const results = outputDims(workload);
  const outputs = results.map((_, i) => `y${i}`);
  const [operator, attributes] = nodeOf(workload, results.length);
  const node = message((writer) => {
    putString(writer, 1, 'x');
    outputs.forEach((name) => putString(writer, 2, name));
    putString(writer, 4, operator);
    for (const [name, value] of Object.entries(attributes)) putBytes(writer, 5, attribute(name, value));
  });
  const graph = message((writer) => {
    putBytes(writer, 1, node);
    putString(writer, 2, workload.name);
    putBytes(writer, 11, valueInfo('x', workload.type, workload.dims));
    outputs.forEach((name, i) => putBytes(writer, 12, valueInfo(name, outputType(workload), results[i])));
  });
  const bytes = message((writer) => {
    putInt(writer, 1, irVersion);
    putBytes(writer, 7, graph);
    putBytes(
      writer,
      8,
      message((opsetId) => putInt(opsetId, 2, opset)),
    );
  });
  return { bytes, input: 'x', outputs };
}
