/** The nodes that replace each operator, with the names of nodes and values of onnxruntime's quantize_dynamic. */
import { dtypes } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { microsoft } from '../model/edit.js';
import { codes } from '../types/infer-types.js';

/** @import { Node } from '../model/types.js' */
/** @import { QuantizedGraph } from './types.js' */

/** `reason`: why the node stays, for the report; undefined where that is not reported
 * @typedef {{ isReplaced: boolean, reason?: string }} Outcome */

/** Adds the nodes that replace `node` to the graph, or nothing where the node stays.
 * @typedef {(quantized: QuantizedGraph, node: Node) => Outcome} Quantizer */

/** @type {Outcome} */
const replaced = Object.freeze({ isReplaced: true });
/** @type {Outcome} */
export const staysUnreported = Object.freeze({ isReplaced: false });
/** @type {(reason: string) => Outcome} */
export const staysBecause = (reason) => Object.freeze({ isReplaced: false, reason });

const noWeights = staysBecause('the weights are no float32 initializer');
/** Another node, such as a MatMul with perChannel, has made these codes; this one takes a single scale. */
const manyScales = staysBecause('its input has codes with several scales');
/** How values are quantized while the model runs, and tables of embeddings whatever the type of other weights is. */
const activation = Object.freeze({ kind: /** @type {const} */ ('uint8') });

/** Adds the nodes that compute `output` from codes: cast(operator(inputs)) * (scaleA * scaleB).
 * @type {(quantized: QuantizedGraph, node: Node, integerNode: { operator: 'MatMulInteger' | 'ConvInteger', inputs:
 *   readonly string[], scales: readonly [scaleA: string, scaleB: string], output: string }) => void} */
function emitIntegerNode(quantized, node, { operator, inputs, scales, output }) {
  const name = node.name && `${node.name}_quant`;
  const [nodeOutput] = node.outputs;
  const integers = `${nodeOutput}_output_quantized`;
  const numbers = `${integers}_cast_output`;
  const copied = operator === 'ConvInteger' ? node.attributes : [];
  quantized.emit(operator, inputs, [integers], { name, attributes: copied });
  const toFloat32 = [attributes.int('to', codes.float32)];
  quantized.emit('Cast', [integers], [numbers], { name: `${integers}_cast`, attributes: toFloat32 });
  // Nodes without a name share the product of two scales.
  const [scaleA, scaleB] = scales;
  const productName = name ? `${name}_scales_mul` : `${scaleA}_${scaleB}_mul`;
  const product = `${productName}:0`;
  if (!quantized.products.has(productName)) quantized.emit('Mul', scales, [product], { name: productName });
  quantized.products.add(productName);
  quantized.emit('Mul', [numbers, product], [output], { name: name && `${name}_output_scale_mul` });
}

/** Adds the nodes for `output`, the sum of `product`, which has `rank` axes, and a bias [channels].
 * @type {(quantized: QuantizedGraph, sum: { product: string, bias: string, output: string, rank: number }) => void} */
function emitBias(quantized, { product, bias, output, rank }) {
  const spatialAxes = Math.max(0, rank - 2);
  const shape = BigInt64Array.from([1n, -1n, ...new Array(spatialAxes).fill(1n)]);
  const shapeName = `${output}_bias_reshape_shape`;
  const reshaped = `${output}_bias_reshape_output`;
  quantized.store({
    name: shapeName,
    dtype: dtypes.int64,
    dims: [shape.length],
    content: { kind: 'memory', data: shape },
  });
  quantized.emit('Reshape', [bias, shapeName], [reshaped]);
  quantized.emit('Add', [product, reshaped], [output], { name: `${output}_bias_add` });
}

/** Adds a node that only moves elements, as Gather, which moves the codes of its first input instead of the numbers.
 * Its output has the scale and the zero point of that input, of which there must be one each: the axis of several
 * scales could be another one in the output.
 * @type {(quantized: QuantizedGraph, node: Node, names: readonly string[]) => void} */
function emitMoveOfCodes(quantized, node, [codesName, scale, zero]) {
  const [output] = node.outputs;
  const movedCodes = `${output}_quantized`;
  quantized.codes.set(output, { names: [movedCodes, scale, zero], isUniform: true });
  quantized.add({ ...node, inputs: node.inputs.with(0, codesName), outputs: node.outputs.with(0, movedCodes) });
}

/** Adds the com.microsoft node that replaces `node`, with its outputs and, unless others are given, its attributes.
 * @type {(quantized: QuantizedGraph, node: Node, operator: string, inputs: readonly string[],
 *   copied?: Node['attributes']) => void} */
const emitMicrosoft = (quantized, node, operator, inputs, copied = node.attributes) =>
  quantized.emit(operator, inputs, node.outputs, {
    name: node.name && `${node.name}_quant`,
    domain: microsoft,
    attributes: copied,
  });

/** Quantize a node, by its operator. Inputs have the names of the operators' specifications.
 * @type {Record<string, Quantizer>} */
export const quantizers = {
  MatMul(quantized, node) {
    const { isPerChannel, isReduced, kind } = quantized.plan;
    const [a, b] = node.inputs;
    const weight = quantized.weightOf(b);
    if (node.domain !== '' || !weight || !quantized.isFloat32(b)) return noWeights;
    if (quantized.hasManyScales(a)) return manyScales;
    const [codesA, scaleA, zeroA] = quantized.codesOf(a, activation);
    const grain = isPerChannel && weight.dims.length === 2 ? 'last' : 'tensor';
    const [codesB, scaleB, zeroB] = quantized.codesOf(b, { kind, isReduced, grain });
    const [output] = node.outputs;
    const inputs = [codesA, codesB, zeroA, zeroB];
    emitIntegerNode(quantized, node, { operator: 'MatMulInteger', inputs, scales: [scaleA, scaleB], output });
    return replaced;
  },

  /** As in onnxruntime, the weights have one scale, with perChannel too. */
  Conv(quantized, node) {
    const { isReduced, kind } = quantized.plan;
    const [x, w, bias = ''] = node.inputs;
    const [y] = node.outputs;
    const weight = quantized.weightOf(w);
    if (node.domain !== '' || !weight || !quantized.isFloat32(x)) return noWeights;
    if (quantized.hasManyScales(x)) return manyScales;
    const [codesX, scaleX, zeroX] = quantized.codesOf(x, activation);
    const [codesW, scaleW, zeroW] = quantized.codesOf(w, { kind, isReduced });
    const hasBias = bias !== '';
    const product = hasBias ? `${y}quant_scaled_output` : y;
    const inputs = [codesX, codesW, zeroX, zeroW];
    emitIntegerNode(quantized, node, { operator: 'ConvInteger', inputs, scales: [scaleX, scaleW], output: product });
    if (hasBias) emitBias(quantized, { product, bias, output: y, rank: weight.dims.length });
    return replaced;
  },

  /** Gathers of values that are no weights stay. */
  Gather(quantized, node) {
    const [data] = node.inputs;
    if (node.domain !== '' || !quantized.weightOf(data) || !quantized.isFloat32(data)) return staysUnreported;
    if (quantized.hasManyScales(data)) return manyScales;
    emitMoveOfCodes(quantized, node, quantized.codesOf(data, activation));
    return replaced;
  },

  /** Transposes of values that exist as numbers alone stay. */
  Transpose(quantized, node) {
    const known = quantized.knownCodes(node.inputs[0]);
    if (!known?.isUniform) return staysUnreported;
    emitMoveOfCodes(quantized, node, known.names);
    return replaced;
  },

  /** DynamicQuantizeLSTM takes codes of both weights but float activations. As in onnxruntime, the codes are int8
   * whatever the type of other weights is; each direction, or with perChannel each row of one, has a scale. */
  LSTM(quantized, node) {
    const { isPerChannel, isReduced } = quantized.plan;
    const [x, w, r, bias = '', sequenceLens = '', initialH = '', initialC = '', peepholes = ''] = node.inputs;
    // Weights are [directions, 4 * hidden, input or hidden]. weightCodes takes initializers of this graph alone.
    const isWeight = (/** @type {string} */ name) =>
      quantized.graph.initializers.get(name)?.dims.length === 3 && quantized.isFloat32(name);
    if (!isWeight(w) || !isWeight(r)) return noWeights;
    const scaling = /** @type {const} */ ({ kind: 'int8', isReduced, grain: isPerChannel ? 'rows' : 'first' });
    const [codesW, scaleW, zeroW] = quantized.weightCodes(w, scaling).names;
    const [codesR, scaleR, zeroR] = quantized.weightCodes(r, scaling).names;
    quantized.dequantize(x);
    const plainInputs = [bias, sequenceLens, initialH, initialC, peepholes];
    const inputs = [x, codesW, codesR, ...plainInputs, scaleW, zeroW, scaleR, zeroR];
    // DynamicQuantizeLSTM does not have the attribute layout.
    const withoutLayout = node.attributes.filter(({ name }) => name !== 'layout');
    emitMicrosoft(quantized, node, 'DynamicQuantizeLSTM', inputs, withoutLayout);
    return replaced;
  },

  Attention(quantized, node) {
    if (node.domain !== microsoft) return staysUnreported;
    const [input, weights, bias, maskIndex = '', past = ''] = node.inputs;
    // QAttention does not have this attribute.
    if (attributes.attributeOf(node, 'qkv_hidden_sizes')) return staysBecause('it has qkv_hidden_sizes');
    if (!quantized.weightOf(weights) || !quantized.isFloat32(weights)) return noWeights;
    if (quantized.hasManyScales(input)) return manyScales;
    const { isPerChannel, isReduced, kind } = quantized.plan;
    const [codesX, scaleX, zeroX] = quantized.codesOf(input, activation);
    const grain = isPerChannel ? 'last' : 'tensor';
    const [codesW, scaleW, zeroW] = quantized.codesOf(weights, { kind, isReduced, grain });
    const inputs = [codesX, codesW, bias, scaleX, scaleW, maskIndex, zeroX, zeroW, past];
    emitMicrosoft(quantized, node, 'QAttention', inputs);
    return replaced;
  },

  EmbedLayerNormalization(quantized, node) {
    if (node.domain !== microsoft) return staysUnreported;
    const outputsOfQuantized = 2;
    if (node.outputs.length > outputsOfQuantized) return staysBecause('it gives the sum of the embeddings');
    const [inputIds, segmentIds, ...others] = node.inputs;
    // Embeddings of words, positions and segments, gamma and beta; the mask is behind them.
    const tableCount = 5;
    const tables = others.slice(0, tableCount);
    const mask = others[tableCount] ?? '';
    const isWeightOrOmitted = (/** @type {string} */ name) =>
      name === '' || (quantized.weightOf(name) !== undefined && quantized.isFloat32(name));
    if (!tables.every(isWeightOrOmitted)) return noWeights;
    if (tables.some((name) => quantized.hasManyScales(name))) return manyScales;
    const namesOfTables = tables.map((name) => quantized.codesOf(name, activation));
    const tableCodes = namesOfTables.map(([codesName]) => codesName);
    const scales = namesOfTables.map(([_codesName, scale]) => scale);
    const zeros = namesOfTables.map(([_codesName, _scale, zero]) => zero);
    const inputs = [inputIds, segmentIds, ...tableCodes, mask, ...scales, ...zeros];
    emitMicrosoft(quantized, node, 'QEmbedLayerNormalization', inputs);
    return replaced;
  },
};
