/** Makes small ONNX models. */
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { writeTensorProto } from 'onnx-layout/io';
import { types } from './reference.js';

/**
 * @typedef {{ operator: string, inputs: string[], outputs: string[], name?: string, domain?: string,
 *   attributes?: Record<string, Attribute> }} NewNode
 * @typedef {number | number[] | string | Uint8Array | Float32Array | { float: number } | { tensor: Uint8Array }}
 *   Attribute bytes are those of a GraphProto, a tensor's those of a TensorProto, a Float32Array is of the type FLOATS
 */
/** @typedef {Record<string, [type: string, dims: (number | string)[]]>} Values */
/** @typedef {{ location: string, offset: number, length: number, type: string, dims: number[] }} Outside */

/** @type {(number: number, bytes: Uint8Array) => Uint8Array} */
const field = (number, bytes) => new BinaryWriter().tag(number, 2).bytes(bytes).finish();
/** @type {(number: number, text: string) => Uint8Array} */
const text = (number, value) => new BinaryWriter().tag(number, 2).string(value).finish();
/** @type {(number: number, value: number) => Uint8Array} */
const integer = (number, value) => new BinaryWriter().tag(number, 0).int64(value).finish();
/** @type {(...parts: Uint8Array[]) => Uint8Array} */
const join = (...parts) => new Uint8Array(Buffer.concat(parts));

/** @type {(value: Attribute) => Uint8Array[]} */
function attributeOf(value) {
  if (typeof value === 'number') return [integer(3, value), integer(20, 2)];
  if (typeof value === 'string') return [text(4, value), integer(20, 3)];
  if (Array.isArray(value)) return [...value.map((entry) => integer(8, entry)), integer(20, 7)];
  if (value instanceof Float32Array) return [field(7, new Uint8Array(value.buffer)), integer(20, 6)];
  if ('float' in value) return [new BinaryWriter().tag(2, 5).float(value.float).finish(), integer(20, 1)];
  return 'tensor' in value ? [field(5, value.tensor), integer(20, 4)] : [field(6, value), integer(20, 5)];
}

/** @type {(node: NewNode) => Uint8Array} */
const nodeOf = ({ operator, inputs, outputs, name = '', domain = '', attributes = {} }) =>
  join(
    ...inputs.map((input) => text(1, input)),
    ...outputs.map((output) => text(2, output)),
    text(3, name),
    text(4, operator),
    ...Object.entries(attributes).map(([key, value]) => field(5, join(text(1, key), ...attributeOf(value)))),
    text(7, domain),
  );

/** @type {(name: string, tensor: any) => Uint8Array} a TensorProto, whose data may be in another file */
const tensorOf = (name, tensor) => {
  if (!('location' in tensor)) return writeTensorProto(tensor, { name });
  const { location, offset, length, type, dims } = tensor;
  const entries = Object.entries({ location, offset: String(offset), length: String(length) });
  return join(
    ...dims.map((/** @type {number} */ extent) => integer(1, extent)),
    integer(2, types[type].code),
    text(8, name),
    ...entries.map(([key, value]) => field(13, join(text(1, key), text(2, value)))),
    integer(14, 1),
  );
};

/** @type {(name: string, type: string, dims: (number | string)[]) => Uint8Array} a ValueInfoProto */
const valueOf = (name, type, dims) => {
  const shape = dims.map((extent) => field(1, typeof extent === 'number' ? integer(1, extent) : text(2, extent)));
  return join(text(1, name), field(2, field(1, join(integer(1, types[type].code), field(2, join(...shape))))));
};

/**
 * A model.
 * @param {{ nodes: NewNode[], initializers?: Record<string, any>, inputs?: Values, outputs?: Values, opset?: number,
 *   microsoft?: boolean, ir?: number }} graph
 * @returns {Uint8Array}
 */
export function modelOf(graph) {
  const { nodes, initializers = {}, inputs = {}, outputs = {}, opset = 21, microsoft = false, ir = 10 } = graph;
  const values = (/** @type {number} */ number, /** @type {Record<string, any>} */ list) =>
    Object.entries(list).map(([name, [type, dims]]) => field(number, valueOf(name, type, dims)));
  const body = join(
    ...nodes.map((node) => field(1, nodeOf(node))),
    text(2, 'graph'),
    ...Object.entries(initializers).map(([name, tensor]) => field(5, tensorOf(name, tensor))),
    ...values(11, inputs),
    ...values(12, outputs),
  );
  const imports = [
    field(8, join(text(1, ''), integer(2, opset))),
    ...(microsoft ? [field(8, join(text(1, 'com.microsoft'), integer(2, 1)))] : []),
  ];
  return join(integer(1, ir), field(7, body), ...imports);
}

/**
 * A model of one node, MatMul or Gather, with weights W.
 * @param {'MatMul' | 'Gather'} operator
 * @param {any} weights a tensor, or where it lies
 * @param {number} [opset]
 * @returns {Uint8Array}
 */
export function weightsModel(operator, weights, opset = 21) {
  const isGather = operator === 'Gather';
  const [type, dims] = isGather ? ['int64', ['n']] : [weights.type, ['n', weights.dims[0]]];
  return modelOf({
    nodes: [{ name: 'node', operator, inputs: isGather ? ['W', 'x'] : ['x', 'W'], outputs: ['y'] }],
    initializers: { W: weights },
    inputs: { x: [type, dims] },
    outputs: { y: [weights.type, ['n', weights.dims[1]]] },
    opset,
  });
}
