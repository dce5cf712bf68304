/** The nodes that replace each operator. A quantizer adds them to the graph, or gives the reason why the node stays.
 * Names of nodes and values are those of onnxruntime's quantize_dynamic. */
import { dtypes } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { microsoft } from '../model/edit.js';
import { codes } from '../types/infer-types.js';

/** @import { Node } from '../model/types.js' */
/** @import { QuantizedGraph } from './types.js' */

/** Gives undefined where nodes were added; a reason that is empty is not reported.
 * @typedef {(quantized: QuantizedGraph, node: Node) => string | undefined} Quantizer */

const noWeights = 'the weights are no float32 initializer';
/** Another node, such as a MatMul with perChannel, has made these codes; this one takes a single scale. */
const manyScales = 'its input has codes with several scales';
/** How values are quantized while the model runs, and tables of embeddings whatever the type of other weights is. */
const activation = Object.freeze({ kind: /** @type {const} */ ('uint8') });

/** Adds the nodes that compute `output` from codes: the product of integers by `operator`, which is MatMulInteger, or
 * ConvInteger with the attributes of Conv; a Cast of it to float32, the product of the two scales, and the product of
 * these. `inputs` and `scales`: names of the codes with their zero points, and of their scales.
 * @type {(quantized: QuantizedGraph, node: Node, operator: string, inputs: readonly string[], scales: readonly
 *   string[], output: string) => void} */
function emitScaled(quantized, node, operator, inputs, scales, output) {
  const name = node.name && `${node.name}_quant`;
  const y = `${node.outputs[0]}_output_quantized`;
  quantized.emit(operator, inputs, [y], { name, attributes: operator === 'ConvInteger' ? node.attributes : [] });
  const to = [attributes.int('to', codes.float32)];
  quantized.emit('Cast', [y], [`${y}_cast_output`], { name: `${y}_cast`, attributes: to });
  // Nodes without a name share the product of two scales.
  const product = name ? `${name}_scales_mul` : `${scales[0]}_${scales[1]}_mul`;
  if (!quantized.products.has(product)) quantized.emit('Mul', scales, [`${product}:0`], { name: product });
  quantized.products.add(product);
  quantized.emit('Mul', [`${y}_cast_output`, `${product}:0`], [output], { name: name && `${name}_output_scale_mul` });
}

/** Adds a node that only moves elements, as Gather, for codes instead of numbers. Its output has the scale and the zero
 * point of its input, of which there must be one each: the axis of several scales could be another one in the output.
 * `names`: of the input's codes, scale and zero point.
 * @type {(quantized: QuantizedGraph, node: Node, names: readonly string[]) => void} */
function passCodes(quantized, node, [source, scale, zero]) {
  const output = `${node.outputs[0]}_quantized`;
  quantized.codes.set(node.outputs[0], { names: [output, scale, zero], isUniform: true });
  quantized.add({ ...node, inputs: node.inputs.with(0, source), outputs: node.outputs.with(0, output) });
}

/** Adds the com.microsoft node that replaces `node`, with its outputs and, unless others are given, its attributes.
 * @type {(quantized: QuantizedGraph, node: Node, operator: string, inputs: readonly string[],
 *   copied?: Node['attributes']) => void} */
const emitMicrosoft = (quantized, node, operator, inputs, copied = node.attributes) =>
  quantized.emit(operator, inputs, node.outputs, {
    ...{ name: node.name && `${node.name}_quant`, domain: microsoft, attributes: copied },
  });

/** @type {Record<string, Quantizer>} */
export const quantizers = {
  /** Adds MatMulInteger of codes, scaled. With perChannel each column of a matrix has a scale of its own. */
  MatMul(quantized, node) {
    const { isPerChannel, isReduced, kind } = quantized.plan;
    const [a, b] = node.inputs;
    const weight = quantized.weightOf(b);
    if (node.domain !== '' || !weight || !quantized.isFloat32(b)) return noWeights;
    if (quantized.hasManyScales(a)) return manyScales;
    const [codesA, scaleA, zeroA] = quantized.codesOf(a, activation);
    const grain = isPerChannel && weight.dims.length === 2 ? 'last' : 'tensor';
    const [codesB, scaleB, zeroB] = quantized.codesOf(b, { kind, isReduced, grain });
    emitScaled(quantized, node, 'MatMulInteger', [codesA, codesB, zeroA, zeroB], [scaleA, scaleB], node.outputs[0]);
    return undefined;
  },

  /** Adds ConvInteger of codes, scaled, and then the bias as float32, reshaped to [1, channels, 1, ...]. As in
   * onnxruntime, the weights have one scale, with perChannel too. */
  Conv(quantized, node) {
    const { isReduced, kind } = quantized.plan;
    const [x, w, bias = ''] = node.inputs;
    const weight = quantized.weightOf(w);
    // x and w have one type.
    if (node.domain !== '' || !weight || !quantized.isFloat32(x)) return noWeights;
    if (quantized.hasManyScales(x)) return manyScales;
    const [codesX, scaleX, zeroX] = quantized.codesOf(x, activation);
    const [codesW, scaleW, zeroW] = quantized.codesOf(w, { kind, isReduced });
    const [y] = node.outputs;
    const hasBias = bias !== '';
    const product = hasBias ? `${y}quant_scaled_output` : y;
    emitScaled(quantized, node, 'ConvInteger', [codesX, codesW, zeroX, zeroW], [scaleX, scaleW], product);
    if (!hasBias) return undefined;
    // Two axes for batch and channels, one for each axis of the kernel.
    const shape = BigInt64Array.from([1n, -1n, ...new Array(Math.max(0, weight.dims.length - 2)).fill(1n)]);
    const names = { shape: `${y}_bias_reshape_shape`, bias: `${y}_bias_reshape_output` };
    quantized.store({
      name: names.shape,
      dtype: dtypes.int64,
      dims: [shape.length],
      content: { kind: 'memory', data: shape },
    });
    quantized.emit('Reshape', [bias, names.shape], [names.bias]);
    quantized.emit('Add', [product, names.bias], [y], { name: `${y}_bias_add` });
    return undefined;
  },

  /** Gathers codes of a weight instead of numbers; they are uint8, whatever the type of other weights is. Gathers of
   * other values stay, unreported. */
  Gather(quantized, node) {
    const [data] = node.inputs;
    if (node.domain !== '' || !quantized.weightOf(data) || !quantized.isFloat32(data)) return '';
    if (quantized.hasManyScales(data)) return manyScales;
    passCodes(quantized, node, quantized.codesOf(data, activation));
    return undefined;
  },

  /** Transposes the codes of a value that exists as such, in this graph or one around it. Transposes of other values
   * and of codes with several scales stay, unreported. */
  Transpose(quantized, node) {
    const known = quantized.knownCodes(node.inputs[0]);
    if (!known?.isUniform) return '';
    passCodes(quantized, node, known.names);
    return undefined;
  },

  /** Adds DynamicQuantizeLSTM, which takes codes of both weights but float activations. As in onnxruntime, the codes
   * are int8 whatever the type of other weights is; each direction, or with perChannel each row of one, has a scale. */
  LSTM(quantized, node) {
    const { inputs } = node;
    const weights = [inputs[1], inputs[2]];
    // Weights of LSTM are [directions, 4 * hidden, input or hidden]. weightCodes takes initializers of this graph
    // alone.
    const isWeight = (/** @type {string} */ name) => quantized.graph.initializers.get(name)?.dims.length === 3;
    if (!weights.every((name) => isWeight(name) && quantized.isFloat32(name))) return noWeights;
    const { isPerChannel, isReduced } = quantized.plan;
    const [w, r] = weights.map(
      (name) => quantized.weightCodes(name, { kind: 'int8', isReduced, grain: isPerChannel ? 'rows' : 'first' }).names,
    );
    // Behind the weights: bias, sequence_lens, initial_h, initial_c, P.
    const rest = [3, 4, 5, 6, 7].map((i) => inputs[i] ?? '');
    // The input is needed as numbers.
    quantized.dequantize(inputs[0]);
    // DynamicQuantizeLSTM does not have this attribute.
    const withoutLayout = node.attributes.filter(({ name }) => name !== 'layout');
    emitMicrosoft(
      quantized,
      node,
      'DynamicQuantizeLSTM',
      [inputs[0], w[0], r[0], ...rest, w[1], w[2], r[1], r[2]],
      withoutLayout,
    );
    return undefined;
  },

  /** Adds QAttention of the codes of the input and of the weights. */
  Attention(quantized, node) {
    if (node.domain !== microsoft) return '';
    const { inputs } = node;
    // QAttention does not have this attribute.
    if (attributes.attributeOf(node, 'qkv_hidden_sizes')) return 'it has qkv_hidden_sizes';
    if (!quantized.weightOf(inputs[1]) || !quantized.isFloat32(inputs[1])) return noWeights;
    if (quantized.hasManyScales(inputs[0])) return manyScales;
    const { isPerChannel, isReduced, kind } = quantized.plan;
    const [x, scaleX, zeroX] = quantized.codesOf(inputs[0], activation);
    const [w, scaleW, zeroW] = quantized.codesOf(inputs[1], {
      kind,
      isReduced,
      grain: isPerChannel ? 'last' : 'tensor',
    });
    const at = (/** @type {number} */ i) => inputs[i] ?? '';
    // Its own inputs stay between: the bias (2), mask_index (3) and past (4).
    emitMicrosoft(quantized, node, 'QAttention', [x, w, inputs[2], scaleX, scaleW, at(3), zeroX, zeroW, at(4)]);
    return undefined;
  },

  /** Adds QEmbedLayerNormalization of the codes of five tables: three of embeddings, and the weight and bias of the
   * normalization. It takes all codes, then the mask, then all scales, then all zero points. */
  EmbedLayerNormalization(quantized, node) {
    if (node.domain !== microsoft) return '';
    const { inputs, outputs } = node;
    // QEmbedLayerNormalization has two outputs.
    if (outputs.length > 2) return 'it gives the sum of the embeddings';
    const tables = inputs.slice(2, 7);
    if (!tables.every((name) => name === '' || (quantized.weightOf(name) && quantized.isFloat32(name))))
      return noWeights;
    if (tables.some((name) => quantized.hasManyScales(name))) return manyScales;
    const five = tables.map((name) => quantized.codesOf(name, activation));
    const all = [0, 1, 2].map((i) => five.map((names) => names[i]));
    emitMicrosoft(quantized, node, 'QEmbedLayerNormalization', [
      inputs[0],
      inputs[1],
      ...all[0],
      inputs[7] ?? '',
      ...all[1],
      ...all[2],
    ]);
    return undefined;
  },
};
