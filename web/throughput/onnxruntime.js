/**
 * onnxruntime-web's Transpose in the calling thread, from typed array to typed array. It is a chunk of its own, because
 * its wasm has 14 MB.
 */
import { InferenceSession, Tensor, env } from 'onnxruntime-web/wasm';

env.logLevel = 'fatal';
env.wasm.numThreads = 1;

const elementTypes = { float32: 1, uint8: 2 };

// Protobuf by hand, for the few fields of a model of one node. Each starts with field << 3 | wire type, then comes its
// length or its number, which are below 128.
const bytes = (field, ...content) => [(field << 3) | 2, content.flat().length, ...content.flat()];
const number = (field, value) => [field << 3, value];
const string = (field, text) => bytes(field, [...new TextEncoder().encode(text)]);

/** A ModelProto with one Transpose from x to y, after onnx.in.proto. */
function model(type, perm) {
  const value = (field, name) => bytes(field, string(1, name), bytes(2, bytes(1, number(1, elementTypes[type]))));
  const attribute = bytes(5, string(1, 'perm'), perm.map((axis) => number(8, axis)).flat(), [
    ((20 << 3) & 0x7f) | 0x80,
    1,
    7,
  ]);
  const node = bytes(1, string(1, 'x'), string(2, 'y'), string(4, 'Transpose'), attribute);
  const graph = bytes(7, node, string(2, 'transpose'), value(11, 'x'), value(12, 'y'));
  return Uint8Array.from([...number(1, 8), ...graph, ...bytes(8, number(2, 13))]);
}

/**
 * @param {import('./workloads.js').Workload} workload
 * @returns {Promise<() => Promise<ArrayBufferView>>}
 */
export async function onnxruntimeCall({ type, dims, perm }, data) {
  const session = await InferenceSession.create(model(type, perm), { logSeverityLevel: 4 });
  const feeds = { x: new Tensor(type, data, dims) };
  return async () => (await session.run(feeds)).y.data;
}
