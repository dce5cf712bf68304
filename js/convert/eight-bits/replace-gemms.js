/** Gemm without factors to MatMul and Add, also where it is not quantized afterwards. */
import * as attributes from '../model/attributes.js';
import { newNode } from '../model/edit.js';
import { codeEndings } from './eight-bit-weights.js';

/** @import { Node, Weight } from '../model/types.js' */
/** @import { QuantizedGraph } from './types.js' */

/** Endings of the names that belong to a matrix, once it is quantized. */
const endings = ['', ...Object.values(codeEndings)];

/** @type {(node: Node) => boolean} */
const isPlainGemm = (node) =>
  node.operator === 'Gemm' &&
  node.domain === '' &&
  attributes.floatAttribute(node, 'alpha', 1) === 1 &&
  attributes.floatAttribute(node, 'beta', 1) === 1 &&
  attributes.wholeAttribute(node, 'transA', 0) === 0;

/** Replaces the Gemm nodes of a graph that have alpha = beta = 1 and transA = 0 by MatMul and, if they have a bias,
 * Add, as onnxruntime does before it quantizes. The names of new values are onnxruntime's too; where a value has such a
 * name already, which onnxruntime does not test, a number follows.
 * @type {(quantized: QuantizedGraph) => void} */
export function replaceGemms(quantized) {
  const { graph } = quantized;
  /** Names of transposed matrices, by those of the matrices. @type {Map<string, string>} */
  const transposed = new Map();
  graph.nodes = graph.nodes.flatMap((node) => {
    const weight = quantized.weightOf(node.inputs[1]);
    // Gemm takes matrices alone. A node whose initializer has another rank is a fault of the model, and stays. The rank
    // of a value that is no initializer is not known here.
    const isMatrix = weight === undefined || weight.dims.length === 2;
    const hasOutput = Boolean(node.outputs[0]);
    const isReplaceable = isPlainGemm(node) && isMatrix && hasOutput;
    return isReplaceable ? nodesOfGemm(quantized, node, weight, transposed) : [node];
  });
}

/** Makes the MatMul, and Transpose and Add where needed, that replace a Gemm. `weight`: its second factor.
 * @type {(quantized: QuantizedGraph, gemm: Node, weight: Weight | undefined, transposed: Map<string, string>) =>
 *   Node[]} */
function nodesOfGemm(quantized, gemm, weight, transposed) {
  const { types, plan } = quantized;
  const { name, outputs } = gemm;
  const [a, b, bias = ''] = gemm.inputs;
  const [y] = outputs;
  const named = (/** @type {string} */ ending) => ({ name: name && name + ending });
  /** @type {Node[]} */
  const nodes = [];
  let factor = b;
  if (attributes.wholeAttribute(gemm, 'transB', 0) === 1) {
    const known = transposed.get(b);
    factor = known ?? plan.freeName(`${b}_Transposed`, endings);
    transposed.set(b, factor);
    types.types.set(factor, types.typeOf(b));
    // A matrix is transposed once for all Gemms of the graph.
    const isFirst = known === undefined;
    if (isFirst && weight) storeTransposed(quantized, weight, factor);
    if (isFirst && !weight) nodes.push(newNode('Transpose', [b], [factor], named('_Transpose')));
  }
  const hasBias = bias !== '';
  const product = hasBias ? plan.freeName(`${y}_MatMul`) : y;
  types.types.set(product, types.typeOf(y));
  nodes.push(newNode('MatMul', [a, factor], [product], named('_MatMul')));
  if (hasBias) nodes.push(newNode('Add', [product, bias], outputs, named('_Add')));
  return nodes;
}

/** @type {(quantized: QuantizedGraph, weight: Weight, name: string) => void} */
const storeTransposed = (quantized, weight, name) =>
  quantized.store({
    name,
    dtype: weight.dtype,
    dims: weight.dims.toReversed(),
    content: { kind: 'made', source: weight, perm: [1, 0], change: (source, data) => data.set(source) },
  });
