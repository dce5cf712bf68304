/** Facts of an ONNX model that two programs must agree on, read apart from the package but for tensors. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { readTensorProto } from 'onnx-layout/io';

/** @typedef {{ number: number, value: any }} Field */

/** @type {(bytes: Uint8Array) => Field[]} */
export function fieldsOf(bytes) {
  const reader = new BinaryReader(bytes);
  const fields = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const value = wireType === 0 ? Number(reader.int64()) : wireType === 5 ? reader.float() : reader.bytes();
    fields.push({ number, value });
  }
  return fields;
}

const textOf = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString();
const hexOf = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex');

/** @type {(fields: readonly Field[], number: number) => any[]} */
const all = (fields, number) => fields.filter((field) => field.number === number).map(({ value }) => value);

/** @type {(fields: readonly Field[], number: number) => string} */
const text = (fields, number) => textOf(all(fields, number).at(-1) ?? new Uint8Array(0));

/** @type {(message: Uint8Array) => any[]} a tensor, wherever its data are in the message */
function tensorFacts(message) {
  const { type, dims, data } = readTensorProto(message);
  const bytes = Array.isArray(data) ? data : hexOf(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return [text(fieldsOf(message), 8), type, dims, bytes];
}

/** @type {(message: Uint8Array) => any[]} its fields by their numbers */
function attributeFacts(message) {
  const fields = fieldsOf(message);
  const values = fields
    .filter(({ number }) => number !== 1)
    .map(({ number, value }) => {
      if (number === 5) return [number, tensorFacts(value).slice(1)];
      if (number === 6 || number === 11) return [number, graphFacts(value)];
      return [number, value instanceof Uint8Array ? hexOf(value) : value];
    });
  return [text(fields, 1), ...values.sort(([a], [b]) => a - b)];
}

const byText = (/** @type {any} */ a, /** @type {any} */ b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** @type {(message: Uint8Array) => any} */
function nodeFacts(message) {
  const fields = fieldsOf(message);
  return {
    ...{ operator: text(fields, 4), domain: text(fields, 7), name: text(fields, 3) },
    ...{ inputs: all(fields, 1).map(textOf), outputs: all(fields, 2).map(textOf) },
    attributes: all(fields, 5).map(attributeFacts).sort(byText),
  };
}

/** @type {(message: Uint8Array) => any} initializers in any order */
export function graphFacts(message) {
  const fields = fieldsOf(message);
  return {
    nodes: all(fields, 1).map(nodeFacts),
    initializers: all(fields, 5).map(tensorFacts).sort(byText),
    inputs: all(fields, 11).map(hexOf),
    outputs: all(fields, 12).map(hexOf),
    values: all(fields, 13).map(hexOf).sort(),
  };
}

/** @type {(model: Uint8Array) => any} */
export function modelFacts(model) {
  const fields = fieldsOf(model);
  return {
    irVersion: all(fields, 1).at(-1),
    opsets: all(fields, 8).map((opset) => [text(fieldsOf(opset), 1), all(fieldsOf(opset), 2).at(-1)]),
    functions: all(fields, 25).map(hexOf),
    graph: graphFacts(all(fields, 7).at(-1)),
  };
}
