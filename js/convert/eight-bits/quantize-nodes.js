/** The nodes that take the place of each operator. A quantizer gives the reason where a node stays. */
import { dtypes } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { microsoft } from '../model/edit.js';
import { codes } from '../types/infer-types.js';

/** @import { Node } from '../model/types.js' */
/** @import { QuantizedGraph } from './types.js' */

/** @typedef {(own: QuantizedGraph, node: Node) => string | undefined} Quantizer */

const noWeights = 'the weights are no float32 initializer';
const activation = Object.freeze({ kind: /** @type {const} */ ('uint8') });

/** The product of integers, times both scales.
 * @type {(own: QuantizedGraph, node: Node, operator: string, inputs: readonly string[], scales: readonly string[],
 *   output: string) => void} */
function emitScaled(own, node, operator, inputs, scales, output) {
  const name = node.name && `${node.name}_quant`;
  const y = `${node.outputs[0]}_output_quantized`;
  own.emit(operator, inputs, [y], { name, attributes: operator === 'ConvInteger' ? node.attributes : [] });
  const to = [attributes.whole('to', codes.float32)];
  own.emit('Cast', [y], [`${y}_cast_output`], { name: `${y}_cast`, attributes: to });
  const product = name ? `${name}_scales_mul` : `${scales[0]}_${scales[1]}_mul`;
  if (!own.products.has(product)) own.emit('Mul', scales, [`${product}:0`], { name: product });
  own.products.add(product);
  own.emit('Mul', [`${y}_cast_output`, `${product}:0`], [output], { name: name && `${name}_output_scale_mul` });
}

/** A node on codes. @type {(own: QuantizedGraph, node: Node, names: readonly string[]) => void} */
function passCodes(own, node, [source, scale, zero]) {
  const output = `${node.outputs[0]}_quantized`;
  own.codes.set(node.outputs[0], { names: [output, scale, zero] });
  own.add({ ...node, inputs: node.inputs.with(0, source), outputs: node.outputs.with(0, output) });
}

/** @type {(own: QuantizedGraph, node: Node, operator: string, inputs: readonly string[], kept?: Node['attributes']) =>
 *   void} */
const emitMicrosoft = (own, node, operator, inputs, kept = node.attributes) =>
  own.emit(operator, inputs, node.outputs, {
    ...{ name: node.name && `${node.name}_quant`, domain: microsoft, attributes: kept },
  });

/** @type {Record<string, Quantizer>} */
export const quantizers = {
  MatMul(own, node) {
    const { isPerChannel, isReduced, kind } = own.plan;
    const [a, b] = node.inputs;
    const weight = own.weightOf(b);
    if (node.domain !== '' || !weight || !own.isFloat32(b)) return noWeights;
    const [codesA, scaleA, zeroA] = own.codesOf(a, activation);
    const grain = isPerChannel && weight.dims.length === 2 ? 'last' : 'tensor';
    const [codesB, scaleB, zeroB] = own.codesOf(b, { kind, isReduced, grain });
    emitScaled(own, node, 'MatMulInteger', [codesA, codesB, zeroA, zeroB], [scaleA, scaleB], node.outputs[0]);
    return undefined;
  },

  Conv(own, node) {
    const { isReduced, kind } = own.plan;
    const [x, w, bias = ''] = node.inputs;
    const weight = own.weightOf(w);
    if (node.domain !== '' || !weight || !own.isFloat32(x)) return noWeights;
    const [codesX, scaleX, zeroX] = own.codesOf(x, activation);
    const [codesW, scaleW, zeroW] = own.codesOf(w, { kind, isReduced });
    const [y] = node.outputs;
    const hasBias = bias !== '';
    const product = hasBias ? `${y}quant_scaled_output` : y;
    emitScaled(own, node, 'ConvInteger', [codesX, codesW, zeroX, zeroW], [scaleX, scaleW], product);
    if (!hasBias) return undefined;
    const shape = BigInt64Array.from([1n, -1n, ...new Array(Math.max(0, weight.dims.length - 2)).fill(1n)]);
    const names = { shape: `${y}_bias_reshape_shape`, bias: `${y}_bias_reshape_output` };
    own.store({
      name: names.shape,
      dtype: dtypes.int64,
      dims: [shape.length],
      content: { kind: 'memory', data: shape },
    });
    own.emit('Reshape', [bias, names.shape], [names.bias]);
    own.emit('Add', [product, names.bias], [y], { name: `${y}_bias_add` });
    return undefined;
  },

  Gather(own, node) {
    const [data] = node.inputs;
    if (node.domain !== '' || !own.weightOf(data) || !own.isFloat32(data)) return '';
    passCodes(own, node, own.codesOf(data, activation));
    return undefined;
  },

  Transpose(own, node) {
    const [name] = node.inputs;
    for (let level = /** @type {QuantizedGraph | undefined} */ (own); level; level = level.outer) {
      const known = level.codes.get(name);
      if (!known) continue;
      passCodes(own, node, known.names);
      return undefined;
    }
    return '';
  },

  LSTM(own, node) {
    const { inputs } = node;
    const weights = [inputs[1], inputs[2]];
    const isWeight = (/** @type {string} */ name) => own.graph.initializers.get(name)?.dims.length === 3;
    if (!weights.every((name) => isWeight(name) && own.isFloat32(name))) return noWeights;
    const { isPerChannel, isReduced } = own.plan;
    const [w, r] = weights.map(
      (name) => own.weightCodes(name, { kind: 'int8', isReduced, grain: isPerChannel ? 'rows' : 'first' }).names,
    );
    const rest = [3, 4, 5, 6, 7].map((i) => inputs[i] ?? '');
    own.dequantize(inputs[0]);
    const kept = node.attributes.filter(({ name }) => name !== 'layout');
    emitMicrosoft(own, node, 'DynamicQuantizeLSTM', [inputs[0], w[0], r[0], ...rest, w[1], w[2], r[1], r[2]], kept);
    return undefined;
  },

  Attention(own, node) {
    if (node.domain !== microsoft) return '';
    const { inputs } = node;
    if (attributes.attributeOf(node, 'qkv_hidden_sizes')) return 'it has qkv_hidden_sizes';
    if (!own.weightOf(inputs[1]) || !own.isFloat32(inputs[1])) return noWeights;
    const { isPerChannel, isReduced, kind } = own.plan;
    const [x, scaleX, zeroX] = own.codesOf(inputs[0], activation);
    const [w, scaleW, zeroW] = own.codesOf(inputs[1], { kind, isReduced, grain: isPerChannel ? 'last' : 'tensor' });
    const at = (/** @type {number} */ i) => inputs[i] ?? '';
    emitMicrosoft(own, node, 'QAttention', [x, w, inputs[2], scaleX, scaleW, at(3), zeroX, zeroW, at(4)]);
    return undefined;
  },

  EmbedLayerNormalization(own, node) {
    if (node.domain !== microsoft) return '';
    const { inputs, outputs } = node;
    if (outputs.length > 2) return 'it gives the sum of the embeddings';
    const tables = inputs.slice(2, 7);
    if (!tables.every((name) => name === '' || (own.weightOf(name) && own.isFloat32(name)))) return noWeights;
    const five = tables.map((name) => own.codesOf(name, activation));
    const all = [0, 1, 2].map((i) => five.map((names) => names[i]));
    emitMicrosoft(own, node, 'QEmbedLayerNormalization', [
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
