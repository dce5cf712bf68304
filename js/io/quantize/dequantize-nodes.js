/** Which nodes of a model get their packed weights back as plain ones, and the nodes that take their place. */
import { brief, showList } from '../../arguments/index.js';
import { homeOf, nodesIn } from '../onnx/graph-tree.js';
import { findWeights, freeNames, isInput, nodeLabel, usesIn, usesOfNodes } from './find-weights.js';
import { weightTypes } from './matmul-nbits.js';
import { layoutOf } from './packed-layout.js';
import { UnpackedWeights } from './unpack-weights.js';

/** @import { GraphTree, TreeNode } from '../onnx/types.js' */
/** @import { DequantizePlan, Edit, ModelOfWeights, NewNode, Operator, Packed, Replaced, Weights } from './types.js' */

/** Where each operator has its codes, scales and zero points, and the names that the quantizer gives. */
const operators = {
  MatMulNBits: { domain: 'com.microsoft', inputs: [1, 2, 3], types: ['uint8'] },
  GatherBlockQuantized: { domain: 'com.microsoft', inputs: [0, 2, 3], types: ['int4', 'uint4'] },
  DequantizeLinear: { domain: '', inputs: [0, 1, 2], types: ['int2', 'uint2', 'int4', 'uint4', 'int8', 'uint8'] },
};

/** @type {(model: ModelOfWeights) => Edit} */
export function planDequantized(model) {
  const { root } = model;
  /** @type {Replaced} */
  const replaced = new Map();
  const isWeights = (/** @type {TreeNode} */ { operator, domain }, /** @type {number} */ at) =>
    operator === 'MatMul' && domain === '' && at === 1;
  const uses = {
    asWeights: usesOfNodes(root, isWeights),
    others: usesIn(root, (node, at) => !isWeights(node, at)),
  };
  /** @type {DequantizePlan} */
  const plan = { model, made: new Map(), values: new Map(), uses, ...freeNames(root), report: [] };
  for (const { graph, node } of nodesIn(root)) {
    const nodes = replacementOf(plan, graph, node);
    if (nodes) replaced.set(node, nodes);
  }
  return { nodes: replaced, made: [...plan.made.values()], report: () => plan.report };
}

/** @type {(plan: DequantizePlan, graph: GraphTree, node: TreeNode) => NewNode[] | undefined} */
function replacementOf(plan, graph, node) {
  const { name, operator, domain, inputs, outputs } = node;
  const weights = operator === 'MatMul' && domain === '' ? valueOf(plan, graph, inputs[1]) : undefined;
  if (weights !== undefined)
    return [
      { name: stripped(name, /_matmul_Q\d$/), operator, domain, inputs: [inputs[0], weights], outputs, attributes: {} },
    ];
  if (!Object.hasOwn(operators, operator)) return undefined;
  const kind = /** @type {Operator} */ (operator);
  if (domain !== operators[kind].domain) return undefined;
  const names = operators[kind].inputs.map((at) => inputs[at] ?? '').filter((source, i) => i < 2 || source !== '');
  const sources = names.map((source) => findWeights(graph, source));
  // Other values of DequantizeLinear are no weights.
  if (kind === 'DequantizeLinear' && !sources[0]) return undefined;
  const row = { node: nodeLabel(graph, node), operator, weights: sources[0]?.path ?? names[0] };
  const found = packedIn(plan, graph, kind, node, sources);
  if (typeof found === 'string') {
    plan.report.push({ ...row, unpacked: false, why: found });
    return undefined;
  }
  const made = madeOf(plan, kind, found);
  plan.report.push({ ...row, unpacked: true, before: made.before, after: made.after });
  const [own] = made.names;
  if (kind === 'DequantizeLinear') {
    const values = plan.values.get(graph) ?? new Map();
    plan.values.set(graph, values.set(outputs[0], own));
    return [];
  }
  const plain = { name: stripped(name, /_Q\d$/), domain: '', outputs, attributes: {} };
  if (kind === 'MatMulNBits') return [{ ...plain, operator: 'MatMul', inputs: [inputs[0], own] }];
  return [{ ...plain, operator: 'Gather', inputs: [own, inputs[1]] }];
}

/** The name of the plain weights that DequantizeLinear gave.
 * @type {(plan: DequantizePlan, graph: GraphTree, name: string) => string | undefined} */
function valueOf({ values }, graph, name) {
  const home = homeOf(graph, name);
  return home && values.get(home)?.get(name);
}

/** @type {(name: string, suffix: RegExp) => string} */
const stripped = (name, suffix) => name.replace(suffix, '');

/** Several nodes may share packed tensors.
 * @type {(plan: DequantizePlan, operator: Operator, packed: Packed) => UnpackedWeights} */
function madeOf({ made, taken, freeName }, operator, packed) {
  const { sources, dims, bits, block } = packed;
  const ids = sources.map(({ graph, name }) => [graph.id, name]);
  const key = JSON.stringify([operator, ids, dims, bits, block]);
  const known = made.get(key);
  if (known) return known;
  const [{ name: codes }] = sources;
  const before = stripped(codes, operator === 'DequantizeLinear' ? /_DQ_Q\d$/ : /_Q\d$/);
  const weights = new UnpackedWeights(
    operator,
    packed,
    freeName(taken.has(before) ? `${codes}_weights` : before, ['']),
  );
  made.set(key, weights);
  return weights;
}

/** The weights of a node, or the reason to leave them. `tensors`: codes, scales and zero points.
 * @type {(plan: DequantizePlan, graph: GraphTree, operator: Operator, node: TreeNode, tensors: readonly (Weights |
 *   undefined)[]) => Packed | string} */
function packedIn(plan, graph, operator, node, tensors) {
  const { model } = plan;
  const sources = [];
  for (const [i, source] of tensors.entries()) {
    const what = ['weights', 'scales', 'zero points'][i];
    if (!source) return `the ${what} are no initializer`;
    if (isInput(model, source)) return `the ${what} are an input of the graph`;
    sources.push(source);
  }
  const why = reasonToLeave(plan, graph, operator, node);
  if (why !== undefined) return why;
  const shapes = sources.map((source) => model.shapeOf(source));
  const [codes, scales, zeros] = shapes;
  if (!operators[operator].types.includes(codes.dtype.name)) return `the weights are ${codes.dtype.name}`;
  if (!weightTypes.includes(scales.dtype.name)) return `the scales are ${scales.dtype.name}`;
  if (zeros && zeros.dtype !== codes.dtype) return `the zero points are ${zeros.dtype.name}`;
  const whole = (/** @type {string} */ name, /** @type {number} */ byDefault) =>
    Number(node.attributes.get(name) ?? byDefault);
  const isNBits = operator === 'MatMulNBits';
  const bits = isNBits ? whole('bits', 4) : codes.dtype.bits;
  const block = whole('block_size', operator === 'GatherBlockQuantized' ? 128 : 0);
  const dims = isNBits ? [whole('K', 0), whole('N', 0)] : codes.dims;
  if (isNBits && ![2, 4, 8].includes(bits)) return `the weights have ${bits} bits`;
  if (isNBits ? ![16, 32, 64, 128, 256].includes(block) : !(block > 0)) return `the block size is ${block}`;
  if (dims.length !== 2 || dims.some((extent) => !(extent > 0))) return `the weights have dims ${showList(dims)}`;
  const [rows, columns] = dims;
  const how = { bits, block, codes: codes.dtype, scales: scales.dtype };
  const { units, sides } = layoutOf(operator, how, [rows, columns]);
  for (const [i, shape] of shapes.entries())
    if (String(shape.dims) !== String(sides[i].dims))
      return `${showList(shape.dims)} are not the dims of ${brief(sources[i].path)}, ${showList(sides[i].dims)}`;
  return { sources, layout: { units, sides: sides.slice(0, shapes.length) }, dims: [rows, columns], bits, block };
}

/** @type {(plan: DequantizePlan, graph: GraphTree, operator: Operator, node: TreeNode) => string | undefined} */
function reasonToLeave(plan, graph, operator, node) {
  const { inputs, outputs, attributes } = node;
  if (operator === 'MatMulNBits') {
    if (inputs[4]) return 'g_idx orders the rows';
    if (inputs[5]) return 'it has a bias';
    return attributes.get('weight_prepacked') ? 'the weights are prepacked' : undefined;
  }
  if (operator === 'GatherBlockQuantized') {
    if (attributes.get('gather_axis')) return 'the axis is not 0';
    return (attributes.get('quantize_axis') ?? 1) === 1 ? undefined : 'the blocks are not of the last axis';
  }
  if ((attributes.get('axis') ?? 1) !== 0) return 'the blocks are not of axis 0';
  if (attributes.get('output_dtype')) return 'the output has a type of its own';
  const [output] = outputs;
  // Only MatMul nodes, of any graph, use the value, and as weights.
  const isOfMatMul = plan.uses.asWeights.get(graph)?.has(output) && !plan.uses.others.get(graph)?.has(output);
  return isOfMatMul ? undefined : 'something other than MatMul uses them';
}
