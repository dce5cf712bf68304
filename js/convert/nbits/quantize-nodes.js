/** Chooses the nodes whose weights are packed, and makes the nodes that replace them. */
import { rangeError, showList } from '../../arguments/index.js';
import { readValueInfo } from '../../io/internal.js';
import * as attributes from '../model/attributes.js';
import { importMicrosoft, microsoft, newNode, replaceNodes } from '../model/edit.js';
import { freeNames, Scopes } from '../model/scopes.js';
import { namesIn, nodesInOrder } from '../model/walk.js';
import { weightTypes } from './matmul-nbits.js';
import { endingsOf, PackedWeights } from './pack-weights.js';

/** @import { Graph, Model, Node, Weight } from '../model/types.js' */
/** @import { Step } from '../types.js' */
/** @import { PackChoice, PackedRow, PlannedRow, QuantizePlan } from './types.js' */

/** @typedef {{ weight: Weight, home: Graph, path: string }} Found */

/** The step that packs the weights of MatMul and Gather nodes; the report gets each matrix's root-mean-square error.
 * @type {(choice: PackChoice) => Step<PackedRow>} */
export const packStep = (choice) => ({
  apply(model, report) {
    if (choice.form === 'qdq' && choice.ops.includes('MatMul')) {
      const least = choice.bits === 2 ? 25 : 21;
      const opset = model.opsets.get('') ?? 0;
      if (opset < least) rangeError(`model must import opset ${least} or a newer one for qdq, got opset ${opset}`);
    }
    const { rows, packed } = packNodes(model, choice);
    for (const { row } of rows) report.push(row);
    const surveys = packed.map((weights) => ({
      ...{ sources: weights.sources, tiled: weights.tiled },
      finish() {
        const rms = weights.rms();
        for (const planned of rows) if (planned.weights === weights) planned.row.rms = rms;
      },
    }));
    return { isChanged: packed.length > 0, surveys };
  },
});

/** Replaces the nodes of a model whose weights are packed; gives a row for each node of the operators, and the packed
 * weights.
 * @type {(model: Model, choice: PackChoice) => { rows: PlannedRow[], packed: PackedWeights[] }} */
export function packNodes(model, choice) {
  const { graph: root } = model;
  /** @type {QuantizePlan} */
  const plan = {
    ...{ model, choice, scopes: new Scopes(root), freeName: freeNames(namesIn(root)) },
    ...{ packed: new Map(), outputs: new Map(), rows: [] },
  };
  /** @type {Map<Node, Node[]>} */
  const replaced = new Map();
  for (const { graph, node } of nodesInOrder(root)) {
    const nodes = choice.subgraphs || graph === root ? replacementOf(plan, graph, node) : undefined;
    if (nodes) replaced.set(node, nodes);
  }
  const packed = [...plan.packed.values()].flatMap((list) => [...list.values()]);
  replaceNodes(model, replaced, packed);
  importMicrosoft(model);
  return { rows: plan.rows, packed };
}

/** The nodes that replace a node with weights; undefined where it stays, with a row that says why.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node) => Node[] | undefined} */
function replacementOf(plan, graph, node) {
  const { choice, scopes, rows } = plan;
  const { operator, domain, inputs } = node;
  if (domain !== '' || !choice.ops.includes(operator)) return undefined;
  const name = inputs[operator === 'Gather' ? 0 : 1] ?? '';
  const source = scopes.weightOf(graph, name);
  const row = { node: scopes.labelOf(graph, node), operator, weights: source?.path ?? name };
  const why = reasonToLeave(plan, graph, node, source);
  if (source === undefined || why !== undefined) {
    rows.push({ row: { ...row, packed: false, why } });
    return undefined;
  }
  const weights = packedOf(plan, operator, source);
  rows.push({ row: { ...row, packed: true, before: weights.before, after: weights.after }, weights });
  if (operator === 'Gather' || choice.form === 'matmulnbits') return [packedNode(choice, node, weights)];
  return dequantizedNodes(plan, graph, node, weights);
}

/** Packed weights for an initializer; nodes that share it share them.
 * @type {(plan: QuantizePlan, operator: string, source: Found) => PackedWeights} */
function packedOf({ choice, packed, freeName }, operator, { weight, path }) {
  const known = packed.get(operator) ?? new Map();
  packed.set(operator, known);
  const byForm = choice.form === 'qdq' ? 'DequantizeLinear' : 'MatMulNBits';
  const layout = operator === 'Gather' ? 'GatherBlockQuantized' : byForm;
  if (!known.has(weight)) {
    const [rows, columns] = weight.dims.slice(-2);
    const stem = freeName(weight.name, endingsOf(layout, choice));
    const matrix = { weight, path, stem, dims: /** @type {const} */ ([rows, columns]) };
    known.set(weight, new PackedWeights(layout, choice, matrix, choice.isMeasured));
  }
  return known.get(weight);
}

/** The reason why a node's weights are not packed; undefined if nothing rules it out.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node, source: Found | undefined) => string | undefined} */
function reasonToLeave({ choice, scopes }, graph, node, source) {
  if (!source) return 'the weights are no initializer';
  const { weight, home, path } = source;
  if (home.inputs.some(({ name }) => name === weight.name)) return 'the weights are an input of the graph';
  const asked = choice.reasonToLeave(node.operator, [node.name, scopes.labelOf(graph, node), weight.name, path]);
  if (asked !== undefined) return asked;
  const { dtype, dims } = weight;
  if (node.operator === 'Gather') {
    if (dtype.name !== 'float32' && dtype.name !== 'float16') return `the weights are ${dtype.name}`;
    if (dims.length !== 2) return `the weights have ${dims.length} axes`;
    return attributes.wholeAttribute(node, 'axis', 0) === 0 ? undefined : 'the axis is not 0';
  }
  if (!weightTypes.includes(dtype.name)) return `the weights are ${dtype.name}`;
  const leading = dims.slice(0, -2);
  if (dims.length < 2 || leading.some((extent) => extent !== 1)) return `the weights have dims ${showList(dims)}`;
  if (leading.length > 0 && rankOf(scopes.homeOf(graph, node.inputs[0]), node.inputs[0]) < dims.length)
    return `the weights have ${dims.length} axes, and the first input may have fewer`;
  return dims.includes(0) ? 'the weights are empty' : undefined;
}

/** The rank that a graph states of a value; 0 where it states none.
 * @type {(home: Graph | undefined, name: string) => number} */
function rankOf(home, name) {
  if (!home) return 0;
  const info = [...home.infos, ...home.inputs, ...home.outputs].find((stated) => stated.name === name);
  return (info && readValueInfo(info.message).dims?.length) ?? 0;
}

/** Appends an ending to a node's name. A node without a name stays so: onnxruntime refuses two nodes of one name.
 * @type {(name: string, ending: string) => string} */
const renamed = (name, ending) => name && name + ending;

/** @type {(numbers: Record<string, number>) => import('../model/types.js').Attribute[]} */
const wholes = (numbers) => Object.entries(numbers).map(([key, value]) => attributes.int(key, value));

/** The GatherBlockQuantized or MatMulNBits in the place of a node.
 * @type {(choice: PackChoice, node: Node, packed: PackedWeights) => Node} */
function packedNode({ bits, block }, { name, operator, inputs, outputs }, { names, dims }) {
  const [codes, ...others] = names;
  if (operator === 'Gather')
    return newNode('GatherBlockQuantized', [codes, inputs[1], ...others], outputs, {
      ...{ name: renamed(name, '_Q4'), domain: microsoft },
      attributes: wholes({ block_size: block, gather_axis: 0, quantize_axis: 1 }),
    });
  return newNode('MatMulNBits', [inputs[0], codes, ...others], outputs, {
    ...{ name: renamed(name, `_Q${bits}`), domain: microsoft },
    attributes: wholes({ K: dims[0], N: dims[1], bits, block_size: block }),
  });
}

/** A DequantizeLinear, for the first node of a graph that uses the weights, and the MatMul behind it. Each graph has
 * one of its own, because onnxruntime fuses it with a MatMul of the same graph.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node, packed: PackedWeights) => Node[]} */
function dequantizedNodes({ choice, outputs: known, freeName }, graph, { name, inputs, outputs }, packed) {
  const { bits, block } = choice;
  const values = known.get(graph) ?? new Map();
  known.set(graph, values);
  const isFirst = !values.has(packed);
  if (isFirst) values.set(packed, freeName(`${packed.names[0]}_output`, ['']));
  const value = values.get(packed);
  const product = newNode('MatMul', [inputs[0], value], outputs, { name: renamed(name, `_matmul_Q${bits}`) });
  if (!isFirst) return [product];
  const more = { name: renamed(name, `_DQ_Q${bits}`), attributes: wholes({ axis: 0, block_size: block }) };
  return [newNode('DequantizeLinear', packed.names, [value], more), product];
}
