/** Which nodes of a model get packed weights, and the nodes that take their place. */
import { showList } from '../../arguments/index.js';
import { homeOf, nodesIn } from '../onnx/graph-tree.js';
import { findWeights, freeNames, isInput, nodeLabel } from './find-weights.js';
import { weightTypes } from './matmul-nbits.js';
import { endingsOf, PackedWeights } from './pack-weights.js';

/** @import { GraphTree, TreeNode } from '../onnx/types.js' */
/** @import { Choice, Edit, ModelOfWeights, NewNode, QuantizePlan, Weights } from './types.js' */

/** @type {(choice: Choice, model: ModelOfWeights) => Edit} */
export function planQuantized(choice, model) {
  const { freeName } = freeNames(model.root);
  /** @type {QuantizePlan} */
  const plan = { packed: new Map(), outputs: new Map(), replaced: new Map(), freeName, rows: [] };
  for (const { graph, node } of nodesIn(model.root)) {
    const nodes = replacementOf(choice, model, graph, node, plan);
    if (nodes) plan.replaced.set(node, nodes);
  }
  const report = () => plan.rows.map(({ row, weights }) => (weights ? { ...row, rms: weights.rms() } : row));
  return { nodes: plan.replaced, made: [...plan.packed.values()], report };
}

/** @type {(choice: Choice, model: ModelOfWeights, graph: GraphTree, node: TreeNode, plan: QuantizePlan) => NewNode[] |
 *   undefined} */
function replacementOf(choice, model, graph, node, plan) {
  const { operator } = node;
  if (node.domain !== '' || !choice.ops.includes(operator)) return undefined;
  const name = node.inputs[operator === 'Gather' ? 0 : 1] ?? '';
  const weights = findWeights(graph, name);
  const row = { node: nodeLabel(graph, node), operator, weights: weights?.path ?? name };
  const why = reasonToLeave(choice, model, graph, node, weights);
  if (weights === undefined || why !== undefined) {
    plan.rows.push({ row: { ...row, packed: false, why } });
    return undefined;
  }
  const packed = packedOf(choice, model, operator, weights, plan);
  plan.rows.push({ row: { ...row, packed: true, before: packed.before, after: packed.after }, weights: packed });
  if (operator === 'Gather' || choice.form === 'matmulnbits') return [packedNode(choice, node, packed)];
  return dequantizedNodes(choice, graph, node, packed, plan);
}

/** Nodes that share weights share the packed ones.
 * @type {(choice: Choice, model: ModelOfWeights, operator: string, weights: Weights, plan: QuantizePlan) =>
 *   PackedWeights} */
function packedOf(choice, model, operator, weights, { packed, freeName }) {
  const key = `${operator} ${weights.graph.id} ${weights.name}`;
  const known = packed.get(key);
  if (known) return known;
  const { dtype, dims } = model.shapeOf(weights);
  const byForm = choice.form === 'qdq' ? 'DequantizeLinear' : 'MatMulNBits';
  const [K, N] = dims.slice(-2);
  const layout = operator === 'Gather' ? 'GatherBlockQuantized' : byForm;
  const stem = freeName(weights.name, endingsOf(layout, choice));
  const own = new PackedWeights(layout, choice, { weights, stem, dtype, dims: [K, N] });
  packed.set(key, own);
  return own;
}

/** @type {(choice: Choice, model: ModelOfWeights, graph: GraphTree, node: TreeNode, weights: Weights | undefined) =>
 *   string | undefined} */
function reasonToLeave(choice, model, graph, node, weights) {
  if (!weights) return 'the weights are no initializer';
  if (isInput(model, weights)) return 'the weights are an input of the graph';
  const names = [node.name, nodeLabel(graph, node), weights.name, weights.path];
  const isNamed = (/** @type {ReadonlySet<string>} */ list) => names.some((name) => list.has(name));
  if (choice.include && !isNamed(choice.include)) return 'not included';
  if (isNamed(choice.exclude)) return 'excluded';
  const { dtype, dims } = model.shapeOf(weights);
  if (node.operator === 'Gather') {
    if (dtype.name !== 'float32' && dtype.name !== 'float16') return `the weights are ${dtype.name}`;
    if (dims.length !== 2) return `the weights have ${dims.length} axes`;
    return (node.attributes.get('axis') ?? 0) === 0 ? undefined : 'the axis is not 0';
  }
  if (!weightTypes.includes(dtype.name)) return `the weights are ${dtype.name}`;
  const leading = dims.slice(0, -2);
  if (dims.length < 2 || leading.some((extent) => extent !== 1)) return `the weights have dims ${showList(dims)}`;
  const rank = rankOf(graph, node.inputs[0]);
  if (leading.length > 0 && !(rank !== undefined && rank >= dims.length))
    return `the weights have ${dims.length} axes, and the first input may have fewer`;
  return dims.includes(0) ? 'the weights are empty' : undefined;
}

/** @type {(graph: GraphTree, name: string) => number | undefined} */
function rankOf(graph, name) {
  const home = homeOf(graph, name);
  return home?.ranks.get(name);
}

const domain = 'com.microsoft';

/** A node without a name stays so: of others, onnxruntime refuses two of one name.
 * @type {(name: string, ending: string) => string} */
const renamed = (name, ending) => name && name + ending;

/** @type {(choice: Choice, node: TreeNode, packed: PackedWeights) => NewNode} */
function packedNode({ bits, block }, { name, operator, inputs, outputs }, { names, dims }) {
  const [codes, ...others] = names;
  if (operator === 'Gather') {
    const attributes = { block_size: block, gather_axis: 0, quantize_axis: 1 };
    const taken = [codes, inputs[1], ...others];
    return { name: renamed(name, '_Q4'), operator: 'GatherBlockQuantized', domain, inputs: taken, outputs, attributes };
  }
  const attributes = { K: dims[0], N: dims[1], bits, block_size: block };
  const taken = [inputs[0], codes, ...others];
  return { name: renamed(name, `_Q${bits}`), operator: 'MatMulNBits', domain, inputs: taken, outputs, attributes };
}

/** Each graph has a DequantizeLinear of its own, because onnxruntime joins it with a MatMul of the same graph.
 * @type {(choice: Choice, graph: GraphTree, node: TreeNode, packed: PackedWeights, plan: QuantizePlan) => NewNode[]} */
function dequantizedNodes({ bits, block }, graph, { name, inputs, outputs }, packed, plan) {
  const known = plan.outputs.get(graph) ?? new Map();
  plan.outputs.set(graph, known);
  const isFirst = !known.has(packed);
  if (isFirst) known.set(packed, plan.freeName(`${packed.names[0]}_output`, ['']));
  const output = known.get(packed);
  const dequantize = {
    ...{ name: renamed(name, `_DQ_Q${bits}`), operator: 'DequantizeLinear', domain: '' },
    ...{ inputs: packed.names, outputs: [output], attributes: { axis: 0, block_size: block } },
  };
  const product = {
    ...{ name: renamed(name, `_matmul_Q${bits}`), operator: 'MatMul', domain: '' },
    ...{ inputs: [inputs[0], output], outputs, attributes: {} },
  };
  return isFirst ? [dequantize, product] : [product];
}
