/** Which nodes of a model get their packed weights back as plain ones, and the nodes that take their place. */
import { showList } from '../../arguments/index.js';
import { weightTypes } from './matmul-nbits.js';
import { layoutOf } from './packed-layout.js';
import { UnpackedWeights } from './unpack-weights.js';

/** @import { Node } from '../onnx/types.js' */
/** @import { DequantizePlan, Edit, GraphOfWeights, NewNode, Operator, Packed } from './types.js' */

/** Where each operator has its codes, scales and zero points, and the names that the quantizer gives. */
const operators = {
  MatMulNBits: { domain: 'com.microsoft', inputs: [1, 2, 3], types: ['uint8'] },
  GatherBlockQuantized: { domain: 'com.microsoft', inputs: [0, 2, 3], types: ['int4', 'uint4'] },
  DequantizeLinear: { domain: '', inputs: [0, 1, 2], types: ['int2', 'uint2', 'int4', 'uint4', 'int8', 'uint8'] },
};

/** @type {(graph: GraphOfWeights) => Edit} */
export function planDequantized(graph) {
  const { nodes, inputs, names } = graph;
  const taken = new Set([...names, ...inputs.map(({ name }) => name), ...nodes.flatMap(({ outputs }) => outputs)]);
  /** @type {DequantizePlan} */
  const plan = { graph, made: new Map(), values: new Map(), taken, report: [] };
  const replaced = nodes.map((node) => replacementOf(plan, node));
  return { nodes: replaced, made: [...plan.made.values()], report: () => plan.report };
}

/** @type {(plan: DequantizePlan, node: Node) => NewNode[] | undefined} */
function replacementOf(plan, node) {
  const { name, operator, domain, inputs, outputs } = node;
  const weights = operator === 'MatMul' && domain === '' ? plan.values.get(inputs[1]) : undefined;
  if (weights !== undefined)
    return [
      { name: stripped(name, /_matmul_Q\d$/), operator, domain, inputs: [inputs[0], weights], outputs, attributes: {} },
    ];
  if (!Object.hasOwn(operators, operator)) return undefined;
  const kind = /** @type {Operator} */ (operator);
  if (domain !== operators[kind].domain) return undefined;
  const sources = operators[kind].inputs.map((at) => inputs[at] ?? '').filter((source, i) => i < 2 || source !== '');
  // Other values of DequantizeLinear are no weights.
  if (kind === 'DequantizeLinear' && !plan.graph.names.has(sources[0])) return undefined;
  const row = { node: name || outputs[0], operator, weights: sources[0] };
  const found = packedIn(plan.graph, kind, node, sources);
  if (typeof found === 'string') {
    plan.report.push({ ...row, unpacked: false, why: found });
    return undefined;
  }
  const made = madeOf(plan, kind, found);
  plan.report.push({ ...row, unpacked: true, before: made.before, after: made.after });
  const [own] = made.names;
  if (kind === 'DequantizeLinear') {
    plan.values.set(outputs[0], own);
    return [];
  }
  const plain = { name: stripped(name, /_Q\d$/), domain: '', outputs, attributes: {} };
  if (kind === 'MatMulNBits') return [{ ...plain, operator: 'MatMul', inputs: [inputs[0], own] }];
  return [{ ...plain, operator: 'Gather', inputs: [own, inputs[1]] }];
}

/** @type {(name: string, suffix: RegExp) => string} */
const stripped = (name, suffix) => name.replace(suffix, '');

/** Several nodes may share packed tensors.
 * @type {(plan: DequantizePlan, operator: Operator, found: Packed) => UnpackedWeights} */
function madeOf({ made, taken }, operator, found) {
  const { sources, dims, bits, block } = found;
  const key = JSON.stringify([operator, sources, dims, bits, block]);
  const known = made.get(key);
  if (known) return known;
  const [codes] = sources;
  const before = stripped(codes, operator === 'DequantizeLinear' ? /_DQ_Q\d$/ : /_Q\d$/);
  const name = [before, `${codes}_weights`].find((candidate) => !taken.has(candidate)) ?? before;
  taken.add(name);
  const weights = new UnpackedWeights(operator, found, name);
  made.set(key, weights);
  return weights;
}

/** The weights of a node, or the reason to leave them. `sources`: names of codes, scales and zero points.
 * @type {(graph: GraphOfWeights, operator: Operator, node: Node, sources: readonly string[]) => Packed | string} */
function packedIn(graph, operator, node, sources) {
  for (const [i, source] of sources.entries()) {
    const what = ['weights', 'scales', 'zero points'][i];
    if (!graph.names.has(source)) return `the ${what} are no initializer`;
    if (graph.inputs.some(({ name }) => name === source)) return `the ${what} are an input of the graph`;
  }
  const why = reasonToLeave(graph, operator, node);
  if (why !== undefined) return why;
  const shapes = sources.map((source) => graph.shapeOf(source));
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
      return `${showList(shape.dims)} are not the dims of ${sources[i]}, ${showList(sides[i].dims)}`;
  return { sources, layout: { units, sides: sides.slice(0, shapes.length) }, dims: [rows, columns], bits, block };
}

/** @type {(graph: GraphOfWeights, operator: Operator, node: Node) => string | undefined} */
function reasonToLeave(graph, operator, node) {
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
  return isOfMatMul(graph, outputs[0]) ? undefined : 'something other than MatMul uses them';
}

/** @type {(graph: GraphOfWeights, value: string) => boolean} whether only MatMul nodes use a value, and as weights */
function isOfMatMul({ nodes, outputs }, value) {
  const users = nodes.filter(({ inputs }) => inputs.includes(value));
  const areWeights = users.every(
    ({ operator, domain, inputs }) => operator === 'MatMul' && domain === '' && inputs.indexOf(value) === 1,
  );
  const hasGraphs = nodes.some(({ attributes }) => [...attributes.values()].includes(undefined));
  return users.length > 0 && areWeights && !hasGraphs && !outputs.some(({ name }) => name === value);
}
