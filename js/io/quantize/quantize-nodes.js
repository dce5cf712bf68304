/** Which nodes of a model get packed weights, and the nodes that take their place. */
import { weightTypes } from './matmul-nbits.js';
import { PackedWeights } from './pack-weights.js';

/** @import { Node } from '../onnx/types.js' */
/** @import { Choice, Edit, GraphOfWeights, NewNode, QuantizePlan } from './types.js' */

/** @type {(given: Choice, graph: GraphOfWeights) => Edit} */
export function planQuantized(given, graph) {
  /** @type {QuantizePlan} */
  const plan = { packed: new Map(), rows: [] };
  const nodes = graph.nodes.map((node) => replacementOf(given, graph, node, plan));
  const report = () => plan.rows.map(({ row, own }) => (own ? { ...row, rms: own.rms() } : row));
  return { nodes, made: [...plan.packed.values()], report };
}

/** @type {(given: Choice, graph: GraphOfWeights, node: Node, plan: QuantizePlan) => NewNode[] | undefined} */
function replacementOf(given, graph, node, { packed, rows }) {
  if (node.domain !== '' || !given.ops.includes(node.operator)) return undefined;
  const isGather = node.operator === 'Gather';
  const weights = node.inputs[isGather ? 0 : 1] ?? '';
  const row = { node: node.name || node.outputs[0], operator: node.operator, weights };
  const why = reasonToLeave(given, graph, node, weights);
  if (why !== undefined) {
    rows.push({ row: { ...row, packed: false, why } });
    return undefined;
  }
  const key = `${node.operator} ${weights}`;
  const isFirst = !packed.has(key);
  if (isFirst) {
    const { dtype, dims } = graph.shapeOf(weights);
    const byForm = given.form === 'qdq' ? 'DequantizeLinear' : 'MatMulNBits';
    const operator = isGather ? 'GatherBlockQuantized' : byForm;
    const [K, N] = dims.slice(-2);
    packed.set(key, new PackedWeights(operator, given, weights, dtype, [K, N]));
  }
  const own = /** @type {PackedWeights} */ (packed.get(key));
  rows.push({ row: { ...row, packed: true, before: own.before, after: own.after }, own });
  return nodesOf(given, node, own, isFirst);
}

/** @type {(given: Choice, graph: GraphOfWeights, node: Node, weights: string) => string | undefined} */
function reasonToLeave(given, graph, node, weights) {
  if (!graph.names.has(weights)) return 'the weights are no initializer';
  if (graph.inputs.some((input) => input.name === weights)) return 'the weights are an input of the graph';
  const isNamed = (/** @type {readonly string[]} */ list) => list.includes(node.name) || list.includes(weights);
  if (given.include && !isNamed(given.include)) return 'not included';
  if (isNamed(given.exclude)) return 'excluded';
  const { dtype, dims } = graph.shapeOf(weights);
  if (node.operator === 'Gather') {
    if (dtype.name !== 'float32' && dtype.name !== 'float16') return `the weights are ${dtype.name}`;
    if (dims.length !== 2) return `the weights have ${dims.length} axes`;
    return (node.attributes.get('axis') ?? 0) === 0 ? undefined : 'the axis is not 0';
  }
  if (!weightTypes.includes(dtype.name)) return `the weights are ${dtype.name}`;
  const leading = dims.slice(0, -2);
  if (dims.length < 2 || leading.some((extent) => extent !== 1)) return `the weights have dims [${dims.join(', ')}]`;
  const rank = graph.ranks.get(node.inputs[0]);
  if (leading.length > 0 && !(rank !== undefined && rank >= dims.length))
    return `the weights have ${dims.length} axes, and the first input may have fewer`;
  return dims.includes(0) ? 'the weights are empty' : undefined;
}

/** @type {(given: Choice, node: Node, own: PackedWeights, isFirst: boolean) => NewNode[]} */
function nodesOf({ form, bits, block }, node, { names, dims }, isFirst) {
  const [codes, ...others] = names;
  const { name, inputs, outputs } = node;
  const domain = 'com.microsoft';
  if (node.operator === 'Gather') {
    const attributes = { block_size: block, gather_axis: 0, quantize_axis: 1 };
    const operator = 'GatherBlockQuantized';
    return [{ name: `${name}_Q4`, operator, domain, inputs: [codes, inputs[1], ...others], outputs, attributes }];
  }
  if (form === 'matmulnbits') {
    const attributes = { K: dims[0], N: dims[1], bits, block_size: block };
    const taken = [inputs[0], codes, ...others];
    return [{ name: `${name}_Q${bits}`, operator: 'MatMulNBits', domain, inputs: taken, outputs, attributes }];
  }
  const output = `${codes}_output`;
  const dequantize = {
    ...{ name: `${name}_DQ_Q${bits}`, operator: 'DequantizeLinear', domain: '' },
    ...{ inputs: [codes, ...others], outputs: [output], attributes: { axis: 0, block_size: block } },
  };
  const product = {
    ...{ name: name && `${name}_matmul_Q${bits}`, operator: 'MatMul', domain: '' },
    ...{ inputs: [inputs[0], output], outputs, attributes: {} },
  };
  return isFirst ? [dequantize, product] : [product];
}
