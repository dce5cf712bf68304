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
  /** Replaces the nodes, and adds a row to the report for each node of the operators. Before the model is written, each
   * matrix is packed once to measure its error. */
  apply(model, report) {
    // DequantizeLinear takes blocks and 4 bits since opset 21, 2 bits since opset 25.
    if (choice.form === 'qdq' && choice.ops.includes('MatMul')) {
      const least = choice.bits === 2 ? 25 : 21;
      const opset = model.opsets.get('') ?? 0;
      if (opset < least) rangeError(`model must import opset ${least} or a newer one for qdq, got opset ${opset}`);
    }
    const { rows, packed } = packNodes(model, choice);
    for (const { row } of rows) report.push(row);
    const surveys = packed.map((weights) => ({
      ...{ sources: weights.sources, tiled: weights.tiled },
      /** Writes the error of a packed matrix to the rows of all nodes that use it. */
      finish() {
        const rms = weights.rms();
        for (const planned of rows) if (planned.weights === weights) planned.row.rms = rms;
      },
    }));
    return { isChanged: packed.length > 0, surveys };
  },
});

/** Replaces the nodes of a model whose weights are packed, and adds the packed tensors to the initializers. Gives a row
 * for each node of the operators of `choice`, and the packed weights.
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

/** Makes the nodes that replace a node of the operators of `choice`; undefined where the node stays. Adds a row for it
 * to the plan, with the reason if it stays.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node) => Node[] | undefined} */
function replacementOf(plan, graph, node) {
  const { choice, scopes, rows } = plan;
  const { operator, domain, inputs } = node;
  if (domain !== '' || !choice.ops.includes(operator)) return undefined;
  // The weights: the first input of Gather, the second one of MatMul.
  const name = inputs[operator === 'Gather' ? 0 : 1] ?? '';
  const source = scopes.weightOf(graph, name);
  const row = { node: scopes.labelOf(graph, node), operator, weights: source?.path ?? name };
  const why = reasonToLeave(plan, graph, node, source);
  if (source === undefined || why !== undefined) {
    rows.push({ row: { ...row, packed: false, why } });
    return undefined;
  }
  const weights = planPacked(plan, operator, source);
  rows.push({ row: { ...row, packed: true, before: weights.before, after: weights.after }, weights });
  if (operator === 'Gather' || choice.form === 'matmulnbits') return [packedNode(choice, node, weights)];
  return dequantizedNodes(plan, graph, node, weights);
}

/** Plans how an initializer is packed for the nodes of an operator: the names and the layout of its packed tensors.
 * Nodes of one operator that use the same initializer get the same tensors. `source`: the initializer and its path,
 * the name that the report has.
 * @type {(plan: QuantizePlan, operator: string, source: Found) => PackedWeights} */
function planPacked({ choice, packed, freeName }, operator, { weight, path }) {
  const known = packed.get(operator) ?? new Map();
  packed.set(operator, known);
  // MatMul takes its weights from either operator, Gather always becomes GatherBlockQuantized.
  const byForm = choice.form === 'qdq' ? 'DequantizeLinear' : 'MatMulNBits';
  const layout = operator === 'Gather' ? 'GatherBlockQuantized' : byForm;
  if (!known.has(weight)) {
    // Axes in front have the extent 1.
    const [rows, columns] = weight.dims.slice(-2);
    const stem = freeName(weight.name, endingsOf(layout, choice));
    const matrix = { weight, path, stem, dims: /** @type {const} */ ([rows, columns]) };
    known.set(weight, new PackedWeights(layout, choice, matrix, choice.isMeasured));
  }
  return known.get(weight);
}

/** Gives the reason why a node's weights are not packed; undefined if nothing rules it out. `source`: the initializer
 * that the weights are, if they are one, with the graph that holds it.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node, source: Found | undefined) => string | undefined} */
function reasonToLeave({ choice, scopes }, graph, node, source) {
  if (!source) return 'the weights are no initializer';
  const { weight, home, path } = source;
  // Callers may replace an initializer that is an input, too.
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
  // MatMulNBits takes a matrix. Leading axes of extent 1 change nothing but the rank of the result, which stays if the
  // first input has as many axes.
  const leading = dims.slice(0, -2);
  if (dims.length < 2 || leading.some((extent) => extent !== 1)) return `the weights have dims ${showList(dims)}`;
  if (leading.length > 0 && rankOf(scopes.homeOf(graph, node.inputs[0]), node.inputs[0]) < dims.length)
    return `the weights have ${dims.length} axes, and the first input may have fewer`;
  return dims.includes(0) ? 'the weights are empty' : undefined;
}

/** Gives the rank that a graph states of a value; 0 where it states none, or there is no graph.
 * @type {(home: Graph | undefined, name: string) => number} */
function rankOf(home, name) {
  if (!home) return 0;
  const info = [...home.infos, ...home.inputs, ...home.outputs].find((stated) => stated.name === name);
  return (info && readValueInfo(info.message).dims?.length) ?? 0;
}

/** Appends an ending to the name of a node. A node without a name stays so, because onnxruntime refuses two nodes of
 * one name.
 * @type {(name: string, ending: string) => string} */
const renamed = (name, ending) => name && name + ending;

/** Makes an INT attribute of each number.
 * @type {(numbers: Record<string, number>) => import('../model/types.js').Attribute[]} */
const wholes = (numbers) => Object.entries(numbers).map(([key, value]) => attributes.int(key, value));

/** Makes the GatherBlockQuantized or MatMulNBits that replaces a Gather or MatMul. `packed.names`: those of the codes,
 * the scales and, if there are some, the zero points.
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

/** Makes the nodes that replace a MatMul with DequantizeLinear in front: this one, if the node is the first of its
 * graph that uses the weights, and the MatMul. Each graph has a DequantizeLinear of its own, because onnxruntime fuses
 * it with a MatMul of the same graph. `plan.outputs` keeps the names of their outputs.
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
