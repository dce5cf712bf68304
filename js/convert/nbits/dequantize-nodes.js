/** Chooses the nodes whose weights are unpacked, and makes the nodes that replace them. */
import { brief, showList } from '../../arguments/index.js';
import { wholeAttribute } from '../model/attributes.js';
import { dropImport, microsoft, newNode, replaceNodes } from '../model/edit.js';
import { freeNames, Scopes } from '../model/scopes.js';
import { eachGraph, namesIn, nodesInOrder } from '../model/walk.js';
import { blockSizes, weightTypes } from './matmul-nbits.js';
import { layoutOf } from './packed-layout.js';
import { UnpackedWeights } from './unpack-weights.js';

/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { Step } from '../types.js' */
/** @import { DequantizePlan, Operator, Packed, UnpackedRow } from './types.js' */

/** Operators of packed weights: `places` of codes, scales and zero points, and `types` of codes. */
const operators = {
  MatMulNBits: { domain: microsoft, places: [1, 2, 3], types: ['uint8'] },
  GatherBlockQuantized: { domain: microsoft, places: [0, 2, 3], types: ['int4', 'uint4'] },
  DequantizeLinear: { domain: '', places: [0, 1, 2], types: ['int2', 'uint2', 'int4', 'uint4', 'int8', 'uint8'] },
};

/** Block sizes without the attribute. DequantizeLinear: one scale for a whole axis; MatMulNBits has no default. */
const defaultBlocks = { MatMulNBits: 0, GatherBlockQuantized: 128, DequantizeLinear: 0 };

/** The step that replaces nodes with packed weights by nodes with plain ones, and packed weights by plain ones.
 * @type {Step<UnpackedRow>} */
export const dequantizeStep = {
  apply(model, report) {
    const { graph: root } = model;
    const scopes = new Scopes(root);
    const taken = namesIn(root);
    /** @type {DequantizePlan} */
    const plan = {
      model,
      scopes,
      taken,
      freeName: freeNames(taken),
      report,
      unpacked: new Map(),
      values: new Map(),
      uses: usesIn(root, scopes),
    };
    /** @type {Map<Node, Node[]>} */
    const replaced = new Map();
    for (const { graph, node } of nodesInOrder(root)) {
      const nodes = replacementOf(plan, graph, node);
      if (nodes) replaced.set(node, nodes);
    }
    // The import was needed by a node that is gone; an import that no node needed before stays.
    const hasMicrosoft = [...replaced.keys()].some(({ domain }) => domain === microsoft);
    replaceNodes(model, replaced, [...plan.unpacked.values()]);
    if (hasMicrosoft) dropImport(model, microsoft);
    return { isChanged: replaced.size > 0, passes: [] };
  },
};

/** @type {(node: Node) => boolean} */
const isMatMul = ({ operator, domain }) => operator === 'MatMul' && domain === '';
/** The place of the weights among the inputs of MatMul. */
const matMulWeights = 1;

/** Collects the names of values that MatMul nodes use as weights, and those of values with other uses, by the graph
 * that has the value. A name may be in both.
 * @type {(root: Graph, scopes: Scopes) => DequantizePlan['uses']} */
function usesIn(root, scopes) {
  /** @type {DequantizePlan['uses']} */
  const uses = { asWeights: new Map(), others: new Map() };
  /** @type {(kind: 'asWeights' | 'others', graph: Graph, name: string) => void} */
  const add = (kind, graph, name) => {
    const home = scopes.homeOf(graph, name);
    if (!home) return;
    const names = uses[kind].get(home) ?? new Set();
    uses[kind].set(home, names.add(name));
  };
  for (const graph of eachGraph(root)) {
    for (const { name } of graph.outputs) add('others', graph, name);
    for (const node of graph.nodes)
      for (const [place, name] of node.inputs.entries()) {
        const isWeights = isMatMul(node) && place === matMulWeights;
        add(isWeights ? 'asWeights' : 'others', graph, name);
      }
  }
  return uses;
}

/** Makes the nodes that replace a node with packed weights, or a MatMul whose weights are the output of a
 * DequantizeLinear that is gone; undefined where a node stays. Adds a row for packed weights to the report.
 * @type {(plan: DequantizePlan, graph: Graph, node: Node) => Node[] | undefined} */
function replacementOf(plan, graph, node) {
  const { name, operator, domain, inputs, outputs } = node;
  const plainWeights = isMatMul(node) ? plainWeightsFor(plan, graph, inputs[matMulWeights]) : undefined;
  if (plainWeights !== undefined)
    return [newNode('MatMul', [inputs[0], plainWeights], outputs, { name: stripped(name, /_matmul_Q\d$/) })];
  if (!Object.hasOwn(operators, operator)) return undefined;
  const kind = /** @type {Operator} */ (operator);
  if (domain !== operators[kind].domain) return undefined;
  const [codesName, scalesName, zerosName] = operators[kind].places.map((place) => inputs[place] ?? '');
  const codes = plan.scopes.weightOf(graph, codesName);
  // A DequantizeLinear of anything but an initializer has no weights, and gets no row.
  if (kind === 'DequantizeLinear' && !codes) return undefined;
  const row = { node: plan.scopes.labelOf(graph, node), operator, weights: codes?.path ?? codesName };
  const packedNames = zerosName ? [codesName, scalesName, zerosName] : [codesName, scalesName];
  const packedOrReason = readPacked(plan, graph, kind, node, packedNames);
  if (typeof packedOrReason === 'string') {
    plan.report.push({ ...row, unpacked: false, why: packedOrReason });
    return undefined;
  }
  const unpacked = planUnpacked(plan, kind, packedOrReason);
  plan.report.push({ ...row, unpacked: true, before: unpacked.before, after: unpacked.after });
  const [unpackedName] = unpacked.names;
  return nodesOfPlainWeights(plan, graph, kind, node, unpackedName);
}

/** Makes the nodes that take plain weights instead of packed ones. None replaces a DequantizeLinear: MatMul nodes will
 * take the weights instead of its output.
 * @type {(plan: DequantizePlan, graph: Graph, operator: Operator, node: Node, plainWeights: string) => Node[]} */
function nodesOfPlainWeights({ values }, graph, operator, { name, inputs, outputs }, plainWeights) {
  const more = { name: stripped(name, /_Q\d$/) };
  if (operator === 'MatMulNBits') return [newNode('MatMul', [inputs[0], plainWeights], outputs, more)];
  if (operator === 'GatherBlockQuantized') return [newNode('Gather', [plainWeights, inputs[1]], outputs, more)];
  const plainNames = values.get(graph) ?? new Map();
  const [dequantized] = outputs;
  values.set(graph, plainNames.set(dequantized, plainWeights));
  return [];
}

/** The plain weights that stand for a DequantizeLinear's output that is gone; undefined for other values.
 * @type {(plan: DequantizePlan, graph: Graph, name: string) => string | undefined} */
function plainWeightsFor({ values, scopes }, graph, name) {
  const home = scopes.homeOf(graph, name);
  return home && values.get(home)?.get(name);
}

/** @type {(name: string, suffix: RegExp) => string} */
const stripped = (name, suffix) => name.replace(suffix, '');

/** Plans the plain weights of packed tensors. Nodes whose tensors, dims and block size are the same share them. Their
 * name is that before the quantizer, if it is free, else that of the codes with `_weights` behind.
 * @type {(plan: DequantizePlan, operator: Operator, packed: Packed) => UnpackedWeights} */
function planUnpacked({ unpacked, scopes, taken, freeName }, operator, packed) {
  const { sources, dims, bits, block } = packed;
  const key = JSON.stringify([operator, sources.map((source) => scopes.numberOf(source)), dims, bits, block]);
  const known = unpacked.get(key);
  if (known) return known;
  const [{ name: codesName }] = sources;
  const nameBefore = stripped(codesName, operator === 'DequantizeLinear' ? /_DQ_Q\d$/ : /_Q\d$/);
  const name = freeName(taken.has(nameBefore) ? `${codesName}_weights` : nameBefore);
  const planned = new UnpackedWeights(operator, packed, name);
  unpacked.set(key, planned);
  return planned;
}

const kindsInMessages = ['weights', 'scales', 'zero points'];

/** Reads the packed weights of a node. Gives the reason instead, a string, where they are left as they are. `names`: of
 * codes, scales and, if there are some, zero points.
 * @type {(plan: DequantizePlan, graph: Graph, operator: Operator, node: Node, names: readonly string[]) => Packed |
 *   string} */
function readPacked({ scopes, uses }, graph, operator, node, names) {
  const sourcesOrReason = findSources(scopes, graph, names);
  if (typeof sourcesOrReason === 'string') return sourcesOrReason;
  const { sources, paths } = sourcesOrReason;
  const why = reasonToLeave(uses, graph, operator, node) ?? reasonInTypes(operator, sources);
  if (why !== undefined) return why;
  const [codes, scales] = sources;
  const isNBits = operator === 'MatMulNBits';
  const bits = isNBits ? wholeAttribute(node, 'bits', 4) : codes.dtype.bits;
  const block = wholeAttribute(node, 'block_size', defaultBlocks[operator]);
  const dims = isNBits ? [wholeAttribute(node, 'K', 0), wholeAttribute(node, 'N', 0)] : codes.dims;
  if (isNBits && ![2, 4, 8].includes(bits)) return `the weights have ${bits} bits`;
  const isBlockSize = isNBits ? blockSizes.includes(block) : block > 0;
  if (!isBlockSize) return `the block size is ${block}`;
  const isMatrix = dims.length === 2 && dims.every((extent) => extent > 0);
  if (!isMatrix) return `the weights have dims ${showList(dims)}`;
  const [rows, columns] = dims;
  const packing = { bits, block, codes: codes.dtype, scales: scales.dtype };
  // A side says how one of the packed tensors lies over the matrix.
  const { units, tensors } = layoutOf(operator, packing, [rows, columns]);
  for (const [i, source] of sources.entries()) {
    const { dims: neededDims } = tensors[i];
    if (String(source.dims) !== String(neededDims))
      return `${showList(source.dims)} are not the dims of ${brief(paths[i])}, ${showList(neededDims)}`;
  }
  return { sources, layout: { units, tensors: tensors.slice(0, sources.length) }, dims: [rows, columns], bits, block };
}

/** Finds the initializers of some names, with their names in messages (`paths`). Gives the reason instead, a string,
 * where one of them may be changed by the caller or is no initializer.
 * @type {(scopes: Scopes, graph: Graph, names: readonly string[]) => { sources: Weight[], paths: string[] } |
 *   string} */
function findSources(scopes, graph, names) {
  /** @type {Weight[]} */
  const sources = [];
  const paths = [];
  for (const [i, name] of names.entries()) {
    const kind = kindsInMessages[i];
    const source = scopes.weightOf(graph, name);
    if (!source) return `the ${kind} are no initializer`;
    // Callers may replace an initializer that is an input.
    if (source.home.inputs.some((input) => input.name === name)) return `the ${kind} are an input of the graph`;
    sources.push(source.weight);
    paths.push(source.path);
  }
  return { sources, paths };
}

/** Why the types of codes, scales and zero points rule out plain weights; undefined if they do not.
 * @type {(operator: Operator, sources: readonly Weight[]) => string | undefined} */
function reasonInTypes(operator, [codes, scales, zeros]) {
  if (!operators[operator].types.includes(codes.dtype.name)) return `the weights are ${codes.dtype.name}`;
  if (!weightTypes.includes(scales.dtype.name)) return `the scales are ${scales.dtype.name}`;
  return zeros && zeros.dtype !== codes.dtype ? `the zero points are ${zeros.dtype.name}` : undefined;
}

/** Why a node's attributes, or the use of its output, rule out plain weights; undefined if nothing does.
 * @type {(uses: DequantizePlan['uses'], graph: Graph, operator: Operator, node: Node) => string | undefined} */
function reasonToLeave(uses, graph, operator, node) {
  const { inputs, outputs } = node;
  if (operator === 'MatMulNBits') {
    const [_a, _codes, _scales, _zeros, groupIndexes, bias] = inputs;
    if (groupIndexes) return 'g_idx orders the rows';
    if (bias) return 'it has a bias';
    return wholeAttribute(node, 'weight_prepacked', 0) ? 'the weights are prepacked' : undefined;
  }
  if (operator === 'GatherBlockQuantized') {
    if (wholeAttribute(node, 'gather_axis', 0)) return 'the axis is not 0';
    return wholeAttribute(node, 'quantize_axis', 1) === 1 ? undefined : 'the blocks are not of the last axis';
  }
  if (wholeAttribute(node, 'axis', 1) !== 0) return 'the blocks are not of axis 0';
  if (wholeAttribute(node, 'output_dtype', 0)) return 'the output has a type of its own';
  const [output] = outputs;
  // Plain weights can stand for the output only where MatMul nodes, of any graph, take it as weights.
  const isOfMatMul = uses.asWeights.get(graph)?.has(output) && !uses.others.get(graph)?.has(output);
  return isOfMatMul ? undefined : 'something other than MatMul uses them';
}
