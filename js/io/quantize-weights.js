/** Quantizes the weights of a model, as onnxruntime's quantizer of MatMul and Gather does it. */
import { copyList, readOptions, readWord, show, wrongKind, wrongValue } from '../arguments/index.js';
import { numbersAs, ready } from '../engine/index.js';
import { dtypes, tensorOf } from '../tensor/index.js';
import { concat, readBytes } from './bytes.js';
import { guarded } from './external-data.js';
import { packGather } from './gather-blocks.js';
import { columnsOf, nBitsOf, nBitsRule, packed, readPackOptions, weightTypes } from './matmul-nbits.js';
import { parseModel } from './model.js';
import { encodeNode, encodeOpset } from './node-proto.js';
import { graphFields, modelFields, tensorFields } from './onnx-fields.js';
import { asBytes, bytesField, fieldsOf, wholeField } from './protobuf.js';
import { textIn } from './initializers.js';
import { encodeTensor, parseTensor } from './tensor-proto.js';
import { readValueInfo } from './value-info.js';

/** @import { DType, Parts, Tensor } from '../tensor/index.js' */
/** @import { External } from './external-data.js' */
/** @import { Node } from './model.js' */
/** @import { NewNode } from './node-proto.js' */

/**
 * @typedef {object} QuantizeOptions
 * @property {2 | 4 | 8} [bits] 4 if omitted
 * @property {16 | 32 | 64 | 128 | 256} [block] elements that share a scale; 32 if omitted
 * @property {boolean | 0 | 1} [symmetric] false if omitted
 * @property {'matmulnbits' | 'qdq'} [form] com.microsoft's MatMulNBits, or DequantizeLinear before MatMul;
 *   'matmulnbits' if omitted
 * @property {readonly ('MatMul' | 'Gather')[]} [ops] whose weights are quantized; MatMul alone if omitted. Gather takes
 *   4 bits and becomes com.microsoft's GatherBlockQuantized
 * @property {readonly string[]} [include] names of nodes or weights; all if omitted
 * @property {readonly string[]} [exclude] names of nodes or weights
 * @property {External} [external] gives the data of tensors that are in other files
 */
/**
 * What became of a node's weights.
 * @typedef {object} ReportRow
 * @property {string} node its name, or that of its output
 * @property {string} operator
 * @property {string} weights the initializer's name
 * @property {boolean} packed
 * @property {string} [why] they were left
 * @property {number} [before] bytes
 * @property {number} [after] bytes, of codes, scales and zero points
 * @property {number} [rms] the root-mean-square error
 */

const prefix = 'quantizeWeights';
const forms = Object.freeze(/** @type {const} */ (['matmulnbits', 'qdq']));
const names = ['bits', 'block', 'symmetric', 'form', 'ops', 'include', 'exclude', 'external'];

/**
 * Quantizes constant weights of a model's MatMul nodes, and of its Gather nodes where `ops` says so, with the nodes,
 * names and bytes of onnxruntime's `MatMulNBitsQuantizer`.
 *
 * A MatMul has weights where its second input is an initializer of two axes, or of more that begin with extents of 1
 * and are no more than those of its first input. Weights that several nodes share are packed once; those that something
 * else uses stay as well. What is left is in the report, with a reason.
 * @param {Uint8Array} bytes the whole file
 * @param {QuantizeOptions} [options]
 * @returns {{ model: Uint8Array, report: ReportRow[] }} the new file, with all new tensors in it
 * @throws {TypeError} no bytes, an unknown option
 * @throws {RangeError} bytes that are no model, weights that hold NaN or an infinity, an opset below 21 (25 for 2 bits)
 *   where the form is qdq, a name that is there already, out of memory
 * @throws {Error} before `init()`
 * @example
 * const { report } = quantizeWeights(bytes, { bits: 4, block: 32 });
 * report.filter(({ packed }) => packed).length; // 0
 */
export function quantizeWeights(bytes, options) {
  ready(prefix);
  const given = readQuantizeOptions(options);
  const file = readBytes(prefix, bytes);
  const outside = guarded(prefix, file, given.external);
  /** @type {Map<string, Uint8Array>} */
  const weights = new Map();
  const model = parseModel(prefix, file, outside, (message) => {
    weights.set(textIn(prefix, message, tensorFields.name), message);
  });
  if (given.form === 'qdq' && given.ops.includes('MatMul')) checkOpset(model.opsets.get('') ?? 0, given.bits);
  const state = { given, weights, outside, ranks: ranksOf(file), done: new Map(), report: [], used: new Set() };
  const replaced = model.nodes.map((node) => replacementOf(state, model, node));
  checkNames(state, model);
  return { model: writeModel(file, model, replaced, state), report: state.report };
}

/** @param {QuantizeOptions | undefined} options */
function readQuantizeOptions(options) {
  const given = readOptions(prefix, options, names);
  const packing = readPackOptions(prefix, given);
  const form = readWord(prefix, 'form', forms, given.form) ?? 'matmulnbits';
  const ops = readNames('ops', given.ops) ?? ['MatMul'];
  for (const op of ops)
    if (op !== 'MatMul' && op !== 'Gather') wrongValue(prefix, `ops must hold 'MatMul' or 'Gather', got ${show(op)}`);
  if (ops.includes('Gather') && packing.bits !== 4)
    wrongValue(prefix, `bits must be 4 where ops has Gather, got ${packing.bits}`);
  const include = readNames('include', given.include);
  const exclude = readNames('exclude', given.exclude) ?? [];
  return { ...packing, form, ops, include, exclude, external: given.external };
}

/**
 * @param {string} name
 * @param {unknown} list
 * @returns {string[] | undefined}
 */
function readNames(name, list) {
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) wrongKind(prefix, `${name} must be an array of names, got ${show(list)}`);
  const copy = copyList(prefix, name, list);
  for (const entry of copy)
    if (typeof entry !== 'string') wrongKind(prefix, `${name} must be an array of names, got ${show(copy)}`);
  return copy;
}

/** @type {(opset: number, bits: number) => void} */
function checkOpset(opset, bits) {
  const least = bits === 2 ? 25 : 21;
  if (opset < least) wrongValue(prefix, `model must import opset ${least} or a newer one for qdq, got opset ${opset}`);
}

/**
 * The ranks that the graph states, by the names of values.
 * @param {Uint8Array} file
 * @returns {Map<string, number>}
 */
function ranksOf(file) {
  const { input, output, valueInfo } = graphFields;
  const ranks = new Map();
  for (const field of fieldsOf(prefix, file)) {
    if (field.number !== modelFields.graph) continue;
    for (const inner of fieldsOf(prefix, asBytes(prefix, field))) {
      if (![input, output, valueInfo].includes(inner.number)) continue;
      const { name, dims } = readValueInfo(prefix, asBytes(prefix, inner));
      if (dims) ranks.set(name, dims.length);
    }
  }
  return ranks;
}

/**
 * What the work of a model knows.
 * @typedef {object} State
 * @property {ReturnType<typeof readQuantizeOptions>} given
 * @property {Map<string, Uint8Array>} weights messages of all initializers
 * @property {External | undefined} outside
 * @property {Map<string, number>} ranks
 * @property {Map<string, Done>} done by the weights' names
 * @property {ReportRow[]} report
 * @property {Set<string>} used names of packed weights
 */
/** @typedef {{ tensors: [name: string, tensor: Tensor][], dims: readonly number[], rows: Partial<ReportRow> }} Done */

/**
 * The nodes that take a node's place; undefined where it stays.
 * @param {State} state
 * @param {{ inputs: readonly { name: string }[] }} model
 * @param {Node} node
 * @returns {NewNode[] | undefined}
 */
function replacementOf(state, model, node) {
  const { given, weights, report } = state;
  if (node.domain !== '' || !given.ops.includes(node.operator)) return undefined;
  const isGather = node.operator === 'Gather';
  const name = node.inputs[isGather ? 0 : 1] ?? '';
  const row = { node: node.name || node.outputs[0], operator: node.operator, weights: name };
  const leave = (/** @type {string} */ why) => void report.push({ ...row, packed: false, why });
  const message = weights.get(name);
  if (!message) return leave('the weights are no initializer');
  if (model.inputs.some((input) => input.name === name)) return leave('the weights are an input of the graph');
  const isNamed = (/** @type {string[]} */ list) => list.includes(node.name) || list.includes(name);
  if (given.include && !isNamed(given.include)) return leave('not included');
  if (isNamed(given.exclude)) return leave('excluded');
  const { tensor } = parseTensor(prefix, message, state.outside);
  const why = reasonToLeave(state, node, tensor);
  if (why) return leave(why);
  const key = `${node.operator} ${name}`;
  const done = state.done.get(key) ?? (isGather ? gatherOf(state, name, tensor) : matMulOf(state, name, tensor));
  const isFirst = !state.done.has(key);
  state.done.set(key, done);
  state.used.add(name);
  report.push(/** @type {ReportRow} */ ({ ...row, packed: true, ...done.rows }));
  return nodesOf(state, node, done, isFirst);
}

/**
 * @param {State} state
 * @param {Node} node
 * @param {Tensor} tensor
 * @returns {string | undefined}
 */
function reasonToLeave({ ranks }, node, { type, dims }) {
  if (node.operator === 'Gather') {
    if (type !== 'float32' && type !== 'float16') return `the weights are ${type}`;
    if (dims.length !== 2) return `the weights have ${dims.length} axes`;
    return (node.attributes.get('axis') ?? 0) === 0 ? undefined : 'the axis is not 0';
  }
  if (!weightTypes.includes(type)) return `the weights are ${type}`;
  const leading = dims.slice(0, -2);
  if (dims.length < 2 || leading.some((extent) => extent !== 1)) return `the weights have dims [${dims.join(', ')}]`;
  const rank = ranks.get(node.inputs[0]);
  if (leading.length > 0 && !(rank !== undefined && rank >= dims.length))
    return `the weights have ${dims.length} axes, and the first input may have fewer`;
  return dims.includes(0) ? 'the weights are empty' : undefined;
}

/** @type {(tensor: Tensor) => Parts} a matrix without leading axes */
function partsOf({ type, dims, data }) {
  const extents = dims.slice(-2);
  return { dtype: dtypes[type], dims: extents, size: extents[0] * extents[1], data, length: undefined };
}

/** @type {(list: [string, Tensor][], tensor: Tensor, rms: number) => Partial<ReportRow>} */
const sizesOf = (list, tensor, rms) => ({
  before: tensor.data.byteLength,
  after: list.reduce((sum, [, { data }]) => sum + data.byteLength, 0),
  rms,
});

/** @type {(state: State, name: string, tensor: Tensor) => Done} */
function matMulOf({ given }, name, tensor) {
  const parts = partsOf(tensor);
  const { bits, symmetric } = given;
  const isNBits = given.form === 'matmulnbits';
  const middle = 2 ** (bits - 1);
  const rule = isNBits
    ? nBitsRule(given)
    : { bits, block: given.block, symmetric, after: false, lowest: symmetric ? -middle : 0, zero: 0 };
  const columns = columnsOf(prefix, `weights ${show(name)}`, parts, rule);
  const rms = rmsOf(parts.dims, columns, given.block, bits, !isNBits && symmetric);
  /** @type {[string, Tensor][]} */
  const tensors = [];
  if (isNBits) {
    const { B, scales, zero_points: zeros } = nBitsOf(prefix, parts, columns, given);
    tensors.push([`${name}_Q${bits}`, B], [`${name}_scales`, scales]);
    if (zeros) tensors.push([`${name}_zero_points`, zeros]);
    return { tensors, dims: parts.dims, rows: sizesOf(tensors, tensor, rms) };
  }
  const type = codeType(bits, symmetric);
  const dims = [Math.ceil(parts.dims[0] / given.block), parts.dims[1]];
  const { codes, scales, zeros } = columns;
  const own = numbersAs(prefix, dtypes.float32, parts.dtype, scales.length, scales);
  tensors.push([`${name}_DQ_Q${bits}`, codesTensor(type, codes, [...parts.dims])]);
  tensors.push([`${name}_DQ_scales`, tensorOf(parts.dtype, own, dims)]);
  if (!symmetric) tensors.push([`${name}_DQ_zero_points`, codesTensor(type, zeros, dims)]);
  return { tensors, dims: parts.dims, rows: sizesOf(tensors, tensor, rms) };
}

/** @type {(bits: number, symmetric: boolean) => DType} */
const codeType = (bits, symmetric) => /** @type {any} */ (dtypes)[`${symmetric ? 'int' : 'uint'}${bits}`];

/** @type {(type: DType, codes: Uint8Array, dims: number[]) => Tensor} */
function codesTensor(type, codes, dims) {
  const bytes = packed(prefix, type.bits, codes);
  return tensorOf(type, type === dtypes.int8 ? new Int8Array(bytes.buffer) : bytes, dims);
}

/**
 * The root-mean-square error.
 * @param {readonly number[]} dims
 * @param {{ numbers: Float32Array, codes: Uint8Array, scales: Float32Array, zeros: Uint8Array }} columns
 * @param {number} block
 * @param {number} bits
 * @param {boolean} isSigned
 * @returns {number}
 */
function rmsOf([K, N], { numbers, codes, scales, zeros }, block, bits, isSigned) {
  let squares = 0;
  const up = 32 - bits;
  for (let row = 0; row < K; row++) {
    const first = Math.floor(row / block) * N;
    for (let column = 0; column < N; column++) {
      const at = row * N + column;
      const code = isSigned ? (codes[at] << up) >> up : codes[at];
      squares += ((code - zeros[first + column]) * scales[first + column] - numbers[at]) ** 2;
    }
  }
  return Math.sqrt(squares / (K * N));
}

/** @type {(state: State, name: string, tensor: Tensor) => Done} */
function gatherOf({ given }, name, tensor) {
  const parts = partsOf(tensor);
  const { block, symmetric } = given;
  const {
    data,
    scales,
    zero_points: zeros,
    rms,
  } = packGather(prefix, `weights ${show(name)}`, parts, block, symmetric);
  /** @type {[string, Tensor][]} */
  const tensors = [
    [`${name}_Q4`, data],
    [`${name}_scales`, scales],
  ];
  if (zeros) tensors.push([`${name}_zero_points`, zeros]);
  return { tensors, dims: parts.dims, rows: sizesOf(tensors, tensor, rms) };
}

/** @type {(state: State, node: Node, done: Done, isFirst: boolean) => NewNode[]} */
function nodesOf({ given }, node, { tensors, dims }, isFirst) {
  const { bits, block } = given;
  const [codes, ...others] = tensors.map(([own]) => own);
  const microsoft = 'com.microsoft';
  if (node.operator === 'Gather') {
    const attributes = { block_size: block, gather_axis: 0, quantize_axis: 1 };
    const inputs = [codes, node.inputs[1], ...others];
    return [
      {
        name: `${node.name}_Q4`,
        operator: 'GatherBlockQuantized',
        domain: microsoft,
        inputs,
        outputs: node.outputs,
        attributes,
      },
    ];
  }
  if (given.form === 'matmulnbits') {
    const [K, N] = dims;
    const attributes = { K, N, bits, block_size: block };
    const inputs = [node.inputs[0], codes, ...others];
    return [
      {
        name: `${node.name}_Q${bits}`,
        operator: 'MatMulNBits',
        domain: microsoft,
        inputs,
        outputs: node.outputs,
        attributes,
      },
    ];
  }
  const output = `${codes}_output`;
  const attributes = { axis: 0, block_size: block };
  const dequantize = {
    ...{ name: `${node.name}_DQ_Q${bits}`, operator: 'DequantizeLinear', domain: '' },
    ...{ inputs: [codes, ...others], outputs: [output], attributes },
  };
  const product = {
    ...{ name: node.name && `${node.name}_matmul_Q${bits}`, operator: 'MatMul', domain: '' },
    ...{ inputs: [node.inputs[0], output], outputs: node.outputs, attributes: {} },
  };
  return isFirst ? [dequantize, product] : [product];
}

/**
 * Refuses names that the model has already.
 * @param {State} state
 * @param {{ nodes: readonly Node[], inputs: readonly { name: string }[] }} model
 */
function checkNames({ done, weights }, { nodes, inputs }) {
  const taken = new Set([
    ...weights.keys(),
    ...inputs.map(({ name }) => name),
    ...nodes.flatMap(({ outputs }) => outputs),
  ]);
  for (const { tensors } of done.values())
    for (const [name] of tensors) {
      if (taken.has(name) || taken.has(`${name}_output`))
        wrongValue(prefix, `model must not have the name of a new tensor, got ${show(name)}`);
      taken.add(name);
    }
}

/**
 * @param {Uint8Array} file
 * @param {import('./model.js').Model | Omit<import('./model.js').Model, 'initializers'>} model
 * @param {(NewNode[] | undefined)[]} replaced
 * @param {State} state
 * @returns {Uint8Array}
 */
function writeModel(file, model, replaced, state) {
  const fields = [];
  const needsMicrosoft = replaced.some((list) => list?.some(({ domain }) => domain !== ''));
  for (const field of fieldsOf(prefix, file)) {
    if (field.number === modelFields.graph)
      fields.push(bytesField(prefix, modelFields.graph, writeGraph(asBytes(prefix, field), model, replaced, state)));
    else if (field.number === modelFields.irVersion)
      fields.push(wholeField(modelFields.irVersion, Math.max(model.irVersion, leastIr(state, replaced))));
    else fields.push(field.whole);
  }
  if (needsMicrosoft && !model.opsets.has('com.microsoft')) fields.push(encodeOpset(prefix, 'com.microsoft', 1));
  return concat(prefix, fields);
}

/** The IR version that has the types of the new tensors. @type {(state: State, replaced: unknown[]) => number} */
const leastIr = ({ done }) =>
  Math.max(0, ...[...done.values()].flatMap(({ tensors }) => tensors.map(([, { type }]) => dtypes[type].ir)));

/**
 * @param {Uint8Array} graph
 * @param {{ nodes: readonly Node[], outputs: readonly { name: string }[] }} model
 * @param {(NewNode[] | undefined)[]} replaced
 * @param {State} state
 * @returns {Uint8Array}
 */
function writeGraph(graph, model, replaced, state) {
  const kept = stillUsed(model, replaced);
  const fields = [];
  let next = 0;
  for (const field of fieldsOf(prefix, graph)) {
    if (field.number === graphFields.node) {
      const list = replaced[next++];
      if (list) fields.push(...list.map((node) => bytesField(prefix, graphFields.node, encodeNode(prefix, node))));
      else fields.push(field.whole);
    } else {
      const isWeight = field.number === graphFields.initializer;
      const name = isWeight ? textIn(prefix, asBytes(prefix, field), tensorFields.name) : '';
      if (!isWeight || !state.used.has(name) || kept(name)) fields.push(field.whole);
    }
  }
  for (const { tensors } of state.done.values())
    for (const [name, tensor] of tensors)
      fields.push(bytesField(prefix, graphFields.initializer, encodeTensor(prefix, partsIn(tensor), name)));
  return concat(prefix, fields);
}

/** @type {(tensor: Tensor) => Parts} */
const partsIn = ({ type, dims, data }) => ({
  ...{ dtype: dtypes[type], dims: [...dims], size: dims.reduce((a, b) => a * b, 1), data, length: undefined },
});

/**
 * Whether something that is not replaced uses a value. A node with a graph of its own may use any.
 * @param {{ nodes: readonly Node[], outputs: readonly { name: string }[] }} model
 * @param {(NewNode[] | undefined)[]} replaced
 * @returns {(name: string) => boolean}
 */
function stillUsed({ nodes, outputs }, replaced) {
  const left = nodes.filter((_, i) => !replaced[i]);
  const names = new Set([...left.flatMap(({ inputs }) => inputs), ...outputs.map(({ name }) => name)]);
  const hasGraphs = left.some(({ attributes }) => [...attributes.values()].includes(undefined));
  return (name) => hasGraphs || names.has(name);
}
