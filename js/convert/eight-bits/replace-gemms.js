/** Gemm without factors to MatMul and Add, also where it is not quantized afterwards. */
import * as attributes from '../model/attributes.js';
import { newNode } from '../model/edit.js';

/** @import { Node, Weight } from '../model/types.js' */
/** @import { QuantizedGraph } from './types.js' */

/** The endings that quantizing appends to the name of a matrix, for its codes, their scale and zero point. */
const endings = ['', '_quantized', '_scale', '_zero_point'];

/** Whether a node is a Gemm that MatMul and Add compute: alpha = beta = 1 and transA = 0. transB may be 1: B is
 * transposed then.
 * @type {(node: Node) => boolean} */
const isPlainGemm = (node) =>
  node.operator === 'Gemm' &&
  node.domain === '' &&
  attributes.floatAttribute(node, 'alpha', 1) === 1 &&
  attributes.floatAttribute(node, 'beta', 1) === 1 &&
  attributes.wholeAttribute(node, 'transA', 0) === 0;

/** Replaces the Gemm nodes of a graph that have alpha = beta = 1 and transA = 0 by MatMul and, if they have a bias,
 * Add, as onnxruntime does before it quantizes. Changes the graph's nodes, and adds the types of new values. The names
 * of these, `_Transposed` behind that of B and `_MatMul` behind that of Y, are onnxruntime's too. It does not test
 * whether a value has such a name already; here a number follows then.
 * @type {(quantized: QuantizedGraph) => void} */
export function replaceGemms(quantized) {
  const { graph, types } = quantized;
  const { freeName } = quantized.plan;
  /** The names of transposed matrices, by those of the matrices. @type {Map<string, string>} */
  const transposed = new Map();
  graph.nodes = graph.nodes.flatMap((node) => {
    const { name, inputs, outputs } = node;
    const weight = quantized.weightOf(inputs[1]);
    // Gemm takes matrices alone. A node whose initializer has another rank is a fault of the model, and stays. The rank
    // of a value that is no initializer is not known here.
    const isMatrix = weight === undefined || weight.dims.length === 2;
    if (!isPlainGemm(node) || !isMatrix || !outputs[0]) return [node];
    const hasBias = inputs.length > 2 && inputs[2] !== '';
    const named = (/** @type {string} */ ending) => ({ name: name && name + ending });
    /** @type {Node[]} */
    const nodes = [];
    let [, b] = inputs;
    if (attributes.wholeAttribute(node, 'transB', 0) === 1) {
      const before = b;
      const known = transposed.get(before);
      b = known ?? freeName(`${before}_Transposed`, endings);
      transposed.set(before, b);
      types.types.set(b, types.typeOf(before));
      // Once for all Gemms of the graph. A value that is made while the model runs is transposed then.
      if (known === undefined && weight) storeTransposed(quantized, weight, b);
      else if (known === undefined) nodes.push(newNode('Transpose', [before], [b], named('_Transpose')));
    }
    const y = hasBias ? freeName(`${outputs[0]}_MatMul`, ['']) : outputs[0];
    types.types.set(y, types.typeOf(outputs[0]));
    nodes.push(newNode('MatMul', [inputs[0], b], [y], named('_MatMul')));
    if (hasBias) nodes.push(newNode('Add', [y, inputs[2]], outputs, named('_Add')));
    return nodes;
  });
}

/** Stores an initializer, a matrix, with its axes exchanged in the graph, under a name that is free.
 * @type {(quantized: QuantizedGraph, weight: Weight, name: string) => void} */
const storeTransposed = (quantized, weight, name) =>
  quantized.store({
    ...{ name, dtype: weight.dtype, dims: weight.dims.toReversed() },
    content: { kind: 'made', source: weight, perm: [1, 0], change: (source, data) => data.set(source) },
  });
