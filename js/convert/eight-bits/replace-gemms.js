/** Gemm without factors to MatMul and Add, also where it is not quantized afterwards. */
import * as attributes from '../model/attributes.js';
import { newNode } from '../model/edit.js';

/** @import { Node } from '../model/types.js' */
/** @import { QuantizedGraph } from './types.js' */

/** The endings of the names that quantizing may give. */
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
 * Add, as onnxruntime does before it quantizes. Changes the graph's nodes, and adds the types of new values.
 * @type {(quantized: QuantizedGraph) => void} */
export function replaceGemms(quantized) {
  const { graph, types } = quantized;
  /** The names of transposed matrices, by those of the matrices. @type {Map<string, string>} */
  const transposed = new Map();
  graph.nodes = graph.nodes.flatMap((node) => {
    const { name, inputs, outputs } = node;
    const weight = quantized.weightOf(inputs[1]);
    // The rank of a value that is no initializer is not known here; Gemm takes matrices alone.
    const isMatrix = weight === undefined || weight.dims.length === 2;
    if (!isPlainGemm(node) || !isMatrix || !outputs[0]) return [node];
    const hasBias = inputs.length > 2 && inputs[2] !== '';
    const named = (/** @type {string} */ ending) => ({ name: name && name + ending });
    /** @type {Node[]} */
    const nodes = [];
    let [, b] = inputs;
    if (attributes.wholeAttribute(node, 'transB', 0) === 1) {
      const before = b;
      b = storeTransposed(quantized, transposed, before) ?? `${before}_Transposed`;
      // A value that is made while the model runs is transposed then, once for all Gemms of the graph.
      if (!weight && !transposed.has(before)) nodes.push(newNode('Transpose', [before], [b], named('_Transpose')));
      transposed.set(before, b);
      types.types.set(b, types.typeOf(before));
    }
    const y = outputs[0] + (hasBias ? '_MatMul' : '');
    types.types.set(y, types.typeOf(outputs[0]));
    nodes.push(newNode('MatMul', [inputs[0], b], [y], named('_MatMul')));
    if (hasBias) nodes.push(newNode('Add', [y, inputs[2]], outputs, named('_Add')));
    return nodes;
  });
}

/** Stores an initializer with its axes exchanged in the graph, under a name that is free, and gives the name; undefined
 * if the value is no initializer. `transposed` has the names that earlier calls gave, so that it is stored once a
 * graph.
 * @type {(quantized: QuantizedGraph, transposed: Map<string, string>, name: string) => string | undefined} */
function storeTransposed(quantized, transposed, name) {
  const weight = quantized.weightOf(name);
  if (!weight) return undefined;
  const known = transposed.get(name);
  if (known !== undefined) return known;
  const { taken } = quantized.plan;
  let [free, count] = [`${name}_Transposed`, 0];
  // Free with each of the endings that quantizing may append.
  while (endings.some((ending) => taken.has(free + ending))) free = `${name}_Transposed_${++count}`;
  for (const ending of endings) taken.add(free + ending);
  transposed.set(name, free);
  quantized.store({
    ...{ name: free, dtype: weight.dtype, dims: weight.dims.toReversed() },
    content: { kind: 'made', source: weight, perm: [1, 0], change: (source, data) => data.set(source) },
  });
  return free;
}
