/** Writes ONNX models, field by field after onnx.in.proto. No DOM. Tests in Node import it: the package is a path. */
import { dtypes } from '../../js/index.js';
import { writeTensorProto } from '../../js/io/index.js';

/** Opset 17 belongs to this version of the format. */
const [irVersion, opset] = [8, 17];

const encoder = new TextEncoder();

/** @type {(value: number | bigint) => number[]} */
function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

/** A field: its number and how it is written, then its length or its value. */
const number = (field, value) => [...varint(field << 3), ...varint(value)];
const messageOf = (field, parts) => {
  const content = parts.flatMap((part) => [...part]);
  return [...varint((field << 3) | 2), ...varint(content.length), ...content];
};
const message = (field, ...parts) => messageOf(field, parts);
const text = (field, string) => message(field, encoder.encode(string));

/** An AttributeProto: a number, a list of them, or a text. */
function attribute([name, value]) {
  if (typeof value === 'string') return message(5, text(1, name), text(4, value), number(20, 3));
  if (!Array.isArray(value)) return message(5, text(1, name), number(3, value), number(20, 2));
  return messageOf(5, [text(1, name), ...value.map((one) => number(8, one)), number(20, 7)]);
}

/** A ValueInfoProto. An extent that is a text is unknown until the model runs. */
const valueInfo = (field, [name, type, dims]) => {
  const extents = dims.map((extent) => message(1, typeof extent === 'string' ? text(2, extent) : number(1, extent)));
  return message(field, text(1, name), message(2, message(1, number(1, dtypes[type].code), messageOf(2, extents))));
};

/** A graph in the making: each step gives the name of its result. */
export class Graph {
  #nodes = [];
  #constants = [];

  /**
   * @param {string} operator
   * @param {string[]} inputs
   * @param {Record<string, number | number[] | string>} [attributes]
   * @param {...string} outputs their names, in the place of a name of its own
   * @returns {string} the name of the first result
   */
  add(operator, inputs, attributes = {}, ...outputs) {
    const results = outputs.length > 0 ? outputs : [`v${this.#nodes.length}`];
    const names = [...inputs.map((name) => text(1, name)), ...results.map((name) => text(2, name)), text(4, operator)];
    this.#nodes.push(messageOf(1, [...names, ...Object.entries(attributes).map(attribute)]));
    return results[0];
  }

  /** A constant of float32. */
  floats(values, dims = [values.length]) {
    return this.#constant({ type: 'float32', dims, data: Float32Array.from(values) });
  }

  /** A constant of int64. */
  ints(values) {
    return this.#constant({ type: 'int64', dims: [values.length], data: BigInt64Array.from(values, BigInt) });
  }

  #constant(tensor) {
    const name = `c${this.#constants.length}`;
    this.#constants.push(message(5, writeTensorProto(tensor, { name })));
    return name;
  }

  /**
   * @param {string} name
   * @param {[name: string, type: string, dims: (number | string)[]][]} inputs
   * @param {[name: string, type: string, dims: (number | string)[]][]} outputs
   * @returns {Uint8Array} the model
   */
  model(name, inputs, outputs) {
    const graph = [
      ...this.#nodes,
      text(2, name),
      ...this.#constants,
      ...inputs.map((input) => valueInfo(11, input)),
      ...outputs.map((output) => valueInfo(12, output)),
    ];
    return Uint8Array.from([...number(1, irVersion), ...messageOf(7, graph), ...message(8, number(2, opset))]);
  }
}
